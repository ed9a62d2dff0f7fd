//! Input designed to take excessive time or memory.
//! Output for one game or position is bounded, and omitted findings are counted.

use std::time::{Duration, Instant};

use crate::arbiter_command::{Scratch, run};

const HEAD: &str = "[Event \"x\"]\n\n";

/// Counts of omitted findings in N003.
fn left_out(stdout: &str) -> Vec<u64> {
    let notes = stdout.lines().filter(|line| line.contains("[N003]"));
    notes
        .map(|line| {
            let message = line.split("[N003] ").nth(1).unwrap();
            message.split(' ').next().unwrap().parse().unwrap()
        })
        .collect()
}

fn concise(path: &str, more: &[&str]) -> (Option<i32>, String) {
    let ran = run(&[&["validate", "--format", "concise", path], more].concat());
    (ran.code, ran.stdout())
}

#[test]
fn findings_of_one_game_are_bounded_and_the_others_counted() {
    let scratch = Scratch::new("bounded");
    let cases = [("(1. e5) ", "201"), ("() ", "224"), (") ", "207")];
    for (unit, code) in cases {
        let text = format!("{HEAD}1. e4 {}*\n", unit.repeat(5_000));
        let path = scratch.file("many.pgn", text.as_bytes());
        let (_, stdout) = concise(&path, &["--select", code]);
        let listed = stdout.lines().filter(|line| !line.contains("[N003]"));
        assert_eq!(listed.count(), 1_000, "{unit}");
        assert_eq!(left_out(&stdout), [4_000], "{unit}");
    }
}

