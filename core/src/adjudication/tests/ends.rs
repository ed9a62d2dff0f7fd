//! How the moves end a game.

use crate::adjudication::tests::*;

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
    let adjudication = adjudicated(&from("", "0-1", ""), "1. f3 e5 2. g4 Qh4# 3. Kf2", &FIDE);
    assert!(adjudication.early_end.is_some());
    let ruling = &adjudication.rulings[0];
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
    // One ply before, 4...Ng8 can be announced by FIDE's rules; some servers want it on the board.
    let before = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";
    for (rules, verdict, result) in [
        (&FIDE, Consistent, "1/2-1/2"),
        (&BRETTSPIELNETZ, Consistent, "1/2-1/2"),
        (&ICC, Consistent, "1/2-1/2"),
        (&LICHESS, Contradiction, "*"),
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
    let by_board = adjudicated(&drawn, moves, &CLASSIC);
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
        let adjudication = adjudicated(&from("", result, ""), FOOLS_MATE, &FIDE);
        adjudication.rulings[0].notes.clone()
    };
    assert_eq!(notes("*"), ["no result is recorded"]);
    assert_eq!(notes("0-1"), [""; 0]);
}

#[test]
fn a_fivefold_repetition_names_its_plies() {
    let adjudication = adjudicated(&from("", "1-0", ""), KNIGHTS_FIVE_TIMES, &FIDE);
    let ruling = &adjudication.rulings[0];
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

#[test]
fn too_little_material_can_be_claimed_where_it_needs_a_claim() {
    let fen = "4k3/8/8/8/8/8/4p3/4K1N1 w - - 0 1";
    let opportunities = |moves: &str, rules: &'static RuleSet| -> Vec<(End, Color, u32)> {
        adjudicated(&from(fen, "1-0", ""), moves, rules).rulings[0]
            .opportunities
            .iter()
            .map(|opportunity| (opportunity.end, opportunity.by, opportunity.at.ply))
            .collect()
    };
    let claimed = |by, ply| (End::InsufficientMaterial, by, ply);
    assert_eq!(
        opportunities("1. Nxe2 Kd8 2. Kd1", &BRETTSPIELNETZ),
        [claimed(Color::Black, 1), claimed(Color::White, 2)]
    );
    assert_eq!(
        opportunities("1. Nxe2", &BRETTSPIELNETZ),
        [claimed(Color::Black, 1)]
    );
    assert_eq!(opportunities("1. Nxe2 Kd8", &FIDE), []);
}

#[test]
fn what_could_have_been_claimed_and_by_whom() {
    let claims = |moves: &str, rules: &'static RuleSet| -> Vec<String> {
        adjudicated(&from("", "1-0", ""), moves, rules).rulings[0]
            .opportunities
            .iter()
            .map(|opportunity| {
                let announced = opportunity.announced_label().unwrap_or_default();
                format!(
                    "{} {} {} {announced} {}",
                    opportunity.end,
                    opportunity.by.name(),
                    opportunity.at.ply,
                    opportunity.article
                )
            })
            .collect()
    };
    let moves = format!("{KNIGHTS_THRICE} 5. e4");
    assert_eq!(
        claims(&moves, &FIDE),
        [
            "threefold-repetition black 7 4...Ng8 FIDE 2023 art. 9.2.1",
            "threefold-repetition white 8  FIDE 2023 art. 9.2.2",
        ]
    );
    assert_eq!(
        claims(&moves, &BRETTSPIELNETZ),
        [
            "threefold-repetition black 7 4...Ng8 Brettspielnetz",
            "threefold-repetition white 8 5.Nf3 Brettspielnetz",
        ]
    );
    assert_eq!(
        claims(&moves, &ICC),
        [
            "threefold-repetition black 7 4...Ng8 ICC",
            "threefold-repetition white 8  ICC",
            "threefold-repetition black 8  ICC",
        ]
    );
    // Either side may ask BrainKing's staff.
    assert_eq!(
        claims(&moves, &BRAINKING),
        [
            "threefold-repetition white 8  BrainKing",
            "threefold-repetition black 8  BrainKing",
        ]
    );
    // After an automatic end nothing is left to claim.
    assert_eq!(claims(&moves, &CHESSCOM), [""; 0]);
    assert_eq!(
        claims(&format!("{KNIGHTS_FIVE_TIMES} 9. e4"), &FIDE).len(),
        // At plies 7 to 15, each of them; at 16 the game is over.
        9
    );
}

#[test]
fn claims_before_a_mate_but_not_in_it() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 104 200";
    let of = |moves: &str| {
        let adjudication = adjudicated(&from(fen, "1-0", ""), moves, &FIDE);
        let plies = adjudication.rulings[0]
            .opportunities
            .iter()
            .filter(|opportunity| opportunity.unseen.is_none())
            .map(|opportunity| opportunity.at.ply)
            .collect::<Vec<_>>();
        (adjudication.board, plies)
    };
    assert_eq!(of("200. Ra8#"), (Some(End::Checkmate), vec![0]));
    assert_eq!(of("200. Ra7"), (Some(End::FiftyMoves), vec![0, 1]));
}

#[test]
fn a_history_before_the_last_capture_is_not_needed() {
    // The repetition comes late, after captures and pawn moves; an earlier one does not count.
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 Nc6 5. d4 exd4 6. Nxd4 Nf6 \
         7. Nb3 Ng8 8. Nd4 Nf6 9. Nb3 Ng8 10. Nd4 Nf6";
    let adjudication = adjudicated(&from("", "1/2-1/2", ""), moves, &FIDE);
    assert_eq!(adjudication.board, Some(End::Threefold));
    let ruling = &adjudication.rulings[0];
    let plies: Vec<_> = ruling
        .opportunities
        .iter()
        .map(|opportunity| opportunity.at.ply)
        .collect();
    assert_eq!(plies, [18, 19, 20]);
    assert_eq!(ruling.reason, RuledReason::End(End::Threefold));
}
