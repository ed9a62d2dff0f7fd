//! Reviewdog's diagnostic format, one JSON object on each line, from which `reviewdog -f=rdjsonl`
//! makes comments of a review.
//!
//! Source: `proto/rdf` in the repository of reviewdog. Columns are in bytes, and the end is
//! exclusive.

use serde_json::{Value, json};

use crate::commands::validate::explanations::help_uri;
use crate::commands::validate::formats::path::name_from_here;
use crate::commands::validate::formats::{FindingFormat, FindingItem};
use crate::findings::GameAndMove;
use crate::findings::registry::Severity;
use crate::report::{Buffer, json};

/// Writes diagnostics.
pub(crate) struct Rdjsonl;

/// A position, with its column if it is known.
fn position(line: u64, column: Option<u64>) -> Value {
    match column {
        Some(column) => json!({"line": line, "column": column}),
        None => json!({"line": line}),
    }
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
        let diagnostic = json!({
            "message": message,
            "location": {
                "path": name_from_here(source),
                "range": {
                    "start": position(report.line.0, columns.map(|[start, _]| start)),
                    "end": position(report.end().0.0, columns.map(|[_, end]| end)),
                },
            },
            "severity": match finding.severity {
                Severity::Error => "ERROR",
                Severity::Warning => "WARNING",
                Severity::Note => "INFO",
            },
            "source": {"name": "arbiter"},
            "code": {"value": finding.code(), "url": help_uri(finding.rule)},
        });
        json::push(out, &diagnostic);
        out.push(b'\n');
    }
}
