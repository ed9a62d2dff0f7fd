//! The ending of `--output` chooses the format.

use std::fs;

use crate::arbiter_command::{Ran, Scratch, command};

/// Runs a command over a small game, with its output in a file of a folder.
fn run_to(scratch: &Scratch, words: &[&str], name: &str) -> Ran {
    scratch.file("games.pgn", b"[Event \"a\"]\n\n1. e4 e5 *\n");
    let words = [words, &["-q", "-o", name]].concat();
    let words: Vec<&str> = match words[0] {
        "perft" => words,
        _ => [&words[..], &["games.pgn"]].concat(),
    };
    let mut command = command(&words);
    command.current_dir(scratch.path()).output().unwrap().into()
}

#[test]
fn an_ending_stands_for_a_format() {
    let scratch = Scratch::new("endings-chosen");
    for (words, name, format) in [
        (&["validate"][..], "x.csv", "csv"),
        (&["validate"], "x.JSON", "jsonl"),
        (&["validate"], "x.jsonl", "jsonl"),
        (&["validate"], "x.md", "markdown"),
        (&["validate"], "x.sarif", "sarif"),
        (&["validate"], "x.txt", "human"),
        (&["validate", "--format", "gitlab"], "x.json", "gitlab"),
        (&["stats"], "x.json", "json"),
        (&["stats"], "x.csv", "csv"),
        (&["stats"], "x.pgn", "human"),
        (&["stats"], "x.svg", "human"),
        (&["stats"], "csv", "human"),
        (&["replay"], "x.csv", "csv"),
        (&["replay"], "x.pgn", "pgn"),
        (&["replay"], "x.parquet", "parquet"),
        (&["adjudicate"], "x.jsonl", "jsonl"),
        (&["adjudicate", "--claim", "threefold"], "x.html", "html"),
    ] {
        let of_ending = run_to(&scratch, words, name);
        let given = match words {
            [.., "--format", _] => words.to_vec(),
            _ => [words, &["--format", format]].concat(),
        };
        let expected = run_to(&scratch, &given, "expected");
        assert_eq!(
            of_ending.code, expected.code,
            "{name}: {}",
            of_ending.stderr
        );
        let read = |name: &str| fs::read(scratch.path().join(name)).unwrap();
        assert!(read(name) == read("expected"), "{words:?} {name}");
    }
    for (name, magic) in [("y.csv.gz", b"\x1f\x8b"), ("y.csv.zst", b"\x28\xb5")] {
        run_to(&scratch, &["stats"], name);
        let written = fs::read(scratch.path().join(name)).unwrap();
        assert!(written.starts_with(magic), "{name}");
    }
    // `--fix` has no format.
    run_to(&scratch, &["validate", "--fix"], "fixed.csv");
    let fixed = fs::read(scratch.path().join("fixed.csv")).unwrap();
    assert!(fixed.starts_with(b"[Event"));
}

#[test]
fn a_format_that_contradicts_the_ending_is_refused() {
    let scratch = Scratch::new("endings-refused");
    for (words, name, format, ending) in [
        (&["stats"][..], "x.csv", "json", "csv"),
        (&["stats"], "x.csv.zst", "JSON", "csv"),
        (&["stats"], "x.json.gz", "human", "json"),
        (&["replay"], "x.parquet", "csv", "parquet"),
        (&["validate"], "x.md", "sarif", "markdown"),
        (&["perft", "--depth", "1"], "x.jsonl", "csv", "jsonl"),
    ] {
        let ran = run_to(&scratch, &[words, &["--format", format]].concat(), name);
        let reason = format!(
            "error: `--format {}` contradicts `--output {name}`, whose ending stands for \
             `{ending}`\n",
            format.to_lowercase()
        );
        assert!(ran.stderr.starts_with(&reason), "{}", ran.stderr);
        assert_eq!(ran.code, Some(2));
        assert!(!scratch.path().join(name).exists());
    }
}
