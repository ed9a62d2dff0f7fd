//! Findings for people: the long form with the source line, and one line each.

use std::fmt::{self, Display, Write};

use super::escape::{Escaped, width};
use crate::judge::findings::{RULES, Rule, Severity};
use crate::judge::report::Report;

/// Colours for a terminal, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint(pub bool);

impl Paint {
    const BOLD: &'static str = "1";
    const BLUE: &'static str = "1;34";

    fn severity(severity: Severity) -> &'static str {
        match severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Note => "1;36",
        }
    }

    fn paint<T: Display>(self, style: &'static str, text: T) -> impl Display {
        fmt::from_fn(move |f| {
            if self.0 {
                write!(f, "\x1b[{style}m{text}\x1b[0m")
            } else {
                text.fmt(f)
            }
        })
    }
}

/// `path:line:column: severity[CODE] message (game N, 12...Nf6)`
pub fn concise(out: &mut String, path: &str, report: &Report) {
    let finding = &report.finding;
    let _ = write!(
        out,
        "{}:{}:{}: {}[{}] {} ({} {}",
        Escaped(path),
        report.line,
        report.column,
        finding.severity,
        finding.rule.code,
        Escaped(&finding.message),
        report.form.unit(),
        report.game,
    );
    if let Some(at) = &finding.at {
        let _ = write!(out, ", {}", Escaped(&at.label));
    }
    out.push_str(")\n");
}

/// Severity, code and message; place; the source line with the text concerned underlined; the position; help.
pub fn human(out: &mut String, path: &str, report: &Report, paint: Paint) {
    let finding = &report.finding;
    let style = Paint::severity(finding.severity);
    let head = format!("{}[{}]", finding.severity, finding.rule.code);
    let number = report.line.to_string();
    let gutter = " ".repeat(number.len());
    let bar = paint.paint(Paint::BLUE, "|");
    let _ = writeln!(
        out,
        "{}{}",
        paint.paint(style, head),
        paint.paint(Paint::BOLD, format!(": {}", Escaped(&finding.message))),
    );
    let _ = write!(
        out,
        "{gutter}{} {}:{number}:{} ({} {}",
        paint.paint(Paint::BLUE, "-->"),
        Escaped(path),
        report.column,
        report.form.unit(),
        report.game,
    );
    if let Some(at) = &finding.at {
        let _ = write!(out, ", {}", Escaped(&at.label));
    }
    let excerpt = &report.excerpt;
    let _ = write!(
        out,
        ")\n{gutter} {bar}\n{} {bar} {}{}{}\n{gutter} {bar} {}{}\n",
        paint.paint(Paint::BLUE, &number),
        Escaped(&excerpt.before),
        Escaped(&excerpt.marked),
        Escaped(&excerpt.after),
        " ".repeat(width(&excerpt.before)),
        paint.paint(style, "^".repeat(width(&excerpt.marked).max(1))),
    );
    let equals = paint.paint(Paint::BLUE, "=");
    if let Some(at) = &finding.at {
        let _ = writeln!(out, "{gutter} {equals} position: {}", at.fen);
    }
    if let Some(help) = &finding.help {
        let _ = writeln!(out, "{gutter} {equals} help: {}", Escaped(help));
    }
    out.push('\n');
}

/// The registry, one line a code.
pub fn codes(out: &mut String) {
    for rule in RULES {
        let _ = writeln!(
            out,
            "{}  {:<7}  {:<20}  {}",
            rule.code, rule.severity, rule.name, rule.summary
        );
    }
}

/// What a code means.
pub fn explain(out: &mut String, rule: &Rule) {
    let _ = writeln!(
        out,
        "{} {} ({})\n\n{}\n\n{}",
        rule.code, rule.name, rule.severity, rule.summary, rule.explanation
    );
}
