#![doc = include_str!("README.md")]

pub mod count;
pub mod divide;
pub mod formats;
pub mod suite;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use crate::chess::{Position, Setup, Uci, fen};
use crate::commands::perft::count::{Kinds, MOST_DEPTH, Perft, Table, Uncounted};
use crate::commands::perft::divide::{
    Checked, CheckedEntry, Comparison, Count, Divided, read_divide, sum,
};
use crate::commands::perft::formats::{
    MoveRow, Row, comparison, csv_header, csv_row, jsonl, kinds_table, move_jsonl,
};
use crate::commands::perft::suite::{Suite, SuiteEntry};
use crate::commands::run::{CsvFlags, When, jobs, threads};
use crate::commands::{Outcome, interrupt};
use crate::error::Error;
use crate::input::LineNo;
use crate::pipeline::pool;
use crate::report::escape::Escaped;
use crate::report::{Bar, Measure, Sink, Talk};

/// Count positions, to prove the rules core right
///
/// Counts are of legal move sequences: 20 from the start position at depth 1, 400 at depth 2. Chess960 positions are
/// given with Shredder-FEN or X-FEN castling rights. Exit code 1: a count or a divide disagrees.
#[derive(Args, Debug)]
pub(crate) struct Flags {
    /// The position, with or without quotes; - for FENs on stdin, one a line [default: the start position]
    #[arg(value_name = "FEN", conflicts_with = "suite")]
    fen: Vec<String>,

    /// How many plies deep, up to 255; for a suite, the deepest counts that are checked [default:
    /// 5, all of a suite]
    #[arg(short, long, value_name = "N", value_parser = depth)]
    depth: Option<u32>,

    /// Show the count of each first move
    #[arg(long, conflicts_with_all = ["suite", "kinds"])]
    divide: bool,

    /// Count captures, en passant, castles, promotions, checks, discovered and double checks, and mates, at each depth
    #[arg(long, conflicts_with = "suite")]
    kinds: bool,

    /// Remember positions in a table of so many MiB, shared by all threads
    #[arg(long, value_name = "MIB", default_value_t = 0)]
    hash: usize,

    /// Check the counts of a file: lines `FEN ;D1 20 ;D2 400 …`, or `epd FEN` and `perft DEPTH COUNT` lines
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Leave out the counts of a suite that are larger than this
    #[arg(long, value_name = "N", requires = "suite")]
    nodes: Option<u64>,

    /// Compare with a divide of the same position and depth that another engine has printed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "kinds", "divide"])]
    compare: Option<PathBuf>,

    /// How counts are shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    #[command(flatten)]
    csv: CsvFlags,

    /// Threads that work [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,

    /// Show progress on stderr; auto: only on a terminal, and not while a pipe, such as one to a
    /// pager, takes the data
    #[arg(long, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    progress: When,

    /// Leave out the time on stderr
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Counts and sentences
    Human,
    /// A header and a row for each count
    Csv,
    /// One JSON object for each count
    Jsonl,
}

const DEFAULT_DEPTH: u32 = 5;

/// The stack of a thread, in bytes: [`MOST_DEPTH`] plies of an unoptimised build take 4 MiB.
const STACK_BYTES: usize = 16 << 20;

fn depth(number: &str) -> Result<u32, String> {
    number
        .parse()
        .ok()
        .filter(|&depth| depth <= MOST_DEPTH)
        .ok_or_else(|| format!("not a number of plies from 0 to {MOST_DEPTH}"))
}

/// A run of this command.
struct Job<'a> {
    flags: &'a Flags,
    talk: Talk,
    sink: Sink,
    bar: Bar,
    table: Option<Table>,
    started: Instant,
    /// Nodes counted so far; a suite has many counts of up to 64 bits.
    nodes: u128,
}

