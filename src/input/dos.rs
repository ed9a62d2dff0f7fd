//! Text in DOS code pages.

/// Letters from 0x80 on that code pages 437 and 850 share; a space if they differ or have none.
const LETTERS: [char; 0x26] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ',
    'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', ' ', '£', ' ', ' ', ' ', 'á', 'í', 'ó', 'ú', 'ñ', 'Ñ',
];

/// The letter of a byte in code pages 437 and 850 alike.
fn letter(byte: u8) -> Option<char> {
    let letter = match byte {
        0xe1 => 'ß',
        _ => *LETTERS.get(usize::from(byte.checked_sub(0x80)?))?,
    };
    letter.is_alphabetic().then_some(letter)
}

/// The letter of a byte in DOS code pages, if the text is in one of them: it has a byte between
/// letters that is no letter in Latin-1 or Windows-1252, and no byte that is one.
pub fn dos_letter(text: &[u8], at: usize) -> Option<char> {
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
        0x81 | 0x82 | 0x84 | 0x86..=0x89 | 0x8b | 0x8d | 0x8f | 0x90 | 0x93..=0x95 | 0x98 | 0x99 | 0xa1..=0xa5
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_dos_are_told_from_those_of_windows() {
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
