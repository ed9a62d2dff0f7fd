//! Repairs: edits of a game's text after which a finding is gone.

use std::ops::Range;

use crate::pgn::Span;

/// Replacement of a part of a game's text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// The part; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Replaces the bytes of `span` by `text`.
    pub fn new(span: Span, text: impl Into<String>) -> Edit {
        Edit {
            span,
            text: text.into(),
        }
    }

    /// Replacement of a move. `!` and `?` in the old word, as in `Bxf7!+`, follow the new one.
    pub(crate) fn of_move(span: Span, text: &[u8], san: &str) -> Edit {
        let marks = span.of(text).iter().map(|&byte| char::from(byte));
        let mut new = san.to_owned();
        new.extend(marks.filter(|mark| matches!(mark, '!' | '?')));
        // Two glyphs side by side would be one.
        if new.len() > san.len() && matches!(text.get(span.end as usize), Some(b'!' | b'?')) {
            new.push(' ');
        }
        Edit::new(span, new)
    }

    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit::new(Span::new(at, at), text)
    }

    pub(crate) fn delete(range: &Range<usize>) -> Edit {
        Edit::new(Span::new(range.start, range.end), "")
    }
}

/// Edits that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// The edits, in any order.
    pub edits: Vec<Edit>,
    /// Whether nothing else can be meant.
    pub is_certain: bool,
}

impl Repair {
    /// A repair, if there is any edit.
    pub fn new(edits: Vec<Edit>, is_certain: bool) -> Option<Box<Repair>> {
        let repair = Repair { edits, is_certain };
        (!repair.edits.is_empty()).then(|| Box::new(repair))
    }
}

/// Start of a move with the number before it on its line.
pub fn number_start(text: &[u8], mv: usize) -> usize {
    let count = |text: &[u8], is: fn(&u8) -> bool| text.iter().rev().take_while(|&b| is(b)).count();
    let blanks = count(&text[..mv], |byte| matches!(byte, b' ' | b'\t'));
    let end = mv - blanks;
    let points = count(&text[..end], |&byte| byte == b'.');
    let digits = count(&text[..end - points], u8::is_ascii_digit);
    match points > 0 && digits > 0 {
        true => end - points - digits,
        false => mv,
    }
}
