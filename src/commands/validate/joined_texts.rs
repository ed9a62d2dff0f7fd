//! Texts of several inputs that are written one after another: the line ends between them, and
//! whether they agree in encoding.

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

/// Number of spaces and tabs at the end of a text.
pub(crate) fn trailing_blanks(text: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().rev().take_while(is_blank).count()
}

/// Appends `text` after `between`, before which no blanks stay.
pub(crate) fn push_after(out: &mut Vec<u8>, between: &str, text: &[u8]) {
    if !between.is_empty() {
        out.truncate(out.len() - trailing_blanks(out));
        out.extend_from_slice(between.as_bytes());
    }
    out.extend_from_slice(text);
}

/// Encodings of the inputs of one output file: the first input in UTF-8, and the first in an
/// encoding of one byte a character.
#[derive(Clone, Default)]
pub(crate) struct Encodings {
    utf_8: Option<String>,
    other: Option<String>,
}

impl Encodings {
    /// Adds a text of an input.
    pub(crate) fn add(&mut self, text: &[u8], input: &str) {
        if text.is_ascii() {
            return;
        }
        let first = if std::str::from_utf8(text).is_ok() {
            &mut self.utf_8
        } else {
            &mut self.other
        };
        first.get_or_insert_with(|| input.to_owned());
    }

    /// The note on a file that joins inputs in different encodings.
    pub(crate) fn note(&self, file: &str) -> Option<String> {
        let (utf_8, other) = (self.utf_8.as_ref()?, self.other.as_ref()?);
        (utf_8 != other).then(|| {
            format!(
                "note: `{file}` mixes UTF-8, from `{utf_8}`, and another encoding, from `{other}`; \
                 most programs expect one encoding"
            )
        })
    }
}
