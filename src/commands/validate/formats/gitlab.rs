//! Code Quality reports of GitLab, which shows them in merge requests.
//!
//! Source: GitLab's documentation, "Code Quality", section "Code Quality report format". GitLab
//! takes issues with the same fingerprint for one, so a repeated fingerprint gets a number.

use serde::Serialize;

use crate::commands::validate::formats::occurrences::Occurrences;
use crate::commands::validate::formats::path::{name_from_here, text_from_here};
use crate::commands::validate::formats::{FindingFormat, FindingItem, RunEnd};
use crate::error::Error;
use crate::findings::GameAndMove;
use crate::findings::registry::Severity;
use crate::input::Source;
use crate::report::{Buffer, Sink, append, json};

/// Writes the array of issues. It keeps the hash of every fingerprint.
#[derive(Default)]
pub(crate) struct Gitlab {
    any: bool,
    fingerprints: Occurrences,
}

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    /// `info`, `minor`, `major`, `critical` or `blocker`.
    severity: &'static str,
    location: Location<'a>,
    fingerprint: String,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Range<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Range<Position>>,
}

#[derive(Serialize)]
struct Range<T> {
    begin: T,
    end: T,
}

#[derive(Serialize)]
struct Position {
    line: u64,
    column: u64,
}

impl Gitlab {
    fn push(&mut self, out: &mut Buffer, mut issue: Issue<'_>) {
        let number = self.fingerprints.number(issue.fingerprint.as_bytes());
        if number > 1 {
            append!(issue.fingerprint, ":{number}");
        }
        out.push_str(if self.any { ",\n" } else { "\n" });
        self.any = true;
        json::push(out, &issue);
    }
}

impl FindingFormat for Gitlab {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(b"[")
    }

    fn unreadable(&mut self, out: &mut Buffer, error: &Error) {
        let path = text_from_here(error.path());
        let issue = Issue {
            description: error.to_string(),
            check_name: "unreadable-input",
            severity: "blocker",
            location: Location {
                path: &path,
                lines: Range { begin: 1, end: 1 },
                positions: None,
            },
            fingerprint: "unreadable-input".to_owned(),
        };
        self.push(out, issue);
    }

    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let (end_line, end_column) = report.end();
        let (code, path) = (finding.code(), name_from_here(source));
        let issue = Issue {
            description: format!("{} {}", finding.message, GameAndMove(report)),
            check_name: code.as_str(),
            severity: match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            location: Location {
                path: &path,
                lines: Range {
                    begin: report.line.0,
                    end: end_line.0,
                },
                positions: Some(Range {
                    begin: Position {
                        line: report.line.0,
                        column: report.column,
                    },
                    end: Position {
                        line: end_line.0,
                        column: end_column,
                    },
                }),
            },
            fingerprint: item
                .fingerprint
                .map(ToString::to_string)
                .unwrap_or_default(),
        };
        self.push(out, issue);
    }

    fn end_of_source(&mut self, out: &mut Buffer, _source: &Source, error: Option<&Error>) {
        if let Some(error) = error {
            self.unreadable(out, error);
        }
    }

    fn finish(&mut self, out: &mut Buffer, _end: &RunEnd<'_>) {
        out.push_str("\n]\n");
    }
}
