//! Output formats of `replay` against `validate` over the same games, in the same run.
//!
//! `cargo bench --bench replay`. The games are those of
//! `$ARBITER_CORPUS/bulk/masters_dense.pgn.zst`, or the repeated fixtures without a corpus.
//! `ARBITER_BENCH_FILE` names another file. Each command runs as users run it, on one thread, over
//! an uncompressed file in the page cache, and its output is discarded. `ARBITER_ROUNDS` is the
//! number of rounds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{games, median, print_machine, rounds, timed};

const COMMANDS: [(&str, &[&str]); 8] = [
    ("validate", &["validate"]),
    ("replay --format csv", &["replay", "--format", "csv"]),
    ("replay --format jsonl", &["replay", "--format", "jsonl"]),
    ("replay --format uci", &["replay", "--format", "uci"]),
    ("replay --format fen", &["replay", "--format", "fen"]),
    ("replay --format pgn", &["replay", "--format", "pgn"]),
    (
        "... --keep all",
        &["replay", "--format", "pgn", "--keep", "all"],
    ),
    ("replay (human)", &["replay"]),
];

/// Runs a command to completion, ignoring its exit code.
fn run(words: &[&str], path: &Path) {
    let status = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(words)
        .args(["-q", "-j", "1"])
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("arbiter can be started");
    assert!(matches!(status.code(), Some(0 | 1)), "{words:?}: {status}");
}

fn main() {
    let rounds = rounds(5);
    let (name, text) = games();
    let bytes = text.len();
    let path = env::temp_dir().join(format!("arbiter-bench-{}.pgn", std::process::id()));
    fs::write(&path, text).expect("the temporary file can be written");
    print_machine();
    println!("{name}: {bytes} bytes; one thread, {rounds} rounds, medians");

    // The first round fills the page cache.
    // Alternating spreads changes of clock speed over all commands.
    let mut seconds = [const { Vec::new() }; COMMANDS.len()];
    for round in 0..=rounds {
        for turn in 0..COMMANDS.len() {
            let which = (round + turn) % COMMANDS.len();
            let ((), time) = timed(|| run(COMMANDS[which].1, &path));
            if round > 0 {
                seconds[which].push(time);
            }
        }
    }
    let _ = fs::remove_file(&path);

    println!("\n{:24} {:>8} {:>8} {:>16}", "", "s", "MB/s", "x validate");
    let base = median(&seconds[0]);
    for ((name, _), times) in COMMANDS.iter().zip(&seconds) {
        let time = median(times);
        println!(
            "{name:24} {time:>8.3} {:>8.1} {:>16.2}",
            bytes as f64 / time / 1e6,
            time / base
        );
    }
}
