//! Rows of groups while games are counted.

use std::ops::AddAssign;
use std::sync::Arc;

use crate::chess::Color;
use crate::commands::stats::count::Plan;
use crate::commands::stats::count::column::Column;
use crate::commands::stats::count::group::{CountedGame, Group};
use crate::commands::stats::count::totals::Totals;
use crate::commands::stats::count::value::GameFacts;

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
