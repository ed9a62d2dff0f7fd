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

impl Display for GameAndMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameAndMove(report) = self;
        write!(f, "({} {}", report.kind.unit(), report.game.0)?;
        if let Some(at) = &report.finding.at {
            write!(f, ", {}", Escaped(&at.label))?;
        }
        f.write_str(")")
    }
}
