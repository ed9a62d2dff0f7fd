//! `--against`: the differences between two databases.
//!
//! The first pass keeps hashes of each game, by which the games of both are matched, whatever their
//! order. Games that differ are read again to say how, in batches of bounded size.

mod entry;
mod formats;
mod game;
mod matching;

use std::collections::HashMap;
use std::path::Path;

use crate::commands::accounts::Accounts;
use crate::commands::args::{GameArgs, OtherFiles};
use crate::commands::config::Config;
use crate::commands::interrupt;
use crate::commands::output::Outcome;
use crate::commands::run::{CommandRun, RunOptions};
use crate::commands::split::{Split, SplitPiece};
use crate::commands::texts::{GameAgain, refuse_changed, refuse_pipes};
use crate::commands::validate::against::entry::DiffEntry;
use crate::commands::validate::against::formats::{ChangedGame, human, write_row, write_rows};
use crate::commands::validate::against::game::DiffGame;
use crate::commands::validate::against::matching::{Matching, Pair};
use crate::commands::validate::formats::CheckFormat;
use crate::commands::validate::worker::Worker;
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, GameText, InputKind, Source};
use crate::pipeline::{Item, Part};
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
    format: CheckFormat,
    reader: &(dyn Fn() -> Reader + Sync),
    null_moves: bool,
    added: Option<&Path>,
) -> Result<Outcome, Error> {
    let rows = match format {
        CheckFormat::Human => None,
        CheckFormat::Jsonl => Some(Rows::Jsonl),
        CheckFormat::Csv => Some(Rows::Csv(args.run.cells())),
        _ => {
            let reason = "differences are printed with `--format human|jsonl|csv`";
            return Err(Error::usage(reason));
        }
    };
    if args.inputs.is_empty() {
        return Err(Error::usage("`--against` needs the names of the new files"));
    }
    let is_file = |path: &&Path| *path != Path::new(NO_FILE);
    let has_old = is_file(&old);
    let paths = std::iter::once(old).chain(args.inputs.iter().map(|path| &**path));
    let options = RunOptions {
        paths: Some(paths.filter(is_file).map(Path::to_owned).collect()),
        may_be_empty: true,
        outlives_stdout: added.is_some(),
        files: OtherFiles {
            written: added
                .iter()
                .map(|path| (*path, "the file of the added games"))
                .collect(),
            ..OtherFiles::default()
        },
        ..RunOptions::default()
    };
    let run = CommandRun::begin_with(args, config, options, |_| InputKind::Pgn)?;
    refuse_pipes(&run.sources)?;
    let added = Split::in_file(added, args, &run)?;
    let mut comparison = Comparison {
        run,
        has_old,
        worker: &|| Worker::new(reader()),
        null_moves,
    };
    let outcome = comparison.write(rows, added)?;
    if outcome == Outcome::NotDone {
        comparison.run.output.sink.discard_file();
    }
    comparison.run.close_one(outcome)
}

/// A run over an old and a new database.
struct Comparison<'a> {
    run: CommandRun,
    /// Whether the first path is the old database. It may be no file.
    has_old: bool,
    worker: &'a (dyn Fn() -> Worker + Sync),
    null_moves: bool,
}

/// Games of one database.
#[derive(Default)]
struct Database {
    entries: Vec<DiffEntry>,
    /// Number of texts that are not PGN, which are not compared.
    unreadable: u64,
    /// Number of texts. With several, games are named with their file.
    texts: usize,
}

