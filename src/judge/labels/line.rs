//! Moves that show that a mate is still possible.

use std::fmt::Write;

use crate::rules::san::SanPlus;
use crate::rules::{CastlingMode, Color, Move, Position};

/// A series of legal moves, written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Each move in UCI notation.
    pub uci: Vec<String>,
    /// All of them with their numbers: `12...Kg8 13.Rf1 Kh8`.
    pub san: String,
}

impl Line {
    /// Writes down legal moves from a position.
    pub(super) fn new(position: &Position, moves: &[Move], mode: CastlingMode) -> Line {
        let mut san = String::new();
        let mut before = position.clone();
        for (nth, &mv) in moves.iter().enumerate() {
            let after = before.after(mv);
            if nth > 0 {
                san.push(' ');
            }
            // Writing to memory does not fail.
            let _ = match before.turn() {
                Color::White => write!(san, "{}.", before.fullmoves()),
                Color::Black if nth == 0 => write!(san, "{}...", before.fullmoves()),
                Color::Black => Ok(()),
            };
            let _ = write!(san, "{}", SanPlus::of(&before, mv, &after));
            before = after;
        }
        Line {
            uci: moves.iter().map(|mv| mv.uci(mode).to_string()).collect(),
            san,
        }
    }
}
