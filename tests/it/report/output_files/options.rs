//! Every option that names an output, against every option that reads.

use std::fs;

use super::FAMOUS;
use crate::arbiter_command::{Scratch, run};

/// Every option that names a file of a command, with words that make it valid: `FILE` stands for
/// the file. An option that reads has what the file holds.
const PATH_OPTIONS: [(&str, &str, &[&str], Option<&str>); 35] = [
    ("validate", "inputs", &["FILE"], Some("games")),
    (
        "validate",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    (
        "validate",
        "config",
        &["--config", "FILE"],
        Some("settings"),
    ),
    ("validate", "output", &["-o", "FILE"], None),
    (
        "validate",
        "baseline",
        &["--baseline", "FILE"],
        Some("baseline"),
    ),
    (
        "validate",
        "write_baseline",
        &["--write-baseline", "FILE"],
        None,
    ),
    ("validate", "write_clean", &["--write-clean", "FILE"], None),
    (
        "validate",
        "write_rejected",
        &["--write-rejected", "FILE"],
        None,
    ),
    (
        "validate",
        "write_fixed",
        &["--fix", "--write-fixed", "FILE"],
        None,
    ),
    ("validate", "write_added", &["--write-added", "FILE"], None),
    ("validate", "against", &["--against", "FILE"], Some("games")),
    (
        "stats",
        "openings",
        &["--by", "eco", "--openings", "FILE"],
        Some("openings"),
    ),
    (
        "adjudicate",
        "openings",
        &["--format", "csv", "--openings", "FILE"],
        Some("openings"),
    ),
    (
        "replay",
        "openings",
        &["--format", "csv", "--openings", "FILE"],
        Some("openings"),
    ),
    (
        "stats",
        "names",
        &["--by", "player", "--names", "FILE"],
        Some("names"),
    ),
    (
        "replay",
        "names",
        &["--format", "pgn", "--names", "FILE"],
        Some("names"),
    ),
    ("stats", "inputs", &["FILE"], Some("games")),
    (
        "stats",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    ("stats", "config", &["--config", "FILE"], Some("settings")),
    ("stats", "output", &["-o", "FILE"], None),
    ("stats", "chart", &["--chart", "FILE"], None),
    ("stats", "merge", &["--merge", "FILE"], Some("statistics")),
    (
        "stats",
        "compare",
        &["--compare", "fixtures/famous.json", "FILE"],
        Some("statistics"),
    ),
    ("replay", "inputs", &["FILE"], Some("games")),
    (
        "replay",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    ("replay", "config", &["--config", "FILE"], Some("settings")),
    ("replay", "output", &["-o", "FILE"], None),
    ("adjudicate", "inputs", &["FILE"], Some("games")),
    (
        "adjudicate",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    (
        "adjudicate",
        "config",
        &["--config", "FILE"],
        Some("settings"),
    ),
    ("adjudicate", "output", &["-o", "FILE"], None),
    (
        "replay",
        "write_others",
        &["--games", "1", "--write-others", "FILE"],
        None,
    ),
    ("perft", "suite", &["--suite", "FILE"], Some("suite")),
    (
        "perft",
        "other_divide",
        &["--depth", "1", "--compare", "FILE"],
        Some("divide"),
    ),
    ("perft", "output", &["-o", "FILE"], None),
];

/// Options that name a folder or a command, and those of a command that reads no file.
const OTHER_PATHS: [(&str, &str); 3] = [
    ("replay", "board_dir"),
    ("perft", "against"),
    ("generate", "output"),
];

#[test]
fn no_option_names_an_output_that_another_reads() {
    let path = clap::value_parser!(std::path::PathBuf).type_id();
    let is_path = |arg: &&clap::Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let is_file = names
            .iter()
            .any(|name| ["FILE", "COMMAND"].contains(&name.as_str()));
        is_file || arg.get_value_parser().type_id() == path
    };
    let program = arbiter::commands::command_line(None);
    let mut options: Vec<(String, String)> = Vec::new();
    for command in program.get_subcommands() {
        let paths = command.get_arguments().filter(is_path);
        let pair = |arg: &clap::Arg| (command.get_name().to_owned(), arg.get_id().to_string());
        options.extend(paths.map(pair));
    }
    let known = PATH_OPTIONS
        .iter()
        .map(|&(command, option, ..)| (command, option));
    let mut known: Vec<_> = known.chain(OTHER_PATHS).collect();
    known.sort_unstable();
    options.sort_unstable();
    let options: Vec<_> = options.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(options, known, "does a new option read or write?");

    let scratch = Scratch::new("path-options");
    let counted = ["stats", "-q", "--count", "--part", "1/2", FAMOUS];
    let content = |what: &str| match what {
        "games" => fs::read(FAMOUS).unwrap(),
        "counts" => run(&counted).stdout,
        "openings" => fs::read("fixtures/openings.tsv").unwrap(),
        "names" => b"Morphy;Morphy, Paul\n".to_vec(),
        "settings" => b"rules = 'fide'\n".to_vec(),
        "baseline" => b"{\"arbiter-baseline\":1}\n".to_vec(),
        "statistics" => fs::read("fixtures/famous.json").unwrap(),
        "suite" => b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 2\n".to_vec(),
        "divide" => run(&["perft", "-q", "--divide", "--depth", "1"]).stdout,
        _ => unreachable!(),
    };
    let mut checked = 0;
    for (command, read, reads, what) in PATH_OPTIONS {
        let Some(what) = what else { continue };
        let content = content(what);
        for (_, written, writes, _) in PATH_OPTIONS
            .iter()
            .filter(|(name, _, _, what)| *name == command && what.is_none())
        {
            let file = scratch.file("a.svg", &content);
            let other = scratch.path().join("b.svg").to_str().unwrap().to_owned();
            let words = |written: &str| {
                let named = |words: &[&str], file: &str| -> Vec<String> {
                    (words.iter())
                        .map(|word| word.replace("FILE", file))
                        .collect()
                };
                let needs_games = !matches!(read, "inputs" | "merge" | "compare" | "suite");
                let games = (needs_games && command != "perft").then(|| FAMOUS.to_owned());
                [named(reads, &file), named(writes, written)]
                    .concat()
                    .into_iter()
                    .chain(games)
                    .collect::<Vec<_>>()
            };
            let run = |written: &str| {
                let words = words(written);
                let words = words.iter().map(String::as_str);
                run(&[command, "-q"].into_iter().chain(words).collect::<Vec<_>>())
            };
            let ran = run(&other);
            let is_of_mode = ["has no meaning with", "needs `--against`"];
            if is_of_mode.iter().any(|why| ran.stderr.contains(why)) {
                continue;
            }
            assert!(
                ran.code < Some(2),
                "{command} {read} {written}: {}",
                ran.stderr
            );
            if (read, *written) == ("baseline", "write_baseline") {
                continue;
            }
            let ran = run(&file);
            assert_eq!(ran.code, Some(2), "{command} {read} {written}");
            assert!(
                fs::read(&file).unwrap() == content,
                "{command} {read} {written}"
            );
            assert!(!ran.stderr.contains("another process"), "{}", ran.stderr);
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}
