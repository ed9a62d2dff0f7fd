mod ends;
mod records;

use crate::adjudication::*;
use crate::law::RuleSet;
use crate::law::rulesets::websites::{BEGINNERS, BRAINKING, BRETTSPIELNETZ, CLASSIC, MAIL};
use crate::law::rulesets::{
    CHESSCOM, ENGINE, FICS, FIDE, FIDE_2014, FIDE_2017, FIDE_2018, ICC, LICHESS, USCF,
};
use crate::replay::Reader;
use crate::winnability::SearchLimits;

const NODES: SearchLimits = SearchLimits::DEFAULT;

/// The adjudication of a game with these tags and this movetext, by one rule set.
fn adjudicated(tags: &str, movetext: &str, rules: &'static RuleSet) -> Adjudication {
    let text = format!("[White \"Anna\"]\n[Black \"Boris\"]\n{tags}\n{movetext}\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let adjudication = Adjudicator::new(&[rules], NODES).adjudicate(game, text.as_bytes());
    adjudication.unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
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

/// The ruling on a game: result, reason, verdict and the ply at which the moves ended it.
#[track_caller]
fn check(
    tags: &str,
    movetext: &str,
    rules: &'static RuleSet,
    expected: (&str, &str, Verdict, Option<u32>),
) {
    let adjudication = adjudicated(tags, movetext, rules);
    let ruling = &adjudication.rulings[0];
    let found = (
        ruling.result.as_str(),
        ruling.reason.as_str(),
        ruling.verdict,
        ruling.ended.map(|at| at.ply),
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

/// The notes that a rule took effect after the game.
fn on_effect(adjudication: Adjudication) -> Vec<String> {
    let mut notes = adjudication.rulings[0].notes.clone();
    notes.retain(|note| note.contains("took effect"));
    notes
}

#[test]
fn kings_that_signal_the_recorded_result_are_the_end_of_the_moves() {
    let opening = "1. e4 e5 2. Nf3 Nc6 3. Bb5";
    for (moves, result, agrees) in [
        ("Kd5 4. Ke4", "1-0", true),
        ("Ke5 4. Kd4", "0-1", true),
        ("Kd5 4. Kd4", "1/2-1/2", true),
        ("Kd5", "1-0", true),
        ("Kd5 4. Ke4", "0-1", false),
        ("Kd5 4. Kd4", "1-0", false),
        ("Kd5", "0-1", false),
        // Not at the end, not in the centre, or without a result.
        ("Kd5 4. Ke4 Nf6", "1-0", false),
        ("Kc5 4. Ke4", "1-0", false),
        ("Kd5 4. Ke4", "*", false),
    ] {
        let movetext = format!("{opening} {moves} {result}");
        let found = adjudicated(&from("", result, ""), &movetext, &FIDE);
        assert_eq!(found.early_end.is_none(), agrees, "{movetext}");
        let ruling = &found.rulings[0];
        let expected = if agrees { result } else { "*" };
        assert_eq!(ruling.result.as_str(), expected, "{movetext}");
        assert_eq!(found.plies, 5, "{movetext}");
    }
    // After mate, and with the other king already there.
    let found = adjudicated(
        &from("", "0-1", ""),
        &format!("{FOOLS_MATE} 3. Ke5 Kd4 0-1"),
        &FIDE,
    );
    assert!(found.early_end.is_none() && !found.rulings[0].played_on);
    let endgame = from("8/8/3k4/8/8/3K1R2/8/8 w - - 0 70", "1-0", "");
    let found = adjudicated(&endgame, "70. Rf6+ Ke7 71. Ke4 Kd5 1-0", &FIDE);
    assert_eq!((found.early_end, found.plies), (None, 3));
    // A king that steps to a square next to it may not signal anything.
    let step = from("8/8/8/8/2r5/4K3/8/k7 w - - 0 70", "1/2-1/2", "");
    let found = adjudicated(&step, "70. Ke4 1/2-1/2", &FIDE);
    assert!(found.early_end.is_some());
}

#[test]
fn a_rule_younger_than_the_game_earns_a_note() {
    let notes = |date: &str| {
        let tags = format!("[Date \"{date}\"]\n{}", from("", "1/2-1/2", ""));
        on_effect(adjudicated(&tags, KNIGHTS_FIVE_TIMES, &FIDE))
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
fn the_plies_of_a_repetition_are_noted_whatever_is_recorded() {
    let seen = "the position stood on the board after plies 0, 4, 8, 12 and 16";
    let ruling = |result: &str| {
        let tags = format!("[Date \"2023.01.01\"]\n{}", from("", result, ""));
        adjudicated(&tags, KNIGHTS_FIVE_TIMES, &FIDE).rulings[0].clone()
    };
    assert_eq!(ruling("1/2-1/2").notes, [seen]);
    assert!(ruling("*").notes.contains(&seen.to_owned()));
    assert!(ruling("1-0").because.unwrap().ends_with(seen));
}

#[test]
fn five_occurrences_need_not_be_in_a_row_since_2017() {
    // The initial position comes back every eight plies.
    let moves = ["Nf3 Nf6 Ng5 Ng4 Nh3 Nh6 Ng1 Ng8"; 5].join(" ");
    let notes = |date: &str| {
        let tags = format!("[Date \"{date}\"]\n{}", from("", "1/2-1/2", ""));
        on_effect(adjudicated(&tags, &moves, &FIDE))
    };
    assert_eq!(
        notes("2015.05.05"),
        [
            "fivefold repetition with other moves between took effect on 1 July 2017, after the \
            game was played"
        ]
    );
    assert!(notes("2017.07.01").is_empty());
}

#[test]
fn other_games_are_not_judged() {
    let fault = |text: &[u8]| {
        let mut reader = Reader::new();
        let game = reader.read(text, None);
        let adjudication = Adjudicator::new(&[&FIDE], NODES).adjudicate(game, text);
        adjudication.unwrap_err()
    };
    let atomic = fault(b"[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    let is_variant = |fault| matches!(fault, NotAdjudicated::Start(StartFault::OtherVariant(_)));
    assert!(is_variant(atomic), "{atomic:?}");
    assert_eq!(fault(b"hello there\n"), NotAdjudicated::NoGame);
}

#[test]
fn two_rule_sets_on_one_game() {
    let text = format!("[Result \"1/2-1/2\"]\n\n{KNIGHTS_THRICE} 1/2-1/2\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let both = |rules: &[&'static RuleSet]| {
        Adjudicator::new(rules, NODES)
            .adjudicate(game, text.as_bytes())
            .unwrap()
    };
    // The same result and reason at the last ply, claimed by one and automatic by the other.
    assert!(!both(&[&FIDE, &CHESSCOM]).differs());
    assert!(both(&[&FIDE, &MAIL]).differs());
    assert!(both(&[&MAIL, &FIDE]).is_contradiction());
}
#[test]
fn the_director_of_us_chess_may_declare_a_fivefold_draw() {
    let moves = format!("{KNIGHTS_FIVE_TIMES} 9. e4 e5");
    let adjudication = adjudicated(&from("", "1-0", ""), &moves, &USCF);
    let ruling = &adjudication.rulings[0];
    assert_eq!((ruling.verdict, ruling.ended), (Consistent, None));
    assert_eq!(
        ruling.notes,
        ["the director may declare a draw after ply 16: fivefold repetition (US Chess rule 14K1)"]
    );
    check(
        &from("", "1/2-1/2", "fivefold repetition"),
        KNIGHTS_FIVE_TIMES,
        &USCF,
        ("1/2-1/2", "fivefold-repetition", Consistent, None),
    );
}

#[test]
fn mate_comes_before_what_the_director_may_declare() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 149 200";
    let adjudication = adjudicated(&from(fen, "1-0", ""), "200. Ra8#", &USCF);
    let ruling = &adjudication.rulings[0];
    assert_eq!(ruling.result, ResultMark::White);
    assert!(ruling.notes.is_empty(), "{:?}", ruling.notes);
    let adjudication =
        crate::adjudication::tests::adjudicated(&from(fen, "1-0", ""), "200. Ra7", &USCF);
    let ruling = &adjudication.rulings[0];
    assert_eq!(ruling.verdict, Consistent);
    assert!(ruling.notes[0].contains("US Chess rule 14K2"));
}

#[test]
fn a_wall_of_pawns_is_left_open_by_the_beginners_compendium() {
    let fen = "8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 41";
    let moves = "41... Kd6 42. Ke3";
    check(
        &from(fen, "1-0", ""),
        moves,
        &BEGINNERS,
        ("*", "dead-position", Undecided, None),
    );
    check(
        &from(fen, "1/2-1/2", ""),
        moves,
        &BEGINNERS,
        ("1/2-1/2", "agreement", Consistent, None),
    );
}

#[test]
fn beginners_agree_to_a_draw_with_a_knight_against_a_bishop() {
    let fen = "8/8/k3n3/8/8/3KB3/8/8 w - - 0 60";
    for (result, words, expected) in [
        ("*", "", ("*", "open")),
        ("1-0", "Boris resigns", ("1-0", "resignation")),
        ("1/2-1/2", "insufficient material", ("1/2-1/2", "agreement")),
        ("1/2-1/2", "", ("1/2-1/2", "agreement")),
    ] {
        let expected = (expected.0, expected.1, Consistent, None);
        check(&from(fen, result, words), "60. Kc4", &BEGINNERS, expected);
    }
    // On a bishop each of one colour it is silent.
    check(
        &from(
            "8/8/k3b3/8/8/3KB3/8/8 w - - 0 60",
            "1/2-1/2",
            "insufficient material",
        ),
        "60. Kd4",
        &BEGINNERS,
        ("*", "insufficient-material", Undecided, None),
    );
}

#[test]
fn a_clock_of_the_fen_above_the_limit_is_named() {
    let notes = |fen: &str, rules: &'static RuleSet| {
        let adjudication = adjudicated(&from(fen, "1/2-1/2", ""), "200. Ra7", rules);
        adjudication.rulings[0].notes.clone()
    };
    assert_eq!(
        notes("7k/8/6K1/8/8/8/8/R7 w - - 149 200", &FIDE),
        ["the 75-move rule holds by the clock of the FEN, which begins at 149"]
    );
    assert_eq!(
        notes("7k/8/6K1/8/8/8/8/R7 w - - 120 200", &LICHESS),
        ["the fifty-move rule holds by the clock of the FEN, which begins at 120"]
    );
    assert!(notes("7k/8/6K1/8/8/8/8/R7 w - - 20 200", &FIDE).is_empty());
}
