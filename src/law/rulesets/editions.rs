//! Rules that have changed, and which edition was in force on which day.

use std::fmt;

use crate::law::rulesets::{EDITIONS, RuleSet};

/// A body of rules with its editions.
#[derive(Debug)]
pub struct Editions {
    /// The name by which the edition in force on a game's date is chosen, such as `fide`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The editions, the oldest first. Each has a first day.
    pub sets: &'static [&'static RuleSet],
}

impl Editions {
    /// The body of rules of a name.
    pub fn named(name: &str) -> Option<&'static Editions> {
        EDITIONS.into_iter().find(|editions| editions.name == name)
    }

    /// The edition in force on a day; the oldest one before its first day.
    pub fn in_force(&self, day: Date) -> &'static RuleSet {
        let started = |rules: &&&RuleSet| rules.since.is_none_or(|since| since <= day);
        let found = self.sets.iter().rev().find(started);
        found.copied().unwrap_or(self.sets[0])
    }

    /// The edition in force now.
    pub fn latest(&self) -> &'static RuleSet {
        self.sets[self.sets.len() - 1]
    }
}

/// The months of the year, January the first.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day of the Gregorian calendar. The parts are not checked against the calendar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Date {
    /// A day.
    pub const fn new(year: u16, month: u8, day: u8) -> Date {
        Date { year, month, day }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match MONTHS.get(usize::from(self.month).wrapping_sub(1)) {
            Some(month) => write!(f, "{} {month} {}", self.day, self.year),
            None => write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day),
        }
    }
}
