//! Castling sides, squares and notation modes.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Square};

/// Side to which a king castles. In Chess960 king and rook land on the same squares as in standard
/// chess.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{CastlingSide, Color};
/// assert_eq!(CastlingSide::Queen.san(), "O-O-O");
/// assert_eq!(CastlingSide::Queen.king_to(Color::Black).to_string(), "c8");
/// ```
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

    /// Side to which a king castles with a rook.
    #[inline]
    pub fn of(king: Square, rook: Square) -> CastlingSide {
        if rook > king {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        }
    }

    /// Destination of the king.
    #[inline]
    pub fn king_to(self, color: Color) -> Square {
        self.square([File::G, File::C], color)
    }

    /// Destination of the rook.
    #[inline]
    pub fn rook_to(self, color: Color) -> Square {
        self.square([File::F, File::D], color)
    }

    /// Square of the rook in standard chess: the corner on the h-file or a-file.
    pub fn corner(self, color: Color) -> Square {
        self.square([File::H, File::A], color)
    }

    /// Square of the back rank on the file of this side, of one for each.
    #[inline]
    fn square(self, files: [File; 2], color: Color) -> Square {
        Square::at(files[self as usize], color.back_rank())
    }

    /// Square of the rook that `K` or `Q` means in a FEN: the outermost one on this side of the
    /// king, or the corner if there is none.
    pub(crate) fn outermost_rook(self, board: &Board, color: Color) -> Square {
        let rank = Bitboard::rank(color.back_rank());
        let rooks = board.of(color, Role::Rook) & rank;
        let outermost = match self {
            CastlingSide::King => rooks.last(),
            CastlingSide::Queen => rooks.first(),
        };
        let king = (board.of(color, Role::King) & rank).first();
        match (king, outermost) {
            (Some(king), Some(rook)) if CastlingSide::of(king, rook) == self => rook,
            _ => self.corner(color),
        }
    }

    /// `O-O` or `O-O-O`.
    pub const fn san(self) -> &'static str {
        match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        }
    }
}

/// Notation of castling in UCI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CastlingMode {
    /// The king's own two-square step: `e1g1`.
    #[default]
    Standard,
    /// The king takes its rook: `e1h1`.
    Chess960,
}

impl CastlingMode {
    /// Standard if every right is that of a king on the e-file with a rook in the corner.
    pub fn of(board: &Board, rights: Bitboard) -> CastlingMode {
        match chess960_rights(board, rights).is_empty() {
            true => CastlingMode::Standard,
            false => CastlingMode::Chess960,
        }
    }
}

/// Castling rights that standard chess does not have: of a king that is not on the e-file, or a
/// rook that is not in a corner (FIDE Laws 2023 art. 3.8.2).
pub(crate) fn chess960_rights(board: &Board, mut rights: Bitboard) -> Bitboard {
    for color in Color::ALL {
        let king = Square::at(File::E, color.back_rank());
        if board.of(color, Role::King).has(king) {
            for side in CastlingSide::ALL {
                rights = rights.without(Bitboard::of(side.corner(color)));
            }
        }
    }
    rights
}
