//! SAN to position: parsing a move, finding the legal move, playing it. arbiter keeps the Zobrist
//! key and explains illegal moves. shakmaty does neither here.
//!
//! `cargo bench --bench san`. Games and rounds are as in the other benchmarks. The words are
//! extracted from the games first, so that no PGN reader is measured.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use arbiter::chess::{Position, San};
use arbiter::input::{Buffers, Source, SourceId};
use arbiter::pgn::TokenKind;
use arbiter::replay::{Reader, Replay, Start};
use common::{games, median, print_machine, print_peers, rounds, timed};
use pgn_reader::shakmaty::san::San as TheirSan;
use pgn_reader::shakmaty::{Chess, Position as _};

/// Words of many games, concatenated.
struct Words {
    text: Vec<u8>,
    /// End of each word.
    ends: Vec<u32>,
    /// For each game, the index after its last word.
    games: Vec<u32>,
}

impl Words {
    /// Moves of the games that start from the initial position and are legal to the end.
    fn of(pgn: &[u8]) -> Words {
        let mut words = Words {
            text: Vec::new(),
            ends: Vec::new(),
            games: Vec::new(),
        };
        let initial = Position::initial();
        let source = Source::stdin(SourceId(0));
        let mut reader = Reader::new();
        for chunk in source.chunks(pgn, 1 << 20, Buffers::default()) {
            for text in chunk.expect("the games can be read").games() {
                let game = reader.read(text.bytes, text.unclosed_comment);
                let Ok((start, _)) = Start::of(game, text.bytes, &initial) else {
                    continue;
                };
                let from_start = start.position == initial;
                let mut replay = Replay::new(game, start.position);
                replay.play_to_end();
                if !from_start
                    || replay.stop().is_some()
                    || game
                        .tokens
                        .iter()
                        .any(|token| token.kind == TokenKind::Open)
                {
                    continue;
                }
                for token in &game.tokens {
                    if matches!(token.kind, TokenKind::San(_)) {
                        words.text.extend(token.span.of(text.bytes));
                        words.ends.push(words.text.len() as u32);
                    }
                }
                words.games.push(words.ends.len() as u32);
            }
        }
        words
    }

    fn games(&self) -> impl Iterator<Item = impl Iterator<Item = &[u8]>> {
        let mut first = 0;
        self.games.iter().map(move |&end| {
            let range = first..end as usize;
            let mut start = first.checked_sub(1).map_or(0, |before| self.ends[before]);
            first = end as usize;
            self.ends[range].iter().map(move |&end| {
                let word = start as usize..end as usize;
                start = end;
                &self.text[word]
            })
        })
    }
}

/// Plays every game, and returns a checksum of the final positions.
fn arbiter(words: &Words) -> u64 {
    let initial = Position::initial();
    words.games().fold(0_u64, |sum, game| {
        let mut position = initial.clone();
        for word in game {
            let san = San::from_ascii(word).expect("a move");
            position.play_unchecked(san.to_move(&position).expect("a legal move"));
        }
        sum.wrapping_add(position.board().occupied().bits())
    })
}

fn shakmaty(words: &Words) -> u64 {
    words.games().fold(0_u64, |sum, game| {
        let mut position = Chess::default();
        for word in game {
            let san = TheirSan::from_ascii(word).expect("a move");
            let mv = san.to_move(&position).expect("a legal move");
            position.play_unchecked(mv);
        }
        sum.wrapping_add(position.board().occupied().into())
    })
}

/// Plays every game, and returns a checksum of the final positions.
type Program = fn(&Words) -> u64;

fn main() {
    let rounds = rounds(7);
    let (name, pgn) = games();
    let words = Words::of(&pgn);
    print_machine();
    print_peers(&["shakmaty"]);
    let plies = words.ends.len();
    println!(
        "{name}: {} games, {plies} plies; one thread, {rounds} rounds, medians",
        words.games.len()
    );
    let programs: [(&str, Program); 2] = [("arbiter", arbiter), ("shakmaty", shakmaty)];
    let mut seconds = [const { Vec::new() }; 2];
    let mut sums = [0; 2];
    for round in 0..=rounds {
        for turn in 0..programs.len() {
            let which = (round + turn) % programs.len();
            let (sum, time) = timed(|| programs[which].1(&words));
            sums[which] = sum;
            if round > 0 {
                seconds[which].push(time);
            }
        }
    }
    assert!(
        sums.iter().all(|&sum| sum == sums[0]),
        "all reach the same positions"
    );
    println!("\n{:18} {:>8} {:>8}", "", "ns/ply", "ratio");
    let base = median(&seconds[0]);
    for ((name, _), times) in programs.iter().zip(&seconds) {
        let time = median(times);
        println!(
            "{name:18} {:>8.1} {:>8.2}",
            time / plies as f64 * 1e9,
            time / base
        );
    }
}
