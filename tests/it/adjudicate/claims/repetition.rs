//! Threefold repetition.

use arbiter::chess::Color;
use arbiter::claim::Ground;
use arbiter::pgn::ResultMark;

use super::{EXAMPLE, TWO_ROOKS, fen, game, game_from, labelled, said, threefold};

#[test]
fn the_example_of_brettspielnetz_in_german_letters() {
    let case = game_from(TWO_ROOKS, EXAMPLE);
    for rules in ["brettspielnetz", "fide", "fide-2018", "fide-2014", "uscf"] {
        let ruling = threefold(&case)
            .announcing("35. Dc4+")
            .under(rules)
            .is(Ground::Holds, &["35.Qc4+ (`35. Dc4+`, in German letters)"]);
        assert_eq!(ruling.occurrences, [1, 5, 9]);
        assert_eq!(ruling.announced.as_deref(), Some("35.Qc4+"));
        assert_eq!(ruling.result, ResultMark::Draw);
    }
    // Quoted: "You must not actually make the move, then you have no right to claim."
    let played = game_from(TWO_ROOKS, &format!("{EXAMPLE} 35. Qc4+"));
    threefold(&played)
        .announcing("35. Dc4+")
        .under("brettspielnetz")
        .is(
            Ground::TooLate,
            &["35.Qc4+ has been played", "Made in time"],
        );
}

#[test]
fn what_is_on_the_board_is_left_open_by_brettspielnetz() {
    let case = game_from(TWO_ROOKS, &format!("{EXAMPLE} 35. Qc4+"));
    let says = "Brettspielnetz speaks of an announced move as an example, and leaves open";
    threefold(&case)
        .under("brettspielnetz")
        .is(Ground::Undefined, &[says]);
    threefold(&case).is(
        Ground::Holds,
        &["By `brettspielnetz` the claim would be left open"],
    );
    // The position before the queen's arrival differs: the trap of the example.
    let case = game_from(TWO_ROOKS, EXAMPLE);
    threefold(&case).is(
        Ground::DoesNotHold,
        &[
            "for the second time only: after 32...Kg8 and 34...Kg8",
            "At the beginning the position was another: White's queen stood on c3, not on d3.",
            "With 35.Qc4+ announced, and not played, a claim would be right (FIDE 2023 art. 9.2.1)",
        ],
    );
}

#[test]
fn the_penalty_is_that_of_the_edition() {
    let case = game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *\n", None);
    for (rules, fast) in [
        (
            "fide",
            "White gets two minutes, in rapid and blitz chess one minute,",
        ),
        (
            "fide-2018",
            "White gets two minutes, in blitz chess one minute,",
        ),
        (
            "fide-2014",
            "White gets two minutes, in blitz chess one minute,",
        ),
        ("uscf", "White gets two minutes, and"),
        ("fide-2009", "White gets three minutes, and"),
    ] {
        threefold(&case)
            .under(rules)
            .is(Ground::DoesNotHold, &[fast]);
    }
}

#[test]
fn the_time_control_of_the_game_gives_one_time() {
    for (control, fide, fide_2018) in [
        ("600", "one minute", "one minute"),
        ("180+2", "one minute", "one minute"),
        ("900+10", "one minute", "two minutes"),
        // An hour for 60 moves is neither rapid nor blitz chess.
        ("1800+30", "two minutes", "two minutes"),
        ("40/5400+30:1800+30", "two minutes", "two minutes"),
    ] {
        let text = format!("[TimeControl \"{control}\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *\n");
        let case = game(&text, None);
        for (rules, time) in [("fide", fide), ("fide-2018", fide_2018)] {
            let says = format!("White gets {time}, and the game goes on");
            threefold(&case)
                .under(rules)
                .is(Ground::DoesNotHold, &[&says]);
        }
    }
    let unknown = game(
        "[TimeControl \"?\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *\n",
        None,
    );
    let says = "White gets two minutes, in rapid and blitz chess one minute,";
    threefold(&unknown).is(Ground::DoesNotHold, &[says]);
}

