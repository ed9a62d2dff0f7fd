//! Duplicates among all games of a run, or all positions.
//!
//! The first pass keeps a key of each game. Equal moves show there. A game can only be the
//! beginning of one with the same players and first moves, unless their dates or rounds contradict:
//! these are read again, and the hash after each of their moves is compared. Games with a finding
//! are read once more, to report them.

mod find;
mod keep;
mod positions;

pub(crate) use keep::Keep;
pub(crate) use positions::key_of_line;

use fixedbitset::FixedBitSet;

use crate::commands::args::GameArgs;
use crate::commands::validate::again::{GamesAgain, Inputs, Texts, Worker, is_same, refuse_pipes};
use crate::commands::validate::duplicates::find::{
    AllGames, Double, Ends, EqualGames, Openings, Relation, merge,
};
use crate::commands::validate::formats::fails;
use crate::error::Error;
use crate::findings::registry as codes;
use crate::findings::registry::{Rule, Severity};
use crate::findings::{Checks, Finding, keep, place_of_line};
use crate::input::{Chunk, GameText, InputKind, Source};
use crate::pgn::{Game, ResultMark, Span, TagName};
use crate::pipeline::{Item, Part};
use crate::replay::{GameKey, LineHash};
use crate::report::append;

/// Maximum memory for games and doubles, in bytes.
const MEMORY: usize = 1 << 30;

/// Maximum memory of a game, in bytes: its key, and if its moves come up again, a double, and its
/// index in five lists.
const OF_GAME: usize = size_of::<GameKey>() + size_of::<Double>() + 5 * size_of::<u32>();

/// Maximum number of games.
const MOST_GAMES: usize = MEMORY / OF_GAME;

/// The games of a run so far.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    keys: Vec<GameKey>,
    /// Games about which nothing else is reported; before a split, those that nothing else rejects.
    pub(crate) clean: FixedBitSet,
    texts: Texts,
}

/// Keys of the games of a chunk, and whether each is clean.
pub(crate) type ChunkKeys = Vec<(GameKey, bool)>;

/// Adds the key of a game to those of its chunk. Games before it that are not there are skipped.
pub(crate) fn push_key(
    keys: &mut ChunkKeys,
    chunk: &Chunk,
    text: &GameText<'_>,
    key: Option<GameKey>,
    is_clean: bool,
) {
    let nth = (text.origin.game.0 - chunk.first_game.0) as usize;
    keys.resize(nth, (GameKey::default(), false));
    keys.push((key.unwrap_or_default(), is_clean));
}

/// Keys of the games of a chunk, without a check.
pub(crate) fn keys_of(chunk: &Chunk, worker: &mut Worker, null_moves: bool) -> ChunkKeys {
    let mut keys = ChunkKeys::new();
    for text in chunk.games() {
        let key = match chunk.kind {
            InputKind::Pgn => worker.key(&text, null_moves),
            kind => key_of_line(kind, text.bytes),
        };
        push_key(&mut keys, chunk, &text, key, false);
    }
    keys
}

/// Whether duplicates are looked for.
///
/// # Errors
///
/// They are, but an input can be read only once, or only a part is read.
pub(crate) fn are_wanted(
    args: &GameArgs,
    checks: &Checks,
    sources: &[Source],
) -> Result<bool, Error> {
    if !checks.look_for_duplicates() {
        return Ok(false);
    }
    if args.part.is_some() {
        return Err(Error::usage(
            "`--part` cannot look for duplicates: they may be in other parts",
        ));
    }
    refuse_pipes(sources)?;
    Ok(true)
}

impl Duplicates {
    /// Adds the games of a chunk.
    ///
    /// # Errors
    ///
    /// There are too many games.
    pub(crate) fn enter<T>(&mut self, part: &Part<T>, keys: &ChunkKeys) -> Result<(), Error> {
        let before = self.texts.enter(part)?;
        self.add(before, part.games as usize, keys, MOST_GAMES)
    }

    /// Adds `count` games that follow `before` others; those after `keys` are skipped.
    fn add(
        &mut self,
        before: u32,
        count: usize,
        keys: &ChunkKeys,
        most: usize,
    ) -> Result<(), Error> {
        let length = before as usize + count;
        if length > most {
            return Err(Error::usage(format!(
                "duplicates are found among at most {most} games (1 GiB of memory); read fewer \
                 files at once"
            )));
        }
        for (index, _) in (before..).zip(keys).filter(|(_, (_, is_clean))| *is_clean) {
            self.clean.grow_and_insert(index as usize);
        }
        self.keys.extend(keys.iter().map(|(key, _)| key));
        self.keys.resize(length, GameKey::default());
        Ok(())
    }

