//! Findings about times and evaluations in comments.

use arbiter::findings::Checks;

use crate::arbiter_command::run_with_stdin;
use crate::found::{findings, game};

/// Findings in comments, as code, move and the text they point at.
fn found(time_control: &str, movetext: &str) -> Vec<String> {
    let text = game(&[("TimeControl", time_control)], movetext);
    let found = findings(text.as_bytes(), &Checks::default()).into_iter();
    let found = found.filter(|(finding, _)| ["W265", "N266"].contains(&finding.rule.code));
    let shown = found.map(|(finding, marked)| {
        let at = finding.at.unwrap();
        format!("{} {} {marked}", finding.rule.code, at.label)
    });
    shown.collect()
}

#[test]
fn a_value_that_is_not_read_is_named_once_a_game() {
    for (movetext, expected) in [
        (
            "1. e4 {[%emt -0:00:01]} e5 {[%emt -1]} *",
            Some("1.e4 [%emt -0:00:01]"),
        ),
        (
            "1. e4 e5 {[%clk -0:00:01] [%emt 1]} *",
            Some("1...e5 [%clk -0:00:01]"),
        ),
        (
            "1. e4 {[%clk 0:01:00] [%clk 0:02:00]} *",
            Some("1.e4 [%clk 0:02:00]"),
        ),
        ("1. e4 {[%eval -]} *", Some("1.e4 [%eval -]")),
        (
            "1. e4 {[%eval -M1] [%clk 0:01:00]} e5 {[%eval 0.16/16]} *",
            None,
        ),
        (
            "1. e4 {[%eval #-3] [%emt 0:00:01.5]} e5 {[%csl Gd4][%cal x]} *",
            None,
        ),
        ("1. e4 {0:01:00} e5 {-1} 2. Nf3 {[%evp 0,1]} *", None),
    ] {
        let expected = expected.map(|text| format!("W265 {text}"));
        assert_eq!(
            found("180+2", movetext),
            Vec::from_iter(expected),
            "{movetext}"
        );
    }
}

#[test]
fn values_of_later_games_are_read_if_selected() {
    let one = game(&[], "1. e4 {[%eval -]} *");
    let text = one.repeat((1 << 18) / one.len() + 2);
    let count = |words: &[&str]| {
        let ran = run_with_stdin(
            &[&["validate", "--format", "concise"], words].concat(),
            text.clone().into(),
        );
        ran.stdout().matches("[W265]").count()
    };
    let all = text.len() / one.len();
    assert_eq!(count(&["--select", "W265"]), all);
    assert_eq!(count(&["--strict"]), all - 1);
}

#[test]
fn a_clock_grows_by_what_the_time_control_adds() {
    let clocks = |clocks: [&str; 4]| {
        let [one, two, three, four] = clocks.map(|clock| format!("{{[%clk {clock}]}}"));
        format!("1. e4 {one} e5 {two} 2. Nf3 {three} Nc6 {four} *")
    };
    for (control, movetext, expected) in [
        (
            "180+2",
            clocks(["0:03:00", "0:03:00", "0:03:15", "0:03:15"]),
            Some("2.Nf3 Nf3"),
        ),
        (
            "180+2",
            clocks(["0:03:00", "0:03:00", "0:03:02", "0:03:17"]),
            Some("2...Nc6 Nc6"),
        ),
        (
            "180+2",
            clocks(["0:03:00", "0:03:00", "0:03:03", "0:03:01"]),
            None,
        ),
        (
            "60",
            clocks(["0:01:00", "0:01:00", "0:00:59", "0:01:05"]),
            Some("2...Nc6 Nc6"),
        ),
        (
            "1/60:30",
            clocks(["0:01:00", "0:01:00", "0:01:25", "0:01:25"]),
            None,
        ),
        (
            "40/60:30",
            clocks(["0:01:10", "0:01:00", "0:01:35", "0:01:25"]),
            Some("2.Nf3 Nf3"),
        ),
        (
            "?",
            clocks(["0:03:00", "0:03:00", "0:03:15", "0:03:15"]),
            None,
        ),
        (
            "*180",
            clocks(["0:03:00", "0:03:00", "0:03:15", "0:03:15"]),
            None,
        ),
        (
            "180+2d",
            clocks(["0:03:00", "0:03:00", "0:03:15", "0:03:15"]),
            None,
        ),
        (
            "60",
            "1. e4 {0:00:50} e5 2. Nf3 {0:00:55} *".to_owned(),
            Some("2.Nf3 Nf3"),
        ),
    ] {
        let expected = expected.map(|text| format!("N266 {text}"));
        assert_eq!(
            found(control, &movetext),
            Vec::from_iter(expected),
            "{control} {movetext}"
        );
    }
}