#[test]
fn what_was_before_a_given_position_is_not_known() {
    let unknown = "the 40 plies before the first position are known only from its halfmove clock";
    let case = fen("7k/3R4/7K/8/8/8/4P3/8 w - - 40 220");
    threefold(&case).is(Ground::Unknown, &[unknown]);
    let case = game_from("7k/3R4/7K/8/8/8/4P3/8 w - - 40 220", "220. e4");
    let ruling = threefold(&case).is(Ground::DoesNotHold, &[]);
    assert!(!said(&ruling).contains("known only from"));
}

#[test]
fn had_the_queen_stood_on_d3_before_white_could_claim_that_too() {
    let case = game_from(&TWO_ROOKS.replace("2Q5", "3Q4"), EXAMPLE);
    let ruling = threefold(&case).is(
        Ground::Holds,
        &["at the beginning, after 32...Kg8 and 34...Kg8"],
    );
    assert_eq!(ruling.occurrences, [0, 4, 8]);
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.2.2");
    let before = game_from(
        &TWO_ROOKS.replace("2Q5", "3Q4"),
        EXAMPLE.trim_end_matches(" Kg8"),
    );
    threefold(&before)
        .announcing("34... Kg8")
        .is(Ground::Holds, &["FIDE 2023 art. 9.2.1"]);
    // Once the move is played, only White can claim.
    threefold(&case).by(Color::Black).is(
        Ground::TooLate,
        &[
            "Black has played 34...Kg8, and lost the right to claim by it.",
            "It is White who may claim now, before making a move (FIDE 2023 art. 9.2.2).",
        ],
    );
}

#[test]
fn what_follows_from_a_wrong_claim() {
    let case = game_from(TWO_ROOKS, EXAMPLE);
    let ruling = threefold(&case).announcing("Qf3").is(
        Ground::DoesNotHold,
        &[
            "Black gets two minutes, in rapid and blitz chess one minute, and the game goes on (FIDE 2023 art. 9.5.3).",
            "35.Qf3 must now be played (FIDE 2023 art. 9.5.3).",
            "The claim stands as an offer of a draw, which Black may accept (FIDE 2023 art. 9.1.2.3).",
        ],
    );
    assert_eq!(ruling.result, ResultMark::Unknown);
    let ruling = threefold(&case)
        .announcing("Df3")
        .under("brettspielnetz")
        .is(Ground::DoesNotHold, &["The game goes on."]);
    assert!(!said(&ruling).contains("minutes"));
    let ruling = threefold(&case).announcing("Qh8").is(
        Ground::IllegalMove,
        &["The announced move `Qh8` is not legal"],
    );
    assert!(!said(&ruling).contains("must now be played"));
    threefold(&case)
        .announcing("36. Qh8")
        .is(Ground::IllegalMove, &["is not legal"]);
}

#[test]
fn a_claim_by_the_side_that_is_not_to_move_says_so_first() {
    let case = fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 5 30");
    for written in ["Nd2", "banana", "Nh8", "Nc3"] {
        let ruling = threefold(&case)
            .by(Color::Black)
            .announcing(written)
            .is(Ground::WrongSide, &[]);
        assert!(
            ruling.reason.starts_with("It is White who is to move"),
            "{written}"
        );
    }
}

#[test]
fn either_side_on_servers() {
    let case = game_from(TWO_ROOKS, &format!("{EXAMPLE} 35. Qc4+"));
    let of_white = |case: &_, rules, ground| {
        threefold(case)
            .by(Color::White)
            .under(rules)
            .is(ground, &[]);
    };
    for rules in ["brainking", "lichess", "icc", "fics"] {
        of_white(&case, rules, Ground::Holds);
    }
    of_white(&case, "uscf", Ground::TooLate);
    // The next move ends the claim, but on FICS one later.
    let case = game_from(TWO_ROOKS, &format!("{EXAMPLE} 35. Qc4+ Kh8"));
    threefold(&case)
        .by(Color::White)
        .under("fics")
        .is(Ground::Holds, &["was on the board for the third time"]);
    for rules in ["lichess", "icc"] {
        threefold(&case)
            .by(Color::White)
            .under(rules)
            .is(Ground::TooLate, &["before 35...Kh8 was played"]);
    }
}

