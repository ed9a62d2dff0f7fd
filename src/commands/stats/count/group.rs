//! Groups of games, the groups within them, and the choice and order of those that are shown.

use std::ops::AddAssign;

use hashbrown::HashMap;

use crate::chess::Color;
use crate::commands::stats::count::counts::{CountedGame, Counts};
use crate::commands::stats::count::key::{GameFacts, Key};

/// Groups by the value of a key; an unknown value is empty. Boxes keep the table small.
pub(crate) type Groups = HashMap<String, Box<Group>>;

/// A group of games and the groups within it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// All games of the group.
    pub counts: Counts,
    /// Groups within it by the next key.
    pub(crate) by: Groups,
}

impl Group {
    /// Adds a game, of a player with the colour `side`, and to the groups by `keys`: to those of
    /// both players if one is `player`. `value` is memory.
    pub(crate) fn add(
        &mut self,
        game: &CountedGame,
        facts: &GameFacts<'_>,
        keys: &[Key],
        side: Option<Color>,
        value: &mut String,
    ) {
        self.counts.add(game, side);
        let Some((key, rest)) = keys.split_first() else {
            return;
        };
        let sides = match key {
            Key::Player => &[Some(Color::White), Some(Color::Black)][..],
            _ => &[side],
        };
        for &side in sides {
            let name = facts.value(key, side.unwrap_or(Color::White), value);
            let group = self.by.entry_ref(&*name);
            let group = group.or_insert_with(|| {
                let counts = Counts::new(side.is_some());
                let by = Groups::default();
                Box::new(Group { counts, by })
            });
            drop(name);
            group.add(game, facts, rest, side, value);
        }
    }
}

/// Commutative and associative, as only integers are kept: games can be counted in any order and in
/// any parts.
impl AddAssign for Group {
    fn add_assign(&mut self, more: Group) {
        self.counts += more.counts;
        if self.by.is_empty() {
            self.by = more.by;
            return;
        }
        for (value, group) in more.by {
            **self.by.entry(value).or_default() += *group;
        }
    }
}

/// Filter for the groups that are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GroupFilter {
    /// Limit for each level; the largest groups are shown.
    pub top: Option<usize>,
    /// Minimum number of games.
    pub min_games: u64,
}

/// Shown groups of one level.
#[derive(Clone, Debug)]
pub(crate) struct ShownGroups<'a> {
    /// Groups in order, with their values.
    pub groups: Vec<(&'a str, &'a Group)>,
    /// Number of hidden groups.
    pub left_out: usize,
}

impl GroupFilter {
    /// Shown groups within a group. Ordered keys (year, Elo) sort ascending unless `top` is set,
    /// others by number of games; unknown last. Equal ones sort as text.
    pub(crate) fn of<'a>(self, key: &Key, group: &'a Group) -> ShownGroups<'a> {
        let is_ordered = key.is_ordered();
        let mut groups = Vec::with_capacity(group.by.len());
        for (value, group) in &group.by {
            let games = group.counts.tally().seen();
            if games < self.min_games {
                continue;
            }
            let unknown = value.is_empty();
            let largest_first = -(games as i64);
            let order = match self.top {
                None if is_ordered => (unknown, key.place(value).unwrap_or(i64::MAX), false),
                None => (unknown, largest_first, false),
                Some(_) => (false, largest_first, unknown),
            };
            groups.push((order, &**value, &**group));
        }
        groups.sort_unstable_by_key(|&(order, value, _)| (order, value));
        groups.truncate(self.top.unwrap_or(usize::MAX));
        ShownGroups {
            left_out: group.by.len() - groups.len(),
            groups: groups
                .into_iter()
                .map(|(_, value, group)| (value, group))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::stats::count::{Counts, Tally};

    fn groups(values: &[(&str, u64)]) -> Group {
        let group = |&(value, draws): &(&str, u64)| {
            let tally = Tally {
                draws,
                ..Tally::default()
            };
            let counts = Counts::from(tally);
            let by = Groups::default();
            (value.to_owned(), Box::new(Group { counts, by }))
        };
        let by = values.iter().map(group).collect();
        Group {
            by,
            ..Group::default()
        }
    }

    #[test]
    fn groups_of_one_value_are_added() {
        let check = |first: &[_], second: &[_], expected: &[_]| {
            for [first, second] in [[first, second], [second, first]] {
                let mut sum = groups(first);
                sum += groups(second);
                assert_eq!(sum, groups(expected));
            }
        };
        check(&[], &[], &[]);
        check(&[("a", 1)], &[], &[("a", 1)]);
        check(&[("a", 1)], &[("a", 2)], &[("a", 3)]);
        check(
            &[("d", 1), ("b", 2)],
            &[("a", 4), ("b", 8), ("c", 16), ("e", 32)],
            &[("a", 4), ("b", 10), ("c", 16), ("d", 1), ("e", 32)],
        );
    }
}
