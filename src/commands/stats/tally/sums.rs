//! Counts side by side, by number.

use crate::chess::Color;
use crate::commands::stats::tally::compact::Tallies;
use crate::commands::stats::tally::draws::DrawKinds;
use crate::commands::stats::tally::group::{Counts, Entry};
use crate::commands::stats::tally::{Plan, ResultSource};

/// The counts of numbered groups. Where a group is a player's, or lies within one, games are counted apart by the player's
/// colour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    by_side: bool,
    /// One for each group, or two, White's first.
    tallies: Tallies,
    /// As many, or none where kinds of draws are not counted.
    kinds: Option<Vec<DrawKinds>>,
    /// As many, or none where results are those on record: the games whose result changes, and those whose result the rules
    /// leave open.
    ruled: Option<Vec<[u64; 2]>>,
}

impl Sums {
    /// No groups.
    pub fn new(plan: &Plan, by_side: bool) -> Sums {
        Sums {
            by_side,
            tallies: Tallies::default(),
            kinds: plan.draws.then(Vec::new),
            ruled: (plan.source == ResultSource::Rules).then(Vec::new),
        }
    }

    /// Makes room for so many groups at least.
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

    /// Counts a game in a group, of a player who had that colour; which matters only in a player's group.
    #[inline]
    pub fn add(&mut self, group: u32, side: Color, entry: &Entry) {
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

    /// Adds a group of others to one of these. Every game is in two groups of players, and counts once where these are not by
    /// side.
    pub fn add_group(&mut self, group: u32, more: &Sums, other: u32) {
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

    /// What is counted of a group.
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

    /// How many groups there are.
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
