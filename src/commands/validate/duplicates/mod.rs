//! Duplicates among all games of a run, or all positions.
//!
//! They are found before the games are checked. The first pass keeps a key of each game by the
//! squares of its moves, which need not be played for that. Equal games are equal by squares too,
//! and a game can only be the beginning of one with the same players and first squares, unless
//! their dates or rounds contradict: such games are read again and played, and the hash after each
//! of their moves is compared.

mod find;
mod keep;
mod positions;

use crate::commands::args::GameArgs;
use crate::commands::run::CommandRun;
use crate::commands::texts::{GameAgain, Texts, is_same, refuse_pipes};
use crate::commands::validate::duplicates::find::{
    AllGames, Beginning, Double, Endings, Relation, merge,
};
use crate::commands::validate::duplicates::positions::key_of_line;
use crate::commands::validate::formats::fails;
use crate::commands::validate::worker::Worker;
use crate::error::Error;
use crate::findings::registry as codes;
use crate::findings::registry::{Rule, Severity};
use crate::findings::{Checks, Finding, keep, place_of_line};
use crate::input::{Chunk, GameText, InputKind, Source};
use crate::pgn::{Game, ResultMark, Span, TagName};
use crate::replay::{GameKey, LineHash};
use crate::report::append;
pub(crate) use keep::Keep;

/// Maximum memory for games and doubles, in bytes.
const MEMORY: usize = 1 << 30;

/// Maximum memory of a game, in bytes: its key, and if its moves come up again, a double, and its
/// index in five lists.
const OF_GAME: usize = size_of::<GameKey>() + size_of::<Double>() + 5 * size_of::<u32>();

/// Maximum number of games.
const MOST_GAMES: usize = MEMORY / OF_GAME;

/// How duplicates are looked for, before games are checked.
pub(crate) struct DuplicateSearch<'a> {
    pub(crate) checks: &'a Checks,
    pub(crate) keep: Option<Keep>,
    pub(crate) worker: &'a (dyn Fn() -> Worker + Sync),
    /// Whether a game is not faulty, for `--keep`.
    pub(crate) is_sound: &'a (dyn Fn(&mut Worker, &GameAgain<'_>) -> bool + Sync),
}

/// A game that has been read again and played.
struct ReadGame {
    index: u32,
    key: GameKey,
    /// Key of the last position.
    end: u64,
    is_sound: bool,
    beginnings: Vec<Beginning>,
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

/// Adds `count` games; those after `keys` are skipped.
///
/// # Errors
///
/// There are more than `most`.
fn add(all: &mut Vec<GameKey>, count: u64, keys: &[GameKey], most: usize) -> Result<(), Error> {
    let length = all.len() + count as usize;
    if length > most {
        return Err(Error::usage(format!(
            "duplicates are found among at most {most} games (1 GiB of memory); read fewer files \
             at once"
        )));
    }
    all.extend(keys);
    all.resize(length, GameKey::default());
    Ok(())
}

impl DuplicateSearch<'_> {
    /// Finds the duplicates among all games of a run.
    pub(crate) fn find(&self, run: &mut CommandRun) -> Result<FoundDuplicates, Error> {
        let checks = self.checks;
        let mut keys = self.keys(run)?;
        let (_, [_, equal, mut openings]) = AllGames(&keys).equal();
        if !checks.has(&codes::BEGINNING_OF_GAME) {
            openings.clear();
        }
        let books = match checks.has(&codes::REPEATED_POSITION) {
            true => books(&keys, &run.texts),
            false => Vec::new(),
        };
        let mut games = [&*openings, &books, &equal].concat();
        games.sort_unstable();
        games.dedup();
        let again = self.again(run, AllGames(&keys), &openings, &games)?;
        let mut ends = Endings::new();
        for game in &again {
            keys[game.index as usize] = game.key;
            if books.binary_search(&game.index).is_ok() {
                ends.insert(game.index, game.end);
            }
        }
        let all = AllGames(&keys);
        let (mut doubles, [repeats, ..]) = all.equal();
        let mut beginnings = Vec::new();
        for game in &again {
            all.add_begun(
                game.index,
                &game.beginnings,
                (&openings, &repeats),
                &mut beginnings,
            );
        }
        let removed = self.keep.map(|keep| {
            let nth = |index| again.binary_search_by_key(&index, |game| game.index);
            let is_sound = |index| nth(index).is_ok_and(|nth| again[nth].is_sound);
            keep.removed(all, is_sound, games, &beginnings, &ends)
        });
        doubles.extend(beginnings);
        all.same_positions(&ends, &mut doubles);
        let mut found = FoundDuplicates {
            doubles: Vec::new(),
            removed,
            texts: run.texts.clone(),
        };
        let mut doubles = merge(doubles);
        doubles.retain(|double| checks.has(found.rule(double)));
        found.doubles = doubles;
        Ok(found)
    }

    /// Keys of all games of a run, by squares.
    fn keys(&self, run: &mut CommandRun) -> Result<Vec<GameKey>, Error> {
        let of_chunk = |worker: &mut Worker, chunk: &Chunk| {
            let mut keys = Vec::new();
            for text in chunk.games() {
                let key = match chunk.kind {
                    InputKind::Pgn => worker.key(&text, self.checks.null_moves, false),
                    kind => key_of_line(kind, text.bytes),
                };
                // Games before it that are not there are skipped.
                let nth = (text.origin.game.0 - chunk.first_game.0) as usize;
                keys.resize(nth, GameKey::default());
                keys.push(key.unwrap_or_default());
            }
            keys
        };
        let mut all = Vec::new();
        let weigh = |keys: &Vec<GameKey>| keys.capacity() * size_of::<GameKey>();
        run.pass_before(self.worker, of_chunk, weigh, |part| {
            add(&mut all, part.games, &part.value, MOST_GAMES)
        })?;
        Ok(all)
    }

