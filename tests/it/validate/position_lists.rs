//! FEN and EPD files: all faults of a position at once, operations, and their moves.

use arbiter::findings::{Checks, check_line};
use arbiter::input::InputKind;

use crate::arbiter_command::{Scratch, run};
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
        let mut found = found(InputKind::Fen, line, false);
        // The square of every double step is given.
        found.retain(|finding| !finding.starts_with("N415 "));
        assert_eq!(found, [""; 0], "{line}");
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

#[test]
fn counters_are_not_negative() {
    for (counters, message) in [
        ("-1 1", "the halfmove clock must not be negative"),
        ("0 -12", "the move number must not be negative"),
        ("x 1", "the halfmove clock is not a number"),
    ] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {counters}");
        let ran = run(&["validate", "-q", "--format", "concise", "--fen", &fen]);
        assert_eq!(ran.code, Some(1), "{fen}");
        assert!(ran.stdout().contains(message), "{}", ran.stdout());
    }
}

#[test]
fn an_en_passant_square_that_no_pawn_can_use_is_noted_and_removed() {
    for (fen, is_useless) in [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
            true,
        ),
        // The pawn that could capture is pinned, and its capture would give up the king.
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6", true),
        ("8/8/8/3Pp2K/8/8/4k3/8 w - e6", false),
        (
            "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3",
            false,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
            false,
        ),
    ] {
        let square = &fen[fen.len() - 2..];
        let note = format!("N415 {square}");
        let expected = if is_useless { vec![&*note] } else { vec![] };
        check(InputKind::Epd, fen, &expected);
        check(InputKind::Fen, &format!("{fen} 0 7"), &expected);
    }
    // A square that no pawn has passed is a fault of its own.
    check(InputKind::Epd, "4k3/8/8/8/8/8/8/4K3 b - e3", &["W403 e3"]);
    let scratch = Scratch::new("fix-positions");
    let fens = "# openings\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\r\n\
        8/8/8/3Pp2K/8/8/4k3/8 w - e6 0 1\n\
        8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1";
    let epds = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 bm e5; id \"e3\";\n";
    for (name, text) in [("a.fen", fens), ("a.epd", epds)] {
        let file = scratch.file(name, text.as_bytes());
        let after = text
            .replace("KQkq e3", "KQkq -")
            .replace("r2Pp2K/8/8/4k3/8 w - e6", "r2Pp2K/8/8/4k3/8 w - -");
        let repaired = if name == "a.fen" { 2 } else { 1 };
        let reported = run(&["validate", &file]);
        let said =
            format!("0 error, 0 warning, {repaired} note; {repaired} can be repaired by --fix\n");
        assert!(reported.stderr.contains(&said), "{}", reported.stderr);
        let ran = run(&["validate", "--fix", &file]);
        assert_eq!(
            (ran.code, ran.stdout()),
            (Some(0), after.clone()),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(&format!("fixed: {repaired} N415\n")),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("= "), "{}", ran.stderr);
        let ran = run(&["validate", "--fix", "--ignore", "N415", &file]);
        assert_eq!(ran.stdout(), text);
        run(&["validate", "-q", "--fix", "--in-place", &file]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), after);
    }
}

const CASTLE: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

#[test]
fn equal_positions_are_duplicates() {
    let scratch = Scratch::new("equal-positions");
    let opened = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    let fens = format!(
        "# counters\n{CASTLE} 0 1\n{CASTLE} 3 9\n\n{opened} e3 0 1\n{CASTLE} 0 1\n{opened} - 0 1\n\
         {CASTLE}\n{CASTLE} 0 2\nnot a position\nnot a position\n"
    );
    let fens = scratch.file("a.fen", fens.as_bytes());
    let epds = format!(
        "{CASTLE} bm O-O;\n{CASTLE} bm Rf1; id \"x\";\n{CASTLE} hmvc 3; fmvn 9;\n\
         {CASTLE} hmvc 0; fmvn 1;\n4k3/8/8/8/8/8/8/4K2R w - -\n"
    );
    let epds = scratch.file("b.epd", epds.as_bytes());
    let found = |words: &[&str]| -> Vec<String> {
        let words = [
            &["validate", "-q", "--format", "concise", "--select", "5"],
            words,
        ]
        .concat();
        let ran = run(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let lines = ran.stdout();
        let short = |line: &str| line.replace(&fens, "a").replace(&epds, "b");
        lines.lines().map(short).collect()
    };
    let of_fens = [
        "a:3:1: warning[W504] the position is position 1 again (position 2)",
        "a:6:1: warning[W504] the position is position 1 again (position 4)",
        "a:7:1: warning[W504] the position is position 3 again (position 5)",
        "a:8:1: warning[W504] the position is position 1 again (position 6)",
        "a:9:1: warning[W504] the position is position 1 again (position 7)",
    ];
    let of_both = [
        "b:1:1: warning[W504] the position is position 1 of a again (position 1)",
        "b:2:1: warning[W504] the position is position 1 of a again (position 2)",
        "b:3:1: warning[W504] the position is position 1 of a again (position 3)",
        "b:4:1: warning[W504] the position is position 1 of a again (position 4)",
    ];
    let of_both = [&of_fens[..], &of_both].concat();
    assert_eq!(found(&[&fens]), of_fens);
    assert_eq!(found(&["-j", "1", &fens, &epds]), of_both);
    assert_eq!(found(&["-j", "7", &fens, &epds]), of_both);
    // In JUnit a finding stands with those of its file.
    let ran = run(&["validate", "-q", "--duplicates", "--format", "junit", &epds]);
    assert!(
        ran.stdout().contains("the position is position 1 again"),
        "{}",
        ran.stdout()
    );
    // One of equal positions is kept, and whatever is no position.
    let clean = scratch.file("clean.fen", b"");
    let ran = run(&[
        "validate",
        "--keep",
        "first",
        "--write-clean",
        &clean,
        &fens,
    ]);
    let said = "split: 4 clean, 5 rejected (5 duplicate, 0 faulty)\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let left =
        format!("# counters\n{CASTLE} 0 1\n{opened} e3 0 1\nnot a position\nnot a position\n");
    assert_eq!(std::fs::read_to_string(&clean).unwrap(), left);
    // Nothing would be looked for.
    let refused = run(&[
        "validate",
        "--keep",
        "first",
        "--ignore",
        "5",
        "--write-clean",
        &clean,
        &fens,
    ]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}
