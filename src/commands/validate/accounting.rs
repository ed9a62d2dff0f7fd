//! Accounting of a run: findings in input order, counted, filtered and handed to the report format.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::commands::accounts::Accounts;
use crate::commands::run::CommandRun;
use crate::commands::validate::baseline::Recorded;
use crate::commands::validate::filter::{FindingFilter, Visibility};
use crate::commands::validate::formats::{Document, Emitted, RunEnd};
use crate::commands::validate::registry::Severity;
use crate::commands::validate::run::CheckedChunk;
use crate::error::Error;
use crate::input::Source;
use crate::report::Sink;

/// The accounts of a run.
pub(crate) struct Accounting<'a> {
    filter: FindingFilter,
    recorded: Recorded,
    accounts: Accounts,
    /// Findings about whole files, which count for no game.
    of_files: u64,
    /// Tells the threads when nothing more will be shown.
    full: &'a AtomicBool,
}

impl Accounting<'_> {
    pub(crate) fn new(filter: FindingFilter, full: &AtomicBool) -> Accounting<'_> {
        full.store(filter.is_full(), Ordering::Relaxed);
        Accounting {
            filter,
            recorded: Recorded::default(),
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
            self.of_files += u64::from(found.of_file && visibility != Visibility::Known);
            if visibility == Visibility::Shown {
                shown.push((found.severity, found.range));
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
        self.full.store(self.filter.is_full(), Ordering::Relaxed);
        let emitted = Emitted {
            text: &checked.text,
            shown: &shown,
        };
        document.games(sink, source, checked.accounts, emitted)
    }

    /// Whether anything was found that is as bad as this.
    pub(crate) fn fails(&self, least: Option<Severity>) -> bool {
        let found = |severity: &Severity| self.filter.found(*severity) > 0;
        let worst = Severity::ALL.into_iter().rev().find(found);
        worst.is_some_and(|worst| least.is_some_and(|least| worst >= least))
    }

    /// How the run ended, for the document.
    pub(crate) fn run_end(&self, run: &CommandRun, failed: bool) -> RunEnd {
        RunEnd {
            exit_code: run.outcome(self.accounts, failed).code(),
            complete: run.is_complete(),
            interrupted: run.is_interrupted(),
            hidden: Severity::ALL.map(|severity| self.filter.hidden(severity)),
        }
    }

    pub(crate) fn accounts(&self) -> Accounts {
        self.accounts
    }

    pub(crate) fn into_recorded(self) -> Recorded {
        self.recorded
    }

    /// The closing line on the findings.
    pub(crate) fn summary(&self) -> String {
        let filter = &self.filter;
        let counts = Severity::ALL.map(|severity| format!("{} {severity}", filter.found(severity)));
        let [notes, warnings, errors] = counts;
        let mut summary = format!("findings: {errors}, {warnings}, {notes}");
        if self.of_files > 0 {
            summary += &format!("; {} of them about a whole file", self.of_files);
        }
        if filter.all_hidden() > 0 {
            summary += &format!("; {} of them not shown", filter.all_hidden());
        }
        if let Some(missed) = filter.missed() {
            let known = filter.known();
            summary +=
                &format!("\nbaseline: {known} known and not reported, {missed} not found any more");
        }
        summary
    }
}
