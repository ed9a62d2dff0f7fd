//! Bytes of PGN text: offsets, decoding, and the byte-level grammar of tag pairs.

pub(crate) mod buffer;
pub mod escape;
pub(crate) mod index;
pub mod nearest;
pub(crate) mod tag_pairs;
pub(crate) mod utf_16;
pub mod wrap;

use std::borrow::Cow;
use std::fmt;

use utf_16::Utf16Decoder;

pub use buffer::{Buffer, append};
pub use index::Index;
pub use tag_pairs::{TagFilter, TagLine};
pub use wrap::{wrap, wrap_if};

/// Number of a game in its source, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameNo(pub u64);

/// Byte offset in a text, from 0. The text is the decompressed file, or its UTF-8 form if it is in
/// UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(pub u64);

/// Number of a line in its source, from 1. A line includes its `\n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNo(pub u64);

macro_rules! display_as_number {
    ($($place:ident),*) => {$(
        impl fmt::Display for $place {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

display_as_number!(GameNo, Offset, LineNo);

/// Length of a blank outside ASCII at the beginning of a text, 0 if there is none: a no-break space
/// in UTF-8 or Latin-1, a space of fixed width, or an ideographic space. Programs and web pages put
/// them in movetext, where PGN has ASCII blanks only.
pub(crate) fn wide_blank(text: &[u8]) -> usize {
    match text {
        [0xa0, ..] => 1,
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Number of spaces and tabs at the end of a text.
pub fn trailing_blanks(text: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().rev().take_while(is_blank).count()
}

/// Appends `text` after `between`, before which no blanks stay.
pub fn push_after(out: &mut Vec<u8>, between: &str, text: &[u8]) {
    if !between.is_empty() {
        out.truncate(out.len() - trailing_blanks(out));
        out.extend_from_slice(between.as_bytes());
    }
    out.extend_from_slice(text);
}

/// Whether a tag name may have a byte: letters, digits and underscores (PGN standard 8.1.1);
/// hyphens and periods are in use and harmless.
#[inline]
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Byte order mark in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Length of a [`wide_blank`] or byte order mark at the beginning of a text, 0 if there is none.
pub(crate) fn odd_blank(text: &[u8]) -> usize {
    match text.starts_with(BYTE_ORDER_MARK) {
        true => BYTE_ORDER_MARK.len(),
        false => wide_blank(text),
    }
}

/// Whether bytes may be the first ones of an [`odd_blank`], or one.
#[inline]
pub(crate) fn may_be_odd_blank(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xc2 | 0xe2 | 0xe3 | 0xef] | [0xe2, 0x80 | 0x81] | [0xe3, 0x80] | [0xef, 0xbb]
    ) || odd_blank(bytes) == bytes.len()
}

/// The first [`wide_blank`] of a text, as `U+00A0`.
pub(crate) fn first_wide_blank(text: &[u8]) -> Option<String> {
    let mut starts = (0..text.len()).map(|start| &text[start..]);
    let found = starts.find(|rest| match wide_blank(rest) {
        0 => false,
        // In UTF-8 the byte of a no-break space in Latin-1 is a part of other characters.
        1 => std::str::from_utf8(text).is_err(),
        _ => true,
    })?;
    let blank = decode(&found[..wide_blank(found)]);
    Some(format!("U+{:04X}", u32::from(blank.chars().next()?)))
}

/// Whether a text ends with a [`wide_blank`].
pub(crate) fn ends_with_wide_blank(text: &[u8]) -> bool {
    (1..=3).any(|length| {
        let start = text.len().checked_sub(length);
        start.is_some_and(|start| wide_blank(&text[start..]) == length)
    })
}

/// Decodes UTF-8. Other bytes are read as Latin-1, the character set of the PGN standard (4), with
/// the characters of Windows-1252 in place of C1 control codes.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(characters(bytes).collect()),
    }
}

/// Decodes a whole file by its byte order mark, which is left out, or else as [`decode`] does.
pub fn decode_marked(bytes: &[u8]) -> Cow<'_, str> {
    let (is_big_endian, units) = match bytes {
        [0xff, 0xfe, units @ ..] => (false, units),
        [0xfe, 0xff, units @ ..] => (true, units),
        _ => {
            let text = bytes.strip_prefix(BYTE_ORDER_MARK);
            return text.map_or_else(|| decode(bytes), String::from_utf8_lossy);
        }
    };
    let mut text = Vec::new();
    Utf16Decoder::new(is_big_endian).feed(units, true, &mut text);
    Cow::Owned(String::from_utf8_lossy(&text).into_owned())
}

/// Characters of bytes that may be UTF-8 or Latin-1.
fn characters(bytes: &[u8]) -> impl Iterator<Item = char> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let latin = chunk.invalid().iter().map(|&byte| windows_1252(byte));
        chunk.valid().chars().chain(latin)
    })
}

/// Characters of the bytes from 0x80 on in Windows-1252, with the C1 control codes of Latin-1 in
/// its gaps. The bytes from 0xa0 on are as in Latin-1.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Whether a byte is a character in Windows-1252.
pub(crate) fn is_windows_1252(byte: u8) -> bool {
    !matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d)
}

/// Character of a byte in Windows-1252, or in Latin-1 if it has none there.
pub(crate) fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..0xa0 => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Number of characters that `bytes` decode to.
pub fn count_characters(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        bytes.len()
    } else {
        characters(bytes).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_among_utf_8() {
        assert_eq!(decode(b"M\xfcller"), "Müller");
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode("é\u{e9}".as_bytes()), "éé");
        assert_eq!(count_characters(b"M\xfcller M\xc3\xbcller"), 13);
        assert_eq!(decode(b"\xe2\x80"), "â€");
        assert_eq!(
            decode(b"\x93e4\x94 \x81\x9d\xa0"),
            "“e4” \u{81}\u{9d}\u{a0}"
        );
    }
}
