//! Code Quality reports of GitLab, which shows them in merge requests.
//!
//! Source: GitLab's documentation, "Code Quality", section "Code Quality report format". GitLab
//! takes issues with the same fingerprint for one, so a repeated fingerprint gets a number.

use serde_json::{Value, json};

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

impl Gitlab {
    fn push(&mut self, out: &mut Buffer, mut issue: Value, mut fingerprint: String) {
        let number = self.fingerprints.number(fingerprint.as_bytes());
        if number > 1 {
            append!(fingerprint, ":{number}");
        }
        issue["fingerprint"] = fingerprint.into();
        out.push_str(if self.any { ",\n" } else { "\n" });
        self.any = true;
        json::push(out, &issue);
    }
}

impl FindingFormat for Gitlab {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(b"[")
    }

    fn unreadable(&mut self, out: &mut Buffer, error: &Error, _source: Option<&Source>) {
        let name = "unreadable-input";
        let path = text_from_here(error.path());
        let issue = json!({
            "description": error.to_string(),
            "check_name": name,
            "severity": if error.is_note() { "info" } else { "blocker" },
            "location": {"path": path, "lines": {"begin": 1, "end": 1}},
        });
        self.push(out, issue, name.to_owned());
    }

    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let (end_line, end_column) = report.end();
        let issue = json!({
            "description": format!("{} {}", finding.message, GameAndMove(report)),
            "check_name": finding.code(),
            "severity": match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            "location": {
                "path": name_from_here(source),
                "lines": {"begin": report.line.0, "end": end_line.0},
                "positions": {
                    "begin": {"line": report.line.0, "column": report.column},
                    "end": {"line": end_line.0, "column": end_column},
                },
            },
        });
        let fingerprint = item.fingerprint.map(ToString::to_string);
        self.push(out, issue, fingerprint.unwrap_or_default());
    }

    fn finish(&mut self, out: &mut Buffer, _end: &RunEnd<'_>) {
        out.push_str("\n]\n");
    }
}
