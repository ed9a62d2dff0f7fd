//! Retro analysis of one ply: whether any last move explains that a king is in check.
//!
//! No side may leave its own king in check (FIDE Laws 3.9.2), so the king was safe before the last
//! move. Each possible last move is taken back, and if the king is attacked before every one of
//! them, no move can have led here. Nothing further back is tested; in doubt a move counts as
//! possible.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::{Color, Role};
use crate::chess::setup::Setup;
use crate::chess::square::{Rank, Square};

/// Last moves that may have led to a setup in which the side to move has one king.
pub(crate) struct LastMove<'a> {
    board: &'a Board,
    /// Side that has moved.
    mover: Color,
    /// King that cannot have been in check before the move.
    king: Square,
    /// Rooks with castling rights: neither they nor their king can have moved.
    castling: Bitboard,
    /// Whether the halfmove clock allows a capture or a pawn move.
    may_zero: bool,
}

impl<'a> LastMove<'a> {
    /// `may_zero` includes captures and pawn moves.
    pub(crate) fn new(setup: &'a Setup, king: Square, may_zero: bool) -> LastMove<'a> {
        LastMove {
            board: &setup.board,
            mover: !setup.turn,
            king,
            castling: setup.true_castling() & Bitboard::rank((!setup.turn).back_rank()),
            may_zero,
        }
    }

    /// Whether there is a move before which the king was safe.
    pub(crate) fn exists(&self) -> bool {
        self.board
            .color(self.mover)
            .without(self.castling)
            .into_iter()
            .any(|to| match self.board.role_on(to) {
                None => false,
                Some(Role::Pawn) => self.pawn(to) || self.en_passant(to),
                Some(Role::King) => self.castling.is_empty() && (self.piece(to) || self.castle(to)),
                Some(_) => self.piece(to) || self.promotion(to),
            })
    }

    /// Whether the king was safe before the double step over a square.
    pub(crate) fn can_be_double_step(&self, passed: Square) -> bool {
        match (self.behind(passed), self.before(passed)) {
            (Some(from), Some(to)) => self.is_safe_before(from, to, Role::Pawn, None),
            _ => false,
        }
    }

    /// Moves of a piece without special rules. A captured man can only shield the king, so that a
    /// capture explains whatever the same move without one does.
    fn piece(&self, to: Square) -> bool {
        let Some(role) = self.board.role_on(to) else {
            return false;
        };
        let captured = self.may_capture().then_some(to);
        let occupied = self.board.occupied();
        attacks::piece(role, self.mover, to, occupied)
            .without(occupied)
            .into_iter()
            .any(|from| self.is_safe_before(from, to, role, captured))
    }

    /// Pawn pushes and captures to a square, except en passant.
    fn pawn(&self, to: Square) -> bool {
        if !self.may_zero {
            return false;
        }
        let occupied = self.board.occupied();
        let step = |from| self.is_safe_before(from, to, Role::Pawn, None);
        let mut steps = false;
        if let Some(one) = self.pawn_square_behind(to) {
            steps = step(one);
            if to.rank() == self.rank(3)
                && let Some(two) = self.pawn_square_behind(one)
            {
                steps |= step(two);
            }
        }
        steps
            || self.may_capture()
                && attacks::pawn(!self.mover, to)
                    .without(occupied | Bitboard::BACK_RANKS)
                    .into_iter()
                    .any(|from| self.is_safe_before(from, to, Role::Pawn, Some(to)))
    }

    /// Promotions to the piece on a square.
    fn promotion(&self, to: Square) -> bool {
        to.rank() == self.rank(7)
            && self.board.of(self.mover, Role::Pawn).count() < 8
            && self.pawn(to)
    }

    /// En passant captures: the captured pawn has left two squares empty, and the one it passed was
    /// empty too.
    fn en_passant(&self, to: Square) -> bool {
        let occupied = self.board.occupied();
        let (Some(taken), Some(origin)) = (self.behind(to), self.before(to)) else {
            return false;
        };
        to.rank() == self.rank(5)
            && self.may_capture()
            && self.board.of(!self.mover, Role::Pawn).count() < 8
            && !occupied.has(taken)
            && !occupied.has(origin)
            && attacks::pawn(!self.mover, to)
                .without(occupied)
                .into_iter()
                .any(|from| self.is_safe_before(from, to, Role::Pawn, Some(taken)))
    }

    /// Castling, from any squares of king and rook in Chess960.
    fn castle(&self, king_to: Square) -> bool {
        let rank = Bitboard::rank(self.mover.back_rank());
        CastlingSide::ALL.into_iter().any(|side| {
            let rook_to = side.rook_to(self.mover);
            if side.king_to(self.mover) != king_to
                || !self.board.of(self.mover, Role::Rook).has(rook_to)
            {
                return false;
            }
            let mut board = *self.board;
            board.clear(king_to);
            board.clear(rook_to);
            let others = board.occupied();
            let origins = |to| {
                rank.without(others)
                    .into_iter()
                    .filter(move |&from| (attacks::between(from, to) & others).is_empty())
            };
            origins(king_to).any(|king| {
                origins(rook_to)
                    .filter(|&rook| rook != king && CastlingSide::of(king, rook) == side)
                    .any(|rook| {
                        let mut earlier = board;
                        earlier.toggle(king, self.mover, Role::King);
                        earlier.toggle(rook, self.mover, Role::Rook);
                        self.is_safe(&earlier)
                    })
            })
        })
    }

    /// Whether the king was safe with the man back on its origin, and a man of the king's side on
    /// `captured`.
    fn is_safe_before(
        &self,
        from: Square,
        to: Square,
        role: Role,
        captured: Option<Square>,
    ) -> bool {
        let mut board = *self.board;
        board.clear(to);
        board.toggle(from, self.mover, role);
        if let Some(square) = captured {
            // Any role will do, since it only blocks.
            board.toggle(square, !self.mover, Role::Pawn);
        }
        self.is_safe(&board)
    }

    fn is_safe(&self, board: &Board) -> bool {
        board
            .attackers(self.king, self.mover, board.occupied())
            .is_empty()
    }

    /// A side with 16 men has lost none.
    fn may_capture(&self) -> bool {
        self.may_zero && self.board.color(!self.mover).count() < 16
    }

    /// Rank counted from the side that has moved, from 0.
    fn rank(&self, nth: usize) -> Rank {
        Rank::new(match self.mover {
            Color::White => nth,
            Color::Black => 7 - nth,
        })
    }

    /// Square from which a pawn of the side that has moved is pushed to this one.
    fn behind(&self, square: Square) -> Option<Square> {
        neighbour(square, !self.mover)
    }

    /// Square to which a pawn of the side that has moved is pushed from this one.
    fn before(&self, square: Square) -> Option<Square> {
        neighbour(square, self.mover)
    }

    /// The previous square, if it is empty and a pawn can have been there.
    fn pawn_square_behind(&self, square: Square) -> Option<Square> {
        self.behind(square)
            .filter(|&from| !(self.board.occupied() | Bitboard::BACK_RANKS).has(from))
    }
}

/// The next square of the file in the direction of a colour's pawns.
fn neighbour(square: Square, color: Color) -> Option<Square> {
    Bitboard::of(square).ahead(color).first()
}
