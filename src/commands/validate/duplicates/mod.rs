//! Duplicates among all games of a run, or all positions.
//!
//! They are found before anything is reported. The first pass checks the games, and keeps a key of
//! each by its moves, and what was found. A game can only be the beginning of one with the same
//! players and first moves, unless their dates or rounds contradict: such games are read again, and
//! the hash after each of their moves is compared. The pass that reports checks only these games
//! and duplicates again.

mod find;
mod keep;
mod positions;
mod spellings;

use crate::commands::args::GameArgs;
use crate::commands::run::CommandRun;
use crate::commands::texts::{GameAgain, Texts, is_same, refuse_pipes};
use crate::commands::validate::duplicates::find::{
    AllGames, Beginning, Double, Endings, Relation, merge,
};
use crate::commands::validate::duplicates::positions::key_of_line;
use crate::commands::validate::duplicates::spellings::{OtherSpelling, Spellings, players};
use crate::commands::validate::formats::fails;
use crate::commands::validate::worker::Worker;
use crate::error::Error;
use crate::findings::registry as codes;
use crate::findings::registry::{Rule, Severity};
use crate::findings::{Checks, Finding, GameStatus, keep, place_of_line};
use crate::input::{ByteNotes, Chunk, GameText, InputKind, Source};
use crate::pgn::{Game, ResultMark, Span, TagName};
use crate::replay::{GameKey, LineHash, Reader};
use crate::report::append;
pub(crate) use keep::Keep;

/// Maximum memory for games and doubles, in bytes.
const MEMORY: usize = 1 << 30;

/// Maximum memory of a game, in bytes: its key, and if its moves come up again, a double, and its
/// index in five lists.
const OF_GAME: usize = size_of::<GameKey>() + size_of::<Double>() + 5 * size_of::<u32>();

/// Maximum number of games.
const MOST_GAMES: usize = MEMORY / OF_GAME;

/// Approximate memory of a finding with its texts, in bytes.
const OF_FINDING: usize = 2 * size_of::<Finding>();

/// Maximum number of findings that are kept for the pass that reports.
const MOST_FINDINGS: usize = MEMORY / 4 / OF_FINDING;

/// How duplicates are looked for, before findings are reported.
pub(crate) struct DuplicateSearch<'a> {
    pub(crate) checks: &'a Checks,
    pub(crate) keep: Option<Keep>,
    pub(crate) worker: &'a (dyn Fn() -> Worker + Sync),
    /// Checks a game, leaves the findings with the worker, and says whether it is faulty.
    pub(crate) check: &'a CheckGame<'a>,
}

