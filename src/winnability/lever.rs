//! Breaking a wall of pawns: what to play so that a pawn that stands blocked gets a way, be it by sacrifice.

use crate::chess::bitboard::Bitboard;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::winnability::helpmate::{Aim, Gain};
use crate::winnability::reach::{king_steps, pawn_attacks};

/// Opens the board for the pawns of a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lever {
    /// Whose pawns shall get a way.
    side: Color,
    /// What the pawns of the side not to move attack: a piece that goes there can be captured by one of them, which then
    /// leaves its file.
    offered: Bitboard,
    /// Squares from which the king to move has less far to go to a pawn that he can capture.
    closer: Bitboard,
}

impl Lever {
    pub(crate) fn new(side: Color) -> Lever {
        Lever {
            side,
            offered: Bitboard::EMPTY,
            closer: Bitboard::EMPTY,
        }
    }
}

impl Aim for Lever {
    #[inline]
    fn look(&mut self, position: &Position) {
        let (us, them) = (position.turn(), !position.turn());
        let board = position.board();
        let pawns = board.of(them, Role::Pawn);
        self.offered = pawn_attacks(them, pawns);
        let open = !(self.offered | board.of(us, Role::Pawn));
        let king = Bitboard::of(position.king(us));
        let mut reached = pawns.without(self.offered);
        self.closer = Bitboard::EMPTY;
        while (reached & king).is_empty() {
            self.closer = reached;
            reached |= king_steps(reached) & open;
            if reached == self.closer {
                self.closer = Bitboard::EMPTY;
                break;
            }
        }
    }

    #[inline]
    fn weigh(&self, position: &Position, mv: Move) -> Gain {
        let ours = position.turn() == self.side;
        Gain::of(match (mv.role, mv.captured) {
            _ if matches!(mv.kind, MoveKind::Promotion(_)) => 4,
            // A pawn that captures leaves its file.
            (Role::Pawn, Some(_)) => 3,
            (Role::Pawn, None) => 1,
            (_, Some(Role::Pawn)) if ours => 3,
            (_, Some(_)) => -1,
            (Role::King, None) => i32::from(self.closer.has(mv.to)),
            (_, None) => 2 * i32::from(self.offered.has(mv.to)),
        })
    }
}
