//! Losses that an opponent without a mate turns into draws, and claims that only an arbiter or a
//! count decides.

use arbiter::chess::Color;
use arbiter::claim::{ClaimGame, ClaimKind, Ground};
use arbiter::law::{End, Loss};
use arbiter::pgn::ResultMark;
use serde_json::Value;

use super::{Claimed, fen, game, game_from, said};
use crate::arbiter_command::run;

const ILLEGAL: ClaimKind = ClaimKind::Loss(Loss::IllegalMoves);
const RESIGNATION: ClaimKind = ClaimKind::Loss(Loss::Resignation);
const TIME: ClaimKind = ClaimKind::Loss(Loss::Time);

/// Positions in which the opponent of the side to move can mate, can only by the other's help,
/// cannot, or in which the game is over.
const POSITIONS: [&str; 8] = [
    "3N2nk/4p3/5pKp/6p1/8/8/8/8 b - - 14 36",
    "8/8/8/8/8/2K2N2/p7/1k6 b - - 0 60",
    "8/8/3k4/8/4Q3/8/8/3K4 w - - 0 60",
    "8/8/3kr3/8/4Q3/8/8/3K4 w - - 0 60",
    "8/8/7R/pkpQ4/1p6/1K1PP3/PPP5/8 b - - 0 1",
    "8/8/3k4/p1p2p1p/PpP2PpP/1P1K2P1/8/8 w - - 0 60",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 80",
    "4k3/p7/8/8/8/8/8/R3K3 w - - 150 250",
];

/// A fallen flag is the oracle: only the article and the way of losing differ.
#[test]
fn illegal_moves_and_resignations_are_judged_as_fallen_flags_are() {
    for position in POSITIONS {
        let case = fen(position);
        let turn = case.last().turn();
        let flag = Claimed::new(&case, TIME).by(turn).ruling();
        let illegal = Claimed::new(&case, ILLEGAL).by(!turn).ruling();
        let by_default = Claimed::new(&case, ILLEGAL).ruling();
        let resigned = Claimed::new(&case, RESIGNATION).by(turn).ruling();
        let over = flag.ground == Ground::Over;
        for (ruling, article, by) in [
            (&illegal, "FIDE 2023 art. 7.5.5", !turn),
            (&by_default, "FIDE 2023 art. 7.5.5", !turn),
            (&resigned, "FIDE 2023 art. 5.1.2", turn),
        ] {
            let is = (ruling.ground, ruling.result, &ruling.reason, &ruling.line);
            let expected = (flag.ground, flag.result, &flag.reason, &flag.line);
            assert_eq!(is, expected, "{position}");
            assert_eq!(over, ruling.article.to_string() != article, "{position}");
            assert_eq!(
                ruling.by,
                Some(if by == Color::White { "white" } else { "black" })
            );
            assert_eq!(ruling.fallen, None);
        }
        assert_eq!(flag.fallen.is_some(), flag.by.is_none());
    }
}

#[test]
fn each_edition_has_its_article_on_illegal_moves() {
    let case = fen("8/8/3k4/8/4Q3/8/8/3K4 w - - 0 60");
    for (rules, article) in [
        ("fide-2023", "FIDE 2023 art. 7.5.5"),
        ("fide-2018", "FIDE 2018 art. 7.5.5"),
        ("fide-2017", "FIDE 2017 art. 7.5.5"),
        ("fide-2014", "FIDE 2014 art. 7.5b"),
        ("fide-2009", "FIDE 2009 art. 7.4b"),
    ] {
        let says = "Black cannot mate by any series of legal moves: insufficient material.";
        let illegal = Claimed::new(&case, ILLEGAL).under(rules);
        let ruling = illegal.is(Ground::DoesNotHold, &[says, "The game is drawn."]);
        assert_eq!(ruling.article.to_string(), article);
        assert_eq!(ruling.result, ResultMark::Draw);
        assert_eq!(ruling.decided, "The game is not lost by illegal moves.");
    }
    for rules in ["lichess", "chesscom", "icc", "fics", "fide-online", "mail"] {
        let illegal = Claimed::new(&case, ILLEGAL).under(rules);
        let ruling = illegal.is(Ground::NoRule, &["no game is lost by illegal moves."]);
        assert_eq!(ruling.result, ResultMark::Unknown, "{rules}");
    }
    let engine = Claimed::new(&case, ILLEGAL).under("engine");
    let says = ["White has completed an illegal move."];
    assert_eq!(engine.is(Ground::Holds, &says).result, ResultMark::Black);
    // Whatever the material.
    for position in [POSITIONS[2], POSITIONS[3]] {
        let case = fen(position);
        let illegal = Claimed::new(&case, ILLEGAL).under("uscf");
        let says = [
            "White has completed an illegal move.",
            "By US Chess no game is lost by illegal moves.",
            "Black gets two minutes, and the game goes on (US Chess rule 11D); a loss is at the \
            director's discretion (US Chess rule 11J, 13I, 1C2).",
            "By `fide`",
        ];
        let ruling = illegal.is(Ground::NoRule, &says[..3]);
        assert_eq!(ruling.article.to_string(), "US Chess rule 11D");
        assert_eq!(ruling.result, ResultMark::Unknown);
    }
}

