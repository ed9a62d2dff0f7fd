//! Findings for people, with the source line.
//!
//! The layout is that of rustc, which the crate `annotate-snippets` draws as well. That crate wants the whole line to count
//! the column, and a line may be as long as the file; it has no place for game and move; and it shows different control
//! characters alike.

use std::fmt::{self, Display, Write};

use super::Pen;
use super::concise::game;
use super::excerpt::Excerpt;
use crate::input::Source;
use crate::judge::baseline::Fingerprint;
use crate::judge::findings::Severity;
use crate::judge::report::Report;
use crate::output::escape::{Escaped, width};

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

/// Severity, code and message; place; the source line with the text concerned underlined; the position; help.
#[derive(Clone, Copy, Debug)]
pub struct Human {
    /// Colours.
    pub paint: Paint,
    /// How many columns there are, line number included.
    pub columns: usize,
}

impl Human {
    /// How wide the output is where there is no terminal to ask, in columns.
    pub const COLUMNS: usize = 100;

    /// A terminal narrower than this is written over its edge, in columns.
    const LEAST: usize = 40;
}

impl Pen for Human {
    fn draw(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        _fingerprint: Option<&Fingerprint>,
    ) {
        let paint = self.paint;
        let finding = &report.finding;
        let style = Paint::severity(finding.severity);
        let head = format!("{}[{}]", finding.severity, finding.code());
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
            "{gutter}{} {}:{number}:{} ",
            paint.paint(Paint::BLUE, "-->"),
            Escaped(source.name()),
            report.column,
        );
        game(out, report);
        let columns = self.columns.max(Human::LEAST);
        let excerpt = Excerpt::of(report, columns.saturating_sub(number.len() + 3));
        let _ = write!(
            out,
            "\n{gutter} {bar}\n{} {bar} {}{}{}\n{gutter} {bar} {}{}\n",
            paint.paint(Paint::BLUE, &number),
            Escaped(&excerpt.before),
            Escaped(&excerpt.marked),
            Escaped(&excerpt.after),
            " ".repeat(width(&excerpt.before)),
            paint.paint(style, "^".repeat(width(&excerpt.marked).max(1))),
        );
        let equals = paint.paint(Paint::BLUE, "=");
        if let Some(at) = &finding.at {
            let _ = writeln!(out, "{gutter} {equals} position: {}", Escaped(&at.fen));
        }
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "{gutter} {equals} help: {}", Escaped(help));
        }
        out.push('\n');
    }
}