    /// Finds the duplicates among all games.
    pub(crate) fn find(
        &self,
        checks: &Checks,
        keep: Option<Keep>,
        inputs: &Inputs<'_>,
    ) -> Result<FoundDuplicates, Error> {
        let all = AllGames(&self.keys);
        let EqualGames {
            mut doubles,
            mut games,
            mut openings,
        } = all.equal();
        if !checks.has(&codes::BEGINNING_OF_GAME) {
            openings.longer.clear();
        }
        let is_wanted = checks.has(&codes::REPEATED_POSITION);
        let books = if is_wanted { self.books() } else { Vec::new() };
        let (beginnings, ends) = self.again(&openings, &books, inputs)?;
        let removed = keep.map(|keep| {
            games.extend_from_slice(&openings.games);
            games.extend(&books);
            keep.removed(all, &self.clean, games, &beginnings, &ends)
        });
        doubles.extend(beginnings);
        all.same_positions(&ends, &mut doubles);
        let mut found = FoundDuplicates {
            doubles: Vec::new(),
            removed,
            texts: self.texts.clone(),
        };
        let mut doubles = merge(doubles);
        doubles.retain(|double| checks.has(found.rule(double)));
        found.doubles = doubles;
        Ok(found)
    }

    /// The games of all books: of PGN texts in which every game has the result `*`.
    fn books(&self) -> Vec<u32> {
        let key = |index: &u32| &self.keys[*index as usize];
        let start = |&index: &u32| Some(u64::from(index) + 1 - self.texts.place(index)?.1.0);
        let games = (0..self.keys.len() as u32).filter(|index| key(index).is_compared());
        let games: Vec<u32> = games.collect();
        let is_unfinished = |index| key(index).result == Some(ResultMark::Unknown);
        let texts = games.chunk_by(|one, other| start(one) == start(other));
        let books = texts.filter(|games| games.iter().all(is_unfinished));
        books.flatten().copied().collect()
    }

    /// Reads the games again of which others may be the beginning, and those of books.
    fn again(
        &self,
        openings: &Openings,
        books: &[u32],
        inputs: &Inputs<'_>,
    ) -> Result<(Vec<Double>, Ends), Error> {
        let work = |worker: &mut Worker, again: GamesAgain<'_>| {
            let (mut found, mut ends, mut moves) = (Vec::new(), Vec::new(), Vec::new());
            for (index, text) in again.games {
                let game = text.read(&mut worker.reader);
                let initial = &worker.initial;
                moves.clear();
                let nulls = inputs.null_moves;
                let line = LineHash::of_each_move(game, text.bytes, initial, nulls, |line| {
                    moves.push(line);
                });
                if openings.longer.binary_search(&index).is_ok() {
                    openings.beginnings(AllGames(&self.keys), index, &moves, &mut found);
                }
                if books.binary_search(&index).is_ok() {
                    ends.push((index, line.last));
                }
            }
            (found, ends)
        };
        let weigh = |(found, ends): &(Vec<Double>, Vec<(u32, u64)>)| {
            found.capacity() * size_of::<Double>() + size_of_val(&**ends)
        };
        let (mut doubles, mut ends) = (Vec::new(), Ends::new());
        let mut games = [&openings.longer, books].concat();
        games.sort_unstable();
        games.dedup();
        inputs.again(&self.texts, &games, work, weigh, |item| {
            if let Item::Part(part) = item {
                doubles.extend(part.value.0);
                ends.extend(part.value.1);
            }
            Ok(())
        })?;
        Ok((doubles, ends))
    }
}

/// The duplicates of a run.
#[derive(Debug)]
pub(crate) struct FoundDuplicates {
    /// By game.
    doubles: Vec<Double>,
    /// The games that `--keep` removes.
    removed: Option<Vec<u32>>,
    pub(crate) texts: Texts,
}

impl FoundDuplicates {
    /// Indexes of the duplicates.
    pub(crate) fn games(&self) -> Vec<u32> {
        self.doubles.iter().map(|double| double.game).collect()
    }

