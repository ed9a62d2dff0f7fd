//! Rules that have changed, and which edition was in force on which day.

use crate::law::rulesets::RuleSet;
use crate::law::rulesets::date::Date;
use crate::law::rulesets::fide::FIDE_EDITIONS;
use crate::law::rulesets::servers::CHESSCOM_EDITIONS;

/// Every body of rules with several editions.
pub const EDITIONS: [&Editions; 2] = [&FIDE_EDITIONS, &CHESSCOM_EDITIONS];

/// A body of rules with its editions.
#[derive(Debug)]
pub struct Editions {
    /// The name by which the edition in force on a game's date is chosen, such as `fide`.
    pub name: &'static str,
    /// What it is.
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
