//! Shared by the benchmarks: machine details, whole commands, medians, rounds.

// Each benchmark uses only a part of this module.
#![allow(dead_code)]

use std::env;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
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
        "ARBITER_PLAIN",
        "ARBITER_CORPUS",
        "ARBITER_BENCH_FILE",
        "ARBITER_ROUNDS",
    ]
    .iter()
    .filter_map(|wish| Some(format!("{wish}={} ", env::var_os(wish)?.display())))
    .collect();
    format!("{wishes}cargo bench --bench {name}")
}

/// Prints the versions of the crates compared, as `Cargo.lock` has them.
pub fn print_peers(crates: &[&str]) {
    let lock = include_str!("../../Cargo.lock");
    let versions: Vec<_> = crates
        .iter()
        .map(|name| {
            let entry = format!("name = \"{name}\"\nversion = \"");
            let (_, rest) = lock.split_once(&entry).expect("the crate is locked");
            format!("{name} {}", &rest[..rest.find('"').unwrap_or(rest.len())])
        })
        .collect();
    println!("compared with: {}", versions.join(", "));
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

/// The arbiter that `ARBITER_BINARY` names, or the one built with the benchmark.
fn released() -> PathBuf {
    env::var_os("ARBITER_BINARY").map_or(env!("CARGO_BIN_EXE_arbiter").into(), PathBuf::from)
}

/// The plain release build that `ARBITER_PLAIN` names.
pub fn plain() -> Option<PathBuf> {
    env::var_os("ARBITER_PLAIN").map(PathBuf::from)
}

/// A command of arbiter over a file.
pub fn arbiter(words: &[&str], path: &Path) -> Command {
    arbiter_of(&released(), words, path)
}

fn arbiter_of(binary: &Path, words: &[&str], path: &Path) -> Command {
    let mut command = Command::new(binary);
    command.args(words).arg("-q").arg(path);
    command
}

const PLAIN: &str = ", plain build";

/// A command over a file, with its name, and the same of the plain build if there is one.
pub fn both_builds(name: &str, words: &[&str], path: &Path) -> Vec<(String, Command)> {
    let mut commands = vec![(name.to_owned(), arbiter(words, path))];
    if let Some(plain) = plain() {
        let name = format!("{name}{PLAIN}");
        commands.push((name, arbiter_of(&plain, words, path)));
    }
    commands
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

/// Seconds of each run of a command.
pub struct Times {
    pub name: String,
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

impl Times {
    pub fn new(name: impl Into<String>) -> Times {
        Times {
            name: name.into(),
            wall: Vec::new(),
            cpu: Vec::new(),
        }
    }

    /// Runs a command to completion and adds its times. The output is discarded.
    pub fn add_run(&mut self, command: &Command) {
        let (wall, cpu) = run(command);
        self.wall.push(wall);
        self.cpu.extend(cpu);
    }

    /// Median of the wall time.
    pub fn wall(&self) -> f64 {
        median(&self.wall)
    }

    /// Median of user and system time, if the shell measures them.
    pub fn cpu(&self) -> Option<f64> {
        (!self.cpu.is_empty()).then(|| median(&self.cpu))
    }
}

/// Runs a command: its wall time, and its user and system time. The output is discarded.
///
/// Bash measures in milliseconds, without its own start. `/proc` has the time of children in ticks
/// of 10 ms, which is a fifth of the shortest command.
pub fn run(command: &Command) -> (f64, Option<f64>) {
    const SCRIPT: &str = r#"TIMEFORMAT='%3R %3U %3S'; time "$0" "$@" 2>/dev/null"#;
    fn check(status: ExitStatus, command: &Command) {
        assert!(
            matches!(status.code(), Some(0 | 1)),
            "{command:?}: {status}"
        );
    }
    let words = || {
        [command.get_program()]
            .into_iter()
            .chain(command.get_args())
    };
    let in_shell = Command::new("bash")
        .args(["-c", SCRIPT])
        .args(words())
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output();
    if let Ok(output) = in_shell {
        check(output.status, command);
        let times = String::from_utf8_lossy(&output.stderr);
        let times: Vec<f64> = times.split_whitespace().flat_map(str::parse).collect();
        let &[wall, user, system] = &times[..] else {
            panic!("three times, not {times:?}");
        };
        return (wall, Some(user + system));
    }
    let mut again = Command::new(command.get_program());
    again.args(command.get_args()).stdin(Stdio::null());
    again.stdout(Stdio::null()).stderr(Stdio::null());
    let (status, wall) = timed(|| again.status());
    check(status.expect("the program can be started"), command);
    (wall, None)
}

/// Runs commands in turns, so that changes of clock speed meet all of them.
/// A first round, not counted, fills the page cache.
pub fn in_turns(
    rounds: usize,
    programs: impl IntoIterator<Item = (String, Command)>,
) -> Vec<Times> {
    let (names, commands): (Vec<_>, Vec<_>) = programs.into_iter().unzip();
    let mut times: Vec<_> = names.into_iter().map(Times::new).collect();
    for round in 0..=rounds {
        for turn in 0..commands.len() {
            let which = (round + turn) % commands.len();
            if round == 0 {
                run(&commands[which]);
            } else {
                times[which].add_run(&commands[which]);
            }
        }
    }
    times
}

/// A number of a table, or `-`.
pub fn cell(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
}

/// Quotient of two times, if both are known.
pub fn quotient(of: Option<f64>, by: Option<f64>) -> Option<f64> {
    Some(of? / by?)
}

/// Prints the times of programs, the first of which the others are compared with, and how the first
/// command of the plain build compares with the released one.
pub fn compared_with_peer(games: &Games, times: &[Times]) {
    println!(
        "{:38} {:>8} {:>8} {:>7} {:>8} {:>7}",
        "", "s", "MB/s", "ratio", "CPU s", "ratio"
    );
    let base = &times[0];
    for program in times {
        let wall = program.wall();
        println!(
            "{:38} {wall:>8.3} {:>8.1} {:>7.2} {:>8} {:>7}",
            program.name,
            games.bytes as f64 / wall / 1e6,
            base.wall() / wall,
            cell(program.cpu(), 3),
            cell(quotient(base.cpu(), program.cpu()), 2)
        );
    }
    if let Some(pair) = times.windows(2).find(|pair| pair[1].name.ends_with(PLAIN)) {
        println!(
            "{}: plain build against the released one: {} of the CPU",
            pair[0].name,
            cell(quotient(pair[1].cpu(), pair[0].cpu()), 2)
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
