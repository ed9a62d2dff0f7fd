//! Duplicates among all games of a run, or all positions.
//!
//! The first pass keeps a key of each game. Equal moves show there. A game can only be the
//! beginning of one with the same players and first moves, unless their dates or rounds contradict:
//! these are read again, and the hash after each of their moves is compared. Games with a finding
//! are read once more, to report them.

mod bits;
mod find;
mod keep;
mod positions;

use std::fmt::Write as _;

pub(crate) use bits::BitSet;
pub(crate) use keep::Keep;
pub(crate) use positions::key_of_line;

use crate::chess::Position;
use crate::commands::args::GameArgs;
use crate::commands::interrupt;
use crate::commands::select::Selection;
use crate::commands::validate::again::{GamesAgain, Inputs, Texts, is_same, refuse_pipes};
use crate::commands::validate::duplicates::find::{
    AllGames, Double, EqualGames, Openings, Relation, merge,
};
use crate::commands::validate::formats::fails;
use crate::error::Error;
use crate::findings::registry as codes;
use crate::findings::registry::{Family, RULES, Rule, Severity};
use crate::findings::{Checks, Finding, keep};
use crate::input::{ByteNotes, Chunk, GameNo, GameText, InputKind, Source};
use crate::pgn::{Game, Span, TagName};
use crate::pipeline::{Item, Part, Run, SourceEnd};
use crate::replay::{GameKey, LineHash, Reader};

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
    clean: BitSet,
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
    let is_wanted = |rule: &Rule| rule.family == Family::Duplicates && checks.has(rule);
    if !RULES.iter().any(|rule| is_wanted(rule)) {
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
            self.clean.insert(index);
        }
        self.keys.extend(keys.iter().map(|(key, _)| key));
        self.keys.resize(length, GameKey::default());
        Ok(())
    }

    /// The games about which nothing else is reported.
    pub(crate) fn clean(&self) -> &BitSet {
        &self.clean
    }

    /// Finds the duplicates among all games.
    pub(crate) fn find(
        &self,
        checks: &Checks,
        keep: Option<Keep>,
        pass: &SecondPass<'_>,
    ) -> Result<FoundDuplicates, Error> {
        let all = AllGames(&self.keys);
        let EqualGames {
            doubles: equal,
            mut games,
            openings,
        } = all.equal();
        let is_wanted = !openings.longer.is_empty() && checks.has(&codes::BEGINNING_OF_GAME);
        let beginnings = if is_wanted {
            pass.beginnings(all, &self.texts, &openings)?
        } else {
            Vec::new()
        };
        let removed = keep.map(|keep| {
            games.extend_from_slice(&openings.games);
            keep.removed(all, &self.clean, games, &beginnings)
        });
        let mut found = FoundDuplicates {
            doubles: Vec::new(),
            removed,
            texts: self.texts.clone(),
        };
        let mut doubles = merge(equal, beginnings);
        doubles.retain(|double| checks.has(found.rule(double)));
        found.doubles = doubles;
        Ok(found)
    }
}

/// Reads games that may be duplicates again.
pub(crate) struct SecondPass<'a> {
    pub(crate) inputs: Inputs<'a>,
    pub(crate) reader: &'a (dyn Fn() -> Reader + Sync),
    pub(crate) null_moves: bool,
}

