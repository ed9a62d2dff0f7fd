//! Records against the rules.

use crate::adjudication::tests::*;

#[test]
fn a_game_without_a_record_contradicts_nothing() {
    check(
        "",
        FOOLS_MATE,
        &FIDE,
        ("0-1", "checkmate", Consistent, Some(4)),
    );
    check("", "1. e4", &FIDE, ("*", "open", Consistent, None));
    check(
        &from("", "*", "unterminated"),
        "1. e4",
        &FIDE,
        ("*", "open", Consistent, None),
    );
}

#[test]
fn a_game_that_stops_is_not_decided() {
    check(
        &from("", "1-0", ""),
        "1. e4 e5 2. Ke3 Qh4",
        &FIDE,
        ("*", "incomplete", Undecided, None),
    );
}

#[test]
fn an_agreed_draw_needs_a_rule_and_a_move_by_each_side() {
    let drawn = from("", "1/2-1/2", "");
    for (moves, rules, expected) in [
        (
            "1. e4 e5",
            &FIDE,
            ("1/2-1/2", "agreement", Consistent, None),
        ),
        ("1. e4", &FIDE, ("*", "agreement", Undecided, None)),
        ("", &FIDE, ("*", "agreement", Undecided, None)),
        ("1. e4 e5", &MAIL, ("*", "open", Contradiction, None)),
        (
            "1. e4 e5",
            &BRAINKING,
            ("1/2-1/2", "agreement", Consistent, None),
        ),
    ] {
        check(&drawn, moves, rules, expected);
    }
}

#[test]
fn time_is_up_against_a_bare_king() {
    // Black has a rook, White nothing but the king.
    let fen = "8/8/4k3/8/8/8/r7/4K3 b - - 0 1";
    for (result, termination, rules, expected) in [
        (
            "1-0",
            "Anna won on time",
            &FIDE,
            ("1/2-1/2", "time-forfeit", Contradiction, None),
        ),
        (
            "1/2-1/2",
            "Game drawn by timeout vs insufficient material",
            &FIDE,
            (
                "1/2-1/2",
                "time-against-insufficient-material",
                Consistent,
                None,
            ),
        ),
        (
            "1/2-1/2",
            "Time forfeit",
            &LICHESS,
            ("1/2-1/2", "time-forfeit", Consistent, None),
        ),
        (
            "1-0",
            "Time forfeit",
            &ENGINE,
            ("1-0", "time-forfeit", Consistent, None),
        ),
        // Without a reason neither way is open under the Laws of 2023; before, a resignation was.
        (
            "1-0",
            "",
            &FIDE,
            (
                "1/2-1/2",
                "resignation-or-time-forfeit",
                Contradiction,
                None,
            ),
        ),
        (
            "1-0",
            "",
            &FIDE_2018,
            ("1-0", "resignation-or-time-forfeit", Consistent, None),
        ),
        (
            "1-0",
            "Anna won by resignation",
            &FIDE,
            ("1/2-1/2", "resignation", Contradiction, None),
        ),
        (
            "1-0",
            "Anna won by resignation",
            &FIDE_2018,
            ("1-0", "resignation", Consistent, None),
        ),
        (
            "0-1",
            "Boris won on time",
            &FIDE,
            ("0-1", "time-forfeit", Consistent, None),
        ),
        (
            "1-0",
            "time forfeit",
            &BRAINKING,
            ("*", "time-forfeit", Undecided, None),
        ),
    ] {
        let moves = if result == "0-1" {
            "1... Kd6"
        } else {
            "1... Kd6 2. Kf1"
        };
        check(&from(fen, result, termination), moves, rules, expected);
    }
}

#[test]
fn the_side_whose_clock_ran() {
    // Bare White king; the words show whose time was up, or else the side to move.
    let fen = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    let drawn = "Game drawn by timeout vs insufficient material";
    // Black to move at the end: White could not have won.
    check(
        &from(fen, "1/2-1/2", drawn),
        "1. Kf1",
        &FIDE,
        (
            "1/2-1/2",
            "time-against-insufficient-material",
            Consistent,
            None,
        ),
    );
    // White to move at the end: his time was up, and Black can mate.
    check(
        &from(fen, "1/2-1/2", drawn),
        "1. Kf1 Kd6",
        &FIDE,
        (
            "0-1",
            "time-against-insufficient-material",
            Contradiction,
            None,
        ),
    );
    check(
        &from(
            fen,
            "1/2-1/2",
            "Black ran out of time and White has no material to mate",
        ),
        "1. Kf1 Kd6",
        &FIDE,
        (
            "1/2-1/2",
            "time-against-insufficient-material",
            Consistent,
            None,
        ),
    );
}

