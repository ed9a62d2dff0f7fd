//! The rules of chess: squares, positions, legal moves, FEN, EPD, UCI and SAN.

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub mod epd;
pub mod fen;
pub(crate) mod last_move;
pub(crate) mod movegen;
pub mod moves;
pub(crate) mod packed;
pub mod piece;
pub mod position;
pub mod san;
pub mod setup;
pub mod square;
pub(crate) mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use castling::{CastlingMode, CastlingSide};
pub use moves::{Move, MoveKind, Uci, UciError};
pub use piece::{Color, Piece, Role};
pub use position::Position;
pub use san::{San, SanError};
pub use setup::{FaultLevel, PositionFault, PositionFaults, Setup};
pub use square::{File, Rank, Square};
