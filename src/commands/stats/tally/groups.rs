//! The groups within a group.

use std::ops::AddAssign;
use std::sync::Arc;

use crate::commands::stats::tally::Group;

/// Groups by the value of a key, in the order of the values as texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups(Vec<(Arc<str>, Group)>);

impl Groups {
    /// Groups in any order.
    ///
    /// # Errors
    ///
    /// A value that is there twice.
    pub fn new(mut groups: Vec<(Arc<str>, Group)>) -> Result<Groups, Arc<str>> {
        groups.sort_by(|(first, _), (second, _)| first.cmp(second));
        match groups.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(Arc::clone(&pair[0].0)),
            None => Ok(Groups(groups)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The group of a value.
    pub fn get(&self, value: &str) -> Option<&Group> {
        let place = self.0.binary_search_by(|(found, _)| (**found).cmp(value));
        Some(&self.0[place.ok()?].1)
    }

    /// All of them, each with its value.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Group)> {
        self.0.iter().map(|(value, group)| (&**value, group))
    }

    /// Room for so many more.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.0.reserve_exact(more);
    }

    /// Adds the group of a value that comes behind all those that are there.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::stats::tally::{Counts, Tally};

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