#[test]
fn kings_that_signal_the_result_do_not_stop_a_claim() {
    let tags = "[Result \"1/2-1/2\"]\n\n";
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Ke4 Ke5 1/2-1/2";
    let case = game(&format!("{tags}{moves}"), None);
    threefold(&case).is(Ground::Holds, &["for the third time"]);
}

#[test]
fn castling_rights_on_fics() {
    let case = game("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8", None);
    threefold(&case).under("fics").is(Ground::Holds, &[]);
    threefold(&case)
        .under("icc")
        .is(Ground::DoesNotHold, &["for the second time only"]);
}

#[test]
fn castling_rights_lost_by_both_sides_are_one_clause() {
    let moves = "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8";
    let lost = "until 2.Ke2 White, and until 2...Ke7 Black, could still castle on both sides \
                (FIDE 2023 art. 9.2.3.2).";
    threefold(&game(moves, None)).is(Ground::DoesNotHold, &[lost]);
    // Rooks lose the right one by one.
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let moves = "1. Rb1 Rg8 2. Ra1 Rh8 3. Rg1 Ke7 4. Rh1 Ke8 5. Rb1 Kd8 6. Ra1 Ke8";
    threefold(&game_from(fen, moves)).is(
        Ground::DoesNotHold,
        &[
            "until 1.Rb1 White could still castle queenside, until 1...Rg8 Black could still \
            castle kingside, until 3.Rg1 White could still castle kingside and until 3...Ke7 \
            Black could still castle queenside (",
        ],
    );
}

#[test]
fn a_rejected_claim_cites_the_sub_article_that_decides() {
    for (moves, rules, article) in [
        // Castling rights at the first occurrence, on the board.
        (
            "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8",
            "fide",
            "FIDE 2023 art. 9.2.3.2",
        ),
        (
            "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8",
            "fide-2018",
            "FIDE 2018 art. 9.2.2.2",
        ),
        // En passant.
        (
            "1. e4 Nf6 2. e5 d5 3. Bc4 Nc6 4. Bf1 Nb8 5. Bc4 Nc6 6. Bf1 Nb8",
            "fide",
            "FIDE 2023 art. 9.2.3.1",
        ),
        // The other side to move: the position is not the same.
        (
            "[FEN \"8/8/3k4/8/8/3K4/4P3/8 w - - 0 1\"]\n\n1. Ke3 Ke6 2. Kd3 Kd6 3. Kc3 Ke6 4. Kd2 Kd6 5. Kd3",
            "fide",
            "FIDE 2023 art. 9.2.3",
        ),
        // Twice, however it is counted.
        ("1. Nf3 Nf6 2. Ng1 Ng8", "fide", "FIDE 2023 art. 9.2"),
        ("1. Nf3 Nf6 2. Ng1 Ng8", "uscf", "US Chess rule 14C"),
        (
            "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8",
            "fide",
            "FIDE 2023 art. 9.2",
        ),
    ] {
        let case = game(moves, None);
        let ruling = threefold(&case).under(rules).is(Ground::DoesNotHold, &[]);
        assert_eq!(ruling.article.to_string(), article, "{moves}");
    }
}

#[test]
fn the_repetition_quiz() {
    let name = "review/repetitionQuiz/one/05_claim_for_own_move_correct_but_makes_move_on_board";
    let Some(case) = labelled(name, None) else {
        return;
    };
    threefold(&case).by(Color::White).announcing("74. Ke6").is(
        Ground::TooLate,
        &["74.Ke6 has been played", "It is Black who may claim now"],
    );
    let name = "review/repetitionQuiz/one/08_claim_for_own_move_correct";
    let case = labelled(name, None).unwrap();
    threefold(&case)
        .announcing("74...Kg7")
        .is(Ground::Holds, &[]);
}

