//! Text in other encodings → the UTF-8 that is read.

/// Rewrites a text that arrives in pieces.
#[derive(Clone, Debug)]
pub(crate) enum Transcoder {
    /// From UTF-16. What is no character becomes U+FFFD.
    Utf16(Utf16),
    /// From lines that end with `\r` alone; a `\r` before `\n` stays.
    CarriageReturns(CarriageReturns),
    /// From UTF-16 with such lines. The text between the two is kept only to use its memory again.
    Both(Utf16, CarriageReturns, Vec<u8>),
}

impl Transcoder {
    /// Appends what `bytes` mean to `text`.
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

#[derive(Clone, Debug, Default)]
pub(crate) struct CarriageReturns {
    /// A `\r` waits for what follows it.
    waiting: bool,
}

impl CarriageReturns {
    fn feed(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        for &byte in bytes {
            if self.waiting {
                text.push(if byte == b'\n' { b'\r' } else { b'\n' });
            }
            self.waiting = byte == b'\r';
            if !self.waiting {
                text.push(byte);
            }
        }
    }

    fn finish(&mut self, text: &mut Vec<u8>) {
        if std::mem::take(&mut self.waiting) {
            text.push(b'\n');
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Utf16 {
    big_endian: bool,
    /// The first byte of two.
    half: Option<u8>,
    /// The first surrogate of two.
    high: Option<u16>,
}

impl Utf16 {
    pub(crate) fn new(big_endian: bool) -> Utf16 {
        Utf16 {
            big_endian,
            half: None,
            high: None,
        }
    }

    pub(crate) fn feed(&mut self, mut bytes: &[u8], text: &mut Vec<u8>) {
        if let Some(half) = self.half.take() {
            match bytes.split_first() {
                Some((&other, rest)) => {
                    self.unit([half, other], text);
                    bytes = rest;
                }
                None => self.half = Some(half),
            }
        }
        let (units, rest) = bytes.as_chunks::<2>();
        for &unit in units {
            self.unit(unit, text);
        }
        if let [half] = rest {
            self.half = Some(*half);
        }
    }

    fn finish(&mut self, text: &mut Vec<u8>) {
        if self.high.take().is_some() {
            push(char::REPLACEMENT_CHARACTER, text);
        }
        if self.half.take().is_some() {
            push(char::REPLACEMENT_CHARACTER, text);
        }
    }

    fn unit(&mut self, bytes: [u8; 2], text: &mut Vec<u8>) {
        let unit = if self.big_endian {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        };
        let high = self.high.take();
        match (high, unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                for character in char::decode_utf16([high, unit]) {
                    push(character.unwrap_or(char::REPLACEMENT_CHARACTER), text);
                }
                return;
            }
            (Some(_), _) => push(char::REPLACEMENT_CHARACTER, text),
            (None, _) => {}
        }
        match unit {
            0xd800..=0xdbff => self.high = Some(unit),
            _ => push(
                char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER),
                text,
            ),
        }
    }
}

fn push(character: char, text: &mut Vec<u8>) {
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
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
        check(&[0x61, 0xd83c], b"b", "a\u{fffd}\u{fffd}");
    }
}
