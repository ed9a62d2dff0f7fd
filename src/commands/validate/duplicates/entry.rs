//! Identity of a game in a few bytes.

use crate::chess::fen::{FenField, FieldRanges};
use crate::chess::{Position, Setup, epd, fen};
use crate::findings::place_of_line;
use crate::input::{Chunk, GameText, InputKind, position_line};
use crate::pgn::values::{date, number, player, site};
use crate::pgn::{Game, ResultMark, Tag, TagName};
use crate::replay::{LineHash, mix, of_text};

/// Games with fewer moves, in plies, are duplicates only if all that identifies them is equal, and
/// are the beginning of no game: they are openings.
pub(crate) const LEAST_PLIES: u32 = LineHash::OPENING;

/// A game, as far as others are compared with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameEntry {
    /// Hash of all moves.
    pub(crate) moves: u64,
    /// Hash of players and first moves; of a shorter game, of all that identifies it.
    pub(crate) opening: u32,
    pub(crate) when: When,
    /// Index of the game in the run, from 0.
    pub(crate) index: u32,
    counts: Counts,
}

/// A game as it is kept from the first pass. Its index is its place among all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoredGame {
    moves: u64,
    opening: u32,
    when: When,
    /// Bits, from the lowest: size of the text in bytes, or [`StoredGame::NOT_ALONE`] (26), upper
    /// bits of the number of lines (6).
    extent: u32,
    counts: Counts,
}

/// Small numbers of a game.
///
/// Bits, from the lowest: moves (12), tags (6), result (2), lower bits of the number of lines (11),
/// whether the game is clean (1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts(u32);

// The limit of memory counts on it.
const _: () = assert!(size_of::<StoredGame>() == 24 && size_of::<GameEntry>() == 24);

impl Counts {
    const MOST_PLIES: u32 = 0xfff;
    const MOST_TAGS: usize = 0x3f;
    const TAGS: u32 = 12;
    const RESULT: u32 = 18;
    const LINES: u32 = 20;
    const IS_CLEAN: u32 = 1 << 31;

    fn new(plies: u32, tags: usize, result: Option<ResultMark>) -> Counts {
        let result = match result {
            None | Some(ResultMark::Unknown) => 0,
            Some(ResultMark::White) => 1,
            Some(ResultMark::Black) => 2,
            Some(ResultMark::Draw) => 3,
        };
        let tags = tags.min(Counts::MOST_TAGS) as u32;
        let plies = plies.min(Counts::MOST_PLIES);
        Counts(plies | tags << Counts::TAGS | result << Counts::RESULT)
    }

    fn with_lines(self, lines: u32) -> Counts {
        Counts(self.0 | (lines & 0x7ff) << Counts::LINES)
    }

    fn with_clean(self, is_clean: bool) -> Counts {
        let clean = if is_clean { Counts::IS_CLEAN } else { 0 };
        Counts(self.0 & !Counts::IS_CLEAN | clean)
    }

    fn plies(self) -> u32 {
        self.0 & Counts::MOST_PLIES
    }

    fn tags(self) -> u32 {
        self.0 >> Counts::TAGS & Counts::MOST_TAGS as u32
    }

    /// 0 if it is not known.
    fn result(self) -> u32 {
        self.0 >> Counts::RESULT & 3
    }

    fn lines(self) -> u32 {
        self.0 >> Counts::LINES & 0x7ff
    }

    fn is_clean(self) -> bool {
        self.0 & Counts::IS_CLEAN != 0
    }
}

impl StoredGame {
    const MOST_LINES: usize = 0x1_ffff;

    /// Size of a text that cannot be read alone: it is too large, its place is not known, or a
    /// comment is not closed.
    const NOT_ALONE: u32 = 0x3ff_ffff;

    /// A game that is not compared.
    pub(crate) const SKIPPED: StoredGame = StoredGame {
        moves: 0,
        opening: 0,
        when: When(0),
        extent: StoredGame::NOT_ALONE,
        counts: Counts(0),
    };

