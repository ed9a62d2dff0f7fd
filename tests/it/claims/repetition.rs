//! Threefold repetition.

use arbiter::chess::Color;
use arbiter::commands::adjudicate::claim::Ground;
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
fn karpov_miles_1986() {
    let name = "review/wikipedia/threefold/wikipedia_threefold_3_1_karpov_miles_1986";
    let Some(case) = labelled(name, Some(50)) else {
        return;
    };
    // The position after 25...Ra8 also occurred with the castling right.
    let right = "until 22...Ra4 Black could still castle queenside (FIDE 2023 art. 9.2.3.2)";
    let ruling = threefold(&case).announcing("26. Nb5").is(
        Ground::DoesNotHold,
        &[
            "for the second time only: after 24.Nb5 and 26.Nb5",
            &format!("After 22.Nb5 the same pieces stood on the same squares, but {right}."),
            "26.Nb5 must now be played",
            "By `classic` the claim would be upheld",
        ],
    );
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.2.3.2");
    threefold(&case)
        .announcing("26. Sb5")
        .is(Ground::DoesNotHold, &["in German letters"]);
    let case = labelled(name, None).unwrap();
    threefold(&case)
        .announcing("26...Ra4")
        .is(Ground::Holds, &["after 22...Ra4, 24...Ra4 and 26...Ra4"]);
}

#[test]
fn fischer_spassky_1972_the_twentieth_game() {
    let name = "review/wikipedia/threefold/wikipedia_threefold_3_2_fischer_spassky_1972_twentieth";
    let Some(case) = labelled(name, None) else {
        return;
    };
    let board = "After 48.Kc3 and 50.Ne1 the same pieces stood on the same squares, but it was Black's move.";
    threefold(&case).is(Ground::DoesNotHold, &[board]);
    threefold(&case).under("classic").is(
        Ground::Automatic,
        &["for the third time: after 48.Kc3, 50.Ne1 and 54...Nd4"],
    );
}

#[test]
fn capablanca_lasker_1921_a_double_step_without_a_legal_capture() {
    let name = "review/wikipedia/threefold/wikipedia_threefold_2_3_capablanca_lasker_1921";
    let Some(case) = labelled(name, Some(76)) else {
        return;
    };
    threefold(&case).is(Ground::Holds, &["after 34...h5, 36...Kf8 and 38...Kf8"]);
    threefold(&case).under("chesscom").is(
        Ground::DoesNotHold,
        &["After 34...h5 the same pieces stood on the same squares, but a pawn had just passed h6, which counts as a difference."],
    );
}

#[test]
fn blatny_holzke_1997_en_passant_was_possible_the_first_time() {
    let name = "realGames/various/various_blatny_holzke_1997";
    let Some(case) = labelled(name, Some(101)) else {
        return;
    };
    let ruling = threefold(&case).announcing("51...Kd6").is(
        Ground::DoesNotHold,
        &["After 47...f5 the same pieces stood on the same squares, but White could capture en passant on f6 (FIDE 2023 art. 9.2.3.1)."],
    );
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.2.3.1");
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
        // Twice, however it is counted.
        ("1. Nf3 Nf6 2. Ng1 Ng8", "fide", "FIDE 2023 art. 9.2.3"),
        (
            "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8",
            "fide",
            "FIDE 2023 art. 9.2.3",
        ),
    ] {
        let case = game(moves, None);
        let ruling = threefold(&case).under(rules).is(Ground::DoesNotHold, &[]);
        assert_eq!(ruling.article.to_string(), article, "{moves}");
    }
}

#[test]
fn grischuk_giri_2019_castling_rights_differ_at_first() {
    let name = "realGames/earlyDraw/early_draw_grischuk_giri_2019";
    let Some(case) = labelled(name, Some(42)) else {
        return;
    };
    threefold(&case).is(Ground::DoesNotHold, &["could still castle"]);
    let case = labelled(name, None).unwrap();
    threefold(&case).is(Ground::Holds, &["after 18.Kf1, 20.Kf1 and 22.Kf1"]);
}