pub(crate) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let bar = Bar::new(flags.progress.into(), true);
    let mut job = Job {
        flags,
        talk: Talk::new(flags.quiet, bar.clone()),
        sink: Sink::open(None, bar.clone())?,
        bar,
        table: table(flags.hash)?,
        started: Instant::now(),
        nodes: 0,
    };
    interrupt::report_to(&job.talk, "position");
    let pool = pool(threads(flags.jobs), Some(STACK_BYTES))?;
    let outcome = pool.install(|| job.run())?;
    job.sink.finish()?;
    if job.sink.is_closed() {
        return Ok(outcome);
    }
    let seconds = job.started.elapsed().as_secs_f64();
    let nodes = job.nodes;
    job.talk.remark(&format_args!(
        "{nodes} nodes; {seconds:.3} s; {:.0} nodes/s",
        nodes as f64 / seconds.max(1e-9)
    ));
    Ok(outcome)
}

/// The table of a `--hash`, unless that is 0.
fn table(mib: usize) -> Result<Option<Table>, Error> {
    if mib == 0 {
        return Ok(None);
    }
    let refuse = |reason: String| Error::usage(format!("`--hash {mib}`: {reason}"));
    // The system promises more than it has.
    if let Some(memory) = memory().filter(|&memory| mib as u64 > memory) {
        return Err(refuse(format!("this machine has {memory} MiB of memory")));
    }
    match Table::new(mib) {
        Ok(table) => Ok(Some(table)),
        Err(error) => Err(refuse(error.to_string())),
    }
}

/// The memory of this machine, in MiB, where the system says so.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib >> 10)
}

/// Error message for a count that exceeds 64 bits at this depth.
fn too_large(depth: u32) -> String {
    format!("the count at depth {depth} exceeds {}", u64::MAX)
}

