//! Winnability: known answers, invariants of every answer, and verified proofs.

use std::sync::Arc;

use arbiter::chess::castling::CastlingMode;
use arbiter::chess::moves::Move;
use arbiter::chess::{Color, Position};
use arbiter::input::{Buffers, Source, SourceId};
use arbiter::replay::{Reader, Replay, Start};
use arbiter::winnability::{SearchLimits, Solver, Winnability, Witness};
use rayon::prelude::*;

use crate::corpus;

/// A position, and whether White and Black can win.
pub type Vector = (String, [bool; 2]);

pub fn vectors(text: &str) -> Vec<Vector> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let (answers, fen) = line.split_at(2);
            let words: Vec<_> = fen.split_whitespace().take(4).collect();
            let answers = [answers.starts_with('W'), answers.ends_with('B')];
            (words.join(" "), answers)
        })
        .collect()
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Whether a line ends in mate by a side.
pub fn mates(position: &Position, side: Color, line: &[Move]) -> bool {
    let mut position = position.clone();
    for &mv in line {
        assert!(
            position.legal_moves().contains(&mv),
            "{mv:?} is illegal in {position}"
        );
        position.play_unchecked(mv);
    }
    position.turn() != side && position.is_checkmate()
}

/// Whether a side can win, with the ground verified: the line mates, or the certificate holds.
pub fn answer(solver: &mut Solver, position: &Position, side: Color) -> Option<bool> {
    match solver.can_win(position, side) {
        Winnability::Winnable(Witness::Line(line)) => {
            assert!(mates(position, side, &line), "{position}");
            Some(true)
        }
        Winnability::Winnable(Witness::Heuristic) => {
            let line = solver
                .mating_line(position, side)
                .unwrap_or_else(|| panic!("no line for an accepted position: {position}"));
            assert!(mates(position, side, &line), "{position}");
            Some(true)
        }
        Winnability::Unwinnable(_) => {
            let certificate = solver.certificate(position, side).expect("it was proved");
            if let Err(fault) = certificate.verify() {
                panic!("{position}: {fault}");
            }
            Some(false)
        }
        Winnability::Unknown(_) => None,
    }
}

/// Every vector has an answer, and a correct one.
fn check(vectors: &[Vector]) {
    let faults: Vec<_> = vectors
        .par_iter()
        .map_init(
            || Solver::new(SearchLimits::DEFAULT),
            |solver, (fen, expected)| {
                let position = position(fen);
                let answers = Color::ALL.map(|side| answer(solver, &position, side));
                (answers != expected.map(Some)).then(|| format!("{fen}: {answers:?}"))
            },
        )
        .flatten()
        .collect();
    assert_eq!(faults, [""; 0]);
}

#[test]
fn known_positions() {
    let Some(text) = corpus::text("outcomes/winnability.txt") else {
        return;
    };
    let vectors = vectors(&text);
    assert!(vectors.len() > 900);
    check(&vectors);
}

#[test]
fn positions_that_people_have_asked_about() {
    let Some(text) = corpus::text("outcomes/winnability_more.txt") else {
        return;
    };
    let vectors = vectors(&text);
    assert!(vectors.len() > 1700);
    check(&vectors);
}

/// Cases with the reason of each answer.
#[test]
fn cases_with_reasons() {
    let cases = vectors(include_str!("../../../fixtures/winnability.txt"));
    assert!(cases.len() > 150, "{}", cases.len());
    check(&cases);
}

#[test]
fn castling_rights_and_en_passant_decide() {
    let mut solver = Solver::new(SearchLimits::DEFAULT);
    for (rights, expected) in [
        ("- -", [false, false]),
        ("K -", [true, false]),
        ("- g3", [true, true]),
    ] {
        let fen = format!("8/6R1/8/6p1/2N2pP1/PPPP4/QNP2P1N/1Bk1K2R b {rights}");
        let position = position(&fen);
        let answers = Color::ALL.map(|side| answer(&mut solver, &position, side));
        assert_eq!(answers, expected.map(Some), "{fen}");
    }
}

