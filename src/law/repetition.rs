//! How often a position has occurred (FIDE Laws 2023 art. 9.2, 9.6.1).

use crate::chess::position::Position;
use crate::chess::zobrist::KeyMap;

/// The positions of one game since the last move that cannot be taken back, by key.
///
/// Castling rights and a legal en passant capture are part of the key; whose move it is, too. Two different positions
/// are taken for the same with a chance of 2⁻⁶⁴ a pair.
#[derive(Clone, Debug, Default)]
pub struct Repetitions {
    /// The positions while they are few: looking through them is then faster than any table.
    few: Vec<u64>,
    /// How often each position has occurred, once they are many.
    many: KeyMap<usize>,
    newest: u64,
    /// One bit for each position before the newest, by its key; two positions may have the same.
    seen: [u64; 8],
    /// Whether the newest position may have occurred before.
    again: bool,
}

/// Up to here positions are looked through; 100 is the fifty-move rule, 150 the 75-move rule.
const FEW: usize = 256;

impl Repetitions {
    /// The history of a game that begins with a position, which counts as its first occurrence.
    pub fn new(initial: &Position) -> Repetitions {
        let mut repetitions = Repetitions::default();
        repetitions.restart(initial);
        repetitions
    }

    /// Forgets everything and begins with a position; the memory is kept.
    pub fn restart(&mut self, initial: &Position) {
        self.clear();
        self.add(initial.key());
    }

    /// Adds the position reached by a move. After a capture or a pawn move (halfmove clock 0) nothing earlier can
    /// occur again.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        if position.halfmoves() == 0 {
            self.clear();
        }
        self.add(position.key());
    }

    /// How many times the newest position has occurred, itself included: 1 or more, and 0 before the first position.
    #[inline]
    pub fn count(&self) -> usize {
        if !self.again {
            // As a rule; that none of them is the newest need not be found out one by one.
            usize::from(!self.few.is_empty())
        } else if self.many.is_empty() {
            self.few.iter().filter(|&&key| key == self.newest).count()
        } else {
            self.many.get(&self.newest).copied().unwrap_or(0)
        }
    }

    fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
        self.seen = [0; 8];
    }

    #[inline]
    fn add(&mut self, key: u64) {
        self.newest = key;
        let word = &mut self.seen[(key >> 6 & 7) as usize];
        let bit = 1 << (key & 63);
        self.again = *word & bit != 0;
        *word |= bit;
        if self.few.len() < FEW {
            self.few.push(key);
        } else {
            self.add_to_many(key);
        }
    }

    #[cold]
    fn add_to_many(&mut self, key: u64) {
        if self.many.is_empty() {
            for &key in &self.few {
                *self.many.entry(key).or_default() += 1;
            }
        }
        *self.many.entry(key).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::San;

    #[test]
    fn knights_to_and_fro_a_thousand_times() {
        let mut position = Position::initial();
        let mut repetitions = Repetitions::new(&position);
        for round in 1..=1_000 {
            for san in ["Nf3", "Nf6", "Ng1", "Ng8"] {
                let san = San::from_ascii(san.as_bytes()).unwrap();
                position.play_unchecked(san.to_move(&position).unwrap());
                repetitions.push(&position);
                let earlier = usize::from(position.key() == Position::initial().key());
                assert_eq!(repetitions.count(), round + earlier);
            }
        }
    }
}
