mod chances;
mod ends;
mod records;
mod rulesets;

use crate::commands::adjudicate::labels::*;
use crate::law::RuleSet;
use crate::law::rulesets::{
    BRAINKING, BRETTSPIELNETZ, CHESSCOM, CLASSIC, ENGINE, FIDE, FIDE_2014, FIDE_2018, ICC, LICHESS,
    MAIL, USCF,
};
use crate::replay::Reader;
use crate::winnability::Solver;

const NODES: u64 = Solver::DEFAULT_NODES;

/// The label of a game with these tags and this movetext, by one rule set.
fn label(tags: &str, movetext: &str, rules: &'static RuleSet) -> Label {
    let text = format!("[White \"Anna\"]\n[Black \"Boris\"]\n{tags}\n{movetext}\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let label = Labeller::new(&[rules], NODES).label(game, text.as_bytes());
    label.unwrap_or_else(|finding| panic!("{text}: {}", finding.message))
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
    let label = label(tags, movetext, rules);
    let ruling = &label.rulings[0];
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
fn on_effect(label: Label) -> Vec<String> {
    let mut notes = label.rulings[0].notes.clone();
    notes.retain(|note| note.contains("took effect"));
    notes
}

#[test]
fn a_rule_younger_than_the_game_earns_a_note() {
    let notes = |date: &str| {
        let tags = format!("[Date \"{date}\"]\n{}", from("", "1/2-1/2", ""));
        on_effect(label(&tags, KNIGHTS_FIVE_TIMES, &FIDE))
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
        label(&tags, KNIGHTS_FIVE_TIMES, &FIDE).rulings[0].clone()
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
        on_effect(label(&tags, &moves, &FIDE))
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
    let text = b"[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    let mut reader = Reader::new();
    let game = reader.read(text, None);
    let finding = Labeller::new(&[&FIDE], NODES)
        .label(game, text)
        .unwrap_err();
    assert_eq!(finding.rule.code, "N103");
    let game = reader.read(b"hello there\n", None);
    let finding = Labeller::new(&[&FIDE], NODES)
        .label(game, b"hello there\n")
        .unwrap_err();
    assert_eq!(finding.rule.code, "E001");
}

#[test]
fn two_rule_sets_on_one_game() {
    let text = format!("[Result \"1/2-1/2\"]\n\n{KNIGHTS_THRICE} 1/2-1/2\n");
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), None);
    let label = |rules: &[&'static RuleSet]| {
        Labeller::new(rules, NODES)
            .label(game, text.as_bytes())
            .unwrap()
    };
    // The same result and reason at the last ply, claimed by one and automatic by the other.
    assert!(!label(&[&FIDE, &CHESSCOM]).differs());
    assert!(label(&[&FIDE, &MAIL]).differs());
    assert!(label(&[&MAIL, &FIDE]).is_contradiction());
}
