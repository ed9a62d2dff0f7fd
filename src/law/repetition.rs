//! How often a position has occurred (FIDE Laws 2023 art. 9.2, 9.6.1), counted by 64-bit keys.

use crate::chess::position::Position;
use crate::chess::zobrist::KeyMap;

/// Positions of one game since the last capture or pawn move, by key.
///
/// Castling rights, a legal en passant capture and the side to move are part of the key. Two
/// different positions are taken for the same with a chance of 2⁻⁶⁴ a pair; a
/// `History` compares exactly.
#[derive(Clone, Debug, Default)]
pub struct Repetitions {
    keys: KeyIndex,
    /// Which occurrence of its position each entry is, from 1.
    counts: Vec<u32>,
}

impl Repetitions {
    /// A game that begins with a position, which counts as its first occurrence.
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

    /// Adds the position reached by a move. After a capture or a pawn move (halfmove clock 0)
    /// nothing earlier can occur again.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        if position.halfmoves() == 0 {
            self.clear();
        }
        self.add(position.key());
    }

    /// Occurrences of the newest position, itself included; 0 before the first position.
    #[inline]
    pub fn count(&self) -> usize {
        self.counts.last().map_or(0, |&count| count as usize)
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.counts.clear();
    }

    #[inline]
    fn add(&mut self, key: u64) {
        let previous = self.keys.find(key, |_| true);
        self.counts
            .push(previous.map_or(1, |at| self.counts[at] + 1));
        self.keys.push(key);
    }
}

/// A list of keys in which the newest entry of a key is found fast: a Bloom filter for keys that
/// are new, a scan while the list is short, a hash map once it is long.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyIndex {
    keys: Vec<u64>,
    /// One bit for each key; two keys may share it.
    bloom: [u64; 8],
    /// The newest entry of each key, once the list is long.
    newest: KeyMap<u32>,
}

/// Longest list that is scanned. Games so long without a capture or a pawn move are rare: 150 is
/// the 75-move rule.
pub(crate) const SHORT: usize = 256;

impl KeyIndex {
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.bloom = [0; 8];
        self.newest.clear();
    }

    /// Word and bit of a key in the Bloom filter.
    #[inline]
    fn bit(key: u64) -> (usize, u64) {
        ((key >> 6 & 7) as usize, 1 << (key & 63))
    }

    /// The newest entry of a key that is `right`: different positions may share a key.
    #[inline]
    pub(crate) fn find(&self, key: u64, right: impl Fn(usize) -> bool) -> Option<usize> {
        let (word, bit) = KeyIndex::bit(key);
        if self.bloom[word] & bit == 0 {
            return None;
        }
        let mut end = match self.newest.is_empty() {
            true => self.keys.len(),
            false => *self.newest.get(&key)? as usize + 1,
        };
        while let Some(at) = self.keys[..end].iter().rposition(|&other| other == key) {
            if right(at) {
                return Some(at);
            }
            end = at;
        }
        None
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        let (word, bit) = KeyIndex::bit(key);
        self.bloom[word] |= bit;
        self.keys.push(key);
        if self.keys.len() > SHORT {
            self.push_to_map(key);
        }
    }

    #[cold]
    fn push_to_map(&mut self, key: u64) {
        if self.newest.is_empty() {
            self.newest.extend(self.keys.iter().copied().zip(0..));
        } else {
            self.newest.insert(key, self.keys.len() as u32 - 1);
        }
    }

    #[cfg(test)]
    pub(crate) fn forge_newest(&mut self, key: u64) {
        let last = self.keys.len() - 1;
        self.keys[last] = key;
        let (word, bit) = KeyIndex::bit(key);
        self.bloom[word] |= bit;
        if !self.newest.is_empty() {
            self.newest.insert(key, last as u32);
        }
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
