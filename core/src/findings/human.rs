//! Findings for people, with the source line.
//!
//! The layout is that of rustc, which the crate `annotate-snippets` draws as well. That crate wants
//! the whole line to count the column, and a line may be as long as the file; it has no place for
//! game and move; and it shows different control characters alike.

use std::borrow::Cow;
use std::ops::Range;

use crate::findings::GameAndMove;
use crate::findings::registry::Severity;
use crate::findings::report::Report;
use crate::text::decode;
use crate::text::escape::{character_width, is_plain, push_escaped, width};
use crate::text::{Buffer, append};

/// Severity, code and message; place; the source line with the text concerned underlined; the
/// position; help.
#[derive(Clone, Copy, Debug)]
pub struct Human {
    /// Whether there are colours.
    pub paints: bool,
    /// How many columns there are, line number included.
    pub columns: usize,
}

impl Human {
    /// How wide the output is where there is no terminal to ask, in columns.
    pub const COLUMNS: usize = 100;

    /// A terminal narrower than this is written over its edge, in columns.
    const LEAST: usize = 40;

    /// Appends a finding.
    pub fn write(&self, out: &mut Buffer, path: &str, report: &Report<'_>) {
        let finding = &report.finding;
        let of_severity = match finding.severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Note => "1;36",
        };
        let styles = [of_severity, "1", "1;34"];
        let [style, bold, blue] = styles.map(|style| if self.paints { style } else { "" });
        let number = &*report.line.0.to_string();
        let gutter = number.len();
        let blue = |out: &mut Buffer, text| paint(out, blue, |out| out.push_str(text));
        paint(out, style, |out| {
            for text in [finding.severity.as_str(), "[", finding.code().as_str(), "]"] {
                out.push_str(text);
            }
        });
        paint(out, bold, |out| {
            out.push_str(": ");
            push_escaped(out, &finding.message);
        });
        out.push(b'\n');
        fill(out, b' ', gutter);
        blue(out, "-->");
        out.push(b' ');
        push_escaped(out, path);
        for text in [":", number, ":", &report.column.to_string(), " "] {
            out.push_str(text);
        }
        // Writing to memory does not fail.
        let _ = GameAndMove(report).write(out);
        let columns = self.columns.max(Human::LEAST);
        let pieces = excerpt(report, columns.saturating_sub(gutter + 3));
        out.push(b'\n');
        fill(out, b' ', gutter + 1);
        blue(out, "|");
        out.push(b'\n');
        blue(out, number);
        out.push(b' ');
        blue(out, "|");
        out.push(b' ');
        for piece in &pieces {
            piece.push_to(out);
        }
        out.push(b'\n');
        fill(out, b' ', gutter + 1);
        blue(out, "|");
        let [before, marked, _] = pieces.map(|piece| piece.width);
        fill(out, b' ', 1 + before);
        paint(out, style, |out| fill(out, b'^', marked.max(1)));
        out.push(b'\n');
        let at = finding.at.as_ref().map(|at| (" position: ", &at.fen));
        let help = finding.help.as_ref().map(|help| (" help: ", help));
        for (name, text) in [at, help].into_iter().flatten() {
            fill(out, b' ', gutter + 1);
            blue(out, "=");
            out.push_str(name);
            push_escaped(out, text);
            out.push(b'\n');
        }
        out.push(b'\n');
    }
}

/// Appends what `draw` appends, in a style of the terminal unless that is empty.
pub(crate) fn paint(out: &mut Buffer, style: &str, draw: impl FnOnce(&mut Buffer)) {
    if style.is_empty() {
        return draw(out);
    }
    append!(out, "\x1b[{style}m");
    draw(out);
    out.push_str("\x1b[0m");
}

/// Appends `count` bytes of one kind.
fn fill(out: &mut Buffer, byte: u8, count: usize) {
    out.room(count)[..count].fill(byte);
    out.advance(count);
}

