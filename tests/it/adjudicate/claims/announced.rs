//! Announced moves, and games that end before their last move.

use arbiter::chess::Color;
use arbiter::claim::Ground;
use serde_json::{Value, json};

use super::{EXAMPLE, TWO_ROOKS, fen, game, game_from, labelled, said, threefold};
use crate::arbiter_command::run_with_stdin;

#[test]
fn what_stands_on_the_board_needs_no_announcement() {
    let case = game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n", None);
    let ruling = threefold(&case).announcing("5. e4").is(
        Ground::Holds,
        &["With 5.e4 the position would be on the board for the first time, but a draw on the board"],
    );
    assert_eq!(ruling.occurrences, [0, 4, 8]);
    // An illegal announced move does not matter either.
    threefold(&case).announcing("5. Ke3").is(
        Ground::Holds,
        &["The announced move `5. Ke3` is not legal: the king cannot reach e3. A draw on the board"],
    );
    // Under rules that accept announced moves only, this is not a claim.
    let ruling = threefold(&case)
        .announcing("5. e4")
        .under("brettspielnetz")
        .is(Ground::DoesNotHold, &["for the first time"]);
    assert!(!said(&ruling).contains("needs no announced move"));
    // Neither is it a claim by the player who has moved.
    threefold(&case)
        .announcing("5. e4")
        .by(Color::Black)
        .is(Ground::WrongSide, &[]);
}

#[test]
fn a_move_that_cannot_be_read_is_no_penalty() {
    let case = game_from(TWO_ROOKS, EXAMPLE);
    for written in ["banana", "35.", "Qz4", "draw"] {
        let ruling = threefold(&case)
            .announcing(written)
            .is(Ground::UnclearMove, &["is not a move"]);
        assert_eq!(ruling.follows, [""; 0], "{written}");
    }
    let case = fen("4k3/4P3/8/8/8/8/8/4K3 w - - 0 40");
    threefold(&case)
        .announcing("e8")
        .is(Ground::IllegalMove, &[]);
    let case = fen("8/4P3/8/8/8/8/8/4K2k w - - 0 40");
    threefold(&case)
        .announcing("e8")
        .is(Ground::UnclearMove, &["is incomplete"]);
}

#[test]
fn an_announcement_is_read_as_the_game_is() {
    let german = "1. e4 e5 2. Dh5 Sc6 3. Dd1 Sb8 4. Dh5 Sc6 5. Dd1 Sb8 *\n";
    let case = game(german, Some(9));
    threefold(&case).announcing("Sb8").is(Ground::Holds, &[]);
    // L is the bishop, though the queen in Estonian.
    threefold(&case)
        .announcing("Lh4")
        .is(Ground::IllegalMove, &["`Lh4` is not legal"]);
    let small = "1. e4 e5 2. bb5 bb4 3. bf1 bf8 4. bb5 bb4 5. bf1 bf8 *\n";
    let case = game(small, Some(9));
    threefold(&case).announcing("bf8").is(Ground::Holds, &[]);
}

#[test]
fn an_announcement_of_two_moves_leaves_the_claim_open() {
    let case = game("1. Nf3 Nf6 2. Ng1 *\n", None);
    let says = "The announced move `Ng8 e4` is not legal as one move, and may be two.";
    threefold(&case)
        .announcing("Ng8 e4")
        .is(Ground::UnclearMove, &[says]);
    threefold(&case)
        .announcing("Nf6 - e5")
        .is(Ground::IllegalMove, &[]);
    threefold(&case)
        .announcing("Nf6 - g8")
        .is(Ground::DoesNotHold, &[]);
}

#[test]
fn an_ambiguous_announced_move_leaves_the_claim_open() {
    let case = fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 5 30");
    let says = "is ambiguous: the knights on b1 and f3 can both go to d2.";
    for written in ["Nd2", "30. Nd2", "Sd2", "Cd2"] {
        let ruling = threefold(&case)
            .announcing(written)
            .is(Ground::UnclearMove, &[says]);
        assert_eq!(ruling.follows, [""; 0], "{written}");
    }
    let case = fen("6k1/8/8/1Q6/8/8/8/1Q1QK3 w - - 5 30");
    let says = "the queens on b1, d1 and b5 can all go to b3";
    threefold(&case)
        .announcing("Qb3")
        .is(Ground::UnclearMove, &[says]);
}

