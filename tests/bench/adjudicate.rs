//! Benchmark of adjudication against validation, in the same run.
//!
//! `cargo bench --bench adjudicate`. The games are those of
//! `$ARBITER_CORPUS/bulk/lichess_clk_eval_10k_games.pgn.zst` and `masters_dense.pgn.zst`, or the
//! repeated fixtures without a corpus. `ARBITER_BENCH_FILE` names another file. One thread reads
//! everything from memory. `ARBITER_ROUNDS` is the number of rounds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its figures"
)]

mod common;

use std::env;

use arbiter::adjudication::Adjudicator;
use arbiter::chess::Position;
use arbiter::commands::adjudicate::formats::{AdjudicatedGame, RowFormat, TagColumns};
use arbiter::findings;
use arbiter::findings::Checks;
use arbiter::input::{Buffers, CHUNK_BYTES, Chunks, Source, SourceId};
use arbiter::law::rulesets::FIDE;
use arbiter::replay;
use arbiter::report::escape::Cells;
use arbiter::report::rows::Rows;
use arbiter::report::{Buffer, Format};
use arbiter::winnability::SearchLimits;
use common::{games, games_of, median, print_machine, rounds, timed};

/// Number of games, and of games with something to report.
type Counted = (u64, u64);

/// All checks of `validate`.
fn validate(text: &[u8]) -> Counted {
    let initial = Position::initial();
    let checks = Checks::default();
    let mut reader = replay::Reader::new();
    let mut found = Vec::new();
    let (mut games, mut bad) = (0, 0);
    each_chunk(text, |chunk| {
        for text in chunk.games() {
            let game = reader.read(text.bytes, text.unclosed_comment);
            findings::check(game, text.bytes, &initial, &checks, &mut found);
            games += 1;
            bad += u64::from(!found.is_empty());
            found.clear();
        }
    });
    (games, bad)
}

/// All adjudications, as CSV.
fn adjudicate(text: &[u8]) -> Counted {
    let mut reader = replay::Reader::new();
    let mut adjudicator = Adjudicator::new(&[&FIDE], SearchLimits::DEFAULT);
    let csv = RowFormat::new(Rows::Csv(Cells::Exact), false, TagColumns::default());
    let (mut games, mut bad) = (0, 0);
    each_chunk(text, |chunk| {
        let mut out = Buffer::default();
        for text in chunk.games() {
            let game = reader.read(text.bytes, text.unclosed_comment);
            games += 1;
            let Ok(adjudication) = adjudicator.adjudicate(game, text.bytes) else {
                bad += 1;
                continue;
            };
            bad += u64::from(adjudication.is_contradiction() || adjudication.early_end.is_some());
            let item = AdjudicatedGame {
                file: "games.pgn",
                number: text.origin.game.0,
                game,
                text: text.bytes,
                adjudication: Ok(&adjudication),
            };
            csv.item(&mut out, &item);
        }
        assert!(!out.as_bytes().is_empty());
    });
    (games, bad)
}

fn each_chunk(text: &[u8], mut each: impl FnMut(&arbiter::input::Chunk)) {
    let source = Source::stdin(SourceId(0));
    for chunk in Chunks::new(text, &source, CHUNK_BYTES, Buffers::default()) {
        each(&chunk.expect("memory can be read"));
    }
}

fn main() {
    let rounds = rounds(9);
    print_machine();
    let mut files = Vec::new();
    if env::var_os("ARBITER_BENCH_FILE").is_none() {
        files.extend(games_of("bulk/lichess_clk_eval_10k_games.pgn.zst"));
    }
    files.push(games());
    println!("one thread; {rounds} rounds, medians\n");
    println!(
        "{:40} {:>8} {:>12} {:>12} {:>7} {:>14}",
        "", "games", "validate s", "adjudicate s", "ratio", "contradictions"
    );
    for (name, text) in files {
        let mut seconds = [const { Vec::new() }; 2];
        let mut counted = [(0, 0); 2];
        let programs: [fn(&[u8]) -> Counted; 2] = [validate, adjudicate];
        // The first round warms up. Alternating spreads changes of clock speed over both.
        for round in 0..=rounds {
            for turn in 0..programs.len() {
                let which = (round + turn) % programs.len();
                let (found, time) = timed(|| programs[which](&text));
                counted[which] = found;
                if round > 0 {
                    seconds[which].push(time);
                }
            }
        }
        assert_eq!(counted[0].0, counted[1].0, "both see the same games");
        let [validate, adjudicate] = seconds.map(|times| median(&times));
        println!(
            "{name:40} {:>8} {validate:>12.3} {adjudicate:>12.3} {:>7.2} {:>14}",
            counted[1].0,
            adjudicate / validate,
            counted[1].1
        );
    }
}
