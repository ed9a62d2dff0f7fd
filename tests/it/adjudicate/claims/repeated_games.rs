//! Threefold repetition in games of masters.

use arbiter::chess::Color;
use arbiter::claim::Ground;

use super::{game, labelled, threefold};

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
            "By `classic` the game had ended by threefold repetition after 25...Ra8",
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
