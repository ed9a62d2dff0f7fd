//! How often a position has occurred (FIDE Laws 2023 art. 9.2, 9.6.1), counted by 64-bit keys.

use crate::chess::position::Position;

/// Positions of one line of play by key, with their occurrences.
///
/// Castling rights, a legal en passant capture and the side to move are part of the key. Two
/// different positions are taken for the same with a chance of 2⁻⁶⁴ a pair; a
/// `History` compares exactly.
#[derive(Clone, Debug, Default)]
pub struct Repetitions {
    keys: KeyIndex,
    /// The positions that had occurred before, by their places in the line, each with the number of
    /// the occurrence. They are few.
    repeated: Vec<(usize, u32)>,
    /// Longest run of plies without a capture or pawn move; 0 while all are short.
    longest: u32,
}

/// Fewest plies after which a position can stand on the board again.
pub(crate) const FEWEST_PLIES_BETWEEN: u32 = 4;

/// Largest memory that is kept for the next game, in positions.
const MOST_KEPT: usize = 1 << 14;

impl Repetitions {
    /// A game that begins with a position, which counts as its first occurrence.
    pub fn new(initial: &Position) -> Repetitions {
        let mut repetitions = Repetitions::default();
        repetitions.push(initial);
        repetitions
    }

    /// Forgets everything and begins with a position.
    pub fn restart(&mut self, initial: &Position) {
        self.clear();
        self.push(initial);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        if self.keys.entries.capacity() > MOST_KEPT {
            *self = Repetitions::default();
        }
        self.keys.clear();
        self.repeated.clear();
        self.longest = 0;
    }

    /// Adds the position reached by a move. After a capture or a pawn move (halfmove clock 0)
    /// nothing earlier can occur again, and no position before the fourth ply after it.
    #[inline(always)]
    pub fn push(&mut self, position: &Position) {
        let (halfmoves, key) = (position.halfmoves(), position.key());
        if halfmoves == 0 {
            // A new run, in which nothing is found.
            self.keys.start = self.keys.entries.len();
        } else if halfmoves >= FEWEST_PLIES_BETWEEN {
            self.longest = self.longest.max(halfmoves);
            if let Some(at) = self.keys.find(key, |_| true) {
                self.note(at);
            }
        }
        self.keys.push(key);
    }

    /// Notes that the position about to be added stood at a place of the line.
    #[cold]
    fn note(&mut self, at: usize) {
        let repeated = self.repeated.binary_search_by_key(&at, |&(at, _)| at);
        let count = repeated.map_or(1, |nth| self.repeated[nth].1);
        self.repeated.push((self.keys.entries.len(), count + 1));
    }

    /// Takes back all positions but the first `length`, of which `newest` is the last.
    pub fn truncate(&mut self, length: usize, newest: &Position) {
        let run = newest.halfmoves() as usize + 1;
        self.keys.truncate(length, length.saturating_sub(run));
        let kept = self.repeated.partition_point(|&(at, _)| at < length);
        self.repeated.truncate(kept);
    }

    /// Occurrences of the newest position, itself included; 0 before the first position.
    #[inline]
    pub fn count(&self) -> usize {
        let newest = self.keys.entries.len().checked_sub(1);
        match (newest, self.repeated.last()) {
            (None, _) => 0,
            (Some(newest), Some(&(at, count))) if at == newest => count as usize,
            _ => 1,
        }
    }

    /// For each position that had occurred before, the number of its occurrence.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = u32> {
        self.repeated.iter().map(|&(_, count)| count)
    }

    /// The keys of all positions.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = u64> + DoubleEndedIterator {
        self.keys.entries.iter().map(|entry| entry.key)
    }

    /// Longest run of plies without a capture or pawn move since the beginning; 0 if no position
    /// could occur again.
    #[inline]
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    /// Number of positions before the last capture or pawn move.
    pub(crate) fn run_start(&self) -> usize {
        self.keys.start
    }
}

/// A list of keys in which the newest entry of a key in the last run is found fast, by chains of
/// entries whose keys end in the same bits.
#[derive(Clone, Debug)]
pub(crate) struct KeyIndex {
    entries: Vec<Entry>,
    /// First entry of the last run.
    start: usize,
    /// For each chain the number of entries up to its newest one; 0 if it has none.
    newest: [u32; CHAINS],
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// As in [`KeyIndex::newest`], for the entry before this one in its chain.
    before: u32,
}

/// Number of chains. Few runs have as many positions.
const CHAINS: usize = 128;

impl Default for KeyIndex {
    fn default() -> KeyIndex {
        KeyIndex {
            entries: Vec::new(),
            start: 0,
            newest: [0; CHAINS],
        }
    }
}

impl KeyIndex {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.start = 0;
        self.newest = [0; CHAINS];
    }

    /// Keeps the first `length` entries, of which those from `start` on are the last run.
    pub(crate) fn truncate(&mut self, length: usize, start: usize) {
        for entry in self.entries.drain(length..).rev() {
            self.newest[chain(entry.key)] = entry.before;
        }
        self.start = start;
    }

    /// The newest entry of a key that is `right`: different positions may share a key.
    #[inline]
    pub(crate) fn find(&self, key: u64, right: impl Fn(usize) -> bool) -> Option<usize> {
        let mut count = self.newest[chain(key)] as usize;
        while count > self.start {
            let entry = self.entries[count - 1];
            if entry.key == key && right(count - 1) {
                return Some(count - 1);
            }
            count = entry.before as usize;
        }
        None
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        let newest = &mut self.newest[chain(key)];
        self.entries.push(Entry {
            key,
            before: *newest,
        });
        *newest = self.entries.len() as u32;
    }
}

/// The chain of a key.
#[inline]
fn chain(key: u64) -> usize {
    key as usize % CHAINS
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
        assert_eq!(repetitions.repeated, [(4, 2)]);
    }
}
