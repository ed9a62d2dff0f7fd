//! The fifty-move rule, and the automatic 75-move rule.

use arbiter::chess::Color;
use arbiter::claim::Ground;
use arbiter::pgn::ResultMark;

use super::{fen, fifty, game, game_from, labelled};
use crate::arbiter_command::{run, run_with_stdin};

/// White to move with a rook. Black has a pawn, so the position is not dead.
fn rook_ending(halfmoves: u32) -> super::ClaimGame {
    fen(&format!("4k3/p7/8/8/8/8/8/R3K3 w - - {halfmoves} 250"))
}

#[test]
fn what_the_clock_allows() {
    let check = |halfmoves, on_board, announced| {
        let case = rook_ending(halfmoves);
        fifty(&case).is(on_board, &[]);
        fifty(&case).announcing("Ra2").is(announced, &[]);
    };
    check(68, Ground::DoesNotHold, Ground::DoesNotHold);
    check(98, Ground::DoesNotHold, Ground::DoesNotHold);
    check(99, Ground::DoesNotHold, Ground::Holds);
    for halfmoves in [100, 105, 120, 149] {
        check(halfmoves, Ground::Holds, Ground::Holds);
    }
    for halfmoves in [150, 369] {
        check(halfmoves, Ground::Automatic, Ground::Automatic);
    }
}

#[test]
fn the_announced_move_must_not_begin_the_count_anew() {
    fifty(&rook_ending(99)).announcing("Rxa7").is(
        Ground::DoesNotHold,
        &[
            "250.Rxa7 is a capture or a pawn move",
            "250.Rxa7 must now be played",
        ],
    );
    // A draw already on the board needs no announced move.
    fifty(&rook_ending(100))
        .announcing("Rxa7")
        .is(Ground::Holds, &["FIDE 2023 art. 9.3.2"]);
}

#[test]
fn an_announced_move_may_give_mate() {
    let case = fen("7k/p7/6K1/8/8/8/8/R7 w - - 99 250");
    fifty(&case).announcing("Rb1").is(Ground::Holds, &[]);
    let case = fen("7k/p7/6K1/8/8/8/8/1R6 w - - 99 250");
    fifty(&case)
        .announcing("Rb8#")
        .is(Ground::Holds, &["250.Rb8# would complete 50 moves"]);
}

#[test]
fn mate_and_stalemate_on_the_board_leave_nothing_to_claim() {
    let case = fen("1R5k/p7/6K1/8/8/8/8/8 b - - 105 250");
    let ruling = fifty(&case).is(Ground::Over, &["ended with checkmate"]);
    assert_eq!(ruling.result, ResultMark::White);
    let case = fen("7k/5Q2/6K1/8/8/8/8/8 b - - 99 250");
    let ruling = fifty(&case).is(Ground::Over, &["drawn by stalemate"]);
    assert_eq!(ruling.result, ResultMark::Draw);
}

#[test]
fn a_dead_position_leaves_nothing_to_claim() {
    for dead in [
        "4k3/8/8/8/8/8/8/4KB2 w - - 100 90",
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 100 90",
    ] {
        fifty(&fen(dead)).is(Ground::Over, &["drawn by a dead position"]);
    }
    fifty(&fen("4k3/8/8/8/8/8/8/4KB2 w - - 100 90"))
        .under("brainking")
        .is(Ground::Holds, &[]);
}

#[test]
fn the_other_side_and_too_late() {
    let case = rook_ending(100);
    fifty(&case)
        .by(Color::Black)
        .is(Ground::WrongSide, &["It is White who may claim now"]);
    let case = game_from("4k3/p7/8/8/8/8/8/R3K3 w - - 100 250", "250. Rxa7 Kd8");
    fifty(&case).is(
        Ground::TooLate,
        &["White could have made it at the beginning, and played 250.Rxa7 instead; 250.Rxa7 has begun the count anew."],
    );
}

