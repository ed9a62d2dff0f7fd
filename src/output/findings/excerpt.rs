//! The source line of a finding, cut to what fits.

use crate::input::decode;
use crate::judge::report::Report;
use crate::output::escape::{character_width, width};

/// What replaces what is left out.
const CUT: char = '…';

/// The part of a line around a finding, unescaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Excerpt {
    /// What stands before it; begins with `…` if the line begins earlier.
    pub(super) before: String,
    /// What it is about; ends with `…` if it goes on.
    pub(super) marked: String,
    /// What stands behind it; ends with `…` if the line goes on.
    pub(super) after: String,
}

impl Excerpt {
    /// As much of the line as fits into so many columns, what is concerned first, then both sides alike.
    pub(super) fn of(report: &Report<'_>, columns: usize) -> Excerpt {
        // No character that takes a column is longer than four bytes.
        let window = report.window(4 * columns);
        let mut marked = decode(window.marked).into_owned();
        let marked_goes_on = window.more_after && window.after.is_empty();
        if marked.ends_with('\r') {
            marked.pop();
        }
        let long = cut_behind(&mut marked, columns * 2 / 3, marked_goes_on);
        let rest = columns.saturating_sub(width(&marked));
        let before = decode(window.before);
        let mut after = match long {
            true => String::new(),
            false => decode(window.after).into_owned(),
        };
        after.truncate(after.trim_end().len());
        let (left, right) = (width(&before), width(&after));
        let for_before = (rest / 2).max(rest.saturating_sub(right)).min(left);
        let before = cut_before(&before, for_before, window.more_before);
        let for_after = rest.saturating_sub(width(&before));
        cut_behind(&mut after, for_after, window.more_after && !long);
        Excerpt {
            before,
            marked,
            after,
        }
    }
}

/// Shortens a text to so many columns, and tells whether anything is left out at its end; `goes_on` says that something
/// is in any case.
fn cut_behind(text: &mut String, columns: usize, goes_on: bool) -> bool {
    if !goes_on && width(text) <= columns {
        return false;
    }
    let mut taken = 0;
    let end = text.char_indices().find(|&(_, character)| {
        taken += character_width(character);
        taken >= columns.max(2)
    });
    if let Some((end, _)) = end {
        text.truncate(end);
    }
    text.push(CUT);
    true
}

/// The end of a text, in so many columns.
fn cut_before(text: &str, columns: usize, goes_on: bool) -> String {
    if !goes_on && width(text) <= columns {
        return text.to_owned();
    }
    let mut taken = 0;
    let start = text.char_indices().rev().find(|&(_, character)| {
        taken += character_width(character);
        taken >= columns.max(2)
    });
    let start = start.map_or(0, |(at, character)| at + character.len_utf8());
    let mut cut = String::from(CUT);
    cut.push_str(&text[start..]);
    cut
}
