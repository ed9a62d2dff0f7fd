//! How the moves end a game.

use crate::commands::adjudicate::labels::tests::*;

#[test]
fn mate_decides_whatever_is_recorded() {
    let mate = ("0-1", "checkmate", Some(4));
    let check = |result: &str, termination: &str, verdict| {
        check(
            &from("", result, termination),
            FOOLS_MATE,
            &FIDE,
            (mate.0, mate.1, verdict, mate.2),
        );
    };
    check("0-1", "", Consistent);
    check("0-1", "time forfeit", Consistent);
    check("1-0", "", Contradiction);
    check("1/2-1/2", "", Contradiction);
    check("*", "", Consistent);
    check("*", "White resigns", Consistent);
    check("0-0", "", Contradiction);
}

#[test]
fn what_follows_the_end_does_not_count() {
    // An illegal move after the mate.
    let label = label(&from("", "0-1", ""), "1. f3 e5 2. g4 Qh4# 3. Kf2", &FIDE);
    assert!(label.stopped.is_some());
    let ruling = &label.rulings[0];
    assert_eq!(
        (ruling.result, ruling.verdict, ruling.played_on),
        (ResultMark::Black, Consistent, true)
    );
    // A fifth repetition, then mate; mate comes later, and the ply counts before the kind of end.
    check(
        &from("", "0-1", ""),
        &format!("{KNIGHTS_FIVE_TIMES} 9. f3 e5 10. g4 Qh4#"),
        &FIDE,
        ("1/2-1/2", "fivefold-repetition", Contradiction, Some(16)),
    );
}

#[test]
fn mate_comes_before_75_moves() {
    // The 150th ply mates.
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 149 200";
    check(
        &from(fen, "1-0", ""),
        "200. Ra8#",
        &FIDE,
        ("1-0", "checkmate", Consistent, Some(1)),
    );
    check(
        &from(fen, "1-0", ""),
        "200. Ra7",
        &FIDE,
        ("1/2-1/2", "seventyfive-moves", Contradiction, Some(1)),
    );
    // Under chess.com's rules fifty moves have ended it before.
    check(
        &from(fen, "1-0", ""),
        "200. Ra8#",
        &CHESSCOM,
        ("1/2-1/2", "fifty-moves", Contradiction, Some(0)),
    );
}

#[test]
fn repetition_is_automatic_claimed_or_nothing() {
    let drawn = from("", "1/2-1/2", "Game drawn by repetition");
    check(
        &drawn,
        KNIGHTS_THRICE,
        &FIDE,
        ("1/2-1/2", "threefold-repetition", Consistent, None),
    );
    check(
        &drawn,
        KNIGHTS_THRICE,
        &CHESSCOM,
        ("1/2-1/2", "threefold-repetition", Consistent, Some(8)),
    );
    check(
        &drawn,
        KNIGHTS_THRICE,
        &MAIL,
        ("*", "open", Contradiction, None),
    );
    // One ply before, 4...Ng8 can be announced by FIDE's rules; the servers want it on the board.
    let before = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";
    for (rules, verdict, result) in [
        (&FIDE, Consistent, "1/2-1/2"),
        (&BRETTSPIELNETZ, Consistent, "1/2-1/2"),
        (&ICC, Contradiction, "*"),
        (&ENGINE, Contradiction, "*"),
    ] {
        let reason = match verdict {
            Consistent => "threefold-repetition",
            _ => "open",
        };
        check(&drawn, before, rules, (result, reason, verdict, None));
    }
    // Brettspielnetz knows no claim of what stands on the board; the next move would be announced.
    check(
        &drawn,
        KNIGHTS_THRICE,
        &BRETTSPIELNETZ,
        ("1/2-1/2", "threefold-repetition", Consistent, None),
    );
    // Too early, under any rules.
    check(
        &drawn,
        "1. Nf3 Nf6 2. Ng1 Ng8",
        &FIDE,
        ("*", "open", Contradiction, None),
    );
    // The same draw without a word on how it came about may have been agreed.
    check(
        &from("", "1/2-1/2", ""),
        "1. Nf3 Nf6 2. Ng1 Ng8",
        &FIDE,
        ("1/2-1/2", "agreement", Consistent, None),
    );
}

