//! Recorded runs: command lines with their output and exit code, in `tests/cmd` and in the console
//! blocks of the manuals. `.ci/bless` records them again.

use std::fs;
use std::path::Path;

use regex::Regex;

use crate::arbiter_command::{Scratch, binary, run};
use crate::console_blocks::{for_trycmd, from_trycmd};

const MANUALS: [&str; 9] = [
    ".github/CONTRIBUTING.md",
    "README.md",
    "python/README.md",
    "src/commands/README.md",
    "src/commands/adjudicate/README.md",
    "src/commands/perft/README.md",
    "src/commands/replay/README.md",
    "src/commands/stats/README.md",
    "src/commands/validate/README.md",
];

fn read(manual: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(manual)).unwrap()
}

/// trycmd reads, and records in, copies of the manuals with its marks.
#[test]
fn commands_print_and_return_what_is_written_down() {
    let copies = Scratch::new("manuals");
    let cases = trycmd::TestCases::new();
    cases.register_bin("arbiter", binary());
    cases.case("tests/cmd/*.trycmd");
    for manual in MANUALS {
        let copy = copies.path().join(manual);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(&copy, for_trycmd(&read(manual))).unwrap();
        cases.case(copy);
    }
    cases.run();
    for manual in MANUALS {
        let old = read(manual);
        let copy = fs::read_to_string(copies.path().join(manual)).unwrap();
        if copy != for_trycmd(&old) {
            fs::write(manual, from_trycmd(&copy, &old)).unwrap();
        }
    }
}

#[test]
fn manuals_show_no_marks_of_tests() {
    let mark = Regex::new(r"(?m)^\? |\[\.\.\]").unwrap();
    for manual in MANUALS {
        let found = mark.find(&read(manual)).map(|mark| mark.start());
        assert_eq!(found, None, "byte of {manual}");
    }
}

#[test]
fn each_user_finds_a_first_command_that_runs() {
    let readme = read("README.md");
    let row = Regex::new(r"(?m)^\| (an? [^|]+) \| `arbiter ([^`|]+)` \|").unwrap();
    let rows: Vec<_> = row.captures_iter(&readme).collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let ran = run(&row[2].split_whitespace().collect::<Vec<_>>());
        assert!(
            matches!(ran.code, Some(0 | 1)),
            "{}: {}",
            &row[1],
            ran.stderr
        );
        assert!(ran.stdout.len() > 100, "{}", &row[1]);
    }
}

/// Command and options of each `arbiter` command of a text.
fn commands_of(text: &str) -> Vec<(String, Vec<String>)> {
    let command = Regex::new(r"(?:arbiter|cargo run --release --) ([a-z]+) ([^`|\n]+)").unwrap();
    let option = Regex::new(r"(?:^| )(--?[a-z][a-z-]*)").unwrap();
    let commands = command.captures_iter(text);
    let commands = commands.map(|found| {
        let options = option.captures_iter(&found[2]);
        let options = options.map(|option| option[1].to_owned());
        (found[1].to_owned(), options.collect())
    });
    commands.collect()
}

#[test]
fn each_option_of_the_readme_is_in_the_short_help() {
    let commands = commands_of(&read("README.md"));
    let options: usize = commands.iter().map(|(_, options)| options.len()).sum();
    assert!(options > 30, "{commands:?}");
    for (command, options) in commands {
        let help = run(&[&command, "-h"]).stdout();
        for option in options {
            let named = Regex::new(&format!(r"(?m)^ +(-\w, )?{option}(,| |\[|$)")).unwrap();
            assert!(
                named.is_match(&help),
                "`arbiter {command} -h` does not name {option}"
            );
        }
    }
}

#[test]
fn each_option_for_users_of_pgn_extract_exists() {
    let page = read("src/commands/replay/COMING-FROM-PGN-EXTRACT.md");
    let row = Regex::new(r"(?m)^\| [`*].* \| [^|]+ \| (.+) \|$").unwrap();
    let option = Regex::new(r"(?:^|[ `])(--[a-z][a-z-]+)").unwrap();
    let commands = ["validate", "stats", "adjudicate", "replay"];
    let help = commands.map(|command| run(&[command, "--help"]).stdout());
    let help = help.concat();
    let rows: Vec<_> = row
        .captures_iter(&page)
        .map(|row| row[1].to_owned())
        .collect();
    assert_eq!(rows.len(), 35);
    let (_, examples) = page.split_once("## The same work in both").unwrap();
    for text in rows.iter().map(String::as_str).chain([examples]) {
        for option in option.captures_iter(text) {
            let named = Regex::new(&format!(r"(?m)^ +(-\w, )?{}(,| |\[|$)", &option[1])).unwrap();
            assert!(named.is_match(&help), "no command has {}", &option[1]);
        }
    }
}

#[test]
fn each_option_stands_in_a_manual() {
    let option = Regex::new(r"(?m)^ +(?:-\w, )?(--[a-z-]+)").unwrap();
    let common = read("src/commands/README.md");
    for command in ["validate", "stats", "adjudicate", "replay", "perft"] {
        let manual = read(&format!("src/commands/{command}/README.md"));
        let help = run(&[command, "--help"]).stdout();
        let options = option.captures_iter(&help).map(|found| found[1].to_owned());
        for option in options.filter(|option| option != "--help") {
            let is_named = manual.contains(&option) || common.contains(&option);
            assert!(is_named, "no manual names {option} of {command}");
        }
    }
}
