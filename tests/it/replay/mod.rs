//! What `replay` shows of games, in every format.

mod boards;
mod export;
mod lines;
mod peers;
mod rows;

use crate::arbiter_command::{Ran, run, run_with_stdin};

/// What `replay` prints of a text on stdin with these flags, and how it ends.
fn replayed(flags: &[&str], pgn: &str) -> Ran {
    run_with_stdin(&words(flags), pgn.as_bytes().to_vec())
}

/// The same of a file.
fn of_file(flags: &[&str], path: &str) -> Ran {
    let mut words = words(flags);
    words.push(path);
    run(&words)
}

fn words<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    ["replay", "-q"].iter().chain(flags).copied().collect()
}