/// A game with a time control, and a number of moves of each side before its position.
fn timed(time_control: &str, moves: usize) -> ClaimGame {
    let tags = match time_control {
        "" => String::new(),
        value => format!("[TimeControl \"{value}\"]\n"),
    };
    let fen = format!("1r4k1/6pp/8/8/8/8/6PP/1R4K1 w - - 0 {}", moves + 1);
    game(&format!("{tags}[FEN \"{fen}\"]\n\n*\n"), None)
}

#[test]
fn the_first_illegal_move_lost_in_fast_games_from_2014_to_2017() {
    for (rules, fast, supervised) in [
        ("fide-2014", "FIDE 2014 art. A.4b", "FIDE 2014 art. 7.5b"),
        ("fide-2017", "FIDE 2017 art. A.4.2", "FIDE 2017 art. 7.5.5"),
    ] {
        let both = format!(
            "In rapid and blitz chess the first illegal move loses if the opponent claims it \
            ({fast}); if play is supervised as A.3 asks, the second one does ({supervised})."
        );
        for (time_control, article, says) in [
            ("300+3", fast, "has completed an illegal move."),
            ("1500", fast, "has completed an illegal move."),
            (
                "5400+30",
                supervised,
                "has completed a second illegal move.",
            ),
            ("", supervised, "has completed a second illegal move."),
        ] {
            let case = timed(time_control, 3);
            let ruling = Claimed::new(&case, ILLEGAL)
                .under(rules)
                .is(Ground::Holds, &[says]);
            assert_eq!(ruling.article.to_string(), article, "{time_control}");
            let is_said = said(&ruling).contains(&both);
            assert_eq!(is_said, time_control != "5400+30", "{}", said(&ruling));
        }
    }
    for rules in ["fide-2009", "fide-2018", "fide-2023"] {
        let case = timed("300+3", 3);
        let ruling = Claimed::new(&case, ILLEGAL)
            .under(rules)
            .is(Ground::Holds, &[]);
        assert!(!said(&ruling).contains("supervised"), "{}", said(&ruling));
    }
}

