//! Numbers of moves, as written before them.

use std::fmt;

use crate::chess::piece::Color;
use crate::chess::position::Position;

/// Number of a move with the dots of its side: `12.` or `12...`.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{MoveNumber, Position};
/// let first = MoveNumber::of(&Position::initial());
/// let numbers = [0, 1, 2].map(|plies| first.later(plies).to_string());
/// assert_eq!(numbers, ["1.", "1...", "2."]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveNumber {
    /// The number.
    pub number: u32,
    /// The side that moves.
    pub color: Color,
}

impl MoveNumber {
    /// The number of the next move of a position.
    pub fn of(position: &Position) -> MoveNumber {
        MoveNumber {
            number: position.fullmoves(),
            color: position.turn(),
        }
    }

    /// The number of the move some plies later.
    #[must_use]
    pub fn later(self, plies: u32) -> MoveNumber {
        let halves = plies + self.color as u32;
        MoveNumber {
            number: self.number.saturating_add(halves / 2),
            color: Color::ALL[halves as usize % 2],
        }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = match self.color {
            Color::White => ".",
            Color::Black => "...",
        };
        write!(f, "{}{dots}", self.number)
    }
}
