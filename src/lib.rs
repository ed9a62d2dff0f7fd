//! START HERE. The library behind the `arbiter` command: chess games in PGN and positions in FEN, read, replayed and
//! judged.
//!
//! # The flow
//!
//! ```text
//! Source ──split──▶ Chunk ──games──▶ GameText ──pgn::Reader──▶ Game (+ faults)
//!                                       │                        │
//!                           Origin{source, game, byte}           └─replay──▶ Ply, Ply, … Stop ──▶ Ending
//!                                                                                  │
//!    Finding (validate) · PlyRow (replay) · Tally (stats) · Label, Ruling (adjudicate) ◀──┘
//!                                       │
//!                     pipeline::Run (any number of threads, output in file order)
//!                                       │
//!                                    Sink ──▶ stdout or file           Outcome ──▶ exit 0 / 1
//! FEN/EPD line ──▶ Setup ──▶ Position ──▶ perft · Finding                Error   ──▶ exit 2
//! ```
//!
//! # The modules
//!
//! In this order, each imports only from those above it; [`commands`] imports from all.
//!
//! - [`chess`]: squares to SAN. No files, no PGN, no threads.
//! - [`winnability`]: whether a side can still mate by any series of legal moves.
//! - [`law`]: rule sets, and the draws they know.
//! - [`notation`]: moves that are not SAN: lenient forms and the piece letters of other languages.
//! - [`pgn`]: the bytes of one game → [`pgn::Game`]; it cannot fail.
//! - [`replay`]: a game → positions; it cannot fail either. [`replay::Replay`] plays the main line,
//!   [`replay::Walk`] the variations as well.
//! - [`input`]: bytes → whole games. Files, directories, archives, compression, encodings;
//!   [`input::Splitter`] is the one definition of where a game ends.
//! - [`pipeline`]: chunks in parallel, results in file order.
//! - [`report`]: what is printed. Only this module, the formats of the commands and the binary
//!   print.
//! - [`commands`]: one folder for each command: its flags, what it computes, its formats.
//! - [`error`]: what stops a run. What is wrong with a game is a value, never an
//!   [`error::Error`].
//!
//! # Invariants
//!
//! 1. `chess` knows nothing of bytes, files, PGN or threads.
//! 2. `pgn` and `replay` return what they could do and what was wrong. One bad game never costs another.
//! 3. Only `pgn/read.rs` names `pgn_reader`.
//! 4. Every byte of text belongs to a game, or an error names the place from which on nothing is read; and games seen =
//!    clean + with findings + unreadable. Both accounts are printed and enforced. Reading no game is an error.
//! 5. Output does not depend on the number of threads, on chunk size, on compression, or on stdin against file.
//! 6. Memory is bounded by threads × chunk size, by what is unpacked ahead of its turn, and by what is written of a chunk,
//!    whatever the input's size and however much is found in it; a gigantic game costs its own size and what its moves take
//!    and print (each thread may be at one), a compressor's window up to 128 MiB, and a baseline of findings, read or written, is held whole,
//!    as are the groups of games that are counted apart.
//! 7. The recorded result is never changed. Recorded result, recorded reason, what the board says, and what the rules say are
//!    four things, and a contradiction between them is reported.
//! 8. Every finding code has a fixture, an explanation and a row in the README; only E299, a defect of the program, has no
//!    fixture.

pub mod chess;
pub mod winnability;

pub mod law;

pub mod notation;

pub mod pgn;

pub mod replay;

pub mod input;

pub mod pipeline;

pub mod report;

pub mod commands;

pub mod error;