/// The time control decides which rule on two fallen flags, or on normal means, holds.
#[test]
fn the_time_control_decides_what_both_flags_mean() {
    use Ground::{DoesNotHold, Holds, NoRule, Unknown};
    let guideline = ["fide-2017", "fide-2018", "fide-2023"];
    let older = ["fide-2009", "fide-2014"];
    for (time_control, moves, by_guideline, by_6_11, by_14g) in [
        ("5400", 20, Holds, Holds, Holds),
        ("1500", 20, Holds, Holds, Holds),
        ("600", 20, NoRule, Holds, Holds),
        ("5400+30", 20, NoRule, Holds, NoRule),
        ("5400+10", 20, NoRule, Holds, Holds),
        ("180+2", 20, NoRule, Holds, Holds),
        ("40/7200:3600", 39, DoesNotHold, DoesNotHold, DoesNotHold),
        ("40/7200:3600", 40, Holds, Holds, Holds),
        ("40/7200:20/3600:900+30", 70, NoRule, Holds, NoRule),
        (
            "40/7200:20/3600:900",
            55,
            DoesNotHold,
            DoesNotHold,
            DoesNotHold,
        ),
        ("40/7200", 20, DoesNotHold, DoesNotHold, DoesNotHold),
        ("40/7200", 45, Unknown, Unknown, Unknown),
        ("?", 20, Unknown, Unknown, Unknown),
        ("", 20, Unknown, Unknown, Unknown),
    ] {
        let case = timed(time_control, moves);
        let both = |rules, ground| {
            let both = Claimed::new(&case, ClaimKind::BothFlags).under(rules);
            let ruling = both.ruling();
            assert_eq!(
                ruling.ground,
                ground,
                "{rules} {time_control} {}",
                said(&ruling)
            );
            let says = match ground {
                Holds => {
                    "the game is drawn when both flags have fallen in the period of all remaining moves."
                }
                NoRule => "and the rule is for ",
                DoesNotHold => "in an earlier one the game goes on.",
                _ => "the game is drawn; in an earlier one it goes on; the rule is for ",
            };
            assert!(said(&ruling).contains(says), "{}", said(&ruling));
            let is_drawn = ruling.result == ResultMark::Draw;
            assert_eq!(is_drawn, ground == Holds, "{}", said(&ruling));
        };
        for (rules, ground) in guideline
            .map(|rules| (rules, by_guideline))
            .into_iter()
            .chain(older.map(|rules| (rules, by_6_11)))
        {
            both(rules, ground);
        }
        both("uscf", by_14g);
        // The same conditions hold for normal means, in every edition.
        for rules in guideline.into_iter().chain(older) {
            let claim = Claimed::new(&case, ClaimKind::Quickplay)
                .under(rules)
                .ruling();
            let expected = match by_guideline {
                Holds | Unknown => Ground::Undefined,
                ground => ground,
            };
            assert_eq!(
                claim.ground,
                expected,
                "{rules} {time_control} {}",
                said(&claim)
            );
            let is_open = said(&claim).contains("before the last period the claim is rejected");
            assert_eq!(is_open, by_guideline == Unknown, "{}", said(&claim));
        }
        for rules in ["fics", "icc"] {
            Claimed::new(&case, ClaimKind::BothFlags)
                .under(rules)
                .is(Holds, &[]);
        }
        for rules in ["lichess", "chesscom", "engine", "fide-online"] {
            let says = "a game ends with the first flag that falls.";
            Claimed::new(&case, ClaimKind::BothFlags)
                .under(rules)
                .is(NoRule, &[says]);
        }
    }
    // A FEN without a number, or with 1, does not say how many moves were made.
    for counters in ["", " 0 1"] {
        let fen = format!("1r4k1/6pp/8/8/8/8/6PP/1R4K1 w - -{counters}");
        for (time_control, ground) in [("40/7200:3600", Unknown), ("5400", Holds)] {
            let tags = format!("[TimeControl \"{time_control}\"]\n[FEN \"{fen}\"]\n");
            let case = game(&format!("{tags}\n*\n"), None);
            Claimed::new(&case, ClaimKind::BothFlags).is(ground, &[]);
        }
    }
    let unreadable = timed("soon", 20);
    let says = ["unreadable", "the claim would be rejected: no such rule."];
    Claimed::new(&unreadable, ClaimKind::BothFlags).is(Unknown, &says);
    // Blitz was less than 15 minutes in 2009.
    let quickplay = |time_control, rules, ground| {
        let case = timed(time_control, 20);
        Claimed::new(&case, ClaimKind::Quickplay)
            .under(rules)
            .is(ground, &[]);
    };
    quickplay("720", "fide-2009", NoRule);
    quickplay("720", "fide-2014", Ground::Undefined);
}

