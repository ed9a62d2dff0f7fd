//! Output formats of findings, one file for each.
//!
//! Findings come in input order, on one thread. Some formats add text before and after them, or
//! first collect what they show, which is bounded.

mod github;
mod gitlab;
mod junit;
mod markdown;
mod occurrences;
mod path;
mod rdjsonl;
mod rows;
mod sarif;
mod severest;

use clap::ValueEnum;

use crate::commands::accounts::Accounts;
use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::tally::RunTally;
use crate::error::Error;
use crate::findings::registry::Severity;
use crate::findings::report::Report;
use crate::findings::{Repair, concise};
use crate::input::Source;
use crate::report::escape::Cells;
use crate::report::rows::Rows;
use crate::report::{Buffer, Sink};

pub use crate::findings::human::Human;
pub(crate) use junit::title;

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Several lines per finding: message, position, source line, help
    Human,
    /// One line per finding: path:line:column: severity[CODE] message (game N, move)
    Concise,
    /// One JSON object per finding, with all fields
    Jsonl,
    /// The same fields as a table
    Csv,
    /// The same table as a Parquet file
    Parquet,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// JUnit XML, for CI servers that show tests: one suite per file, one test per finding
    Junit,
    /// Workflow commands of GitHub Actions, which become annotations
    Github,
    /// Code Quality report of GitLab, for merge requests
    Gitlab,
    /// Diagnostics of reviewdog, one JSON object on each line
    Rdjsonl,
    /// Summary for the page of a CI run: counts, worst files, first findings; at most 1 MiB
    Markdown,
}

/// Options that formats need.
pub(crate) struct ReportOptions<'a> {
    pub(crate) sources: &'a [Source],
    /// True if findings of a baseline are left out.
    pub(crate) has_baseline: bool,
    /// The least severity that makes the run fail.
    pub(crate) fail_on: Option<Severity>,
    /// Maximum number of findings, for a format that chooses them.
    pub(crate) most: Option<u64>,
    pub(crate) cells: Cells,
    pub(crate) human: Human,
}

/// Uses of a format, which the run meets.
#[derive(Clone, Copy, Default)]
pub(crate) struct Uses {
    /// It chooses the findings that are shown, the most severe first.
    pub(crate) all_findings: bool,
    /// They cost a pass over the text of the game.
    pub(crate) fingerprints: bool,
    /// They are tried before, as by `--fix`.
    pub(crate) repairs: bool,
    /// Games are named by their players, and all findings of a file stand together, those about
    /// duplicates too.
    pub(crate) whole_files: bool,
    /// A report is written even if no input can be read.
    pub(crate) a_document: bool,
}

impl CheckFormat {
    pub(crate) fn with(self, options: &ReportOptions<'_>) -> Box<dyn FindingFormat> {
        match self {
            CheckFormat::Human => Box::new(options.human),
            CheckFormat::Concise => Box::new(Concise),
            CheckFormat::Jsonl => Box::new(rows::FindingRows(Rows::Jsonl)),
            CheckFormat::Csv => Box::new(rows::FindingRows(Rows::Csv(options.cells))),
            CheckFormat::Parquet => Box::new(rows::FindingRows(Rows::Table)),
            CheckFormat::Sarif => Box::new(sarif::Sarif::new(options)),
            CheckFormat::Junit => Box::new(junit::Junit {
                fail_on: options.fail_on,
                open: None,
            }),
            CheckFormat::Github => Box::new(github::Github),
            CheckFormat::Gitlab => Box::new(gitlab::Gitlab::default()),
            CheckFormat::Rdjsonl => Box::new(rdjsonl::Rdjsonl),
            CheckFormat::Markdown => Box::new(markdown::Summary::default()),
        }
    }

    pub(crate) fn needs(self) -> Uses {
        let mut needs = Uses::default();
        match self {
            CheckFormat::Human | CheckFormat::Concise | CheckFormat::Github => {}
            CheckFormat::Csv | CheckFormat::Parquet => {}
            CheckFormat::Jsonl | CheckFormat::Rdjsonl => needs.repairs = true,
            CheckFormat::Markdown => needs.a_document = true,
            CheckFormat::Junit => (needs.a_document, needs.whole_files) = (true, true),
            CheckFormat::Gitlab => (needs.a_document, needs.fingerprints) = (true, true),
            CheckFormat::Sarif => {
                (needs.a_document, needs.fingerprints) = (true, true);
                (needs.repairs, needs.all_findings) = (true, true);
            }
        }
        needs
    }
}

/// A finding to write.
#[derive(Clone, Copy, Debug)]
pub struct FindingItem<'a> {
    /// The source.
    pub source: &'a Source,
    /// The finding with its place.
    pub report: &'a Report<'a>,
    /// The repair, for a format that has them.
    pub repair: Option<&'a Repair>,
    /// The identity, for a format that needs it.
    pub fingerprint: Option<&'a Fingerprint>,
    /// A name of the game that stays when games are added, for a format that needs it.
    pub title: Option<&'a str>,
}

/// End of a run.
pub(crate) struct RunEnd<'a> {
    pub(crate) exit_code: u8,
    /// Whether all inputs were read to their ends.
    pub(crate) complete: bool,
    /// Whether the run was interrupted.
    pub(crate) interrupted: bool,
    /// Number of findings that are not shown, by severity, notes first.
    pub(crate) hidden: [u64; 3],
    /// New findings, shown or not.
    pub(crate) tally: &'a RunTally,
    /// All games.
    pub(crate) accounts: Accounts,
}

/// A format of findings, which come in input order. Output is complete after
/// [`FindingFormat::finish`] whenever it is called.
pub(crate) trait FindingFormat {
    /// Writes what precedes the first finding.
    fn begin(&mut self, _sink: &mut Sink) -> Result<(), Error> {
        Ok(())
    }

    /// Reports an input that cannot be read, or ends a source that cannot be read to its end.
    fn unreadable(&mut self, _out: &mut Buffer, _error: &Error, _source: Option<&Source>) {}

    /// Counts games of a source, before their findings. The games of a source come in sequence.
    fn games(&mut self, _source: &Source, _accounts: Accounts) {}

    /// Adds a finding.
    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>);

    /// The number of findings it was given and does not show, by severity, notes first.
    fn left_out(&self) -> [u64; 3] {
        [0; 3]
    }

    /// Ends a source that has been read to its end.
    fn end_of_source(&mut self, _out: &mut Buffer, _source: &Source) {}

    /// Writes the end of the report.
    fn finish(&mut self, _out: &mut Buffer, _end: &RunEnd<'_>) {}
}

/// One line a finding: `path:line:column: severity[CODE] message (game N, 12...Nf6)`
pub(crate) struct Concise;

impl FindingFormat for Concise {
    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        concise(out, item.source.name(), item.report);
    }
}

impl FindingFormat for Human {
    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        self.write(out, item.source.name(), item.report);
    }
}

/// Whether a finding of this severity makes the run fail.
pub(crate) fn fails(fail_on: Option<Severity>, severity: Severity) -> bool {
    fail_on.is_some_and(|least| severity >= least)
}

/// Whether any of the findings, counted by severity, makes the run fail.
pub(crate) fn any_fails(fail_on: Option<Severity>, counts: [u64; 3]) -> bool {
    let mut counts = Severity::ALL.into_iter().zip(counts);
    counts.any(|(severity, count)| count > 0 && fails(fail_on, severity))
}
