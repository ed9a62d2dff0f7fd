//! `--against`: the differences between two databases.
//!
//! The first pass keeps hashes of each game, by which the games of both are matched, whatever their
//! order. Games that differ are read again to say how, in batches of bounded size.

mod entry;
mod formats;
mod game;
mod matching;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::chess::Position;
use crate::commands::args::{GameArgs, OtherFiles, refuse_clashes, threads};
use crate::commands::select::Selection;
use crate::commands::validate::again::{GamesAgain, Inputs, Texts, refuse_pipes};
use crate::commands::validate::against::entry::DiffEntry;
use crate::commands::validate::against::formats::{ChangedGame, DiffFormat, write_row};
use crate::commands::validate::against::game::DiffGame;
use crate::commands::validate::against::matching::{Matching, Pair};
use crate::commands::validate::formats::FormatName;
use crate::commands::{Outcome, Output, interrupt};
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, InputKind, Source, expand};
use crate::pipeline::Item;
use crate::replay::{PlayerHashes, Reader};
use crate::report::rows::{GAMES_IN_GROUP, Row, Rows};
use crate::report::{Buffer, Log, Sink};

/// Maximum memory for the games of both databases, in bytes.
const MEMORY: usize = 1 << 30;

/// Maximum number of games of both databases. A game is in a list, then in a pair.
const MOST_GAMES: usize = MEMORY / (size_of::<DiffEntry>() + size_of::<Pair>());

/// Size of the old games that are compared at once, in bytes of their text. In memory they take up
/// to twelve times as much.
const BATCH: u64 = 4 << 20;

/// Name of the empty file that version control passes for a file that is not there.
const NO_FILE: &str = "/dev/null";

/// Prints the differences of the inputs from the games in `old`.
pub(crate) fn run(
    args: &GameArgs,
    old: &Path,
    format: FormatName,
    reader: &(dyn Fn() -> Reader + Sync),
    null_moves: bool,
) -> Result<Outcome, Error> {
    let rows = match format {
        FormatName::Human => None,
        FormatName::Jsonl => Some(Rows::Jsonl),
        FormatName::Csv => Some(Rows::Csv(args.run.cells())),
        _ => {
            let reason = "differences are printed with `--format human|jsonl|csv`";
            return Err(Error::usage(reason));
        }
    };
    if args.inputs.is_empty() {
        return Err(Error::usage("`--against` needs the names of the new files"));
    }
    let mut output = Output::open(&args.run, "game")?;
    output.sink.set_up(threads(args.run.jobs), false);
    let selection = Selection::new(args.numbers.clone(), args.conditions.clone());
    let open = |paths: &[PathBuf]| Database::open(paths, args, reader, null_moves, &output.log);
    let (mut old, mut new) = (open(&[old.to_owned()])?, open(&args.inputs)?);
    let old_entries = old.read(&selection, MOST_GAMES, &output.log)?;
    let room = MOST_GAMES - old_entries.len();
    let new_entries = new.read(&selection, room, &output.log)?;
    selection.wanted.report(&output.log, interrupt::asked());
    if old.failed || new.failed || interrupt::asked() {
        return end(output, Outcome::NotDone);
    }
    let counts = [old_entries.len(), new_entries.len()];
    if counts == [0, 0] && !selection.is_all() {
        let options = selection.options();
        let reason = format_args!("no game is chosen by {options}");
        output.log.error(&reason);
        return end(output, Outcome::NotDone);
    }
    let matching = Matching::new(old_entries, new_entries);
    let format = match rows {
        Some(rows) => DiffFormat::Rows(rows),
        None => DiffFormat::Human {
            plain: old.is_one_text() && new.is_one_text(),
        },
    };
    if let Some(rows) = rows {
        let columns = |row: Row<'_>| write_row(row, "", [None; 2], None);
        output.sink.begin_rows(rows, GAMES_IN_GROUP, columns)?;
    }
    let comparison = Comparison {
        old: &old,
        new: &new,
        format,
    };
    comparison.write(&matching, &mut output.sink)?;
    if interrupt::asked() {
        return end(output, Outcome::NotDone);
    }
    let count = |is: fn(&Pair) -> bool| matching.pairs.iter().filter(|pair| is(pair)).count();
    let (gone, added) = (matching.gone.len(), matching.added.len());
    let (moved, changed) = (count(|pair| pair.is_moved), count(|pair| pair.is_changed));
    let [of_old, of_new] = counts;
    let speed = output.speed((of_old + of_new) as f64, "game");
    let unreadable = match [old.unreadable, new.unreadable] {
        [0, 0] => String::new(),
        [old, new] => format!("; unreadable and not compared: {old} old, {new} new"),
    };
    output.log.remark(&format_args!(
        "games: {of_old} old, {of_new} new; {gone} gone, {added} added, {moved} moved, \
         {changed} changed{unreadable}; {speed}"
    ));
    let differs = gone + added + moved + changed > 0;
    let outcome = if differs {
        Outcome::Reported
    } else {
        Outcome::Done
    };
    end(output, outcome)
}

