//! The finding filter: baseline, maximum number shown, and counts.

use crate::commands::validate::baseline::{Baseline, Fingerprint};
use crate::commands::validate::registry::Severity;

/// Decides which findings of a run are shown. Must be asked in input order; then its answers do not
/// depend on the number of threads.
#[derive(Debug, Default)]
pub struct FindingFilter {
    baseline: Option<Baseline>,
    /// Maximum number of findings shown.
    most: Option<u64>,
    /// New findings by severity, shown or not.
    found: [u64; 3],
    /// New findings that are not shown, by severity.
    hidden: [u64; 3],
    known: u64,
}

/// Visibility of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// It is shown.
    Shown,
    /// It is counted only: as many were shown as were asked for.
    Hidden,
    /// It is in the baseline, and not reported.
    Known,
}

impl FindingFilter {
    /// Leaves out what is in the baseline, and after `most` findings all others.
    pub fn new(baseline: Option<Baseline>, most: Option<u64>) -> FindingFilter {
        FindingFilter {
            baseline,
            most,
            ..FindingFilter::default()
        }
    }

    /// Counts a finding. Without a fingerprint it is in no baseline.
    pub fn visibility(
        &mut self,
        severity: Severity,
        fingerprint: Option<&Fingerprint>,
    ) -> Visibility {
        if let (Some(baseline), Some(fingerprint)) = (&mut self.baseline, fingerprint)
            && baseline.takes(fingerprint)
        {
            self.known += 1;
            return Visibility::Known;
        }
        let full = self.is_full();
        self.found[severity as usize] += 1;
        if full {
            self.hidden[severity as usize] += 1;
            return Visibility::Hidden;
        }
        Visibility::Shown
    }

    /// Counts findings that were not drawn, as nothing more is shown.
    pub fn hide(&mut self, severity: Severity, count: u64) {
        debug_assert!(count == 0 || self.is_full());
        self.found[severity as usize] += count;
        self.hidden[severity as usize] += count;
    }

    /// Whether nothing more will be shown.
    pub fn is_full(&self) -> bool {
        self.most
            .is_some_and(|most| self.found.iter().sum::<u64>() >= most)
    }

    /// How many findings of a severity there are that are not in the baseline.
    pub fn found(&self, severity: Severity) -> u64 {
        self.found[severity as usize]
    }

    /// How many of those were not shown.
    pub fn hidden(&self, severity: Severity) -> u64 {
        self.hidden[severity as usize]
    }

    /// How many findings were not shown although they are not in the baseline.
    pub fn all_hidden(&self) -> u64 {
        self.hidden.iter().sum()
    }

    /// How many findings are in the baseline.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// How many findings of the baseline have not come up; nothing without a baseline.
    pub fn missed(&self) -> Option<u64> {
        self.baseline.as_ref().map(Baseline::left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::validate::baseline::GameHash;

    #[test]
    fn what_is_known_does_not_count_towards_the_most_that_are_shown() {
        let text = b"1. e4 *";
        let known = Fingerprint {
            game: GameHash::of(text),
            number: 201,
            at: 3,
        };
        let baseline = Baseline::from_iter([(known, 1)]);
        let mut filter = FindingFilter::new(Some(baseline), Some(1));
        let mut visibility = |fingerprint| filter.visibility(Severity::Error, Some(fingerprint));
        assert_eq!(visibility(&known), Visibility::Known);
        // The baseline knows one of them only.
        assert_eq!(visibility(&known), Visibility::Shown);
        assert_eq!(visibility(&known), Visibility::Hidden);
        assert_eq!((filter.known(), filter.missed()), (1, Some(0)));
        assert_eq!(filter.found(Severity::Error), 2);
        assert_eq!(filter.hidden(Severity::Error), 1);
    }
}