#[test]
fn us_chess_counts_fifty_moves_that_have_been_made() {
    let fifty = ClaimKind::Draw(End::FiftyMoves);
    let at = |clock: u32| fen(&format!("8/8/4k3/8/8/4K3/4R3/8 w - - {clock} 90"));
    let (case, made) = (at(99), at(100));
    let claimed = Claimed::new(&case, fifty).under("uscf").announcing("Kf3");
    let says = [
        "claims on the position on the board only, not with an announced move",
        "White may make 90.Kf3+, and claim before pressing the clock (US Chess rule 9G1).",
        "By `fide` and `brettspielnetz` the claim would be upheld",
    ];
    let ruling = claimed.is(Ground::NoForm, &says);
    assert_eq!(ruling.article.to_string(), "US Chess rule 14F1");
    for claimed in [
        Claimed::new(&made, fifty).under("uscf"),
        Claimed::new(&made, fifty).under("uscf").announcing("Kf3"),
    ] {
        let ruling = claimed.is(Ground::Holds, &[]);
        assert_eq!(ruling.article.to_string(), "US Chess rule 14F1");
    }
    // A capture or pawn move begins the count anew.
    let pawn = fen("8/8/4k3/8/8/4K3/4RP2/8 w - - 99 90");
    let ruling = Claimed::new(&pawn, fifty).announcing("f4").is(
        Ground::DoesNotHold,
        &["90.f4 is a capture or a pawn move, which begins the count anew"],
    );
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.3");
    let few = fen("8/8/4k3/8/8/4K3/4RP2/8 w - - 40 90");
    let ruling = Claimed::new(&few, fifty)
        .announcing("Kf3")
        .is(Ground::DoesNotHold, &[]);
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.3.1");
}

#[test]
fn us_chess_claims_no_losing_chances_by_default() {
    let case = timed("5400", 20);
    let says = "variation 14H1 or 14H2: with two minutes left";
    let ruling = Claimed::new(&case, ClaimKind::Quickplay)
        .under("uscf")
        .is(Ground::NoRule, &[says, "The game goes on."]);
    assert_eq!(ruling.article.to_string(), "US Chess rule 14H");
}

#[test]
fn resigning_against_a_bare_king_draws_since_2023() {
    let bare_king = fen("8/8/3k4/8/4Q3/8/8/3K4 w - - 0 60");
    let rook = fen("8/8/3kr3/8/4Q3/8/8/3K4 w - - 0 60");
    let resigns = |case, rules| Claimed::new(case, RESIGNATION).under(rules).ruling();
    for (rules, ground, result) in [
        ("fide-2023", Ground::DoesNotHold, ResultMark::Draw),
        ("fide-2018", Ground::Holds, ResultMark::Black),
        ("fide-2009", Ground::Holds, ResultMark::Black),
        ("lichess", Ground::Holds, ResultMark::Black),
        ("uscf", Ground::Holds, ResultMark::Black),
        ("fide-online", Ground::Undefined, ResultMark::Unknown),
    ] {
        let ruling = resigns(&bare_king, rules);
        assert_eq!((ruling.ground, ruling.result), (ground, result), "{rules}");
        let ruling = resigns(&rook, rules);
        assert_eq!(
            (ruling.ground, ruling.result),
            (Ground::Holds, ResultMark::Black),
            "{rules}"
        );
    }
    let ruling = resigns(&bare_king, "fide-2018");
    assert_eq!(ruling.article.to_string(), "FIDE 2018 art. 5.1.2");
    assert_eq!(ruling.reason, "FIDE 2018 knows no exception.");
    assert_eq!(ruling.statement, "In the given position, White resigns.");
}

#[test]
fn two_fallen_flags_draw_over_the_board() {
    let case = timed("5400", 20);
    let both = |rules| Claimed::new(&case, ClaimKind::BothFlags).under(rules);
    for (rules, article) in [
        ("fide-2023", "FIDE 2023 guideline III.3.1.2"),
        ("fide-2017", "FIDE 2017 guideline III.3.1.2"),
        ("fide-2014", "FIDE 2014 art. 6.11"),
        ("uscf", "US Chess rule 14G"),
    ] {
        let ruling = both(rules).is(
            Ground::Holds,
            &["the game is drawn when both flags have fallen in the"],
        );
        assert_eq!(ruling.article.to_string(), article);
        assert_eq!(ruling.result, ResultMark::Draw);
        assert_eq!(
            (ruling.claim, ruling.by, ruling.fallen),
            ("flag", None, Some("both"))
        );
    }
    both("lichess").is(Ground::NoRule, &[]);
    both("beginners").is(Ground::Undefined, &["does not say"]);
    let mated = fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 80");
    let ruling = Claimed::new(&mated, ClaimKind::BothFlags).ruling();
    assert_eq!(
        (ruling.ground, ruling.result),
        (Ground::Over, ResultMark::White)
    );
}

