//! Text that was encoded as UTF-8 twice.

use crate::text::windows_1252;

/// Offset and length, in bytes, of the first character that was decoded as Windows-1252 and encoded
/// as UTF-8 again: `MÃ¼ller` for `Müller`. Correct letters, such as the
/// `Ã` of `SÃO`, are not found.
pub(crate) fn find_double_utf8(bytes: &[u8]) -> Option<(usize, usize)> {
    // U+00C2 to U+00F4: the lead bytes of UTF-8 sequences, read as characters.
    memchr::memchr_iter(0xc3, bytes)
        .filter(|&at| matches!(bytes.get(at + 1), Some(0x82..=0xb4)))
        .find_map(|at| {
            let (meant, length) = decoded_twice(&bytes[at..])?;
            let (before, after) = (&bytes[..at], &bytes[at + length..]);
            is_plausible(meant, before, after).then_some((at, length))
        })
}

/// Undoes one encoding in a text in which `find_double_utf8` found a character.
pub(crate) fn undo_double_utf8(text: &str) -> String {
    let mut once = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let as_it_is = (next, next.len_utf8());
        let (character, length) = decoded_twice(rest.as_bytes()).unwrap_or(as_it_is);
        once.push(character);
        rest = &rest[length..];
    }
    once
}

/// Character meant by the one that is encoded twice at the beginning of `rest`, and its current
/// length in bytes.
fn decoded_twice(rest: &[u8]) -> Option<(char, usize)> {
    // Four characters of at most three bytes.
    let valid = rest[..rest.len().min(12)].utf8_chunks().next()?.valid();
    let (mut bytes, mut length) = ([0; 4], 0);
    for (nth, character) in valid.chars().take(4).enumerate() {
        bytes[nth] = byte(character)?;
        length += character.len_utf8();
        if let Ok(meant) = std::str::from_utf8(&bytes[..=nth]) {
            return Some((meant.chars().next()?, length));
        }
    }
    None
}

/// Whether a character is common in names and comments, so that what is written is not a sequence
/// of letters and punctuation that are correct as they are.
fn is_plausible(meant: char, before: &[u8], after: &[u8]) -> bool {
    let last = 0x80 | (u32::from(meant) & 0x3f) as u8;
    // Punctuation may follow a correct letter.
    let is_letter = || !is_punctuation(last) || is_in_word(before, after);
    match meant {
        '\u{a0}'..='\u{bf}' => true,
        '\u{c0}'..='\u{ff}' => is_letter(),
        // Latin Extended-A, Greek, Cyrillic, Hebrew, Arabic.
        '\u{100}'..='\u{17f}' | '\u{380}'..='\u{47f}' | '\u{5c0}'..='\u{67f}' => {
            last != 0xa0 && is_letter()
        }
        // Punctuation, symbols and emoji.
        '\u{2000}'..='\u{2fff}' | '\u{10000}'..='\u{3ffff}' => true,
        _ => false,
    }
}

/// Whether a byte is punctuation in Windows-1252.
fn is_punctuation(byte: u8) -> bool {
    matches!(
        byte,
        0x82 | 0x84 | 0x85 | 0x8b | 0x91
            ..=0x97 | 0x9b | 0xa0 | 0xa1 | 0xab | 0xb4 | 0xb7 | 0xbb | 0xbf
    )
}

/// Whether a lower-case letter is adjacent, so that punctuation here would be inside a word.
fn is_in_word(before: &[u8], after: &[u8]) -> bool {
    before.last().is_some_and(u8::is_ascii_lowercase)
        || after.first().is_some_and(u8::is_ascii_lowercase)
        // Lead byte of a letter such as `Â`, which begins the next wrong character.
        || after.first() == Some(&0xc3)
}

/// Byte of a character in Windows-1252, or in Latin-1 if it has none there. ASCII is excluded.
fn byte(character: char) -> Option<u8> {
    (0x80..=0xff)
        .find(|&byte| windows_1252(byte) == character)
        .or_else(|| u8::try_from(u32::from(character)).ok())
        .filter(|byte| *byte >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with its bytes decoded as Windows-1252.
    fn encoded(text: &str) -> String {
        text.bytes().map(windows_1252).collect()
    }

    #[test]
    fn letters_encoded_twice_or_more_often_are_found_and_undone() {
        for text in [
            "Müller",
            "José",
            "Ångström",
            "Źrebak",
            "Łukasz",
            "Šimon",
            "Erdős",
            "Đoković",
            "Óscar",
            "d’Or",
            "20°",
            "œuvre",
            "Петров",
            "Γιάννης",
            "♔e1",
            "voilà",
            "São",
            "Écrit",
            "ß",
            "Núñez",
        ] {
            let mut wrong = text.to_owned();
            for _ in 0..3 {
                let before = wrong;
                wrong = encoded(&before);
                assert!(
                    find_double_utf8(wrong.as_bytes()).is_some() || text == "Šimon",
                    "{wrong}"
                );
                let undone = undo_double_utf8(&wrong);
                assert!(undone == before || text == "Šimon", "{wrong}: {undone}");
            }
        }
        assert_eq!(
            find_double_utf8("M\u{c3}\u{bc}ller".as_bytes()),
            Some((1, 4))
        );
    }

    #[test]
    fn letters_that_are_right_are_left() {
        for text in [
            "Müller",
            "SÃO PAULO",
            "JOÃO",
            "„Ä“",
            "»GROẞ«",
            "Spaß“ und",
            "«CAFÉ»",
            "está»…",
            "È\u{a0}vero",
            "Å\u{a0}ena",
            "ÑANDÚ",
            "Ö–Ü",
            "ÂNGELA",
            "â€",
            "Ã",
            "ð",
            "Â",
            "ÃÃÃ",
        ] {
            assert_eq!(find_double_utf8(text.as_bytes()), None, "{text}");
        }
        // Latin-1 among UTF-8.
        assert_eq!(find_double_utf8(b"JO\xc3O, S\xc3O \xc3"), None);
    }
}
