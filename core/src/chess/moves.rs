//! Moves and lists of them.

use arrayvec::ArrayVec;

use crate::chess::castling::CastlingSide;
use crate::chess::piece::Role;
use crate::chess::square::Square;

/// Special kinds of move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// Any other move.
    Normal,
    /// Promotion of a pawn to this role.
    Promotion(Role),
    /// En passant capture.
    EnPassant,
    /// Castling; [`Move::to`] is the square of the rook.
    Castle,
}

/// Move of a certain position, meaningless in any other.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{CastlingMode, Position};
/// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// let castling = position.legal_moves().into_iter().find(|mv| mv.castling_side().is_some());
/// let uci = castling.map(|mv| mv.uci(CastlingMode::Standard).to_string());
/// assert_eq!(uci.as_deref(), Some("e1g1"));
/// # Ok::<(), chess_arbiter_core::chess::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Role of the moving piece; the king for castling.
    pub role: Role,
    /// Origin.
    pub from: Square,
    /// Destination; for castling the square of the rook, which no other king move can have.
    pub to: Square,
    /// Role of the captured piece.
    pub captured: Option<Role>,
    /// Special kind of the move.
    pub kind: MoveKind,
}

/// Most moves of a position, by a bound for any board: a side with n men has at most 27n moves, and
/// at most 16 reach each of the other 64 - n squares (8 lines and 8 knights), with some more on the
/// last rank for promotions.
const CAPACITY: usize = 704;

/// Legal moves of a position, kept without allocation.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::Position;
/// let moves = Position::initial().legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.iter().all(|mv| mv.captured.is_none()));
/// ```
pub type MoveList = ArrayVec<Move, CAPACITY>;

impl Move {
    /// A move by its fields, in their order.
    #[inline]
    pub(crate) const fn new(
        role: Role,
        from: Square,
        to: Square,
        captured: Option<Role>,
        kind: MoveKind,
    ) -> Move {
        Move {
            role,
            from,
            to,
            captured,
            kind,
        }
    }

    /// Role that a pawn is promoted to.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        match self.kind {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Side to which the move castles.
    #[inline]
    pub fn castling_side(self) -> Option<CastlingSide> {
        (self.kind == MoveKind::Castle).then(|| CastlingSide::of(self.from, self.to))
    }

    /// Whether the move resets the halfmove clock: pawn moves and captures (FIDE Laws 9.3).
    #[inline]
    pub fn is_zeroing(self) -> bool {
        self.role == Role::Pawn || self.captured.is_some()
    }
}