/// A rook that goes to and fro, so often that the first position occurs `count` times.
fn repeated(count: usize) -> ClaimGame {
    let moves = "Re1 Kf8 Rd1 Kg8 ".repeat(count - 1);
    game_from("6k1/6pp/8/8/8/8/6PP/3R2K1 w - - 0 40", &moves)
}

#[test]
fn five_occurrences_and_75_moves_are_counted() {
    let fivefold = ClaimKind::Draw(End::Fivefold);
    for (count, ground) in [(4, Ground::DoesNotHold), (5, Ground::Automatic)] {
        let case = repeated(count);
        let ruling = Claimed::new(&case, fivefold).ruling();
        assert_eq!(ruling.ground, ground, "{}", said(&ruling));
        assert_eq!(ruling.occurrences.len(), count);
        assert_eq!(ruling.follows.len(), 1, "{}", said(&ruling));
        let uscf = Claimed::new(&case, fivefold).under("uscf").ruling();
        let open = if count == 5 {
            Ground::Undefined
        } else {
            ground
        };
        assert_eq!(uscf.ground, open, "{}", said(&uscf));
        let says = "The director may declare the game drawn without a claim";
        assert_eq!(said(&uscf).contains(says), count == 5, "{}", said(&uscf));
    }
    let case = repeated(5);
    let ruling = Claimed::new(&case, fivefold).ruling();
    assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.6.1");
    Claimed::new(&case, fivefold)
        .under("fide-2009")
        .is(Ground::NoRule, &[]);
    Claimed::new(&case, fivefold).under("chesscom").is(
        Ground::Automatic,
        &["for the third time", "The game is drawn"],
    );
    let illegal = Claimed::new(&case, ClaimKind::Loss(Loss::IllegalMoves)).under("fide-2009");
    illegal.is(Ground::Holds, &["has completed a third illegal move"]);
    let seventy_five = ClaimKind::Draw(End::SeventyFiveMoves);
    for (clock, ground) in [
        (150, Ground::Automatic),
        (149, Ground::DoesNotHold),
        (0, Ground::DoesNotHold),
    ] {
        let case = fen(&format!("4k3/p7/8/8/8/8/8/R3K3 w - - {clock} 250"));
        let ruling = Claimed::new(&case, seventy_five).ruling();
        assert_eq!(ruling.ground, ground, "{clock}");
        assert_eq!(ruling.article.to_string(), "FIDE 2023 art. 9.6.2");
    }
    let unclocked = fen("4k3/p7/8/8/8/8/8/R3K3 w - -");
    Claimed::new(&unclocked, seventy_five).is(Ground::Unknown, &["The FEN does not say"]);
}

#[test]
fn five_occurrences_had_to_be_in_a_row_until_2017() {
    // Six plies lie between the third and the fourth occurrence.
    let short = "Re1 Kf8 Rd1 Kg8 ";
    let moves = format!("{}Rd2 Kf7 Rd3 Kf8 Rd1 Kg8 {short}", short.repeat(2));
    let case = game_from("6k1/6pp/8/8/8/8/6PP/3R2K1 w - - 0 40", &moves);
    let fivefold = ClaimKind::Draw(End::Fivefold);
    Claimed::new(&case, fivefold).is(Ground::Automatic, &[]);
    for rules in ["fide-2014", "uscf"] {
        let says = "counts only occurrences on alternate moves in a row, four plies apart.";
        Claimed::new(&case, fivefold)
            .under(rules)
            .is(Ground::DoesNotHold, &[says]);
    }
}

