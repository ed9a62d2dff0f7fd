//! Moves that can be read another way, and moves that may be hidden.

use arbiter::claim::Ground;

use super::{fen, fifty, game, game_from, threefold};
use crate::arbiter_command::run_with_stdin;

const KNIGHTS: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";

#[test]
fn a_reading_that_decides_otherwise_leaves_a_claim_open() {
    let open = ["As the moves are read", "by another reading"];
    let pawn = "4k3/8/8/8/8/8/1P1B4/4K3 w - - 98 80";
    let says = |code| [&open[..], &[code]].concat();
    fifty(&game_from(pawn, "80. bb4 Kd7")).is(Ground::Unknown, &says("W264"));
    // No pawn can be meant.
    let no_pawn = pawn.replace("1P1B4", "P2B4");
    fifty(&game_from(&no_pawn, "80. bb4 Kd7")).is(Ground::Holds, &["W251"]);
    threefold(&game_from(pawn, "80. bb4 Kd7")).is(Ground::DoesNotHold, &["W264"]);
    // The announced move may be a pawn's or a bishop's.
    let announced = fen("4k3/8/8/8/8/8/1P6/3BK3 w - - 99 80");
    fifty(&announced)
        .announcing("bb3")
        .is(Ground::Unknown, &open);
    fifty(&announced)
        .announcing("b3")
        .is(Ground::DoesNotHold, &[]);
    // A capture may be among the missing moves.
    let rook = "4k3/8/8/8/8/8/8/R3K2R w - - 90 50";
    let moves = "50. Ra2 Kd8 52. Ra1 Ke8 53. Ra2 Kd8 54. Ra1 Ke8 55. Ra2 Kd8";
    fifty(&game_from(rook, moves)).is(Ground::Unknown, &says("W215"));
    let missing = KNIGHTS.replace("4.", "5.").replace("3.", "4.");
    let missing = game(&missing, None);
    threefold(&missing).is(Ground::Unknown, &says("W215"));
    let hidden = game(&format!("{KNIGHTS} ; 5. e4\n*"), None);
    threefold(&hidden).is(Ground::Unknown, &says("`; 5. e4`"));
}

#[test]
fn doubts_that_decide_nothing_are_listed() {
    let numbers = "by the numbers of the board";
    for (moves, says) in [
        (
            "1. e4 e5 3. d3 d6 4. Nf3 Nf6 5. Ng1 Ng8 6. Nf3 Nf6 7. Ng1 Ng8",
            &["W215", numbers][..],
        ),
        (
            "1. Sf3 Sf6 2. Sg1 Sg8 3. Sf3 Sf6 4. Sg1 Sg8",
            &["N260", "German"],
        ),
        (
            "1. Nf3 Nf6 2. Ng1 Ng8 draw? 3. Nf3 Nf6 4. Ng1 Ng8",
            &["N267", "`draw`"],
        ),
        (
            "1. Nf3 Nf6 2. Ng1 Ng8 White offers a draw 3. Nf3 Nf6 4. Ng1 Ng8",
            &["N267", "`White offers a draw`"],
        ),
    ] {
        threefold(&game(&format!("{moves} *"), None)).is(Ground::Holds, says);
    }
    let start = "4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 30";
    threefold(&game_from(start, KNIGHTS)).is(Ground::Holds, &[numbers]);
    for moves in [
        KNIGHTS,
        &KNIGHTS.replace(" 3.", " ; again\n3."),
        "1. e4 (1. bc3) e5",
    ] {
        let claimed = game(&format!("{moves} *"), None);
        assert!(
            threefold(&claimed)
                .ruling()
                .details
                .iter()
                .all(|one| !one.contains("read"))
        );
    }
    // Doubts after the moment do not matter.
    let claimed = game(&format!("{KNIGHTS} 7. e4 ; e5\n*"), Some(8));
    let details = threefold(&claimed).ruling().details;
    assert_eq!(details, Vec::<String>::new());
}

