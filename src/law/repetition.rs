//! How often a position has occurred (FIDE Laws 2023 art. 9.2, 9.6.1), counted by 64-bit keys.

use crate::chess::position::Position;
use crate::chess::zobrist::KeyMap;

/// Positions of one line of play by key, with their occurrences.
///
/// Castling rights, a legal en passant capture and the side to move are part of the key. Two
/// different positions are taken for the same with a chance of 2⁻⁶⁴ a pair; a
/// `History` compares exactly.
#[derive(Clone, Debug, Default)]
pub struct Repetitions {
    keys: KeyIndex,
    /// Number of the occurrence that each position is, from 1.
    counts: Vec<u32>,
    /// The largest of them since the beginning.
    most: u32,
    /// Longest run of plies without a capture or pawn move.
    longest: u32,
}

/// Plies of a game that need no further memory.
const USUAL: usize = 256;

/// Largest memory that is kept for the next game, in positions.
const MOST_KEPT: usize = 1 << 14;

impl Repetitions {
    /// A game that begins with a position, which counts as its first occurrence.
    pub fn new(initial: &Position) -> Repetitions {
        let mut repetitions = Repetitions::default();
        repetitions.keys.keys.reserve(USUAL);
        repetitions.counts.reserve(USUAL);
        repetitions.push(initial);
        repetitions
    }

    /// Forgets everything and begins with a position.
    pub fn restart(&mut self, initial: &Position) {
        if self.counts.capacity() > MOST_KEPT {
            *self = Repetitions::default();
        }
        self.keys.clear();
        self.counts.clear();
        (self.most, self.longest) = (0, 0);
        self.push(initial);
    }

    /// Adds the position reached by a move. After a capture or a pawn move (halfmove clock 0)
    /// nothing earlier can occur again.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        let (halfmoves, key) = (position.halfmoves(), position.key());
        if halfmoves == 0 {
            self.keys.begin_run();
        }
        let previous = self.keys.find(key, |_| true);
        let count = previous.map_or(1, |at| self.counts[at] + 1);
        self.keys.push(key);
        self.counts.push(count);
        self.most = self.most.max(count);
        self.longest = self.longest.max(halfmoves);
    }

    /// Takes back all positions but the first `length`, of which `newest` is the last.
    pub(crate) fn truncate(&mut self, length: usize, newest: &Position) {
        let run = newest.halfmoves() as usize + 1;
        self.keys.truncate(length, length.saturating_sub(run));
        self.counts.truncate(length);
    }

    /// Occurrences of the newest position, itself included; 0 before the first position.
    #[inline]
    pub fn count(&self) -> usize {
        self.counts.last().map_or(0, |&count| count as usize)
    }

    /// Occurrences of each position until then.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The keys of all positions.
    pub(crate) fn keys(&self) -> &[u64] {
        &self.keys.keys
    }

    /// Most occurrences of any position since the beginning.
    #[inline]
    pub(crate) fn most(&self) -> u32 {
        self.most
    }

    /// Longest run of plies without a capture or pawn move since the beginning.
    #[inline]
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    /// Number of positions before the last capture or pawn move.
    pub(crate) fn run_start(&self) -> usize {
        self.keys.start
    }
}

/// A list of keys in which the newest entry of a key in the last run is found fast: a Bloom filter
/// for keys that are new, a scan while the run is short, a hash map once it is long.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyIndex {
    keys: Vec<u64>,
    /// First entry of the last run.
    start: usize,
    /// One bit for each key of the run; two keys may share it.
    bloom: [u64; 8],
    /// The newest entry of each key, once the run is long.
    newest: KeyMap<u32>,
}

/// Longest run that is scanned. Games so long without a capture or a pawn move are rare: 150 is
/// the 75-move rule.
pub(crate) const SHORT: usize = 256;

impl KeyIndex {
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.begin_run();
    }

    /// Begins a run, which leaves nothing to be found.
    #[inline]
    fn begin_run(&mut self) {
        self.start = self.keys.len();
        self.bloom = [0; 8];
        self.newest.clear();
    }

    /// Keeps the first `length` entries, of which those from `start` on are the last run. In the
    /// same run the filter and the map may still know what is gone.
    fn truncate(&mut self, length: usize, start: usize) {
        if start == self.start {
            self.keys.truncate(length);
            return;
        }
        let kept: Vec<u64> = self.keys[start..length].to_vec();
        self.keys.truncate(start);
        self.begin_run();
        kept.into_iter().for_each(|key| self.push(key));
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
        let mut end = self.keys.len();
        if !self.newest.is_empty() {
            end = end.min(*self.newest.get(&key)? as usize + 1);
        }
        while let Some(at) = self.keys[self.start..end]
            .iter()
            .rposition(|&other| other == key)
        {
            end = self.start + at;
            if right(end) {
                return Some(end);
            }
        }
        None
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        let (word, bit) = KeyIndex::bit(key);
        self.bloom[word] |= bit;
        self.keys.push(key);
        if self.keys.len() - self.start > SHORT || !self.newest.is_empty() {
            self.push_to_map(key);
        }
    }

    #[cold]
    fn push_to_map(&mut self, key: u64) {
        if self.newest.is_empty() {
            let run = self.keys[self.start..].iter().copied();
            self.newest.extend(run.zip(self.start as u32..));
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
        repetitions.truncate(4 * 20 + 1, &position);
        assert_eq!(repetitions.count(), 21);
        for (san, count) in ["Nf3", "Nf6", "Ng1", "Ng8"]
            .into_iter()
            .zip([21, 21, 21, 22])
        {
            let san = San::from_ascii(san.as_bytes()).unwrap();
            position.play_unchecked(san.to_move(&position).unwrap());
            repetitions.push(&position);
            assert_eq!(repetitions.count(), count);
        }
    }

    #[test]
    fn a_line_taken_back_over_a_pawn_move_counts_as_before() {
        let mut position = Position::initial();
        let mut repetitions = Repetitions::new(&position);
        let play = |repetitions: &mut Repetitions, position: &mut Position, sans: &[&str]| {
            for san in sans {
                let san = San::from_ascii(san.as_bytes()).unwrap();
                position.play_unchecked(san.to_move(position).unwrap());
                repetitions.push(position);
            }
        };
        play(&mut repetitions, &mut position, &["Nf3", "Nf6", "Ng1"]);
        let before = position.clone();
        play(&mut repetitions, &mut position, &["e5", "Nc3"]);
        repetitions.truncate(4, &before);
        play(&mut repetitions, &mut before.clone(), &["Ng8"]);
        assert_eq!(repetitions.count(), 2);
        assert_eq!(repetitions.counts(), [1, 1, 1, 1, 2]);
    }
}
