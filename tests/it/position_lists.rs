//! FEN and EPD files: all faults of a position at once, operations, and their moves.

use arbiter::commands::validate::check::{Checks, check_line};
use arbiter::input::InputKind;

use crate::arbiter_command::run;
use crate::corpus;

/// Codes found in a line, each with the text it points at.
fn found(form: InputKind, line: &str, strict: bool) -> Vec<String> {
    let mut findings = Vec::new();
    let checks = Checks::new(strict, &[], &[]);
    check_line(form, line.as_bytes(), &checks, &mut findings);
    findings
        .iter()
        .map(|finding| format!("{} {}", finding.rule.code, &line[finding.span.range()]))
        .collect()
}

#[track_caller]
fn check(form: InputKind, line: &str, expected: &[&str]) {
    assert_eq!(found(form, line, false), expected, "{line}");
}

#[test]
fn each_fault_of_a_position_has_its_place() {
    check(
        InputKind::Fen,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[],
    );
    check(
        InputKind::Fen,
        "# two\n4k3/8/8/8/8/8/8/P3K2R b KQ e3 5 1\n",
        &["E402 P", "W403 KQ", "W403 e3", "W403 e3", "N414 5"],
    );
    check(
        InputKind::Fen,
        "4k3/8/8/3x4/8/8/8/4K3 W kqx e9 half 1",
        &["E401 x", "E401 W", "E401 x", "E401 e9", "E401 half"],
    );
    check(
        InputKind::Fen,
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        &["E402 w"],
    );
    check(InputKind::Fen, "8/8/8/3Kk3/8/8/8/8 w - - 0 1", &["E402 K"]);
    check(
        InputKind::Fen,
        "8/8/8/8/8/8/8/K7 w - - 0 1",
        &["E402 8/8/8/8/8/8/8/K7"],
    );
    check(InputKind::Fen, "4k3/8/8/8/8/8/8/4K3 w", &["N409 w"]);
    check(
        InputKind::Fen,
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm Kd2;",
        &["E401 bm"],
    );
}

#[test]
fn clocks_of_an_epd_have_their_faults_where_they_are_given() {
    check(
        InputKind::Epd,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 3; fmvn 1;",
        &["N414 3"],
    );
}

#[test]
fn the_form_of_a_fen() {
    check(
        InputKind::Fen,
        "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 00 0",
        &["N412 kqKQ", "N412 00", "N412 0"],
    );
    check(
        InputKind::Fen,
        "r3k2r/8/8/8/8/8/8/R3K2R w KKq - 0 01",
        &["N412 K", "N412 01"],
    );
    // Shredder-FEN.
    check(InputKind::Fen, "4k3/8/8/8/8/8/8/RK4R1 w GA - 0 1", &[]);
}

#[test]
fn operations_are_checked_for_their_form() {
    let check = |operations: &str, expected: &[&str]| {
        check(
            InputKind::Epd,
            &format!("4k3/8/8/8/8/8/8/R3K2R w KQ - {operations}"),
            expected,
        );
    };
    check(
        "bm O-O Ke2; id \"a; b\"; ce -12; acd 4; resign; noop 1 \"x\";",
        &[],
    );
    check("hmvc 3; fmvn 40;", &[]);
    check("ce +1.5;", &["W406 ce +1.5"]);
    check("acd -1;", &["W406 acd -1"]);
    check("id castle;", &["W406 id castle"]);
    check("resign now;", &["W406 resign now"]);
    check("bm;", &["W406 bm"]);
    check("id \"a\"; id \"b\";", &["W407 id"]);
    check("7up 1;", &["E404 7up"]);
    check("id \"a;", &["E404 \"a;"]);
    check("bm O-O", &["W410 O"]);
}

#[test]
fn moves_of_operations_are_legal_in_the_position() {
    let check = |operations: &str, expected: &[&str]| {
        check(
            InputKind::Epd,
            &format!("4k3/8/8/8/8/8/8/R3K2R w KQ - {operations}"),
            expected,
        );
    };
    check("bm O-O-O Ra8+;", &[]);
    check("am Ra8 Rb8 Bd3;", &["E405 Rb8", "E405 Bd3"]);
    check("pv O-O Kd7 Rad1+ Ke6;", &[]);
    check("pv O-O Ke7 O-O Kd7 O-O;", &["E405 O-O"]);
    check("bm e1g1 a1a8;", &["W411 e1g1", "W411 a1a8"]);
    check("bm Qx9;", &["E405 Qx9"]);
    check("sm Kd2 Kd1;", &["W406 sm Kd2 Kd1"]);
}

#[test]
fn clocks_given_as_operations_are_the_positions() {
    let line = "4k3/8/8/8/8/8/8/R3K2R w KQ - hmvc 7; fmvn 2;";
    check(InputKind::Epd, line, &["N414 7"]);
    check(InputKind::Epd, &line.replace("fmvn 2", "fmvn 20"), &[]);
    // A number that is not given is not 1.
    check(InputKind::Epd, &line.replace(" fmvn 2;", ""), &[]);
}

#[test]
fn unknown_opcodes_are_left_to_strict() {
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20;";
    assert_eq!(found(InputKind::Epd, line, false), [""; 0]);
    assert_eq!(found(InputKind::Epd, line, true), ["N408 D1"]);
}

#[test]
fn any_number_of_threads_reads_the_same_positions() {
    let folder = std::env::temp_dir().join(format!("arbiter-lists-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("many.epd");
    let mut text = String::from("# a list\n\n");
    for nth in 0..40_000 {
        text += match nth % 1_000 {
            17 => "4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O",
            18 => "\r\n\n# note",
            _ => "4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O;",
        };
        text += "\n";
    }
    std::fs::write(&path, text).unwrap();
    let validate = |jobs: &str| {
        let path = path.to_str().unwrap();
        let ran = run(&["validate", "-q", "--format", "concise", "-j", jobs, path]);
        assert_eq!(ran.code, Some(0));
        ran.stdout()
    };
    let alone = validate("1");
    assert_eq!(alone.lines().count(), 40);
    assert!(alone.contains(":20:35: warning[W410]"), "{alone}");
    assert_eq!(alone, validate("3"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn valid_positions_have_no_finding_and_invalid_ones_have_one() {
    let (Some(valid), Some(invalid)) = (
        corpus::text("fen/valid.sfens"),
        corpus::text("fen/invalid.sfens"),
    ) else {
        return;
    };
    for line in valid.lines() {
        check(InputKind::Fen, line, &[]);
    }
    for line in invalid.lines() {
        assert_ne!(found(InputKind::Fen, line, false), [""; 0], "{line}");
    }
}

#[test]
fn castling_of_chess960_is_noted_of_every_position() {
    check(
        InputKind::Fen,
        "4k3/8/8/8/8/8/8/4KR2 w K - 0 1",
        &["N416 K"],
    );
    check(
        InputKind::Epd,
        "r5k1/8/8/8/8/8/8/4K3 b q - bm O-O-O;",
        &["N416 q"],
    );
    let fen = "4k3/8/8/8/8/8/8/4KR2 w K - 0 1";
    let note = format!("note: `{fen}` has a castling right that exists in Chess960 only");
    for words in [
        &["adjudicate", "--claim", "dead", "--fen", fen][..],
        &["perft", "--depth", "1", fen],
    ] {
        assert!(run(words).stderr.contains(&note), "{words:?}");
    }
}
