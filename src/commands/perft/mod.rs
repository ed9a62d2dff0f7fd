#![doc = include_str!("README.md")]

pub mod counting;
pub mod suite;

mod against;
mod compare;
mod contest;
mod engine;
mod formats;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::chess::{CastlingMode, Position, PositionError, Setup, fen};
use crate::commands::args::{OtherFiles, RunArgs, number, refuse_outputs, threads};
use crate::commands::held_file::{read_file, read_whole};
use crate::commands::modes::Mode;
use crate::commands::output::{Outcome, Output};
use crate::commands::perft::compare::legal_move;
use crate::commands::perft::counting::{
    CountError, CountTable, Kinds, MOST_DEPTH, Perft, sum, thread_pool,
};
use crate::commands::perft::engine::Engine;
use crate::commands::perft::formats::{Count, PerftFormat, kinds_table};
use crate::commands::{args, interrupt};
use crate::error::Error;
use crate::input::{INTERRUPTED, Source};
use crate::report::Measure;
use crate::report::escape::Escaped;
use crate::report::rows::Rows;
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
#[command(verbatim_doc_comment, next_help_heading = "Counting")]
pub(crate) struct PerftArgs {
    /// Position; - for FENs on stdin, one a line [default: the start position]
    ///
    /// With or without quotes; also in the words of UCI: startpos, `startpos moves e2e4 e7e5`,
    /// `fen FEN moves …`, with `position` before it or not.
    #[arg(display_order = 0)]
    #[arg(id = "position", value_name = "FEN", help_heading = "Input")]
    fen: Vec<String>,

    /// Depth in plies [default: 5; all depths of a suite]
    ///
    /// Up to 255; for a suite, the largest depth to check.
    #[arg(short, long, value_name = "N", value_parser = number(0..=MOST_DEPTH))]
    depth: Option<u32>,

    /// Show the count of each first move
    #[arg(long, help_heading = "Modes")]
    divide: bool,

    /// Count the kinds of the last moves, at each depth
    ///
    /// Captures, en passant, castles, promotions, checks, discovered and double checks, and mates.
    #[arg(long, help_heading = "Modes")]
    kinds: bool,

    /// Size of the transposition table in MiB
    ///
    /// All threads share it.
    #[arg(long, value_name = "MIB", default_value_t = 0, value_parser = number::<usize>(0..))]
    hash: usize,

    /// Check the counts of a file; - for stdin
    ///
    /// Lines `FEN ;D1 20 ;D2 400 …`, or `epd FEN` and `perft DEPTH COUNT` lines.
    #[arg(long, value_name = "FILE", help_heading = "Modes")]
    suite: Option<PathBuf>,

    /// Skip counts of a suite above this
    #[arg(long, value_name = "N", help_heading = "Compare")]
    #[arg(value_parser = number::<u64>(0..))]
    nodes: Option<u64>,

    /// Compare with a divide by another engine; - for stdin
    ///
    /// The divide is that of the same position and depth.
    #[arg(long = "compare", value_name = "FILE", help_heading = "Modes")]
    other_divide: Option<PathBuf>,

    /// Find the first position whose moves a UCI engine lists differently
    ///
    /// The command is started once, and its `go perft` asked after each move that leads to a
    /// difference. A suite is compared at the largest depth of each line.
    #[arg(long, value_name = "COMMAND", help_heading = "Modes")]
    against: Option<String>,

    /// Seconds that the engine may take for an answer
    #[arg(long, value_name = "SECONDS", help_heading = "Compare")]
    #[arg(default_value_t = 60, requires = "against")]
    #[arg(value_parser = number(1..=604_800_u64), hide_short_help = true)]
    timeout: u64,

    /// Output format
    #[arg(long, value_enum, default_value_t = PerftFormat::Human, help_heading = "Output")]
    format: PerftFormat,

    #[command(flatten)]
    run: RunArgs,
}

const DEFAULT_DEPTH: u32 = 5;

/// Nodes counted so far, without a bar that shows them.
static NODES: AtomicU64 = AtomicU64::new(0);

