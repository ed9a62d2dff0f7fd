//! The commands, one folder each, and what they share.
#![doc = ""]
#![doc = include_str!("README.md")]

pub mod accounts;
pub mod args;
pub mod rule_choice;
pub mod run;
pub mod select;

pub mod adjudicate;
pub mod clashes;
pub mod interrupt;
pub mod perft;
pub mod replay;
pub mod stats;
pub mod validate;

use clap::{Parser, Subcommand};

use crate::error::Error;

/// Validate, replay, count and adjudicate chess games (PGN, FEN)
#[derive(Parser, Debug)]
#[command(name = "arbiter", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 done and nothing to report; 1 done, and something to report; \
2 not done (usage, unreadable input, no game found)."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Validate(validate::Flags),
    Stats(stats::StatsArgs),
    Replay(replay::ReplayArgs),
    Perft(perft::Flags),
    Adjudicate(adjudicate::Flags),
}

/// Outcome of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Done, and nothing to report.
    Done,
    /// Done, and something to report.
    Reported,
    /// Not done: an input could not be read, no game was found, or a signal came. Already reported.
    NotDone,
}

impl Outcome {
    /// Exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Reported => 1,
            Outcome::NotDone => 2,
        }
    }
}

/// Runs a command.
///
/// # Errors
///
/// Any [`Error`] that keeps the command from starting or from writing its output.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    interrupt::listen();
    match &arguments.command {
        Command::Validate(flags) => validate::run(flags),
        Command::Stats(flags) => stats::run(flags),
        Command::Replay(flags) => replay::run(flags),
        Command::Perft(flags) => perft::run(flags),
        Command::Adjudicate(flags) => adjudicate::run(flags),
    }
}
