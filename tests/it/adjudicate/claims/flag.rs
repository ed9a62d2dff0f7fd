//! Flag fall: which side may still be mated, under every rule set.

use arbiter::chess::Color;
use arbiter::claim::{ClaimGame, ClaimKind, Ground};
use arbiter::law::{End, Loss};
use arbiter::pgn::ResultMark;
use serde_json::Value;

use super::{Claimed, fen, labelled};
use crate::arbiter_command::run;

fn flag(case: &ClaimGame) -> Claimed<'_> {
    Claimed::new(case, ClaimKind::Loss(Loss::Time))
}

#[test]
fn the_example_that_distinguishes_three_standards() {
    // Knight against corner pawn: a helpmate exists, but no forced mate.
    let case = fen("8/8/8/8/8/2K2N2/p7/1k6 w - - 0 60");
    let ruling = flag(&case)
        .by(Color::Black)
        .is(Ground::Holds, &["White can still mate"]);
    assert_eq!(ruling.result, ResultMark::White);
    assert!(!ruling.line.is_empty());
    for rules in ["lichess", "engine", "beginners"] {
        flag(&case)
            .by(Color::Black)
            .under(rules)
            .is(Ground::Holds, &[]);
    }
    for rules in ["uscf", "chesscom", "icc", "fics"] {
        let ruling = flag(&case)
            .by(Color::Black)
            .under(rules)
            .is(Ground::DoesNotHold, &[]);
        assert_eq!(ruling.result, ResultMark::Draw, "{rules}");
    }
    for rules in ["brettspielnetz", "mail"] {
        flag(&case).under(rules).is(Ground::NoRule, &[]);
    }
    for rules in ["brainking", "classic"] {
        flag(&case).under(rules).is(Ground::Undefined, &[]);
    }
}

#[test]
fn a_forced_mate_by_a_lone_knight_wins_in_america_too() {
    let name = "review/blog/timeout/03_blog_timeout_KN_KNP_forced_mate";
    let Some(case) = labelled(name, None) else {
        return;
    };
    let line = "37.Nf7#";
    flag(&case)
        .under("uscf")
        .is(Ground::Holds, &["mate is forced", line]);
    flag(&case).is(Ground::Holds, &[line]);
    flag(&case).under("chesscom").is(Ground::DoesNotHold, &[]);
}

#[test]
fn a_bare_king_wins_nowhere_but_where_time_is_all() {
    let case = fen("8/8/3k4/8/4Q3/8/8/3K4 w - - 0 60");
    for rules in [
        "fide",
        "uscf",
        "lichess",
        "chesscom",
        "icc",
        "fics",
        "fide-online",
    ] {
        let ruling = flag(&case).under(rules).is(Ground::DoesNotHold, &[]);
        assert_eq!(ruling.result, ResultMark::Draw, "{rules}");
    }
    for rules in ["engine", "beginners"] {
        let ruling = flag(&case).under(rules).is(Ground::Holds, &[]);
        assert_eq!(ruling.result, ResultMark::Black, "{rules}");
    }
}

#[test]
fn two_knights() {
    // Against a bare king FICS, lichess and FIDE score a win, chess.com and US Chess a draw.
    let case = fen("k7/8/1K6/8/8/8/5N2/5N2 b - - 0 60");
    for rules in ["fide", "lichess", "fics", "icc"] {
        flag(&case).under(rules).is(Ground::Holds, &[]);
    }
    let ruling = flag(&case)
        .under("chesscom")
        .is(Ground::Over, &["drawn by insufficient material"]);
    assert_eq!(ruling.result, ResultMark::Draw);
    let says = "White has K+2N, and Black can always avoid mate (shown for all ";
    let claimed = Claimed {
        nodes: 1_000_000,
        ..flag(&case).under("uscf")
    };
    claimed.is(Ground::DoesNotHold, &[says]);
    // Against a pawn all rule sets score a win.
    let case = fen("k7/p1K5/8/8/8/8/5N2/5N2 b - - 0 60");
    for rules in ["fide", "uscf", "lichess", "chesscom", "icc", "fics"] {
        flag(&case).under(rules).is(Ground::Holds, &[]);
    }
}