#[test]
fn stops_of_replay_in_variations_are_bounded() {
    let scratch = Scratch::new("stops");
    let text = format!("{HEAD}1. e4 {}1... e5 *\n", "(1. e5) ".repeat(5_000));
    let path = scratch.file("many.pgn", text.as_bytes());
    let ran = run(&["replay", "-q", "--variations", "--format", "csv", &path]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(left_out(&ran.stderr), [4_000]);
}

#[test]
fn a_rule_that_shows_late_counts_for_the_exit_code() {
    let scratch = Scratch::new("late");
    let text = format!(
        "{HEAD}1. e4 {}1... Ke7 2. Kxe7 *\n",
        "(1. e5) ".repeat(5_000)
    );
    let path = scratch.file("late.pgn", text.as_bytes());
    let (code, stdout) = concise(&path, &[]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("error[E201]"), "{stdout}");
}

#[test]
fn what_is_listed_of_one_position_is_bounded() {
    let scratch = Scratch::new("position");
    let path = scratch.file(
        "wrong.fen",
        format!("{} w - - 0 1\n", "x".repeat(5_000)).as_bytes(),
    );
    let (code, stdout) = concise(&path, &[]);
    assert_eq!(code, Some(1));
    assert_eq!(stdout.lines().count(), 101);
    // The placement also ends too early.
    assert_eq!(left_out(&stdout), [4_901]);
    let tag = format!(
        "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n1. e4 *\n",
        "x".repeat(5_000)
    );
    let path = scratch.file("wrong.pgn", tag.as_bytes());
    let (_, stdout) = concise(&path, &["--select", "E401"]);
    assert_eq!(left_out(&stdout).len(), 1, "{stdout}");
}

#[test]
fn only_what_is_shown_is_drawn_and_all_is_counted() {
    let scratch = Scratch::new("most");
    let text = format!("{HEAD}1. e5 *\n\n").repeat(2_000);
    let path = scratch.file("many.pgn", text.as_bytes());
    for jobs in ["1", "2"] {
        let words = [
            "validate",
            "-j",
            jobs,
            "--max-findings",
            "3",
            "--select",
            "E201",
            &path,
        ];
        let ran = run(&words);
        assert_eq!(ran.code, Some(1));
        assert_eq!(ran.stdout().matches("E201").count(), 3);
        assert!(ran.stderr.contains("2000 error"), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("1997 of them not shown"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_game_ends_at_a_ply_that_no_game_reaches() {
    let scratch = Scratch::new("plies");
    let of = |rounds: usize| {
        let moves = "Nf3 Nf6 Ng1 Ng8\n".repeat(rounds);
        scratch.file("long.pgn", format!("{HEAD}{moves}*\n").as_bytes())
    };
    let said = "the game has more moves, variations, words or tags than are read";
    let path = of(5_000);
    for command in ["validate", "adjudicate", "replay"] {
        let ran = run(&[command, &path]);
        let text = ran.stdout() + &ran.stderr;
        assert!(!text.contains(said), "{command}: {text}");
    }
    let path = of(5_001);
    let ran = run(&["validate", "--format", "concise", &path]);
    let place = format!("{path}:5003:1: error[E020] {said}");
    assert!(ran.stdout().contains(&place), "{}", ran.stdout());
    assert_eq!(ran.code, Some(1));
    let ran = run(&["replay", "--format", "csv", &path]);
    assert_eq!(ran.stdout().lines().count(), 1 + 20_000);
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert_eq!(ran.code, Some(1));
    let ran = run(&["stats", "--by", "plies", "--format", "csv", &path]);
    assert!(ran.stdout().contains("20000..20019"), "{}", ran.stdout());
    // Later moves may change everything, except after an automatic end.
    let judged = |rules: &str| {
        let ran = run(&["adjudicate", "--format", "jsonl", "--rules", rules, &path]);
        let row: serde_json::Value = serde_json::from_str(ran.stdout().trim()).unwrap();
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
        assert_eq!(row["plies"], 20_000);
        row["verdict"].clone()
    };
    assert_eq!(judged("icc"), "undecided");
    assert_ne!(judged("lichess"), "undecided");
}

/// Four times the input takes about four times as long; sixteen would be quadratic.
/// The bounds are wide, because other programs run at the same time.
#[test]
fn no_input_takes_time_out_of_proportion() {
    let scratch = Scratch::new("quadratic");
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let tag = |value: &str| format!("[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{value}\"]\n\n1. e4 *\n");
    let opcodes = |count: usize| {
        (0..count)
            .map(|nth| format!("op{nth} 1; "))
            .collect::<String>()
    };
    let inputs = [
        ("a.fen", "x".repeat(320_000)),
        ("b.fen", format!("{position} {} 0 1", "x".repeat(320_000))),
        ("c.pgn", tag(&"x".repeat(320_000))),
        ("d.epd", format!("{position} {}\n", opcodes(80_000))),
        (
            "e.pgn",
            format!("{HEAD}1. e4 {}*\n", "(1. e5) ".repeat(200_000)),
        ),
        ("f.pgn", format!("{HEAD}1. e4 {}*\n", "} ".repeat(500_000))),
        ("g.pgn", format!("{HEAD}1. e4 {}*\n", "( ".repeat(500_000))),
        (
            "h.pgn",
            format!(
                "[Event \"x\"]\n{}\n1. e4 *\n",
                "[Round \"y\"]\n".repeat(100_000)
            ),
        ),
        (
            "i.pgn",
            format!("{}\n\n1. e4 *\n", "[Event \"x\"] ".repeat(100_000)),
        ),
        (
            "j.pgn",
            (0..50_000)
                .map(|nth| format!("[T{nth} \"x\"]\n"))
                .chain(["\n1. e4 *\n".to_owned()])
                .collect(),
        ),
    ];
    for (name, text) in inputs {
        let path = scratch.file(name, text.as_bytes());
        let runs: [&[&str]; 3] = [&["--format", "human"], &["--format", "sarif"], &["--fix"]];
        for words in runs {
            let began = Instant::now();
            run(&[&["validate", "--strict", &path], words].concat());
            let took = began.elapsed();
            assert!(took < Duration::from_secs(20), "{name} {words:?}: {took:?}");
        }
    }
}
