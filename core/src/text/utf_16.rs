//! Decoding of UTF-16.

/// Decoder of a text in UTF-16 that arrives in pieces. Invalid units become U+FFFD.
pub(crate) struct Utf16Decoder {
    is_big_endian: bool,
    /// A unit or a character that is cut off.
    rest: Vec<u8>,
}

impl Utf16Decoder {
    pub(crate) fn new(is_big_endian: bool) -> Utf16Decoder {
        Utf16Decoder {
            is_big_endian,
            rest: Vec::new(),
        }
    }

    /// Appends `bytes` to `text` in UTF-8. The last ones end it.
    pub(crate) fn feed(&mut self, bytes: &[u8], is_last: bool, text: &mut Vec<u8>) {
        self.rest.extend_from_slice(bytes);
        let unit = match self.is_big_endian {
            true => u16::from_be_bytes,
            false => u16::from_le_bytes,
        };
        let units = self.rest.as_chunks().0.iter().map(|&bytes| unit(bytes));
        let is_cut = matches!(units.clone().next_back(), Some(0xd800..0xdc00));
        let whole = units.len() - usize::from(is_cut && !is_last);
        for character in char::decode_utf16(units.take(whole)) {
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.rest.drain(..2 * whole);
        // After half a character, half a unit is lost with it.
        if is_last && !std::mem::take(&mut self.rest).is_empty() && !is_cut {
            text.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
}
