//! What was counted, with what it was that was counted.

use std::fmt;

use crate::commands::stats::tally::{Group, Plan, ResultSource, Tally};

/// The most games of statistics that are added up: numbers up to this are exact in every program
/// that reads JSON.
pub const MOST: u64 = 1 << 53;

/// What was counted, and by which plan.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// What was counted.
    pub plan: Plan,
    /// All games.
    pub whole: Group,
}

/// Why two statistics cannot be added or compared: they count different things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// They are grouped by different keys.
    Keys,
    /// One counts results on record, the other one results by the rules.
    Source,
    /// One counts kinds of draws, the other one does not.
    Draws,
    /// They go by different rule sets.
    Rules,
    /// There would be more games than [`MOST`].
    TooMany,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mismatch::Keys => "it is grouped by other keys",
            Mismatch::Source => "its results are of another source",
            Mismatch::Draws => "only one of the two counts kinds of draws",
            Mismatch::Rules => "it goes by another rule set",
            Mismatch::TooMany => "more than 2^53 games cannot be added up",
        })
    }
}

impl Mismatch {
    /// The sentence, with what the statistics differ from.
    pub fn beside(self, other: &str) -> String {
        match self {
            Mismatch::TooMany => self.to_string(),
            _ => format!("{self} than {other}"),
        }
    }
}

impl Statistics {
    /// All games.
    pub fn tally(&self) -> &Tally {
        &self.whole.counts.tally
    }

    /// Whether results are those that the rules give.
    pub fn is_by_rules(&self) -> bool {
        self.plan.source == ResultSource::Rules
    }

    /// Whether other statistics count the same things.
    ///
    /// # Errors
    ///
    /// What they count otherwise.
    pub fn matches(&self, other: &Statistics) -> Result<(), Mismatch> {
        let rules = |plan: &Plan| {
            plan.rules
                .filter(|_| plan.uses_rules())
                .map(crate::commands::rule_choice::RuleChoice::name)
        };
        if self.plan.keys != other.plan.keys {
            Err(Mismatch::Keys)
        } else if self.plan.source != other.plan.source {
            Err(Mismatch::Source)
        } else if self.plan.draws != other.plan.draws {
            Err(Mismatch::Draws)
        } else if rules(&self.plan) != rules(&other.plan) {
            Err(Mismatch::Rules)
        } else {
            Ok(())
        }
    }

    /// Adds other statistics.
    ///
    /// # Errors
    ///
    /// Why they cannot be added; nothing has changed then.
    pub fn merge(&mut self, other: Statistics) -> Result<(), Mismatch> {
        self.matches(&other)?;
        if self.tally().seen() + other.tally().seen() > MOST {
            return Err(Mismatch::TooMany);
        }
        self.whole += other.whole;
        Ok(())
    }
}
