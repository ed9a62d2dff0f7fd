//! Totals of numbered groups while games are counted.

use crate::chess::Color;
use crate::commands::stats::count::Tally;
use crate::commands::stats::count::draws::DrawKinds;
use crate::commands::stats::count::group::GameOutcome;
use crate::commands::stats::count::group::{CountedGame, Counts};
use crate::commands::stats::count::{Plan, ResultSource};
use hashbrown::HashMap;

/// Counts of numbered groups. Groups of a player, and groups within them, are counted separately by
/// the player's colour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    by_side: bool,
    /// One for each group, or two, White's first.
    tallies: PackedCounts,
    /// Likewise; `None` if draws are not counted by kind.
    kinds: Option<Vec<DrawKinds>>,
    /// Likewise, changed and undecided games; `None` for recorded results.
    ruled: Option<Vec<[u64; 2]>>,
}

impl Totals {
    /// Totals without groups.
    pub fn new(plan: &Plan, by_side: bool) -> Totals {
        Totals {
            by_side,
            tallies: PackedCounts::default(),
            kinds: plan.draws.then(Vec::new),
            ruled: (plan.source == ResultSource::Rules).then(Vec::new),
        }
    }

    /// Grows to at least this many groups.
    #[inline]
    pub fn grow(&mut self, groups: usize) {
        let places = groups << u32::from(self.by_side);
        if self.tallies.len() < places {
            self.tallies.resize(places);
            if let Some(kinds) = &mut self.kinds {
                kinds.resize(places, DrawKinds::default());
            }
            if let Some(ruled) = &mut self.ruled {
                ruled.resize(places, [0; 2]);
            }
        }
    }

    /// Counts a game in a group; `side` is the colour of the player in the groups of players.
    #[inline]
    pub fn add(&mut self, group: u32, side: Color, entry: &CountedGame) {
        let place = self.place(group, side);
        self.tallies.add(place, entry.outcome);
        if let (Some(kinds), Some(kind)) = (&mut self.kinds, entry.kind) {
            kinds[place].add(kind, 1);
        }
        if let Some(ruled) = &mut self.ruled {
            ruled[place][0] += u64::from(entry.changed);
            ruled[place][1] += u64::from(entry.undecided);
        }
    }

    /// Adds a group of other totals. A game is in the groups of two players, and counts once in a
    /// group that is not by side.
    pub fn add_group(&mut self, group: u32, more: &Totals, other: u32) {
        let sides = match self.by_side {
            true => &Color::ALL[..],
            false => &[Color::White],
        };
        for &side in sides {
            let (place, other) = (self.place(group, side), more.place(other, side));
            self.tallies.add_tally(place, &more.tallies, other);
            if let (Some(kinds), Some(more)) = (&mut self.kinds, &more.kinds) {
                kinds[place] += more[other];
            }
            if let (Some(ruled), Some(more)) = (&mut self.ruled, &more.ruled) {
                for (sum, more) in ruled[place].iter_mut().zip(more[other]) {
                    *sum += more;
                }
            }
        }
    }

    /// Counts of a group.
    pub fn counts(&self, group: u32) -> Counts {
        let first = self.place(group, Color::White);
        let sides = (self.by_side).then(|| [0, 1].map(|side| self.tallies.tally(first + side)));
        let mut counts = Counts {
            tally: match sides {
                Some([white, black]) => white + black,
                None => self.tallies.tally(first),
            },
            sides: sides.map(Box::new),
            draw_kinds: self.kinds.is_some().then(Box::default),
            ..Counts::default()
        };
        let places = first..first + 1 + usize::from(self.by_side);
        if let (Some(sum), Some(kinds)) = (&mut counts.draw_kinds, &self.kinds) {
            for &kinds in &kinds[places.clone()] {
                **sum += kinds;
            }
        }
        if let Some(ruled) = &self.ruled {
            for [changed, undecided] in &ruled[places] {
                counts.changed += changed;
                counts.undecided += undecided;
            }
        }
        counts
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.tallies.len() >> u32::from(self.by_side)
    }

    #[inline]
    fn place(&self, group: u32, side: Color) -> usize {
        match self.by_side {
            true => 2 * group as usize + side.index(),
            false => group as usize,
        }
    }
}

/// Tallies of 32 bits a count: with many groups, counting is limited by cache misses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedCounts {
    /// One count for each outcome.
    counts: Vec<[u32; GameOutcome::COUNT]>,
    /// Upper parts of counts beyond 32 bits.
    beyond: HashMap<usize, [u64; GameOutcome::COUNT]>,
}

impl PackedCounts {
    /// Number of tallies.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Resizes.
    pub fn resize(&mut self, count: usize) {
        self.counts.resize(count, [0; GameOutcome::COUNT]);
    }

    /// Counts one game.
    #[inline]
    pub fn add(&mut self, number: usize, outcome: GameOutcome) {
        // No match: the branch would be unpredictable.
        let count = &mut self.counts[number][outcome as usize];
        *count = count.wrapping_add(1);
        if *count == 0 {
            self.carry(number, outcome as usize, 1);
        }
    }

    /// Adds a tally of others.
    pub fn add_tally(&mut self, number: usize, more: &PackedCounts, other: usize) {
        for nth in 0..GameOutcome::COUNT {
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

    /// One tally.
    pub fn tally(&self, number: usize) -> Tally {
        let beyond = match self.beyond.is_empty() {
            true => None,
            false => self.beyond.get(&number),
        };
        let count = |outcome: GameOutcome| {
            let beyond = beyond.map_or(0, |beyond| beyond[outcome as usize]);
            (beyond << 32) + u64::from(self.counts[number][outcome as usize])
        };
        Tally {
            white: count(GameOutcome::White),
            black: count(GameOutcome::Black),
            draws: count(GameOutcome::Draw),
            unfinished: count(GameOutcome::Unfinished),
            other: count(GameOutcome::Other),
            unreadable: count(GameOutcome::Unreadable),
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
        let mut tallies = PackedCounts::default();
        tallies.resize(2);
        tallies.counts[1] = [u32::MAX; GameOutcome::COUNT];
        tallies.add(1, GameOutcome::Draw);
        tallies.add(0, GameOutcome::White);
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
