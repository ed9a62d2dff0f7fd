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

use crate::commands::args::{GameArgs, OtherFiles, refuse_clashes, threads};
use crate::commands::config::Config;
use crate::commands::interrupt;
use crate::commands::output::{Outcome, Output};
use crate::commands::select::Selection;
use crate::commands::validate::again::{GamesAgain, Inputs, Texts, Worker, refuse_pipes};
use crate::commands::validate::against::entry::DiffEntry;
use crate::commands::validate::against::formats::{ChangedGame, DiffFormat, write_row};
use crate::commands::validate::against::game::DiffGame;
use crate::commands::validate::against::matching::{Matching, Pair};
use crate::commands::validate::formats::FormatName;
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, Source, expand};
use crate::pipeline::{Item, SourceEnd};
use crate::replay::Reader;
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
    config: &Config,
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
    let open = |paths: &[PathBuf]| Database::open(paths, args, config, reader, null_moves, &output);
    let (old, new) = (open(&[old.to_owned()])?, open(&args.inputs)?);
    let selection = args.selection(config)?;
    let mut outcome = compare([old, new], &selection, rows, &mut output)?;
    if interrupt::asked() {
        interrupt::say_done();
        outcome = Outcome::NotDone;
    }
    if outcome == Outcome::NotDone {
        output.sink.discard_file();
    }
    output.sink.finish()?;
    Ok(outcome)
}

/// Writes the differences between an old and a new database.
fn compare(
    [mut old, mut new]: [Database<'_>; 2],
    selection: &Selection,
    rows: Option<Rows>,
    output: &mut Output,
) -> Result<Outcome, Error> {
    let Output { log, sink, .. } = output;
    let old_entries = old.read(selection, MOST_GAMES, log)?;
    let new_entries = new.read(selection, MOST_GAMES - old_entries.len(), log)?;
    selection.wanted.report(log, interrupt::asked());
    if old.failed || new.failed || interrupt::asked() {
        return Ok(Outcome::NotDone);
    }
    let [of_old, of_new] = [old_entries.len(), new_entries.len()];
    if of_old + of_new == 0 && !selection.is_all() {
        log.error(&selection.none_chosen("game"));
        return Ok(Outcome::NotDone);
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
        sink.begin_rows(rows, GAMES_IN_GROUP, columns)?;
    }
    write([&old, &new], &matching, format, sink)?;
    if interrupt::asked() {
        return Ok(Outcome::NotDone);
    }
    let count = |is: fn(&Pair) -> bool| matching.pairs.iter().filter(|pair| is(pair)).count();
    let (gone, added) = (matching.gone.len(), matching.added.len());
    let (moved, changed) = (count(|pair| pair.is_moved), count(|pair| pair.is_changed));
    let unreadable = match [old.unreadable, new.unreadable] {
        [0, 0] => String::new(),
        [old, new] => format!("; unreadable and not compared: {old} old, {new} new"),
    };
    let speed = output.speed((of_old + of_new) as f64, "game");
    output.log.remark(&format_args!(
        "games: {of_old} old, {of_new} new; {gone} gone, {added} added, {moved} moved, \
         {changed} changed{unreadable}; read {speed}"
    ));
    Ok(match gone + added + moved + changed {
        0 => Outcome::Done,
        _ => Outcome::Reported,
    })
}

/// One of the databases.
struct Database<'a> {
    inputs: Inputs<'a>,
    texts: Texts,
    /// Whether an input could not be read.
    failed: bool,
    /// Texts that are not PGN, which are not compared.
    unreadable: u64,
}

