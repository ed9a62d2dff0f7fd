//! Text read in the wrong encoding: UTF-8 encoded twice, and DOS code pages.

use crate::text::windows_1252;

/// Maximum number of surplus encodings undone.
const MOST_ROUNDS: usize = 4;

/// Offset and length, in bytes, of the first character that was decoded as Windows-1252 and encoded
/// as UTF-8 again: `MÃ¼ller` for `Müller`. Correct letters, such as the
/// `Ã` of `SÃO`, are not found.
pub(crate) fn find_double_utf8(bytes: &[u8]) -> Option<(usize, usize)> {
    // U+00C2 to U+00F4: the lead bytes of UTF-8 sequences, read as characters.
    memchr::memchr_iter(0xc3, bytes)
        .filter(|&at| matches!(bytes.get(at + 1), Some(0x82..=0xb4)))
        .find_map(|at| {
            let (wrong, length) = decoded_twice(&bytes[at..])?;
            let (before, after) = (&bytes[..at], &bytes[at + length..]);
            is_plausible(wrong, before, after).then_some((at, length))
        })
}

/// Undoes repeated encoding in a text in which `find` found a character.
pub(crate) fn undo_double_utf8(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MOST_ROUNDS {
        let mut once = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(next) = text[at..].chars().next() {
            let (character, length) = match decoded_twice(&text.as_bytes()[at..]) {
                Some((bytes, length)) => (as_character(&bytes).unwrap_or(next), length),
                None => (next, next.len_utf8()),
            };
            once.push(character);
            at += length;
        }
        if once == text {
            break;
        }
        text = once;
    }
    text
}

/// Bytes of the character encoded twice at the beginning of `rest`, padded with zeros, and its
/// current length in bytes.
fn decoded_twice(rest: &[u8]) -> Option<([u8; 4], usize)> {
    let mut characters = Characters { rest };
    let lead = byte(characters.next()?)?;
    let mut bytes = [lead, 0, 0, 0];
    let length = match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    for place in &mut bytes[1..length] {
        *place = byte(characters.next()?).filter(|byte| (0x80..0xc0).contains(byte))?;
    }
    as_character(&bytes)?;
    Some((bytes, rest.len() - characters.rest.len()))
}

/// Character of bytes padded with zeros.
fn as_character(bytes: &[u8; 4]) -> Option<char> {
    let text = std::str::from_utf8(bytes).ok()?;
    text.chars().next()
}

/// Whether the decoded bytes are a character common in names and comments, rather than letters and
/// punctuation that are correct as they are.
fn is_plausible(bytes: [u8; 4], before: &[u8], after: &[u8]) -> bool {
    match bytes {
        [0xc2, _, ..] => !as_character(&bytes).is_some_and(char::is_control),
        [0xc3, second, ..] => !is_punctuation(second) || is_in_word(before, after),
        [
            0xc4 | 0xc5 | 0xce | 0xcf | 0xd0 | 0xd1 | 0xd7..=0xd9,
            second,
            ..,
        ] => second != 0xa0 && (!is_punctuation(second) || is_in_word(before, after)),
        // Punctuation, symbols and emoji.
        [0xe2 | 0xf0, ..] => true,
        _ => false,
    }
}

/// Whether a byte is punctuation in Windows-1252, which may follow a correct letter.
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

/// Iterator over characters, up to the first byte that is not UTF-8.
struct Characters<'a> {
    rest: &'a [u8],
}

impl Iterator for Characters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let first = self.rest.get(..self.rest.len().min(4))?;
        let valid = first.utf8_chunks().next()?.valid();
        let character = valid.chars().next()?;
        self.rest = &self.rest[character.len_utf8()..];
        Some(character)
    }
}

/// Letters from 0x80 on that code pages 437 and 850 share; a space if they differ or have none.
const LETTERS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ £   áíóúñÑ";

/// The letter of a byte in code pages 437 and 850 alike.
fn letter(byte: u8) -> Option<char> {
    let letter = match byte {
        0xe1 => 'ß',
        _ => LETTERS.chars().nth(usize::from(byte.checked_sub(0x80)?))?,
    };
    letter.is_alphabetic().then_some(letter)
}

/// The letter of a byte in DOS code pages, if the text is in one of them: it has a byte between
/// letters that is no letter in Latin-1 or Windows-1252, and no byte that is one.
pub(crate) fn dos_letter(text: &[u8], at: usize) -> Option<char> {
    let letter_here = letter(*text.get(at)?)?;
    let mut found = false;
    let mut place = 0;
    for chunk in text.utf8_chunks() {
        place += chunk.valid().len();
        for &byte in chunk.invalid() {
            if is_latin(byte) {
                return None;
            }
            let is_letter = |byte: Option<&u8>| {
                byte.is_some_and(|byte| byte.is_ascii_alphabetic() || letter(*byte).is_some())
            };
            let before = place.checked_sub(1).and_then(|at| text.get(at));
            // A capital does not follow a small letter.
            let is_misplaced = before.is_some_and(u8::is_ascii_lowercase)
                && letter(byte).is_some_and(char::is_uppercase);
            found |= is_letter(before)
                && is_letter(text.get(place + 1))
                && is_no_latin(byte)
                && !is_misplaced;
            place += 1;
        }
    }
    found.then_some(letter_here)
}

/// Whether a byte is a letter in Latin-1, and in DOS code pages a rare letter or none.
fn is_latin(byte: u8) -> bool {
    byte >= 0xc0 && byte != 0xe1
}

/// Whether a byte is a letter in DOS code pages, and a character in Windows-1252 that is not found
/// between letters, unlike apostrophes, dashes and the no-break space.
fn is_no_latin(byte: u8) -> bool {
    matches!(
        byte,
        0x81 | 0x82 | 0x84 | 0x86..=0x89 | 0x8b | 0x8d | 0x8f | 0x90 | 0x93..=0x95 | 0x98 | 0x99
            | 0xa1..=0xa5
    )
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
                wrong = encoded(&wrong);
                assert!(
                    find_double_utf8(wrong.as_bytes()).is_some() || text == "Šimon",
                    "{wrong}"
                );
                let undone = undo_double_utf8(&wrong);
                assert!(undone == text || text == "Šimon", "{wrong}: {undone}");
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

    #[test]
    fn letters_of_dos_are_distinguished_from_those_of_windows() {
        for (text, at, expected) in [
            (&b"M\x81ller"[..], 1, Some('ü')),
            (b"J\x84ger, B\x94hm", 1, Some('ä')),
            (b"\x9abung und M\x81he", 0, Some('Ü')),
            (b"Wei\xe1 gegen M\x81ller", 3, Some('ß')),
            (b"P\x82rez", 1, Some('é')),
            (b"Mu\xa4oz", 2, Some('ñ')),
            // Another code page.
            (b"Dj\x90ukin", 2, None),
            // Windows-1252 and Latin-1.
            (b"O\x92Kelly", 1, None),
            (b"M\xfcller", 1, None),
            (b"\x84Gut!\x93", 0, None),
            (b"Mi\x9aa", 2, None),
            (b"\x8eeljko", 0, None),
            (b"10\xa0Be3", 2, None),
            (b"wait\x85what", 4, None),
            (b"J\x84ger M\xfcller", 1, None),
            (b"Sil\xe1gyi", 3, None),
        ] {
            assert_eq!(dos_letter(text, at), expected, "{text:?}");
        }
    }
}
