//! Reviewdog's diagnostic format, one JSON object on each line, from which `reviewdog -f=rdjsonl`
//! makes comments of a review.
//!
//! Source: `proto/rdf` in the repository of reviewdog. Columns are in bytes, and the end is
//! exclusive.

use serde::Serialize;

use crate::commands::validate::explanations::help_uri;
use crate::commands::validate::formats::path::name_from_here;
use crate::commands::validate::formats::{FindingFormat, FindingItem};
use crate::findings::GameAndMove;
use crate::findings::registry::Severity;
use crate::report::{Buffer, json};

/// Writes diagnostics.
pub(crate) struct Rdjsonl;

#[derive(Serialize)]
struct Diagnostic<'a> {
    message: String,
    location: Location<'a>,
    severity: &'static str,
    source: Tool,
    code: Code<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    range: Range,
}

#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
}

#[derive(Serialize)]
struct Code<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl FindingFormat for Rdjsonl {
    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let mut message = format!("{} {}", finding.message, GameAndMove(report));
        if let Some(help) = &finding.help {
            message = format!("{message}\nhelp: {help}");
        }
        let columns = report.byte_columns();
        json::push(
            out,
            &Diagnostic {
                message,
                location: Location {
                    path: &name_from_here(source),
                    range: Range {
                        start: Position {
                            line: report.line.0,
                            column: columns.map(|[start, _]| start),
                        },
                        end: Position {
                            line: report.end().0.0,
                            column: columns.map(|[_, end]| end),
                        },
                    },
                },
                severity: match finding.severity {
                    Severity::Error => "ERROR",
                    Severity::Warning => "WARNING",
                    Severity::Note => "INFO",
                },
                source: Tool { name: "arbiter" },
                code: Code {
                    value: finding.code().as_str(),
                    url: help_uri(finding.rule),
                },
            },
        );
        out.push(b'\n');
    }
}