#[test]
fn a_wall_of_pawns_saves_the_game_from_the_clock_by_fide_and_us_chess_only() {
    // A tournament director scored a win on time in this position.
    let case = fen("8/8/3k4/p1p2p1p/PpP2PpP/1P1K2P1/8/8 w - - 0 60");
    for (rules, article) in [
        ("fide", "FIDE 2023 art. 5.2.2"),
        ("fide-2014", "FIDE 2014 art. 5.2b"),
        ("uscf", "US Chess rule 14D4"),
    ] {
        let ruling = flag(&case).under(rules).is(
            Ground::Over,
            &["can mate by any series of legal moves", "a dead position"],
        );
        assert_eq!(ruling.article.to_string(), article);
        assert_eq!(ruling.result, ResultMark::Draw);
    }
    flag(&case).under("lichess").is(Ground::Holds, &[]);
}

#[test]
fn articles_of_us_chess_by_material() {
    for (position, article) in [
        // The flag of a side that could win falls against a bare king, a bishop, two knights.
        ("8/8/3k4/8/4Q3/8/8/3K4 w - - 0 60", "14E1"),
        ("8/8/3kb3/8/4Q3/8/8/3K4 w - - 0 60", "14E2"),
        ("k7/8/1K6/8/8/8/5N2/5N2 b - - 0 60", "14E3"),
        ("3N2nk/4p3/5pKp/6p1/8/8/8/8 b - - 14 36", "14E2"),
        ("8/8/3kr3/8/4Q3/8/8/3K4 w - - 0 60", "14E"),
        // The game was over.
        ("8/8/3k4/8/8/8/8/3K4 w - - 0 60", "14D1"),
        ("8/8/3k4/8/8/4N3/8/3K4 w - - 0 60", "14D2"),
        ("8/8/3b4/8/2k5/4B3/8/3K4 w - - 0 60", "14D3"),
    ] {
        let case = fen(position);
        let claimed = Claimed {
            nodes: 1_000_000,
            ..flag(&case).under("uscf")
        };
        let ruling = claimed.ruling();
        let expected = format!("US Chess rule {article}");
        assert_eq!(ruling.article.to_string(), expected, "{position}");
        if article.starts_with("14D") {
            let ruling = Claimed::new(&case, ClaimKind::Draw(End::InsufficientMaterial))
                .under("uscf")
                .is(Ground::Automatic, &[]);
            assert_eq!(ruling.article.to_string(), expected, "{position}");
        }
    }
}

#[test]
fn a_game_that_was_over_cannot_be_lost_on_time() {
    let case = fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 80");
    let ruling = flag(&case).is(Ground::Over, &["drawn by stalemate"]);
    assert_eq!(ruling.result, ResultMark::Draw);
    let case = fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 80");
    let ruling = flag(&case)
        .by(Color::White)
        .is(Ground::Over, &["ended with checkmate"]);
    assert_eq!(ruling.result, ResultMark::White);
    let case = fen("4k3/p7/8/8/8/8/8/R3K3 w - - 150 250");
    flag(&case).is(Ground::Over, &["the 75-move rule"]);
    // This game would have ended only by a claim.
    let case = fen("4k3/p7/8/8/8/8/8/R3K3 w - - 149 250");
    flag(&case).is(Ground::Holds, &[]);
}

#[test]
fn time_is_not_won_on_a_mate_without_a_line() {
    let case = fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for rules in ["fide", "uscf"] {
        let claimed = Claimed {
            nodes: 0,
            ..flag(&case).under(rules)
        };
        claimed.is(
            Ground::Unknown,
            &["the limit of `--nodes`: raise it and `--solver-memory` together"],
        );
        let ruling = flag(&case).under(rules).is(Ground::Holds, &[]);
        assert!(!ruling.line.is_empty(), "{rules}");
    }
    let dead = Claimed {
        nodes: 0,
        ..Claimed::new(&case, ClaimKind::Draw(End::DeadPosition))
    };
    dead.is(Ground::Unknown, &[]);
}

#[test]
fn the_only_legal_move_mates_the_side_that_would_win_on_time() {
    let case = fen("8/8/7R/pkpQ4/1p6/1K1PP3/PPP5/8 b - - 0 1");
    let ruling = flag(&case).is(
        Ground::DoesNotHold,
        &["White cannot mate by any series of legal moves: Black's only legal move mates: 1...a4#."],
    );
    assert_eq!(ruling.result, ResultMark::Draw);
}

