//! Second reading of a notation whose first reading is illegal.

use crate::chess::castling::CastlingSide;
use crate::chess::moves::Move;
use crate::chess::piece::Role;
use crate::chess::position::Position;
use crate::chess::san::San;
use crate::chess::square::{File, Square};

/// When a text whose reading as a pawn move is illegal is read as another piece's move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fallback {
    /// Never: the letters are not English.
    Never,
    /// Only if the move is written as short as possible; a longer one may name the pawn by its
    /// letter.
    ShortestOnly,
    /// Always: no pawn is named by its letter.
    Always,
}

/// Move meant by a text in English letters whose reading as a pawn move is illegal: `bc4` the
/// bishop's move `Bc4`, `g1f3`, `g1-f3` and `d6xe5` the move of whatever piece stands on the first
/// square, `e1g1` castling.
pub fn fallback_move(san: San, position: &Position) -> Option<Move> {
    let San::Piece {
        role: Role::Pawn,
        file: Some(file),
        rank,
        capture,
        to,
        promotion: None,
    } = san
    else {
        return None;
    };
    if let Some(rank) = rank
        && let Some(mv) = by_squares(position, Square::at(file, rank), capture, to)
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

/// Length of a pawn move in bytes, without dash, check mark and pawn letter; 0 for other moves.
pub(crate) fn pawn_move_length(san: San) -> usize {
    match san {
        San::Piece {
            file,
            rank,
            capture,
            ..
        } => [file.is_some(), rank.is_some(), capture, true, true]
            .into_iter()
            .map(usize::from)
            .sum(),
        _ => 0,
    }
}

/// The move from a square to another, if it is not that of a pawn. Castling is written by the
/// king's squares, or, in Chess960, by those of king and rook.
fn by_squares(position: &Position, from: Square, capture: bool, to: Square) -> Option<Move> {
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
        capture,
        to,
        promotion: None,
    };
    let step = san.find(position);
    if step.is_some() || role != Role::King || capture {
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
