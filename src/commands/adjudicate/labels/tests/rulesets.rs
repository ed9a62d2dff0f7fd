//! Rules that are neither automatic nor on claim.

use crate::commands::adjudicate::labels::tests::*;
use crate::law::rulesets::BEGINNERS;

#[test]
fn the_director_of_us_chess_may_declare_a_fivefold_draw() {
    let moves = format!("{KNIGHTS_FIVE_TIMES} 9. e4 e5");
    let label = label(&from("", "1-0", ""), &moves, &USCF);
    let ruling = &label.rulings[0];
    assert_eq!((ruling.verdict, ruling.ended), (Consistent, None));
    assert_eq!(
        ruling.notes,
        ["the director may declare a draw after ply 16: fivefold repetition (US Chess rule 14K1)"]
    );
    check(
        &from("", "1/2-1/2", "fivefold repetition"),
        KNIGHTS_FIVE_TIMES,
        &USCF,
        ("1/2-1/2", "fivefold-repetition", Consistent, None),
    );
}

#[test]
fn mate_comes_before_what_the_director_may_declare() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 149 200";
    let label = label(&from(fen, "1-0", ""), "200. Ra8#", &USCF);
    let ruling = &label.rulings[0];
    assert_eq!(ruling.result, ResultMark::White);
    assert!(ruling.notes.is_empty(), "{:?}", ruling.notes);
    let label = crate::commands::adjudicate::labels::tests::rulesets::label(
        &from(fen, "1-0", ""),
        "200. Ra7",
        &USCF,
    );
    let ruling = &label.rulings[0];
    assert_eq!(ruling.verdict, Consistent);
    assert!(ruling.notes[0].contains("US Chess rule 14K2"));
}

#[test]
fn a_wall_of_pawns_is_left_open_by_the_beginners_compendium() {
    let fen = "8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 41";
    let moves = "41... Kd6 42. Ke3";
    check(
        &from(fen, "1-0", ""),
        moves,
        &BEGINNERS,
        ("*", "dead-position", Undecided, None),
    );
    check(
        &from(fen, "1/2-1/2", ""),
        moves,
        &BEGINNERS,
        ("1/2-1/2", "agreement", Consistent, None),
    );
}

#[test]
fn a_knight_against_a_bishop_is_named_in_the_beginners_compendium() {
    check(
        &from("8/8/k3n3/8/8/3KB3/8/8 w - - 0 60", "1/2-1/2", ""),
        "60. Kd4",
        &BEGINNERS,
        ("1/2-1/2", "insufficient-material", Consistent, Some(0)),
    );
    // On a bishop each of one colour it is silent.
    check(
        &from(
            "8/8/k3b3/8/8/3KB3/8/8 w - - 0 60",
            "1/2-1/2",
            "insufficient material",
        ),
        "60. Kd4",
        &BEGINNERS,
        ("*", "insufficient-material", Undecided, None),
    );
}

#[test]
fn a_clock_of_the_fen_above_the_limit_is_named() {
    let notes = |fen: &str, rules: &'static RuleSet| {
        let label = label(&from(fen, "1/2-1/2", ""), "200. Ra7", rules);
        label.rulings[0].notes.clone()
    };
    assert_eq!(
        notes("7k/8/6K1/8/8/8/8/R7 w - - 149 200", &FIDE),
        ["the 75-move rule holds by the clock of the FEN, which begins at 149"]
    );
    assert_eq!(
        notes("7k/8/6K1/8/8/8/8/R7 w - - 120 200", &LICHESS),
        ["the fifty-move rule holds by the clock of the FEN, which begins at 120"]
    );
    assert!(notes("7k/8/6K1/8/8/8/8/R7 w - - 20 200", &FIDE).is_empty());
}
