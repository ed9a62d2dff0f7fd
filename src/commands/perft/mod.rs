#![doc = include_str!("README.md")]

pub mod counting;
pub mod suite;

mod against;
mod compare;
mod contest;
mod engine;
mod formats;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;

use crate::chess::{Position, Setup, fen};
use crate::commands::args::{OtherFiles, RunArgs, refuse_outputs, threads};
use crate::commands::perft::counting::{
    CountError, Divided, Kinds, MOST_DEPTH, ParallelPerft, Perft, Table, sum, thread_pool,
};
use crate::commands::perft::engine::{Engine, NoAnswer};
use crate::commands::perft::formats::{Columns, Count, CountFormat, CountItem, FormatName};
use crate::commands::{Outcome, Output, args, interrupt, read_file, read_whole};
use crate::error::Error;
use crate::input::Source;
use crate::report::{Buffer, Measure};
use crate::text::decode_marked;

/// Count positions (perft) to test the rules
///
/// Examples:
///   arbiter perft --depth 6
///   arbiter perft --divide --depth 4 '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -'
///   arbiter perft --kinds --depth 4
///
/// Counts are of legal move sequences: 20 from the start position at depth 1, 400 at depth 2.
/// Chess960 positions are given with Shredder-FEN or X-FEN castling rights. Exit code 1: a count or
/// a divide disagrees.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct PerftArgs {
    /// Position; - for FENs on stdin, one a line [default: the start position]
    ///
    /// With or without quotes.
    #[arg(value_name = "FEN", conflicts_with = "suite")]
    fen: Vec<String>,

    /// Depth in plies [default: 5; all depths of a suite]
    ///
    /// Up to 255; for a suite, the largest depth to check.
    #[arg(short, long, value_name = "N", value_parser = depth)]
    depth: Option<u32>,

    /// Show the count of each first move
    #[arg(long, conflicts_with_all = ["suite", "kinds"])]
    divide: bool,

    /// Count the kinds of the last moves, at each depth
    ///
    /// Captures, en passant, castles, promotions, checks, discovered and double checks, and mates.
    #[arg(long, conflicts_with = "suite")]
    kinds: bool,

    /// Size of the transposition table in MiB
    ///
    /// All threads share it.
    #[arg(long, value_name = "MIB", default_value_t = 0)]
    hash: usize,

    /// Check the counts of a file; - for stdin
    ///
    /// Lines `FEN ;D1 20 ;D2 400 …`, or `epd FEN` and `perft DEPTH COUNT` lines.
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Skip counts of a suite above this
    #[arg(long, value_name = "N", requires = "suite")]
    nodes: Option<u64>,

    /// Compare with a divide by another engine; - for stdin
    ///
    /// The divide is that of the same position and depth.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "kinds", "divide"])]
    compare: Option<PathBuf>,

    /// Find the first position whose moves a UCI engine lists differently
    ///
    /// The command is started once, and its `go perft` asked after each move that leads to a
    /// difference. A suite is compared at the largest depth of each line.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["kinds", "divide", "compare"])]
    against: Option<String>,

    /// Seconds that the engine may take for an answer
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60,
        requires = "against"
    )]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=604_800), hide_short_help = true)]
    timeout: u64,

    /// Output format
    #[arg(long, value_enum, default_value_t = FormatName::Human)]
    format: FormatName,

    #[command(flatten)]
    run: RunArgs,
}

const DEFAULT_DEPTH: u32 = 5;

/// Stack of a thread in bytes: [`MOST_DEPTH`] plies of an unoptimised build take 4 MiB.
const STACK_BYTES: usize = 16 << 20;

fn depth(number: &str) -> Result<u32, String> {
    number
        .parse()
        .ok()
        .filter(|&depth| depth <= MOST_DEPTH)
        .ok_or_else(|| format!("not a number of plies from 0 to {MOST_DEPTH}"))
}

/// Run of this command.
struct PerftRun<'a> {
    flags: &'a PerftArgs,
    format: Box<CountFormat>,
    output: Output,
    table: Option<Table>,
    /// The engine of `--against`.
    engine: Option<Engine>,
    /// Nodes counted so far, more than 64 bits for some suites.
    nodes: u128,
}