impl Comparison<'_> {
    /// Writes the differences.
    fn write(&mut self, rows: Option<Rows>, split: Option<Split>) -> Result<Outcome, Error> {
        let databases = self.read()?;
        let run = &mut self.run;
        if !run.is_complete() {
            return Ok(Outcome::NotDone);
        }
        let [of_old, of_new] = databases.each_ref().map(|database| database.entries.len());
        let unreadable = databases.each_ref().map(|database| database.unreadable);
        run.totals.check(Accounts {
            clean: (of_old + of_new) as u64,
            unreadable: unreadable.iter().sum(),
            ..Accounts::default()
        })?;
        if of_old + of_new == 0 && !run.selection.is_all() {
            run.refuse(&run.selection.none_chosen("game"));
            return Ok(Outcome::NotDone);
        }
        let plain = databases.iter().all(|database| database.texts <= 1);
        let [old, new] = databases.map(|database| database.entries);
        let matching = Matching::new(old, new);
        if let Some(rows) = rows {
            let columns = |row: Row<'_>| write_row(row, "", [None; 2], None);
            (self.run.output.sink).begin_rows(rows, GAMES_IN_GROUP, columns)?;
        }
        self.write_games(&matching, rows, plain)?;
        if let Some(split) = split {
            self.write_added(split, &matching.added)?;
        }
        if interrupt::asked() {
            return Ok(Outcome::NotDone);
        }
        let count = |is: fn(&Pair) -> bool| matching.pairs.iter().filter(|pair| is(pair)).count();
        let (gone, added) = (matching.gone.len(), matching.added.len());
        let (moved, changed) = (count(|pair| pair.is_moved), count(|pair| pair.is_changed));
        let unreadable = match unreadable {
            [0, 0] => String::new(),
            [old, new] => format!("; unreadable and not compared: {old} old, {new} new"),
        };
        let output = &self.run.output;
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

    /// Reads all games that are selected, at most [`MOST_GAMES`].
    fn read(&mut self) -> Result<[Database; 2], Error> {
        let (null_moves, has_old) = (self.null_moves, self.has_old);
        let is_old = |source: &Source| has_old && source.path_index == 0;
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
        let all_games = self.run.selection.is_all();
        let mut databases = <[Database; 2]>::default();
        let (mut before, mut left, mut has_games) = (0, MOST_GAMES, !all_games);
        let mut not_pgn = Vec::new();
        let too_many = || {
            Error::usage(format!(
                "databases of at most {MOST_GAMES} games together can be compared (1 GiB of \
                 memory); select games with `--where`"
            ))
        };
        self.run
            .work_through(self.worker, work, weigh, |_, _, item| {
                match item {
                    Item::Part(part) => {
                        let database = &mut databases[usize::from(!is_old(&part.source))];
                        let (entries, unreadable) = part.value;
                        let after = before + part.games;
                        let fits = left.checked_sub(entries.len());
                        let fits = fits.filter(|_| u32::try_from(after).is_ok());
                        left = fits.ok_or_else(too_many)?;
                        has_games |= !entries.is_empty();
                        database.unreadable += unreadable;
                        (database.entries).extend(entries.into_iter().map(|entry| DiffEntry {
                            index: before as u32 + entry.index,
                            ..entry
                        }));
                        before = after;
                    }
                    Item::End(end) => {
                        if !has_games && end.error.is_none() && end.read > 0 {
                            not_pgn.push(Error::no_games(end.source.name(), "it is not PGN"));
                        }
                        has_games = !all_games;
                        databases[usize::from(!is_old(&end.source))].texts += 1;
                    }
                }
                Ok(())
            })?;
        for error in not_pgn {
            self.run.fail(&error);
        }
        Ok(databases)
    }

    /// Writes the added games of these indexes.
    fn write_added(&mut self, mut split: Split, added: &[u32]) -> Result<(), Error> {
        let run = &mut self.run;
        let (texts, has_old) = (run.texts.clone(), self.has_old);
        run.sources
            .retain(|source| !has_old || source.path_index > 0);
        let work = |_: &mut (), source: &Source, chunk: &Chunk| {
            let is_added = |text: &GameText<'_>| {
                let index = texts.index(source, text.origin.game);
                index.is_some_and(|index| added.binary_search(&index).is_ok())
            };
            let games = chunk.games().filter(is_added);
            let pieces: Vec<_> = games.map(|text| SplitPiece::new(&text)).collect();
            (chunk.clone(), pieces)
        };
        let weigh = |(chunk, _): &(Chunk, Vec<SplitPiece>)| chunk.bytes().len();
        let emit = |_: &mut Sink, _: &Log, part: Part<(Chunk, Vec<SplitPiece>)>| {
            let (chunk, pieces) = &part.value;
            split.write(chunk, pieces, &part.source)
        };
        run.work(|| (), work, weigh, emit)?;
        if run.interrupted {
            return Ok(());
        }
        refuse_changed(&run.sources, true)?;
        split.report(run);
        split.finish().map(|_| ())
    }

    /// Reads the games of these indexes, sorted, again, and passes them to `emit` in order.
    fn again(
        &mut self,
        indexes: &[u32],
        mut emit: impl FnMut(&mut Sink, u32, DiffGame) -> Result<(), Error>,
    ) -> Result<(), Error> {
        type Games = Vec<(u32, DiffGame)>;
        let null_moves = self.null_moves;
        let work = |worker: &mut Worker, again: &GameAgain<'_>, games: &mut Games| {
            let GameAgain { text, source, .. } = again;
            let game = text.read(&mut worker.reader);
            let (number, initial) = (text.origin.game.0, &worker.initial);
            let name = source.name();
            let game = DiffGame::new(name, number, game, text.bytes, initial, null_moves);
            games.push((again.index, game));
        };
        let emit = |sink: &mut Sink, games: Games| {
            let mut games = games.into_iter();
            games.try_for_each(|(index, game)| emit(sink, index, game))
        };
        self.run.pass_again(indexes, self.worker, work, |_| 0, emit)
    }

    /// Writes the games that are gone, then the others in the order of the new database.
    fn write_games(
        &mut self,
        matching: &Matching,
        rows: Option<Rows>,
        plain: bool,
    ) -> Result<(), Error> {
        let mut out = Buffer::default();
        let mut write = |sink: &mut Sink, changed: &ChangedGame<'_>| {
            match rows {
                Some(rows) => write_rows(&mut out, changed, rows),
                None => human(&mut out, changed, plain),
            }
            sink.write(out.as_bytes())?;
            out.clear();
            Ok(())
        };
        self.again(&matching.gone, |sink, _, game| {
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
        while !rest.is_empty() && !self.run.output.sink.is_closed() {
            let mut size = 0;
            let fits = rest.iter().take_while(|(_, pair)| {
                let fits = size < BATCH;
                size += pair.map_or(0, |pair| u64::from(pair.size));
                fits
            });
            let (batch, after) = rest.split_at(fits.count());
            rest = after;
            let old = batch
                .iter()
                .filter_map(|(_, pair)| Some(pair.as_ref()?.old));
            let mut indexes: Vec<u32> = old.chain(batch.iter().map(|(new, _)| *new)).collect();
            indexes.sort_unstable();
            let mut versions: HashMap<u32, DiffGame> = HashMap::new();
            self.again(&indexes, |sink, index, game| {
                let Ok(nth) = batch.binary_search_by_key(&index, |(new, _)| *new) else {
                    // The old database is read first.
                    versions.insert(index, game);
                    return Ok(());
                };
                let (_, pair) = batch[nth];
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
}
