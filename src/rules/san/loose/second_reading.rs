//! What a notation may mean whose first reading is illegal.

use crate::rules::castling::CastlingSide;
use crate::rules::moves::Move;
use crate::rules::piece::Role;
use crate::rules::position::Position;
use crate::rules::san::San;
use crate::rules::square::{File, Square};

impl San {
    /// The move that a text in English letters means if its first reading as a pawn move is illegal: `bc4` the bishop's
    /// move `Bc4`, `g1f3` the move of whatever piece stands on g1, `e1g1` castling.
    ///
    /// `length` is that of the text without a check mark; where it shows that the pawn was named by `P`, there is no other
    /// reading.
    pub fn second_reading(self, length: usize, position: &Position) -> Option<Move> {
        let San::Piece {
            role: Role::Pawn,
            file: Some(file),
            rank,
            capture,
            to,
            promotion: None,
        } = self
        else {
            return None;
        };
        if length != 1 + usize::from(rank.is_some()) + usize::from(capture) + 2 {
            return None;
        }
        if let Some(rank) = rank.filter(|_| !capture)
            && let Some(mv) = by_squares(position, Square::at(file, rank), to)
        {
            return Some(mv);
        }
        let bishop = San::Piece {
            role: Role::Bishop,
            file: None,
            rank: None,
            capture,
            to,
            promotion: None,
        };
        (file == File::B && rank.is_none())
            .then(|| bishop.find(position))
            .flatten()
    }
}

/// The move from a square to another, if it is not that of a pawn. Castling is written by the king's squares, or, in
/// Chess960, by those of king and rook.
fn by_squares(position: &Position, from: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    let board = position.board();
    let role = board.role_on(from).filter(|_| board.color(us).has(from))?;
    if role == Role::Pawn {
        return None;
    }
    let san = San::Piece {
        role,
        file: Some(from.file()),
        rank: Some(from.rank()),
        capture: false,
        to,
        promotion: None,
    };
    let step = san.find(position);
    if step.is_some() || role != Role::King {
        return step;
    }
    [CastlingSide::King, CastlingSide::Queen]
        .into_iter()
        .filter(|side| {
            position.castling_rook(us, *side) == Some(to)
                || side.king_to(us) == to && from.file().index().abs_diff(to.file().index()) > 1
        })
        .find_map(|side| San::Castle(side).find(position))
}