pub(crate) fn run(flags: &PerftArgs) -> Result<Outcome, Error> {
    let per_move = match flags {
        PerftArgs {
            against: Some(_), ..
        } => Some("--against"),
        PerftArgs {
            compare: Some(_), ..
        } => Some("--compare"),
        PerftArgs { divide: true, .. } => Some("--divide"),
        _ => None,
    };
    if let (Some(option), Some(0)) = (per_move, flags.depth) {
        return Err(Error::usage(format!(
            "`{option}` counts for each first move, and `--depth 0` has none"
        )));
    }
    if flags.compare.is_some() && flags.fen == ["-"] {
        return Err(Error::usage(
            "`--compare` is about one position, not those of `-`",
        ));
    }
    if flags.compare.is_some() && flags.format != FormatName::Human {
        return Err(Error::usage(
            "`--compare` prints text only; `--against` has rows",
        ));
    }
    let columns = match flags {
        PerftArgs { divide: true, .. } => Columns::Divide,
        PerftArgs { kinds: true, .. } => Columns::Kinds,
        PerftArgs {
            against: Some(_), ..
        } => Columns::Contest,
        _ => Columns::Counts,
    };
    let stdin = (flags.fen == ["-"]).then(|| PathBuf::from("-"));
    let read = flags.suite.iter().chain(&flags.compare).chain(&stdin);
    let read: Vec<Source> = read.map(|path| Source::named(path)).collect();
    refuse_outputs(flags.run.file(), &OtherFiles::default(), &read)?;
    let output = Output::open(&flags.run, "position")?;
    let (cells, width) = (flags.run.csv.cells(), output.sink.columns());
    let mut run = PerftRun {
        flags,
        format: flags.format.with(columns, cells, width),
        output,
        table: table(flags.hash)?,
        engine: None,
        nodes: 0,
    };
    if let Some(command) = &flags.against {
        run.engine = match Engine::start(command, Duration::from_secs(flags.timeout)) {
            Ok(engine) => Some(engine),
            Err(NoAnswer::Failed(error)) => return Err(error),
            Err(NoAnswer::Interrupted) => {
                interrupt::say_done();
                return Ok(Outcome::NotDone);
            }
        };
    }
    let pool = thread_pool(threads(flags.run.jobs), STACK_BYTES)?;
    let outcome = pool.install(|| run.run())?;
    run.output.sink.finish()?;
    if !run.output.sink.is_closed() && !interrupt::asked() {
        let speed = run.output.speed(run.nodes as f64, "node");
        let nodes = run.nodes;
        run.output
            .log
            .remark(&format_args!("{nodes} nodes; {speed}"));
    }
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

/// Memory of this machine in MiB, on Linux.
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

impl PerftRun<'_> {
    fn run(&mut self) -> Result<Outcome, Error> {
        let flags = self.flags;
        if flags.compare.is_none() {
            self.format.begin(&mut self.output.sink)?;
        }
        if let Some(path) = &flags.suite {
            return self.suite(path);
        }
        let depth = flags.depth.unwrap_or(DEFAULT_DEPTH);
        if flags.fen == ["-"] {
            return self.positions_of_stdin(depth);
        }
        if let [depth] = &flags.fen[..]
            && depth.parse::<u32>().is_ok()
        {
            return Err(Error::Usage(format!(
                "`{depth}` is not a position; a depth is given by `--depth {depth}`"
            )));
        }
        let fen = match flags.fen.as_slice() {
            [] => fen::INITIAL.to_owned(),
            words => words.join(" "),
        };
        let setup_and_position = args::position(&fen, &self.output.log)?;
        if let Some(path) = &flags.compare {
            return self.compare(&setup_and_position.1, &fen, depth, path);
        }
        self.position(&setup_and_position, &fen, depth, false)
    }

    /// Counts the positions on stdin, one FEN a line.
    fn positions_of_stdin(&mut self, depth: u32) -> Result<Outcome, Error> {
        let text = read(Path::new("-"))?;
        let lines: Vec<(u32, &str)> = (1..)
            .zip(text.lines().map(str::trim))
            .filter(|(_, line)| !line.is_empty())
            .collect();
        if lines.is_empty() {
            return Err(Error::usage("no position found in `<stdin>`: it is empty"));
        }
        let mut outcome = Outcome::Done;
        for (number, line) in lines {
            match args::position(line, &self.output.log) {
                Ok(position) => match self.position(&position, line, depth, true)? {
                    Outcome::Done if self.output.sink.is_closed() => break,
                    Outcome::Done => interrupt::done(1),
                    _ if interrupt::asked() => return Ok(Outcome::NotDone),
                    Outcome::Reported if outcome == Outcome::Done => outcome = Outcome::Reported,
                    Outcome::Reported => {}
                    Outcome::NotDone => outcome = Outcome::NotDone,
                },
                Err(error) => {
                    let error = format_args!("<stdin>:{number}: {error}");
                    self.output.log.error(&error);
                    outcome = Outcome::NotDone;
                }
            }
        }
        Ok(outcome)
    }

    /// Writes an item.
    fn write(&mut self, item: CountItem<'_>) -> Result<(), Error> {
        let mut text = Buffer::default();
        self.format.item(&mut text, item);
        self.output.sink.write(text.as_bytes())
    }

    fn perft(&self) -> Perft<'_> {
        Perft {
            table: self.table.as_ref(),
            stop: Some(interrupt::flag()),
            counted: self.output.bar.counter(),
        }
    }

    /// Reports an interruption and the progress until then.
    fn interrupted(&self, done: usize, of: usize, what: &str) -> Outcome {
        interrupt::say(&self.output.log, &format!(" after {done} of {of} {what}"));
        Outcome::NotDone
    }

    /// Counts one position; one of several if `is_listed`.
    fn position(
        &mut self,
        (setup, position): &(Setup, Position),
        fen: &str,
        depth: u32,
        is_listed: bool,
    ) -> Result<Outcome, Error> {
        if self.engine.is_some() {
            return self.against(setup, fen, depth, None, is_listed);
        }
        if self.flags.kinds {
            return self.kinds(position, fen, depth, is_listed);
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
        let count = Count {
            fen,
            depth,
            nodes,
            expected: None,
            seconds: started.elapsed().as_secs_f64(),
        };
        if self.flags.divide {
            let mode = position.castling_mode();
            moves.sort_by_cached_key(|divided| divided.mv.uci(mode).to_string());
            let named = |divided: &Divided| (divided.mv.uci(mode).to_string(), divided.nodes);
            let moves: Vec<(String, u64)> = moves.iter().map(named).collect();
            let moves = &moves[..];
            self.write(CountItem::Divide {
                count,
                moves,
                is_listed,
            })?;
        } else {
            self.write(CountItem::Position { count, is_listed })?;
        }
        Ok(Outcome::Done)
    }

    /// Counts after each first move and their sum, with a progress bar. Errors are reported.
    fn divide(
        &self,
        position: &Position,
        fen: &str,
        depth: u32,
    ) -> Result<(Vec<Divided>, u64), Outcome> {
        let moves = position.count_legal_moves();
        let first_moves = Measure::Steps("first moves");
        self.output
            .bar
            .start(first_moves, Some(moves as u64), "nodes");
        let (bar, finished) = (&self.output.bar, Mutex::new(Vec::new()));
        let divided = ParallelPerft {
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
        self.output.bar.clear();
        divided.map_err(|uncounted| match uncounted {
            CountError::Stopped => {
                let finished = finished.into_inner().unwrap_or_default();
                let nodes: u128 = finished.iter().copied().map(u128::from).sum();
                self.interrupted(
                    finished.len(),
                    moves,
                    &format!("first moves, with {nodes} nodes"),
                )
            }
            CountError::TooLarge => {
                self.output
                    .log
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
        is_listed: bool,
    ) -> Result<Outcome, Error> {
        let mut counts: Vec<(Count<'_>, Kinds)> = Vec::new();
        let perft = ParallelPerft {
            perft: self.perft(),
            done: &|_| {},
        };
        let all = Some(u64::from(depth));
        self.output
            .bar
            .start(Measure::Steps("depths"), all, "nodes");
        let mut nodes = 0;
        for depth in 1..=depth {
            let started = Instant::now();
            let Ok(kinds) = perft.kinds(position, depth) else {
                self.output.bar.clear();
                return Ok(self.interrupted(
                    depth as usize - 1,
                    self.flags.depth.unwrap_or(DEFAULT_DEPTH) as usize,
                    "depths",
                ));
            };
            self.output.bar.step();
            nodes += u128::from(kinds.nodes);
            let count = Count {
                fen,
                depth,
                nodes: kinds.nodes,
                expected: None,
                seconds: started.elapsed().as_secs_f64(),
            };
            counts.push((count, kinds));
        }
        self.output.bar.clear();
        self.nodes += nodes;
        let counts = &counts[..];
        self.write(CountItem::Kinds {
            counts,
            fen,
            is_listed,
        })?;
        Ok(Outcome::Done)
    }
}

/// The text of a file, or of stdin as `-`, whose byte order mark tells UTF-8 or UTF-16.
fn read(path: &Path) -> Result<String, Error> {
    let bytes = match path == Path::new("-") {
        true => read_whole("<stdin>", io::stdin()),
        false => read_file(path),
    };
    Ok(decode_marked(&bytes?).into_owned())
}