#[test]
fn same_board_with_the_other_side_to_move() {
    // White loses a move with his queen; only the page that compares boards alone counts three.
    let fen = "6k1/8/8/8/8/8/5Q2/6K1 w - - 0 1";
    let moves = "1. Qe1 Kh8 2. Qe2 Kg8 3. Qf2 Kh8 4. Qe1 Kg8 5. Qf2 Kh7 6. Qe1";
    let drawn = from(fen, "1/2-1/2", "3-fold repetition");
    check(&drawn, moves, &FIDE, ("*", "open", Contradiction, None));
    let by_board = label(&drawn, moves, &CLASSIC);
    let ruling = &by_board.rulings[0];
    assert_eq!(ruling.reason.as_str(), "threefold-repetition");
    // The board is read by FIDE's key, under any rule set.
    assert_eq!(by_board.board, None);
}

#[test]
fn five_in_a_row_until_2017() {
    // The knights of one side wait a move in between, so that the five are not four plies apart.
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 5. Nf3 Nc6 6. Ng1 Nb8 \
         7. Nc3 Nf6 8. Nb1 Ng8";
    check(
        &from("", "*", ""),
        moves,
        &FIDE_2014,
        ("1/2-1/2", "fivefold-repetition", Consistent, Some(16)),
    );
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Nc3 Nc6 5. Ng1 Nb8 6. Nb1 Ng8 \
         7. Nf3 Nf6 8. Ng1 Ng8 9. Nf3 Nf6 10. Ng1 Ng8";
    check(
        &from("", "*", ""),
        moves,
        &FIDE_2014,
        ("*", "open", Consistent, None),
    );
    check(
        &from("", "*", ""),
        moves,
        &FIDE,
        ("1/2-1/2", "fivefold-repetition", Consistent, Some(20)),
    );
}

#[test]
fn a_game_that_ended_and_has_no_result_is_an_omission() {
    let notes = |result: &str| {
        let label = label(&from("", result, ""), FOOLS_MATE, &FIDE);
        label.rulings[0].notes.clone()
    };
    assert_eq!(notes("*"), ["no result is recorded"]);
    assert_eq!(notes("0-1"), [""; 0]);
}

#[test]
fn a_fivefold_repetition_names_its_plies() {
    let label = label(&from("", "1-0", ""), KNIGHTS_FIVE_TIMES, &FIDE);
    let ruling = &label.rulings[0];
    assert_eq!(ruling.occurrences, [0, 4, 8, 12, 16]);
    let because = ruling.because.as_deref().unwrap_or_default();
    assert!(
        because.ends_with("after plies 0, 4, 8, 12 and 16"),
        "{because}"
    );
}

#[test]
fn fifty_moves_are_claimed_or_come_by_themselves() {
    let fen = "7k/8/8/8/8/8/8/RK6 w - - 97 200";
    let drawn = from(fen, "1/2-1/2", "50 moves rule");
    // The clock is at 99 after two plies, and 201.Ra3 could be announced.
    check(
        &drawn,
        "200. Ra2 Kg8",
        &FIDE,
        ("1/2-1/2", "fifty-moves", Consistent, None),
    );
    check(
        &drawn,
        "200. Ra2 Kg8",
        &LICHESS,
        ("*", "open", Contradiction, None),
    );
    check(
        &drawn,
        "200. Ra2",
        &FIDE,
        ("*", "open", Contradiction, None),
    );
    check(
        &drawn,
        "200. Ra2 Kg8 201. Ra3",
        &LICHESS,
        ("1/2-1/2", "fifty-moves", Consistent, Some(3)),
    );
}

#[test]
fn material_that_is_too_little_here_and_not_there() {
    // King and knight each, where helpmates exist.
    let fen = "8/8/4K3/8/1n6/8/5k1N/8 w - - 0 1";
    let drawn = from(fen, "1/2-1/2", "Game drawn by insufficient material");
    for (rules, expected) in [
        (&FIDE, ("*", "open", Contradiction, None)),
        (&LICHESS, ("*", "open", Contradiction, None)),
        (
            &CHESSCOM,
            ("1/2-1/2", "insufficient-material", Consistent, Some(0)),
        ),
        (&BRETTSPIELNETZ, ("*", "open", Contradiction, None)),
    ] {
        check(&drawn, "1. Kd6", rules, expected);
    }
    // King and knight against king: over everywhere, automatically or on a claim.
    let drawn = from(
        "8/8/4K3/8/8/8/5k1N/8 w - - 0 1",
        "1/2-1/2",
        "insufficient material",
    );
    for (rules, ended) in [
        (&FIDE, Some(0)),
        (&USCF, Some(0)),
        (&BRETTSPIELNETZ, None),
        (&BRAINKING, None),
    ] {
        check(
            &drawn,
            "1. Kd6",
            rules,
            ("1/2-1/2", "insufficient-material", Consistent, ended),
        );
    }
}
