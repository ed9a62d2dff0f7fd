//! Encodings: their detection, and transcoding to UTF-8 with `\n` line ends.

use std::borrow::Cow;

use crate::split::error::TextError;
use crate::split::kind::{Compression, unsupported_compression};
pub(super) use crate::text::BYTE_ORDER_MARK;
use crate::text::utf_16::Utf16Decoder;

/// Number of bytes inspected to detect the encoding.
pub(crate) const SAMPLE_BYTES: usize = 8 << 10;

/// Maximum number of bytes inspected if these contain no line end.
pub(crate) const LONGEST_SAMPLE: usize = 1 << 20;

/// Ctrl-Z, the end-of-file mark of text files in CP/M and DOS.
pub(crate) const END_OF_FILE_MARK: u8 = 0x1a;

/// Order of the two bytes of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteOrder {
    /// The high byte first.
    BigEndian,
    /// The low byte first.
    LittleEndian,
}

/// Encoding of characters and line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// UTF-16 of one byte order, transcoded to UTF-8. `None` for ASCII-compatible bytes: UTF-8,
    /// Latin-1, or a mixture.
    pub utf_16: Option<ByteOrder>,
    /// Whether lines end with `\r` alone, as on the classic Mac OS. Each is read as `\n`.
    pub(crate) carriage_returns: bool,
}

impl Encoding {
    /// Text that is read as it is stored.
    pub const BYTES: Encoding = Encoding {
        utf_16: None,
        carriage_returns: false,
    };

    /// Detects the encoding from the first [`SAMPLE_BYTES`], or more if they contain no line end.
    ///
    /// # Errors
    ///
    /// [`TextError::Unsupported`] for data that is not text.
    pub fn of(sample: &[u8]) -> Result<Encoding, TextError> {
        let format = Compression::of(sample);
        if format != Compression::Plain {
            let format = format.name();
            let reason =
                format!("compressed twice, with {format} inside; decompress it once first");
            return Err(TextError::Unsupported(reason));
        }
        if sample.get(257..262) == Some(b"ustar") {
            return Err(TextError::Unsupported(unsupported_compression("tar")));
        }
        if sample.starts_with(b"%PDF-") {
            let reason = "a PDF; save its games as PGN".to_owned();
            return Err(TextError::Unsupported(reason));
        }
        let head = &sample[..sample.len().min(SAMPLE_BYTES)];
        let mut encoding = Encoding {
            utf_16: utf_16(head),
            ..Encoding::BYTES
        };
        if encoding.utf_16.is_some() {
            let mut text = Vec::new();
            Transcoder::of(encoding).feed(sample, false, &mut text);
            encoding.carriage_returns = has_carriage_returns(&text);
            return Ok(encoding);
        }
        if let Some(at) = binary(head) {
            let reason = format!("not text, byte {at} is {:#04x}", sample[at]);
            return Err(TextError::Unsupported(reason));
        }
        encoding.carriage_returns = has_carriage_returns(sample);
        Ok(encoding)
    }

    /// Whether the high bytes of UTF-16 come first; `None` for other encodings.
    pub(crate) fn big_endian(self) -> Option<bool> {
        self.utf_16.map(|order| order == ByteOrder::BigEndian)
    }

    /// Number of stored bytes of a transcoded text, unless its last character is cut off.
    pub fn stored_length(self, text: &[u8]) -> usize {
        if self.utf_16.is_none() {
            return text.len();
        }
        // A character of four bytes has two units, any other has one.
        let units = |&byte: &u8| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >> 3 == 0x1e);
        2 * text.iter().map(units).sum::<usize>()
    }

    /// Text as it is stored, but for its line ends.
    fn encode(self, text: &str) -> Vec<u8> {
        let bytes = match self.big_endian() {
            None => return text.into(),
            Some(false) => u16::to_le_bytes,
            Some(true) => u16::to_be_bytes,
        };
        text.encode_utf16().flat_map(bytes).collect()
    }

    /// Whether stored bytes are those of a text in this encoding, other than their line ends.
    pub fn is_lossless(self, text: &[u8], stored: &[u8]) -> bool {
        if self.utf_16.is_none() {
            return true;
        }
        if text
            .iter()
            .any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
        {
            return false;
        }
        let again = self.encode(std::str::from_utf8(text).unwrap_or_default());
        let line_ends = ["\n", "\r"].map(|end| self.encode(end));
        let is_line_end = |unit: &[u8]| line_ends.iter().any(|end| end == unit);
        let mut units = again.chunks(2).zip(stored.chunks(2));
        again.len() == stored.len()
            && units.all(|(one, unit)| one == unit || is_line_end(one) && is_line_end(unit))
    }

    /// Text of stored bytes.
    pub fn decode(self, stored: &[u8]) -> Cow<'_, [u8]> {
        if self == Encoding::BYTES {
            return Cow::Borrowed(stored);
        }
        let mut text = Vec::new();
        Transcoder::of(self).feed(stored, true, &mut text);
        Cow::Owned(text)
    }

    /// Byte order mark as it is stored.
    pub fn byte_order_mark(self) -> Vec<u8> {
        self.encode("\u{feff}")
    }

    /// Line end as it is stored.
    pub fn line_end(self) -> Vec<u8> {
        self.encode(if self.carriage_returns { "\r" } else { "\n" })
    }
}

