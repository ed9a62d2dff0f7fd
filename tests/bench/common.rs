//! Shared by the benchmarks: machine details, medians, rounds.

// Each benchmark uses only a part of this module.
#![allow(dead_code)]

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use arbiter::error::Error;
use arbiter::input::{Chunk, Source, SourceId};
use arbiter::pipeline::{Item, Run};

/// Prints the command, the processor, its cores, and the instructions the binary was built for.
pub fn print_machine() {
    println!("{}", command());
    let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processor = cpu_info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let cores = thread::available_parallelism().map_or(0, usize::from);
    println!("processor: {processor}, {cores} cores");
    println!(
        "built for: popcnt {}, bmi2 {}",
        yes(cfg!(target_feature = "popcnt")),
        yes(cfg!(target_feature = "bmi2"))
    );
}

/// The command line that repeats this run.
fn command() -> String {
    let program = env::args_os().next().map(PathBuf::from);
    let name = program.as_deref().and_then(Path::file_stem);
    let name = name.unwrap_or_default().to_string_lossy();
    // Cargo appends a hash to the name.
    let name = name.rsplit_once('-').map_or(&*name, |(name, _)| name);
    let wishes: String = ["ARBITER_CORPUS", "ARBITER_BENCH_FILE", "ARBITER_ROUNDS"]
        .iter()
        .filter_map(|wish| Some(format!("{wish}={} ", env::var_os(wish)?.display())))
        .collect();
    format!("{wishes}cargo bench --bench {name}")
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Result of `work`, and its duration in seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let answer = black_box(work());
    (answer, begin.elapsed().as_secs_f64())
}

pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

/// Runs on one thread, and on one thread for each processor.
pub fn runs() -> [Run; 2] {
    let all = thread::available_parallelism().map_or(1, usize::from);
    [1, all].map(|jobs| Run {
        jobs,
        ..Run::default()
    })
}

/// Merges the results of all chunks into `whole`.
pub fn fold<S: Send, T: Send + 'static, W>(
    run: &Run,
    sources: &[Source],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &Source, &mut Chunk) -> T + Sync,
    mut whole: W,
    mut merge: impl FnMut(&mut W, T),
) -> W {
    let emit = |item| {
        match item {
            Item::Part(part) => merge(&mut whole, part.value),
            Item::End(end) => assert!(end.error.is_none(), "{:?}", end.error),
        }
        Ok::<(), Error>(())
    };
    let work =
        |state: &mut S, source: &Source, chunk: &mut Chunk, _: &_| work(state, source, chunk);
    run.in_order(sources, state, work, |_| 0, emit)
        .expect("threads can be started");
    whole
}

/// Minimum duration of a thread comparison.
const SPELL: Duration = Duration::from_secs(5);

/// Prints the speed-up of many threads over one, for one file and for the file eight times in one
/// run. The difference separates thread wake-up cost from contention.
pub fn print_scaling(runs: &[Run; 2], rounds: usize, work: impl Fn(&Run, usize)) {
    let faster = [1, 8].map(|files| {
        let mut seconds = [Vec::new(), Vec::new()];
        let begin = Instant::now();
        // A run may take only milliseconds. Other load on the machine lasts longer.
        while seconds[0].len() < rounds || begin.elapsed() < SPELL {
            for (times, run) in seconds.iter_mut().zip(runs) {
                times.push(timed(|| work(run, files)).1);
            }
        }
        median(&seconds[0]) / median(&seconds[1])
    });
    println!(
        "{} threads against one: {:.2}; eight such files in one run: {:.2}",
        runs[1].jobs, faster[0], faster[1]
    );
}

/// A file as the source of a run, repeated `times` times.
pub fn sources(path: &Path, times: usize) -> Vec<Source> {
    (0..times)
        .map(|nth| Source::file(SourceId(nth as u32), path.to_owned()))
        .collect()
}

/// Number of rounds from `ARBITER_ROUNDS`.
pub fn rounds(otherwise: usize) -> usize {
    env::var("ARBITER_ROUNDS").map_or(otherwise, |rounds| {
        rounds.parse().expect("ARBITER_ROUNDS is a number")
    })
}

/// A corpus file and its name, or `None` without a corpus.
pub fn games_of(file: &str) -> Option<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = env::var_os("ARBITER_CORPUS")?;
    Some(read(folder.join(corpus).join(file)))
}

fn read(path: PathBuf) -> (String, Vec<u8>) {
    let name = path.file_name().unwrap_or_default().display().to_string();
    let mut text = Vec::new();
    Source::file(SourceId(0), path)
        .open(Arc::default())
        .expect("the games can be opened")
        .read_to_end(&mut text)
        .expect("the games can be read");
    (name, text)
}

/// Games to measure with, and their name: `ARBITER_BENCH_FILE`, or dense master games from the
/// corpus, or the repeated fixtures.
pub fn games() -> (String, Vec<u8>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = env::var_os("ARBITER_BENCH_FILE").map(PathBuf::from);
    if let Some(path) = named {
        read(path)
    } else if let Some(games) = games_of("bulk/masters_dense.pgn.zst") {
        games
    } else {
        let text = fs::read(folder.join("fixtures/famous.pgn")).expect("the fixture is there");
        ("famous.pgn, 10,000 times".to_owned(), text.repeat(10_000))
    }
}

/// Measures with master games, server games with clocks, and engine games with comments and CRLF.
/// Uses [`games`] instead if a file is named or there is no corpus.
pub fn with_each_kind(measure: impl Fn(&str, &[u8])) {
    const FILES: [&str; 3] = [
        "bulk/masters_dense.pgn.zst",
        "bulk/lichess_clk_eval_10k_games.pgn.zst",
        "bulk/engines_long_comments_crlf.pgn.zst",
    ];
    if env::var_os("ARBITER_BENCH_FILE").is_some() || env::var_os("ARBITER_CORPUS").is_none() {
        let (name, text) = games();
        measure(&name, &text);
    } else {
        for file in FILES {
            let (name, text) = games_of(file).expect("the corpus has the file");
            measure(&name, &text);
        }
    }
}
