//! Duplicates among all games of a run, or all positions.
//!
//! The first pass keeps 24 bytes of each game. Equal moves show there. A game can only be the
//! beginning of one with the same players and first moves, unless their dates or rounds contradict:
//! these are read again, and the hash after each of their moves is compared. Games with a finding
//! are read once more, to report them.

mod bits;
mod entry;
mod find;
mod keep;

use std::fmt::Write as _;
use std::sync::OnceLock;

pub(crate) use entry::{GameEntry, PlayerHashes, StoredGame, address};
pub(crate) use keep::Keep;

use crate::chess::Position;
use crate::commands::args::GameArgs;
use crate::commands::interrupt;
use crate::commands::select::Selection;
use crate::commands::validate::duplicates::bits::BitSet;
use crate::commands::validate::duplicates::find::{
    Double, EqualGames, Openings, Relation, equal_games, merge,
};
use crate::commands::validate::formats::fails;
use crate::commands::validate::placed_games::RereadGames;
use crate::commands::validate::reread::{Reread, Texts, Wanted, is_same, refuse_pipes};
use crate::error::Error;
use crate::findings::registry as codes;
use crate::findings::registry::{Family, RULES, Rule, Severity};
use crate::findings::{Checks, Finding, keep};
use crate::input::{ByteNotes, Chunk, GameNo, InputKind, Source};
use crate::pgn::{Game, Span, TagName};
use crate::pipeline::{Item, Part, Run};
use crate::replay::{LineHash, Reader};

/// Maximum memory for games and doubles, in bytes.
const MEMORY: usize = 1 << 30;

/// Maximum memory of a game, in bytes: its entry, and if its moves come up again, a copy of that, a
/// double, and its index among the games without difference.
const OF_GAME: usize = 2 * size_of::<GameEntry>() + size_of::<Double>() + size_of::<u32>();

/// Maximum number of games.
const MOST_GAMES: usize = MEMORY / OF_GAME;

/// The games of a run so far.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    games: Vec<StoredGame>,
    clean: BitSet,
    texts: Texts,
    /// Whether only the games without other findings are kept, as the duplicates are known.
    is_known: bool,
    /// Whether the games are checked.
    is_checked: bool,
}

impl Duplicates {
    /// Begins if duplicates are looked for.
    ///
    /// # Errors
    ///
    /// An input can be read only once, or only a part is read.
    pub(crate) fn begin(
        args: &GameArgs,
        checks: &Checks,
        sources: &[Source],
    ) -> Result<Option<Duplicates>, Error> {
        let is_wanted = |rule: &Rule| rule.family == Family::Duplicates && checks.has(rule);
        if !RULES.iter().any(|rule| is_wanted(rule)) {
            return Ok(None);
        }
        if args.part.is_some() {
            return Err(Error::usage(
                "`--part` cannot look for duplicates: they may be in other parts",
            ));
        }
        refuse_pipes(sources)?;
        Ok(Some(Duplicates {
            is_checked: true,
            ..Duplicates::default()
        }))
    }

    /// Adds the games of a chunk.
    ///
    /// # Errors
    ///
    /// There are too many games.
    pub(crate) fn enter<T>(&mut self, part: &Part<T>, games: &[StoredGame]) -> Result<(), Error> {
        let before = self.texts.enter(part)?;
        self.add(before, part.games as usize, games, MOST_GAMES)
    }

    /// Adds `count` games that follow `before` others; those after `games` are skipped.
    fn add(
        &mut self,
        before: u32,
        count: usize,
        games: &[StoredGame],
        most: usize,
    ) -> Result<(), Error> {
        let length = before as usize + count;
        if length > most {
            return Err(Error::usage(format!(
                "duplicates are found among at most {most} games (1 GiB of memory); read fewer \
                 files at once"
            )));
        }
        for (index, _) in (before..).zip(games).filter(|(_, game)| game.is_clean()) {
            self.clean.insert(index);
        }
        if self.is_known {
            return Ok(());
        }
        if length > self.games.capacity() {
            let room = most - self.games.len();
            self.games
                .reserve_exact(self.games.len().clamp(count, room));
        }
        self.games.extend_from_slice(games);
        self.games.resize(length, StoredGame::SKIPPED);
        Ok(())
    }