    /// A game of a chunk; `entry` is none if it is not compared.
    pub(crate) fn new(
        entry: Option<GameEntry>,
        chunk: &Chunk,
        text: &GameText<'_>,
        is_clean: bool,
    ) -> StoredGame {
        let bytes = text.bytes;
        let lines = memchr::memchr_iter(b'\n', bytes).count();
        let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
        // The columns of a game that begins on the line of another are not known.
        let begins_line = match text.chunk_offset.checked_sub(1) {
            Some(before) => chunk.bytes()[before] == b'\n',
            None => chunk.column() == 0,
        };
        let is_placed = begins_line || blank.into_iter().any(|&byte| byte == b'\n');
        let is_small =
            bytes.len() < StoredGame::NOT_ALONE as usize && lines <= StoredGame::MOST_LINES;
        // Only the splitter knows which comment is not closed.
        let is_closed = text.unclosed_comment.is_none();
        let (size, lines) = match is_placed && is_small && is_closed {
            true => (bytes.len() as u32, lines as u32),
            false => (StoredGame::NOT_ALONE, 0),
        };
        let extent = size | lines >> 11 << 26;
        let counts = entry.map_or(Counts::default(), |entry| entry.counts);
        let counts = counts.with_lines(lines).with_clean(is_clean);
        match entry {
            None => StoredGame {
                extent,
                counts,
                ..StoredGame::SKIPPED
            },
            Some(entry) => StoredGame {
                moves: entry.moves,
                opening: entry.opening,
                when: entry.when,
                extent,
                counts,
            },
        }
    }

    /// Size of the text in bytes and number of its line feeds, if it can be read alone.
    pub(crate) fn extent(&self) -> Option<[u64; 2]> {
        let size = self.extent & StoredGame::NOT_ALONE;
        let lines = self.extent >> 26 << 11 | self.counts.lines();
        (size != StoredGame::NOT_ALONE).then_some([size.into(), lines.into()])
    }

    /// Whether nothing else is reported about the game; before a split, whether nothing else
    /// rejects it.
    pub(crate) fn is_clean(&self) -> bool {
        self.counts.is_clean()
    }

    /// Sets [`StoredGame::is_clean`].
    pub(crate) fn set_clean(&mut self, is_clean: bool) {
        self.counts = self.counts.with_clean(is_clean);
    }

    /// Hash of all moves.
    pub(crate) fn moves(&self) -> u64 {
        self.moves
    }

    /// Hash of players and first moves.
    pub(crate) fn opening(&self) -> u32 {
        self.opening
    }

    /// Whether the game is compared with others.
    pub(crate) fn is_compared(&self) -> bool {
        self.counts.plies() > 0
    }

    /// The game at this index.
    pub(crate) fn entry(&self, index: u32) -> GameEntry {
        GameEntry {
            moves: self.moves,
            opening: self.opening,
            when: self.when,
            index,
            counts: self.counts,
        }
    }
}

impl GameEntry {
    /// The entry of a game; none if it has no moves.
    pub(crate) fn new(
        game: &Game,
        text: &[u8],
        line: &LineHash,
        index: u32,
        players: &mut PlayerHashes,
    ) -> Option<GameEntry> {
        if line.plies == 0 {
            return None;
        }
        let players = players.of(game, text);
        let opening = if line.plies < LEAST_PLIES {
            let tags = [TagName::Event, TagName::Site, TagName::Date, TagName::Round];
            let tags = tags.map(|name| game.known(name).map(|tag| tag.value));
            let tags = tags.map(|value| of_text(value.map_or(b"", |value| value.of(text))));
            tags.into_iter().fold(mix(players, line.value), mix)
        } else {
            mix(players, line.opening)
        };
        Some(GameEntry {
            moves: line.value,
            opening: (opening >> 32) as u32,
            when: When::of(game, text),
            index,
            counts: Counts::new(
                line.plies,
                game.tags.len(),
                game.recorded_result(text).unwrap_or_default(),
            ),
        })
    }