#[test]
fn what_the_budget_does_not_reach_is_left_open() {
    let case = fen("8/8/4K3/8/1n6/8/5k1N/8 w - - 0 1");
    let claimed = Claimed {
        nodes: 1,
        ..flag(&case).under("uscf")
    };
    let ruling = claimed.is(
        Ground::Unknown,
        &["the limit of `--nodes`: raise it and `--solver-memory` together"],
    );
    assert_eq!(ruling.result, ResultMark::Unknown);
    assert!(!ruling.otherwise.is_empty());
}

#[test]
fn material_that_is_enough_is_named_with_what_makes_it_so() {
    let two_knights = fen("k7/p1K5/8/8/8/8/5N2/5N2 b - - 0 60");
    let exact = fen("8/8/8/8/8/2K2N2/p7/1k6 b - - 0 60");
    let rook = fen("k7/8/1K6/8/8/8/8/R7 b - - 0 60");
    for (case, rules, ground, says) in [
        (
            &two_knights,
            "chesscom",
            Ground::Holds,
            "White has K+2N, and Black is not down to a bare king.",
        ),
        (
            &two_knights,
            "uscf",
            Ground::Holds,
            "White has K+2N, and Black still has a pawn.",
        ),
        (
            &exact,
            "lichess",
            Ground::Holds,
            "White has K+N against K+P, and with these pieces a mate is possible.",
        ),
        (
            &rook,
            "fics",
            Ground::Holds,
            "White has K+R, which is more than a bishop or a knight.",
        ),
        (
            &exact,
            "fics",
            Ground::DoesNotHold,
            "White has K+N against K+P, which is too little to win on time.",
        ),
    ] {
        flag(case).under(rules).is(ground, &[says]);
    }
}

#[test]
fn the_side_whose_flag_fell_is_not_the_claimant() {
    let fen = "8/8/8/8/8/5k2/4p3/4K3 w - - 0 1";
    let words = [
        "adjudicate",
        "-q",
        "--format",
        "jsonl",
        "--fen",
        fen,
        "--claim",
    ];
    let ran = |more: &[&str]| run(&[&words, more].concat());
    for (more, fallen, result) in [
        (&["flag"][..], "white", "0-1"),
        (&["flag", "--fallen", "white"], "white", "0-1"),
        (&["flag", "--fallen", "black"], "black", "1/2-1/2"),
    ] {
        let found: Value = serde_json::from_str(&ran(more).stdout()).unwrap();
        let found = ["by", "fallen", "result"].map(|name| found[name].clone());
        assert_eq!(
            found,
            [Value::Null, fallen.into(), result.into()],
            "{more:?}"
        );
    }
    for (more, says) in [
        (
            &["flag", "--by", "white"][..],
            "`--by` is the side that claims; `--fallen` names",
        ),
        (
            &["dead", "--fallen", "white"],
            "`--fallen` needs `--claim flag`",
        ),
    ] {
        let ran = ran(more);
        assert_eq!(ran.code, Some(2), "{more:?}");
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
}

#[test]
fn two_knights_that_mate_soon_are_found_in_a_large_graph() {
    for (position, line) in [
        ("5b2/8/8/8/3N4/8/2KN4/k7 w - - 0 60", "60.Kb3 "),
        ("8/8/8/8/3N4/7b/N5n1/k1K5 w - - 0 60", "60.Nc3 "),
        ("8/8/8/8/N7/2N3b1/2K5/k7 w - - 0 60", "60.Nc5 "),
        ("8/7n/8/3N4/8/K7/b2N4/k7 w - - 0 60", "60.Nb4 "),
    ] {
        let case = fen(position);
        let claimed = Claimed {
            nodes: 10_000,
            ..flag(&case).by(Color::Black).under("uscf")
        };
        claimed.is(
            Ground::Holds,
            &["White has K+2N only, but mate is forced", line],
        );
    }
    // A draw, or a longer mate: a draw unless a forced one is shown, and what was searched is said.
    let case = fen("8/8/N7/5N2/1K6/8/8/1kb5 w - - 0 60");
    let claimed = Claimed {
        nodes: 10_000,
        ..flag(&case).by(Color::Black).under("uscf")
    };
    let searched = [
        "White has K+2N against no pawn, which draws unless a forced mate is shown",
        "none was found in 10,0",
        "US Chess rule 14E3",
    ];
    let ruling = claimed.is(Ground::DoesNotHold, &searched);
    assert_eq!(ruling.result, ResultMark::Draw);
}
