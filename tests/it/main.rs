//! The integration tests in one binary, which links once.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests may say what they tried"
)]

// Helpers.
mod arbiter_command; // runs the binary; scratch folders
mod compressors; // encoders for every compression and archive
mod corpus; // real data outside of the repository
mod found; // findings of a text as a list
mod mailbox; // the Laws of Chess a second time, slow and plain

// The guides and the shape of the sources.
mod cli_cases; // recorded runs: `tests/cmd` and the console blocks of the guides
mod tidy; // imports, crates, sizes, wording, invariants

// Rules of chess.
mod fen_corpus; // FENs that other programs have judged
mod heuristic; // open positions called winnable without a line have one
mod letters; // piece letters of other languages
mod notation; // moves in other notation than SAN
mod perft; // published counts
mod plausible_games; // positions that arise by play have no fault
mod positions; // faults of positions, repetition, Chess960 castling
mod random_games; // random games against shakmaty
mod real_games; // real games against the mailbox
mod rulesets; // the list of rule sets
mod san_cases; // SAN: which move is meant, and why a move is refused
mod second_opinion; // shallow trees against the mailbox
mod winnability; // who can still checkmate

// Input and output of all commands.
mod bad_input; // empty, binary, huge and unreadable files
mod compression; // truncated, concatenated and broken compressed files and archives
mod encodings; // UTF-16, Latin-1, NULs, line ends
mod hostile; // input made to take time or memory out of proportion
mod independence; // the same output for any threads, chunks, compression, pipe or file
mod joined; // the limits of games, in every command alike
mod output_files; // files are replaced completely or not at all
mod pipes; // closed, full and empty pipes; signals

// `validate`.
mod goldens; // findings in the test inputs of other PGN programs
mod movetext; // findings about movetext
mod mutations; // damage to one game is found and costs no other game
mod position_lists; // FEN and EPD files
mod real_files; // findings in real files; every byte belongs to a game
mod registry; // codes: fixtures, explanations, letters
mod results; // findings about results
mod shapes; // output formats and baselines
mod suggestions; // slips in real games are corrected
mod tags; // findings about tags
mod two_readers; // our scan against pgn-reader

// The other commands.
mod claims; // `adjudicate --claim`
mod labels; // `adjudicate`
mod replay; // `replay`
mod stats; // `stats`
mod terminations; // recorded reasons of real games

use arbiter::chess::Position;

/// The position of a FEN that is known to be playable.
fn position(fen: &str) -> Position {
    fen.parse()
        .unwrap_or_else(|error| panic!("`{fen}`: {error}"))
}