/// Stack of a thread in bytes: [`MOST_DEPTH`] plies of an unoptimised build take 4 MiB.
const STACK_BYTES: usize = 16 << 20;

impl PerftArgs {
    /// Whether a count of a suite, given as depth and nodes, is to be checked.
    pub(crate) fn selects(&self, (depth, nodes): (u32, u64)) -> bool {
        self.depth.is_none_or(|most| depth <= most) && self.nodes.is_none_or(|most| nodes <= most)
    }

    /// Refuses options that do not go together.
    fn check(&self, mode: Mode) -> Result<(), Error> {
        let per_move = matches!(mode, Mode::Divide | Mode::Against | Mode::OtherDivide);
        if per_move && self.depth == Some(0) {
            let reason = "counts are of each first move, and `--depth 0` has none";
            return Err(Error::usage(reason));
        }
        if mode == Mode::OtherDivide && self.fen == ["-"] {
            return Err(Error::usage(
                "`--compare` is about one position, not those of `-`",
            ));
        }
        Ok(())
    }
}

/// Reason why there is no result.
pub(crate) enum NoResult {
    /// An interruption or an error that has been reported.
    Reported,
    Failed(Error),
}

impl From<Error> for NoResult {
    fn from(error: Error) -> NoResult {
        NoResult::Failed(error)
    }
}

/// Run of this command.
struct PerftRun<'a> {
    flags: &'a PerftArgs,
    mode: Mode,
    /// Syntax of the rows; none for sentences.
    rows: Option<Rows>,
    output: Output,
    table: Option<CountTable>,
    /// The engine of `--against`.
    engine: Option<Engine>,
    /// Nodes counted so far, more than 64 bits for some suites.
    nodes: u128,
}

pub(crate) fn run(flags: &PerftArgs, mode: Mode) -> Result<Outcome, Error> {
    flags.check(mode)?;
    let stdin = (flags.fen == ["-"]).then(|| PathBuf::from("-"));
    let read = flags.suite.iter().chain(&flags.other_divide).chain(&stdin);
    let read: Vec<Source> = read.map(|path| Source::named(path)).collect();
    refuse_outputs(flags.run.file(), &OtherFiles::default(), &read)?;
    let mut run = PerftRun {
        flags,
        mode,
        rows: flags.format.rows(flags.run.cells()),
        output: Output::open(&flags.run, flags.run.file(), "position")?,
        table: table(flags.hash)?,
        engine: None,
        nodes: 0,
    };
    let pool = thread_pool(threads(flags.run.jobs), STACK_BYTES)?;
    let outcome = match pool.install(|| run.run()) {
        Ok(outcome) => outcome,
        Err(NoResult::Reported) => Outcome::NotDone,
        Err(NoResult::Failed(error)) => return Err(error),
    };
    run.output.sink.finish()?;
    if !run.output.sink.is_closed() && !interrupt::asked() && run.nodes > 0 {
        let speed = run.output.speed(run.nodes as f64, "node");
        let nodes = run.nodes;
        run.output
            .log
            .remark(&format_args!("{nodes} nodes {speed}"));
    }
    Ok(outcome)
}

