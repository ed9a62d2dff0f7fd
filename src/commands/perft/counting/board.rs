//! The counting board: nothing but what decides how many legal moves there are.
//!
//! [`Position`] has clocks, a key and roles for notation; counting needs none of them. Queens are
//! in both slider sets, so that a capture clears a square in every set without asking for the role.
//! A node is seen from the side to move, whose colour is a type. The attack tables are those of
//! [`attacks`](crate::chess::attacks).

use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::{Rank, Square};

/// One side's men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Men {
    pub(crate) pawns: Bitboard,
    pub(crate) knights: Bitboard,
    /// Bishops and queens.
    pub(crate) diagonal: Bitboard,
    /// Rooks and queens.
    pub(crate) orthogonal: Bitboard,
    pub(crate) king: Bitboard,
}

impl Men {
    pub(crate) fn of(board: &Board, color: Color) -> Men {
        Men {
            pawns: board.of(color, Role::Pawn),
            knights: board.of(color, Role::Knight),
            diagonal: board.color(color) & board.diagonal_sliders(),
            orthogonal: board.color(color) & board.orthogonal_sliders(),
            king: board.of(color, Role::King),
        }
    }

    #[inline]
    pub(crate) fn all(&self) -> Bitboard {
        self.pawns | self.knights | self.diagonal | self.orthogonal | self.king
    }

    /// The men left after a capture on a square.
    #[inline]
    pub(crate) fn without(mut self, square: Bitboard) -> Men {
        self.pawns = self.pawns.without(square);
        self.knights = self.knights.without(square);
        self.diagonal = self.diagonal.without(square);
        self.orthogonal = self.orthogonal.without(square);
        self
    }

    #[inline]
    pub(crate) fn king_square(&self) -> Square {
        self.king.first_or_a1()
    }
}

/// Color as a type, so that shifts and ranks are constants in the code for each side.
pub(crate) trait Side {
    type Other: Side;
    const COLOR: Color;
    /// Rank passed by a double step.
    const PASSED: Bitboard = Bitboard::rank(match Self::COLOR {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    });
    const PROMOTION: Bitboard = Bitboard::rank(Self::COLOR.promotion_rank());
    const BACK_RANK: Bitboard = Bitboard::rank(Self::COLOR.back_rank());

    #[inline]
    fn ahead(squares: Bitboard) -> Bitboard {
        squares.ahead(Self::COLOR)
    }

    #[inline]
    fn back(squares: Bitboard) -> Bitboard {
        squares.back(Self::COLOR)
    }

    /// Squares that pawns attack towards the a-file.
    #[inline]
    fn west(pawns: Bitboard) -> Bitboard {
        setwise::pawns_west(Self::COLOR, pawns)
    }

    /// Squares that pawns attack towards the h-file.
    #[inline]
    fn east(pawns: Bitboard) -> Bitboard {
        setwise::pawns_east(Self::COLOR, pawns)
    }
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

/// Position seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node {
    pub(crate) us: Men,
    pub(crate) them: Men,
    /// Rooks of both sides that may still castle.
    pub(crate) castling: Bitboard,
    /// En passant square, if one of our pawns attacks it.
    pub(crate) passed: Bitboard,
}

impl Node {
    pub(crate) fn of(position: &Position) -> Node {
        let board = position.board();
        let turn = position.turn();
        Node {
            us: Men::of(board, turn),
            them: Men::of(board, !turn),
            castling: position.castling(),
            passed: position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of),
        }
    }
}