#[test]
fn servers_that_count_by_themselves_know_no_announced_move() {
    let case = game_from(TWO_ROOKS, EXAMPLE);
    for rules in ["fide-online", "chesscom", "engine", "beginners", "classic"] {
        threefold(&case)
            .announcing("Qc4+")
            .under(rules)
            .is(Ground::NotYet, &["the move is to be played, not announced"]);
    }
    for rules in ["lichess", "brainking"] {
        threefold(&case).announcing("Qc4+").under(rules).is(
            Ground::NoForm,
            &["has claims on the position on the board only"],
        );
    }
    threefold(&case)
        .announcing("Qc4+")
        .under("mail")
        .is(Ground::NoRule, &[]);
}

#[test]
fn servers_that_take_an_announced_move() {
    let case = game_from(TWO_ROOKS, EXAMPLE);
    for rules in ["icc", "fics"] {
        let announced = || threefold(&case).announcing("Qc4+").under(rules);
        announced().is(Ground::Holds, &[]);
        announced().by(Color::Black).is(Ground::WrongSide, &[]);
    }
}

#[test]
fn fischer_and_spassky_announce_their_moves() {
    let folder = "review/wikipedia/threefold/wikipedia_threefold_2_0";
    let Some(case) = labelled(
        &format!("{folder}_1_spassky_fischer_1972_seventeenth"),
        None,
    ) else {
        return;
    };
    threefold(&case).is(Ground::DoesNotHold, &["With 45...Re1 announced"]);
    threefold(&case)
        .announcing("45... Re1")
        .is(Ground::Holds, &[]);
    let case = labelled(
        &format!("{folder}_2_fischer_spassky_1972_eighteenth_changed"),
        Some(94),
    );
    threefold(&case.unwrap())
        .announcing("48. Qh6")
        .is(Ground::Holds, &["after 44.Qh6, 46.Qh6 and 48.Qh6"]);
}

#[test]
fn announced_moves_of_ponomariov_adams_portisch_and_korchnoi() {
    let folder = "review/wikipedia/threefold/wikipedia_threefold_2";
    for (name, at, announced) in [
        (
            "2_1_ponomariov_adams_2005_wijk_aan_zee_changed",
            82,
            "42. Kd2",
        ),
        ("2_2_adams_ponomariov_2005_sofia_changed", 53, "27...Kf6"),
        ("5_portisch_korchnoi_1970_game_4_changed", 49, "25...Qb5"),
        ("5_korchnoi_portisch_1970_game_1", 134, "68. Rb8"),
    ] {
        let Some(case) = labelled(&format!("{folder}_{name}"), Some(at)) else {
            return;
        };
        threefold(&case)
            .announcing(announced)
            .is(Ground::Holds, &[]);
    }
    let Some(case) = labelled(&format!("{folder}_5_korchnoi_portisch_1970_game_1"), None) else {
        return;
    };
    threefold(&case).is(Ground::Holds, &["after 64.Kh5, 66.Kh5 and 68.Rb8"]);
}