    /// Plays games that may be equal, may be the beginning of each other, or are of books.
    fn again(
        &self,
        run: &mut CommandRun,
        all: AllGames<'_>,
        openings: &[u32],
        games: &[u32],
    ) -> Result<Vec<ReadGame>, Error> {
        let work = |worker: &mut Worker, again: &GameAgain<'_>, found: &mut Vec<ReadGame>| {
            let (index, bytes) = (again.index, again.text.bytes);
            let game = again.text.read(&mut worker.reader);
            let (initial, null_moves) = (&worker.initial, self.checks.null_moves);
            let (mut squares, mut moves) = (Vec::new(), Vec::new());
            LineHash::of_squares(game, bytes, initial, null_moves, |line| squares.push(line));
            let each = |line: LineHash| moves.push(line.value);
            let line = LineHash::of_each_move(game, bytes, initial, null_moves, each);
            found.push(ReadGame {
                index,
                key: match again.source.kind {
                    InputKind::Pgn => GameKey::new(game, bytes, &line, &mut worker.players),
                    _ => *all.key(index),
                },
                end: line.last,
                beginnings: all.beginnings(openings, index, &squares, &moves),
                is_sound: self.keep.is_some() && (self.is_sound)(worker, again),
            });
        };
        let weigh = |found: &Vec<ReadGame>| size_of_val(&**found);
        let mut all = Vec::new();
        run.pass_again(games, self.worker, work, weigh, |_, found| {
            all.extend(found);
            Ok(())
        })?;
        Ok(all)
    }
}

/// The games of all books: of PGN texts in which every game has the result `*`.
fn books(keys: &[GameKey], texts: &Texts) -> Vec<u32> {
    let key = |index: &u32| &keys[*index as usize];
    let start = |&index: &u32| Some(u64::from(index) + 1 - texts.place(index)?.1.0);
    let games = (0..keys.len() as u32).filter(|index| key(index).is_compared());
    let games: Vec<u32> = games.collect();
    let is_unfinished = |index| key(index).result == Some(ResultMark::Unknown);
    let texts = games.chunk_by(|one, other| start(one) == start(other));
    let books = texts.filter(|games| games.iter().all(is_unfinished));
    books.flatten().copied().collect()
}

/// The duplicates of a run.
#[derive(Debug)]
pub(crate) struct FoundDuplicates {
    /// By game.
    doubles: Vec<Double>,
    /// The games that `--keep` removes.
    removed: Option<Vec<u32>>,
    texts: Texts,
}

impl FoundDuplicates {
    /// The double of a game.
    fn double(&self, index: u32) -> Option<&Double> {
        let nth = self
            .doubles
            .binary_search_by_key(&index, |double| double.game);
        Some(&self.doubles[nth.ok()?])
    }

    /// Whether a game is left out of the clean ones: by `--keep`, or else by its finding.
    pub(crate) fn rejects(
        &self,
        source: &Source,
        text: &GameText<'_>,
        checks: &Checks,
        fail_on: Option<Severity>,
    ) -> bool {
        let Some(index) = self.texts.index(source, text.origin.game) else {
            return false;
        };
        if let Some(removed) = &self.removed {
            return removed.binary_search(&index).is_ok();
        }
        let rule = self.double(index).map(|double| self.rule(double));
        let rule = rule.filter(|rule| checks.has(rule));
        rule.is_some_and(|rule| fails(fail_on, checks.severity(rule)))
    }

    fn rule(&self, double: &Double) -> &'static Rule {
        self.words(double).0
    }

    /// The rule, and the text of the finding before and after the earlier game.
    fn words(&self, double: &Double) -> (&'static Rule, [&'static str; 2]) {
        let place = self.texts.place(double.game);
        let is_position = place.is_some_and(|(source, _)| source.kind != InputKind::Pgn);
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

    /// Adds the finding about a game or position, which has been read.
    pub(crate) fn check(
        &self,
        text: &GameText<'_>,
        source: &Source,
        game: &Game,
        checks: &Checks,
        findings: &mut Vec<Finding>,
    ) {
        let index = self.texts.index(source, text.origin.game);
        let Some(double) = index.and_then(|index| self.double(index)) else {
            return;
        };
        let (rule, [before, after]) = self.words(double);
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
            let place = place_of(source.kind, game, text.bytes);
            findings.push(Finding::new(rule, place, message));
            keep(checks, findings, before);
        }
    }
}

/// The place of a finding about a whole game: the name of White, or the first text; or about a
/// position.
fn place_of(kind: InputKind, game: &Game, text: &[u8]) -> Span {
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
        let keys = vec![GameKey::default(); 3];
        let mut all = Vec::new();
        assert!(add(&mut all, 3, &keys, 5).is_ok());
        assert!(add(&mut all, 2, &keys[..1], 5).is_ok());
        assert_eq!(all.len(), 5);
        let error = add(&mut all, 1, &keys, 5).unwrap_err().to_string();
        assert!(error.contains("at most 5 games"), "{error}");
    }
}
