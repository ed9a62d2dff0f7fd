//! Workflow commands of GitHub Actions, which become annotations of a run and of the lines of a
//! pull request.
//!
//! Source: GitHub's documentation, "Workflow commands for GitHub Actions"; the escapes are those of
//! its package `@actions/core`. GitHub shows the first ten errors, ten warnings and ten notices of
//! a step as annotations; the log has all.

use std::fmt::{Display, Write};

use crate::commands::validate::formats::path::name_from_here;
use crate::commands::validate::formats::{FindingFormat, FindingItem};
use crate::findings::GameAndMove;
use crate::findings::registry::Severity;
use crate::report::Buffer;
use crate::report::escape::Escaped;

/// `::error file=…,line=…,col=…,title=…::message`, followed on lines of their own by the position,
/// which the log does not show otherwise, and the help.
pub(crate) struct Github;

impl FindingFormat for Github {
    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let path = name_from_here(source);
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let _ = write!(out, "::{command} ");
        if source.path().is_some() {
            let _ = write!(out, "file={},", encoded(Escaped(&path), true));
        }
        let _ = write!(out, "line={},col={},", report.line, report.column);
        let (end_line, end_column) = report.end();
        // Columns are shown only where the text concerned is on one line.
        if end_line == report.line {
            let _ = write!(out, "endLine={end_line},endColumn={end_column},");
        }
        let title = format!("{} {}", finding.code(), finding.rule.name);
        let _ = write!(
            out,
            "title={}::{}%0A{}:{}:{} {}",
            encoded(title, true),
            encoded(Escaped(&finding.message), false),
            encoded(Escaped(&path), false),
            report.line,
            report.column,
            encoded(GameAndMove(report), false),
        );
        if let Some(help) = &finding.help {
            let _ = write!(out, "%0Ahelp: {}", encoded(Escaped(help), false));
        }
        out.push(b'\n');
    }
}

/// Text with what means something in a command as `%` and two digits; in a property that is more.
fn encoded(text: impl Display, in_property: bool) -> String {
    let text = text.to_string().replace('%', "%25");
    let text = text.replace('\r', "%0D").replace('\n', "%0A");
    if in_property {
        text.replace(':', "%3A").replace(',', "%2C")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_in_a_command_is_encoded() {
        let text = "100%,\r\n::error::x";
        assert_eq!(encoded(text, false), "100%25,%0D%0A::error::x");
        assert_eq!(encoded(text, true), "100%25%2C%0D%0A%3A%3Aerror%3A%3Ax");
    }
}