impl Job<'_> {
    fn run(&mut self) -> Result<Outcome, Error> {
        let flags = self.flags;
        if flags.format == Format::Csv && flags.compare.is_none() {
            let header = match flags.divide {
                true => "move,nodes\n".to_owned(),
                false => csv_header(flags.kinds),
            };
            self.sink.write(header.as_bytes())?;
        }
        if let Some(path) = &flags.suite {
            return self.suite(path);
        }
        let depth = flags.depth.unwrap_or(DEFAULT_DEPTH);
        if flags.fen == ["-"] {
            let mut text = String::new();
            io::stdin()
                .read_to_string(&mut text)
                .map_err(|cause| Error::open("<stdin>", cause))?;
            let lines: Vec<&str> = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect();
            if lines.is_empty() {
                return Err(Error::no_games("<stdin>", "it is empty"));
            }
            let mut outcome = Outcome::Done;
            for line in lines {
                match self.playable(line) {
                    Ok(position) => match self.position(&position, line, depth, true)? {
                        Outcome::Done if self.sink.is_closed() => break,
                        Outcome::Done => interrupt::done(1),
                        _ if interrupt::asked() => return Ok(Outcome::NotDone),
                        _ => outcome = Outcome::NotDone,
                    },
                    Err(error) => {
                        self.talk.error(&error);
                        outcome = Outcome::NotDone;
                    }
                }
            }
            return Ok(outcome);
        }
        let fen = match flags.fen.as_slice() {
            [] => fen::INITIAL.to_owned(),
            words => words.join(" "),
        };
        let position = self.playable(&fen)?;
        if let Some(path) = &flags.compare {
            return self.compare(&position, &fen, depth, path);
        }
        self.position(&position, &fen, depth, false)
    }

    /// The position of a FEN; what is implausible about it is said.
    fn playable(&self, fen: &str) -> Result<Position, Error> {
        let fail = |reason: String| Error::invalid("FEN", fen, reason);
        let setup: Setup = fen
            .parse()
            .map_err(|error: fen::FenError| fail(error.to_string()))?;
        let position = Position::new(&setup).map_err(|faults| fail(faults.to_string()))?;
        let faults = setup.faults();
        if !faults.is_empty() {
            self.talk.remark(&format_args!(
                "note: no game leads to `{}`: {faults}",
                Escaped(fen)
            ));
        }
        Ok(position)
    }

    fn perft(&self) -> Perft<'_> {
        Perft {
            table: self.table.as_ref(),
            stop: Some(interrupt::flag()),
            counted: self.bar.counter(),
        }
    }

    /// Says that the run was ended from outside, and how far it had come.
    fn interrupted(&self, done: usize, of: usize, what: &str) -> Outcome {
        interrupt::say(&self.talk, &format!(" after {done} of {of} {what}"));
        Outcome::NotDone
    }

    /// Counts one position; `listed` says that it is one of several.
    fn position(
        &mut self,
        position: &Position,
        fen: &str,
        depth: u32,
        listed: bool,
    ) -> Result<Outcome, Error> {
        if self.flags.kinds {
            return self.kinds(position, fen, depth, listed);
        }
        let started = Instant::now();
        let Ok((mut moves, sum)) = self.divide(position, fen, depth.max(1)) else {
            return Ok(Outcome::NotDone);
        };
        let nodes = match depth {
            0 => 1,
            _ => sum,
        };
        self.nodes += u128::from(nodes);
        let seconds = started.elapsed().as_secs_f64();
        let mut text = String::new();
        if self.flags.divide {
            let mode = position.castling_mode();
            moves.sort_by_cached_key(|divided| divided.mv.uci(mode).to_string());
            for Divided { mv, nodes } in moves {
                let mv = mv.uci(mode).to_string();
                match self.flags.format {
                    Format::Human => drop(writeln!(text, "{mv}: {nodes}")),
                    Format::Csv => drop(writeln!(text, "{mv},{nodes}")),
                    Format::Jsonl => move_jsonl(&mut text, &MoveRow { mv, nodes }),
                }
            }
            if self.flags.format == Format::Human {
                let _ = writeln!(text, "\nnodes: {nodes}");
            }
        } else {
            let row = Row::new(fen, depth, nodes, seconds);
            match self.flags.format {
                Format::Human if listed => drop(writeln!(text, "{nodes}  {}", Escaped(fen))),
                Format::Human => drop(writeln!(text, "nodes: {nodes}")),
                Format::Csv => csv_row(&mut text, &row, None, self.flags.csv.cells()),
                Format::Jsonl => jsonl(&mut text, &row, None),
            }
        }
        self.sink.write(text.as_bytes())?;
        Ok(Outcome::Done)
    }

    /// The count after each first move and their sum, with a bar that moves as they are done. The
    /// error has been said.
    fn divide(
        &self,
        position: &Position,
        fen: &str,
        depth: u32,
    ) -> Result<(Vec<Divided>, u64), Outcome> {
        let moves = position.count_legal_moves();
        let first_moves = Measure::Steps("first moves");
        self.bar.start(first_moves, Some(moves as u64), "nodes");
        let (bar, finished) = (&self.bar, Mutex::new(Vec::new()));
        let divided = Count {
            perft: self.perft(),
            done: &|divided| {
                if let Ok(mut finished) = finished.lock() {
                    finished.push(divided.nodes);
                }
                bar.step();
            },
        }
        .divide(position, depth)
        .and_then(|divided| sum(&divided).map(|sum| (divided, sum)));
        self.bar.clear();
        divided.map_err(|uncounted| match uncounted {
            Uncounted::Stopped => {
                let finished = finished.into_inner().unwrap_or_default();
                let nodes: u128 = finished.iter().copied().map(u128::from).sum();
                self.interrupted(
                    finished.len(),
                    moves,
                    &format!("first moves, with {nodes} nodes"),
                )
            }
            Uncounted::TooLarge => {
                self.talk
                    .error(&Error::invalid("FEN", fen, too_large(depth)));
                Outcome::NotDone
            }
        })
    }

    fn kinds(
        &mut self,
        position: &Position,
        fen: &str,
        depth: u32,
        listed: bool,
    ) -> Result<Outcome, Error> {
        let mut rows: Vec<Kinds> = Vec::new();
        let mut text = String::new();
        let count = Count {
            perft: self.perft(),
            done: &|_| {},
        };
        let all = Some(u64::from(depth));
        self.bar.start(Measure::Steps("depths"), all, "nodes");
        let mut nodes = 0;
        for depth in 1..=depth {
            let started = Instant::now();
            let Ok(kinds) = count.kinds(position, depth) else {
                self.bar.clear();
                return Ok(self.interrupted(
                    depth as usize - 1,
                    self.flags.depth.unwrap_or(DEFAULT_DEPTH) as usize,
                    "depths",
                ));
            };
            self.bar.step();
            nodes += u128::from(kinds.nodes);
            rows.push(kinds);
            let row = Row::new(fen, depth, kinds.nodes, started.elapsed().as_secs_f64());
            match self.flags.format {
                Format::Human => {}
                Format::Csv => csv_row(&mut text, &row, Some(&kinds), self.flags.csv.cells()),
                Format::Jsonl => jsonl(&mut text, &row, Some(&kinds)),
            }
        }
        self.bar.clear();
        self.nodes += nodes;
        if self.flags.format == Format::Human {
            if listed {
                let _ = writeln!(text, "{}", Escaped(fen));
            }
            text.push_str(&kinds_table(&rows));
        }
        self.sink.write(text.as_bytes())?;
        Ok(Outcome::Done)
    }

    fn compare(
        &mut self,
        position: &Position,
        fen: &str,
        depth: u32,
        path: &Path,
    ) -> Result<Outcome, Error> {
        let name = path.display().to_string();
        let mode = position.castling_mode();
        let theirs = read_divide(&crate::text::decode(&read(path)?))
            .map_err(|error| Error::invalid("divide", name, error.to_string()))?;
        // Castling may be written in another way than ours.
        let canonical = |text: &str| {
            Uci::from_ascii(text.as_bytes())
                .and_then(|uci| uci.to_move(position))
                .map_or_else(|_| text.to_owned(), |mv| mv.uci(mode).to_string())
        };
        let theirs: BTreeMap<String, u64> = theirs
            .into_iter()
            .map(|(mv, nodes)| (canonical(&mv), nodes))
            .collect();
        let Ok((moves, sum)) = self.divide(position, fen, depth.max(1)) else {
            return Ok(Outcome::NotDone);
        };
        self.nodes += u128::from(sum);
        let ours = moves
            .iter()
            .map(|divided| (divided.mv.uci(mode).to_string(), divided.nodes))
            .collect();
        let found = Comparison::of(&ours, &theirs);
        let text = comparison(&found, |mv| {
            let mv = Uci::from_ascii(mv.as_bytes())
                .ok()?
                .to_move(position)
                .ok()?;
            let next = position.after(mv);
            (depth > 1).then(|| format!("arbiter perft --depth {} --divide '{next}'", depth - 1))
        });
        self.sink.write(text.as_bytes())?;
        Ok(if found.agrees() {
            Outcome::Done
        } else {
            Outcome::Reported
        })
    }

    fn suite(&mut self, path: &Path) -> Result<Outcome, Error> {
        let name = path.display().to_string();
        let suite =
            Suite::parse(&crate::text::decode(&read(path)?)).map_err(|error| Error::Invalid {
                what: "suite",
                path: name.clone(),
                line: Some(error.line.0),
                reason: error.to_string(),
            })?;
        let positions = Some(suite.entries.len() as u64);
        self.bar
            .start(Measure::Steps("positions"), positions, "nodes");
        let (flags, perft, bar) = (self.flags, self.perft(), &self.bar);
        let done: Result<Vec<CheckedEntry<'_>>, _> = suite
            .entries
            .par_iter()
            .map(|entry| {
                let checked = check_entry(entry, flags, perft)?;
                bar.step();
                Ok(checked)
            })
            .collect();
        self.bar.clear();
        match done {
            Ok(entries) => self.report(&name, &entries),
            Err((_, Uncounted::Stopped, _)) => {
                interrupt::say_done();
                Ok(Outcome::NotDone)
            }
            Err((line, Uncounted::TooLarge, depth)) => Err(Error::Invalid {
                what: "suite",
                path: name,
                line: Some(line.0),
                reason: too_large(depth),
            }),
        }
    }

    fn report(&mut self, name: &str, entries: &[CheckedEntry<'_>]) -> Result<Outcome, Error> {
        let mut text = String::new();
        let (mut checked, mut wrong) = (0_u64, 0_u64);
        let name = Escaped(name);
        for CheckedEntry { entry, outcome } in entries {
            let (line, fen) = (entry.line, &entry.fen);
            let shown = Escaped(fen);
            let counts = match outcome {
                Ok(counts) => counts,
                Err(faults) => {
                    wrong += 1;
                    if self.flags.format == Format::Human {
                        let _ =
                            writeln!(text, "{name}:{line}: cannot be played: {faults}: {shown}");
                    } else {
                        self.talk.error(&format_args!(
                            "{name}:{line}: cannot be played: {faults}: {shown}"
                        ));
                    }
                    continue;
                }
            };
            for count in counts {
                checked += 1;
                self.nodes += u128::from(count.nodes);
                let agrees = count.nodes == count.expected;
                wrong += u64::from(!agrees);
                let row = Row {
                    expected: Some(count.expected),
                    ..Row::new(fen, count.depth, count.nodes, count.seconds)
                };
                match self.flags.format {
                    Format::Human if agrees => {}
                    Format::Human => drop(writeln!(
                        text,
                        "{name}:{line}: depth {}: {} nodes, expected {}: {shown}",
                        count.depth, count.nodes, count.expected
                    )),
                    Format::Csv => csv_row(&mut text, &row, None, self.flags.csv.cells()),
                    Format::Jsonl => jsonl(&mut text, &row, None),
                }
            }
        }
        let listed: usize = entries.iter().map(|entry| entry.entry.counts.len()).sum();
        if self.flags.format == Format::Human && checked + wrong > 0 {
            let verdict = match wrong {
                0 => "all agree".to_owned(),
                _ => format!("{wrong} wrong"),
            };
            let _ = writeln!(
                text,
                "{} positions, {checked} of {listed} counts, {} nodes: {verdict}",
                entries.len(),
                self.nodes
            );
        }
        self.sink.write(text.as_bytes())?;
        Ok(if checked + wrong == 0 {
            self.talk
                .error(&"no count of the suite is within --depth and --nodes");
            Outcome::NotDone
        } else if wrong > 0 {
            Outcome::Reported
        } else {
            Outcome::Done
        })
    }
}

