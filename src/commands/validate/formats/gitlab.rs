//! Code Quality reports of GitLab, which shows them in merge requests.
//!
//! Source: GitLab's documentation, "Code Quality", section "Code Quality report format". GitLab
//! takes issues with the same fingerprint for one, so a repeated fingerprint gets a number.

use serde::Serialize;

use crate::commands::validate::formats::occurrences::Occurrences;
use crate::commands::validate::formats::path::{name_from_here, text_from_here};
use crate::commands::validate::formats::{Document, Emitted, FindingItem, RunEnd};
use crate::error::Error;
use crate::findings::GameAndMove;
use crate::findings::registry::Severity;
use crate::input::Source;
use crate::report::{Buffer, Format, Sink, json};

/// Writes issues.
pub(crate) struct Gitlab;

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    /// `info`, `minor`, `major`, `critical` or `blocker`.
    severity: &'static str,
    location: Location<'a>,
    /// Must be the last member: [`Issues`] adds to it.
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

impl Format<FindingItem<'_>> for Gitlab {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(b"[")
    }

    fn item(&self, out: &mut Buffer, item: FindingItem<'_>) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let (end_line, end_column) = report.end();
        json::push(
            out,
            &Issue {
                description: format!("{} {}", finding.message, GameAndMove(report)),
                check_name: finding.code().as_str(),
                severity: match finding.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Note => "info",
                },
                location: Location {
                    path: &name_from_here(source),
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
            },
        );
    }
}

/// The array of issues. It keeps the hash of every fingerprint.
#[derive(Default)]
pub(crate) struct Issues {
    any: bool,
    fingerprints: Occurrences,
}

impl Issues {
    /// Writes an issue; `issue` ends with its fingerprint.
    fn write(&mut self, sink: &mut Sink, issue: &[u8]) -> Result<(), Error> {
        const END: &[u8] = b"\"}";
        let issue = issue.strip_suffix(END).unwrap_or(issue);
        let start = memchr::memrchr(b'"', issue).map_or(0, |quote| quote + 1);
        sink.write(if self.any { b",\n" } else { b"\n" })?;
        self.any = true;
        sink.write(issue)?;
        let number = self.fingerprints.number(&issue[start..]);
        if number > 1 {
            sink.write(format!(":{number}").as_bytes())?;
        }
        sink.write(END)
    }
}

impl Document for Issues {
    fn unreadable(&mut self, sink: &mut Sink, error: &Error) -> Result<(), Error> {
        let path = text_from_here(error.path());
        let issue = json::of(&Issue {
            description: error.to_string(),
            check_name: "unreadable-input",
            severity: "blocker",
            location: Location {
                path: &path,
                lines: Range { begin: 1, end: 1 },
                positions: None,
            },
            fingerprint: "unreadable-input".to_owned(),
        });
        self.write(sink, issue.as_bytes())
    }

    fn games(&mut self, sink: &mut Sink, emitted: Emitted<'_>) -> Result<(), Error> {
        for shown in emitted.shown {
            self.write(sink, &emitted.text[shown.range.clone()])?;
        }
        Ok(())
    }

    fn end_of_source(
        &mut self,
        sink: &mut Sink,
        _source: &Source,
        error: Option<&Error>,
    ) -> Result<(), Error> {
        error.map_or(Ok(()), |error| self.unreadable(sink, error))
    }

    fn finish(&mut self, sink: &mut Sink, _end: &RunEnd<'_>) -> Result<(), Error> {
        sink.write(b"\n]\n")
    }
}