impl SecondPass<'_> {
    /// Reads all chosen games for the first time: `work` returns the keys of the games of a chunk.
    pub(crate) fn first<S: Send>(
        &self,
        args: &GameArgs,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk, &ByteNotes) -> ChunkKeys + Sync,
    ) -> Result<Duplicates, Error> {
        let selection = Selection::new(args.numbers.clone(), args.conditions.clone());
        let run = Run {
            jobs: self.inputs.jobs,
            ..Run::default()
        };
        let work = |state: &mut S, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            selection.apply(chunk);
            work(state, source, chunk, notes)
        };
        let weigh = |keys: &ChunkKeys| keys.capacity() * size_of::<(GameKey, bool)>();
        let mut duplicates = Duplicates::default();
        run.in_order(self.inputs.sources, state, work, weigh, |item| match item {
            Item::Part(part) if !interrupt::asked() => duplicates.enter(&part, &part.value),
            _ => Ok(()),
        })?;
        Ok(duplicates)
    }

    fn beginnings(
        &self,
        all: AllGames<'_>,
        texts: &Texts,
        openings: &Openings,
    ) -> Result<Vec<Double>, Error> {
        let state = || ((self.reader)(), Position::initial(), Vec::new());
        let work = |state: &mut (Reader, Position, Vec<LineHash>), again: GamesAgain<'_>| {
            let (reader, initial, moves) = state;
            let mut found = Vec::new();
            for (index, text) in again.games {
                let game = reader.read(text.bytes, text.unclosed_comment);
                moves.clear();
                LineHash::of_each_move(game, text.bytes, initial, self.null_moves, |line| {
                    moves.push(line);
                });
                openings.beginnings(all, index, moves, &mut found);
            }
            found
        };
        let weigh = |found: &Vec<Double>| found.capacity() * size_of::<Double>();
        let mut doubles = Vec::new();
        let emit = |item: Item<Vec<Double>>| {
            if let Item::Part(part) = item {
                doubles.extend(part.value);
            }
            Ok(())
        };
        let longer = &openings.longer;
        texts.again(self.inputs, longer, state, work, weigh, emit)?;
        Ok(doubles)
    }

    /// Reads the duplicates again, for `work` to report them.
    pub(crate) fn report<T: Send + Default + 'static>(
        &self,
        found: &FoundDuplicates,
        work: impl Fn(&mut Reader, GamesAgain<'_>) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let indexes: Vec<u32> = found.doubles.iter().map(|double| double.game).collect();
        let state = || (self.reader)();
        // Errors of sources have been reported.
        let emit = |item| match item {
            Item::End(end) => emit(Item::End(SourceEnd { error: None, ..end })),
            part => emit(part),
        };
        (found.texts).again(self.inputs, &indexes, state, work, weigh, emit)
    }
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
    /// Index of a game in the run.
    pub(crate) fn index(&self, source: &Source, number: GameNo) -> Option<u32> {
        self.texts.index(source, number)
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
        match (self.kind(double), double.relation) {
            (InputKind::Pgn, relation) => relation.rule(),
            (_, Relation::Repeated) => &codes::REPEATED_POSITION,
            _ => &codes::OTHER_COUNTERS,
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
        let double = self.double(index);
        let Some(double) = double.filter(|double| checks.has(self.rule(double))) else {
            return;
        };
        let (unit, [before, after]) = match (self.kind(&double), double.relation) {
            (InputKind::Pgn, relation) => ("game", relation.message()),
            (_, Relation::Repeated) => ("position", ["the position is ", " again"]),
            _ => ("position", ["the position is ", " with other counters"]),
        };
        let mut message = before.to_owned();
        if let Some((other, nth)) = self.texts.place(double.earlier) {
            let _ = write!(message, "{unit} {nth}");
            if !is_same(other, source) {
                message += " of ";
                message += other.name();
            }
        }
        message += after;
        if double.other_result {
            message += ", with another result";
        }
        let before = findings.len();
        findings.push(Finding::new(self.rule(&double), place, message));
        keep(checks, findings, before);
    }
}

impl Relation {
    fn rule(self) -> &'static Rule {
        match self {
            Relation::Repeated => &codes::REPEATED_GAME,
            Relation::Continues | Relation::Begins => &codes::BEGINNING_OF_GAME,
            Relation::OtherPlayers
            | Relation::OtherDay
            | Relation::OtherRound
            | Relation::OtherAddress => &codes::REPEATED_MOVES,
        }
    }

    /// Text of the finding before and after the earlier game.
    fn message(self) -> [&'static str; 2] {
        match self {
            Relation::Repeated => ["the game is ", " again"],
            Relation::Continues => ["", " is the beginning of this game"],
            Relation::Begins => ["this game is the beginning of ", ""],
            Relation::OtherPlayers => ["the moves are those of ", ", by other players"],
            Relation::OtherDay => ["the moves are those of ", ", on another date"],
            Relation::OtherRound => ["the moves are those of ", ", in another round"],
            Relation::OtherAddress => ["the moves are those of ", ", at another address"],
        }
    }
}

/// The place of a finding about a whole game: the name of White, or the first text.
pub(crate) fn place_of(game: &Game) -> Span {
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
