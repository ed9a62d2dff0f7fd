//! Stalemate, insufficient material, and dead positions.

use arbiter::claim::{ClaimGame, ClaimKind, Ground};
use arbiter::law::{self, End};
use arbiter::pgn::ResultMark;

use super::{Claimed, fen, fifty, game_from, threefold};

fn stalemate(case: &ClaimGame) -> Claimed<'_> {
    Claimed::new(case, ClaimKind::Draw(End::Stalemate))
}

fn insufficient(case: &ClaimGame) -> Claimed<'_> {
    Claimed::new(case, ClaimKind::Draw(End::InsufficientMaterial))
}

fn dead(case: &ClaimGame) -> Claimed<'_> {
    Claimed::new(case, ClaimKind::Draw(End::DeadPosition))
}

#[test]
fn stalemate_needs_no_claim() {
    let case = fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 80");
    let ruling = stalemate(&case).is(
        Ground::Automatic,
        &["Black is not in check and has no legal move"],
    );
    assert_eq!(ruling.result, ResultMark::Draw);
    stalemate(&case)
        .under("mail")
        .is(Ground::Undefined, &["does not say"]);
}

#[test]
fn no_stalemate() {
    let case = fen("7k/5K2/8/6Q1/8/8/8/8 b - - 0 80");
    stalemate(&case).is(Ground::DoesNotHold, &["Black has a legal move: 80...Kh7."]);
    let case = fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 80");
    stalemate(&case).is(Ground::Over, &["ended with checkmate"]);
}

#[test]
fn a_wrong_claim_of_a_draw_that_needs_none_costs_nothing() {
    let case = fen("7k/5K2/8/6Q1/8/8/8/8 b - - 0 80");
    let ruling = stalemate(&case).ruling();
    assert_eq!(ruling.follows, ["The game goes on."]);
}

/// Rule sets differ in their lists of insufficient material.
#[test]
fn lists_of_material_and_fides_proof() {
    use Ground::{Automatic, DoesNotHold, Holds, NoRule, Undefined};
    let all = [
        "fide",
        "uscf",
        "lichess",
        "chesscom",
        "icc",
        "fics",
        "engine",
        "brettspielnetz",
        "brainking",
        "beginners",
        "classic",
        "mail",
    ];
    let check = |position: &str, expected: [Ground; 12]| {
        let case = fen(position);
        for (rules, ground) in all.into_iter().zip(expected) {
            insufficient(&case).under(rules).is(ground, &[]);
        }
    };
    check(
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        [
            Automatic, Automatic, Automatic, Automatic, Automatic, Automatic, Automatic, Holds,
            Holds, Automatic, Automatic, NoRule,
        ],
    );
    // Bishops on squares of one colour: dead, but not on every list.
    check(
        "8/8/3bk3/8/8/3KB3/8/8 w - - 0 1",
        [
            Automatic,
            Automatic,
            Automatic,
            Automatic,
            Automatic,
            DoesNotHold,
            Automatic,
            DoesNotHold,
            Undefined,
            Undefined,
            Undefined,
            NoRule,
        ],
    );
    // One knight each: a helpmate is possible.
    check(
        "8/8/4K3/8/1n6/8/5k1N/8 w - - 0 1",
        [
            DoesNotHold,
            DoesNotHold,
            DoesNotHold,
            Automatic,
            Automatic,
            DoesNotHold,
            DoesNotHold,
            DoesNotHold,
            Undefined,
            Undefined,
            Undefined,
            NoRule,
        ],
    );
}

#[test]
fn a_mate_that_is_still_possible_is_shown() {
    let case = fen("8/8/4K3/8/1n6/8/5k1N/8 w - - 0 1");
    let ruling = dead(&case).is(
        Ground::DoesNotHold,
        &["can still mate by a series of legal moves: 1."],
    );
    let mut position = case.last();
    for uci in &ruling.line {
        position.play_unchecked(uci.to_move(&position).unwrap());
    }
    assert!(position.is_checkmate());
    assert!(!ruling.line.is_empty());
}

#[test]
fn walls_of_pawns_are_dead() {
    for position in [
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
        "8/8/3k4/p1p2p1p/PpP2PpP/1P1K2P1/8/8 w - - 0 1",
    ] {
        let case = fen(position);
        let wall = "the pawns wall both kings in, and no legal move opens the wall.";
        let ruling = dead(&case).is(Ground::Automatic, &[wall, "FIDE 2023 art. 5.2.2"]);
        assert_eq!(ruling.result, ResultMark::Draw);
        dead(&case).under("lichess").is(Ground::NoRule, &[]);
        insufficient(&case)
            .under("lichess")
            .is(Ground::DoesNotHold, &[]);
        // A rejected claim does not reopen a finished game.
        for claim in [fifty(&case), threefold(&case), stalemate(&case)] {
            let ruling = claim.is(Ground::Over, &["drawn by a dead position", wall]);
            assert_eq!(ruling.result, ResultMark::Draw);
        }
    }
}