    /// The entry of the position of a line; none if it cannot be read. It is compared as a long
    /// game is, with the position as its moves and the given counters as its day.
    pub(crate) fn of_line(kind: InputKind, text: &[u8]) -> Option<GameEntry> {
        let (start, line) = position_line(text);
        let end = place_of_line(kind, text).end as usize - start;
        let fen = &line[..end];
        let setup = fen::parse_all(fen).ok()?;
        let fields = [FenField::Halfmoves, FenField::Fullmoves];
        let given = |field| number(&fen[FieldRanges::of_text(fen).of(field)]);
        let mut counters = fields.map(given);
        let operations = match kind {
            InputKind::Epd => epd::operations(line, end).0,
            InputKind::Fen | InputKind::Pgn => Vec::new(),
        };
        for operation in operations {
            let counter = match &line[operation.opcode] {
                b"hmvc" => &mut counters[0],
                b"fmvn" => &mut counters[1],
                _ => continue,
            };
            let operand = operation.operands.first();
            *counter = operand.and_then(|operand| number(&line[operand.range.clone()]));
        }
        let position = Position::new(&setup).map_or(setup, |position| position.setup());
        let position = Setup {
            halfmoves: 0,
            fullmoves: 1,
            ..position
        };
        let position = of_text(position.to_string().as_bytes());
        Some(GameEntry {
            moves: position,
            opening: (position >> 32) as u32,
            when: When::of_hash(of_text(format!("{counters:?}").as_bytes())),
            index: 0,
            counts: Counts::new(LEAST_PLIES, 0, None),
        })
    }

    /// Whether the game is long enough to be compared by its moves alone.
    pub(crate) fn is_long(&self) -> bool {
        self.plies() >= LEAST_PLIES
    }

    /// Number of moves; larger numbers are cut.
    pub(crate) fn plies(&self) -> u32 {
        self.counts.plies()
    }

    /// Number of tag pairs; larger numbers are cut.
    pub(crate) fn tags(&self) -> u32 {
        self.counts.tags()
    }

    /// See [`StoredGame::is_clean`].
    pub(crate) fn is_clean(&self) -> bool {
        self.counts.is_clean()
    }

    /// Whether both results are known and differ.
    pub(crate) fn differs_in_result(&self, other: &GameEntry) -> bool {
        let results = [self.counts.result(), other.counts.result()];
        results[0] != results[1] && !results.contains(&0)
    }
}

/// Hashes of the normalised names of players, which come up again and again. A name is known by the
/// hash of its text as written, and keeps its place until another one needs it.
#[derive(Debug)]
pub(crate) struct PlayerHashes {
    known: Vec<(u64, u64)>,
    key: Vec<u8>,
}

impl Default for PlayerHashes {
    fn default() -> PlayerHashes {
        PlayerHashes {
            known: vec![(0, 0); 1 << PlayerHashes::BITS],
            key: Vec::new(),
        }
    }
}

impl PlayerHashes {
    /// 64 KiB of names.
    const BITS: u32 = 12;

    /// Hash of both players; 0 if neither is known.
    pub(crate) fn of(&mut self, game: &Game, text: &[u8]) -> u64 {
        let [white, black] = [TagName::White, TagName::Black].map(|name| {
            let tag = game.known(name);
            tag.map_or(0, |tag| self.of_name(tag, text))
        });
        match (white, black) {
            (0, 0) => 0,
            _ => mix(mix(0, white), black) | 1,
        }
    }

    fn of_name(&mut self, name: Tag, text: &[u8]) -> u64 {
        let written = of_text(name.value.of(text));
        let place = (written >> (u64::BITS - PlayerHashes::BITS)) as usize;
        let (known, hash) = &mut self.known[place];
        if *known != written {
            self.key.clear();
            player::push_key(&mut self.key, &name.unescape(text));
            *known = written;
            *hash = match self.key.is_empty() {
                true => 0,
                false => of_text(&self.key),
            };
        }
        *hash
    }
}

/// Date, and round or address, of a game. A part that is 0 is not known.
///
/// Bits, from the lowest: day (5), month (4), year since 999 (11), number of the round or hash of
/// the address (11), whether it is an address (1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct When(u32);

