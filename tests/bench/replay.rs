//! Output formats of `replay` against `validate` over the same games, in the same run.
//!
//! `cargo bench --bench replay`. The games are those of
//! `$ARBITER_CORPUS/bulk/masters_dense.pgn.zst`, or the repeated fixtures without a corpus.
//! `ARBITER_BENCH_FILE` names another file. Each command runs as users run it, on one thread, over
//! an uncompressed file in the page cache, and its output is discarded. Then Parquet is compared
//! with CSV, on all threads, as files in the folder for temporary files. `ARBITER_ROUNDS` is the
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
use std::process::Stdio;

use common::{arbiter, games, median, print_machine, rounds, timed};

const COMMANDS: [(&str, &[&str]); 9] = [
    ("validate", &["validate"]),
    ("replay --format csv", &["replay", "--format", "csv"]),
    ("replay --format jsonl", &["replay", "--format", "jsonl"]),
    (
        "replay --format parquet",
        &["replay", "--format", "parquet"],
    ),
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
    let status = arbiter(words, path)
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
            let words = [COMMANDS[which].1, &["-j", "1"]].concat();
            let ((), time) = timed(|| run(&words, &path));
            if round > 0 {
                seconds[which].push(time);
            }
        }
    }
    let files = files(&path, rounds);
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

    println!("\nfiles, all threads {:>14} {:>12}", "s", "bytes");
    for (format, (time, bytes)) in FILES.iter().zip(files) {
        println!("{format:18} {time:>14.3} {bytes:>12}");
    }
    let [(csv, csv_bytes), (parquet, parquet_bytes)] = files;
    println!(
        "Parquet against CSV: {:.2} of the time, {:.2} of the size",
        parquet / csv,
        parquet_bytes as f64 / csv_bytes as f64
    );
}

const FILES: [&str; 2] = ["csv", "parquet"];

/// Median time and size of the files of rows, written on all threads.
fn files(path: &Path, rounds: usize) -> [(f64, u64); 2] {
    let mut seconds = [const { Vec::new() }; FILES.len()];
    let mut bytes = [0; FILES.len()];
    for round in 0..=rounds {
        for (which, format) in FILES.iter().enumerate() {
            let output = path.with_extension(format);
            let name = output.to_str().expect("the name is UTF-8");
            let words = ["replay", "--format", format, "-o", name];
            let ((), time) = timed(|| run(&words, path));
            bytes[which] = fs::metadata(&output).map_or(0, |it| it.len());
            let _ = fs::remove_file(&output);
            if round > 0 {
                seconds[which].push(time);
            }
        }
    }
    std::array::from_fn(|which| (median(&seconds[which]), bytes[which]))
}