#[test]
fn grischuk_mamedyarov_2017_a_third_and_a_fourth_time() {
    let name = "realGames/various/various_grischuk_mamedyarov_2017";
    let check = |at, ground, says: &str| {
        if let Some(case) = labelled(name, Some(at)) {
            threefold(&case).is(ground, &[says]);
        }
    };
    check(
        129,
        Ground::Holds,
        "for the third time: after 61.Rb2, 63.Kg2 and 65.Kg2",
    );
    check(133, Ground::Holds, "for the fourth time");
    // Two plies later Black has moved on.
    check(
        135,
        Ground::TooLate,
        "Black could have made it after 67.Rb2",
    );
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

/// World Cup, Tromsø, 14 August 2013.
const WANG_DREEV: &str = "1. d4 d5 2. c4 c6 3. Nf3 Nf6 4. Nc3 e6 5. Bg5 Nbd7 6. e3 Qa5 7. cxd5 Nxd5 8. Rc1 b6
    9. Be2 Nxc3 10. bxc3 Ba3 11. Rc2 Ba6 12. O-O Bxe2 13. Qxe2 O-O 14. Rd1 Rfe8 15. e4 e5 16. Bh4 Be7 17. Bg3 Bf6
    18. Nd2 b5 19. dxe5 Nxe5 20. f4 Qa4 21. Rcc1 Ng6 22. Qf3 Be7 23. e5 Ba3 24. Rb1 Rad8 25. Nb3 Bf8 26. Nd4 b4
    27. cxb4 c5 28. Qb3 Qxb3 29. Nxb3 cxb4 30. Kf1 h5 31. h3 h4 32. Bh2 Ne7 33. Bg1 Nd5 34. Rd4 Nc3 35. Rb2 Ra8
    36. Na5 f6 37. exf6 gxf6 38. Bf2 Bc5 39. Rd7 Rac8 40. Bxh4 Re4 41. g3 Bb6 42. Nb3 Re3 43. Kg2 Ne4 44. Nd2 Nc5
    45. Rd5 Nd3 46. Rb3 Ne1+ 47. Kf1 Nc2 48. Rd7 Re1+ 49. Kg2 f5 50. g4 Re2+ 51. Kf3 Rce8 52. gxf5 Nd4+ 53. Kg4 Nxb3
    54. axb3 Rg2+ 55. Kf3 Rg7 56. Rd3 Rh7 57. Kg4 Re2 58. Nc4 Rg2+ 59. Kf3 Rg1 60. Bg3 Rxh3 61. Kg4 Rh6 62. Kg5 Rh3
    63. Kg4 Rh6 64. Kg5 Rc6 65. Kh5 Rh1+ 66. Kg5 Rg1 67. Kh5 Bc7 68. Kg5 Bb6";

#[test]
fn wang_hao_dreev_2013_the_written_claim() {
    let case = game(&format!("{WANG_DREEV} *\n"), None);
    threefold(&case).announcing("69. Kh5").is(
        Ground::Holds,
        &["for the third time: after 65.Kh5, 67.Kh5 and 69.Kh5"],
    );
}

/// World Blitz, Doha, 29 December 2016.
const CARLSEN_KARJAKIN: &str = "1. Nf3 Nf6 2. g3 c5 3. Bg2 Nc6 4. O-O e5 5. d3 d5 6. Bg5 Be7 7. Nfd2 Ng8 8. Bxe7 Ngxe7
    9. c4 Be6 10. Nc3 O-O 11. a3 Rc8 12. b4 cxb4 13. axb4 Nxb4 14. Rxa7 dxc4 15. Nxc4 Bxc4 16. dxc4 Rxc4 17. Qb3 Qd4
    18. Nb5 Qc5 19. Rxb7 Nec6 20. e3 Na5 21. Qxc4 Qxc4 22. Nd6 Qe6 23. Rxb4 Qxd6 24. Rb5 Nc4 25. Rc1 Nb6 26. Rbc5 g6
    27. h4 Kg7 28. Rc7 Rd8 29. R7c6 Qd2 30. R6c2 Qb4 31. Bf3 Rd2 32. Kg2 Rxc2 33. Rxc2 Nc4 34. Bd5 Nd6 35. Rc6 Kf6
    36. Kg1 Ke7 37. Rc7+ Kd8 38. Rc6 Kd7 39. Ra6 Qc5 40. Bf3 e4 41. Be2 Nf5 42. Kg2 Ke7 43. Ra4 Qd5 44. Kg1 Kf8
    45. Bf1 Nd6 46. Rd4 Qe5 47. Bg2 f5 48. Bf1 h6 49. Ra4 g5 50. hxg5 hxg5 51. Bg2 f4 52. gxf4 gxf4 53. exf4 Qxf4
    54. Rd4 Qe5 55. Rd1 e3 56. fxe3 Qxe3+ 57. Kh1 Ke7 58. Rf1 Qe5 59. Rf3 Nf5 60. Kg1 Nh4 61. Rf2 Qe1+ 62. Bf1 Qe3
    63. Bg2 Nf5 64. Bf3 Nd4 65. Kg2 Kd6 66. Bg4 Qe4+ 67. Kg3 Ke5 68. Kh3 Qh1+ 69. Kg3 Qg1+ 70. Rg2 Qe3+ 71. Kh2 Kf4
    72. Bd1 Nf3+ 73. Bxf3 Qxf3 74. Kg1 Qd1+ 75. Kf2 Qd4+ 76. Ke2 Qe4+ 77. Kf1 Kf3 78. Rf2+ Kg3 79. Rd2 Kf3 80. Rf2+ Kg3
    81. Rd2 Qb1+ 82. Ke2 Qe4+ 83. Kf1 Qc4+";

#[test]
fn carlsen_karjakin_2016_one_move_too_late() {
    let case = |at| game(&format!("{CARLSEN_KARJAKIN} *\n"), Some(at));
    threefold(&case(164)).announcing("83. Kf1").is(
        Ground::Holds,
        &["for the third time: after 79.Rd2, 81.Rd2 and 83.Kf1"],
    );
    threefold(&case(165)).by(Color::White).is(
        Ground::TooLate,
        &["White has played 83.Kf1", "It is Black who may claim now"],
    );
    threefold(&case(166)).announcing("83. Kf1").is(
        Ground::TooLate,
        &[
            "83.Kf1 has been played",
            "Made in time, it would have been right",
        ],
    );
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
