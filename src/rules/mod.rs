//! The Laws of Chess: positions, moves, notation. No files, no PGN, no threads.
//!
//! `Setup` is anything a FEN can say; [`Position::new`] turns it into what can be played, or says everything that is
//! wrong with it. From a position come [`Move`]s, all of them ([`Position::legal_moves`]) or the one a notation names
//! ([`San::to_move`], [`Uci::to_move`]), and [`Position::play`] makes the next position.

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub mod draws;
pub mod epd;
pub mod fen;
pub mod forced_mate;
mod last_move;
mod movegen;
pub mod moves;
pub mod perft;
pub mod piece;
pub mod position;
pub mod repetition;
pub mod ruleset;
pub mod san;
pub mod setup;
pub mod square;
pub mod winnability;
mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use castling::{CastlingMode, CastlingSide};
pub use draws::{Draws, History};
pub use moves::{Move, MoveKind, MoveList, Uci, UciError};
pub use piece::{Color, Piece, Role};
pub use position::Position;
pub use repetition::Repetitions;
pub use ruleset::{End, Ends, RepetitionKey, RuleSet, Standing};
pub use san::{San, SanError};
pub use setup::{FaultLevel, PositionFault, PositionFaults, Setup};
pub use square::{File, Rank, Square};
