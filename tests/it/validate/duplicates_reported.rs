//! Findings about duplicates in the formats, the closing lines and a selection of codes.

use std::fs;

use crate::arbiter_command::{Scratch, run};
use crate::planted_doubles::game;

/// Counts of the statistics in the closing lines: errors, warnings, notes; clean games and others.
fn closing(stderr: &str) -> Vec<u64> {
    let lines = stderr.lines().filter(|line| {
        let is_count = |head: &&str| line.starts_with(*head);
        ["findings: ", "games: "].iter().any(is_count)
    });
    let words: Vec<&str> = lines.flat_map(|line| line.split([' ', ';'])).collect();
    let number = |unit: &str| {
        let at = words
            .iter()
            .position(|word| word.trim_end_matches(',') == unit)
            .unwrap();
        words[at - 1].parse().unwrap()
    };
    ["error", "warning", "note", "clean", "with", "unreadable"]
        .map(number)
        .to_vec()
}

#[test]
fn the_figures_of_all_formats_count_duplicates() {
    let scratch = Scratch::new("duplicates-figures");
    let (long, longer) = (game("Euwe, Max", 24), game("Euwe, Max", 26));
    let broken = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    let a = scratch.file("a.pgn", format!("{long}{broken}{long}").as_bytes());
    let b = scratch.file("b.pgn", longer.repeat(2).as_bytes());
    let c = scratch.file("c.pgn", format!("{broken}{long}").as_bytes());
    let of = |format: &str, more: &[&str]| {
        let mut words = vec![
            "validate",
            "--duplicates",
            "--ignore",
            "W129",
            "--statistics",
        ];
        words.extend(["--format", format]);
        words.extend(more);
        words.extend([a.as_str(), &b, &c]);
        run(&words)
    };
    let human = of("human", &[]);
    let figures = closing(&human.stderr);
    assert_eq!(figures, [2, 5, 0, 1, 6, 0], "{}", human.stderr);
    for format in [
        "csv", "jsonl", "sarif", "junit", "gitlab", "github", "rdjsonl", "markdown",
    ] {
        let ran = of(format, &[]);
        assert_eq!(closing(&ran.stderr), figures, "{format}");
        assert_eq!(
            ran.stderr.lines().next(),
            human.stderr.lines().next(),
            "{format}"
        );
        let text = ran.stdout();
        let found = match format {
            "csv" => text.lines().count() - 1,
            "jsonl" | "github" | "rdjsonl" => text.lines().count(),
            "sarif" => text.matches("\"ruleId\"").count(),
            "gitlab" => text.matches("\"check_name\"").count(),
            "junit" => text.matches("<testcase ").count() - 3,
            _ => {
                let counts = text.lines().filter_map(|line| line.split(" | ").nth(2));
                counts.filter_map(|count| count.parse::<usize>().ok()).sum()
            }
        };
        assert_eq!(found, 7, "{format}: {text}");
    }
    let summary = of("markdown", &[]).stdout();
    assert!(
        summary.contains("games: 7 seen = 1 clean + 6 with findings"),
        "{summary}"
    );
}

#[test]
fn a_file_with_duplicates_is_one_suite_of_tests() {
    let scratch = Scratch::new("duplicates-junit");
    let long = game("Euwe, Max", 24);
    let broken = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    let a = scratch.file("a.pgn", format!("{long}{broken}{long}").as_bytes());
    let b = scratch.file("b.pgn", format!("{broken}{long}").as_bytes());
    let words = [
        "validate",
        "-q",
        "--duplicates",
        "--ignore",
        "W129",
        "--format",
        "junit",
    ];
    let clean = scratch.file("clean", b"");
    for more in [
        &[][..],
        &["--write-clean", &clean],
        &["--write-clean", &clean, "--keep", "first"],
    ] {
        let ran = run(&[&words[..], more, &[&a, &b]].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let report = quick_junit::Report::deserialize_from_str(&ran.stdout()).unwrap();
        let suites = report.test_suites.iter().map(|suite| {
            let last = suite.test_cases.last().unwrap();
            let clean = last.system_out.as_ref().unwrap().as_str().to_owned();
            (suite.tests, suite.failures, suite.skipped, clean)
        });
        let suites: Vec<_> = suites.collect();
        let counts = |clean: &str| format!("{clean} with findings + 0 unreadable");
        let expected = [
            (3, 1, 1, counts("3 seen = 1 clean + 2")),
            (4, 1, 2, counts("2 seen = 0 clean + 2")),
        ];
        assert_eq!(suites, expected);
        let lines = run(&["validate", "--duplicates", "--format", "concise", &a, &b]);
        for line in lines
            .stdout()
            .lines()
            .filter(|line| line.contains("[W501]"))
        {
            assert!(ran.stdout().contains(&format!(">{line}<")), "{line}");
        }
        // A warning rejects no game, unless one of several is kept.
        let kept = match more {
            [] => continue,
            [_, _] => long.repeat(3),
            _ => format!("{long}{broken}"),
        };
        assert_eq!(fs::read_to_string(&clean).unwrap(), kept);
    }
}

#[test]
fn a_selection_may_name_some_of_the_codes() {
    let file = "fixtures/findings/N503.pgn";
    let found = |select: &str| {
        let words = [
            "validate",
            "-q",
            "--duplicates",
            "--format",
            "concise",
            "--select",
            select,
            file,
        ];
        run(&words).stdout().contains("N503")
    };
    assert!(found("E201"), "the codes 5 are added");
    assert!(found("N503") && found("5"));
    assert!(!found("W501,W502"));
}

#[test]
fn doubles_with_other_results_are_named_as_such() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 \
                 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
    let game = |black: &str, result: &str, more: &str| {
        format!(
            "[White \"A\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
             {moves}{more} {result}\n\n"
        )
    };
    let text = game("B", "1-0", "")
        + &game("B", "1/2-1/2", "")
        + &game("B", "*", "")
        + &game("B", "0-1", " 11. Nbd2")
        + &game("B", "1-0", " 11. Nbd2")
        + &game("C", "0-1", "");
    let scratch = Scratch::new("other-results");
    let file = scratch.file("games.pgn", text.as_bytes());
    let ran = run(&[
        "validate", "--select", "5", "--format", "concise", "--quiet", &file,
    ]);
    let stdout = ran.stdout();
    let found: Vec<_> = stdout
        .lines()
        .map(|line| line.split_once("[").unwrap().1)
        .collect();
    let expected = [
        "W501] the game is game 1 again, with another result (game 2)",
        "W501] the game is game 1 again (game 3)",
        "W502] game 1 is the beginning of this game, with another result (game 4)",
        "W501] the game is game 4 again, with another result (game 5)",
        "N503] the moves are those of game 1, by other players, with another result (game 6)",
    ];
    assert_eq!(found, expected);
}
