//! Comparison of statistics, and its exit codes.

use std::fs;

use serde_json::Value;

use crate::arbiter_command::{Ran, Scratch, command, run, run_with_stdin};

/// Statistics by event, from White's wins, draws and losses.
fn statistics(scratch: &Scratch, name: &str, events: &[(&str, [usize; 3])]) -> String {
    let mut text = String::new();
    for (event, counts) in events {
        for (count, result) in counts.iter().zip(["1-0", "1/2-1/2", "0-1"]) {
            for _ in 0..*count {
                text +=
                    &format!("[Event \"{event}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n");
            }
        }
    }
    let ran = run_with_stdin(
        &["stats", "-q", "--format", "json", "--by", "event"],
        text.into_bytes(),
    );
    scratch.file(name, &ran.stdout)
}

#[test]
fn limits_of_groups_need_groups() {
    for option in ["--top=1", "--min-games=1"] {
        let ran = run(&["stats", option, "fixtures/famous.pgn"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(" needs `--by`"), "{ran:?}");
        let ran = run(&["stats", option, "--by", "eco", "fixtures/famous.pgn"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn rules_need_results_or_draws_to_judge() {
    let words = ["stats", "--rules", "uscf", "fixtures/famous.pgn"];
    let ran = run(&words);
    assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0), "{ran:?}");
    assert!(ran.stderr.contains("`--rules` needs `--draws`"), "{ran:?}");
    for use_of_rules in [&["--draws"][..], &["--by", "ruling"], &["--show-config"]] {
        let ran = run(&[&words[..], use_of_rules].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn statistics_of_pairs_are_not_compared() {
    let scratch = Scratch::new("compare-pairs");
    let pairs = run(&[
        "stats",
        "-q",
        "--pairs",
        "--format",
        "json",
        "fixtures/match.pgn",
    ]);
    let path = scratch.file("pairs.json", &pairs.stdout);
    let ran = run(&["stats", "--compare", &path, &path]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains("`--pairs`, which has no comparison"),
        "{ran:?}"
    );
}

#[test]
fn limits_need_games_with_a_result() {
    let scratch = Scratch::new("compare-nothing");
    let some = statistics(&scratch, "a.json", &[("A", [1, 1, 1])]);
    let unfinished = b"[Event \"A\"]\n[Result \"*\"]\n\n1. e4 *\n".to_vec();
    let json = ["stats", "-q", "--format", "json", "--by", "event"];
    let none = scratch.file("b.json", &run_with_stdin(&json, unfinished).stdout);
    for limit in ["--fail-above=1", "--fail-significant"] {
        let ran = run(&["stats", "--compare", &some, &none, limit]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("no limit can be checked"), "{ran:?}");
    }
    assert_eq!(run(&["stats", "--compare", &some, &none]).code, Some(0));
}

#[test]
fn groups_that_are_not_shown_fail_too() {
    let scratch = Scratch::new("compare-top");
    let of = |b| [("A", [40, 20, 40]), ("B", b)];
    let before = statistics(&scratch, "a.json", &of([10, 0, 10]));
    let after = statistics(&scratch, "b.json", &of([0, 20, 0]));
    let words = ["stats", "--top=1", "--fail-above=50", "--compare"];
    let ran = run(&[&words[..], &[&before, &after]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.starts_with("B: draw rate"), "{ran:?}");
    assert!(
        !ran.stdout().lines().any(|line| line.starts_with("B ")),
        "{ran:?}"
    );
}

#[test]
fn a_draw_rate_that_moved_fails() {
    let scratch = Scratch::new("compare");
    let before = statistics(
        &scratch,
        "a.json",
        &[("A", [40, 20, 40]), ("B", [10, 10, 10])],
    );
    let after = statistics(&scratch, "b.json", &[("A", [35, 30, 35]), ("C", [1, 1, 1])]);
    let compare = |more: &[&str]| {
        let mut words = vec!["stats", "--compare", &before, &after];
        words.extend(more);
        run(&words)
    };
    assert_eq!(compare(&[]).code, Some(0));
    assert_eq!(compare(&["--fail-above", "10.1"]).code, Some(0));
    let ran = compare(&["--fail-above", "9.9"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.stderr,
        "A: draw rate changed from 20.0 % to 30.0 %, by +10.0 points \
         (limit 9.9; 95 %: −2.0 to +21.7)\n"
    );
    // All games: 23.1 % to 30.1 %, below the threshold.
    let ran = compare(&["--fail-above", "5"]);
    assert!(
        ran.stderr.starts_with("all games: draw rate changed"),
        "{}",
        ran.stderr
    );
    // Groups below the minimum size are ignored.
    let ran = compare(&["--fail-above", "9.9", "--min-games", "101"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);

    let found: Value = serde_json::from_slice(&compare(&["--format", "json"]).stdout).unwrap();
    assert_eq!(found["all"]["games"], serde_json::json!([130, 103]));
    let groups = found["groups"].as_array().unwrap();
    let names: Vec<_> = groups
        .iter()
        .map(|group| group["values"][0].as_str().unwrap())
        .collect();
    assert_eq!(names, ["A", "B", "C"]);
    assert_eq!(groups[0]["draw_rate"]["difference"], 0.1);
    assert_eq!(groups[0]["score"]["difference"], 0.0);
    assert_eq!(groups[1]["games"], serde_json::json!([30, 0]));
    assert_eq!(groups[1]["draw_rate"]["difference"], Value::Null);
    // Newcombe's interval of 30 of 100 against 20 of 100.
    let interval = groups[0]["draw_rate"]["interval_95"].as_array().unwrap();
    let limits: Vec<_> = interval
        .iter()
        .map(|limit| limit.as_f64().unwrap())
        .collect();
    assert!(
        (limits[0] + 0.0203).abs() < 5e-4 && (limits[1] - 0.2171).abs() < 5e-4,
        "{limits:?}"
    );
}

#[test]
fn only_changes_beyond_chance_fail() {
    let scratch = Scratch::new("compare-significant");
    let events = |few: [usize; 3], many: [usize; 3]| [("few", few), ("many", many)];
    let before = statistics(&scratch, "a.json", &events([4, 2, 4], [200, 200, 200]));
    let after = statistics(&scratch, "b.json", &events([2, 6, 2], [225, 150, 225]));
    let compare = |more: &[&str]| {
        let mut words = vec!["stats", "-q", "--compare", &before, &after];
        words.extend(more);
        run(&words)
    };
    // 40 points of ten games may be chance, 8.3 points of 600 are not.
    let changed = "many: draw rate changed from 33.3 % to 25.0 %, by −8.3 points (";
    let ran = compare(&["--fail-significant"]);
    assert_eq!(ran.code, Some(1));
    let lines: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("all games: draw rate changed from "),
        "{lines:?}"
    );
    assert!(
        lines[1].starts_with(&format!("{changed}95 %: −13.4 to −3.2)")),
        "{lines:?}"
    );

    let ran = compare(&["--fail-significant", "--fail-above", "8"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.starts_with(&format!("{changed}limit 8; 95 %: ")),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.lines().count(), 1);
    let above = compare(&["--fail-above", "8"]);
    assert!(
        above
            .stderr
            .contains("few: draw rate changed from 20.0 % to 60.0 %, by +40.0 points"),
        "{}",
        above.stderr
    );
    let ran = compare(&["--fail-significant", "--fail-above", "9"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
}

#[test]
fn the_same_is_the_same() {
    let scratch = Scratch::new("compare-same");
    let one = statistics(&scratch, "a.json", &[("A", [4, 2, 4])]);
    let ran = run(&["stats", "--compare", &one, &one, "--fail-above", "0"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(!ran.stdout().contains('*'));
}

#[test]
fn what_counts_different_things_is_not_compared() {
    let scratch = Scratch::new("compare-refused");
    let one = statistics(&scratch, "a.json", &[("A", [4, 2, 4])]);
    let other = run(&["stats", "-q", "--format", "json", "fixtures/famous.pgn"]).stdout;
    let other = scratch.file("b.json", &other);
    let ran = run(&["stats", "--compare", &one, &other]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("grouped by other keys"),
        "{}",
        ran.stderr
    );
    let ran = run(&["stats", "--compare", &one]);
    assert_eq!(ran.code, Some(2));
}

/// Games of a match in which `Engine` scores this many percent, with both colours alike.
fn match_of(percent: usize) -> String {
    let mut games = String::new();
    for nth in 0..2000 {
        let is_white = nth % 2 == 0;
        let wins = nth / 2 % 100 < percent;
        let (white, black) = if is_white {
            ("Engine", "Other")
        } else {
            ("Other", "Engine")
        };
        let result = if is_white == wins { "1-0" } else { "0-1" };
        games += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n"
        );
    }
    games
}

/// The two commands of this guide for continuous integration.
fn gate(guide: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(guide).unwrap();
    let mut lines = text
        .lines()
        .skip_while(|line| !line.contains("--output new.json match/"));
    let words = |line: &str| line.split(' ').skip(1).map(str::to_owned).collect();
    lines.by_ref().take(2).map(words).collect()
}

#[test]
fn the_gate_of_the_guides_sees_an_engine_lose_eight_points() {
    let scratch = Scratch::new("stats-gate");
    let path = scratch.path();
    fs::create_dir(path.join("match")).unwrap();
    for guide in ["README.md", "src/commands/stats/README.md"] {
        let commands = gate(guide);
        assert_eq!(commands.len(), 2, "{guide}");
        let run = |words: &[String]| -> Ran {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut command = command(&words);
            command.current_dir(path).output().unwrap().into()
        };
        let mut codes = Vec::new();
        for percent in [50, 50, 42] {
            scratch.file("match/games.pgn", match_of(percent).as_bytes());
            assert_eq!(run(&commands[0]).code, Some(0), "{guide}");
            if codes.is_empty() {
                fs::copy(path.join("new.json"), path.join("baseline.json")).unwrap();
            }
            codes.push(run(&commands[1]).code);
        }
        assert_eq!(codes, [Some(0), Some(0), Some(1)], "{guide}");
    }
}
