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

use common::{Times, arbiter, cell, games, in_turns, print_machine, quotient, rounds, run};

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

fn main() {
    let rounds = rounds(5);
    let (name, text) = games();
    let bytes = text.len();
    let path = env::temp_dir().join(format!("arbiter-bench-{}.pgn", std::process::id()));
    fs::write(&path, text).expect("the temporary file can be written");
    print_machine();
    println!("{name}: {bytes} bytes; one thread, {rounds} rounds, medians");

    let programs = COMMANDS.map(|(name, words)| {
        let words = [words, &["-j", "1"]].concat();
        (name.to_owned(), arbiter(&words, &path))
    });
    let times = in_turns(rounds, programs);
    let files = files(&path, rounds);
    let _ = fs::remove_file(&path);

    println!(
        "\n{:24} {:>8} {:>8} {:>12} {:>8} {:>12}",
        "", "s", "MB/s", "x validate", "CPU s", "x validate"
    );
    let base = &times[0];
    for command in &times {
        let wall = command.wall();
        println!(
            "{:24} {wall:>8.3} {:>8.1} {:>12.2} {:>8} {:>12}",
            command.name,
            bytes as f64 / wall / 1e6,
            wall / base.wall(),
            cell(command.cpu(), 3),
            cell(quotient(command.cpu(), base.cpu()), 2)
        );
    }

    println!(
        "\nfiles, all threads {:>14} {:>8} {:>12}",
        "s", "CPU s", "bytes"
    );
    for (times, bytes) in &files {
        let cpu = cell(times.cpu(), 3);
        println!(
            "{:18} {:>14.3} {cpu:>8} {bytes:>12}",
            times.name,
            times.wall()
        );
    }
    let [(csv, csv_bytes), (parquet, parquet_bytes)] = &files;
    println!(
        "Parquet against CSV: {:.2} of the time, {} of the CPU, {:.2} of the size",
        parquet.wall() / csv.wall(),
        cell(quotient(parquet.cpu(), csv.cpu()), 2),
        *parquet_bytes as f64 / *csv_bytes as f64
    );
}

/// Times and sizes of the files of rows, written on all threads.
fn files(path: &Path, rounds: usize) -> [(Times, u64); 2] {
    let mut files = ["csv", "parquet"].map(|format| (Times::new(format), 0));
    for round in 0..=rounds {
        for (times, bytes) in &mut files {
            let output = path.with_extension(&times.name);
            let name = output.to_str().expect("the name is UTF-8");
            let words = ["replay", "--format", &times.name, "-o", name];
            let command = arbiter(&words, path);
            if round == 0 {
                run(&command);
            } else {
                times.add_run(&command);
            }
            *bytes = fs::metadata(&output).map_or(0, |it| it.len());
            let _ = fs::remove_file(&output);
        }
    }
    files
}
