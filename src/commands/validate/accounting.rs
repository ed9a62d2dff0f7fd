//! Accounting of a run: findings in input order, counted, filtered and handed to the report format.

use std::collections::BTreeMap;

use crate::commands::accounts::Accounts;
use crate::commands::run::CommandRun;
use crate::commands::validate::baseline::{Baseline, Fingerprint, NewBaseline};
use crate::commands::validate::formats::{Document, Emitted, RunEnd, ShownFinding};
use crate::commands::validate::limits::Limits;
use crate::commands::validate::opening::{CheckedChunk, Opening};
use crate::commands::validate::tally::{Tallied, Tally};
use crate::error::Error;
use crate::findings::registry::{Code, Rule, Severity};
use crate::input::Source;
use crate::pipeline::{Part, SourceEnd};
use crate::report::{Sink, append};

/// The accounts of a run.
pub(crate) struct Accounting<'a> {
    filter: FindingFilter<'a>,
    opening: Opening,
    /// New findings, shown or not.
    tally: Tally,
    recorded: NewBaseline,
    accounts: Accounts,
    /// Findings about whole files, which count for no game.
    of_files: u64,
}

impl Accounting<'_> {
    /// Leaves out the findings of a baseline, and those beyond the limits.
    pub(crate) fn new(baseline: Option<Baseline>, limits: &Limits) -> Accounting<'_> {
        let filter = FindingFilter::new(baseline, limits);
        if filter.is_full() {
            limits.set_full();
        }
        Accounting {
            filter,
            opening: Opening::default(),
            tally: Tally::default(),
            recorded: NewBaseline::default(),
            accounts: Accounts::default(),
            of_files: 0,
        }
    }

    /// Enters what was found in a chunk, as far as it is decided.
    pub(crate) fn enter(
        &mut self,
        part: Part<CheckedChunk>,
        document: &mut dyn Document,
        sink: &mut Sink,
    ) -> Result<(), Error> {
        let source = part.source.clone();
        for checked in self.opening.add(part) {
            self.report(checked, &source, document, sink)?;
        }
        Ok(())
    }

    /// Ends a source.
    pub(crate) fn end_of_source(
        &mut self,
        end: &SourceEnd,
        document: &mut dyn Document,
        sink: &mut Sink,
    ) -> Result<(), Error> {
        for checked in self.opening.end(end) {
            self.report(checked, &end.source, document, sink)?;
        }
        self.tally.end_of_source();
        document.end_of_source(sink, &end.source, end.error.as_ref())
    }

    /// Ends the run, which may be interrupted within a source.
    pub(crate) fn finish(
        &mut self,
        document: &mut dyn Document,
        sink: &mut Sink,
    ) -> Result<(), Error> {
        if let (Some(source), waiting) = self.opening.interrupt() {
            for checked in waiting {
                self.report(checked, &source, document, sink)?;
            }
        }
        self.tally.end_of_source();
        self.leave_out(document.left_out());
        Ok(())
    }

    /// Counts findings, and gives the document those that are to be shown.
    fn report(
        &mut self,
        checked: CheckedChunk,
        source: &Source,
        document: &mut dyn Document,
        sink: &mut Sink,
    ) -> Result<(), Error> {
        let mut shown = Vec::with_capacity(checked.found.len());
        for found in checked.found {
            let (rule, severity) = (found.rule, found.severity);
            let visibility = self
                .filter
                .visibility(rule, severity, found.fingerprint.as_ref());
            if visibility != Visibility::Known {
                self.of_files += u64::from(rule.is_once_per_file);
                let found = Tallied::one(rule, severity, found.place, found.fix);
                self.tally.add(source, found);
            }
            if visibility == Visibility::Shown {
                shown.push(ShownFinding {
                    severity,
                    range: found.range,
                });
            }
            if let Some(entry) = found.entry {
                self.recorded.add(entry);
            }
        }
        for more in checked.more {
            self.filter.hide(more.severity, more.count);
            if more.rule.is_once_per_file {
                self.of_files += more.count;
            }
            self.tally.add(source, more);
        }
        self.accounts += checked.accounts;
        // A game of a file that is not PGN counts as unreadable already.
        let not_clean = checked.not_clean.min(self.accounts.clean);
        self.accounts.clean -= not_clean;
        self.accounts.with_findings += not_clean;
        let emitted = Emitted {
            source,
            accounts: checked.accounts,
            text: &checked.text,
            shown: &shown,
        };
        document.games(sink, emitted)?;
        if self.filter.is_full() || document.is_full() {
            self.filter.limits.set_full();
        }
        Ok(())
    }

    /// Counts findings that the document was given and does not show.
    fn leave_out(&mut self, left_out: [u64; 3]) {
        for (hidden, left_out) in self.filter.hidden.iter_mut().zip(left_out) {
            *hidden += left_out;
        }
    }

    /// Whether anything was found that is as bad as this.
    pub(crate) fn fails(&self, least: Option<Severity>) -> bool {
        let counts = self.tally.counts();
        let found = |&severity: &Severity| counts[severity as usize] > 0;
        let worst = Severity::ALL.into_iter().rev().find(found);
        worst.is_some_and(|worst| least.is_some_and(|least| worst >= least))
    }

    /// How the run ended, for the document.
    pub(crate) fn run_end(&self, run: &CommandRun, failed: bool) -> RunEnd<'_> {
        RunEnd {
            exit_code: run.outcome(self.accounts, failed).code(),
            complete: run.is_complete(),
            interrupted: run.is_interrupted(),
            hidden: self.filter.hidden,
            tally: &self.tally,
            accounts: self.accounts,
        }
    }

    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// A line for each code of which `--max-per-code` hides findings.
    pub(crate) fn more_of_codes(&self) -> String {
        let mut lines = String::new();
        for code in self.tally.codes() {
            let more = self.filter.more_of(code.code(), code.count);
            if more > 0 {
                let (code, name) = (code.code(), code.rule.name);
                append!(
                    lines,
                    "{code} {name}: {more} more, shown by `--select {code} --max-per-code all`\n"
                );
            }
        }
        lines
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
            let found = self.tally.counts()[severity as usize];
            format!("{found} {severity}")
        });
        let [notes, warnings, errors] = counts;
        let mut summary = format!("findings: {errors}, {warnings}, {notes}");
        if self.of_files > 0 {
            summary += &format!("; {} of them about a whole file", self.of_files);
        }
        match self.tally.fixable() {
            [0, 0] => {}
            [0, some] => summary += &format!("; {some} can be repaired by --fix-suggestions"),
            [some, 0] => summary += &format!("; {some} can be repaired by --fix"),
            [some, more] => {
                summary +=
                    &format!("; {some} can be repaired by --fix, {more} more by --fix-suggestions");
            }
        }
        let hidden: u64 = filter.hidden.iter().sum();
        if hidden > 0 {
            summary += &format!("; {hidden} of them not shown");
        }
        if let Some(baseline) = &filter.baseline {
            let (known, missed) = (filter.known, baseline.left());
            summary += &format!("\nbaseline: {known} known and not reported, {missed} not found");
        }
        summary
    }
}