    /// Keeps only which games have no other findings.
    pub(crate) fn keeps_clean_only(&mut self) {
        self.is_known = true;
    }

    /// Finds the duplicates among all games.
    pub(crate) fn find(
        self,
        checks: &Checks,
        keep: Option<Keep>,
        pass: &SecondPass<'_>,
    ) -> Result<FoundDuplicates, Error> {
        let EqualGames {
            doubles: equal,
            mut games,
            openings,
        } = equal_games(&self.games);
        let is_wanted = !openings.longer.is_empty() && checks.has(&codes::BEGINNING_OF_GAME);
        let beginnings = match is_wanted {
            true => pass.beginnings(&self, &openings)?,
            false => Vec::new(),
        };
        let removed = keep.map(|keep| {
            games.extend_from_slice(&openings.entries);
            keep.removed(games, &beginnings)
        });
        let mut found = FoundDuplicates {
            doubles: Vec::new(),
            games: self.games,
            removed,
            clean: match self.is_checked {
                true => self.clean.into(),
                false => OnceLock::new(),
            },
            texts: self.texts,
        };
        let mut doubles = merge(equal, beginnings);
        doubles.retain(|double| checks.has(found.rule(double)));
        found.doubles = doubles;
        Ok(found)
    }
}

/// Reads games that may be duplicates again.
pub(crate) struct SecondPass<'a> {
    pub(crate) reread: Reread<'a>,
    pub(crate) reader: &'a (dyn Fn() -> Reader + Sync),
    pub(crate) null_moves: bool,
}

impl SecondPass<'_> {
    /// Reads all chosen games for the first time: `work` hashes the games of a chunk, and marks as
    /// clean those that nothing else rejects.
    pub(crate) fn first<S: Send>(
        &self,
        args: &GameArgs,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk, &ByteNotes) -> Vec<StoredGame> + Sync,
    ) -> Result<Duplicates, Error> {
        let selection = Selection::new(args.numbers.clone(), args.conditions.clone());
        let run = Run {
            jobs: self.reread.jobs,
            ..Run::default()
        };
        let work = |state: &mut S, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            selection.apply(chunk);
            self.reread.kept.keep(source, chunk);
            work(state, source, chunk, notes)
        };
        let weigh = |games: &Vec<StoredGame>| games.capacity() * size_of::<StoredGame>();
        let mut duplicates = Duplicates::default();
        run.in_order(self.reread.sources, state, work, weigh, |item| match item {
            Item::Part(part) if !interrupt::asked() => duplicates.enter(&part, &part.value),
            _ => Ok(()),
        })?;
        Ok(duplicates)
    }

    fn beginnings(&self, all: &Duplicates, openings: &Openings) -> Result<Vec<Double>, Error> {
        let mut doubles = Vec::new();
        let state = || {
            let players = PlayerHashes::default();
            ((self.reader)(), Position::initial(), players, Vec::new())
        };
        let work = |state: &mut _, games: RereadGames<'_>| {
            let (reader, initial, players, moves): &mut (
                Reader,
                Position,
                PlayerHashes,
                Vec<LineHash>,
            ) = state;
            let mut found = Vec::new();
            for (index, text) in games.games {
                let game = reader.read(text.bytes, text.unclosed_comment);
                moves.clear();
                let line =
                    LineHash::of_each_move(game, text.bytes, initial, self.null_moves, |line| {
                        moves.push(line);
                    });
                if let Some(entry) = GameEntry::new(game, text.bytes, &line, index, players) {
                    openings.beginnings(&entry, moves, &mut found);
                }
            }
            found
        };
        let weigh = |found: &Vec<Double>| found.capacity() * size_of::<Double>();
        let wanted = Wanted {
            texts: &all.texts,
            indexes: &openings.longer,
            extent: &|index| all.games[index as usize].extent(),
        };
        self.reread.run(&wanted, state, work, weigh, |item| {
            if let Item::Part(part) = item {
                doubles.extend(part.value);
            }
            Ok(())
        })?;
        Ok(doubles)
    }

    /// Reads the duplicates again, for `work` to report them.
    pub(crate) fn report<S: Send, T: Send + Default + 'static>(
        &self,
        found: &FoundDuplicates,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, RereadGames<'_>) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let indexes: Vec<u32> = found.doubles.iter().map(|double| double.game).collect();
        if indexes.is_empty() {
            return Ok(());
        }
        let wanted = Wanted {
            texts: &found.texts,
            indexes: &indexes,
            extent: &|index| found.games[index as usize].extent(),
        };
        self.reread.run(&wanted, state, work, weigh, emit)
    }
}

