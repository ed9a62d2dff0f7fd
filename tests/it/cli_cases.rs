//! Recorded runs: command lines with their output and exit code, in `tests/cmd` and in the console
//! blocks of the guides. `.ci/bless` records them again.

use std::fs;
use std::path::Path;

use regex::Regex;

use crate::arbiter_command::{binary, run};

#[test]
fn commands_print_and_return_what_is_written_down() {
    trycmd::TestCases::new()
        .register_bin("arbiter", binary())
        .case("tests/cmd/*.trycmd")
        .case("README.md")
        .case("src/commands/README.md")
        .case("src/commands/*/README.md")
        .run();
}

#[test]
fn each_option_stands_in_a_manual() {
    let option = Regex::new(r"(?m)^ +(?:-\w, )?(--[a-z-]+)").unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands");
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let common = read("README.md");
    for command in ["validate", "stats", "adjudicate", "replay", "perft"] {
        let manual = read(&format!("{command}/README.md"));
        let help = run(&[command, "--help"]).stdout();
        let options = option.captures_iter(&help).map(|found| found[1].to_owned());
        for option in options.filter(|option| option != "--help") {
            let is_named = manual.contains(&option) || common.contains(&option);
            assert!(is_named, "no manual names {option} of {command}");
        }
    }
}