fn end(mut output: Output, outcome: Outcome) -> Result<Outcome, Error> {
    if outcome == Outcome::NotDone {
        output.sink.discard_file();
    }
    if interrupt::asked() {
        interrupt::say_done();
    }
    output.sink.finish()?;
    Ok(outcome)
}

/// One of the databases.
struct Database<'a> {
    inputs: Inputs<'a>,
    texts: Texts,
    /// Whether an input could not be read.
    failed: bool,
    /// Texts that are not PGN, which are not compared.
    unreadable: u64,
    /// Whether no games are left out, so that a file without any is not PGN.
    all_games: bool,
}

impl<'a> Database<'a> {
    fn open(
        paths: &[PathBuf],
        args: &GameArgs,
        reader: &'a (dyn Fn() -> Reader + Sync),
        null_moves: bool,
        log: &Log,
    ) -> Result<Database<'a>, Error> {
        let there = paths.iter().filter(|path| *path != Path::new(NO_FILE));
        let (sources, errors) = expand(&there.cloned().collect::<Vec<_>>());
        refuse_pipes(&sources)?;
        refuse_clashes(args, &OtherFiles::default(), &sources)?;
        for error in &errors {
            log.error(error);
        }
        Ok(Database {
            inputs: Inputs {
                sources,
                jobs: threads(args.run.jobs),
                reader,
                null_moves,
            },
            texts: Texts::default(),
            failed: !errors.is_empty(),
            unreadable: 0,
            all_games: args.numbers.is_none() && args.conditions.is_empty(),
        })
    }

    /// Whether numbers identify games: there is one file, and that is no archive of several.
    fn is_one_text(&self) -> bool {
        self.inputs.sources.len() <= 1 && self.texts.count() <= 1
    }

    /// Reads all games that are selected.
    fn read(
        &mut self,
        selection: &Selection,
        most: usize,
        log: &Log,
    ) -> Result<Vec<DiffEntry>, Error> {
        let state = || {
            (
                (self.inputs.reader)(),
                Position::initial(),
                PlayerHashes::default(),
            )
        };
        let null_moves = self.inputs.null_moves;
        let work = |state: &mut (Reader, Position, PlayerHashes),
                    _: &Source,
                    chunk: &Chunk,
                    _: &ByteNotes| {
            let (reader, initial, players) = state;
            let first = chunk.first_game.0;
            if chunk.kind != InputKind::Pgn {
                return (Vec::new(), 0);
            }
            let mut unreadable = 0;
            let entries = chunk.games().filter_map(|text| {
                let game = reader.read(text.bytes, text.unclosed_comment);
                let nth = (text.origin.game.0 - first) as usize;
                let is_game = !game.is_unreadable(text.bytes);
                unreadable += u64::from(!is_game);
                is_game.then(|| DiffEntry::new(game, text.bytes, initial, nth, players, null_moves))
            });
            (entries.collect(), unreadable)
        };
        let weigh =
            |(entries, _): &(Vec<DiffEntry>, u64)| entries.capacity() * size_of::<DiffEntry>();
        let mut all = Vec::new();
        let mut has_games = false;
        (self.inputs).first(selection, state, work, weigh, |item| {
            match item {
                Item::Part(part) => {
                    let before = self.texts.enter(&part)?;
                    let (entries, unreadable) = part.value;
                    if all.len() + entries.len() > most {
                        return Err(Error::usage(format!(
                            "databases of at most {MOST_GAMES} games together can be compared (1 \
                             GiB of memory); select games with `--where`"
                        )));
                    }
                    has_games |= !entries.is_empty();
                    self.unreadable += unreadable;
                    all.extend(entries.into_iter().map(|entry| DiffEntry {
                        index: before + entry.index,
                        ..entry
                    }));
                }
                Item::End(end) => {
                    let error = end.error.or_else(|| {
                        let is_none = !has_games && self.all_games && end.read > 0;
                        let reason = "it is not PGN";
                        is_none.then(|| Error::no_games(end.source.name(), reason))
                    });
                    has_games = false;
                    let is_empty =
                        |error: &Error| matches!(error, Error::NoGames { .. }) && end.read == 0;
                    if let Some(error) = error.filter(|error| !is_empty(error)) {
                        log.error(&error);
                        self.failed = true;
                    }
                }
            }
            if interrupt::asked() {
                return Err(Error::usage("interrupted"));
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Passes the games of these indexes, sorted, to `work`, and its results in order to `emit`.
    fn again<T: Send + Default + 'static>(
        &self,
        indexes: &[u32],
        work: impl Fn(&mut T, u32, DiffGame) + Sync,
        mut emit: impl FnMut(T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let null_moves = self.inputs.null_moves;
        let work = |reader: &mut Reader, initial: &Position, again: GamesAgain<'_>| {
            let mut result = T::default();
            for (index, text) in again.games {
                let game = reader.read(text.bytes, text.unclosed_comment);
                let (name, number) = (again.source.name(), text.origin.game.0);
                let game = DiffGame::new(name, number, game, text.bytes, initial, null_moves);
                work(&mut result, index, game);
            }
            result
        };
        let emit = |item: Item<T>| match item {
            Item::Part(part) => emit(part.value),
            Item::End(_) => Ok(()),
        };
        (self.inputs).again(&self.texts, indexes, work, |_| 0, emit)
    }
}

/// Writes the differences between two databases.
struct Comparison<'a> {
    old: &'a Database<'a>,
    new: &'a Database<'a>,
    format: DiffFormat,
}

/// Index of a game of the new database, and its old version, if there is one.
type Reported = (u32, Option<Pair>);

impl Comparison<'_> {
    /// Writes the games that are gone, then the others in the order of the new database.
    fn write(&self, matching: &Matching, sink: &mut Sink) -> Result<(), Error> {
        let gone = |out: &mut Buffer, _, game: DiffGame| {
            let changed = ChangedGame {
                old: Some(&game),
                new: None,
                is_moved: false,
                differences: &[],
            };
            self.format.write(out, &changed);
        };
        self.old.again(&matching.gone, gone, |out: Buffer| {
            sink.write(out.as_bytes())
        })?;
        let pairs = matching.pairs.iter();
        let pairs = pairs.filter(|pair| pair.is_changed || pair.is_moved);
        let added = matching.added.iter().map(|&new| (new, None));
        let pairs = pairs.map(|&pair| (pair.new, Some(pair)));
        let mut reported: Vec<Reported> = added.chain(pairs).collect();
        reported.sort_unstable_by_key(|(new, _)| *new);
        let mut rest = reported.as_slice();
        while !rest.is_empty() && !sink.is_closed() {
            let mut size = 0;
            let fits = rest.iter().take_while(|(_, pair)| {
                let fits = size < BATCH;
                size += pair.map_or(0, |pair| u64::from(pair.size));
                fits
            });
            let (batch, after) = rest.split_at(fits.count());
            self.write_batch(batch, sink)?;
            rest = after;
        }
        Ok(())
    }

    fn write_batch(&self, batch: &[Reported], sink: &mut Sink) -> Result<(), Error> {
        let pairs = batch.iter().filter_map(|(_, pair)| *pair);
        let mut indexes: Vec<u32> = pairs.map(|pair| pair.old).collect();
        indexes.sort_unstable();
        let mut old: HashMap<u32, DiffGame> = HashMap::new();
        let keep = |games: &mut Vec<_>, index, game: DiffGame| games.push((index, game));
        self.old.again(&indexes, keep, |games| {
            old.extend(games);
            Ok(())
        })?;
        let indexes: Vec<u32> = batch.iter().map(|(new, _)| *new).collect();
        let write = |out: &mut Buffer, index: u32, game: DiffGame| {
            let nth = batch.binary_search_by_key(&index, |(new, _)| *new);
            let pair = nth.ok().and_then(|nth| batch[nth].1);
            let old = pair.and_then(|pair| old.get(&pair.old));
            let is_changed = pair.is_some_and(|pair| pair.is_changed);
            let differences = old.filter(|_| is_changed).map(|old| game.differences(old));
            let changed = ChangedGame {
                old,
                new: Some(&game),
                is_moved: pair.is_some_and(|pair| pair.is_moved),
                differences: differences.as_deref().unwrap_or_default(),
            };
            self.format.write(out, &changed);
        };
        self.new
            .again(&indexes, write, |out: Buffer| sink.write(out.as_bytes()))
    }
}
