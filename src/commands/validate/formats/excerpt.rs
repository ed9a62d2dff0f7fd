//! The source line of a finding, cut to what fits.

use std::borrow::Cow;
use std::ops::Range;

use crate::commands::validate::report::Report;
use crate::report::escape::{character_width, is_plain, push_escaped, width};
use crate::text::decode;

/// Replaces omitted text.
const CUT: &str = "…";

/// The part of a line around a finding.
#[derive(Debug)]
pub(crate) struct Excerpt<'a> {
    /// Text before the marked part; begins with `…` if the line begins earlier.
    pub(crate) before: Piece<'a>,
    /// The marked part; ends with `…` if it goes on.
    pub(crate) marked: Piece<'a>,
    /// Text after the marked part; ends with `…` if the line goes on.
    pub(crate) after: Piece<'a>,
}

/// A text, or the part of it that fits.
#[derive(Debug)]
pub(crate) struct Piece<'a> {
    text: Cow<'a, str>,
    kept: Range<usize>,
    /// Whether every character takes one column and is shown as it is.
    is_plain: bool,
    is_cut_before: bool,
    is_cut_behind: bool,
    /// In columns, as it is shown.
    pub(crate) width: usize,
}

impl<'a> Excerpt<'a> {
    /// The part of the line that fits into `columns`: the marked part first, then both sides
    /// equally.
    pub(crate) fn of(report: &Report<'a>, columns: usize) -> Excerpt<'a> {
        // No character that takes a column is longer than four bytes.
        let window = report.window(4 * columns);
        let marked = window.marked.strip_suffix(b"\r");
        let mut marked = Piece::of(marked.unwrap_or(window.marked));
        let marked_goes_on = window.more_after && window.after.is_empty();
        marked.cut_behind(columns * 2 / 3, marked_goes_on);
        let rest = columns.saturating_sub(marked.width);
        let mut before = Piece::of(window.before);
        let mut after = match marked.is_cut_behind {
            true => Piece::of(b""),
            false => Piece::of(window.after).without_trailing_blanks(),
        };
        let after_goes_on = window.more_after && !marked.is_cut_behind;
        let for_before = (rest / 2).max(rest.saturating_sub(after.width));
        before.cut_before(for_before.min(before.width), window.more_before);
        after.cut_behind(rest.saturating_sub(before.width), after_goes_on);
        Excerpt {
            before,
            marked,
            after,
        }
    }
}

impl<'a> Piece<'a> {
    fn of(text: &'a [u8]) -> Piece<'a> {
        let text = decode(text);
        let is_plain = is_plain(&text);
        Piece {
            kept: 0..text.len(),
            width: if is_plain { text.len() } else { width(&text) },
            text,
            is_plain,
            is_cut_before: false,
            is_cut_behind: false,
        }
    }

    fn without_trailing_blanks(mut self) -> Piece<'a> {
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
    pub(crate) fn push_to(&self, out: &mut String) {
        out.push_str(if self.is_cut_before { CUT } else { "" });
        match self.is_plain {
            true => out.push_str(self.kept()),
            false => push_escaped(out, self.kept()),
        }
        out.push_str(if self.is_cut_behind { CUT } else { "" });
    }

    /// Truncates the end to `columns`, the ellipsis included. With `goes_on` the text is marked as
    /// cut even if it fits.
    fn cut_behind(&mut self, columns: usize, goes_on: bool) {
        if goes_on || self.width > columns {
            self.kept.end = self.kept.start + self.fitting(columns, str::chars);
            self.is_cut_behind = true;
            self.measure();
        }
    }

    /// Like [`Piece::cut_behind`], for the beginning of the text.
    fn cut_before(&mut self, columns: usize, goes_on: bool) {
        if goes_on || self.width > columns {
            self.kept.start = self.kept.end - self.fitting(columns, |text| text.chars().rev());
            self.is_cut_before = true;
            self.measure();
        }
    }

    fn measure(&mut self) {
        let kept = match self.is_plain {
            true => self.kept.len(),
            false => width(self.kept()),
        };
        self.width = kept + usize::from(self.is_cut_before) + usize::from(self.is_cut_behind);
    }

    /// Length in bytes of the characters, in the given order, that fit beside the ellipsis.
    fn fitting<'t, I>(&'t self, columns: usize, in_order: impl FnOnce(&'t str) -> I) -> usize
    where
        I: Iterator<Item = char>,
    {
        let most = columns.max(2) - 1;
        if self.is_plain {
            return self.kept.len().min(most);
        }
        let mut taken = 0;
        in_order(self.kept())
            .take_while(|&character| {
                taken += character_width(character);
                taken <= most
            })
            .map(char::len_utf8)
            .sum()
    }
}
