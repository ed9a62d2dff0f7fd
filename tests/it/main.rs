//! All integration tests in one binary, which links only once.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests may say what they tried"
)]

// Helpers.
mod arbiter_command; // runs the binary; scratch folders
mod compressors; // encoders for every compression and archive
mod console_blocks; // console blocks of the manuals, as trycmd reads them
mod corpus; // real data outside the repository
mod found; // findings of a text as a list
mod mailbox; // naive second implementation of the Laws of Chess
mod planted_doubles; // games with doubles among them

// Guides and source layout.
mod cli_cases; // recorded runs: `tests/cmd` and the console blocks of the manuals
mod tidy; // imports, crates, sizes, wording, invariants

// A folder for each command and layer.
mod adjudicate;
mod chess;
mod commands;
mod input;
mod law;
mod notation;
mod perft;
mod replay;
mod report;
mod stats;
mod validate;
mod winnability;

use arbiter::chess::Position;

/// Position of a FEN that is known to be playable.
fn position(fen: &str) -> Position {
    fen.parse()
        .unwrap_or_else(|error| panic!("`{fen}`: {error}"))
}