/// The table of a `--hash`, unless that is 0.
fn table(mib: usize) -> Result<Option<CountTable>, Error> {
    if mib == 0 {
        return Ok(None);
    }
    let refuse = |reason: String| Error::usage(format!("`--hash {mib}`: {reason}"));
    // The system promises more than it has.
    if let Some(memory) = memory().filter(|&memory| mib as u64 > memory) {
        return Err(refuse(format!("this machine has {memory} MiB of memory")));
    }
    match CountTable::new(mib) {
        None => Err(refuse(format!(
            "not enough memory for a table of {mib} MiB"
        ))),
        table => Ok(table),
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
    fn run(&mut self) -> Result<Outcome, NoResult> {
        let flags = self.flags;
        if let Some(command) = &flags.against {
            self.engine = Some(Engine::start(command, Duration::from_secs(flags.timeout))?);
        }
        self.write_header()?;
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
            let reason =
                format!("`{depth}` is not a position; a depth is given by `--depth {depth}`");
            return Err(Error::Usage(reason).into());
        }
        let fen = match flags.fen.as_slice() {
            [] => fen::INITIAL.to_owned(),
            words => fen_of(&words.join(" "))?,
        };
        let setup_and_position = args::position(&fen, &self.output.log)?;
        if let Some(path) = &flags.other_divide {
            return self.compare(&setup_and_position.1, &fen, depth, path);
        }
        self.position(&setup_and_position, &fen, depth, false)
    }

    /// Counts the positions on stdin, one FEN a line.
    fn positions_of_stdin(&mut self, depth: u32) -> Result<Outcome, NoResult> {
        let text = read(Path::new("-"))?;
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut lines = lines.filter(|(_, line)| !line.is_empty()).peekable();
        if lines.peek().is_none() {
            let reason = "no position found in `<stdin>`: it is empty";
            return Err(Error::usage(reason).into());
        }
        let mut outcome = Outcome::Done;
        for (number, line) in lines {
            let position =
                fen_of(line).and_then(|fen| Ok((args::position(&fen, &self.output.log)?, fen)));
            let (position, fen) = match position {
                Ok(position) => position,
                Err(error) => {
                    let error = format_args!("<stdin>:{number}: {error}");
                    self.output.log.error(&error);
                    outcome = Outcome::NotDone;
                    continue;
                }
            };
            match self.position(&position, &fen, depth, true) {
                Err(NoResult::Failed(error)) => return Err(error.into()),
                Ok(Outcome::Done) if self.output.sink.is_closed() => break,
                Ok(Outcome::Done) => interrupt::done(1),
                _ if interrupt::asked() => return Ok(Outcome::NotDone),
                Ok(_) if outcome == Outcome::Done => outcome = Outcome::Reported,
                Ok(_) => {}
                Err(NoResult::Reported) => outcome = Outcome::NotDone,
            }
        }
        Ok(outcome)
    }

    fn perft(&self) -> Perft<'_> {
        Perft {
            table: self.table.as_ref(),
            stop: Some(&INTERRUPTED),
            counted: Some(self.output.bar.counter().unwrap_or(&NODES)),
        }
    }

    /// Reports an interruption and the progress until then.
    fn interrupted(&self, done: usize, of: usize, what: &str) -> NoResult {
        interrupt::say(&self.output.log, &format!(" after {done} of {of} {what}"));
        NoResult::Reported
    }

    /// Counts one position; one of several if `is_listed`.
    fn position(
        &mut self,
        (setup, position): &(Setup, Position),
        fen: &str,
        depth: u32,
        is_listed: bool,
    ) -> Result<Outcome, NoResult> {
        match self.mode {
            Mode::Against => return self.against(setup, fen, depth, None, is_listed),
            Mode::Kinds => return self.kinds(position, fen, depth, is_listed),
            _ => {}
        }
        let started = Instant::now();
        let mode = position.castling_mode();
        let (moves, sum) = self.divide(position, fen, depth.max(1), mode)?;
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
        let divides = self.mode == Mode::Divide;
        self.write(|out, rows| {
            if divides {
                count.write_divide(out, rows, &moves, is_listed);
            } else {
                count.write(out, rows, is_listed);
            }
        })?;
        Ok(Outcome::Done)
    }

    /// Counts after each first move, by its name, and their sum, with a progress bar.
    fn divide(
        &self,
        position: &Position,
        fen: &str,
        depth: u32,
        mode: CastlingMode,
    ) -> Result<(BTreeMap<String, u64>, u64), NoResult> {
        let moves = position.count_legal_moves();
        let first_moves = Measure::Steps("first moves");
        let bar = &self.output.bar;
        bar.start(first_moves, Some(moves as u64), "nodes");
        let (perft, finished) = (self.perft(), AtomicUsize::new(0));
        let divided = perft.divide(position, depth, |_| {
            finished.fetch_add(1, Ordering::Relaxed);
            bar.step();
        });
        let divided = divided.and_then(|divided| sum(&divided).map(|sum| (divided, sum)));
        bar.clear();
        match divided {
            Ok((divided, sum)) => {
                let named = divided.iter();
                let named = named.map(|(mv, nodes)| (mv.uci(mode).to_string(), *nodes));
                Ok((named.collect(), sum))
            }
            Err(CountError::Stopped) => {
                let nodes = perft.counted.map_or(0, |it| it.load(Ordering::Relaxed));
                let what = format!("first moves, with {nodes} nodes");
                Err(self.interrupted(finished.into_inner(), moves, &what))
            }
            Err(CountError::TooLarge) => {
                let error = Error::invalid("FEN", fen, None, too_large(depth));
                self.output.log.error(&error);
                Err(NoResult::Reported)
            }
        }
    }

    fn kinds(
        &mut self,
        position: &Position,
        fen: &str,
        depth: u32,
        is_listed: bool,
    ) -> Result<Outcome, NoResult> {
        let mut counts: Vec<(Count<'_>, Kinds)> = Vec::new();
        let (perft, bar) = (self.perft(), &self.output.bar);
        bar.start(Measure::Steps("depths"), Some(u64::from(depth)), "nodes");
        for nth in 1..=depth {
            let started = Instant::now();
            let Ok(kinds) = perft.kinds(position, nth) else {
                bar.clear();
                return Err(self.interrupted(nth as usize - 1, depth as usize, "depths"));
            };
            bar.step();
            let count = Count {
                fen,
                depth: nth,
                nodes: kinds.nodes,
                expected: None,
                seconds: started.elapsed().as_secs_f64(),
            };
            counts.push((count, kinds));
        }
        bar.clear();
        let all = counts.iter().map(|(count, _)| u128::from(count.nodes));
        self.nodes += all.sum::<u128>();
        let width = self.output.sink.columns();
        self.write(|out, rows| match rows {
            Some(rows) => counts
                .iter()
                .for_each(|(count, kinds)| count.write_row(out, rows, Some(kinds))),
            None => {
                if is_listed {
                    let _ = writeln!(out, "{}", Escaped(fen));
                }
                out.push_str(&kinds_table(&counts, width));
            }
        })?;
        Ok(Outcome::Done)
    }
}

