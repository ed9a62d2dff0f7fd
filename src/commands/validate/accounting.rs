//! Accounting of a run: findings in input order, counted, filtered and handed to the report format.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::commands::accounts::Accounts;
use crate::commands::run::CommandRun;
use crate::commands::validate::baseline::{Baseline, Fingerprint, NewBaseline};
use crate::commands::validate::formats::{Document, Emitted, RunEnd, ShownFinding};
use crate::commands::validate::registry::Severity;
use crate::commands::validate::run::CheckedChunk;
use crate::error::Error;
use crate::input::Source;
use crate::report::Sink;

/// The accounts of a run.
pub(crate) struct Accounting<'a> {
    filter: FindingFilter,
    recorded: NewBaseline,
    accounts: Accounts,
    /// Findings about whole files, which count for no game.
    of_files: u64,
    /// Tells the threads when nothing more will be shown.
    full: &'a AtomicBool,
}

impl Accounting<'_> {
    /// Leaves out the findings of a baseline, and after `most` findings all others.
    pub(crate) fn new(
        baseline: Option<Baseline>,
        most: Option<u64>,
        full: &AtomicBool,
    ) -> Accounting<'_> {
        let filter = FindingFilter {
            baseline,
            most,
            ..FindingFilter::default()
        };
        full.store(filter.is_full(), Ordering::Relaxed);
        Accounting {
            filter,
            recorded: NewBaseline::default(),
            accounts: Accounts::default(),
            of_files: 0,
            full,
        }
    }

    /// Enters what was found in a chunk, and gives the document what is to be shown of it.
    pub(crate) fn enter(
        &mut self,
        checked: CheckedChunk,
        source: &Source,
        document: &mut dyn Document,
        sink: &mut Sink,
    ) -> Result<(), Error> {
        let mut shown = Vec::with_capacity(checked.found.len());
        for found in checked.found {
            let fingerprint = found.fingerprint.as_ref();
            let visibility = self.filter.visibility(found.severity, fingerprint);
            let of_file = found.rule.is_once_per_file;
            self.of_files += u64::from(of_file && visibility != Visibility::Known);
            if visibility == Visibility::Shown {
                shown.push(ShownFinding {
                    rule: found.rule,
                    severity: found.severity,
                    range: found.range,
                });
            }
            if let Some(entry) = found.entry {
                self.recorded.add(entry);
            }
        }
        for severity in Severity::ALL {
            self.filter.hide(severity, checked.more[severity as usize]);
        }
        self.of_files += checked.more_of_files;
        self.accounts += checked.accounts;
        let emitted = Emitted {
            source,
            accounts: checked.accounts,
            text: &checked.text,
            shown: &shown,
        };
        document.games(sink, emitted)?;
        let is_full = self.filter.is_full() || document.is_full();
        self.full.store(is_full, Ordering::Relaxed);
        Ok(())
    }

    /// Counts findings that the document was given and does not show.
    pub(crate) fn leave_out(&mut self, left_out: [u64; 3]) {
        for (hidden, left_out) in self.filter.hidden.iter_mut().zip(left_out) {
            *hidden += left_out;
        }
    }

    /// Whether anything was found that is as bad as this.
    pub(crate) fn fails(&self, least: Option<Severity>) -> bool {
        let found = |&severity: &Severity| self.filter.found[severity as usize] > 0;
        let worst = Severity::ALL.into_iter().rev().find(found);
        worst.is_some_and(|worst| least.is_some_and(|least| worst >= least))
    }

    /// How the run ended, for the document.
    pub(crate) fn run_end(&self, run: &CommandRun, failed: bool) -> RunEnd {
        RunEnd {
            exit_code: run.outcome(self.accounts, failed).code(),
            complete: run.is_complete(),
            interrupted: run.is_interrupted(),
            hidden: self.filter.hidden,
        }
    }

    pub(crate) fn accounts(&self) -> Accounts {
        self.accounts
    }

    pub(crate) fn into_recorded(self) -> NewBaseline {
        self.recorded
    }

    /// The closing line on the findings.
    pub(crate) fn summary(&self) -> String {
        let filter = &self.filter;
        let counts = Severity::ALL.map(|severity| {
            let found = filter.found[severity as usize];
            format!("{found} {severity}")
        });
        let [notes, warnings, errors] = counts;
        let mut summary = format!("findings: {errors}, {warnings}, {notes}");
        if self.of_files > 0 {
            summary += &format!("; {} of them about a whole file", self.of_files);
        }
        let hidden: u64 = filter.hidden.iter().sum();
        if hidden > 0 {
            summary += &format!("; {hidden} of them not shown");
        }
        if let Some(baseline) = &filter.baseline {
            let (known, missed) = (filter.known, baseline.left());
            summary +=
                &format!("\nbaseline: {known} known and not reported, {missed} not found any more");
        }
        summary
    }
}

/// Decides which findings of a run are shown. Must be asked in input order; then its answers do not
/// depend on the number of threads.
#[derive(Default)]
struct FindingFilter {
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
enum Visibility {
    /// It is shown.
    Shown,
    /// It is counted only: as many were shown as were asked for.
    Hidden,
    /// It is in the baseline, and not reported.
    Known,
}

impl FindingFilter {
    /// Counts a finding. Without a fingerprint it is in no baseline.
    fn visibility(&mut self, severity: Severity, fingerprint: Option<&Fingerprint>) -> Visibility {
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
    fn hide(&mut self, severity: Severity, count: u64) {
        self.found[severity as usize] += count;
        self.hidden[severity as usize] += count;
    }

    /// Whether nothing more will be shown.
    fn is_full(&self) -> bool {
        self.most
            .is_some_and(|most| self.found.iter().sum::<u64>() >= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::validate::baseline::HashedText;

    #[test]
    fn what_is_known_does_not_count_towards_the_most_that_are_shown() {
        let text = b"1. e4 *";
        let known = Fingerprint {
            game: HashedText::new(text).hash,
            number: 201,
            at: 3,
        };
        let baseline = Baseline::from_iter([(known, 1)]);
        let mut filter = FindingFilter {
            baseline: Some(baseline),
            most: Some(1),
            ..FindingFilter::default()
        };
        let mut visibility = |fingerprint| filter.visibility(Severity::Error, Some(fingerprint));
        assert_eq!(visibility(&known), Visibility::Known);
        // The baseline knows one of them only.
        assert_eq!(visibility(&known), Visibility::Shown);
        assert_eq!(visibility(&known), Visibility::Hidden);
        assert_eq!(
            (filter.known, filter.baseline.map(|left| left.left())),
            (1, Some(0))
        );
        assert_eq!(filter.found[Severity::Error as usize], 2);
        assert_eq!(filter.hidden[Severity::Error as usize], 1);
    }
}