impl When {
    const DAY: u32 = 0x1f;
    const MONTH: u32 = 0xf << 5;
    const YEAR: u32 = 0x7ff << 9;
    const DATE: [u32; 3] = [When::DAY, When::MONTH, When::YEAR];
    const ROUND: u32 = 0x7ff << 20;
    const IS_ADDRESS: u32 = 1 << 31;

    /// Reads the tags `Date`, or `UTCDate`, and `Round`, or the address of the game in `Site` or
    /// `Link`.
    fn of(game: &Game, text: &[u8]) -> When {
        let value = |name| game.known(name).map(|tag| tag.value.of(text).trim_ascii());
        let day = |value: &[u8]| {
            let date = date::StandardDate::read(value).ok().or_else(|| {
                let form = date::standard_form(value)?;
                date::StandardDate::read(form.as_bytes()).ok()
            })?;
            let year = date.year.map_or(0, |year| u32::from(year) - 999);
            let month = u32::from(date.month.unwrap_or(0));
            let bits = year << 9 | month << 5 | u32::from(date.day.unwrap_or(0));
            (bits != 0).then_some(bits)
        };
        let date = value(TagName::Date).and_then(day);
        let date = date.or_else(|| value(TagName::UtcDate).and_then(day));
        let round = match address(game, text) {
            Some(address) => When::IS_ADDRESS | (of_text(address) as u32 | 1) << 20 & When::ROUND,
            None => value(TagName::Round).map_or(0, round) << 20,
        };
        When(date.unwrap_or(0) | round)
    }

    /// A hash whose parts are all known.
    fn of_hash(hash: u64) -> When {
        let least = [When::DAY, When::MONTH, When::YEAR, When::ROUND];
        let least = least.map(|mask| mask & mask.wrapping_neg());
        When(least.into_iter().fold(hash as u32, |hash, bit| hash | bit))
    }

    /// Whether the known parts of the dates agree.
    pub(crate) fn may_be_day_of(self, other: When) -> bool {
        let agree = |mask| {
            let (one, other) = (self.0 & mask, other.0 & mask);
            one == other || one == 0 || other == 0
        };
        When::DATE.into_iter().all(agree)
    }

    /// Whether the rounds or the addresses agree, if both are known.
    pub(crate) fn may_be_round_of(self, other: When) -> bool {
        let [one, other] =
            [self, other].map(|when| (when.0 & When::ROUND, when.0 & When::IS_ADDRESS));
        one == other || one.0 == 0 || other.0 == 0 || one.1 != other.1
    }

    /// Whether the address is known, rather than the round.
    pub(crate) fn is_address(self) -> bool {
        self.0 & When::IS_ADDRESS != 0
    }

    /// Whether nothing known contradicts that it is the same game.
    pub(crate) fn may_be(self, other: When) -> bool {
        self.may_be_day_of(other) && self.may_be_round_of(other)
    }
}

/// The address of a game in `Site` or `Link`, without what may differ at the same game.
pub(crate) fn address<'a>(game: &Game, text: &'a [u8]) -> Option<&'a [u8]> {
    let page = |tag: Tag| page(tag.value.of(text).trim_ascii());
    game.known(TagName::Site).and_then(page).or_else(|| {
        let link = game.other_tags() > 0;
        let link = link.then(|| game.tag(text, "Link")).flatten();
        link.and_then(page)
    })
}

/// The number before the first period or parenthesis, from 1; larger ones begin at 1 again. 0 if
/// there is none.
fn round(value: &[u8]) -> u32 {
    let digits = value
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    match number(&value[..digits]) {
        None | Some(0) => 0,
        Some(round) => (round - 1) % 2047 + 1,
    }
}

