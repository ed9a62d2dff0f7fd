//! Line ends between the texts of several inputs that are written one after another.

use crate::input::{InputKind, split_games};
use crate::replay::Reader;

/// Number of line ends that are missing between two texts: games are separated by a blank line,
/// positions by the end of the line. None if the last game of the first text and the first of the
/// second would be read as one all the same.
pub(crate) fn missing_line_ends(last: &[u8], next: &[u8], kind: InputKind) -> Option<usize> {
    if last.is_empty() {
        return Some(0);
    }
    let blanks = last
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_whitespace());
    let line_ends = blanks.filter(|&&byte| byte == b'\n').count();
    let wanted = if kind == InputKind::Pgn { 2_usize } else { 1 };
    let missing = wanted
        .saturating_sub(line_ends)
        .max(usize::from(!last.ends_with(b"\n")));
    let are_one = || are_one(last, next, &[last, &b"\n".repeat(missing), next].concat());
    (kind != InputKind::Pgn || !are_one()).then_some(missing)
}

/// Whether a game of the second text is a part of the last game of the first once they are joined,
/// or part of none.
pub(crate) fn are_one(last: &[u8], next: &[u8], joined: &[u8]) -> bool {
    let [before, after, both] = [last, next, joined].map(split_games);
    let mut reader = Reader::new();
    let mut is_game = |text: Option<&&[u8]>| {
        text.is_some_and(|text| !reader.read(text, None).is_unreadable(text))
    };
    both.len() < before.len() + after.len()
        && is_game(after.first())
        && (is_game(before.last()) || !is_game(both.get(before.len().saturating_sub(1))))
}