/// Decides which findings of a run are shown. Must be asked in input order; then its answers do not
/// depend on the number of threads.
struct FindingFilter<'a> {
    baseline: Option<Baseline>,
    limits: &'a Limits,
    /// Number of findings shown.
    shown: u64,
    /// Number of findings shown of each code, if that is limited.
    shown_of: BTreeMap<Code, u64>,
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

impl FindingFilter<'_> {
    fn new(baseline: Option<Baseline>, limits: &Limits) -> FindingFilter<'_> {
        FindingFilter {
            baseline,
            limits,
            shown: 0,
            shown_of: BTreeMap::new(),
            hidden: [0; 3],
            known: 0,
        }
    }

    /// Counts a finding. Without a fingerprint it is in no baseline.
    fn visibility(
        &mut self,
        rule: &Rule,
        severity: Severity,
        fingerprint: Option<&Fingerprint>,
    ) -> Visibility {
        if let (Some(baseline), Some(fingerprint)) = (&mut self.baseline, fingerprint)
            && baseline.takes(fingerprint)
        {
            self.known += 1;
            return Visibility::Known;
        }
        if self.is_full() || !self.has_room_for(rule, severity) {
            self.hidden[severity as usize] += 1;
            return Visibility::Hidden;
        }
        self.shown += 1;
        Visibility::Shown
    }

    /// Takes the room of a finding of a code, if there is any.
    fn has_room_for(&mut self, rule: &Rule, severity: Severity) -> bool {
        let Some(most) = self.limits.per_code else {
            return true;
        };
        let shown = self.shown_of.entry(rule.code_at(severity)).or_default();
        let has_room = *shown < most;
        *shown += u64::from(has_room);
        if *shown >= most {
            self.limits.set_code_full(rule, severity);
        }
        has_room
    }

    /// Number of findings of a code that are hidden by their number, given that of all.
    fn more_of(&self, code: Code, count: u64) -> u64 {
        let Some(most) = self.limits.per_code else {
            return 0;
        };
        match self.shown_of.get(&code) {
            Some(&shown) if shown == most => count - shown,
            _ => 0,
        }
    }

    /// Counts findings that were not drawn, as none of them would be shown.
    fn hide(&mut self, severity: Severity, count: u64) {
        self.hidden[severity as usize] += count;
    }

    /// Whether nothing more will be shown.
    fn is_full(&self) -> bool {
        self.limits.most.is_some_and(|most| self.shown >= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::validate::baseline::HashedText;
    use crate::findings::registry::{ILLEGAL_MOVE, STRAY_BRACE};

    #[test]
    fn what_is_known_does_not_count_towards_the_most_that_are_shown() {
        let text = b"1. e4 *";
        let known = Fingerprint {
            game: HashedText::new(text).hash,
            number: 201,
            at: 3,
        };
        let baseline = Baseline::from_iter([(known, 1)]);
        let limits = Limits::new(Some(1), None);
        let mut filter = FindingFilter::new(Some(baseline), &limits);
        let mut visibility =
            |fingerprint| filter.visibility(&ILLEGAL_MOVE, Severity::Error, Some(fingerprint));
        assert_eq!(visibility(&known), Visibility::Known);
        // The baseline knows one of them only.
        assert_eq!(visibility(&known), Visibility::Shown);
        assert_eq!(visibility(&known), Visibility::Hidden);
        assert_eq!(
            (filter.known, filter.baseline.map(|left| left.left())),
            (1, Some(0))
        );
        assert_eq!(filter.shown, 1);
        assert_eq!(filter.hidden[Severity::Error as usize], 1);
    }

    #[test]
    fn each_code_has_a_limit_of_its_own() {
        let limits = Limits::new(Some(4), Some(2));
        let mut filter = FindingFilter::new(None, &limits);
        let mut shows = |rule, severity| {
            let shown = filter.visibility(rule, severity, None) == Visibility::Shown;
            assert!(limits.is_code_full(rule, severity) || shown);
            shown
        };
        assert!(shows(&ILLEGAL_MOVE, Severity::Error));
        assert!(!limits.is_code_full(&ILLEGAL_MOVE, Severity::Error));
        assert!(shows(&ILLEGAL_MOVE, Severity::Error));
        assert!(!shows(&ILLEGAL_MOVE, Severity::Error));
        // In a variation it is another code.
        assert!(shows(&ILLEGAL_MOVE, Severity::Warning));
        assert!(shows(&STRAY_BRACE, Severity::Warning));
        assert!(filter.is_full());
        let of = |severity| ILLEGAL_MOVE.code_at(severity);
        assert_eq!(filter.more_of(of(Severity::Error), 3), 1);
        assert_eq!(filter.more_of(of(Severity::Warning), 9), 0);
        assert_eq!(filter.hidden, [0, 0, 1]);
    }
}
