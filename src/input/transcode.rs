//! Transcoding of text to UTF-8 with `\n` line ends.

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE};

/// Transcodes a text that arrives in pieces.
pub(crate) enum Transcoder {
    /// From UTF-16. Invalid units become U+FFFD.
    Utf16(Utf16),
    /// From lines that end with `\r` alone; a `\r` before `\n` stays.
    CarriageReturns(CarriageReturns),
    /// From UTF-16 with such line ends, through a buffer.
    Both(Utf16, CarriageReturns, Vec<u8>),
}

impl Transcoder {
    /// Appends `bytes`, transcoded, to `text`.
    pub(crate) fn feed(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        match self {
            Transcoder::Utf16(utf_16) => utf_16.feed(bytes, text),
            Transcoder::CarriageReturns(returns) => returns.feed(bytes, text),
            Transcoder::Both(utf_16, returns, between) => {
                between.clear();
                utf_16.feed(bytes, between);
                returns.feed(between, text);
            }
        }
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self, text: &mut Vec<u8>) {
        match self {
            Transcoder::Utf16(utf_16) => utf_16.finish(text),
            Transcoder::CarriageReturns(returns) => returns.finish(text),
            Transcoder::Both(utf_16, returns, between) => {
                between.clear();
                utf_16.finish(between);
                returns.feed(between, text);
                returns.finish(text);
            }
        }
    }
}

#[derive(Default)]
pub(crate) struct CarriageReturns {
    /// Whether the last byte was a `\r`, not yet written.
    is_pending: bool,
}

impl CarriageReturns {
    fn feed(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        for &byte in bytes {
            if self.is_pending {
                text.push(if byte == b'\n' { b'\r' } else { b'\n' });
            }
            self.is_pending = byte == b'\r';
            if !self.is_pending {
                text.push(byte);
            }
        }
    }

    fn finish(&mut self, text: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_pending) {
            text.push(b'\n');
        }
    }
}

pub(crate) struct Utf16(Decoder);

impl Utf16 {
    pub(crate) fn new(big_endian: bool) -> Utf16 {
        let encoding = if big_endian { UTF_16BE } else { UTF_16LE };
        Utf16(encoding.new_decoder_without_bom_handling())
    }

    pub(crate) fn feed(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        self.decode(bytes, text, false);
    }

    fn finish(&mut self, text: &mut Vec<u8>) {
        self.decode(&[], text, true);
    }

    fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>, is_last: bool) {
        let start = text.len();
        let most = self.0.max_utf8_buffer_length(bytes.len());
        text.resize(start + most.expect("a block is short"), 0);
        let (_, _, written, _) = self.0.decode_to_utf8(bytes, &mut text[start..], is_last);
        text.truncate(start + written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[White \"Müller\"]\r\n\r\n1. e4 {♞ 🂡} *\r\n";

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
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
                let mut transcoder = CarriageReturns::default();
                let mut text = Vec::new();
                for bytes in stored.as_bytes().chunks(piece) {
                    transcoder.feed(bytes, &mut text);
                }
                transcoder.finish(&mut text);
                assert_eq!(text, expected.as_bytes(), "{stored:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn utf_16_becomes_utf_8_wherever_it_is_cut() {
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let packed = utf_16(TEXT, bytes);
            for piece in [1, 2, 3, 5, 1000] {
                let mut decoder = Utf16::new(bytes(1) == [0, 1]);
                let mut text = Vec::new();
                for bytes in packed.chunks(piece) {
                    decoder.feed(bytes, &mut text);
                }
                decoder.finish(&mut text);
                assert_eq!(text, TEXT.as_bytes(), "pieces of {piece}");
            }
        }
    }

    #[test]
    fn what_is_no_character_of_utf_16_becomes_a_replacement_character() {
        let check = |units: &[u16], odd: &[u8], expected: &str| {
            let mut packed: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            packed.extend(odd);
            let mut decoder = Utf16::new(false);
            let mut text = Vec::new();
            decoder.feed(&packed, &mut text);
            decoder.finish(&mut text);
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
