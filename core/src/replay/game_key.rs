//! Identity of a game, as far as others are compared with it.

use crate::pgn::values::{date, is_unfilled, number, player, site};
use crate::pgn::{Game, ResultMark, Tag, TagName};
use crate::replay::{LineHash, mix, of_text};

/// A game, as far as others are compared with it. The default is compared with none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameKey {
    /// Hash of all moves.
    pub moves: u64,
    /// Hash of players and first moves; of a shorter game, of all that identifies it, which is the
    /// text of a game without moves if one of its tags is not known.
    pub opening: u64,
    /// Date and round.
    pub when: When,
    /// Number of moves; larger numbers are cut.
    pub plies: u16,
    /// Number of tag pairs; larger numbers are cut.
    pub tags: u8,
    /// Recorded result.
    pub result: Option<ResultMark>,
    /// Whether a player is known.
    pub has_players: bool,
    /// Whether a check has found the game faulty. Games are compared without it.
    pub is_faulty: bool,
}

// The limits of memory count on it.
const _: () = assert!(size_of::<GameKey>() == 32);

impl GameKey {
    /// Games with fewer moves, in plies, are duplicates only if all that identifies them is equal,
    /// and are the beginning of no game: they are openings.
    pub const LEAST_PLIES: u32 = LineHash::OPENING;

    /// Key of a game with the hash of its moves.
    pub fn new(game: &Game, text: &[u8], line: &LineHash, players: &mut PlayerHashes) -> GameKey {
        let (players, are_known) = players.of(game, text);
        let opening = if line.plies < GameKey::LEAST_PLIES {
            let tags = [TagName::Event, TagName::Site, TagName::Date, TagName::Round];
            let tags = tags.map(|name| game.known(name).map(|tag| tag.value.of(text)));
            let tags = tags.map(|value| value.filter(|value| !is_unfilled(value)));
            if line.plies == 0 && (!are_known || tags.contains(&None)) {
                of_text(text[game.start..].trim_ascii_end())
            } else {
                let tags = tags.map(|value| of_text(value.unwrap_or_default().trim_ascii()));
                tags.into_iter().fold(mix(players, line.value), mix)
            }
        } else {
            mix(players, line.opening)
        };
        GameKey {
            moves: line.value,
            opening,
            when: When::of(game, text),
            plies: line.plies.try_into().unwrap_or(u16::MAX),
            tags: game.tags.len().try_into().unwrap_or(u8::MAX),
            result: game.recorded_result(text).unwrap_or_default(),
            has_players: players != 0,
            is_faulty: false,
        }
    }

    /// Whether there is a game to compare with others.
    pub fn is_compared(&self) -> bool {
        *self != GameKey::default()
    }

    /// Whether the game is long enough to be compared by its moves alone.
    pub fn is_long(&self) -> bool {
        u32::from(self.plies) >= GameKey::LEAST_PLIES
    }

    /// Whether both results are known and differ.
    pub fn differs_in_result(&self, other: &GameKey) -> bool {
        let is_known = |key: &GameKey| key.result.is_some_and(|mark| mark != ResultMark::Unknown);
        self.result != other.result && is_known(self) && is_known(other)
    }
}

/// Date, and round or address, of a game. A part that is 0 is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct When {
    /// Year, month and day.
    date: [u16; 3],
    /// Number of the round, or hash of the address.
    round: u16,
    /// Whether the address is known, rather than the round.
    pub is_address: bool,
}

impl When {
    /// Reads the tags `Date`, or `UTCDate`, and `Round`, or the address of the game in `Site` or
    /// `Link`.
    fn of(game: &Game, text: &[u8]) -> When {
        let value = |name| game.known(name).map(|tag| tag.value.of(text).trim_ascii());
        let date = value(TagName::Date).and_then(day);
        let date = date.or_else(|| value(TagName::UtcDate).and_then(day));
        let address = address(game, text);
        When {
            date: date.unwrap_or_default(),
            round: match address {
                Some(address) => of_text(address) as u16 | 1,
                None => value(TagName::Round).map_or(0, round),
            },
            is_address: address.is_some(),
        }
    }

    /// Whether the known parts of the dates agree.
    pub fn may_be_day_of(self, other: When) -> bool {
        let mut parts = self.date.into_iter().zip(other.date);
        parts.all(|(one, other)| one == other || one == 0 || other == 0)
    }

    /// Whether the rounds or the addresses agree, if both are known.
    fn may_be_round_of(self, other: When) -> bool {
        self.round == other.round
            || self.round == 0
            || other.round == 0
            || self.is_address != other.is_address
    }

    /// Whether nothing known contradicts that it is the same game.
    pub fn may_be(self, other: When) -> bool {
        self.may_be_day_of(other) && self.may_be_round_of(other)
    }
}

/// Year, month and day of a date of which a part is known.
fn day(value: &[u8]) -> Option<[u16; 3]> {
    let date = date::read(value).value?;
    let [month, day] = [date.month, date.day].map(|part| part.unwrap_or(0).into());
    let parts = [date.year.unwrap_or(0), month, day];
    (parts != [0; 3]).then_some(parts)
}

/// The address of a game in `Site` or `Link`, without what may differ at the same game.
pub fn address<'a>(game: &Game, text: &'a [u8]) -> Option<&'a [u8]> {
    let page = |tag: Tag| page(tag.value.of(text).trim_ascii());
    game.known(TagName::Site).and_then(page).or_else(|| {
        let link = game.other_tags > 0;
        let link = link.then(|| game.tag(text, "Link")).flatten();
        link.and_then(page)
    })
}

/// The number before the first period or parenthesis, from 1; larger ones begin at 1 again. 0 if
/// there is none.
fn round(value: &[u8]) -> u16 {
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit());
    match number(&value[..digits.count()]) {
        None | Some(0) => 0,
        Some(round) => ((round - 1) % u32::from(u16::MAX) + 1) as u16,
    }
}

/// Host and path if the value is the address of a page below that of the site, without the side
/// from which the board is shown.
fn page(value: &[u8]) -> Option<&[u8]> {
    let page = site::address(value)?;
    let page = page.strip_prefix(b"www.").unwrap_or(page);
    let page = page.split(|&byte| byte == b'#').next()?;
    let page = page.strip_suffix(b"/").unwrap_or(page);
    let slash = page.iter().position(|&byte| byte == b'/')?;
    let side = [&b"/white"[..], b"/black"].into_iter();
    let game = side.filter_map(|side| page.strip_suffix(side)).next();
    Some(game.filter(|game| game.len() > slash).unwrap_or(page))
}

/// Hashes of the normalised names of players, which come up again and again. A name is known by the
/// hash of its text as written, and keeps its place until another one needs it.
#[derive(Debug)]
pub struct PlayerHashes {
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

    /// Hash of both players, 0 if neither is known, and whether both are.
    pub fn of(&mut self, game: &Game, text: &[u8]) -> (u64, bool) {
        let players = [TagName::White, TagName::Black].map(|name| {
            let tag = game.known(name);
            tag.map_or(0, |tag| self.of_name(tag, text))
        });
        let hash = match players {
            [0, 0] => 0,
            [white, black] => mix(mix(0, white), black) | 1,
        };
        (hash, !players.contains(&0))
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

#[cfg(test)]
mod tests {
    use super::*;
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
