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

/// Four times the input takes about four times as long; sixteen would be quadratic.
/// The bounds are wide, because other programs run at the same time.
#[test]
fn a_game_is_judged_up_to_a_ply_that_no_game_reaches() {
    let scratch = Scratch::new("plies");
    let of = |rounds: usize| {
        let moves = "Nf3 Nf6 Ng1 Ng8\n".repeat(rounds);
        format!("{HEAD}{moves}*\n").into_bytes()
    };
    let judged = |rounds: usize, rules: &str| {
        let path = scratch.file("long.pgn", &of(rounds));
        let words = ["adjudicate", "--format", "jsonl", "--rules", rules, &path];
        let ran = run(&words);
        let row: serde_json::Value = serde_json::from_str(ran.stdout().trim()).unwrap();
        (row["plies"].clone(), row["verdict"].clone(), ran.stderr)
    };
    let said = "the game has more than 20000 plies";
    let (plies, _, stderr) = judged(5_000, "icc");
    assert_eq!(plies, 20_000);
    assert!(!stderr.contains(said), "{stderr}");
    // Later moves may change everything, except after an automatic end.
    let (plies, verdict, stderr) = judged(5_001, "icc");
    assert_eq!((plies, verdict), (20_000.into(), "undecided".into()));
    assert!(stderr.contains(said), "{stderr}");
    let (_, verdict, _) = judged(5_001, "lichess");
    assert_ne!(verdict, "undecided");
    let path = scratch.file("long.pgn", &of(5_001));
    let (code, stdout) = concise(&path, &["--select", "E,W309"]);
    assert_eq!((code, stdout.lines().count()), (Some(0), 1), "{stdout}");
    assert!(stdout.contains("[W309]"), "{stdout}");
}

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
    ];
    for (name, text) in inputs {
        let path = scratch.file(name, text.as_bytes());
        for format in ["human", "sarif"] {
            let began = Instant::now();
            run(&["validate", "--strict", "--format", format, &path]);
            let took = began.elapsed();
            assert!(took < Duration::from_secs(20), "{name} {format}: {took:?}");
        }
    }
}
