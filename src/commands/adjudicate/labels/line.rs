//! Moves that show that a mate is still possible.

use crate::chess::{CastlingMode, Move, Position};
use crate::commands::adjudicate::phrases::shortened;

/// A series of legal moves, written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Each move in UCI notation.
    pub uci: Vec<String>,
    /// With their numbers: `12...Kg8 13.Rf1 Kh8`; of a long line the first moves and the length.
    pub san: String,
}

impl Line {
    /// Writes down legal moves from a position.
    pub(crate) fn new(position: &Position, moves: &[Move], mode: CastlingMode) -> Line {
        Line {
            uci: moves.iter().map(|mv| mv.uci(mode).to_string()).collect(),
            san: shortened(position, moves),
        }
    }
}
