//! One line a finding, for editors and scripts.

use std::fmt::Write;

use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::formats::Emitter;
use crate::commands::validate::report::Report;
use crate::input::Source;
use crate::report::escape::{Escaped, push_escaped};

/// `path:line:column: severity[CODE] message (game N, 12...Nf6)`
#[derive(Clone, Copy, Debug)]
pub struct Concise;

impl Emitter for Concise {
    fn emit(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        _fingerprint: Option<&Fingerprint>,
    ) {
        concise(out, source.name(), report);
    }
}

/// Adds a line as [`Concise`] does.
pub fn concise(out: &mut String, path: &str, report: &Report<'_>) {
    let finding = &report.finding;
    let _ = write!(
        out,
        "{}:{}:{}: {}[{}] {} ",
        Escaped(path),
        report.line,
        report.column,
        finding.severity,
        finding.code(),
        Escaped(&finding.message),
    );
    game(out, report);
    out.push('\n');
}

/// `(game N, 12...Nf6)`, or `position` instead of `game`.
pub(crate) fn game(out: &mut String, report: &Report<'_>) {
    let mut number = itoa::Buffer::new();
    out.extend(["(", report.form.unit(), " ", number.format(report.game.0)]);
    if let Some(at) = &report.finding.at {
        out.push_str(", ");
        push_escaped(out, &at.label);
    }
    out.push(')');
}