/// Whether lines end with `\r` alone. A `\r` at the end of a full sample is ignored, since `\n` may
/// follow.
fn has_carriage_returns(sample: &[u8]) -> bool {
    let known = match sample {
        [known @ .., b'\r'] if sample.len() >= SAMPLE_BYTES => known,
        _ => sample,
    };
    memchr::memchr(b'\r', known).is_some() && memchr::memchr(b'\n', known).is_none()
}

/// UTF-16 by its byte order mark or its NULs; `None` if it is another encoding. ASCII characters
/// have their NULs in the same byte of two. A few NUL characters are allowed.
fn utf_16(sample: &[u8]) -> Option<ByteOrder> {
    let big_endian = match sample {
        // Little-endian UTF-32, which is not supported.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => false,
        [0xfe, 0xff, ..] => true,
        _ => {
            let mut nuls = [0; 2];
            for place in memchr::memchr_iter(0, sample) {
                nuls[place % 2] += 1;
            }
            let [even, odd] = nuls;
            if even.min(odd) > even.max(odd) / 20 || even.max(odd) <= sample.len() / 4 {
                return None;
            }
            even > odd
        }
    };
    Some(match big_endian {
        true => ByteOrder::BigEndian,
        false => ByteOrder::LittleEndian,
    })
}

/// Offset of the first control character, if more than one byte in twenty is one. A run of NULs
/// counts as one byte, since a crash while a file is written can leave whole blocks of them.
fn binary(sample: &[u8]) -> Option<usize> {
    let is_control = |byte: u8| matches!(byte, 0..=8 | 0x0e..=0x19 | 0x1c..=0x1f | 0x7f);
    let mut counted = 0;
    let mut controls = 0;
    let mut last = None;
    for &byte in sample {
        if (last, byte) != (Some(0), 0) {
            counted += 1;
            controls += usize::from(is_control(byte));
        }
        last = Some(byte);
    }
    if controls * 20 > counted {
        sample.iter().position(|&byte| is_control(byte))
    } else {
        None
    }
}

/// Transcodes a text that arrives in pieces.
pub(crate) struct Transcoder {
    /// Decoder of UTF-16. Invalid units become U+FFFD.
    utf_16: Option<Utf16Decoder>,
    /// Whether lines end with `\r` alone. A `\r` before `\n` stays.
    carriage_returns: bool,
    /// Whether the last byte was a `\r`, not yet written.
    is_pending: bool,
}

impl Transcoder {
    /// Transcoder of a text in this encoding.
    pub(crate) fn of(encoding: Encoding) -> Transcoder {
        Transcoder {
            utf_16: encoding.big_endian().map(Utf16Decoder::new),
            carriage_returns: encoding.carriage_returns,
            is_pending: false,
        }
    }

