//! Instructions of whole commands, counted by Valgrind, which vary less than times.
//!
//! `cargo bench --bench instructions`. The binary is the plain release build that `ARBITER_PLAIN`
//! names, or the one built with the benchmark, on one thread. The games are the first 6,000,000
//! bytes of each kind of the benchmark `validate`. The last lines start the program and check one
//! game.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::{plain, print_machine, with_each_kind};

const COMMANDS: [&[&str]; 7] = [
    &["validate"],
    &["validate", "--strict"],
    &["validate", "--duplicates"],
    &["stats"],
    &["stats", "--by", "player"],
    &["adjudicate", "--format", "csv"],
    &["replay", "--format", "csv"],
];

/// Bytes of each kind of games.
const MOST: usize = 6_000_000;

/// Instructions of a command, whose output is discarded.
fn instructions(binary: &Path, words: &[&str]) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(binary)
        .args(words)
        .output()
        .expect("Valgrind can be started");
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let Some(Ok(count)) = collected.map(|(_, count)| count.trim().parse()) else {
        panic!("Valgrind counts no instructions of {words:?}: {text}");
    };
    count
}

/// Instructions of a command over a file.
fn instructions_over(binary: &Path, words: &[&str], path: &Path) -> u64 {
    let path = path.to_str().expect("the name is UTF-8");
    let options = ["-q", "-j1", "--no-config", "--progress", "never", path];
    instructions(binary, &[words, &options].concat())
}

fn main() {
    print_machine();
    if Command::new("valgrind").arg("--version").output().is_err() {
        return println!("valgrind is not installed: no instructions");
    }
    let binary = plain().unwrap_or(env!("CARGO_BIN_EXE_arbiter").into());
    with_each_kind(|name, text| {
        let cut = &text[..text.len().min(MOST)];
        let path = env::temp_dir().join(format!("arbiter-bench-{}.pgn", std::process::id()));
        fs::write(&path, cut).expect("the temporary file can be written");
        println!("\n{name}: first {} bytes", cut.len());
        println!("{:28} {:>14} {:>10}", "", "instructions", "per byte");
        for words in COMMANDS {
            let count = instructions_over(&binary, words, &path);
            println!(
                "{:28} {count:>14} {:>10.1}",
                words.join(" "),
                count as f64 / cut.len() as f64
            );
        }
        let _ = fs::remove_file(&path);
    });

    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/karpov_miles.pgn");
    println!("\none game, karpov_miles.pgn");
    for (name, count) in [
        ("--version", instructions(&binary, &["--version"])),
        ("validate", instructions_over(&binary, &["validate"], &game)),
    ] {
        println!("{name:28} {count:>14}");
    }
}
