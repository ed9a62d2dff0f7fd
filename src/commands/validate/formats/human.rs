//! Findings for people, with the source line.
//!
//! The layout is that of rustc, which the crate `annotate-snippets` draws as well. That crate wants
//! the whole line to count the column, and a line may be as long as the file; it has no place for
//! game and move; and it shows different control characters alike.

use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::formats::Emitter;
use crate::commands::validate::formats::concise::game;
use crate::commands::validate::formats::excerpt::Excerpt;
use crate::commands::validate::registry::Severity;
use crate::commands::validate::report::Report;
use crate::input::Source;
use crate::report::escape::push_escaped;

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

    /// Adds what `draw` adds, in a style.
    fn paint(self, out: &mut String, style: &str, draw: impl FnOnce(&mut String)) {
        if self.0 {
            out.extend(["\x1b[", style, "m"]);
        }
        draw(out);
        if self.0 {
            out.push_str("\x1b[0m");
        }
    }
}

const BLANKS: &str = "                                                                ";
const CARETS: &str = "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^";

/// Adds `count` characters of one kind, of which `row` has many.
fn fill(out: &mut String, row: &str, count: usize) {
    let mut left = count;
    while left > 0 {
        let part = left.min(row.len());
        out.push_str(&row[..part]);
        left -= part;
    }
}

/// Severity, code and message; place; the source line with the text concerned underlined; the
/// position; help.
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

impl Emitter for Human {
    fn emit(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        _fingerprint: Option<&Fingerprint>,
    ) {
        let paint = self.paint;
        let finding = &report.finding;
        let style = Paint::severity(finding.severity);
        let mut number = itoa::Buffer::new();
        let number = number.format(report.line.0);
        let gutter = number.len();
        let blue = |out: &mut String, text| paint.paint(out, Paint::BLUE, |out| out.push_str(text));
        paint.paint(out, style, |out| {
            out.extend([finding.severity.as_str(), "[", finding.code().as_str(), "]"]);
        });
        paint.paint(out, Paint::BOLD, |out| {
            out.push_str(": ");
            push_escaped(out, &finding.message);
        });
        out.push('\n');
        fill(out, BLANKS, gutter);
        blue(out, "-->");
        out.push(' ');
        push_escaped(out, source.name());
        let mut column = itoa::Buffer::new();
        out.extend([":", number, ":", column.format(report.column), " "]);
        game(out, report);
        let columns = self.columns.max(Human::LEAST);
        let excerpt = Excerpt::of(report, columns.saturating_sub(gutter + 3));
        out.push('\n');
        fill(out, BLANKS, gutter + 1);
        blue(out, "|");
        out.push('\n');
        blue(out, number);
        out.push(' ');
        blue(out, "|");
        out.push(' ');
        excerpt.before.push_to(out);
        excerpt.marked.push_to(out);
        excerpt.after.push_to(out);
        out.push('\n');
        fill(out, BLANKS, gutter + 1);
        blue(out, "|");
        fill(out, BLANKS, 1 + excerpt.before.width);
        paint.paint(out, style, |out| {
            fill(out, CARETS, excerpt.marked.width.max(1));
        });
        out.push('\n');
        let at = finding.at.as_ref().map(|at| (" position: ", &at.fen));
        let help = finding.help.as_ref().map(|help| (" help: ", help));
        for (name, text) in [at, help].into_iter().flatten() {
            fill(out, BLANKS, gutter + 1);
            blue(out, "=");
            out.push_str(name);
            push_escaped(out, text);
            out.push('\n');
        }
        out.push('\n');
    }
}