    /// Appends `bytes`, transcoded, to `text`. The last ones end it.
    pub(crate) fn feed(&mut self, bytes: &[u8], is_last: bool, text: &mut Vec<u8>) {
        let start = text.len();
        match &mut self.utf_16 {
            None => text.extend_from_slice(bytes),
            Some(decoder) => decoder.feed(bytes, is_last, text),
        }
        if !self.carriage_returns {
            return;
        }
        for byte in text.split_off(start) {
            if self.is_pending {
                text.push(if byte == b'\n' { b'\r' } else { b'\n' });
            }
            self.is_pending = byte == b'\r';
            if !self.is_pending {
                text.push(byte);
            }
        }
        if is_last && std::mem::take(&mut self.is_pending) {
            text.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(sample: &[u8]) -> Result<Encoding, String> {
        Encoding::of(sample).map_err(|error| error.to_string())
    }

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    const RETURNS: Encoding = Encoding {
        carriage_returns: true,
        ..Encoding::BYTES
    };

    const TEXT: &str = "[White \"Müller\"]\r\n\r\n1. e4 {♞ 🂡} *\r\n";

    #[test]
    fn text_is_distinguished_from_other_files() {
        assert_eq!(encoding(b""), Ok(Encoding::BYTES));
        assert_eq!(encoding(TEXT.as_bytes()), Ok(Encoding::BYTES));
        assert_eq!(encoding(b"1. e4 *\r1. d4 *\r"), Ok(RETURNS));
        assert_eq!(encoding(b"1. e4 *\r1. d4 *\n"), Ok(Encoding::BYTES));
        for big_endian in [false, true] {
            let bytes = if big_endian {
                u16::to_be_bytes
            } else {
                u16::to_le_bytes
            };
            let utf = |carriage_returns| {
                Ok(Encoding {
                    utf_16: Some(if big_endian {
                        ByteOrder::BigEndian
                    } else {
                        ByteOrder::LittleEndian
                    }),
                    carriage_returns,
                })
            };
            let expected = utf(false);
            let returns = TEXT.replace('\n', "");
            assert_eq!(encoding(&utf_16(&returns, bytes)), utf(true));
            assert_eq!(encoding(&utf_16(TEXT, bytes)), expected);
            assert_eq!(encoding(&utf_16("\u{feff}Ж", bytes)), expected);
            let with_nul = format!("{TEXT}\0{TEXT}");
            assert_eq!(encoding(&utf_16(&with_nul, bytes)), expected);
        }
        for (sample, said) in [
            (&b"\x7fELF\x02\x01\x01\0\0\0"[..], "byte 0 is 0x7f"),
            (b"\0\0\0", "byte 0 is 0x00"),
            (b"1. e4 \0\0 *", "byte 6 is 0x00"),
            (b"\xff\xfe\0\0[\0\0\0", "byte 2 is 0x00"),
        ] {
            assert!(encoding(sample).unwrap_err().contains(said), "{sample:?}");
        }
        assert!(encoding(b"\x1f\x8b\x08").unwrap_err().contains("gzip"));
        let tar = [&[b'x'; 257][..], b"ustar"].concat();
        assert!(encoding(&tar).unwrap_err().contains("tar"));
    }

    #[test]
    fn a_nul_or_an_end_of_file_mark_makes_no_binary() {
        let one = [TEXT.as_bytes(), b"\0", TEXT.as_bytes()].concat();
        assert_eq!(encoding(&one), Ok(Encoding::BYTES));
        let filled = [TEXT.as_bytes(), &[0; 4000], TEXT.as_bytes()].concat();
        assert_eq!(encoding(&filled), Ok(Encoding::BYTES));
        assert_eq!(encoding(b"*\n\x1a"), Ok(Encoding::BYTES));
    }

    #[test]
    fn carriage_returns_become_line_feeds_unless_one_follows() {
        for (stored, expected) in [
            ("a\rb\r\rc\r", "a\nb\n\nc\n"),
            ("a\r\nb\r\r\nc\r", "a\r\nb\n\r\nc\n"),
            ("\r", "\n"),
            ("a", "a"),
        ] {
            for piece in [1, 2, 100] {
                let mut transcoder = Transcoder::of(RETURNS);
                let mut text = Vec::new();
                for bytes in stored.as_bytes().chunks(piece) {
                    transcoder.feed(bytes, false, &mut text);
                }
                transcoder.feed(&[], true, &mut text);
                assert_eq!(text, expected.as_bytes(), "{stored:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn utf_16_becomes_utf_8_wherever_it_is_cut() {
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let packed = utf_16(TEXT, bytes);
            let is_big = bytes(1) == [0, 1];
            for piece in [1, 2, 3, 5, 1000] {
                let mut transcoder = Transcoder::of(Encoding {
                    utf_16: Some(if is_big {
                        ByteOrder::BigEndian
                    } else {
                        ByteOrder::LittleEndian
                    }),
                    carriage_returns: false,
                });
                let mut text = Vec::new();
                for bytes in packed.chunks(piece) {
                    transcoder.feed(bytes, false, &mut text);
                }
                transcoder.feed(&[], true, &mut text);
                assert_eq!(text, TEXT.as_bytes(), "pieces of {piece}");
            }
        }
    }

    #[test]
    fn what_is_no_character_of_utf_16_becomes_a_replacement_character() {
        let check = |units: &[u16], odd: &[u8], expected: &str| {
            let mut packed: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            packed.extend(odd);
            let mut transcoder = Transcoder::of(Encoding {
                utf_16: Some(ByteOrder::LittleEndian),
                carriage_returns: false,
            });
            let mut text = Vec::new();
            transcoder.feed(&packed, true, &mut text);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        };
        check(&[0xd83c, 0x61], b"", "\u{fffd}a");
        check(&[0xdca1, 0x61], b"", "\u{fffd}a");
        check(&[0xd83c, 0xd83c, 0xdca1], b"", "\u{fffd}🂡");
        check(&[0x61, 0xd83c], b"", "a\u{fffd}");
        check(&[0x61], b"b", "a\u{fffd}");
        // Cut off in a character and in a unit: one character is lost.
        check(&[0x61, 0xd83c], b"b", "a\u{fffd}");
    }
}
