//! Numbers of games, and of findings that are repaired or left.

use std::collections::BTreeMap;

use crate::findings::Accounts;
use crate::findings::Finding;
use crate::findings::registry::{Fix, Rule};

/// Numbers of findings by code.
pub(crate) type RuleCounts = BTreeMap<&'static str, u64>;

/// Numbers of games and findings.
#[derive(Default)]
pub struct FixCounts {
    /// Findings that are repaired.
    pub fixed: RuleCounts,
    /// Findings whose repairs would bring about others.
    pub refused: RuleCounts,
    /// Findings without a repair that is certain.
    pub uncertain: RuleCounts,
    /// Games after the repair.
    pub accounts: Accounts,
    /// Findings that are left, by severity.
    pub left: [u64; 3],
    /// Findings that are left and have a suggestion.
    pub suggested: u64,
}

impl FixCounts {
    /// Adds other numbers.
    pub fn add(&mut self, more: FixCounts) {
        for (all, some) in [
            (&mut self.fixed, more.fixed),
            (&mut self.refused, more.refused),
            (&mut self.uncertain, more.uncertain),
        ] {
            for (code, count) in some {
                *all.entry(code).or_default() += count;
            }
        }
        self.accounts += more.accounts;
        for (all, some) in self.left.iter_mut().zip(more.left) {
            *all += some;
        }
        self.suggested += more.suggested;
    }

    /// The closing lines; `suggestions` have been applied.
    pub fn summary(&self, suggestions: bool) -> String {
        let list = |counts: &RuleCounts| {
            let counts: Vec<_> = counts
                .iter()
                .map(|(code, count)| format!("{count} {code}"))
                .collect();
            counts.join(", ")
        };
        let [notes, warnings, errors] = self.left;
        let mut summary = if self.fixed.is_empty() {
            "fixed: nothing".to_owned()
        } else {
            format!("fixed: {}", list(&self.fixed))
        };
        for (reason, counts) in [
            ("other findings would appear", &self.refused),
            ("no repair is certain", &self.uncertain),
        ] {
            if !counts.is_empty() {
                summary += &format!("\nnot fixed, as {reason}: {}", list(counts));
            }
        }
        summary += &format!("\nleft: {errors} error, {warnings} warning, {notes} note");
        if self.suggested > 0 && !suggestions {
            summary += &format!("; {} can be repaired by --fix-suggestions", self.suggested);
        }
        summary
    }

    /// Counts a repair.
    pub(crate) fn count(&mut self, rule: &Rule) {
        *self.fixed.entry(rule.code).or_default() += 1;
    }

    /// Counts findings that are left.
    pub(crate) fn leave(&mut self, findings: &[Finding]) {
        for finding in findings {
            self.left[finding.severity as usize] += 1;
            self.suggested += u64::from(finding.fix() == Fix::Suggested);
        }
    }

    /// Counts the findings that are gone.
    pub(crate) fn count_gone(&mut self, before: &[Finding], after: &[Finding]) {
        let mut gone = counts(before);
        for (code, count) in counts(after) {
            let left = gone.entry(code).or_default();
            *left = left.saturating_sub(count);
        }
        for (code, count) in gone {
            if count > 0 {
                *self.fixed.entry(code).or_default() += count;
            }
        }
    }
}

/// Numbers of findings by code.
pub(crate) fn counts(findings: &[Finding]) -> RuleCounts {
    let mut counts = RuleCounts::new();
    for finding in findings {
        *counts.entry(finding.rule.code).or_default() += 1;
    }
    counts
}