#[test]
fn a_claim_is_about_a_whole_game() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let claim = |text: &str, more: &[&str]| {
        let words = [&["adjudicate", "-q", "--claim", "threefold"], more].concat();
        run_with_stdin(&words, text.into())
    };
    assert_eq!(claim(&format!("{moves} *"), &[]).code, Some(0));
    let comment = format!("{moves} {{claimed here 5. e4 e5 1/2-1/2");
    let variation = format!("{moves} (4... e5 5. e4 1/2-1/2");
    let mated = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# Ke7 1-0";
    for (text, says) in [
        (&*comment, "after 4...Ng8 (the comment is not closed); name"),
        (
            &variation,
            "after 4...Ng8 (the variation is not closed); name",
        ),
        (
            mated,
            "after 4.Qxf7# (`Ke7` cannot be played: the game ended by checkmate with 4.Qxf7#);",
        ),
        (
            "1. e4 e5 foo bar baz quux",
            "game 1: the text is not PGN: it has no tag pair",
        ),
    ] {
        let ran = claim(text, &[]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
    assert_eq!(claim(&comment, &["--at", "4b"]).code, Some(0));
    // Other text is no second game.
    let with_words = format!("[White \"A\"]\n\n{moves} *\n\nHello there friends\n");
    assert_eq!(claim(&with_words, &[]).code, Some(0));
    for announced in ["f6-g8", "ng8", "Ng8.", "...Ng8", "Nf6-g8"] {
        let text = moves.strip_suffix("Ng8").unwrap();
        let ran = claim(&format!("{text}*"), &["--move", announced]);
        assert_eq!(ran.code, Some(0), "{announced}: {ran:?}");
    }
}

const MOVES: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";

fn decided(text: &str, words: &[&str]) -> Value {
    let words = [&["adjudicate", "-q", "--format", "jsonl", "--claim"], words].concat();
    let ran = run_with_stdin(&words, text.into());
    serde_json::from_str(&ran.stdout()).unwrap_or_else(|_| panic!("{words:?}: {}", ran.stderr))
}

#[test]
fn a_moment_is_a_move_and_its_side() {
    let game = format!("{MOVES} *\n");
    for (at, moment, ply) in [
        ("2w", "after 2.Ng1", 3),
        ("2B", "after 2...Ng8", 4),
        ("end", "after 4...Ng8", 8),
        ("2.Ng1", "after 2.Ng1", 3),
        ("2...Ng8", "after 2...Ng8", 4),
        ("2... Sg8", "after 2...Ng8", 4),
        ("2...", "after 2...Ng8", 4),
    ] {
        let ruling = decided(&game, &["threefold", "--at", at]);
        assert_eq!(ruling["moment"], moment, "{at}");
        assert_eq!(ruling["ply"], ply, "{at}");
    }
    for (at, says) in [
        ("24", "`22w`, `22b`, `22.Qe2`, `22...Kg7`, `22...` or `end`"),
        ("0", "`0` does not say after whose move"),
        ("3.", "or `end`"),
        ("2 Ng1", "or `end`"),
        ("end-3", "or `end`"),
        ("e4", "or `end`"),
        ("2.Nf3", "`2.Nf3` is not the move played: that is 2.Ng1"),
        ("2.Ng8", "`2.Ng8` is not the move played: that is 2.Ng1"),
        (
            "2...Nf6",
            "`2...Nf6` is not the move played: that is 2...Ng8",
        ),
        ("5w", "game 1: it ends after 4...Ng8"),
    ] {
        let words = ["adjudicate", "--claim", "threefold", "--at", at];
        let ran = run_with_stdin(&words, (&*game).into());
        assert_eq!(ran.code, Some(2), "{at}");
        assert!(ran.stderr.contains(says), "{at}: {}", ran.stderr);
    }
    let late = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 23\"]\n\n23. e4 *\n";
    assert_eq!(decided(late, &["stalemate", "--at", "22b"])["ply"], 0);
    for at in ["22w", "22...Kd8"] {
        let words = ["adjudicate", "--claim", "stalemate", "--at", at];
        let ran = run_with_stdin(&words, late.into());
        assert!(
            ran.stderr.contains("it begins after the move of `--at`"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_ruling_names_the_moment_the_players_and_the_event() {
    let game = format!("[Event \"Hastings\"]\n[White \"A\"]\n[Round \"2\"]\n\n{MOVES} *\n");
    let ruling = |text: &str, words: &[&str]| {
        let words = [&["adjudicate", "-q", "--claim"], words].concat();
        run_with_stdin(&words, text.into()).stdout()
    };
    let said = ruling(&game, &["threefold", "--at", "3w", "--by", "white"]);
    let first = "A - ?
Hastings, round 2

    r n b q k b n r
    p p p p p p p p
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . N . .
    P P P P P P P P
    R N B Q K B . R

After 3.Nf3, White claims a draw by threefold repetition.
Rules: ";
    assert!(said.starts_with(first), "{said}");
    let said = ruling(&game, &["flag", "--at", "3w"]);
    assert!(
        said.contains("\n\nAfter 3.Nf3, Black's time is up.\nRules: "),
        "{said}"
    );
    // Without tags there is no heading.
    let said = ruling(&format!("{MOVES} *\n"), &["flag"]);
    assert!(said.starts_with("    r n b q k b n r\n"), "{said}");
    let fen = ["dead", "--fen", "8/8/8/8/8/8/k7/2K5 w - - 0 1"];
    let said = ruling("", &fen);
    assert!(said.starts_with("    . . . . . . . .\n"), "{said}");
    let found = decided(&game, &["flag", "--at", "3w"]);
    let named = ["white", "black", "event", "round", "date", "fen"].map(|name| &found[name]);
    let fen = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 5 3";
    assert_eq!(json!(named), json!(["A", null, "Hastings", "2", null, fen]));
}

#[test]
fn a_claim_in_a_game_recorded_as_over() {
    let details = |end: &str, words: &[&str]| {
        let ruling = decided(&format!("{MOVES}{end}\n"), words);
        ruling["details"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    for (end, rules, says) in [
        (
            " {Black resigns} 1-0",
            "fide-2023",
            "1-0 (Black resigns): if that came first, the game was over (FIDE 2023 art. 5.1.2).",
        ),
        (
            " {Black resigns} 1-0",
            "fide-2014",
            "1-0 (Black resigns): if that came first, the game was over (FIDE 2014 art. 5.1b).",
        ),
        (
            " {Black resigns} *",
            "uscf",
            "* (Black resigns): if that came first, the game was over (US Chess rule 13B).",
        ),
        (
            " {Game drawn by agreement} 1/2-1/2",
            "fide-2023",
            "1/2-1/2 (Game drawn by agreement): if that came first, the game was over (FIDE 2023 art. 5.2.3).",
        ),
        (
            " {White forfeits on time} 0-1",
            "fide-2023",
            "0-1 (White forfeits on time): if that came first, the game was over (FIDE 2023 art. 6.9).",
        ),
        (
            " 0-1",
            "fide-2023",
            "0-1: if that came first, the game was over.",
        ),
        (
            " {Game drawn by repetition} 1/2-1/2",
            "fide-2023",
            "1/2-1/2 (Game drawn by repetition).",
        ),
    ] {
        let found = details(end, &["threefold", "--rules", rules]);
        let says = format!("The record says {says}");
        assert_eq!(found.last(), Some(&says), "{end}");
    }
    let on_time = details(
        " {White forfeits on time} 0-1",
        &["flag", "--rules", "fide-2023"],
    );
    assert_eq!(on_time, ["The record says 0-1 (White forfeits on time)."]);
    // Not over by the record, or not yet.
    let is_silent = |end: &str, words: &[&str]| {
        let found = details(end, words);
        assert!(!found.concat().contains("record"), "{end}: {found:?}");
    };
    is_silent(" *", &["threefold"]);
    is_silent(" {Black disconnected} *", &["threefold"]);
    is_silent(" {Black resigns} 1-0", &["threefold", "--at", "4w"]);
    is_silent(" 5. f3 e5 6. g4 Qh4# 0-1", &["threefold"]);
}

#[test]
fn the_number_of_an_announced_move_is_a_clerks_matter() {
    let case = game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n", None);
    let remark = |written: &str| {
        format!(
            "The move was announced as `{written}`: its number is not part of the claim (FIDE \
            2023 art. 9.2.1)."
        )
    };
    for written in ["5...Ng8", "5 Ng8", "2... Ng8"] {
        let ruling = threefold(&case)
            .announcing(written)
            .is(Ground::Holds, &[&remark(written)]);
        assert_eq!(ruling.announced.as_deref(), Some("4...Ng8"));
    }
    for written in ["Ng8", "...Ng8", "4...Ng8", "4. Ng8"] {
        let ruling = threefold(&case).announcing(written).is(Ground::Holds, &[]);
        assert!(!said(&ruling).contains("its number"), "{written}");
    }
    // A wrong move stays wrong.
    threefold(&case)
        .announcing("5...Nd5")
        .is(Ground::DoesNotHold, &[&remark("5...Nd5")]);
    threefold(&case)
        .announcing("5...Nd4")
        .is(Ground::IllegalMove, &[]);
    // The number is White's, the move Black's.
    let ruling = threefold(&case).announcing("5. Ng8").is(
        Ground::UnclearMove,
        &["has a number of White, and it is Black's turn"],
    );
    assert_eq!(ruling.follows, [""; 0]);
    let white = game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 *\n", None);
    threefold(&white)
        .announcing("4...Ng1")
        .is(Ground::UnclearMove, &["a number of Black"]);
    threefold(&white)
        .announcing("9. Ng1")
        .is(Ground::DoesNotHold, &["`9. Ng1`"]);
    // A move that has been played, with any number, comes too late.
    for written in ["4. Ng1", "5. Ng1"] {
        threefold(&case)
            .announcing(written)
            .is(Ground::TooLate, &["4.Ng1 has been played"]);
    }
    threefold(&case).announcing("5. Nf3").is(
        Ground::IllegalMove,
        &["`5. Nf3` is not the coming move: it is Black's turn, and move 4."],
    );
}

#[test]
fn a_number_is_compared_with_nothing_where_the_fen_gives_none() {
    let board = "6k1/5pp1/8/8/8/2Q5/5PPP/6K1 w - -";
    for counters in ["", " 0", " 0 -", " 0 1"] {
        let case = game_from(
            &format!("{board}{counters}"),
            "Qc4 Kh7 Qd3+ Kg8 Qc4 Kh7 Qd3+ Kg8",
        );
        for written in ["35. Qc4", "1. Qc4", "Qc4"] {
            let ruling = threefold(&case).announcing(written).is(Ground::Holds, &[]);
            assert!(
                !said(&ruling).contains("its number"),
                "{counters} {written}"
            );
        }
        let ground = match counters {
            "" => Ground::Unknown,
            _ => Ground::UnclearMove,
        };
        threefold(&case)
            .announcing("35...Qc4")
            .is(ground, &["a number of Black"]);
    }
}
