//! Line breaks in lines of movetext that repairs have made too long.

use std::ops::Range;

use crate::findings::{Edit, LONG_LINE, line_end, number_start};
use crate::pgn::{Game, Span};
use crate::text::count_characters;

/// Line breaks for the lines of movetext that `edits` of an old text have made too long for the
/// export format. `None` if one cannot be broken before a move.
pub(crate) fn line_breaks(
    old: &[u8],
    edits: &[&Edit],
    game: &Game,
    new: &[u8],
) -> Option<Vec<Edit>> {
    let mut breaks = Vec::new();
    let mut edits = edits.iter().peekable();
    // Ends of the last edit in both texts.
    let (mut old_at, mut new_at) = (0, 0);
    let mut end = 0;
    for line in new.split_inclusive(|&byte| byte == b'\n') {
        let start = end;
        end += line.len();
        let line = start..start + length(line);
        while let Some(edit) =
            edits.next_if(|edit| new_at + edit.span.range().start - old_at <= start)
        {
            let span = edit.span.range();
            new_at += span.start - old_at + edit.text.len();
            old_at = span.end;
        }
        let is_movetext = start >= game.movetext && new[start] != b'%';
        if is_movetext && is_long(new, &line) {
            let place = old_at + start.saturating_sub(new_at);
            if !is_long(old, &line_at(old, place)) {
                break_line(game, new, line, line_end(old), &mut breaks)?;
            }
        }
    }
    Some(breaks)
}

fn is_long(text: &[u8], line: &Range<usize>) -> bool {
    line.len() >= LONG_LINE && count_characters(&text[line.clone()]) >= LONG_LINE
}

/// The line at a place of a text.
fn line_at(text: &[u8], place: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &text[..place]).map_or(0, |feed| feed + 1);
    let end = memchr::memchr(b'\n', &text[place..]).map_or(text.len(), |feed| place + feed);
    start..start + length(&text[start..end])
}

/// Length of a line without its end.
fn length(line: &[u8]) -> usize {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line).len()
}

/// Breaks a line before moves, each with its number.
fn break_line(
    game: &Game,
    text: &[u8],
    line: Range<usize>,
    line_end: &'static str,
    breaks: &mut Vec<Edit>,
) -> Option<()> {
    let mut start = line.start;
    while is_long(text, &(start..line.end)) {
        let begin = |nth: usize| game.tokens[nth].span.start as usize;
        let first = game
            .tokens
            .partition_point(|token| (token.span.start as usize) < start);
        let on_line = (first..game.tokens.len()).take_while(|&nth| begin(nth) < line.end);
        let blanks = on_line.filter_map(|nth| {
            let place = number_start(text, begin(nth));
            let end = start + text.get(start..place)?.trim_ascii_end().len();
            (start < end && end < place).then_some(end..place)
        });
        let fits = |blank: &Range<usize>| !is_long(text, &(start..blank.start));
        let blank = blanks.take_while(fits).last()?;
        start = blank.end;
        breaks.push(Edit::new(Span::new(blank.start, blank.end), line_end));
    }
    Some(())
}
