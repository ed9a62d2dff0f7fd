//! Reports of GitLab and of reviewdog: unique fingerprints, places in bytes, and unreadable inputs.

use serde_json::Value;

use super::parsed::{gitlab, rdjsonl};
use super::validate;
use crate::arbiter_command::{Scratch, run, run_with_stdin};

fn fingerprints(text: &str) -> Vec<String> {
    gitlab(text);
    let report: Value = serde_json::from_str(text).unwrap();
    let issues = report.as_array().unwrap().iter();
    issues
        .map(|issue| issue["fingerprint"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn fingerprints_stay_when_games_are_added_and_differ_when_games_are_repeated() {
    let game = |event: &str| format!("[Event \"{event}\"]\n\n1. e4 e5 2. Ke3 *\n\n");
    let words = ["validate", "-q", "--select", "E201", "--format", "gitlab"];
    let of = |text: String| fingerprints(&run_with_stdin(&words, text.into_bytes()).stdout());
    let one = of(game("a"));
    let [first] = &one[..] else { panic!("{one:?}") };
    let more = of(game("b") + &game("a"));
    assert_eq!((more.len(), &more[1]), (2, first));
    let repeated = of(game("a").repeat(3));
    assert_eq!(
        repeated,
        [first.clone(), format!("{first}:2"), format!("{first}:3")]
    );
    // They are those of a baseline.
    let scratch = Scratch::new("same-fingerprint");
    let file = scratch.file("a.pgn", game("a").as_bytes());
    let baseline = format!("{file}.baseline");
    run(&[
        "validate",
        "-q",
        "--select",
        "E201",
        "--write-baseline",
        &baseline,
        &file,
    ]);
    let written = std::fs::read_to_string(&baseline).unwrap();
    let entry: Value = serde_json::from_str(written.lines().last().unwrap()).unwrap();
    let hash = entry["game"].as_str().unwrap();
    assert_eq!(*first, format!("201:{hash}:{}", entry["at"]));
}

#[test]
fn inputs_that_cannot_be_read_are_issues() {
    let ran = validate("gitlab", &["missing.pgn", "./gone.pgn"]);
    assert_eq!(ran.code, Some(2));
    let report: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let paths: Vec<_> = report
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| {
            assert_eq!(issue["severity"], "blocker");
            issue["location"]["path"].as_str().unwrap()
        })
        .collect();
    assert_eq!(paths, ["missing.pgn", "gone.pgn"]);
    assert_eq!(fingerprints_of_unreadable(&report).len(), 2);
    let clean = validate("gitlab", &["fixtures/famous.pgn", "--select", "E"]);
    assert_eq!((clean.stdout(), clean.code), ("[\n]\n".into(), Some(0)));
}

fn fingerprints_of_unreadable(report: &Value) -> std::collections::HashSet<&str> {
    let issues = report.as_array().unwrap().iter();
    issues
        .map(|issue| issue["fingerprint"].as_str().unwrap())
        .collect()
}

#[test]
fn columns_of_reviewdog_are_bytes_of_the_line() {
    let scratch = Scratch::new("bytes");
    let line = "1. e4 {Müller 羽生} e5 2. Ke3 *";
    let file = scratch.file("a.pgn", format!("[Event \"é\"]\n\n{line}\n").as_bytes());
    let text = run(&[
        "validate", "-q", "--format", "rdjsonl", "--select", "E201", &file,
    ])
    .stdout();
    let one: Value = serde_json::from_str(&text).unwrap();
    let range = &one["location"]["range"];
    let at = line.find("Ke3").unwrap() as u64;
    assert_eq!(range["start"]["column"], at + 1);
    assert_eq!(range["end"]["column"], at + 4);
    assert_eq!(
        (&range["start"]["line"], &range["end"]["line"]),
        (&3.into(), &3.into())
    );

    // With another game before it on its line, a finding has a line only.
    let beside = scratch.file(
        "b.pgn",
        b"1. e4 e5 * [Event \"x\"]\n\n1. e4 e5 * [Even \"y]\n",
    );
    let places: Vec<_> = rdjsonl(&validate("rdjsonl", &[&beside]).stdout())
        .into_iter()
        .filter(|seen| seen.column == 0)
        .collect();
    assert!(!places.is_empty());
}

#[test]
fn paths_for_services_are_relative_to_the_working_directory() {
    let here = env!("CARGO_MANIFEST_DIR");
    let plain = "fixtures/findings/E201.pgn";
    let dotted = "./fixtures/./findings/E201.pgn";
    let whole = format!("{here}/{plain}");
    for format in ["github", "sarif", "gitlab", "junit", "rdjsonl"] {
        let expected = validate(format, &[plain]).stdout();
        assert!(expected.contains(plain), "{format}");
        for path in [dotted, &whole] {
            assert_eq!(validate(format, &[path]).stdout(), expected, "{format}");
        }
    }
}
