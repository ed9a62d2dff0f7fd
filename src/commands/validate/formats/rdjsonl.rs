//! Reviewdog's diagnostic format, one JSON object on each line, from which `reviewdog -f=rdjsonl`
//! makes comments of a review.
//!
//! Source: `proto/rdf` in the repository of reviewdog. Columns are in bytes, and the end is
//! exclusive.

use serde_json::{Value, json};

use crate::commands::validate::formats::path::name_from_here;
use crate::commands::validate::formats::{FindingFormat, FindingItem};
use crate::findings::explanations::help_uri;
use crate::findings::registry::Severity;
use crate::findings::report::{Report, ReportPlace};
use crate::findings::{GameAndMove, Repair};
use crate::input::LineNo;
use crate::report::{Buffer, json};

/// Writes diagnostics.
pub(crate) struct Rdjsonl;

/// A position. Its column is not known on a line that begins with another game.
fn position(line: LineNo, place: Option<ReportPlace>) -> Value {
    match place {
        Some(place) => json!({"line": line.0, "column": place.byte_column}),
        None => json!({"line": line.0}),
    }
}

/// The edits of a repair as one, as each suggestion is applied without the others. None if text
/// between them is not UTF-8.
fn suggestion(repair: &Repair, report: &Report<'_>) -> Option<Value> {
    let (first, last) = (repair.edits.first()?, repair.edits.last()?);
    let mut text = String::new();
    let mut at = first.span.start;
    for edit in &repair.edits {
        text += std::str::from_utf8(report.text_of(at..edit.span.start)).ok()?;
        text += &edit.text;
        at = edit.span.end;
    }
    let places = [first.span.start, last.span.end].map(|at| report.place_of(at));
    let [start, end] = [places[0]?, places[1]?];
    let range = json!({
        "start": position(start.line, Some(start)),
        "end": position(end.line, Some(end)),
    });
    Some(json!({"range": range, "text": text}))
}

impl FindingFormat for Rdjsonl {
    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let mut message = format!("{} {}", finding.message, GameAndMove(report));
        if let Some(help) = &finding.help {
            message = format!("{message}\nhelp: {help}");
        }
        let start = report.place_of(finding.span.start);
        let end = start.and_then(|_| report.place_of(finding.span.end));
        let mut diagnostic = json!({
            "message": message,
            "location": {
                "path": name_from_here(source),
                "range": {
                    "start": position(report.line, start),
                    "end": position(report.end().0, end),
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
        if let Some(suggestion) = item.repair.and_then(|repair| suggestion(repair, report)) {
            diagnostic["suggestions"] = json!([suggestion]);
        }
        json::push(out, &diagnostic);
        out.push(b'\n');
    }
}
