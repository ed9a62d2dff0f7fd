//! Every finding code has a fixture, an explanation, and a line of `--codes`.

use std::path::Path;

use arbiter::findings::registry::{RULES, Rule, Strictness};

use crate::arbiter_command::{Scratch, run};

/// The page that explains the codes.
const PAGE: &str = include_str!("../../../core/src/findings/CODES.md");

/// Lines of the section of a code, without its heading and fences.
fn explanation(rule: &Rule) -> impl Iterator<Item = &'static str> {
    let mut sections = PAGE.split("## ");
    let section = sections.find(|section| section.starts_with(rule.code));
    let lines = section.unwrap().lines().skip(3);
    lines.filter(|line| !line.starts_with("```"))
}

/// Codes in the output of `--format concise`.
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
        let path = ["pgn", "epd", "fen", "pgn.zst"]
            .map(|form| format!("fixtures/findings/{}.{form}", rule.code))
            .into_iter()
            .find(|path| Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists())
            .unwrap_or_else(|| panic!("no fixture for {}", rule.code));
        let mut arguments = vec!["validate", "-q", "--format", "concise", "--fail-on", "note"];
        arguments.push(&path);
        if matches!(
            rule.strictness,
            Strictness::StrictOnly | Strictness::Optional
        ) {
            let ran = run(&arguments);
            assert_eq!(ran.stdout(), "", "{path}: off unless it is asked for");
            arguments.extend(["--select", rule.code]);
        }
        let ran = run(&arguments);
        let mut shown = codes(&ran.stdout());
        // Only a thousand other findings trigger this code.
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
fn each_code_is_explained() {
    let codes = run(&["validate", "--codes"]).stdout();
    for rule in RULES {
        let ran = run(&["validate", "--explain", rule.code]);
        assert_eq!(ran.code, Some(0));
        let (printed, explanation) = (ran.stdout(), explanation(rule));
        let printed = printed.lines().skip(4).filter(|line| !line.is_empty());
        let explanation = explanation.filter(|line| !line.is_empty());
        assert!(printed.eq(explanation), "{}", rule.code);
        let listed = codes.lines().any(|line| {
            let words = [rule.code, rule.name, rule.summary];
            line.starts_with(rule.code) && words.iter().all(|words| line.contains(words))
        });
        assert!(listed, "`--codes` lacks {}", rule.code);
    }
}

#[test]
fn the_page_of_codes_is_printed_as_it_stands() {
    let printed = |words: &[&str]| run(&[&["validate", "--format", "markdown"], words].concat());
    assert_eq!(printed(&["--codes"]).stdout(), PAGE);
    for rule in RULES {
        let section = printed(&["--explain", rule.code]).stdout();
        assert!(section.starts_with(&format!("## {}\n\n", rule.code)));
        assert!(PAGE.contains(&section), "{}", rule.code);
    }
}

/// Words in a text that resemble finding codes.
fn cited(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| {
        let digits = word.strip_prefix(['E', 'W', 'N']);
        digits.is_some_and(|digits| {
            digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    })
}

#[test]
fn every_code_that_a_text_cites_exists() {
    for rule in RULES {
        for code in explanation(rule).flat_map(cited).chain(cited(rule.summary)) {
            let exists = RULES.iter().any(|rule| rule.code == code);
            assert!(exists, "{} cites {code}", rule.code);
        }
    }
    let guide = |path: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
    };
    let mut texts = vec![
        guide("README.md"),
        guide("src/commands/README.md"),
        run(&["--help"]).stdout(),
    ];
    for command in ["validate", "stats", "adjudicate", "replay", "perft"] {
        texts.push(guide(&format!("src/commands/{command}/README.md")));
        texts.push(run(&[command, "--help"]).stdout());
    }
    for text in texts {
        for code in cited(&text) {
            let can_be_printed = RULES.iter().any(|rule| {
                let mut codes = rule.severities().map(|severity| rule.code_at(severity));
                codes.any(|known| known.as_str() == code)
            });
            assert!(can_be_printed, "{code}");
        }
    }
}

/// A game with an error in a variation, lowered to a warning, and a missing check mark, which
/// `--strict` raises.
const LOWERED_AND_RAISED: &str = "[Event \"x\"]\n\n1. e4 f5 (1... e4) 2. Qh5 g6 *\n";

#[test]
fn the_letter_of_a_code_is_that_of_the_printed_severity_in_every_format() {
    let folder = Scratch::new("letters");
    let path = &folder.file("games.pgn", LOWERED_AND_RAISED.as_bytes());
    let printed = |format: &str, more: &[&str]| {
        let words = [&["validate", "-q", "--format", format, path.as_str()], more].concat();
        run(&words).stdout()
    };
    for format in [
        "human", "concise", "jsonl", "csv", "sarif", "junit", "github", "gitlab", "rdjsonl",
    ] {
        let text = printed(format, &["--select", "illegal-move,missing-check-mark"]);
        assert!(text.contains("W201"), "{format}: {text}");
        let results = text.split("\"results\"").last().unwrap();
        assert!(!results.contains("E201"), "{format}: {text}");
        let missing = printed(format, &["--strict", "--select", "missing-check-mark"]);
        let strict = RULES
            .iter()
            .find(|rule| rule.name == "missing-check-mark")
            .unwrap();
        let code = strict.code_at(strict.severity_if(true));
        assert!(missing.contains(code.as_str()), "{format}: {missing}");
    }
    let log: serde_json::Value = serde_json::from_str(&printed("sarif", &["--strict"])).unwrap();
    let run_of = &log["runs"][0];
    for result in run_of["results"].as_array().unwrap() {
        let rule =
            &run_of["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(rule["defaultConfiguration"]["level"], result["level"]);
    }
}

#[test]
fn a_code_is_taken_with_the_letter_of_any_severity() {
    for code in ["E201", "W201", "n201"] {
        let ran = run(&["validate", "--explain", code]);
        assert!(ran.stdout().starts_with("E201 illegal-move"), "{code}");
        let words = [
            "validate",
            "-q",
            "--select",
            code,
            "fixtures/findings/E201.pgn",
        ];
        assert_eq!(run(&words).code, Some(1), "{code}");
    }
}

#[test]
fn a_note_about_a_file_counts_for_no_game() {
    let ran = run(&[
        "validate",
        "--format",
        "concise",
        "fixtures/findings/N005.pgn",
    ]);
    assert!(
        ran.stderr.contains("1 note; 1 of them about a whole file"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("+ 0 with findings +"), "{}", ran.stderr);
}

#[test]
fn only_commands_that_check_games_call_them_clean() {
    let games = "fixtures/famous.pgn";
    assert!(run(&["validate", games]).stderr.contains(" clean + "));
    let stats = run(&["stats", games]).stderr;
    assert!(
        stats.contains(" counted + 0 with another result + 0 unreadable"),
        "{stats}"
    );
    let replay = run(&["replay", games]).stderr;
    assert!(
        replay.contains(" played to the end + 0 stopped early + 0 unreadable"),
        "{replay}"
    );
}
