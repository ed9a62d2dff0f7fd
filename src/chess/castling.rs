//! Castling sides, squares and notation modes.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Square};

/// The wing a king castles to. In Chess960 it is named by where king and rook land, as in standard chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingSide {
    /// O-O: king to the g-file, rook to the f-file.
    King,
    /// O-O-O: king to the c-file, rook to the d-file.
    Queen,
}

impl CastlingSide {
    /// King's side, then queen's side.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The side a king on one square castles to with a rook on another.
    #[inline]
    pub fn of(king: Square, rook: Square) -> CastlingSide {
        if rook > king {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        }
    }

    /// Where the king lands.
    #[inline]
    pub fn king_to(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 6,
            CastlingSide::Queen => 2,
        };
        Square::at(File::new(file), color.back_rank())
    }

    /// Where the rook lands.
    #[inline]
    pub fn rook_to(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 5,
            CastlingSide::Queen => 3,
        };
        Square::at(File::new(file), color.back_rank())
    }

    /// The square a right of this side claims in standard chess: the h-file or a-file corner.
    pub fn corner(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 7,
            CastlingSide::Queen => 0,
        };
        Square::at(File::new(file), color.back_rank())
    }

    /// `O-O` or `O-O-O`.
    pub const fn san(self) -> &'static str {
        match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        }
    }
}

/// How castling is written in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CastlingMode {
    /// The king's own two-square step: `e1g1`.
    #[default]
    Standard,
    /// The king takes its rook: `e1h1`.
    Chess960,
}

impl CastlingMode {
    /// Standard if every right is one of a king on the e-file with a rook in the corner.
    pub fn of(board: &Board, rights: Bitboard) -> CastlingMode {
        let standard = rights.into_iter().all(|rook| {
            let color = if Bitboard::rank(Color::White.back_rank()).has(rook) {
                Color::White
            } else {
                Color::Black
            };
            let corner = CastlingSide::ALL.map(|side| side.corner(color));
            corner.contains(&rook)
                && board
                    .of(color, Role::King)
                    .has(Square::at(File::new(4), color.back_rank()))
        });
        if standard {
            CastlingMode::Standard
        } else {
            CastlingMode::Chess960
        }
    }
}
