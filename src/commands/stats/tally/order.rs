//! Which groups are shown, and in which order.

use std::cmp::Reverse;

use crate::commands::stats::tally::{Group, Key};
use crate::pgn::values::time_control::Speed;

/// Which groups are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// At most so many of each level, those with the most games.
    pub top: Option<usize>,
    /// Only those with at least so many games.
    pub min_games: u64,
}

/// Groups of one level.
#[derive(Clone, Debug)]
pub struct Chosen<'a> {
    /// Those that are shown, in their order, each with the value of its key.
    pub groups: Vec<(&'a str, &'a Group)>,
    /// How many are not shown.
    pub left_out: usize,
}

impl Choice {
    /// The groups within a group that are shown. With `top`, the one with the most games comes
    /// first. Otherwise values that have an order of their own are in it, the others begin with the
    /// one that has the most games, and what is not known comes last.
    pub fn of<'a>(self, key: &Key, group: &'a Group) -> Chosen<'a> {
        let mut groups: Vec<(&str, &Group)> = group
            .by
            .iter()
            .filter(|(_, group)| group.counts.tally.seen() >= self.min_games)
            .collect();
        groups.sort_by_cached_key(|&(value, group)| by_games(value, group));
        if let Some(top) = self.top {
            groups.truncate(top);
        } else if let Some(place) = place_of(key) {
            groups.sort_by_cached_key(|&(value, _)| {
                (value.is_empty(), place(value), value.to_owned())
            });
        } else {
            // Stable: by games, the unknown last.
            groups.sort_by_key(|(value, _)| value.is_empty());
        }
        Chosen {
            left_out: group.by.len() - groups.len(),
            groups,
        }
    }

    /// Whether every group is shown.
    pub fn is_all(self) -> bool {
        self.top.is_none() && self.min_games == 0
    }
}

fn by_games(value: &str, group: &Group) -> (Reverse<u64>, bool, String) {
    let games = group.counts.tally.seen();
    (Reverse(games), value.is_empty(), value.to_owned())
}

/// For keys whose values have an order of their own: the place of a value in it, equal places being ordered as texts.
fn place_of(key: &Key) -> Option<fn(&str) -> i64> {
    match key {
        Key::Year | Key::Month | Key::Eco | Key::File => Some(|_| 0),
        Key::Elo | Key::EloDiff | Key::Plies => Some(first_number),
        Key::Speed => Some(|value| {
            let place = Speed::ALL.iter().position(|speed| speed.as_str() == value);
            place.map_or(i64::MAX, |place| place as i64)
        }),
        _ => None,
    }
}

/// The lower end of a band such as `-49..49`.
fn first_number(band: &str) -> i64 {
    let first = band.split("..").next().and_then(|first| first.parse().ok());
    first.unwrap_or(i64::MAX)
}
