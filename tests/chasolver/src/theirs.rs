//! Adapter of the crate `chasolver`.

use std::str::FromStr;

use arbiter::chess::castling::CastlingMode;
use arbiter::chess::{Color, Position, Role};

use crate::question::Question;

pub enum Answer {
    /// Whether the side can win, if it was decided.
    Is(Option<bool>),
    /// `chasolver` cannot be asked, or panicked.
    Refused,
}

/// The position, unless `chess` could get it wrong: it has no Chess960 castling, keeps at most 18
/// groups of moves, and takes an en passant capture for an answer to any check by a knight or pawn.
pub fn board(position: &Position, fen: &str) -> Option<chess::Board> {
    let is_crowded = Color::ALL
        .iter()
        .any(|&color| position.board().color(color).count() > 16);
    if is_crowded || position.castling_mode() == CastlingMode::Chess960 {
        return None;
    }
    let is_passed = position.en_passant().is_some();
    let leapers = position.board().role(Role::Knight) | position.board().role(Role::Pawn);
    if is_passed && (position.checkers() & leapers).any() {
        return None;
    }
    chess::Board::from_str(&format!("{fen} 0 1")).ok()
}

pub fn can_win(question: &Question, side: Color) -> Answer {
    let Some(board) = &question.board else {
        return Answer::Refused;
    };
    let side = match side {
        Color::White => chess::Color::White,
        Color::Black => chess::Color::Black,
    };
    let answer = chasolver::winnability(board, side);
    Answer::Is(answer.map(|answer| matches!(answer, chasolver::Winnability::Winnable { .. })))
}