    /// The double of a game.
    fn double(&self, index: u32) -> Option<Double> {
        let nth = self
            .doubles
            .binary_search_by_key(&index, |double| double.game);
        Some(self.doubles[nth.ok()?])
    }

    /// Whether a game is left out of the clean ones: by `--keep`, or else by its finding.
    pub(crate) fn rejects(&self, index: u32, checks: &Checks, fail_on: Option<Severity>) -> bool {
        if let Some(removed) = &self.removed {
            return removed.binary_search(&index).is_ok();
        }
        let rule = self.double(index).map(|double| self.rule(&double));
        let rule = rule.filter(|rule| checks.has(rule));
        rule.is_some_and(|rule| fails(fail_on, checks.severity(rule)))
    }

    fn kind(&self, double: &Double) -> InputKind {
        let place = self.texts.place(double.game);
        place.map_or(InputKind::Pgn, |(source, _)| source.kind)
    }

    fn rule(&self, double: &Double) -> &'static Rule {
        self.words(double).0
    }

    /// The rule, and the text of the finding before and after the earlier game.
    fn words(&self, double: &Double) -> (&'static Rule, [&'static str; 2]) {
        let is_position = self.kind(double) != InputKind::Pgn;
        let moves = "the moves are those of ";
        match double.relation {
            _ if is_position => (&codes::REPEATED_POSITION, ["the position is ", " again"]),
            Relation::SamePosition => (
                &codes::REPEATED_POSITION,
                ["the last position is that of ", ""],
            ),
            Relation::Repeated => (&codes::REPEATED_GAME, ["the game is ", " again"]),
            Relation::Continues => (
                &codes::BEGINNING_OF_GAME,
                ["", " is the beginning of this game"],
            ),
            Relation::Begins => (
                &codes::BEGINNING_OF_GAME,
                ["this game is the beginning of ", ""],
            ),
            Relation::OtherPlayers => (&codes::REPEATED_MOVES, [moves, ", by other players"]),
            Relation::OtherDay => (&codes::REPEATED_MOVES, [moves, ", on another date"]),
            Relation::OtherRound => (&codes::REPEATED_MOVES, [moves, ", in another round"]),
            Relation::OtherAddress => (&codes::REPEATED_MOVES, [moves, ", at another address"]),
        }
    }

    /// Adds the finding about a game or position at `place`.
    pub(crate) fn check(
        &self,
        index: u32,
        source: &Source,
        place: Span,
        checks: &Checks,
        findings: &mut Vec<Finding>,
    ) {
        let Some(double) = self.double(index) else {
            return;
        };
        let (rule, [before, after]) = self.words(&double);
        let mut message = before.to_owned();
        if let Some((other, nth)) = self.texts.place(double.earlier) {
            append!(message, "{} {nth}", source.kind.unit());
            if !is_same(other, source) {
                append!(message, " of {}", other.name());
            }
        }
        message += after;
        if double.other_result {
            message += ", with another result";
        }
        if checks.has(rule) {
            let before = findings.len();
            findings.push(Finding::new(rule, place, message));
            keep(checks, findings, before);
        }
    }
}

/// The place of a finding about a whole game: the name of White, or the first text; or about a
/// position.
pub(crate) fn place_of(kind: InputKind, game: &Game, text: &[u8]) -> Span {
    if kind != InputKind::Pgn {
        return place_of_line(kind, text);
    }
    let first = || game.tokens.first().map(|token| token.span);
    let white = game.known(TagName::White).map(|tag| tag.value);
    let white = white.filter(|name| name.start < name.end);
    white
        .or_else(first)
        .unwrap_or_else(|| Span::new(game.start, game.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_games_are_refused() {
        assert_eq!(MOST_GAMES, 1 << 24);
        let keys = vec![(GameKey::default(), true); 3];
        let mut duplicates = Duplicates::default();
        assert!(duplicates.add(0, 3, &keys, 5).is_ok());
        assert!(duplicates.add(3, 2, &keys[..1].to_vec(), 5).is_ok());
        assert_eq!(duplicates.keys.len(), 5);
        let error = duplicates.add(5, 1, &keys, 5).unwrap_err().to_string();
        assert!(error.contains("at most 5 games"), "{error}");
    }
}
