//! The integration tests, one binary: it links once.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests may say what they tried"
)]

mod arbiter_command;
mod bad_input;
mod claims;
mod cli_cases;
mod compression;
mod corpus;
mod encodings;
mod fen_corpus;
mod found;
mod goldens;
mod heuristic;
mod hostile;
mod independence;
mod joined;
mod labels;
mod letters;
mod mailbox;
mod movetext;
mod mutations;
mod notation;
mod output_files;
mod packers;
mod perft;
mod pipes;
mod plausible_games;
mod position_lists;
mod positions;
mod random_games;
mod real_files;
mod real_games;
mod registry;
mod replay;
mod results;
mod rulesets;
mod san_cases;
mod second_opinion;
mod shapes;
mod stats;
mod suggestions;
mod tags;
mod terminations;
mod tidy;
mod two_readers;
mod winnability;

use arbiter::chess::{Position, Setup};

/// The position of a FEN that is known to be playable.
fn position(fen: &str) -> Position {
    let setup: Setup = fen
        .parse()
        .unwrap_or_else(|error| panic!("`{fen}`: {error}"));
    Position::new(&setup).unwrap_or_else(|faults| panic!("`{fen}`: {faults}"))
}
