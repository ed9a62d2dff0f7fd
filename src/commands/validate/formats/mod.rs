//! Output formats of findings, one file for each.
//!
//! A format writes single findings, on the worker threads. Its `Document` puts them into input
//! order; some add text before and after, or first collect what they show, which is bounded.

mod concise;
mod github;
mod gitlab;
mod human;
mod junit;
mod markdown;
mod occurrences;
mod path;
mod rdjsonl;
mod rows;
mod sarif;
mod sarif_object;
mod severest;

use std::ops::Range;

use clap::ValueEnum;

use crate::commands::accounts::Accounts;
use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::tally::Tally;
use crate::error::Error;
use crate::findings::registry::Severity;
use crate::findings::report::Report;
use crate::input::Source;
use crate::report::escape::Cells;
use crate::report::rows::Rows;
use crate::report::{Format, Sink};

pub use human::Human;
pub(crate) use junit::title;

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatName {
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
pub(crate) struct FormatOptions<'a> {
    pub(crate) sources: &'a [Source],
    /// True if findings of a baseline are left out.
    pub(crate) has_baseline: bool,
    /// The least severity that makes the run fail.
    pub(crate) fail_on: Option<Severity>,
    pub(crate) cells: Cells,
    pub(crate) human: Human,
}

impl FormatName {
    pub(crate) fn with(self, options: FormatOptions<'_>) -> Box<FindingFormat> {
        let fail_on = options.fail_on;
        match self {
            FormatName::Human => Box::new(options.human),
            FormatName::Concise => Box::new(concise::Concise),
            FormatName::Jsonl => Box::new(rows::RowFormat(Rows::Jsonl)),
            FormatName::Csv => Box::new(rows::RowFormat(Rows::Csv(options.cells))),
            FormatName::Parquet => Box::new(rows::RowFormat(Rows::Table)),
            FormatName::Sarif => Box::new(sarif::Sarif::new(options.sources, options.has_baseline)),
            FormatName::Junit => Box::new(junit::Junit { fail_on }),
            FormatName::Github => Box::new(github::Github),
            FormatName::Gitlab => Box::new(gitlab::Gitlab),
            FormatName::Rdjsonl => Box::new(rdjsonl::Rdjsonl),
            FormatName::Markdown => Box::new(markdown::Markdown),
        }
    }

    /// The document of a run. [`Format::begin`] writes its beginning.
    /// `most` is the maximum number of findings, for a format that chooses them.
    pub(crate) fn document(
        self,
        fail_on: Option<Severity>,
        most: Option<u64>,
    ) -> Box<dyn Document> {
        match self {
            FormatName::Sarif => Box::new(sarif::SarifLog::new(most)),
            FormatName::Junit => Box::new(junit::Suites::new(fail_on)),
            FormatName::Gitlab => Box::new(gitlab::Issues::default()),
            FormatName::Markdown => Box::new(markdown::Summary::new(most)),
            _ => Box::new(Plain),
        }
    }

    /// Whether the document chooses the findings that are shown, the most severe first.
    pub(crate) fn chooses_findings(self) -> bool {
        matches!(self, FormatName::Sarif | FormatName::Markdown)
    }

    /// Whether fingerprints are written; they cost a pass over the text of the game.
    pub(crate) fn needs_fingerprint(self) -> bool {
        matches!(self, FormatName::Sarif | FormatName::Gitlab)
    }

    /// Whether games are named by their players.
    pub(crate) fn needs_title(self) -> bool {
        self == FormatName::Junit
    }

    /// Whether all findings of a file stand together, those about duplicates too.
    pub(crate) fn groups_by_file(self) -> bool {
        self == FormatName::Junit
    }

    /// Whether a report is written even if no input can be read.
    pub(crate) fn is_document(self) -> bool {
        matches!(
            self,
            FormatName::Sarif | FormatName::Junit | FormatName::Gitlab | FormatName::Markdown
        )
    }
}

/// A finding to write.
#[derive(Clone, Copy, Debug)]
pub struct FindingItem<'a> {
    /// The source.
    pub source: &'a Source,
    /// The finding with its place.
    pub report: &'a Report<'a>,
    /// The identity, for a format that needs it.
    pub fingerprint: Option<&'a Fingerprint>,
    /// A name of the game that stays when games are added, for a format that needs it.
    pub title: Option<&'a str>,
}

/// A format of findings.
pub(crate) type FindingFormat = dyn for<'a> Format<FindingItem<'a>>;

/// Findings of some games of one source as a format has written them, in input order.
pub(crate) struct Emitted<'a> {
    pub(crate) source: &'a Source,
    /// The games that were checked, with findings or without.
    pub(crate) accounts: Accounts,
    /// All findings.
    pub(crate) text: &'a [u8],
    /// The findings to be shown.
    pub(crate) shown: &'a [ShownFinding],
}

/// A finding that is shown.
pub(crate) struct ShownFinding {
    pub(crate) severity: Severity,
    /// Range in the text.
    pub(crate) range: Range<usize>,
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
    pub(crate) tally: &'a Tally,
    /// All games.
    pub(crate) accounts: Accounts,
}

/// Puts findings into input order, between the elements of the format. Output is complete after
/// [`Document::finish`] whenever it is called.
pub(crate) trait Document {
    /// Reports an unreadable input.
    fn unreadable(&mut self, _sink: &mut Sink, _error: &Error) -> Result<(), Error> {
        Ok(())
    }

    /// Writes the findings of some games of a source. The games of a source come in sequence.
    fn games(&mut self, sink: &mut Sink, emitted: Emitted<'_>) -> Result<(), Error>;

    /// Whether no further finding can be shown.
    fn is_full(&self) -> bool {
        false
    }

    /// The number of findings it was given and does not show, by severity, notes first.
    fn left_out(&self) -> [u64; 3] {
        [0; 3]
    }

    /// Ends a source; `error` is why it was not read to its end.
    fn end_of_source(
        &mut self,
        _sink: &mut Sink,
        _source: &Source,
        _error: Option<&Error>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Writes the end of the report.
    fn finish(&mut self, _sink: &mut Sink, _end: &RunEnd<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// Findings one after another, and nothing else.
struct Plain;

impl Document for Plain {
    fn games(&mut self, sink: &mut Sink, emitted: Emitted<'_>) -> Result<(), Error> {
        // Adjacent findings are written at once: on a terminal every write redraws the progress
        // bar.
        let mut shown = emitted.shown.iter().map(|shown| &shown.range);
        let mut run = 0..0;
        loop {
            let next = shown.next();
            if let Some(next) = next
                && next.start == run.end
            {
                run.end = next.end;
                continue;
            }
            sink.write(&emitted.text[run])?;
            match next {
                Some(next) => run = next.clone(),
                None => return Ok(()),
            }
        }
    }
}

/// Whether a finding of this severity makes the run fail.
pub(crate) fn fails(fail_on: Option<Severity>, severity: Severity) -> bool {
    fail_on.is_some_and(|least| severity >= least)
}
