//! Formats of `validate`: all contain the same findings for any input, and each conforms to its
//! specification.

mod baselines;
mod diagnostics;
mod documents;
mod limits;
mod markdown;
mod parsed;
mod pictures;

use std::path::Path;

use arbiter::report::escape::acts;

use crate::arbiter_command::{Ran, Scratch, run};
use parsed::{Seen, concise, csv, github, gitlab, human, jsonl, junit, rdjsonl, sarif};

const FORMATS: [&str; 9] = [
    "human", "concise", "jsonl", "csv", "sarif", "junit", "github", "gitlab", "rdjsonl",
];

/// Runs `validate` in a format, with all findings enabled.
fn validate(format: &str, more: &[&str]) -> Ran {
    let mut words = vec!["validate", "-q", "--strict", "--format", format];
    words.extend(more);
    run(&words)
}

/// Parses the output of a format; `files` are the names of the inputs.
fn read(format: &str, text: &str, files: &[&str]) -> Vec<Seen> {
    match format {
        "human" => human(text, files),
        "concise" => concise(text, files),
        "jsonl" => jsonl(text),
        "csv" => csv(text),
        "sarif" => sarif(text),
        "junit" => junit(text, files),
        "github" => github(text),
        "gitlab" => gitlab(text),
        "rdjsonl" => rdjsonl(text),
        _ => unreachable!(),
    }
}

/// Rank of a finding's severity, errors first.
fn severity(seen: &Seen) -> usize {
    "EWN".find(&seen.code[..1]).unwrap()
}

/// A file whose quoted text contains the special characters of every format.
fn nasty() -> Vec<u8> {
    let mut text = Vec::new();
    for word in [
        &b"Nf3xyz"[..],
        b"\x1b[31mred\x1b[0m",
        b"a\x07\x08\x0b\x7fb",
        b"\xc2\x9b2J",
        b"<failure>]]>&amp;'\"",
        b"%0A::error::gotcha,:",
        b"##[error]x",
        b"{0}](http://x.invalid)",
        b"M\xfcller",
        "Мюллер羽生\u{202e}\u{2066}\u{feff}\u{ffff}\u{e0041}".as_bytes(),
        b"\\u{1b}\\n\\\\",
        b"=cmd,\"x\"\"y\"",
        b"a\tb",
    ] {
        text.extend(b"[Event \"x\"]\n[Result \"");
        text.extend(word.iter().filter(|byte| !matches!(byte, b'"' | b'\\')));
        text.extend(b"\"]\n\n1. e4 {before} ");
        text.extend(word.iter().filter(|byte| !b"{}()[];$".contains(byte)));
        text.extend(b" e5 {behind} 2. Ke3 *\n\n");
        text.extend(b"[Broken ");
        text.extend(word);
        text.extend(b"]\r\n[White \"A\"]\r\n\r\n1. e4 ) e5 *\r\n\r\n");
    }
    text
}

#[test]
fn all_formats_carry_the_same_findings() {
    let scratch = Scratch::new("same");
    let mut files = vec![scratch.file("nasty.pgn", &nasty())];
    #[cfg(unix)]
    for name in [
        "a b#c?%41,d:e;'f'&<g>.pgn",
        "::error::x\u{1b}[31m\n.pgn",
        "Мюллер羽生.pgn",
        "{0}](x).pgn",
    ] {
        files.push(scratch.file(name, b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n"));
    }
    let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/findings"));
    let mut of_codes: Vec<_> = std::fs::read_dir(fixtures)
        .unwrap()
        .map(|entry| format!("fixtures/findings/{}", entry.unwrap().file_name().display()))
        .collect();
    of_codes.sort();
    files.extend(of_codes);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let expected = read("jsonl", &validate("jsonl", &files).stdout(), &files);
    let count = expected.len();
    assert!(count > 60, "{count}");
    for format in FORMATS {
        let ran = validate(format, &files);
        assert_eq!(ran.code, Some(1), "{format}: {}", ran.stderr);
        let seen = read(format, &String::from_utf8(ran.stdout).unwrap(), &files);
        let mut expected: Vec<_> = expected.iter().collect();
        if format == "sarif" {
            expected.sort_by_key(|one| severity(one));
        }
        for (seen, expected) in seen.iter().zip(expected) {
            // Documents keep characters that log lines escape.
            let plain = |one: &parsed::Seen| {
                let message = one.message.replace("\\u{3a}", ":").replace("\\u{23}", "#");
                let message = message.replace("\\u{5c}", "\\");
                // Columns of rdjsonl are in bytes.
                let column = if format == "rdjsonl" { 0 } else { one.column };
                (
                    one.code.clone(),
                    one.file.clone(),
                    one.line,
                    column,
                    message,
                )
            };
            assert_eq!(plain(seen), plain(expected), "{format}");
        }
        assert_eq!(seen.len(), count, "{format}");
    }
}

#[test]
fn a_position_of_the_command_line_has_its_place() {
    for format in FORMATS {
        let ran = validate(format, &["--fen", "4k3/8/8/8/8/8/8/P3K2R b KQ - 0 1"]);
        assert_eq!(ran.code, Some(1), "{format}");
        let seen = read(format, &ran.stdout(), &["<fen>"]);
        let places: Vec<_> = seen.iter().map(|seen| (&*seen.code, seen.column)).collect();
        assert_eq!(places, [("E402", 17), ("W403", 25)], "{format}");
    }
}

#[test]
fn nothing_that_acts_on_a_terminal_is_printed() {
    let scratch = Scratch::new("acts");
    let file = scratch.file("nasty\u{1b}[2J.pgn", &nasty());
    for format in FORMATS {
        let ran = validate(format, &[&file, "missing\u{1b}[2J.pgn"]);
        let text = String::from_utf8(ran.stdout).unwrap() + &ran.stderr;
        let acting = text
            .chars()
            .find(|&character| character != '\n' && acts(character));
        assert_eq!(acting, None, "{format}");
    }
}

#[test]
fn any_number_of_threads_and_standard_input_give_the_same() {
    let text = nasty().repeat(300);
    for format in FORMATS {
        let one = crate::arbiter_command::run_with_stdin(
            &["validate", "-q", "-j", "1", "--format", format],
            text.clone(),
        );
        assert_eq!(one.code, Some(1), "{format}");
        let many = crate::arbiter_command::run_with_stdin(
            &["validate", "-q", "-j", "5", "--format", format],
            text.clone(),
        );
        assert!(one == many, "{format}");
        let seen = read(
            format,
            &String::from_utf8(one.stdout).unwrap(),
            &["<stdin>"],
        );
        match format {
            "sarif" => assert_eq!(seen.len(), 5_000),
            _ => assert!(seen.len() > 10_000, "{format}: {}", seen.len()),
        }
        assert!(seen.iter().all(|seen| seen.file == "<stdin>"), "{format}");
    }
}
