//! Groups while games are counted.

use std::ops::AddAssign;

use super::Plan;
use super::group::{Entry, Group};
use super::level::Level;
use super::sums::Sums;
use super::value::Facts;
use crate::rules::Color;

/// What has been counted, by the innermost groups only: those they lie in are made of them at the end. So a game costs one
/// count, whatever the number of keys, and the counts lie close together.
#[derive(Clone, Debug)]
pub struct Leaves {
    plan: Plan,
    levels: Vec<Level>,
    /// Of the groups of the last level, or of the one group of all games where there is none.
    sums: Sums,
}

impl Leaves {
    /// No games.
    pub(super) fn new(plan: &Plan) -> Leaves {
        let level = |(nth, key)| Level::new(key, nth == 0);
        let levels: Vec<_> = plan.keys.iter().enumerate().map(level).collect();
        let by_side = levels.iter().any(Level::is_by_player);
        let mut sums = Sums::new(plan, by_side);
        if levels.is_empty() {
            sums.grow(1);
        }
        Leaves {
            plan: plan.clone(),
            levels,
            sums,
        }
    }

    /// Counts a game in the group to which it belongs; or in those of both players.
    #[inline]
    pub(super) fn add(&mut self, entry: &Entry, facts: &Facts<'_>) {
        let mut groups = [0; 2];
        let mut sides = 1;
        for level in &mut self.levels {
            if level.is_by_player() {
                sides = 2;
                let parent = groups[0];
                for (group, side) in groups.iter_mut().zip(Color::ALL) {
                    let value = level.value(facts, side);
                    *group = level.group(parent, value);
                }
                continue;
            }
            let value = level.value(facts, Color::White);
            for group in &mut groups[..sides] {
                *group = level.group(*group, value);
            }
        }
        if let Some(last) = self.levels.last() {
            self.sums.grow(last.len());
        }
        for (&group, side) in groups[..sides].iter().zip(Color::ALL) {
            self.sums.add(group, side, entry);
        }
    }

    /// The group of all games, with those within it.
    pub fn into_group(self) -> Group {
        let Leaves {
            plan, levels, sums, ..
        } = self;
        // From the innermost level outwards, the groups of a level are put into those of the level above.
        let mut inner = Inner {
            groups: (0..levels.last().map_or(1, Level::len) as u32)
                .map(|number| Group::of(sums.counts(number)))
                .collect(),
            sums,
        };
        for (nth, level) in levels.iter().enumerate().rev() {
            let above = nth.checked_sub(1).map(|above| &levels[above]);
            let by_side = levels[..nth].iter().any(Level::is_by_player);
            inner = inner.within(
                level,
                above.map_or(1, Level::len),
                Sums::new(&plan, by_side),
            );
        }
        inner.groups.pop().unwrap_or_default()
    }
}

/// Finished groups of a level.
struct Inner {
    groups: Vec<Group>,
    sums: Sums,
}

impl Inner {
    /// Puts the groups, which are those of a level, into as many groups as there are on the level above.
    fn within(self, level: &Level, count: usize, mut sums: Sums) -> Inner {
        sums.grow(count);
        let mut children = vec![0; count];
        for (number, [parent, _]) in level.groups().enumerate() {
            sums.add_group(parent, &self.sums, number as u32);
            children[parent as usize] += 1;
        }
        let mut groups: Vec<Group> = (0..count as u32)
            .map(|number| Group::of(sums.counts(number)))
            .collect();
        for (group, children) in groups.iter_mut().zip(children) {
            group.by.reserve(children);
        }
        let values: Vec<&str> = level.values().collect();
        for ([parent, value], group) in level.groups().zip(self.groups) {
            let value = values[value as usize].to_owned();
            groups[parent as usize].by.insert(value, group);
        }
        Inner { groups, sums }
    }
}

/// As with groups, the order does not matter.
impl AddAssign for Leaves {
    fn add_assign(&mut self, more: Leaves) {
        // The numbers that the groups of the level above have here.
        let mut above = vec![0];
        for (level, more) in self.levels.iter_mut().zip(&more.levels) {
            let values: Vec<u32> = more.values().map(|value| level.value_of(value)).collect();
            above = more
                .groups()
                .map(|[parent, value]| level.group(above[parent as usize], values[value as usize]))
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
