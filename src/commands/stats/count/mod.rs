//! Statistics of results: tallies by group, and kinds of draws.

mod counter;
mod counts;
mod group;
mod key;

use std::sync::Arc;

use clap::ValueEnum;

use crate::adjudication::RuleChoice;
use crate::commands::names::Names;
use crate::text::TagFilter;

pub use counter::Counter;
pub(crate) use counter::recorded;
pub use counts::{CountedResult, Counts, DrawKind, DrawKinds, Tally};
pub use group::Group;
pub(crate) use group::{GroupFilter, Groups};
pub(crate) use key::Scale;
pub use key::{Key, Needs};

/// Limit for the games of merged statistics; JSON readers keep integers up to this exact.
pub(crate) const MOST: u64 = 1 << 53;

/// Player whose rating is given, to which the group of the player is relative.
pub(crate) type Anchor = (String, f64);

/// Settings of statistics.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Keys, the outermost first.
    pub keys: Vec<Key>,
    /// True to count draws by kind.
    pub draws: bool,
    /// Whose results are counted.
    pub source: ResultSource,
    /// Rule set, if games are adjudicated.
    pub rules: Option<RuleChoice>,
    /// True if openings are those of positions rather than tags.
    pub by_position: bool,
    /// True to rate the players, which needs the keys `white` and `black`.
    pub ratings: bool,
    /// Player whose rating is given.
    pub(crate) anchor: Option<Anchor>,
    /// Names of players by spelling.
    pub(crate) names: Arc<Names>,
}

/// Whose results are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ResultSource {
    /// Recorded results
    #[default]
    Recorded,
    /// Results under the rule set; recorded results of games that it leaves open
    Rules,
}

impl Plan {
    /// Limit for the number of keys. Each takes two levels of JSON, and parsers such as
    /// `serde_json` read 127.
    pub(crate) const MOST_KEYS: usize = 60;

    /// Checks the keys.
    ///
    /// # Errors
    ///
    /// A message.
    pub(crate) fn check(keys: &[Key]) -> Result<(), String> {
        if keys.len() > Plan::MOST_KEYS {
            return Err(format!(
                "games cannot be grouped by more than {} keys",
                Plan::MOST_KEYS
            ));
        }
        let twice = |&(nth, key): &(usize, &Key)| keys[..nth].contains(key);
        match keys.iter().enumerate().find(twice) {
            Some((_, key)) => Err(format!("games cannot be grouped by `{key}` twice")),
            None => Ok(()),
        }
    }

    /// Part of a game that is needed.
    pub(crate) fn needs(&self) -> Needs {
        let keys = self.keys.iter().map(Key::needs).max();
        if self.draws || self.source == ResultSource::Rules {
            Needs::Adjudication
        } else if self.by_position {
            keys.max(Some(Needs::Movetext)).unwrap_or(Needs::Movetext)
        } else {
            keys.unwrap_or(Needs::Tags)
        }
    }

    /// True if the rule set affects the counts.
    pub(crate) fn uses_rules(&self) -> bool {
        self.draws || self.source == ResultSource::Rules || self.keys.contains(&Key::Ruling)
    }

    /// Tags that are needed.
    pub fn tags(&self) -> TagFilter {
        TagFilter::of(self.keys.iter().flat_map(Key::tags).chain(["Result"]))
    }
}

/// Counts and the plan they follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// Settings.
    pub plan: Plan,
    /// All games.
    pub whole: Group,
}

impl Statistics {
    /// All games.
    pub(crate) fn tally(&self) -> Tally {
        self.whole.counts.tally()
    }

    /// True if results are those under the rules.
    pub(crate) fn is_by_rules(&self) -> bool {
        self.plan.source == ResultSource::Rules
    }

    /// Checks that other statistics, which messages call `name`, count the same things.
    ///
    /// # Errors
    ///
    /// The difference.
    pub(crate) fn matches(&self, other: &Statistics, name: &str) -> Result<(), String> {
        let rules = |plan: &Plan| {
            plan.rules
                .filter(|_| plan.uses_rules())
                .map(RuleChoice::name)
        };
        let what = if self.plan.keys != other.plan.keys {
            "it is grouped by other keys"
        } else if self.plan.source != other.plan.source {
            "its results are of another source"
        } else if self.plan.draws != other.plan.draws {
            "it counts other kinds of draws"
        } else if rules(&self.plan) != rules(&other.plan) {
            "it goes by another rule set"
        } else if self.plan.by_position != other.plan.by_position {
            "its openings are of another source"
        } else {
            return Ok(());
        };
        Err(format!("{what} than {name}"))
    }

    /// Adds other statistics.
    ///
    /// # Errors
    ///
    /// The reason why they cannot be added; nothing has changed then.
    pub(crate) fn merge(&mut self, other: Statistics) -> Result<(), String> {
        self.matches(&other, "those before it")?;
        if self.tally().seen() + other.tally().seen() > MOST {
            return Err("more than 2^53 games cannot be added up".to_owned());
        }
        self.whole += other.whole;
        Ok(())
    }
}