/// Host and path if the value is the address of a page below that of the site, without the side
/// from which the board is shown.
fn page(value: &[u8]) -> Option<&[u8]> {
    let page = site::address(value)?;
    let page = page.strip_prefix(b"www.").unwrap_or(page);
    let fragment = memchr::memchr(b'#', page).unwrap_or(page.len());
    let page = &page[..fragment];
    let page = page.strip_suffix(b"/").unwrap_or(page);
    let slash = memchr::memchr(b'/', page)?;
    let side = [&b"/white"[..], b"/black"].into_iter();
    let game = side.filter_map(|side| page.strip_suffix(side)).next();
    Some(game.filter(|game| game.len() > slash).unwrap_or(page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Buffers, Chunks, Source, SourceId};
    use crate::replay::Reader;

    #[test]
    fn the_page_of_a_game_is_known_by_host_and_path() {
        let page = |value: &str| page(value.as_bytes()).map(<[u8]>::to_vec);
        let same = Some(b"lichess.org/abcdefgh".to_vec());
        for value in [
            "https://lichess.org/abcdefgh",
            "http://lichess.org/abcdefgh/",
            "https://www.lichess.org/abcdefgh/black",
            "https://lichess.org/abcdefgh/white#35",
            "https://lichess.org/abcdefgh#0",
            "lichess.org/abcdefgh",
        ] {
            assert_eq!(page(value), same, "{value}");
        }
        for value in [
            "https://lichess.org/ABCDEFGH",
            "https://lichess.org/abcdefgh/red",
            "https://lichess.org/abcdefgh?1",
            "https://lichess.org/black",
        ] {
            assert!(
                page(value).is_some_and(|page| Some(page) != same),
                "{value}"
            );
        }
        for value in [
            "lichess.org",
            "St.Louis/USA",
            "https://lichess.org",
            "https://lichess.org/#1",
        ] {
            assert_eq!(page(value), None, "{value}");
        }
    }

    #[test]
    fn the_extent_of_a_game_is_kept_unless_it_is_huge() {
        for lines in [0, 1, 2_047, 2_048, 100_000, 0x1_ffff, 0x2_0000] {
            let text = format!("1. e4 {{{}}} *", "\n".repeat(lines));
            let source = Source::text(SourceId(0), "x", text.as_bytes());
            let mut chunks = Chunks::new(text.as_bytes(), &source, text.len(), Buffers::default());
            let chunk = chunks.next().unwrap().unwrap();
            let game = chunk.games().next().unwrap();
            let stored = StoredGame::new(None, &chunk, &game, true);
            let extent = [game.bytes.len() as u64, lines as u64];
            assert_eq!(stored.extent(), (lines < 0x2_0000).then_some(extent));
            assert!(stored.is_clean() && !stored.is_compared());
        }
    }

    fn when(tags: &str) -> When {
        let mut reader = Reader::new();
        When::of(reader.read(tags.as_bytes(), None), tags.as_bytes())
    }

    #[test]
    fn known_parts_of_dates_and_rounds_contradict() {
        for (one, other, may_be) in [
            ("[Date \"1972.07.11\"]", "[Date \"1972.??.??\"]", true),
            ("[Date \"1972.07.11\"]", "[Date \"????.??.11\"]", true),
            ("[Date \"1972.07.11\"]", "[Date \"1972-07-11\"]", true),
            ("[Date \"1972.07.11\"]", "[UTCDate \"1972.07.11\"]", true),
            ("[Date \"1972.07.11\"]", "[Round \"?\"]", true),
            ("[Date \"1972.07.11\"]", "[Date \"1972.07.12\"]", false),
            ("[Date \"1972.07.11\"]", "[Date \"1973.??.??\"]", false),
            ("[Round \"3\"]", "[Round \"3.1\"]", true),
            ("[Round \"3\"]", "[Round \"-\"]", true),
            ("[Round \"3\"]", "[Round \"4\"]", false),
            ("[Round \"2048\"]", "[Round \"2049\"]", false),
            ("[Round \"4094\"]", "[Round \"4095\"]", false),
            (
                "[Round \"3\"]",
                "[Site \"https://lichess.org/abcdefgh\"]",
                true,
            ),
            (
                "[Site \"https://lichess.org/abcdefgh\"]",
                "[Site \"https://lichess.org/\"]",
                true,
            ),
            (
                "[Site \"https://lichess.org/abcdefgh\"]",
                "[Link \"https://lichess.org/hgfedcba\"]",
                false,
            ),
        ] {
            assert_eq!(when(one).may_be(when(other)), may_be, "{one} {other}");
            assert_eq!(when(other).may_be(when(one)), may_be, "{other} {one}");
        }
    }
}
