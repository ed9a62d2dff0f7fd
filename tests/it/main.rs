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

// Rules of chess.
mod fen_corpus; // FENs with verdicts of other programs
mod heuristic; // positions called winnable have a mating line
mod illegal_moves; // `--illegal play` against the mailbox
mod letters; // piece letters of other languages
mod notation; // SAN and other notation: parsing, writing, reasons for rejection
mod perft; // published counts
mod perft_against; // `perft --against`: engines with a wrong move or no answer
mod plausible_games; // positions that arise by play have no fault
mod positions; // faults of positions, repetition, Chess960 castling
mod random_games; // random games against shakmaty
mod real_games; // real games against the mailbox
mod rulesets; // the list of rule sets
mod second_opinion; // shallow trees against the mailbox
mod winnability; // winnability of positions

// Input and output of all commands.
mod bad_input; // empty, binary, huge and unreadable files
mod board_files; // a file for each position
mod compression; // truncated, concatenated and broken compressed files and archives
mod encodings; // UTF-16, Latin-1, NULs, line ends
mod follow; // `--follow`: files that grow
mod help; // help, hints, man pages, completions
mod hostile; // input designed to take excessive time or memory
mod independence; // the same output for any threads, chunks, compression, pipe or file
mod joined; // game boundaries, the same in every command
mod modes; // options without a meaning in the mode of a command
mod not_pgn; // one finding for a file without a game
mod openings; // openings by position
mod output_files; // files are replaced completely or not at all
mod parts; // the outputs of parts, one after another, are the output of the whole
mod pipes; // closed, full and empty pipes; signals
mod settings; // `arbiter.toml`
#[cfg(unix)]
mod terminal; // tables and sentences in the width of a terminal

// Rows.
mod parquet; // Parquet files hold the rows of JSON lines

// `validate`.
mod against; // differences between databases
mod comments; // findings about times and evaluations in comments
mod duplicates; // games that occur twice
mod duplicates_reported; // their findings in formats, closing lines and selections
mod fix_edits; // repairs in JSON lines and SARIF are those of `--fix`
mod fix_files; // `--fix`: inputs and outputs
mod fix_real_files; // `--fix`: real files
mod fix_reports; // `--fix`: the diff and the closing line
mod fix_suggestions; // `--fix-suggestions`
mod fixes; // `--fix`: repairs
mod goldens; // findings in the test inputs of other PGN programs
mod keep; // `--keep`: which of several duplicates stays
mod movetext; // findings about movetext
mod mutations; // damage to one game is found and costs no other game
mod position_lists; // FEN and EPD files
mod real_files; // findings in real files; every byte belongs to a game
mod registry; // codes: fixtures, explanations, letters
mod results; // findings about results
mod shapes; // output formats and baselines
mod split; // `--write-clean` and `--write-rejected`
mod suggestions; // corrections of typing errors in real games
mod tags; // findings about tags
mod two_readers; // the scanner against pgn-reader

// The other commands.
mod claims; // `adjudicate --claim`
mod labels; // `adjudicate`
mod replay; // `replay`
mod stats; // `stats`
mod terminations; // recorded reasons of real games

use arbiter::chess::Position;

/// Position of a FEN that is known to be playable.
fn position(fen: &str) -> Position {
    fen.parse()
        .unwrap_or_else(|error| panic!("`{fen}`: {error}"))
}
