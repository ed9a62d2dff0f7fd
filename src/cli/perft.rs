//! `arbiter perft`

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;

use super::Outcome;
use super::games::threads;
use crate::error::Error;
use crate::input::{Suite, SuiteEntry};
use crate::output::{Bar, Sink, Talk};
use crate::rules::perft::{after, perft};
use crate::rules::{CastlingMode, Move, Position, Setup, fen};

/// Count positions, to prove the rules core right
///
/// Counts are of legal move sequences: 20 from the start position at depth 1, 400 at depth 2. Chess960 positions are
/// given with Shredder-FEN or X-FEN castling rights. Exit code 1: a count of the suite disagrees.
#[derive(Args, Debug)]
pub(super) struct Flags {
    /// The position; its fields may be given with or without quotes [default: the start position]
    #[arg(value_name = "FEN", conflicts_with = "suite")]
    fen: Vec<String>,

    /// How many plies deep; for a suite, the deepest counts that are checked [default: 5, all of a suite]
    #[arg(short, long, value_name = "N")]
    depth: Option<u32>,

    /// Show the count of each first move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,

    /// Check the counts of a file: lines `FEN ;D1 20 ;D2 400 …`, or `epd FEN` and `perft DEPTH COUNT` lines
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Leave out the counts of a suite that are larger than this
    #[arg(long, value_name = "N", requires = "suite")]
    nodes: Option<u64>,

    /// Threads that work [default: all cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Leave out the time on stderr
    #[arg(short, long)]
    quiet: bool,
}

const DEFAULT_DEPTH: u32 = 5;

pub(super) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let talk = Talk::new(flags.quiet, Bar::default());
    let mut sink = Sink::open(None, Bar::default())?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(flags.jobs))
        .build()
        .expect("threads can be started");
    let outcome = match &flags.suite {
        Some(path) => {
            let suite = read_suite(path)?;
            let name = path.display().to_string();
            pool.install(|| check_suite(flags, &name, &suite, &talk, &mut sink))?
        }
        None => {
            let position = position(&flags.fen)?;
            pool.install(|| count(flags, &position, &talk, &mut sink))?
        }
    };
    sink.finish()?;
    Ok(outcome)
}

fn position(words: &[String]) -> Result<Position, Error> {
    let text = if words.is_empty() {
        fen::INITIAL.to_owned()
    } else {
        words.join(" ")
    };
    let fail = |reason: String| Error::Fen {
        path: text.clone(),
        reason,
    };
    let setup: Setup = text
        .parse()
        .map_err(|error: fen::FenError| fail(error.to_string()))?;
    Position::new(&setup).map_err(|faults| fail(faults.to_string()))
}

fn read_suite(path: &Path) -> Result<Suite, Error> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|cause| Error::Open {
        path: name.clone(),
        cause,
    })?;
    Suite::parse(&crate::input::decode(&bytes)).map_err(|error| Error::Suite {
        path: name,
        line: error.line,
        reason: error.to_string(),
    })
}

fn count(
    flags: &Flags,
    position: &Position,
    talk: &Talk,
    sink: &mut Sink,
) -> Result<Outcome, Error> {
    let depth = flags.depth.unwrap_or(DEFAULT_DEPTH);
    let started = Instant::now();
    let mut text = String::new();
    let nodes = if flags.divide && depth > 0 {
        let mode = position.castling_mode();
        let mut moves = divide(position, depth, mode);
        moves.sort_unstable();
        for (uci, nodes) in &moves {
            let _ = writeln!(text, "{uci}: {nodes}");
        }
        text.push('\n');
        moves.iter().map(|(_, nodes)| nodes).sum()
    } else {
        parallel(position, depth)
    };
    let _ = writeln!(text, "nodes: {nodes}");
    sink.write(text.as_bytes())?;
    let seconds = started.elapsed().as_secs_f64();
    talk.remark(&format_args!(
        "depth {depth}: {nodes} nodes; {seconds:.3} s; {:.0} nodes/s",
        nodes as f64 / seconds.max(1e-9)
    ));
    Ok(Outcome::Done)
}

fn divide(position: &Position, depth: u32, mode: CastlingMode) -> Vec<(String, u64)> {
    position
        .legal_moves()
        .par_iter()
        .map(|&mv| {
            (
                mv.uci(mode).to_string(),
                parallel_after(position, mv, depth),
            )
        })
        .collect()
}

/// `perft` with the work of all first moves shared between the threads.
fn parallel(position: &Position, depth: u32) -> u64 {
    if depth < 3 {
        return perft(position, depth);
    }
    position
        .legal_moves()
        .par_iter()
        .map(|&mv| parallel_after(position, mv, depth))
        .sum()
}

/// The count after one move; split once more, as first moves differ much in their weight.
fn parallel_after(position: &Position, mv: Move, depth: u32) -> u64 {
    if depth < 4 {
        return after(position, mv, depth);
    }
    let mut next = position.clone();
    next.play(mv);
    next.legal_moves()
        .par_iter()
        .map(|&reply| after(&next, reply, depth - 1))
        .sum()
}

/// What was counted of one position.
struct Counted<'a> {
    entry: &'a SuiteEntry,
    /// Depth, expected and counted.
    counts: Vec<(u32, u64, u64)>,
    faults: Option<String>,
}

fn check_suite(
    flags: &Flags,
    name: &str,
    suite: &Suite,
    talk: &Talk,
    sink: &mut Sink,
) -> Result<Outcome, Error> {
    let started = Instant::now();
    let wanted = |&&(depth, nodes): &&(u32, u64)| {
        flags.depth.is_none_or(|most| depth <= most) && flags.nodes.is_none_or(|most| nodes <= most)
    };
    let counted: Vec<Counted<'_>> = suite
        .entries
        .par_iter()
        .map(|entry| match Position::new(&entry.setup) {
            Ok(position) => Counted {
                entry,
                counts: entry
                    .counts
                    .iter()
                    .filter(wanted)
                    .map(|&(depth, expected)| (depth, expected, parallel(&position, depth)))
                    .collect(),
                faults: None,
            },
            Err(faults) => Counted {
                entry,
                counts: Vec::new(),
                faults: Some(faults.to_string()),
            },
        })
        .collect();

    let mut text = String::new();
    let (mut checked, mut wrong, mut nodes) = (0_u64, 0_u64, 0_u64);
    for Counted {
        entry,
        counts,
        faults,
    } in &counted
    {
        if let Some(faults) = faults {
            wrong += 1;
            let _ = writeln!(
                text,
                "{name}:{}: cannot be played: {faults}: {}",
                entry.line, entry.fen
            );
        }
        for &(depth, expected, found) in counts {
            checked += 1;
            nodes += found;
            if found != expected {
                wrong += 1;
                let _ = writeln!(
                    text,
                    "{name}:{}: depth {depth}: {found} nodes, expected {expected}: {}",
                    entry.line, entry.fen
                );
            }
        }
    }
    let _ = writeln!(
        text,
        "{} positions, {checked} counts, {nodes} nodes: {}",
        counted.len(),
        if wrong == 0 {
            "all agree".to_owned()
        } else {
            format!("{wrong} wrong")
        }
    );
    sink.write(text.as_bytes())?;
    let seconds = started.elapsed().as_secs_f64();
    talk.remark(&format_args!(
        "{seconds:.3} s; {:.0} nodes/s",
        nodes as f64 / seconds.max(1e-9)
    ));
    Ok(if checked + wrong == 0 {
        talk.error(&"no count of the suite is within --depth and --nodes");
        Outcome::NotDone
    } else if wrong > 0 {
        Outcome::Reported
    } else {
        Outcome::Done
    })
}