/// Board with colours exchanged, or with files mirrored.
fn mirrored(fen: &str, files: bool) -> String {
    let words: Vec<_> = fen.split(' ').collect();
    let ranks = words[0].split('/');
    let placement: Vec<String> = if files {
        ranks.map(|rank| rank.chars().rev().collect()).collect()
    } else {
        let swapped = |rank: &str| {
            let other = |letter: char| {
                if letter.is_ascii_uppercase() {
                    letter.to_ascii_lowercase()
                } else {
                    letter.to_ascii_uppercase()
                }
            };
            rank.chars().map(other).collect()
        };
        ranks.rev().map(swapped).collect()
    };
    let turn = match (files, words[1]) {
        (true, turn) => turn,
        (false, "w") => "b",
        (false, _) => "w",
    };
    format!("{} {turn} - -", placement.join("/"))
}

#[test]
fn colours_and_files_change_nothing() {
    let Some(text) = corpus::text("outcomes/winnability.txt") else {
        return;
    };
    let plain: Vec<_> = vectors(&text)
        .into_iter()
        .filter(|(fen, _)| fen.ends_with(" - -"))
        .step_by(5)
        .collect();
    assert!(plain.len() > 100);
    let turned: Vec<_> = plain
        .iter()
        .map(|(fen, [white, black])| (mirrored(fen, false), [*black, *white]))
        .collect();
    check(&turned);
    let turned: Vec<_> = plain
        .iter()
        .map(|(fen, answers)| (mirrored(fen, true), *answers))
        .collect();
    check(&turned);
}

#[test]
fn what_cannot_be_won_cannot_be_won_after_any_move() {
    let Some(text) = corpus::text("outcomes/winnability.txt") else {
        return;
    };
    vectors(&text)
        .par_iter()
        .step_by(40)
        .for_each(|(fen, answers)| {
            let mut solver = Solver::new(SearchLimits::DEFAULT);
            let position = position(fen);
            for (side, winnable) in Color::ALL.into_iter().zip(*answers) {
                let after = position.legal_moves().into_iter().map(|mv| {
                    let next = position.after(mv);
                    answer(&mut solver, &next, side).expect("an answer within the budget")
                });
                let any = after.fold(false, |any, can| any | can);
                let mate = position.is_checkmate() && position.turn() != side;
                assert_eq!(winnable, any || mate, "{fen} {side:?}");
            }
        });
}

/// Chess960 castling rights are kept in search and closure, and castling lines follow the rules.
#[test]
fn positions_of_chess960() {
    let Some(path) = corpus::path("bulk/lichess_clk_eval_10k_games.pgn.zst") else {
        return;
    };
    let source = Source::file(SourceId(0), path);
    let mut positions = Vec::new();
    let mut reader = Reader::new();
    let stream = source.open(Arc::default()).unwrap();
    for chunk in source.chunks(stream, 1 << 20, Buffers::default()) {
        for text in chunk.unwrap().games() {
            let game = reader.read(text.bytes, text.unclosed_comment);
            let Ok((start, _)) = Start::of(game, text.bytes, &Position::initial()) else {
                continue;
            };
            let mut last = None;
            Replay::new(game, start.position).each(|replay, _| {
                let position = replay.position();
                let castles = position.castling().any() && position.has_legal_move();
                if castles && position.castling_mode() == CastlingMode::Chess960 {
                    last = Some(position.clone());
                }
            });
            positions.extend(last);
        }
    }
    assert!(positions.len() > 60, "{}", positions.len());
    positions.par_iter().for_each(|position| {
        let mut solver = Solver::new(SearchLimits::DEFAULT);
        for side in Color::ALL {
            assert_eq!(
                answer(&mut solver, position, side),
                Some(true),
                "{position}"
            );
        }
    });
}
