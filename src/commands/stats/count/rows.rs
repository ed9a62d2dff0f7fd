//! Rows of groups, and their totals, while games are counted.

use std::ops::AddAssign;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::chess::Color;
use crate::commands::stats::count::column::Column;
use crate::commands::stats::count::counts::DrawKinds;
use crate::commands::stats::count::counts::{CountedGame, CountedResult, Counts};
use crate::commands::stats::count::group::Group;
use crate::commands::stats::count::key::GameFacts;
use crate::commands::stats::count::{Plan, ResultSource, Tally};

/// Counts of the innermost groups; outer groups are summed at the end. A game costs one count for
/// any number of keys.
#[derive(Clone, Debug)]
pub struct GroupRows {
    plan: Plan,
    levels: Vec<Column>,
    /// Totals of the last column, or of all games if there is no column.
    sums: Totals,
    /// Values of the games that are not counted yet, column by column, two for the key `player`.
    values: Vec<u32>,
    entries: Vec<CountedGame>,
}

impl GroupRows {
    /// Rows without games.
    pub(crate) fn new(plan: &Plan) -> GroupRows {
        let level = |(nth, key)| Column::new(key, nth == 0);
        let levels: Vec<_> = plan.keys.iter().enumerate().map(level).collect();
        let by_side = levels.iter().any(Column::is_by_player);
        let mut sums = Totals::new(plan, by_side);
        if levels.is_empty() {
            sums.grow(1);
        }
        GroupRows {
            plan: plan.clone(),
            levels,
            sums,
            values: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Adds a game to its group, or to those of both players; not before [`GroupRows::settle`].
    #[inline]
    pub(crate) fn add(&mut self, entry: &CountedGame, facts: &GameFacts<'_>) {
        if self.levels.is_empty() {
            self.sums.add(0, Color::White, entry);
            return;
        }
        for level in &mut self.levels {
            self.values.push(level.value(facts, Color::White));
            if level.is_by_player() {
                self.values.push(level.value(facts, Color::Black));
            }
        }
        self.entries.push(*entry);
    }

    /// Counts the added games. With many groups each count is a cache miss; a tight loop overlaps
    /// them.
    pub(crate) fn settle(&mut self) {
        let GroupRows {
            levels,
            sums,
            values,
            entries,
            ..
        } = self;
        let mut values = values.drain(..);
        for entry in entries.drain(..) {
            let mut groups = [0; 2];
            let mut sides = 1;
            let mut next = || values.next().unwrap_or_default();
            for level in &mut *levels {
                if level.is_by_player() {
                    sides = 2;
                    groups = [groups[0]; 2].map(|parent| level.group(parent, next()));
                } else {
                    let value = next();
                    for group in &mut groups[..sides] {
                        *group = level.group(*group, value);
                    }
                }
            }
            if let Some(last) = levels.last() {
                sums.grow(last.len());
            }
            for (&group, side) in groups[..sides].iter().zip(Color::ALL) {
                sums.add(group, side, &entry);
            }
        }
    }

    /// Group of all games, with the groups within it.
    pub fn into_group(mut self) -> Group {
        self.settle();
        let GroupRows {
            plan, levels, sums, ..
        } = self;
        // From the innermost column outwards, groups move into their parents.
        let mut within: Option<Vec<Group>> = None;
        let mut sums = sums;
        for (nth, level) in levels.iter().enumerate().rev() {
            let above = &levels[..nth];
            let by_side = above.iter().any(Column::is_by_player);
            let mut outer = Totals::new(&plan, by_side);
            outer.grow(above.last().map_or(1, Column::len));
            within = Some(gather(level, within, &sums, &mut outer));
            sums = outer;
        }
        let whole = within.and_then(|mut whole| whole.pop());
        whole.unwrap_or_else(|| Group::of(sums.counts(0)))
    }
}

/// Moves the groups of a column into their parents, whose counts are `outer`.
fn gather(
    level: &Column,
    mut groups: Option<Vec<Group>>,
    sums: &Totals,
    outer: &mut Totals,
) -> Vec<Group> {
    let mut children = vec![0; outer.len()];
    for (number, &[parent, _]) in level.groups().iter().enumerate() {
        outer.add_group(parent, sums, number as u32);
        children[parent as usize] += 1;
    }
    let mut gathered: Vec<Group> = (0..)
        .zip(children)
        .map(|(number, children)| {
            let mut group = Group::of(outer.counts(number));
            group.by.reserve(children);
            group
        })
        .collect();
    let values: Vec<Arc<str>> = level.values().map(Arc::from).collect();
    for number in level.in_order() {
        let [parent, value] = level.groups()[number as usize];
        let group = match &mut groups {
            Some(groups) => std::mem::take(&mut groups[number as usize]),
            None => Group::of(sums.counts(number)),
        };
        let value = Arc::clone(&values[value as usize]);
        gathered[parent as usize].by.push(value, group);
    }
    gathered
}

/// Commutative and associative, as for groups.
impl AddAssign for GroupRows {
    fn add_assign(&mut self, mut more: GroupRows) {
        self.settle();
        more.settle();
        if !self.levels.is_empty() && self.levels.iter().all(|level| level.len() == 0) {
            // Nothing to add to.
            *self = more;
            return;
        }
        // Numbers of the parents in `self`.
        let mut above = vec![0];
        for (level, more) in self.levels.iter_mut().zip(&more.levels) {
            let values: Vec<u32> = more.values().map(|value| level.value_of(value)).collect();
            above = more
                .groups()
                .iter()
                .map(|&[parent, value]| level.group(above[parent as usize], values[value as usize]))
                .collect();
        }
        if let Some(last) = self.levels.last() {
            self.sums.grow(last.len());
        }
        for (other, &group) in above.iter().enumerate() {
            self.sums.add_group(group, &more.sums, other as u32);
        }
    }
}

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
    pub(crate) fn new(plan: &Plan, by_side: bool) -> Totals {
        Totals {
            by_side,
            tallies: PackedCounts::default(),
            kinds: plan.draws.then(Vec::new),
            ruled: (plan.source == ResultSource::Rules).then(Vec::new),
        }
    }

    /// Grows to at least this many groups.
    #[inline]
    pub(crate) fn grow(&mut self, groups: usize) {
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
    pub(crate) fn add(&mut self, group: u32, side: Color, entry: &CountedGame) {
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
    pub(crate) fn add_group(&mut self, group: u32, more: &Totals, other: u32) {
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
    pub(crate) fn counts(&self, group: u32) -> Counts {
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
    pub(crate) fn len(&self) -> usize {
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
    counts: Vec<[u32; CountedResult::COUNT]>,
    /// Upper parts of counts beyond 32 bits.
    beyond: HashMap<usize, [u64; CountedResult::COUNT]>,
}

impl PackedCounts {
    /// Number of tallies.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Resizes.
    pub(crate) fn resize(&mut self, count: usize) {
        self.counts.resize(count, [0; CountedResult::COUNT]);
    }

    /// Counts one game.
    #[inline]
    pub(crate) fn add(&mut self, number: usize, outcome: CountedResult) {
        // No match: the branch would be unpredictable.
        let count = &mut self.counts[number][outcome as usize];
        *count = count.wrapping_add(1);
        if *count == 0 {
            self.carry(number, outcome as usize, 1);
        }
    }

    /// Adds a tally of others.
    pub(crate) fn add_tally(&mut self, number: usize, more: &PackedCounts, other: usize) {
        for nth in 0..CountedResult::COUNT {
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
    pub(crate) fn tally(&self, number: usize) -> Tally {
        let beyond = match self.beyond.is_empty() {
            true => None,
            false => self.beyond.get(&number),
        };
        let count = |outcome: CountedResult| {
            let beyond = beyond.map_or(0, |beyond| beyond[outcome as usize]);
            (beyond << 32) + u64::from(self.counts[number][outcome as usize])
        };
        Tally {
            white: count(CountedResult::White),
            black: count(CountedResult::Black),
            draws: count(CountedResult::Draw),
            unfinished: count(CountedResult::Unfinished),
            other: count(CountedResult::Other),
            unreadable: count(CountedResult::Unreadable),
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
        tallies.counts[1] = [u32::MAX; CountedResult::COUNT];
        tallies.add(1, CountedResult::Draw);
        tallies.add(0, CountedResult::White);
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