#[test]
fn rule_sets_on_fifty_moves() {
    let case = rook_ending(100);
    for rules in [
        "fide-online",
        "lichess",
        "chesscom",
        "engine",
        "beginners",
        "classic",
    ] {
        fifty(&case).under(rules).is(Ground::Automatic, &[]);
    }
    for rules in ["uscf", "icc", "fics", "brainking", "fide-2014", "fide-2018"] {
        fifty(&case).under(rules).is(Ground::Holds, &[]);
    }
    fifty(&case)
        .under("brettspielnetz")
        .is(Ground::Undefined, &["leaves open"]);
    fifty(&case)
        .under("brettspielnetz")
        .announcing("Ta2")
        .is(Ground::Holds, &["in German letters"]);
    fifty(&case).under("mail").is(Ground::NoRule, &[]);
    fifty(&rook_ending(150)).under("uscf").is(
        Ground::Holds,
        &["The director may declare the game drawn without a claim: the 75-move rule (US Chess rule 14K2)"],
    );
}

#[test]
fn games_of_wikipedia_and_patterns_of_the_limit() {
    let check = |name: &str, at: Option<u32>, ground, says: &str| {
        if let Some(case) = labelled(name, at) {
            fifty(&case).is(ground, &[says]);
        }
    };
    let folder = "review/wikipedia/fiftyMove/wikipedia_fifty_move";
    let name = format!("{folder}_1_filipowicz_smederevac_1966");
    check(
        &name,
        None,
        Ground::Holds,
        "Each side has made 50 moves without a capture or a pawn move, since 20...h5",
    );
    check(
        &name,
        Some(139),
        Ground::DoesNotHold,
        "With a move announced",
    );
    check(
        &format!("{folder}_2_1_timman_lutz_1995"),
        Some(237),
        Ground::Holds,
        "since 69.Rxg3",
    );
    check(
        &format!("{folder}_2_2_karpov_kasparov_1991"),
        Some(224),
        Ground::DoesNotHold,
        "",
    );
    check(
        &format!("{folder}_2_2_karpov_kasparov_1991"),
        Some(225),
        Ground::Holds,
        "since 63.Kxh4",
    );

    let folder = "realGames/fifty/pattern/fifty_pattern";
    check(
        &format!("{folder}_098_start_black_sjugirov_inarkiev_2019"),
        None,
        Ground::DoesNotHold,
        "Each side has made 49 moves",
    );
    check(
        &format!("{folder}_099_start_black_naroditsky_boruchovsky_2018"),
        None,
        Ground::DoesNotHold,
        "With a move announced",
    );
    check(
        &format!("{folder}_100_start_black_nakamura_radjabov_2014"),
        None,
        Ground::Holds,
        "",
    );
    check(
        &format!("{folder}_101_start_white_nakamura_vachier-lagrave_2018"),
        None,
        Ground::Holds,
        "",
    );
}

#[test]
fn forced_captures_and_forced_pawn_moves_leave_nothing_to_announce() {
    let check = |name: &str, may: bool| {
        if let Some(case) = labelled(&format!("basic/fifty/{name}"), None) {
            let ruling = fifty(&case).is(Ground::DoesNotHold, &[]);
            let said = super::said(&ruling);
            assert_eq!(
                said.contains("With a move announced"),
                may,
                "{name}: {said}"
            );
        }
    };
    check(
        "10_fifty_half_move_clock_99_fifty_moves_claimable_yes",
        true,
    );
    check(
        "11_fifty_half_move_clock_99_fifty_moves_claimable_no_forced_capture",
        false,
    );
    check(
        "12_fifty_half_move_clock_99_fifty_moves_claimable_no_forced_pawn_move",
        false,
    );
}

#[test]
fn played_on_after_75_moves() {
    let check = |name: &str, when: &str| {
        let folder = "realGames/seventyFive/beyond";
        if let Some(case) = labelled(&format!("{folder}/{name}"), None) {
            let ruling = fifty(&case).is(Ground::Automatic, &[when]);
            assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.6.2");
        }
    };
    check(
        "seventy_five_beyond_anton_guijarro_antipov_2015",
        "after 137.Kg2",
    );
    check("seventy_five_beyond_aronian_navara_2017", "after 139.Kf6");
    check("various_kevlishvili_zhigalko_2018", "after 138...Nf6");
    check(
        "seventy_five_beyond_onischuk_guseinov_2014",
        "The game was played before 1 July 2014, when this rule took effect.",
    );
}

#[test]
fn a_move_that_is_legal_in_other_letters_only_is_not_taken_for_granted() {
    // `K` is the king in English and the rook in Turkish.
    let text = "[Site \"Ankara TUR\"]\n[FEN \"7k/3R4/7K/8/8/8/8/8 w - - 99 120\"]\n\n*\n";
    let case = game(text, None);
    let ruling = fifty(&case).announcing("Kd2").is(
        Ground::UnclearMove,
        &["`Kd2` is not legal in English letters, and a move in others: 120.Rd2 in Turkish"],
    );
    assert_eq!(ruling.upheld, None);
}