#[test]
fn rights_lost_while_castling_was_prevented() {
    // White's king moves to and fro while the knight on g1 blocks castling.
    let fen = "4k3/8/8/8/8/8/8/4K1NR w K - 0 1";
    let case = game_from(fen, "1. Kd1 Kd8 2. Ke1 Ke8 3. Kd1 Kd8 4. Ke1 Ke8");
    let right = "until 1.Kd1 White could still castle kingside";
    threefold(&case).is(Ground::DoesNotHold, &[right]);
    let reading = "If the ability to castle, not the right, counts, the claim would be upheld";
    threefold(&case)
        .under("uscf")
        .is(Ground::DoesNotHold, &[right, reading]);
    let case = game_from(fen, "1. Kd1 Kd8 2. Ke1 Ke8 3. Kd1 Kd8 4. Ke1");
    threefold(&case).announcing("4...Ke8").under("brettspielnetz").is(
        Ground::DoesNotHold,
        &[
            right,
            "If the moves that are legal now count, not castling rights, the claim would be upheld",
        ],
    );
}

#[test]
fn rights_of_chess960_count_as_well() {
    let text = |moves: &str| {
        let fen = "4k3/8/8/8/8/8/8/3K2R1 w G - 0 1";
        format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
    };
    let lost = "1. Kc1 Kd8 2. Kd1 Ke8 3. Kc1 Kd8 4. Kd1 Ke8";
    threefold(&game(&text(lost), None)).is(
        Ground::DoesNotHold,
        &["until 1.Kc1 White could still castle kingside"],
    );
    // Castling moves the king from d1 to g1 and the rook to f1, and starts the count.
    let castled = "1. O-O Kd8 2. Kh1 Ke8 3. Kg1 Kd8 4. Kh1 Ke8 5. Kg1 Kd8";
    threefold(&game(&text(castled), None)).is(Ground::Holds, &[]);
}

#[test]
fn a_pinned_pawn_cannot_capture_en_passant_but_engines_count_it() {
    let fen = "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1";
    let case = game_from(fen, "1. e4 Kd7 2. Rd2 Kd8 3. Rd1 Kd7 4. Rd2 Kd8 5. Rd1");
    threefold(&case).is(
        Ground::Holds,
        &[
            "By `chesscom` and `engine` the claim would be rejected: after 1.e4 the same pieces \
            stood on the same squares, but a pawn had just passed e3, which counts as a \
            difference.",
        ],
    );
    threefold(&case).under("engine").is(
        Ground::DoesNotHold,
        &["After 1.e4 the same pieces stood on the same squares, but a pawn had just passed e3, which counts as a difference."],
    );
}

#[test]
fn the_beginning_of_the_game_counts() {
    let case = game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n", None);
    threefold(&case).announcing("4...Ng8").is(
        Ground::Holds,
        &["at the beginning, after 2...Ng8 and 4...Ng8"],
    );
}

#[test]
fn fivefold_repetition_ends_the_game_whatever_comes_after() {
    let name = "realGames/fivefold/beyond/fivefold_beyond_yu_alekseenko_2018";
    let Some(case) = labelled(name, None) else {
        return;
    };
    let ruling = threefold(&case).is(
        Ground::Automatic,
        &[
            "for the fifth time: after 83.Qa8+, 85.Qa8+, 87.Qa8+, 89.Qa8+ and 91.Qa8+",
            "The game ended after 91.Qa8+: the moves after it do not count.",
        ],
    );
    assert_eq!(ruling.result, ResultMark::Draw);
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.6.1");
    // Without automatic draws, the final mate counts.
    let ruling = threefold(&case)
        .under("uscf")
        .is(Ground::Over, &["ended with checkmate"]);
    assert_eq!(ruling.result, ResultMark::White);
}

