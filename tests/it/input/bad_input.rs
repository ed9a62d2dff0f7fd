//! Input that is not PGN, or too large: a clear message, no panic, no hang, other files are read.

use std::io::Read;
use std::process::Stdio;

use crate::arbiter_command::{Ran, Scratch, command, run, run_with_stdin};

const COMMANDS: [&[&str]; 5] = [
    &["validate", "-q", "--format", "concise"],
    &["stats", "-q"],
    &["replay", "-q", "--format", "csv"],
    &["replay", "-q", "--format", "fen"],
    &["adjudicate", "-q", "--format", "csv"],
];

/// Each command names the file and the error, reads the game in the other file, and returns 2.
fn check(name: &str, content: &[u8], expected: &str) {
    check_beside(name, content, expected, 2);
}

/// The same with another exit code beside a good file.
fn check_beside(name: &str, content: &[u8], expected: &str, code: i32) {
    let scratch = Scratch::new(name);
    let bad = scratch.file(name, content);
    let good = scratch.file("good.pgn", b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    for words in COMMANDS {
        let with_good: Vec<&str> = words.iter().copied().chain([&*bad, &*good]).collect();
        let ran = run(&with_good);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(
            ran.stderr.contains(&bad) && ran.stderr.contains(expected),
            "{ran:?}"
        );
        match words[0] {
            "stats" => assert!(ran.stdout().contains("white  1 (100.00 %)"), "{ran:?}"),
            "replay" => assert!(ran.stdout().contains("w KQkq - 0 2"), "{ran:?}"),
            "adjudicate" => assert!(ran.stdout().contains("1,,,1-0,,2,open,"), "{ran:?}"),
            _ => {}
        }
        let alone: Vec<&str> = words.iter().copied().chain([&*bad]).collect();
        assert_eq!(run(&alone).code, Some(2));
    }
}

#[test]
fn empty_file() {
    check_beside("empty.pgn", b"", "it is empty", 0);
}

#[test]
fn blank_file() {
    let content = b" \r\n\t\n% nothing\n";
    check_beside("blank.pgn", content, "only white space", 0);
}

#[test]
fn binary_file() {
    check("binary.pgn", b"\x7fELF\x02\x01\x01\x00\x00\x00", "not text");
}

#[test]
fn file_of_nuls() {
    check("nuls.pgn", &[0; 10_000], "not text, byte 0 is 0x00");
}

#[test]
fn forms_that_are_not_read() {
    check("games.pgn.7z", b"7z\xbc\xaf\x27\x1c\0\x04", "7z");
    check("games.pgn.lz4", b"\x04\x22\x4d\x18\x64\x40\xa7", "lz4");
    let mut tar = vec![0; 1024];
    tar[..9].copy_from_slice(b"games.pgn");
    tar[257..263].copy_from_slice(b"ustar\0");
    check("games.tar", &tar, "unsupported compression: tar");
}

#[test]
fn forms_that_only_begin_as_they_should() {
    check("games.pgn.bz2", b"BZh91AY&SY\x00\x00", "bzip2 data");
    check("games.pgn.xz", b"\xfd7zXZ\x00\x00\x04", "xz data");
    check(
        "games.zip",
        b"PK\x03\x04\x14\x00\x00",
        "cannot read the archive",
    );
    check("games.pgn.gz", b"\x1f\x8b\x08\x00", "gzip data truncated");
    check("games.pgn.zst", b"\x28\xb5\x2f\xfd", "zstd data truncated");
}

#[test]
fn directory_without_games() {
    let scratch = Scratch::new("no-games");
    scratch.file("readme.txt", b"nothing here");
    for words in COMMANDS {
        let path = scratch.path().to_str().unwrap();
        let ran = run(&words.iter().copied().chain([path]).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(path), "{ran:?}");
    }
}

#[test]
fn pipe_closed_early_is_no_failure() {
    let famous = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/famous.pgn");
    let scratch = Scratch::new("pipe");
    let many = scratch.file("many.pgn", &std::fs::read(famous).unwrap().repeat(500));
    let mut child = command(&["replay", "--format", "csv", &many])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 100]).unwrap();
    drop(stdout);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