/// Replaces omitted text.
const CUT: &str = "…";

/// A text, or the part of it that fits.
struct LinePiece<'a> {
    text: Cow<'a, str>,
    kept: Range<usize>,
    /// Whether every character takes one column and is shown as it is.
    is_plain: bool,
    is_cut_before: bool,
    is_cut_after: bool,
    /// In columns, as it is shown.
    width: usize,
}

/// The part of the line that fits into `columns`, before the marked part, that, and after it: the
/// marked part first, then both sides equally. A piece that goes on has a `…` there.
fn excerpt<'a>(report: &Report<'a>, columns: usize) -> [LinePiece<'a>; 3] {
    // No character that takes a column is longer than four bytes.
    let window = report.window(4 * columns);
    let marked = window.marked.strip_suffix(b"\r");
    let mut marked = LinePiece::of(marked.unwrap_or(window.marked));
    let marked_goes_on = window.more_after && window.after.is_empty();
    marked.cut(false, columns * 2 / 3, marked_goes_on);
    let rest = columns.saturating_sub(marked.width);
    let mut before = LinePiece::of(window.before);
    let rest_of_line: &[u8] = if marked.is_cut_after {
        b""
    } else {
        window.after
    };
    let mut after = LinePiece::of(rest_of_line).without_trailing_blanks();
    let after_goes_on = window.more_after && !marked.is_cut_after;
    let for_before = (rest / 2).max(rest.saturating_sub(after.width));
    before.cut(true, for_before.min(before.width), window.more_before);
    after.cut(false, rest.saturating_sub(before.width), after_goes_on);
    [before, marked, after]
}

impl<'a> LinePiece<'a> {
    fn of(text: &'a [u8]) -> LinePiece<'a> {
        let text = decode(text);
        let is_plain = is_plain(&text);
        LinePiece {
            kept: 0..text.len(),
            width: if is_plain { text.len() } else { width(&text) },
            text,
            is_plain,
            is_cut_before: false,
            is_cut_after: false,
        }
    }

    fn without_trailing_blanks(mut self) -> LinePiece<'a> {
        let end = self.text.trim_end().len();
        if end < self.kept.end {
            self.kept.end = end;
            self.measure();
        }
        self
    }

    fn kept(&self) -> &str {
        &self.text[self.kept.clone()]
    }

    /// Adds what is shown to `out`, with control characters escaped.
    fn push_to(&self, out: &mut Buffer) {
        out.push_str(if self.is_cut_before { CUT } else { "" });
        match self.is_plain {
            true => out.push_str(self.kept()),
            false => push_escaped(out, self.kept()),
        }
        out.push_str(if self.is_cut_after { CUT } else { "" });
    }

    /// Truncates one end to `columns`, the ellipsis included. With `goes_on` the text is marked as
    /// cut even if it fits.
    fn cut(&mut self, at_start: bool, columns: usize, goes_on: bool) {
        if !goes_on && self.width <= columns {
            return;
        }
        let (kept, most) = (self.kept(), columns.max(2) - 1);
        let mut taken = 0;
        let fits = |&character: &char| {
            taken += character_width(character);
            taken <= most
        };
        let length: usize = match (self.is_plain, at_start) {
            (true, _) => most.min(kept.len()),
            (_, true) => (kept.chars().rev().take_while(fits).map(char::len_utf8)).sum(),
            (_, false) => kept.chars().take_while(fits).map(char::len_utf8).sum(),
        };
        if at_start {
            self.kept.start = self.kept.end - length;
            self.is_cut_before = true;
        } else {
            self.kept.end = self.kept.start + length;
            self.is_cut_after = true;
        }
        self.measure();
    }

    fn measure(&mut self) {
        let kept = match self.is_plain {
            true => self.kept.len(),
            false => width(self.kept()),
        };
        self.width = kept + usize::from(self.is_cut_before) + usize::from(self.is_cut_after);
    }
}