/// The FEN of a position that is given as to a UCI engine, such as `startpos moves e2e4`. Any other
/// text is returned as it is.
fn fen_of(text: &str) -> Result<String, Error> {
    let all: Vec<&str> = text.split_ascii_whitespace().collect();
    let words = all.strip_prefix(&["position"]).unwrap_or(&all);
    let end = words.iter().position(|word| *word == "moves");
    let (start, moves) = words.split_at(end.unwrap_or(words.len()));
    let start = match start {
        [word] if word.eq_ignore_ascii_case("startpos") => fen::INITIAL.to_owned(),
        ["fen", fen @ ..] => fen.join(" "),
        fen if fen.len() == all.len() => return Ok(text.to_owned()),
        fen => fen.join(" "),
    };
    let fail = |reason: String| Error::invalid("FEN", text, None, reason);
    let mut position: Position = start
        .parse()
        .map_err(|error: PositionError| fail(error.to_string()))?;
    let mode = position.castling_mode();
    for word in moves.iter().skip(1) {
        let mv = legal_move(&position, &word.to_ascii_lowercase());
        let mv =
            mv.ok_or_else(|| fail(format!("`{word}` is not legal in the position before it")))?;
        position = position.after(mv);
    }
    Ok(match mode {
        CastlingMode::Standard => position.to_string(),
        CastlingMode::Chess960 => format!("{:#}", position.setup()),
    })
}

/// The text of a file, or of stdin as `-`, whose byte order mark tells UTF-8 or UTF-16.
fn read(path: &Path) -> Result<String, Error> {
    let bytes = if path == Path::new("-") {
        read_whole("<stdin>", io::stdin(), 0)
    } else {
        read_file(path)
    };
    Ok(decode_marked(&bytes?).into_owned())
}
