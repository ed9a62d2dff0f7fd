//! Output of `replay` in every format.

mod board_files; // a file for each position
mod boards;
mod export;
mod illegal_moves; // `--illegal play` against the mailbox
mod lines;
mod peers;
mod rows;
mod taken; // other tags, several files

use crate::arbiter_command::{Ran, run, run_with_stdin};

/// Runs `replay` with these options on a text on stdin.
fn replayed(flags: &[&str], pgn: &str) -> Ran {
    run_with_stdin(&words(flags), pgn.as_bytes().to_vec())
}

/// Runs `replay` with these options on a file.
fn of_file(flags: &[&str], path: &str) -> Ran {
    let mut words = words(flags);
    words.push(path);
    run(&words)
}

fn words<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    ["replay", "-q"].iter().chain(flags).copied().collect()
}

#[test]
fn every_format_is_the_same_for_any_number_of_threads() {
    let mut text = String::new();
    for name in [
        "famous",
        "endings",
        "annotated",
        "findings/E201",
        "findings/E205",
        "findings/N103",
    ] {
        let path = format!("{}/fixtures/{name}.pgn", env!("CARGO_MANIFEST_DIR"));
        text.push_str(&std::fs::read_to_string(path).unwrap());
        text.push('\n');
    }
    let text = text.repeat(20);
    for flags in [
        &["--board", "ascii", "--at", "3,end"][..],
        &["--variations"],
        &["--format", "csv"],
        &["--format", "csv", "--variations"],
        &["--format", "jsonl"],
        &["--format", "jsonl", "--variations", "--at", "4-8"],
        &["--format", "uci"],
        &["--format", "epd", "--at", "0-"],
        &["--format", "fen"],
        &["--format", "pgn"],
        &["--format", "pgn", "--keep", "all"],
    ] {
        let one = replayed(&[flags, &["-j", "1"]].concat(), &text);
        assert!(one.code == Some(1) && !one.stdout.is_empty(), "{flags:?}");
        assert_eq!(
            replayed(&[flags, &["-j", "4"]].concat(), &text),
            one,
            "{flags:?}"
        );
    }
}
