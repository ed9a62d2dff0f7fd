//! Winnability: arbiter against the crate `chasolver` over the same positions, in the same run.
//!
//! `cargo bench --bench winnability` needs a corpus. The positions are those of
//! `$ARBITER_CORPUS/outcomes/winnability.txt` and `winnability_more.txt`, each for both sides. It
//! uses one thread and the default node limit. The hard positions take minutes and run once, or
//! `ARBITER_ROUNDS` times.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::str::FromStr;

use arbiter::chess::piece::Color;
use arbiter::chess::{Position, fen};
use arbiter::winnability::{Proof, Solver, Winnability, Witness};
use common::{games_of, median, print_machine, rounds, timed};

/// A position, and whether White and Black can win.
struct Vector {
    position: Position,
    board: chess::Board,
    answers: [bool; 2],
}

fn vectors(text: &str) -> Vec<Vector> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let (answers, fen) = line.split_at(2);
            let words: Vec<_> = fen.split_whitespace().take(4).collect();
            let fen = format!("{} 0 1", words.join(" "));
            let setup = fen::parse(fen.as_bytes()).expect("the file holds FENs");
            Vector {
                position: Position::new(&setup).expect("the positions can be played"),
                board: chess::Board::from_str(&fen).expect("the positions can be played"),
                answers: [answers.starts_with('W'), answers.ends_with('B')],
            }
        })
        .collect()
}

/// Number of wrong answers, and of questions without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Score {
    wrong: u64,
    unknown: u64,
}

impl Score {
    fn count(&mut self, answer: Option<bool>, expected: bool) {
        match answer {
            None => self.unknown += 1,
            Some(answer) => self.wrong += u64::from(answer != expected),
        }
    }
}

fn arbiter(vectors: &[Vector]) -> Score {
    let mut solver = Solver::new(Solver::DEFAULT_NODES);
    let mut score = Score::default();
    for vector in vectors {
        for (side, expected) in [Color::White, Color::Black].into_iter().zip(vector.answers) {
            let answer = match solver.can_win(&vector.position, side) {
                Winnability::Winnable(_) => Some(true),
                Winnability::Unwinnable(_) => Some(false),
                Winnability::Unknown { .. } => None,
            };
            score.count(answer, expected);
        }
    }
    score
}

fn chasolver(vectors: &[Vector]) -> Score {
    let mut score = Score::default();
    for vector in vectors {
        for (side, expected) in [chess::Color::White, chess::Color::Black]
            .into_iter()
            .zip(vector.answers)
        {
            let answer = chasolver::winnability(&vector.board, side)
                .map(|answer| matches!(answer, chasolver::Winnability::Winnable { .. }));
            score.count(answer, expected);
        }
    }
    score
}

/// Number of answers by kind of evidence.
fn evidence(vectors: &[Vector]) -> [(&'static str, u64); 8] {
    let mut counts = [
        ("heuristic", 0),
        ("line to mate", 0),
        ("game over", 0),
        ("material", 0),
        ("forced line", 0),
        ("closure", 0),
        ("chasolver", 0),
        ("unknown", 0),
    ];
    let mut solver = Solver::new(Solver::DEFAULT_NODES);
    for vector in vectors {
        for side in Color::ALL {
            let nth = match solver.can_win(&vector.position, side) {
                Winnability::Winnable(Witness::Heuristic) => 0,
                Winnability::Winnable(Witness::Line(_)) => 1,
                Winnability::Unwinnable(proof) => match proof {
                    Proof::Mated | Proof::Stalemate => 2,
                    Proof::Material => 3,
                    Proof::ForcedLine { .. } => 4,
                    Proof::Closure { .. } => 5,
                    Proof::Solver => 6,
                },
                Winnability::Unknown { .. } => 7,
            };
            counts[nth].1 += 1;
        }
    }
    counts
}

fn main() {
    let rounds = rounds(1);
    print_machine();
    println!("one thread; rounds: {rounds}\n");
    println!(
        "{:22} {:>9} {:>11} {:>6} {:>8} {:>12} {:>6} {:>8} {:>7}",
        "",
        "questions",
        "arbiter s",
        "wrong",
        "unknown",
        "chasolver s",
        "wrong",
        "unknown",
        "ratio"
    );
    for file in ["outcomes/winnability.txt", "outcomes/winnability_more.txt"] {
        let Some((name, text)) = games_of(file) else {
            println!("skipped: ARBITER_CORPUS names no corpus");
            return;
        };
        let vectors = vectors(&String::from_utf8_lossy(&text));
        let programs: [fn(&[Vector]) -> Score; 2] = [arbiter, chasolver];
        let mut seconds = [const { Vec::new() }; 2];
        let mut scores = [Score::default(); 2];
        for round in 0..rounds {
            for turn in 0..programs.len() {
                let which = (round + turn) % programs.len();
                let (score, time) = timed(|| programs[which](&vectors));
                scores[which] = score;
                seconds[which].push(time);
            }
        }
        let [ours, theirs] = seconds.map(|times| median(&times));
        println!(
            "{name:22} {:>9} {ours:>11.3} {:>6} {:>8} {theirs:>12.3} {:>6} {:>8} {:>7.2}",
            2 * vectors.len(),
            scores[0].wrong,
            scores[0].unknown,
            scores[1].wrong,
            scores[1].unknown,
            theirs / ours
        );
        let evidence = evidence(&vectors);
        let parts: Vec<_> = evidence
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        println!("    {}", parts.join(", "));
    }
}