/// Check of a single game.
pub(crate) type CheckGame<'a> =
    dyn Fn(&mut Worker, &GameText<'_>, &ByteNotes, &Source) -> (GameStatus, bool) + Sync + 'a;

/// Status and findings of a game of the first pass, by its index.
type CheckedGame = (u32, GameStatus, Vec<Finding>);

/// Games of the first pass whose findings are kept.
#[derive(Debug, Default)]
struct CheckedGames {
    /// Number of games, from the first one on.
    count: usize,
    /// The games that are not clean, or with findings, in order.
    found: Vec<CheckedGame>,
}

/// A game that has been read again and played.
struct ReadGame {
    index: u32,
    /// Key of the last position.
    end: u64,
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
        let (keys, checked, spellings) = self.keys(run)?;
        let all = AllGames(&keys);
        let (mut doubles, [repeats, equal, mut openings]) = all.equal();
        if !checks.has(&codes::BEGINNING_OF_GAME) {
            openings.clear();
        }
        let books = match checks.has(&codes::REPEATED_POSITION) {
            true => books(&keys, &run.texts),
            false => Vec::new(),
        };
        let again = sorted([&*openings, &books].concat());
        let again = self.again(run, all, &openings, &again)?;
        let is_of_book = |game: &&ReadGame| books.binary_search(&game.index).is_ok();
        let ends = again.iter().filter(is_of_book);
        let ends: Endings = ends.map(|game| (game.index, game.end)).collect();
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
            let games = sorted([openings, books, equal].concat());
            keep.removed(all, games, &beginnings, &ends)
        });
        doubles.extend(beginnings);
        all.same_positions(&ends, &mut doubles);
        let mut found = FoundDuplicates {
            doubles: Vec::new(),
            removed,
            texts: run.texts.clone(),
            checked,
            spellings: spellings.others(),
        };
        let mut doubles = merge(doubles);
        doubles.retain(|double| checks.has(found.rule(double)));
        found.doubles = doubles;
        Ok(found)
    }

    /// Keys of all games of a run, and the findings of the first of them, as far as they are kept.
    fn keys(&self, run: &mut CommandRun) -> Result<(Vec<GameKey>, CheckedGames, Spellings), Error> {
        let compares_names = self.checks.has(&codes::SPELLINGS_OF_PLAYER);
        let of_chunk = |worker: &mut Worker, source: &Source, chunk: &Chunk, notes: &ByteNotes| {
            let (mut keys, mut found, mut names) = (Vec::new(), Vec::new(), Vec::new());
            for text in chunk.games() {
                let (status, is_faulty) = (self.check)(worker, &text, notes, source);
                let key = match chunk.kind {
                    InputKind::Pgn if self.checks.null_moves => worker.key(&text, true),
                    InputKind::Pgn => worker.key_of_checked(text.bytes),
                    kind => key_of_line(kind, text.bytes),
                };
                let findings = std::mem::take(&mut worker.findings);
                let key = key.map(|key| GameKey { is_faulty, ..key });
                // Games before it that are not there are skipped.
                let nth = (text.origin.game.0 - chunk.first_game.0) as usize;
                keys.resize(nth, GameKey::default());
                keys.push(key.unwrap_or_default());
                if compares_names && key.is_some() && chunk.kind == InputKind::Pgn {
                    names.push((nth as u32, players(worker.reader.game(), text.bytes)));
                }
                if status != GameStatus::Clean || !findings.is_empty() {
                    found.push((nth as u32, status, findings));
                }
            }
            (keys, found, names)
        };
        let weigh = |(keys, found, names): &(Vec<GameKey>, Vec<CheckedGame>, Vec<_>)| {
            size_of_val(&**keys) + size_of_val(&**names) + number_of_findings(found) * OF_FINDING
        };
        let mut spellings = Spellings::default();
        let (mut all, mut checked, mut findings) = (Vec::new(), CheckedGames::default(), 0);
        run.pass_before(self.worker, of_chunk, weigh, |games, of_chunk| {
            let (keys, found, names) = of_chunk;
            let before = all.len() as u32;
            for (nth, players) in names {
                spellings.add(before + nth, players);
            }
            add(&mut all, games, &keys, MOST_GAMES)?;
            if findings < MOST_FINDINGS {
                findings += number_of_findings(&found);
                let found = found.into_iter();
                (checked.found)
                    .extend(found.map(|(nth, status, found)| (before + nth, status, found)));
                checked.count = all.len();
            }
            Ok(())
        })?;
        Ok((all, checked, spellings))
    }

    /// Plays games that may be the beginning of each other, or are of books.
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
            let null_moves = self.checks.null_moves;
            let mut lines = Vec::new();
            let each = |line: LineHash| lines.push(line);
            let line = LineHash::of_each_move(game, bytes, &worker.initial, null_moves, each);
            found.push(ReadGame {
                index,
                end: line.last,
                beginnings: all.beginnings(openings, index, &lines),
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

fn number_of_findings(games: &[CheckedGame]) -> usize {
    games.iter().map(|(.., findings)| findings.len()).sum()
}

/// Indexes in order, each once.
fn sorted(mut games: Vec<u32>) -> Vec<u32> {
    games.sort_unstable();
    games.dedup();
    games
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
    checked: CheckedGames,
    /// By game.
    spellings: Vec<OtherSpelling>,
}

impl FoundDuplicates {
    /// The double of a game.
    fn double(&self, index: u32) -> Option<&Double> {
        let nth = self
            .doubles
            .binary_search_by_key(&index, |double| double.game);
        Some(&self.doubles[nth.ok()?])
    }

    /// Status and findings of a game in the first pass, if they are kept.
    pub(crate) fn checked(
        &self,
        source: &Source,
        text: &GameText<'_>,
    ) -> Option<(GameStatus, &[Finding])> {
        let index = self.texts.index(source, text.origin.game)?;
        let found = &self.checked.found;
        let nth = found.binary_search_by_key(&index, |(index, ..)| *index);
        let found = nth.map_or((GameStatus::Clean, &[][..]), |nth| {
            (found[nth].1, &found[nth].2)
        });
        ((index as usize) < self.checked.count).then_some(found)
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

    /// Appends the number of a game, and its file unless that is `source`.
    fn name_game(&self, index: u32, source: &Source, message: &mut String) {
        if let Some((other, nth)) = self.texts.place(index) {
            append!(message, "{} {nth}", source.kind.unit());
            if !is_same(other, source) {
                append!(message, " of {}", other.name());
            }
        }
    }

    /// Adds the findings about a game or position.
    pub(crate) fn check(
        &self,
        text: &GameText<'_>,
        source: &Source,
        reader: &mut Reader,
        checks: &Checks,
        findings: &mut Vec<Finding>,
    ) {
        let Some(index) = self.texts.index(source, text.origin.game) else {
            return;
        };
        let from = self.spellings.partition_point(|other| other.0 < index);
        let others = self.spellings[from..].iter();
        for &(_, first, side) in others.take_while(|other| other.0 == index) {
            let mut message = "the player has another spelling in ".to_owned();
            self.name_game(first, source, &mut message);
            let place = text.read(reader).known(side).map(|tag| tag.value);
            let (place, before) = (place.unwrap_or_default(), findings.len());
            findings.push(Finding::new(&codes::SPELLINGS_OF_PLAYER, place, message));
            keep(checks, findings, before);
        }
        let Some(double) = self.double(index) else {
            return;
        };
        let (rule, [before, after]) = self.words(double);
        let mut message = before.to_owned();
        self.name_game(double.earlier, source, &mut message);
        message += after;
        if double.other_result {
            message += ", with another result";
        }
        if checks.has(rule) {
            let before = findings.len();
            let place = match source.kind {
                InputKind::Pgn => place_of(text.read(reader)),
                kind => place_of_line(kind, text.bytes),
            };
            findings.push(Finding::new(rule, place, message));
            keep(checks, findings, before);
        }
    }
}

/// The place of a finding about a whole game: the name of White, or the first text.
fn place_of(game: &Game) -> Span {
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