/// Columns of a game in a batch: the label, and the claims with the ply and whether they hold.
fn labels(tags: &str, moves: &str, rules: &str) -> [String; 2] {
    let text = format!("{tags}\n{moves}\n");
    let words = ["adjudicate", "--format", "jsonl", "--rules", rules];
    let ran = run_with_stdin(&words, text.into());
    let row: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let label = ["ruled_result", "ruled_reason", "verdict", "because"].map(|key| text(&row[key]));
    let claims = row["claimable"].as_array().unwrap().iter();
    let claims = claims.map(|it| {
        format!(
            "{} {} {}",
            text(&it["claim"]),
            it["ply"],
            text(&it["holds"])
        )
    });
    [label.join(" "), claims.collect::<Vec<_>>().join(", ")]
}

#[test]
fn a_reading_that_decides_otherwise_leaves_a_label_open() {
    let drawn = |by: &str| format!("[Result \"1/2-1/2\"]\n[Termination \"Draw by {by}\"]\n");
    let from = |fen: &str| format!("[FEN \"{fen}\"]\n");
    let threefold = drawn("threefold repetition");
    let missing = KNIGHTS.replace("4.", "5.").replace("3.", "4.");
    let won = "[Result \"1-0\"]\n";
    let fen = "4k3/8/8/8/8/8/1P1B4/4K3 w - - ";
    let fifty = from(&format!("{fen}98 80")) + &drawn("fifty-move rule");
    let long = from(&format!("{fen}148 80")) + won;
    let rook = from("4k3/8/8/8/8/8/8/R3K2R w - - 90 50") + &drawn("fifty-move rule");
    let quiet = "50. Ra2 Kd8 52. Ra1 Ke8 53. Ra2 Kd8 54. Ra1 Ke8 55. Ra2 Kd8";
    let fivefold = format!("{KNIGHTS} 6. Nf3 Nf6 7. Ng1 Ng8 8. Nf3 Nf6 9. Ng1 Ng8 10. e4");
    for (tags, moves, rules, doubt, claims) in [
        (
            &fifty,
            "80. bb4 Kd7",
            "fide",
            "(W264)",
            "fifty-moves 1 unknown",
        ),
        (
            &long,
            "80. bb4 Kd7 81. Ke2",
            "fide",
            "(W264)",
            "fifty-moves 0 yes",
        ),
        (
            &threefold,
            &missing,
            "fide",
            "(W215)",
            "threefold-repetition 8 unknown",
        ),
        (&threefold, &missing, "chesscom", "(W215)", ""),
        (&rook, quiet, "fide", "(W215)", "fifty-moves 8 unknown"),
        (
            &fifty.replace("98 80", "98 1"),
            "1. bb4 Kd7",
            "fide",
            "(W264)",
            "fifty-moves 1 unknown",
        ),
        (
            &won.to_owned(),
            &fivefold,
            "fide",
            "(W215)",
            "threefold-repetition 8 yes",
        ),
        (
            &threefold,
            &format!("{KNIGHTS} ; 5. e4\n"),
            "fide",
            "`; 5. e4`",
            "threefold-repetition 8 yes",
        ),
    ] {
        let [label, open] = labels(tags, moves, rules);
        assert!(
            label.starts_with("* unknown undecided as the moves are read"),
            "{label}"
        );
        assert!(label.contains(doubt), "{label}");
        assert!(open.contains(claims), "{open}");
    }
}

