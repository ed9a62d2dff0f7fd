//! Groups while games are counted.

use std::ops::AddAssign;
use std::sync::Arc;

use crate::chess::Color;
use crate::commands::stats::count::Plan;
use crate::commands::stats::count::column::Column;
use crate::commands::stats::count::group::{CountedGame, Group};
use crate::commands::stats::count::totals::Totals;
use crate::commands::stats::count::value::GameFacts;

/// What has been counted, by the innermost groups only: those they lie in are made of them at the end. So a game costs one
/// count, whatever the number of keys, and the counts lie close together.
#[derive(Clone, Debug)]
pub struct GroupRows {
    plan: Plan,
    levels: Vec<Column>,
    /// Of the groups of the last level, or of the one group of all games where there is none.
    sums: Totals,
    /// Games that are not counted yet: the numbers of their values, level by level, both players' where they are by player.
    values: Vec<u32>,
    entries: Vec<CountedGame>,
}

impl GroupRows {
    /// No games.
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

    /// Counts a game in the group to which it belongs, or in those of both players; not before [`GroupRows::settle`].
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

    /// Counts the games that were added. With many groups the processor waits for memory at every count; done one right after
    /// the other, it waits for several at once.
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

    /// The group of all games, with those within it.
    pub fn into_group(mut self) -> Group {
        self.settle();
        let GroupRows {
            plan, levels, sums, ..
        } = self;
        // From the innermost level outwards, the groups of a level are put into those of the level above.
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

/// Puts the groups of a level into those of the level above, whose counts are `outer`. `groups` are made of the counts where
/// there is nothing in them.
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

/// As with groups, the order does not matter.
impl AddAssign for GroupRows {
    fn add_assign(&mut self, mut more: GroupRows) {
        self.settle();
        more.settle();
        if !self.levels.is_empty() && self.levels.iter().all(|level| level.len() == 0) {
            // There is nothing to add to.
            *self = more;
            return;
        }
        // The numbers that the groups of the level above have here.
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