impl<'a> Database<'a> {
    fn open(
        paths: &[PathBuf],
        args: &GameArgs,
        config: &Config,
        reader: &'a (dyn Fn() -> Reader + Sync),
        null_moves: bool,
        output: &Output,
    ) -> Result<Database<'a>, Error> {
        let there = paths.iter().filter(|path| *path != Path::new(NO_FILE));
        let (sources, errors) = expand(&there.cloned().collect::<Vec<_>>(), &args.search(config)?);
        refuse_pipes(&sources)?;
        refuse_clashes(args, &OtherFiles::default(), &sources)?;
        errors.iter().for_each(|error| output.log.error(error));
        Ok(Database {
            inputs: Inputs {
                sources,
                jobs: threads(args.run.jobs),
                reader,
                null_moves,
                bar: output.bar.clone(),
            },
            texts: Texts::default(),
            failed: !errors.is_empty(),
            unreadable: 0,
        })
    }

    /// Whether numbers identify games: there is one file, and that is no archive of several.
    fn is_one_text(&self) -> bool {
        self.inputs.sources.len() <= 1 && self.texts.count() <= 1
    }

    /// Reads all games that are selected, at most `most`.
    fn read(
        &mut self,
        selection: &Selection,
        most: usize,
        log: &Log,
    ) -> Result<Vec<DiffEntry>, Error> {
        let null_moves = self.inputs.null_moves;
        let work = |worker: &mut Worker, _: &Source, chunk: &Chunk, _: &ByteNotes| {
            let mut unreadable = 0;
            let entries = chunk.games().filter_map(|text| {
                let Some(key) = worker.key(&text, null_moves) else {
                    unreadable += 1;
                    return None;
                };
                let (game, players) = (worker.reader.game(), &mut worker.players);
                Some(DiffEntry {
                    index: (text.origin.game.0 - chunk.first_game.0) as u32,
                    ..DiffEntry::new(game, text.bytes, key, players)
                })
            });
            (entries.collect(), unreadable)
        };
        let weigh =
            |(entries, _): &(Vec<DiffEntry>, u64)| entries.capacity() * size_of::<DiffEntry>();
        let mut all = Vec::new();
        let mut has_games = false;
        (self.inputs).first(selection, work, weigh, |item| {
            match item {
                Item::Part(part) => {
                    let before = self.texts.enter(&part)?;
                    interrupt::done(part.games - part.skipped);
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
                // A file without any bytes is one without games.
                Item::End(SourceEnd {
                    read: 0,
                    error: None | Some(Error::NoGames { .. }),
                    ..
                }) => {}
                Item::End(end) => {
                    let is_pgn = std::mem::take(&mut has_games) || !selection.is_all();
                    let not_pgn = || Error::no_games(end.source.name(), "it is not PGN");
                    if let Some(error) = end.error.or_else(|| (!is_pgn).then(not_pgn)) {
                        log.error(&error);
                        self.failed = true;
                    }
                }
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Reads the games of these indexes, sorted, again, and passes them to `emit` in order.
    fn again(
        &self,
        indexes: &[u32],
        mut emit: impl FnMut(u32, DiffGame) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let null_moves = self.inputs.null_moves;
        let work = |worker: &mut Worker, again: GamesAgain<'_>| -> Vec<(u32, DiffGame)> {
            let name = again.source.name();
            let games = again.games.into_iter().map(|(index, text)| {
                let game = text.read(&mut worker.reader);
                let (number, initial) = (text.origin.game.0, &worker.initial);
                let game = DiffGame::new(name, number, game, text.bytes, initial, null_moves);
                (index, game)
            });
            games.collect()
        };
        (self.inputs).again(
            &self.texts,
            indexes,
            work,
            |_| 0,
            |item| match item {
                Item::Part(part) => {
                    let mut games = part.value.into_iter();
                    games.try_for_each(|(index, game)| emit(index, game))
                }
                Item::End(_) => Ok(()),
            },
        )
    }
}

/// Writes the games that are gone, then the others in the order of the new database.
fn write(
    [old, new]: [&Database<'_>; 2],
    matching: &Matching,
    format: DiffFormat,
    sink: &mut Sink,
) -> Result<(), Error> {
    let mut out = Buffer::default();
    let mut write = |sink: &mut Sink, changed: &ChangedGame<'_>| {
        format.write(&mut out, changed);
        sink.write(out.as_bytes())?;
        out.clear();
        Ok(())
    };
    old.again(&matching.gone, |_, game| {
        let changed = ChangedGame {
            old: Some(&game),
            ..ChangedGame::default()
        };
        write(sink, &changed)
    })?;
    // Each game of the new database, with its old version if there is one.
    let pairs = matching.pairs.iter();
    let pairs = pairs.filter(|pair| pair.is_changed || pair.is_moved);
    let added = matching.added.iter().map(|&new| (new, None));
    let mut reported: Vec<_> = added
        .chain(pairs.map(|pair| (pair.new, Some(pair))))
        .collect();
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
        rest = after;
        let mut indexes: Vec<u32> = batch
            .iter()
            .filter_map(|(_, pair)| Some(pair.as_ref()?.old))
            .collect();
        indexes.sort_unstable();
        let mut versions: HashMap<u32, DiffGame> = HashMap::new();
        old.again(&indexes, |index, game| {
            versions.insert(index, game);
            Ok(())
        })?;
        let indexes: Vec<u32> = batch.iter().map(|(new, _)| *new).collect();
        let mut pairs = batch.iter().map(|(_, pair)| *pair);
        new.again(&indexes, |_, game| {
            let pair = pairs.next().flatten();
            let old = pair.and_then(|pair| versions.get(&pair.old));
            let is_changed = pair.is_some_and(|pair| pair.is_changed);
            let differences = old.filter(|_| is_changed).map(|old| game.differences(old));
            let changed = ChangedGame {
                old,
                new: Some(&game),
                is_moved: pair.is_some_and(|pair| pair.is_moved),
                differences: differences.as_deref().unwrap_or_default(),
            };
            write(sink, &changed)
        })?;
    }
    Ok(())
}
