//! Groups of games, the groups within them, and the choice and order of those that are shown.

use crate::commands::stats::count::counts::Counts;
use crate::commands::stats::count::key::{Key, first_number};
use crate::pgn::values::time_control::Speed;
use std::cmp::Reverse;
use std::ops::AddAssign;
use std::sync::Arc;

/// A group of games and the groups within it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// All games of the group.
    pub counts: Counts,
    /// Groups within it by the value of the next key; an unknown value is empty.
    pub by: Groups,
}

impl Group {
    /// Group without inner groups.
    pub(crate) fn of(counts: Counts) -> Group {
        Group {
            counts,
            by: Groups::default(),
        }
    }
}

/// Commutative and associative, as only integers are kept: games can be counted in any order and in
/// any parts.
impl AddAssign for Group {
    fn add_assign(&mut self, more: Group) {
        self.counts += more.counts;
        self.by += more.by;
    }
}

/// Groups by the value of a key, sorted by value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups(Vec<(Arc<str>, Group)>);

impl Groups {
    /// Groups in any order.
    ///
    /// # Errors
    ///
    /// A repeated value.
    pub(crate) fn new(mut groups: Vec<(Arc<str>, Group)>) -> Result<Groups, Arc<str>> {
        groups.sort_by(|(first, _), (second, _)| first.cmp(second));
        match groups.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(Arc::clone(&pair[0].0)),
            None => Ok(Groups(groups)),
        }
    }

    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no groups.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Group of a value.
    pub(crate) fn get(&self, value: &str) -> Option<&Group> {
        let place = self.0.binary_search_by(|(found, _)| (**found).cmp(value));
        Some(&self.0[place.ok()?].1)
    }

    /// All groups with their values.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Group)> {
        self.0.iter().map(|(value, group)| (&**value, group))
    }

    /// Reserves memory.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.0.reserve_exact(more);
    }

    /// Appends a group, whose value sorts after all others.
    pub(crate) fn push(&mut self, value: Arc<str>, group: Group) {
        debug_assert!(self.0.last().is_none_or(|(last, _)| *last < value));
        self.0.push((value, group));
    }
}

/// Groups of the same value are added.
impl AddAssign for Groups {
    fn add_assign(&mut self, more: Groups) {
        if more.is_empty() {
            return;
        }
        let mut sum = Vec::with_capacity(self.len().max(more.len()));
        let mut more = more.0.into_iter().peekable();
        for (value, mut group) in std::mem::take(&mut self.0) {
            while let Some(before) = more.next_if(|(other, _)| *other < value) {
                sum.push(before);
            }
            if let Some((_, same)) = more.next_if(|(other, _)| *other == value) {
                group += same;
            }
            sum.push((value, group));
        }
        sum.extend(more);
        self.0 = sum;
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
    /// others by number of games; unknown last.
    pub(crate) fn of<'a>(self, key: &Key, group: &'a Group) -> ShownGroups<'a> {
        let mut groups: Vec<(&str, &Group)> = group
            .by
            .iter()
            .filter(|(_, group)| group.counts.tally.seen() >= self.min_games)
            .collect();
        // Stable sorts keep the order by value.
        let games = |group: &Group| Reverse(group.counts.tally.seen());
        if let Some(top) = self.top {
            groups.sort_by_key(|(value, group)| (games(group), value.is_empty()));
            groups.truncate(top);
        } else if let Some(place) = place_of(key) {
            groups.sort_by_cached_key(|(value, _)| (value.is_empty(), place(value)));
        } else {
            groups.sort_by_key(|(value, group)| (value.is_empty(), games(group)));
        }
        ShownGroups {
            left_out: group.by.len() - groups.len(),
            groups,
        }
    }
}

/// Sort key of the values of ordered keys; equal ones sort as text.
fn place_of(key: &Key) -> Option<fn(&str) -> i64> {
    match key {
        Key::Year | Key::Month | Key::Eco | Key::File => Some(|_| 0),
        Key::Elo | Key::EloDiff | Key::Plies => Some(|band| first_number(band).unwrap_or(i64::MAX)),
        Key::Speed => Some(|value| {
            let place = Speed::ALL.iter().position(|speed| speed.as_str() == value);
            place.map_or(i64::MAX, |place| place as i64)
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::stats::count::{Counts, Tally};

    fn groups(values: &[(&str, u64)]) -> Groups {
        let group = |&(value, draws): &(&str, u64)| {
            let tally = Tally {
                draws,
                ..Tally::default()
            };
            let counts = Counts {
                tally,
                ..Counts::default()
            };
            (value.into(), Group::of(counts))
        };
        Groups::new(values.iter().map(group).collect()).unwrap()
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
        let sum = groups(&[("b", 2), ("a", 1)]);
        assert_eq!(sum.get("b").map(|group| group.counts.tally.draws), Some(2));
        assert_eq!(sum.get("c"), None);
        let twice = vec![
            ("a".into(), Group::default()),
            ("a".into(), Group::default()),
        ];
        assert!(Groups::new(twice).is_err());
    }
}