/// Counts a position of a suite; or the line and the depth that have no count.
fn check_entry<'e>(
    entry: &'e SuiteEntry,
    flags: &Flags,
    perft: Perft<'_>,
) -> Result<CheckedEntry<'e>, (LineNo, Uncounted, u32)> {
    let position = match Position::new(&entry.setup) {
        Ok(position) => position,
        Err(faults) => {
            return Ok(CheckedEntry {
                entry,
                outcome: Err(faults),
            });
        }
    };
    let count = Count {
        perft,
        done: &|_| {},
    };
    let checked: Result<Vec<Checked>, _> = entry
        .counts
        .iter()
        .filter(|&&(depth, nodes)| {
            flags.depth.is_none_or(|most| depth <= most)
                && flags.nodes.is_none_or(|most| nodes <= most)
        })
        .map(|&(depth, expected)| {
            let started = Instant::now();
            let nodes = count
                .nodes(&position, depth)
                .map_err(|uncounted| (entry.line, uncounted, depth))?;
            Ok(Checked {
                depth,
                expected,
                nodes,
                seconds: started.elapsed().as_secs_f64(),
            })
        })
        .collect();
    Ok(CheckedEntry {
        entry,
        outcome: Ok(checked?),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|cause| Error::open(path.display().to_string(), cause))
}
