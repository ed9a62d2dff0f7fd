//! Every finding code has a fixture that shows it, an explanation, and a row in the README.

use std::path::Path;

use arbiter::judge::findings::{RULES, Strictness};

use crate::arbiter_command::run;

/// The codes of the findings that `--format concise` printed.
fn codes(stdout: &str) -> Vec<String> {
    stdout
        .lines()
        .map(|line| {
            let from = line.find('[').unwrap();
            line[from + 1..][..4].to_owned()
        })
        .collect()
}

#[test]
fn each_code_has_a_fixture_that_shows_it_and_nothing_else() {
    for rule in RULES {
        // This code stands for a defect of the program itself.
        if rule.code == "E299" {
            continue;
        }
        let path = ["pgn", "epd", "fen"]
            .map(|form| format!("fixtures/findings/{}.{form}", rule.code))
            .into_iter()
            .find(|path| Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists())
            .unwrap_or_else(|| panic!("no fixture for {}", rule.code));
        let mut arguments = vec!["validate", "-q", "--format", "concise", "--fail-on", "note"];
        arguments.push(&path);
        if rule.strictness == Strictness::Only {
            let ran = run(&arguments);
            assert_eq!(ran.stdout(), "", "{path}: off unless it is asked for");
            arguments.extend(["--select", rule.code]);
        }
        let ran = run(&arguments);
        let mut shown = codes(&ran.stdout());
        // It takes a thousand faults of other kinds to show this one.
        if rule.code == "N003" {
            shown.retain(|code| code != "W207");
        }
        assert_eq!(shown, [rule.code], "{path}: {}", ran.stdout());
        assert_eq!(ran.code, Some(1), "{path}");
    }
}

#[test]
fn each_fixture_is_named_for_a_code() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/findings");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (code, _) = name.split_once('.').unwrap();
        assert!(RULES.iter().any(|rule| rule.code == code), "{name}");
    }
}

#[test]
fn each_code_is_explained_and_stands_in_the_readme() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for rule in RULES {
        let ran = run(&["validate", "--explain", rule.code]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout().contains(rule.explanation), "{}", rule.code);
        let row = format!("| `{}` | {} | {} |", rule.code, rule.name, rule.summary);
        assert!(readme.contains(&row), "the README needs the row {row}");
    }
}