/// The duplicates of a run.
#[derive(Debug)]
pub(crate) struct FoundDuplicates {
    /// By game.
    doubles: Vec<Double>,
    games: Vec<StoredGame>,
    /// The games that `--keep` removes.
    removed: Option<Vec<u32>>,
    /// Games on which nothing else is reported, once they have been checked.
    clean: OnceLock<BitSet>,
    texts: Texts,
}

impl FoundDuplicates {
    /// Sets the games on which nothing else is reported.
    pub(crate) fn with_clean(&self, games: Duplicates) -> &FoundDuplicates {
        let _ = self.clean.set(games.clean);
        self
    }

    /// Index of a game in the run.
    pub(crate) fn index(&self, source: &Source, number: GameNo) -> Option<u32> {
        let index = self.texts.index(source, number)?;
        u32::try_from(index).ok()
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
        place.map_or(InputKind::Pgn, |(source, _)| source.kind())
    }

    fn rule(&self, double: &Double) -> &'static Rule {
        match (self.kind(double), double.relation) {
            (InputKind::Pgn, relation) => relation.rule(),
            (_, Relation::Repeated) => &codes::REPEATED_POSITION,
            _ => &codes::OTHER_COUNTERS,
        }
    }

    /// Adds the finding about a game or position at `place`. Returns true if nothing else is
    /// reported about it.
    pub(crate) fn check(
        &self,
        index: u32,
        source: &Source,
        place: Span,
        checks: &Checks,
        findings: &mut Vec<Finding>,
    ) -> bool {
        let double = self.double(index);
        let Some(double) = double.filter(|double| checks.has(self.rule(double))) else {
            return false;
        };
        let (unit, [before, after]) = match (self.kind(&double), double.relation) {
            (InputKind::Pgn, relation) => ("game", relation.message()),
            (_, Relation::Repeated) => ("position", ["the position is ", " again"]),
            _ => ("position", ["the position is ", " with other counters"]),
        };
        // Not grown: threads that free each other's memory wait for each other in `realloc`.
        let mut message = String::with_capacity(256);
        message += before;
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
        self.clean.get().is_some_and(|clean| clean.has(double.game))
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
    white(game)
        .or_else(first)
        .unwrap_or_else(|| Span::new(game.start, game.start))
}

/// The name of White.
pub(crate) fn white(game: &Game) -> Option<Span> {
    let white = game.known(TagName::White).map(|tag| tag.value);
    white.filter(|name| name.start < name.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_games_are_refused() {
        let text = b"1. e4 *";
        let mut reader = Reader::new();
        let game = reader.read(text, None);
        let initial = Position::initial();
        let line = LineHash::of_each_move(game, text, &initial, false, |_| {});
        let entry = GameEntry::new(game, text, &line, 0, &mut PlayerHashes::default());
        assert_eq!(entry.map(|entry| entry.plies()), Some(1));
        let games = [StoredGame::SKIPPED; 3];
        let mut duplicates = Duplicates::default();
        assert!(duplicates.add(0, 3, &games, 5).is_ok());
        assert!(duplicates.add(3, 2, &games[..1], 5).is_ok());
        assert_eq!(duplicates.games.len(), 5);
        let error = duplicates
            .add(5, 1, &games[..1], 5)
            .unwrap_err()
            .to_string();
        assert!(error.contains("at most 5 games"), "{error}");
    }
}