/// Whether the game is over comes before the exceptions and forms of every claim.
#[test]
fn a_game_that_was_over_stays_so_under_every_claim() {
    use ClaimKind::{BothFlags, Draw, Loss, Quickplay};
    let others = [
        Draw(End::Threefold),
        Draw(End::Fivefold),
        Draw(End::FiftyMoves),
        Draw(End::SeventyFiveMoves),
        Loss(law::Loss::Time),
        Loss(law::Loss::IllegalMoves),
        Loss(law::Loss::Resignation),
        BothFlags,
        Quickplay,
    ];
    let dead = fen("8/8/3k4/p1p2p1p/PpP2PpP/1P1K2P1/8/8 w - - 0 60");
    let bare = fen("8/8/3k4/8/8/4N3/8/3K4 w - - 0 60");
    let stalemated = fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 80");
    let mated = fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 80");
    let editions = ["fide-2009", "fide-2014", "fide-2018", "fide-2023", "uscf"];
    for (case, more, rules, result) in [
        (&dead, Some(Draw(End::Stalemate)), &editions[..], "1/2-1/2"),
        (&bare, Some(Draw(End::Stalemate)), &editions, "1/2-1/2"),
        (&bare, None, &["lichess", "chesscom", "fics"], "1/2-1/2"),
        (
            &stalemated,
            Some(Draw(End::DeadPosition)),
            &editions,
            "1/2-1/2",
        ),
        (&mated, Some(Draw(End::Stalemate)), &editions, "1-0"),
        (&mated, None, &["lichess", "engine", "mail"], "1-0"),
    ] {
        for (&rules, kind) in rules.iter().flat_map(|rules| {
            let kinds = others.into_iter().chain(more);
            kinds.map(move |kind| (rules, kind))
        }) {
            let ruling = Claimed::new(case, kind).under(rules).is(Ground::Over, &[]);
            assert_eq!(ruling.result.as_str(), result, "{rules} {kind:?}");
        }
    }
    // An end that the rule set does not cover is left open in every loss.
    for kind in [Loss(law::Loss::Resignation), Loss(law::Loss::Time)] {
        Claimed::new(&stalemated, kind)
            .under("mail")
            .is(Ground::Undefined, &[]);
        Claimed::new(&dead, kind)
            .under("beginners")
            .is(Ground::Undefined, &[]);
    }
}

#[test]
fn proofs_are_said_in_words() {
    for (position, why) in [
        (
            "8/1p2k3/8/1P1p2p1/1p1P2P1/1P3K2/8/8 b - - 0 1",
            "walls keep the men apart, and no legal move opens them.",
        ),
        // The king is free to walk, and the pawns alone are no wall.
        (
            "5Bk1/5pPp/5P1P/1b4K1/8/8/8/8 w - - 0 1",
            "walls keep the men apart, and no legal move opens them.",
        ),
        (
            "k1b5/1p1p1K2/1P1P4/8/3B4/8/8/8 w - - 0 1",
            "none of the 5,975 positions that can still arise is a mate.",
        ),
        (
            "6Rk/8/7K/8/8/8/8/8 b - - 0 60",
            "as for White, Black's only legal move leaves insufficient material: 60...Kxg8; as \
            for Black, insufficient material.",
        ),
        (
            "kb6/2N5/1K6/8/8/8/8/8 b - - 0 1",
            "Black's only legal move leaves insufficient material: 1...Bxc7+.",
        ),
    ] {
        let why = format!("Neither side can mate by any series of legal moves: {why}");
        dead(&fen(position)).is(Ground::Automatic, &[&why]);
    }
}

#[test]
fn the_first_end_counts() {
    let moves = format!("1... Kxd4 {}", "Kd2 Ke4 Ke2 Kd4 ".repeat(5));
    let bare_kings = game_from("8/8/8/3k4/3P4/8/8/4K3 b - - 0 1", &moves);
    let moves = "100. Kd2 Kd7 101. Kc2 Kc7 102. Kb2 Kb7 103. Ka2 Ka7 104. Kb2 Kb7 105. Ka2";
    let wall = game_from("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 140 100", moves);
    for case in [&bare_kings, &wall] {
        for claim in [insufficient(case), dead(case)] {
            let ruling = claim.is(Ground::Automatic, &[]);
            assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 5.2.2");
        }
        for claim in [threefold(case), fifty(case)] {
            claim.is(Ground::Over, &["drawn by a dead position"]);
        }
    }
    let seventy_five = game_from("7k/8/8/8/8/8/r7/K7 w - - 148 100", "100. Kb1 Kg8 101. Kxa2");
    let ruling = fifty(&seventy_five).is(Ground::Automatic, &["after 100...Kg8"]);
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.6.2");
    dead(&seventy_five).is(Ground::Over, &["the 75-move rule"]);
    let moves = format!("{} Kb1 Rb2+ Kxb2", "Kb1 Rh2 Ka1 Rg2 ".repeat(4));
    let fivefold = game_from("7k/8/8/8/8/8/6r1/K7 w - - 0 1", &moves);
    let ruling = threefold(&fivefold).is(Ground::Automatic, &["after 8...Rg2"]);
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.6.1");
}

#[test]
fn en_passant_opens_the_wall() {
    let wall = |passed: &str| format!("8/2k5/4p2p/3pP2P/1p1Pp1K1/1P2P3/8/8 w - {passed} 0 40");
    dead(&fen(&wall("-"))).is(Ground::Automatic, &[]);
    dead(&fen(&wall("d6"))).is(Ground::DoesNotHold, &[]);
}
