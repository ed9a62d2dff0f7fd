//! The rules of chess: squares, positions, legal moves, FEN, EPD, UCI and SAN.
//!
//! A [`Setup`] is anything a FEN can say; a [`Position`] is one that can be played. Chess960 is
//! supported throughout.
//!
//! # Examples
//!
//! ```
//! use chess_arbiter_core::chess::{GameOutcome, Position, SanPlus};
//!
//! let mut position: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
//! let plus: SanPlus = "Ra8#".parse()?;
//! let mv = plus.san.to_move(&position)?;
//! position.play(mv)?;
//! assert!(matches!(position.outcome(), Some(GameOutcome::Checkmate { .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub(crate) mod display;
pub mod epd;
pub(crate) mod faults;
pub mod fen;
pub(crate) mod last_move;
pub(crate) mod move_number;
pub(crate) mod movegen;
pub mod moves;
pub(crate) mod packed;
pub mod piece;
pub mod position;
pub mod san;
pub mod setup;
pub mod square;
pub mod uci;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use castling::{CastlingMode, CastlingSide};
pub use faults::{FaultLevel, PositionFault, PositionFaults};
pub use fen::{FenError, PositionError};
pub use move_number::MoveNumber;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Color, Piece, Role};
pub use position::{GameOutcome, IllegalMove, Position};
pub use san::{San, SanError, SanPlus};
pub use setup::Setup;
pub use square::{File, Rank, Square};
pub use uci::{Uci, UciError};
