//! Following moves that are forced.

use std::fmt;

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::winnability::material::is_insufficient;
use crate::winnability::states::State;

/// How a line of forced moves ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ForcedEnd {
    /// The side that was to win is mated itself.
    Mated,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Too little is left to mate with.
    Material,
    /// The line comes back to a position it has passed.
    Repetition,
}

impl fmt::Display for ForcedEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ForcedEnd::Mated => "checkmate by the other side",
            ForcedEnd::Stalemate => "stalemate",
            ForcedEnd::Material => "insufficient material",
            ForcedEnd::Repetition => "a repetition",
        })
    }
}

/// What forced moves lead to.
pub(crate) enum Forced {
    /// Mate by the side in question.
    Mate(Vec<Move>),
    /// No mate by it.
    NoMate(Vec<Move>, ForcedEnd),
    /// A choice.
    Choice,
}

/// Plays on while there is a single legal move.
pub(crate) fn follow(position: &Position, side: Color) -> Forced {
    let mut line = Vec::new();
    let mut seen = Vec::new();
    let mut position = position.clone();
    loop {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return match (position.is_check(), position.turn() == side) {
                (true, false) => Forced::Mate(line),
                (true, true) => Forced::NoMate(line, ForcedEnd::Mated),
                (false, _) => Forced::NoMate(line, ForcedEnd::Stalemate),
            };
        }
        if is_insufficient(position.board(), side) {
            return Forced::NoMate(line, ForcedEnd::Material);
        }
        let [mv] = moves[..] else {
            return Forced::Choice;
        };
        let state = State::of(&position);
        if seen.contains(&state) {
            return Forced::NoMate(line, ForcedEnd::Repetition);
        }
        seen.push(state);
        line.push(mv);
        position.play_unchecked(mv);
    }
}
