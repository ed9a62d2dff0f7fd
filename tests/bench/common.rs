//! Shared by the benchmarks: machine details, medians, rounds.

// Each benchmark uses only a part of this module.
#![allow(dead_code)]

use std::env;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use arbiter::input::{Source, SourceId};

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
    let wishes: String = [
        "ARBITER_BINARY",
        "ARBITER_CORPUS",
        "ARBITER_BENCH_FILE",
        "ARBITER_ROUNDS",
    ]
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

/// Number of processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A command of arbiter over a file: of the binary that `ARBITER_BINARY` names, or of the one built
/// with the benchmark.
pub fn arbiter(words: &[&str], path: &Path) -> Command {
    let binary = env::var_os("ARBITER_BINARY");
    let mut command = Command::new(binary.unwrap_or(env!("CARGO_BIN_EXE_arbiter").into()));
    command.args(words).arg("-q").arg(path);
    command
}

/// The benchmark itself as a command, which reads a file with the program compared.
pub fn peer(path: &Path) -> Command {
    let mut command = Command::new(env::current_exe().expect("the program is a file"));
    command.arg(PEER).arg(path);
    command
}

const PEER: &str = "--peer";

/// The file to read with the program compared, if this is the process for that.
pub fn is_peer() -> Option<PathBuf> {
    let mut words = env::args_os().skip(1);
    (words.next()? == PEER).then(|| PathBuf::from(words.next().expect("a file is named")))
}

/// Runs commands in turns, so that changes of clock speed meet all of them: the seconds of each.
/// A first round, not counted, fills the page cache.
pub fn in_turns(
    rounds: usize,
    programs: impl IntoIterator<Item = (String, Command)>,
) -> Vec<(String, Vec<f64>)> {
    let (mut commands, mut seconds) = (Vec::new(), Vec::new());
    for (name, mut command) in programs {
        command.stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        commands.push(command);
        seconds.push((name, Vec::new()));
    }
    for round in 0..=rounds {
        for turn in 0..commands.len() {
            let which = (round + turn) % commands.len();
            let (status, time) = timed(|| commands[which].status());
            let status = status.expect("the program can be started");
            assert!(matches!(status.code(), Some(0 | 1)), "{status}");
            if round > 0 {
                seconds[which].1.push(time);
            }
        }
    }
    seconds
}

/// Prints the times of programs, the first of which the others are compared with.
pub fn compared_with_peer(games: &Games, seconds: &[(String, Vec<f64>)]) {
    println!("{:26} {:>9} {:>8} {:>7}", "", "s", "MB/s", "ratio");
    let base = median(&seconds[0].1);
    for (name, times) in seconds {
        let time = median(times);
        println!(
            "{name:26} {time:>9.4} {:>8.1} {:>7.2}",
            games.bytes as f64 / time / 1e6,
            base / time
        );
    }
}

/// Games in an uncompressed temporary file.
pub struct Games {
    name: String,
    pub path: PathBuf,
    pub bytes: u64,
}

impl Display for Games {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} bytes", self.name, self.bytes)
    }
}

impl Drop for Games {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Measures with each kind of games, repeated to a file that takes longer to read than a command
/// to start.
pub fn each_kind(measure: impl Fn(&Games)) {
    const LEAST: usize = 240_000_000;
    with_each_kind(|name, text| {
        let text = text.repeat(LEAST.div_ceil(text.len()));
        let path = env::temp_dir().join(format!("arbiter-bench-{}.pgn", std::process::id()));
        fs::write(&path, &text).expect("the temporary file can be written");
        let games = Games {
            name: name.to_owned(),
            path,
            bytes: text.len() as u64,
        };
        drop(text);
        measure(&games);
    });
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
