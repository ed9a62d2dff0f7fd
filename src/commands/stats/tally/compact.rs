//! Tallies that take little room.

use hashbrown::HashMap;

use crate::commands::stats::tally::Tally;
use crate::commands::stats::tally::group::Outcome;

/// Tallies by number, in half the memory: with many groups, counting a game is waiting for memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tallies {
    /// One count for each outcome.
    counts: Vec<[u32; Outcome::COUNT]>,
    /// What is beyond 32 bits of a tally's counts.
    beyond: HashMap<usize, [u64; Outcome::COUNT]>,
}

impl Tallies {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Makes room for so many.
    pub fn resize(&mut self, count: usize) {
        self.counts.resize(count, [0; Outcome::COUNT]);
    }

    /// Counts one game.
    #[inline]
    pub fn add(&mut self, number: usize, outcome: Outcome) {
        // Not by cases: which one it is cannot be foreseen.
        let count = &mut self.counts[number][outcome as usize];
        *count = count.wrapping_add(1);
        if *count == 0 {
            self.carry(number, outcome as usize, 1);
        }
    }

    /// Adds one of others.
    pub fn add_tally(&mut self, number: usize, more: &Tallies, other: usize) {
        for nth in 0..Outcome::COUNT {
            let (count, carries) =
                self.counts[number][nth].overflowing_add(more.counts[other][nth]);
            self.counts[number][nth] = count;
            if carries {
                self.carry(number, nth, 1);
            }
        }
        if let Some(beyond) = more.beyond.get(&other) {
            for (nth, &more) in beyond.iter().enumerate() {
                self.carry(number, nth, more);
            }
        }
    }

    /// One of them.
    pub fn tally(&self, number: usize) -> Tally {
        let beyond = match self.beyond.is_empty() {
            true => None,
            false => self.beyond.get(&number),
        };
        let count = |outcome: Outcome| {
            let beyond = beyond.map_or(0, |beyond| beyond[outcome as usize]);
            (beyond << 32) + u64::from(self.counts[number][outcome as usize])
        };
        Tally {
            white: count(Outcome::White),
            black: count(Outcome::Black),
            draws: count(Outcome::Draw),
            unfinished: count(Outcome::Unfinished),
            other: count(Outcome::Other),
            unreadable: count(Outcome::Unreadable),
        }
    }

    #[cold]
    fn carry(&mut self, number: usize, nth: usize, more: u64) {
        self.beyond.entry(number).or_default()[nth] += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_on_beyond_32_bits() {
        let mut tallies = Tallies::default();
        tallies.resize(2);
        tallies.counts[1] = [u32::MAX; Outcome::COUNT];
        tallies.add(1, Outcome::Draw);
        tallies.add(0, Outcome::White);
        let most = u64::from(u32::MAX);
        let expected = Tally {
            white: most,
            black: most,
            draws: most + 1,
            unfinished: most,
            other: most,
            unreadable: most,
        };
        assert_eq!(tallies.tally(1), expected);
        let mut sum = tallies.clone();
        for number in 0..2 {
            sum.add_tally(number, &tallies, 1);
        }
        let mut twice = expected;
        twice += expected;
        assert_eq!(sum.tally(1), twice);
        twice = expected;
        twice.white += 1;
        assert_eq!(sum.tally(0), twice);
    }
}
