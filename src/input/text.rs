//! Bytes of a game → characters.

use std::borrow::Cow;

/// Reads UTF-8; bytes that are not UTF-8 are taken for Latin-1, the character set of the PGN standard (section 4).
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(characters(bytes).collect()),
    }
}

/// The characters of bytes that may be UTF-8 or Latin-1.
fn characters(bytes: &[u8]) -> impl Iterator<Item = char> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let latin = chunk.invalid().iter().map(|&byte| char::from(byte));
        chunk.valid().chars().chain(latin)
    })
}

/// How many characters the bytes are.
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
        assert_eq!(decode(b"\xe2\x80"), "\u{e2}\u{80}");
    }
}
