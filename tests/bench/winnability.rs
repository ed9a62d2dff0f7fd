//! Winnability: arbiter against the crate `chasolver` over the same positions, in the same run, and
//! the cost for positions from play, where the answer is evident.
//!
//! `cargo bench --bench winnability` needs a corpus. The positions are those of
//! `$ARBITER_CORPUS/outcomes/winnability.txt` and `winnability_more.txt`, each for both sides, and
//! all positions of 2,000 master games. It uses one thread and the default node limit. The hard
//! positions take minutes and run once, or `ARBITER_ROUNDS` times.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::str::FromStr;

use arbiter::chess::piece::Color;
use arbiter::chess::{Position, fen};
use arbiter::input::{Buffers, CHUNK_BYTES, Chunks, Source, SourceId};
use arbiter::replay;
use arbiter::replay::{Replay, Start};
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

/// All positions of some games, without duplicates.
fn positions_from_play(text: &[u8]) -> Vec<Position> {
    let initial = Position::initial();
    let mut reader = replay::Reader::new();
    let mut positions = Vec::new();
    let source = Source::stdin(SourceId(0));
    let mut games = 0;
    for chunk in Chunks::new(text, &source, CHUNK_BYTES, Buffers::default()) {
        for text in chunk.expect("memory can be read").games() {
            games += 1;
            if games > 2000 {
                return positions;
            }
            let game = reader.read(text.bytes, text.unclosed_comment);
            if let Ok((start, _)) = Start::of(game, text.bytes, &initial) {
                Replay::new(game, start.position)
                    .play_to_end_seeing(|position| positions.push(position.clone()));
            }
        }
    }
    positions
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

    let (name, text) = games_of("bulk/masters_dense.pgn.zst").expect("the corpus has the file");
    let positions = positions_from_play(&text);
    let mut solver = Solver::new(Solver::DEFAULT_NODES);
    let mut times = Vec::new();
    let mut accepted = 0;
    for _ in 0..=rounds.max(5) {
        accepted = 0;
        let ((), time) = timed(|| {
            for position in &positions {
                for side in Color::ALL {
                    let answer = solver.can_win(position, side);
                    accepted += u64::from(answer == Winnability::Winnable(Witness::Heuristic));
                }
            }
        });
        times.push(time);
    }
    let questions = 2 * positions.len();
    println!(
        "\n{name}, 2,000 games: {} positions, both sides: {:.0} ns a question; accepted by heuristic {:.2} %",
        positions.len(),
        median(&times[1..]) / questions as f64 * 1e9,
        100.0 * accepted as f64 / questions as f64
    );
}
