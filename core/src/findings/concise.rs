//! A finding in one line.

use std::fmt::{self, Display, Write};

use crate::findings::report::Report;
use crate::text::escape::Escaped;

/// Appends `path:line:column: severity[CODE] message (game N, 12...Nf6)`.
pub fn concise(out: &mut impl Write, path: &str, report: &Report<'_>) {
    let finding = &report.finding;
    // Writing to memory does not fail.
    let _ = writeln!(
        out,
        "{}:{}:{}: {}[{}] {} {}",
        Escaped(path),
        report.line,
        report.column,
        finding.severity,
        finding.code(),
        Escaped(&finding.message),
        GameAndMove(report),
    );
}

/// `(game N, 12...Nf6)`, or `position` instead of `game`.
pub struct GameAndMove<'a>(pub &'a Report<'a>);

impl GameAndMove<'_> {
    /// Appends what is displayed.
    pub(crate) fn write(&self, out: &mut impl Write) -> fmt::Result {
        let GameAndMove(report) = self;
        for text in ["(", report.kind.unit(), " ", &report.game.0.to_string()] {
            out.write_str(text)?;
        }
        if let Some(at) = &report.finding.at {
            write!(out, ", {}", Escaped(&at.label))?;
        }
        out.write_char(')')
    }
}

impl Display for GameAndMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}
