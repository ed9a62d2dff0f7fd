//! Winnability of the positions of real games: both sides of every position, in the order of play.
//!
//! `cargo bench --bench game_positions` takes the games of `ARBITER_BENCH_FILE`, or of three files
//! of the corpus. It uses one thread, one solver and the default node limit. Reading and replaying
//! are not part of the times, the clock is: some 25 ns a question.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::cmp::Reverse;
use std::mem::{Discriminant, discriminant};
use std::time::{Duration, Instant};

use arbiter::chess::{Color, Position};
use arbiter::input::{Buffers, CHUNK_BYTES, Source, SourceId};
use arbiter::replay::{self, Replay, Start};
use arbiter::winnability::{Proof, SearchLimits, Solver, Winnability, Witness};
use common::{print_machine, timed, with_each_kind};

/// Questions printed as the slowest.
const SLOWEST: usize = 10;

/// Kind of answer.
#[derive(PartialEq)]
enum Kind {
    Winnable(Discriminant<Witness>),
    Unwinnable(Discriminant<Proof>),
    Unknown,
}

impl Kind {
    fn of(answer: &Winnability) -> Kind {
        match answer {
            Winnability::Winnable(witness) => Kind::Winnable(discriminant(witness)),
            Winnability::Unwinnable(proof) => Kind::Unwinnable(discriminant(proof)),
            Winnability::Unknown(_) => Kind::Unknown,
        }
    }
}

/// Name of the kind of an answer: the variants of its types.
fn name(answer: &Winnability) -> String {
    let text = match answer {
        Winnability::Winnable(witness) => format!("can win: {witness:?}"),
        Winnability::Unwinnable(proof) => format!("cannot win: {proof:?}"),
        Winnability::Unknown(_) => return "unknown".to_owned(),
    };
    let end = text.find(" {").or(text.find('('));
    text[..end.unwrap_or(text.len())].to_owned()
}

/// Answers of one kind.
struct Count {
    kind: Kind,
    name: String,
    questions: u64,
    time: Duration,
}

#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    time: Duration,
    counts: Vec<Count>,
    /// The slowest first.
    slowest: Vec<(Duration, String, Color)>,
}

impl Tally {
    /// Asks about the positions of a game.
    fn ask(&mut self, solver: &mut Solver, positions: &[Position]) {
        self.games += 1;
        self.positions += positions.len() as u64;
        let mut begin = Instant::now();
        for position in positions {
            for side in Color::ALL {
                let answer = solver.can_win(position, side);
                let end = Instant::now();
                let time = end - begin;
                self.count(&answer, time);
                let is_slow = self.slowest.last().is_none_or(|slow| time > slow.0);
                if is_slow || self.slowest.len() < SLOWEST {
                    self.slowest.push((time, position.to_string(), side));
                    self.slowest.sort_by_key(|slow| Reverse(slow.0));
                    self.slowest.truncate(SLOWEST);
                }
                begin = Instant::now();
            }
        }
    }

    fn count(&mut self, answer: &Winnability, time: Duration) {
        self.time += time;
        let kind = Kind::of(answer);
        match self.counts.iter_mut().find(|count| count.kind == kind) {
            Some(count) => {
                count.questions += 1;
                count.time += time;
            }
            None => self.counts.push(Count {
                kind,
                name: name(answer),
                questions: 1,
                time,
            }),
        }
    }

    fn print(&mut self, file: &str) {
        let questions = 2 * self.positions;
        println!(
            "{file}: {} games, {} positions: {:.3} µs a question",
            self.games,
            self.positions,
            self.time.as_secs_f64() * 1e6 / questions as f64
        );
        self.counts.sort_by_key(|count| Reverse(count.questions));
        for count in &self.counts {
            println!(
                "    {:>12} {:>8.4} % {:>9.3} s  {}",
                count.questions,
                100.0 * count.questions as f64 / questions as f64,
                count.time.as_secs_f64(),
                count.name
            );
        }
        println!("    slowest:");
        for (time, position, side) in &self.slowest {
            println!(
                "    {:>12.3} ms  {position} {side:?}",
                time.as_secs_f64() * 1e3
            );
        }
    }
}

fn ask_all(file: &str, text: &[u8]) {
    let initial = Position::initial();
    let source = Source::stdin(SourceId(0));
    let mut reader = replay::Reader::new();
    let mut solver = Solver::new(SearchLimits::DEFAULT);
    let mut tally = Tally::default();
    let mut positions = Vec::new();
    let ((), seconds) = timed(|| {
        for chunk in source.chunks(text, CHUNK_BYTES, Buffers::default()) {
            for text in chunk.expect("memory can be read").games() {
                let game = reader.read(text.bytes, text.unclosed_comment);
                let Ok((start, _)) = Start::of(game, text.bytes, &initial) else {
                    continue;
                };
                positions.clear();
                Replay::new(game, start.position)
                    .each(|replay, _| positions.push(replay.position().clone()));
                tally.ask(&mut solver, &positions);
            }
        }
    });
    tally.print(file);
    println!("    {seconds:.1} s in all, with reading and replaying\n");
}

fn main() {
    print_machine();
    println!("one thread\n");
    with_each_kind(ask_all);
}
