//! Workflow commands of GitHub Actions, which become annotations of a run and of the lines of a
//! pull request.
//!
//! Source: GitHub's documentation, "Workflow commands for GitHub Actions"; the escapes are those of
//! its package `@actions/core`. GitHub shows the first ten errors, ten warnings and ten notices of
//! a step as annotations; the log has all.

use std::fmt::{self, Display, Write};

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
            let _ = write!(out, "file={},", Property(&Escaped(&path)));
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
            Property(&title),
            Data(&Escaped(&finding.message)),
            Data(&Escaped(&path)),
            report.line,
            report.column,
            Data(&GameAndMove(report)),
        );
        if let Some(help) = &finding.help {
            let _ = write!(out, "%0Ahelp: {}", Data(&Escaped(help)));
        }
        out.push(b'\n');
    }
}

/// The message of a command.
struct Data<'a>(&'a dyn Display);

/// The value of a property of a command.
struct Property<'a>(&'a dyn Display);

impl Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Encoder(f, false), "{}", self.0)
    }
}

impl Display for Property<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Encoder(f, true), "{}", self.0)
    }
}

/// Writes the signs that mean something in a command as `%` and two digits; in a property there are
/// two more.
struct Encoder<'a, 'f>(&'a mut fmt::Formatter<'f>, bool);

impl Write for Encoder<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '%' => self.0.write_str("%25")?,
                '\r' => self.0.write_str("%0D")?,
                '\n' => self.0.write_str("%0A")?,
                ':' if self.1 => self.0.write_str("%3A")?,
                ',' if self.1 => self.0.write_str("%2C")?,
                character => self.0.write_char(character)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_in_a_command_is_encoded() {
        let text = "100%,\r\n::error::x";
        assert_eq!(Data(&text).to_string(), "100%25,%0D%0A::error::x");
        assert_eq!(
            Property(&text).to_string(),
            "100%25%2C%0D%0A%3A%3Aerror%3A%3Ax"
        );
    }
}