#[test]
fn five_occurrences_apart_end_games_since_2017() {
    let says = "The game was played before 1 July 2017, when this rule took effect.";
    let moves = ["Nf3 Nf6 Ng5 Ng4 Nh3 Nh6 Ng1 Ng8"; 5].join(" ");
    let on = |date: &str| game(&format!("[Date \"{date}\"]\n\n{moves} *\n"), None);
    threefold(&on("2015.05.05")).is(Ground::Automatic, &[says]);
    let ruling = threefold(&on("2017.07.01")).is(Ground::Automatic, &[]);
    assert!(!said(&ruling).contains("took effect"));
}

#[test]
fn plies_before_the_first_position_may_hold_occurrences() {
    let at = |clock: &str| fen(&format!("8/8/3k4/8/8/3K4/4R3/8 w - - {clock} 120"));
    let says = "are known only from its halfmove clock";
    for (clock, board, announced) in [
        ("6", Ground::DoesNotHold, Ground::DoesNotHold),
        ("7", Ground::DoesNotHold, Ground::Unknown),
        ("8", Ground::Unknown, Ground::Unknown),
        ("99", Ground::Unknown, Ground::Unknown),
    ] {
        threefold(&at(clock)).is(board, &[says]);
        threefold(&at(clock))
            .announcing("Re3")
            .is(announced, &[says]);
    }
    threefold(&at("-")).is(
        Ground::Unknown,
        &["for the first time; the FEN does not say what was played before its position"],
    );
    threefold(&at("8"))
        .under("chesscom")
        .is(Ground::Unknown, &[]);
    // Servers that count automatically take no announced move, whatever was played before.
    threefold(&at("7")).under("chesscom").announcing("Re3").is(
        Ground::NotYet,
        &["If 120.Re3 ends the game, it does so automatically"],
    );
    threefold(&at("8"))
        .by(Color::Black)
        .is(Ground::WrongSide, &[says]);
}

#[test]
fn known_plies_decide_what_they_can() {
    let twice = "Re3 Kd5 Re2 Kd6";
    let at = |clock: u32, moves: &str| {
        game_from(&format!("8/8/3k4/8/8/3K4/4R3/8 w - - {clock} 120"), moves)
    };
    // The first position stands for the second time, and may have stood four plies before.
    threefold(&at(3, twice)).is(Ground::DoesNotHold, &["for the second time only"]);
    threefold(&at(4, twice)).is(Ground::Unknown, &["for the second time only"]);
    let thrice = format!("{twice} {twice}");
    threefold(&at(0, &thrice)).is(Ground::Holds, &[]);
    threefold(&at(30, &thrice)).is(Ground::Holds, &[]);
    // A position that is first seen two plies later may have stood two plies before the first one.
    threefold(&at(5, "Re3 Kd5")).is(Ground::DoesNotHold, &[]);
    threefold(&at(6, "Re3 Kd5")).is(Ground::Unknown, &[]);
    // Nothing before a capture, or before a right to castle was lost, can occur again.
    let pawn = "8/8/3k4/8/8/4p3/4R3/3K4 w - - 40 120";
    threefold(&game_from(pawn, "Rxe3 Kd5")).is(Ground::DoesNotHold, &[]);
    threefold(&fen(pawn))
        .announcing("Rxe3")
        .is(Ground::Unknown, &["needs no announced move"]);
    let right = "4k3/8/8/8/8/8/8/R3K3 w Q - 40 120";
    let lost = game_from(right, "Ke2 Ke7 Ke1 Ke8");
    threefold(&lost).is(Ground::DoesNotHold, &[]);
    threefold(&lost).under("classic").is(Ground::Unknown, &[]);
    // A move that was announced too late may have been right.
    let late = at(40, "Re3");
    threefold(&late).announcing("120. Re3").by(Color::White).is(
        Ground::TooLate,
        &[
            "Whether it would have been right in time is not known",
            "The 40 plies before",
        ],
    );
}