/// An endless or very large file, where a small one is expected, and a long word in it.
#[cfg(unix)]
#[test]
fn files_of_settings_counts_and_positions_have_a_limit() {
    let scratch = Scratch::new("limits");
    let large = scratch.file("large", b"");
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(&large)
        .unwrap();
    file.set_len((1 << 30) + 1).unwrap();
    let word = scratch.file("word", &b"x".repeat(100_000));
    let games = "fixtures/famous.pgn";
    for words in [
        &["stats", "--merge"][..],
        &["stats", "--compare", "fixtures/famous.json"],
        &["validate", games, "--baseline"],
        &["validate", games, "--config"],
        &["perft", "--depth", "1", "--suite"],
        &["perft", "--depth", "1", "--compare"],
    ] {
        let ran = run(&[words, &[&large]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        // Statistics may be compressed; NULs are known to be neither.
        let said = match words[0] {
            "stats" => format!("cannot read `{large}`: not text"),
            _ => format!("cannot read `{large}`: it is larger than 1073741824 bytes"),
        };
        assert!(ran.stderr.contains(&said), "{words:?}: {}", ran.stderr);
        let ran = run(&[words, &[&word]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.len() < 2_500, "{words:?}: {}", ran.stderr.len());
    }
}

/// A large text on stdin: every command terminates, and never succeeds silently.
fn check_large(text: &[u8], code: i32, expected: &str) {
    for words in COMMANDS {
        let ran = run_with_stdin(words, text.to_vec());
        let said = ran.stdout() + &ran.stderr;
        if words[0] == "validate" {
            assert_eq!(ran.code, Some(code), "{words:?}");
            assert!(
                said.contains(expected),
                "{words:?}: {}",
                &said[..said.len().min(2000)]
            );
        }
        assert!(ran.code.is_some_and(|code| code <= 2), "{words:?}");
    }
}

#[test]
fn game_of_100_mb_beside_a_small_one() {
    let mut text = b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"*\"]\n\n".to_vec();
    // Knight moves to and fro: legal moves without end.
    let mut number = 0;
    while text.len() < 100_000_000 {
        number += 1;
        let moves = if number % 2 == 1 {
            "Nf3 Nf6"
        } else {
            "Ng1 Ng8"
        };
        text.extend(format!("{number}. {moves}\n").into_bytes());
    }
    text.extend(b"Nf9 *\n\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n");
    check_large(
        &text,
        1,
        "more moves, variations, words or tags than are read",
    );
    let ran = run_with_stdin(&["stats", "-q"], text);
    assert!(
        ran.stdout().contains("white  1 (50.00 %)\nblack  1"),
        "{ran:?}"
    );
}

#[test]
fn line_of_100_mb() {
    let mut text = b"[Result \"*\"]\n\n1. e4 {".to_vec();
    text.resize(100_000_000, b'x');
    text.extend(b"} e5 2. Qx9 *\n");
    check_large(&text, 1, ":3:99999995: error[E203] `Qx9` is not a move");
}

#[test]
fn garbage_of_50_mb() {
    let text = b"lorem ipsum dolor sit amet ".repeat(2_000_000);
    check_large(&text, 2, "error[E001]");
    let text = [b"[Result \"*\"]\n\n", &text[..]].concat();
    check_large(&text, 1, "error[E119]");
}

#[test]
fn many_nested_parentheses() {
    let mut text = b"1. e4 ".to_vec();
    text.extend(b"(".repeat(100_000));
    check_large(&text, 1, "error[E206] the variation is not closed");
    text.extend(b")".repeat(100_001));
    text.extend(b" e5 *\n");
    check_large(&text, 0, "warning[W207]");
}

#[test]
fn tags_without_end() {
    let text = b"[Event \"x\"]\n".repeat(200_000);
    check_large(&text, 0, "and 199998 more in this game");
    let text = b"[Event \"x\"]\n".repeat(2_000_000);
    check_large(&text, 1, "error[E020]");
    let text = [b"[Event \"", &b"x".repeat(30_000_000)[..]].concat();
    check_large(&text, 1, "error[E102] the tag value has no closing quote");
}