#[test]
fn a_record_that_contradicts_itself() {
    for (result, termination, expected) in [
        (
            "1-0",
            "Anna resigned",
            ("0-1", "resignation", Contradiction, None),
        ),
        (
            "1/2-1/2",
            "Anna won by checkmate",
            ("*", "open", Contradiction, None),
        ),
        (
            "1-0",
            "Game drawn by agreement",
            ("1/2-1/2", "agreement", Contradiction, None),
        ),
        (
            "1/2-1/2",
            "Boris resigned",
            ("1-0", "resignation", Contradiction, None),
        ),
        (
            "*",
            "Boris resigned",
            ("1-0", "resignation", Consistent, None),
        ),
        (
            "1-0",
            "Anna won by checkmate",
            ("*", "open", Contradiction, None),
        ),
        ("1/2-1/2", "Stalemate", ("*", "open", Contradiction, None)),
    ] {
        check(&from("", result, termination), "1. e4 e5", &FIDE, expected);
    }
}

#[test]
fn penalties_and_defaults_need_no_mate() {
    for (termination, expected) in [
        (
            "rules infraction",
            ("1-0", "rules-infraction", Consistent, None),
        ),
        ("forfeit", ("1-0", "default", Consistent, None)),
        ("adjudication", ("1-0", "adjudication", Consistent, None)),
        ("abandoned", ("1-0", "abandoned", Consistent, None)),
        (
            "by telephone",
            ("1-0", "resignation-or-time-forfeit", Consistent, None),
        ),
    ] {
        check(&from("", "1-0", termination), "1. e4 e5", &FIDE, expected);
    }
    check(
        &from("", "0-0", "rules infraction"),
        "1. e4 e5",
        &FIDE,
        ("*", "open", Undecided, None),
    );
}

#[test]
fn a_disconnection_is_neither_a_resignation_nor_a_fallen_flag() {
    // White has nothing but the king, Black a rook.
    let bare = "8/8/4k3/8/8/8/r7/4K3 w - - 0 1";
    let rook = "8/8/4K3/8/8/8/R7/4k3 b - - 0 1";
    for (fen, result, words, rules, expected) in [
        // With mate possible it does not matter what it was.
        ("", "1-0", "Boris disconnects", &FIDE, ("1-0", Consistent)),
        ("", "1-0", "disconnected", &FIDE, ("1-0", Consistent)),
        // A resignation or a fallen flag would draw the game.
        (bare, "1-0", "Boris disconnects", &FIDE, ("*", Undecided)),
        (bare, "1-0", "abandoned", &FIDE, ("*", Undecided)),
        (
            bare,
            "1-0",
            "Anna won - game abandoned",
            &FIDE,
            ("*", Undecided),
        ),
        // A resignation would not.
        (
            bare,
            "1-0",
            "Boris disconnects",
            &FIDE_2018,
            ("*", Undecided),
        ),
        (bare, "1-0", "Boris disconnects", &LICHESS, ("*", Undecided)),
        (
            bare,
            "1-0",
            "Boris disconnects",
            &ENGINE,
            ("1-0", Consistent),
        ),
        // Nothing says that the one who left lost.
        ("", "1-0", "Anna disconnects", &FIDE, ("*", Undecided)),
        // Draws.
        ("", "1/2-1/2", "Boris disconnects", &FIDE, ("*", Undecided)),
        ("", "1/2-1/2", "disconnected", &FIDE, ("*", Undecided)),
        (
            rook,
            "1/2-1/2",
            "Boris disconnects",
            &FIDE,
            ("*", Undecided),
        ),
        (
            bare,
            "1/2-1/2",
            "Boris disconnects",
            &FIDE,
            ("1/2-1/2", Consistent),
        ),
        (
            bare,
            "1/2-1/2",
            "Boris disconnects",
            &FIDE_2018,
            ("*", Undecided),
        ),
        // Nothing recorded.
        ("", "*", "Boris disconnects", &FIDE, ("*", Undecided)),
        ("", "*", "abandoned", &FIDE, ("*", Undecided)),
    ] {
        let moves = match fen {
            "" => "1. e4 e5",
            fen if fen == bare => "1. Kf1",
            _ => "1... Kd1",
        };
        let adjudication = adjudicated(&from(fen, result, words), moves, rules);
        let ruling = &adjudication.rulings[0];
        assert_eq!(
            (ruling.result.as_str(), ruling.verdict),
            expected,
            "{words}, {result} by {}: {:?}",
            rules.name,
            ruling.because
        );
    }
}