#[test]
fn doubts_leave_other_labels_as_they_are() {
    let won = "[Result \"1-0\"]\n";
    let missing = KNIGHTS.replace("4.", "5.").replace("3.", "4.");
    let fivefold =
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8";
    for (moves, rules, label) in [
        // Neither reading ends the game.
        (
            missing.as_str(),
            "fide",
            "1-0 resignation-or-time-forfeit consistent",
        ),
        // It had ended before the doubtful place.
        (
            &format!("{fivefold} 11. e4"),
            "fide",
            "1/2-1/2 fivefold-repetition contradiction",
        ),
        (
            &format!("{KNIGHTS} {{; 5. e4}}"),
            "chesscom",
            "1/2-1/2 threefold-repetition contradiction",
        ),
        (
            &format!("{KNIGHTS} ; by e4\n"),
            "chesscom",
            "1/2-1/2 threefold-repetition contradiction",
        ),
        (
            "1. Sf3 Sf6 2. Sg1 Sg8 3. Sf3 Sf6 4. Sg1 Sg8",
            "chesscom",
            "1/2-1/2 threefold-repetition contradiction",
        ),
    ] {
        let [said, claims] = labels(won, moves, rules);
        assert!(said.starts_with(label), "{moves}: {said}");
        assert!(
            label.contains("fold") || claims.contains("unknown"),
            "{claims}"
        );
    }
    // A number without a move, far from the last one.
    let far = format!("1. Nf3 Nf6 {{{}}} 9.", "word ".repeat(99));
    let [said, _] = labels(won, &far, "fide");
    assert!(said.starts_with("1-0 resignation"), "{said}");
}

#[test]
fn an_offer_between_moves_is_read_over_and_kept() {
    for offer in ["draw offered", "offre nulle", "Remis angeboten", "empate"] {
        let tags = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n";
        let moves = KNIGHTS.replace(" 3.", &format!(" {offer} 3."));
        let text = format!("{tags}{moves} *\n");
        let ran = run_with_stdin(&["adjudicate", "--format", "jsonl"], text.clone().into());
        assert!(ran.stdout().contains("\"plies\":8"), "{}", ran.stdout());
        assert!(ran.stderr.contains("1 clean"), "{offer}: {}", ran.stderr);
        let ran = run_with_stdin(&["validate", "--fix"], text.clone().into());
        assert!(ran.stdout().contains(&moves), "{offer}: {}", ran.stdout());
    }
}

#[test]
fn a_move_that_another_reading_makes_legal_is_not_lost_by() {
    for (moves, code, says) in [
        ("3. bb3 Ng8 4. Bc4 Nf6 5. Bb3 Ng8 6. Bc4", 2, "W264"),
        ("4. Bc4 Ng8", 2, "W215"),
        ("; 3. Bb3 Ng8\n4. Bc4 Nf6", 2, "; 3. Bb3 Ng8"),
        ("3. Bc4 Ng8", 0, "3.Bc4 is illegal"),
    ] {
        let text = format!("1. e4 e5 2. Bc4 Nf6 {moves} *\n");
        let ran = run_with_stdin(&["adjudicate", "--claim", "illegal"], text.into());
        assert_eq!(ran.code, Some(code), "{moves}: {ran:?}");
        assert!(ran.stdout().contains(says), "{moves}: {}", ran.stdout());
    }
}

#[test]
fn a_game_stops_at_a_result_with_moves_after_it() {
    for mark in ["1-0", "0-1", "1/2-1/2", "*", "1:0", "½-½", "+:-", "1F-0F"] {
        for moves in ["3. Ng1 Nb8", "3. Sg1 Sb8"] {
            let text = format!("1. e4 e5 2. Nf3 Nc6 {mark} {moves} *\n");
            let ran = run_with_stdin(&["adjudicate", "--claim", "threefold"], text.clone().into());
            assert_eq!(ran.code, Some(2), "{text}");
            let said = "it stops after 2...Nc6 (";
            assert!(
                ran.stderr.contains(said) && ran.stderr.contains("`--at`"),
                "{}",
                ran.stderr
            );
            let at = ["adjudicate", "--claim", "threefold", "--at", "2...Nc6"];
            assert_eq!(
                run_with_stdin(&at, text.clone().into()).code,
                Some(1),
                "{text}"
            );
            let ran = run_with_stdin(&["adjudicate"], text.into());
            assert!(
                ran.stderr.contains("0 clean + 1 with findings"),
                "{}",
                ran.stderr
            );
        }
    }
    let text = "[Result \"1-0\"]\n\n1. e4 e5 1-0 White was better\n";
    let ran = run_with_stdin(&["adjudicate"], text.into());
    assert!(ran.stderr.contains("1 clean"), "{}", ran.stderr);
}
