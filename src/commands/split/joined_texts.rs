//! Texts of several inputs that are written one after another: the line ends between them, and
//! whether they agree in encoding.

use memchr::memmem;

use crate::input::{Encoding, InputKind, split_games};
use crate::replay::Reader;

/// State of a file to which games of several inputs are written.
#[derive(Clone, Default)]
pub(crate) struct JoinedTexts {
    /// The last text with a game, and blanks after it, as they are stored.
    pub(crate) last: Vec<u8>,
    /// Whether the next text is the first of another input.
    pub(crate) is_joined: bool,
    /// The first input in UTF-8, and the first in an encoding of one byte a character.
    first_inputs: [Option<String>; 2],
}

impl JoinedTexts {
    /// Begins an input.
    pub(crate) fn begin(&mut self) {
        self.is_joined = !self.last.is_empty();
    }

    /// Adds a text of an input. Returns the line ends before it, and the text, which begins
    /// without a byte order mark if it is joined. None if a game of it would be read as the rest
    /// of the last one.
    pub(crate) fn add<'t>(
        &mut self,
        mut text: &'t [u8],
        encoding: Encoding,
        kind: InputKind,
        input: &str,
    ) -> Option<(Vec<u8>, &'t [u8])> {
        let mut line_ends = Vec::new();
        if std::mem::take(&mut self.is_joined) {
            let mark = encoding.byte_order_mark();
            text = text.strip_prefix(&*mark).unwrap_or(text);
            line_ends = between(&self.last, text, encoding, kind)?;
        }
        if encoding.utf_16.is_none() && !text.is_ascii() {
            let is_other = std::str::from_utf8(text).is_err();
            self.first_inputs[usize::from(is_other)].get_or_insert_with(|| input.to_owned());
        }
        if !text.trim_ascii().is_empty() {
            self.last.clear();
        }
        self.last.extend_from_slice(text);
        Some((line_ends, text))
    }

    /// The note on a file that joins inputs in different encodings.
    pub(crate) fn encodings_note(&self, file: &str) -> Option<String> {
        let [Some(utf_8), Some(other)] = &self.first_inputs else {
            return None;
        };
        (utf_8 != other).then(|| {
            format!(
                "note: `{file}` mixes UTF-8, from `{utf_8}`, and another encoding, from `{other}`; \
                 most programs expect one encoding"
            )
        })
    }
}

/// Line ends between two texts: games are separated by a blank line, positions by the end of the
/// line. None if the last game of the first text and the first of the second would be read as one
/// all the same.
fn between(last: &[u8], next: &[u8], encoding: Encoding, kind: InputKind) -> Option<Vec<u8>> {
    if encoding.utf_16.is_some() && last.len() % 2 == 1 {
        // It ends within a character.
        return None;
    }
    let (last, next) = (encoding.decode(last), encoding.decode(next));
    let blanks = last
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_whitespace());
    let line_ends = blanks.filter(|&&byte| byte == b'\n').count();
    let wanted = if kind == InputKind::Pgn { 2_usize } else { 1 };
    let missing = wanted
        .saturating_sub(line_ends)
        .max(usize::from(!last.ends_with(b"\n")));
    let joined = || [&last[..], &b"\n".repeat(missing), &next].concat();
    if kind == InputKind::Pgn && are_one(&last, &next, &joined()) {
        return None;
    }
    let mut line_end = encoding.line_end();
    if memmem::find(&last, b"\r\n").is_some() {
        let carriage_return = |&byte| if byte == b'\n' { b'\r' } else { byte };
        line_end.splice(..0, line_end.clone().iter().map(carriage_return));
    }
    Some(line_end.repeat(missing))
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
