use super::*;
use crate::pgn::Reader;
use crate::rules::ruleset::{
    BRAINKING, BRETTSPIELNETZ, CHESSCOM, CLASSIC, ENGINE, FIDE, FIDE_2014, FIDE_2018, ICC, LICHESS,
    MAIL, USCF,
};
use crate::rules::winnability::Solver;

const NODES: u64 = Solver::DEFAULT_NODES;

/// The label of a game with these tags and this movetext, by one rule set.
fn label(tags: &str, movetext: &str, rules: &'static RuleSet) -> Label {
    let text = format!("[White \"Anna\"]\n[Black \"Boris\"]\n{tags}\n{movetext}\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let label = Labeller::new(&[rules], NODES).label(game, text.as_bytes());
    label.unwrap_or_else(|finding| panic!("{text}: {}", finding.message))
}

/// A position to begin with, and what is recorded.
fn from(fen: &str, result: &str, termination: &str) -> String {
    let mut tags = format!("[Result \"{result}\"]\n");
    if !fen.is_empty() {
        tags.push_str(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
    }
    if !termination.is_empty() {
        tags.push_str(&format!("[Termination \"{termination}\"]\n"));
    }
    tags
}

/// What is ruled on a game: result, reason, verdict and the ply at which the moves ended it.
#[track_caller]
fn check(
    tags: &str,
    movetext: &str,
    rules: &'static RuleSet,
    expected: (&str, &str, Verdict, Option<u32>),
) {
    let label = label(tags, movetext, rules);
    let ruling = &label.rulings[0];
    let found = (
        ruling.result.as_str(),
        ruling.reason.as_str(),
        ruling.verdict,
        ruling.ended.map(|when| when.ply),
    );
    assert_eq!(
        found, expected,
        "{tags}{movetext} by {}: {:?}",
        rules.name, ruling.because
    );
}

use Verdict::{Consistent, Contradiction, Undecided};

const FOOLS_MATE: &str = "1. f3 e5 2. g4 Qh4#";
/// The initial position for the third time after eight plies.
const KNIGHTS_THRICE: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
/// And for the fifth after sixteen.
const KNIGHTS_FIVE_TIMES: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 \
     5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8";

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
    check("*", "", Contradiction);
    check("0-0", "", Contradiction);
}

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
fn what_follows_the_end_does_not_count() {
    // An illegal move behind the mate.
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
fn a_game_that_stops_is_not_decided() {
    check(
        &from("", "1-0", ""),
        "1. e4 e5 2. Ke3 Qh4",
        &FIDE,
        ("*", "incomplete", Undecided, None),
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
    // One ply before, 4...Ng8 can be announced under FIDE's rules, but the servers want it on the board.
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
    // What the board says is FIDE's reading, whatever the rule set.
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
        ("1/2-1/2", "fivefold-repetition", Contradiction, Some(16)),
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
        ("1/2-1/2", "fivefold-repetition", Contradiction, Some(20)),
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
fn a_rule_younger_than_the_game_earns_a_note() {
    let notes = |date: &str| {
        let tags = format!("[Date \"{date}\"]\n{}", from("", "1/2-1/2", ""));
        label(&tags, KNIGHTS_FIVE_TIMES, &FIDE).rulings[0]
            .notes
            .clone()
    };
    assert_eq!(
        notes("2014.06.20"),
        ["fivefold repetition took effect on 1 July 2014, after the game was played"]
    );
    assert_eq!(notes("1998.??.??").len(), 1);
    for later in ["2014.07.01", "2014.??.??", "2023.01.01", "????.??.??"] {
        assert!(notes(later).is_empty(), "{later}");
    }
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
    // King and knight against king: over everywhere, if not by itself then on a claim.
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
        // Without a word on how it was won, neither way is open under the Laws of 2023; before, a resignation was.
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
    // Bare White king; whose time was up is told by the words, or by whose move it is.
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
            ("1-0", "resignation", Contradiction, None),
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
fn too_little_material_can_be_claimed_where_it_needs_a_claim() {
    let fen = "4k3/8/8/8/8/8/4p3/4K1N1 w - - 0 1";
    let chances = |moves: &str, rules: &'static RuleSet| -> Vec<(End, Color, u32)> {
        label(&from(fen, "1-0", ""), moves, rules).rulings[0]
            .chances
            .iter()
            .map(|chance| (chance.end, chance.by, chance.when.ply))
            .collect()
    };
    let claimed = |by, ply| (End::InsufficientMaterial, by, ply);
    assert_eq!(
        chances("1. Nxe2 Kd8 2. Kd1", &BRETTSPIELNETZ),
        [claimed(Color::Black, 1), claimed(Color::White, 2)]
    );
    assert_eq!(
        chances("1. Nxe2", &BRETTSPIELNETZ),
        [claimed(Color::Black, 1)]
    );
    assert_eq!(chances("1. Nxe2 Kd8", &FIDE), []);
}

#[test]
fn what_could_have_been_claimed_and_by_whom() {
    let claims = |moves: &str, rules: &'static RuleSet| -> Vec<String> {
        label(&from("", "1-0", ""), moves, rules).rulings[0]
            .chances
            .iter()
            .map(|chance| {
                let announced = chance.announced_label().unwrap_or_default();
                format!(
                    "{} {} {} {announced} {}",
                    chance.end, chance.by, chance.when.ply, chance.article
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
    assert_eq!(claims(&moves, &ICC), ["threefold-repetition white 8  ICC"]);
    // BrainKing's staff is asked by whoever wants it.
    assert_eq!(
        claims(&moves, &BRAINKING),
        [
            "threefold-repetition white 8  BrainKing",
            "threefold-repetition black 8  BrainKing",
        ]
    );
    // Where the game has ended by itself, nothing is left to claim.
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
        let label = label(&from(fen, "1-0", ""), moves, &FIDE);
        let plies = label.rulings[0]
            .chances
            .iter()
            .map(|chance| chance.when.ply)
            .collect::<Vec<_>>();
        (label.board, plies)
    };
    assert_eq!(of("200. Ra8#"), (Some(End::Checkmate), vec![0]));
    assert_eq!(of("200. Ra7"), (Some(End::FiftyMoves), vec![0, 1]));
}

#[test]
fn a_history_before_the_last_capture_is_not_needed() {
    // The repetition comes late, behind captures and pawn moves, and a repetition before them does not count for it.
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 Nc6 5. d4 exd4 6. Nxd4 Nf6 \
         7. Nb3 Ng8 8. Nd4 Nf6 9. Nb3 Ng8 10. Nd4 Nf6";
    let label = label(&from("", "1/2-1/2", ""), moves, &FIDE);
    assert_eq!(label.board, Some(End::Threefold));
    let ruling = &label.rulings[0];
    let plies: Vec<_> = ruling
        .chances
        .iter()
        .map(|chance| chance.when.ply)
        .collect();
    assert_eq!(plies, [18, 19, 20]);
    assert_eq!(ruling.reason, RuledReason::End(End::Threefold));
}

#[test]
fn other_games_are_not_judged() {
    let text = b"[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    let mut reader = Reader::new();
    let game = reader.read(text, None);
    let finding = Labeller::new(&[&FIDE], NODES)
        .label(game, text)
        .unwrap_err();
    assert_eq!(finding.rule.code, "N103");
    let game = reader.read(b"hello there\n", None);
    let finding = Labeller::new(&[&FIDE], NODES)
        .label(game, b"hello there\n")
        .unwrap_err();
    assert_eq!(finding.rule.code, "E001");
}

#[test]
fn two_rule_sets_on_one_game() {
    let text = format!("[Result \"1/2-1/2\"]\n\n{KNIGHTS_THRICE} 1/2-1/2\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let label = |rules: &[&'static RuleSet]| {
        Labeller::new(rules, NODES)
            .label(game, text.as_bytes())
            .unwrap()
    };
    // The same result for the same reason at the last ply, claimed by one and of itself by the other.
    assert!(!label(&[&FIDE, &CHESSCOM]).differs());
    assert!(label(&[&FIDE, &MAIL]).differs());
    assert!(label(&[&MAIL, &FIDE]).is_contradiction());
}