#[test]
fn normal_means_are_for_the_arbiter_to_judge() {
    let quickplay = |case, rules| Claimed::new(case, ClaimKind::Quickplay).under(rules);
    let bare_king = game(
        "[TimeControl \"1500\"]\n[FEN \"8/8/3k4/8/4Q3/8/8/3K4 w - - 0 60\"]\n\n*\n",
        None,
    );
    let untimed = fen("8/8/3k4/8/4Q3/8/8/3K4 w - - 0 60");
    let rooks = game_from("3r2k1/6pp/8/8/8/8/6PP/3R2K1 w - - 0 40", "Re1 Kf8 Rd1 Kg8");
    for (rules, claim, drawn) in [
        (
            "fide-2023",
            "FIDE 2023 guideline III.5",
            "FIDE 2023 guideline III.5.1",
        ),
        (
            "fide-2018",
            "FIDE 2018 guideline III.5",
            "FIDE 2018 guideline III.5.1",
        ),
        ("fide-2014", "FIDE 2014 art. G.5", "FIDE 2014 art. G.5a"),
        ("fide-2009", "FIDE 2009 art. 10.2", "FIDE 2009 art. 10.2a"),
    ] {
        let ruling = quickplay(&bare_king, rules).is(Ground::Holds, &["Black cannot mate"]);
        assert_eq!(ruling.article.to_string(), drawn);
        assert_eq!(ruling.result, ResultMark::Draw);
        // Whether the claim can be made is not recorded.
        quickplay(&untimed, rules).is(
            Ground::Undefined,
            &[
                "Black cannot mate",
                "Whether the time control allows it is not known: in blitz",
            ],
        );
        let facts = [
            "Black can still mate by a series of legal moves",
            "is for the arbiter to judge, not shown by the moves.",
            "The pieces on the board are K+R+2P v K+R+2P.",
            "Each side has made 2 moves without a capture or a pawn move, since the beginning.",
            "on the board for the second time only",
            "After a rejection Black gets two minutes",
        ];
        let ruling = quickplay(&rooks, rules).is(Ground::Undefined, &facts);
        assert_eq!(ruling.article.to_string(), claim);
        assert_eq!(ruling.result, ResultMark::Unknown);
        assert!(!ruling.line.is_empty());
    }
    quickplay(&rooks, "fide")
        .by(Color::Black)
        .is(Ground::WrongSide, &["The game goes on."]);
    for rules in ["uscf", "lichess", "fide-online", "engine", "beginners"] {
        quickplay(&rooks, rules).is(Ground::NoRule, &[]);
    }
}

#[test]
fn words_that_people_type() {
    let position = "4k3/p7/8/8/8/8/8/R3K3 w - - 20 60";
    let claim = |words: &[&str]| {
        let fixed = [
            "adjudicate",
            "-q",
            "--format",
            "jsonl",
            "--fen",
            position,
            "--claim",
        ];
        run(&[&fixed[..], words].concat())
    };
    for (word, name) in [
        ("repetition", "threefold"),
        ("50", "fifty"),
        ("75", "seventyfive"),
        ("time", "flag"),
        ("material", "insufficient"),
        ("resign", "resignation"),
    ] {
        let ran = claim(&[word]);
        let tip = format!("tip: a similar value exists: '{name}'");
        assert!(ran.stderr.contains(&tip), "{word}: {}", ran.stderr);
    }
    let ruling: Value = serde_json::from_str(&claim(&["SeventyFive"]).stdout()).unwrap();
    assert_eq!(ruling["claim"], "seventyfive");
    let ran = claim(&["draw"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .contains("a draw is claimed on a ground: `threefold`"),
        "{}",
        ran.stderr
    );
    let both: Value = serde_json::from_str(&claim(&["flag", "--fallen", "both"]).stdout()).unwrap();
    assert_eq!(
        (&both["fallen"], &both["upheld"], &both["result"]),
        (&"both".into(), &Value::Null, &"*".into())
    );
    for (words, says) in [
        (
            &["illegal", "--fallen", "white"][..],
            "`--fallen` needs `--claim flag`",
        ),
        (
            &["fivefold", "--move", "Ra2"],
            "a move is announced with `threefold` and `fifty` only",
        ),
    ] {
        let ran = claim(words);
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
}
