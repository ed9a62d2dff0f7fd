//! How often a position has occurred (FIDE Laws 2023 art. 9.2, 9.6.1).

use super::position::Position;

/// The positions of one game since the last move that cannot be taken back, by key.
///
/// Castling rights and a legal en passant capture are part of the key; whose move it is, too. Two different positions
/// are taken for the same with a chance of 2⁻⁶⁴ a pair.
#[derive(Clone, Debug, Default)]
pub struct Repetitions {
    keys: Vec<u64>,
}

impl Repetitions {
    /// The history of a game that begins with a position, which counts as its first occurrence.
    pub fn new(initial: &Position) -> Repetitions {
        let mut repetitions = Repetitions::default();
        repetitions.restart(initial);
        repetitions
    }

    /// Forgets everything and begins with a position; the memory is kept.
    pub fn restart(&mut self, initial: &Position) {
        self.keys.clear();
        self.keys.push(initial.key());
    }

    /// Adds the position reached by a move. After a capture or a pawn move (halfmove clock 0) nothing earlier can
    /// occur again.
    pub fn push(&mut self, position: &Position) {
        if position.halfmoves() == 0 {
            self.keys.clear();
        }
        self.keys.push(position.key());
    }

    /// How many times the newest position has occurred, itself included: 1 or more.
    pub fn count(&self) -> usize {
        match self.keys.split_last() {
            Some((newest, earlier)) => 1 + earlier.iter().filter(|&key| key == newest).count(),
            None => 0,
        }
    }
}