#[test]
fn us_chess_counts_under_its_own_rule() {
    let full = fen("7k/3R4/7K/8/8/8/4P3/8 w - - 100 120");
    fifty(&full)
        .under("uscf")
        .is(Ground::Holds, &["The game is drawn (US Chess rule 14F)."]);
}

#[test]
fn letters_are_named_as_they_are_written_in() {
    let case = fen("7k/3R4/7K/8/8/8/8/8 w - - 99 120");
    for (written, says) in [
        ("120. \u{2654}g5", "with figurines"),
        ("120. Ta7", "in German letters"),
    ] {
        fifty(&case).announcing(written).is(Ground::Holds, &[says]);
    }
}

#[test]
fn a_clock_that_is_not_given_is_not_zero() {
    let says = "The FEN does not say how many moves were made since the last capture or pawn move.";
    let rook = "8/8/3k4/8/8/3K4/4R3/8 w - -";
    for case in [
        fen(rook),
        fen(&format!("{rook} - 60")),
        game(&format!("[FEN \"{rook}\"]\n\n*\n"), None),
    ] {
        for rules in ["fide", "uscf", "lichess", "chesscom", "icc", "engine"] {
            let ruling = fifty(&case).under(rules).is(Ground::Unknown, &[says]);
            assert_eq!((&*ruling.follows, ruling.result.as_str()), (&[][..], "*"));
        }
        fifty(&case).announcing("Re3").is(Ground::Unknown, &[says]);
        fifty(&case)
            .announcing("Ke3")
            .by(Color::Black)
            .is(Ground::WrongSide, &[]);
        fifty(&case).by(Color::Black).is(Ground::WrongSide, &[says]);
    }
    // An en passant square is that of a pawn move.
    let case = fen("4k3/8/8/8/4P3/8/8/4K3 b - e3");
    fifty(&case).is(Ground::DoesNotHold, &[]);
    // A dead position was drawn whatever the count.
    fifty(&fen("8/8/3k4/8/8/3K4/8/8 w - -")).is(Ground::Over, &[]);
}

#[test]
fn moves_that_reach_the_count_by_themselves() {
    let rook = "8/8/3k4/8/8/8/4R3/3K4 w - -";
    let shuffle = ["Kc1 Kd5", "Kd1 Kd6"].repeat(25).join(" ");
    // No repetition ends the game by the laws of 2009.
    let claim = |case| fifty(case).under("fide-2009");
    let all = game_from(rook, &shuffle);
    claim(&all).is(Ground::Holds, &["50 moves"]);
    let less = game_from(rook, shuffle.strip_suffix(" Kd6").unwrap());
    claim(&less)
        .announcing("Kd6")
        .is(Ground::Holds, &["would complete 50 moves"]);
    claim(&less).is(
        Ground::Unknown,
        &[
            "White has made 50 moves and Black 49",
            "since the given position",
        ],
    );
    // A capture begins a count that is known.
    let pawn = "8/8/3k4/8/8/4p3/4R3/3K4 w - -";
    fifty(&game_from(pawn, "Rxe3 Kd5"))
        .is(Ground::DoesNotHold, &["White has made no move and Black 1"]);
    fifty(&fen(pawn))
        .announcing("Rxe3")
        .is(Ground::Unknown, &["begins the count anew"]);
}

#[test]
fn a_claim_that_is_left_open_ends_with_2() {
    let rook = "8/8/3k4/8/8/3K4/4R3/8 w - -";
    let claim = |kind: &str, fen: &str| {
        let words = ["adjudicate", "-q", "--claim", kind];
        let text = format!("[FEN \"{fen}\"]\n\n*\n");
        [
            run(&[&words[..], &["--fen", fen]].concat()),
            run_with_stdin(&words, text.into()),
        ]
    };
    let seen = format!("{rook} 99 120");
    for ran in [
        claim("fifty", rook),
        claim("threefold", rook),
        claim("threefold", &seen),
    ]
    .into_iter()
    .flatten()
    {
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let said = ran.stdout();
        assert!(said.contains("The claim is left open."), "{said}");
        assert!(
            !said.contains("minutes") && !said.contains("rejected"),
            "{said}"
        );
    }
}
