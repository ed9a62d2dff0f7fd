//! The words that movetext is made of, remembered with what they mean: a few thousand make up nearly all of it.

use crate::rules::san::SanPlus;

/// What a word of movetext means wherever it stands, where nothing asks for a closer look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A move, which takes so many bytes; the rest are `!` and `?`.
    San(SanPlus, u8),
    /// The digits of a move number.
    Number(u16),
    /// A numeric annotation glyph.
    Glyph,
    /// Something else.
    Other,
}

/// A word of up to seven bytes and their number, in one integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Word(u64);

impl Word {
    /// The longest word.
    pub const LONGEST: usize = 7;

    /// The first bytes of a text.
    ///
    /// # Panics
    ///
    /// If they are more than [`Word::LONGEST`], with debug assertions only.
    #[inline]
    pub fn new(bytes: [u8; 8], length: usize) -> Word {
        debug_assert!(length <= Word::LONGEST);
        let mask = (1 << (8 * length)) - 1;
        Word(u64::from_le_bytes(bytes) & mask | (length as u64) << 56)
    }
}

/// Words met so far. A word keeps its place until another one needs it.
#[derive(Debug)]
pub(in crate::pgn) struct Known(Box<[(Word, Meaning)]>);

impl Known {
    /// 128 KiB of words: those of a large database find room, and they stay in the second nearest cache.
    const BITS: u32 = 13;

    /// What a word means.
    #[inline]
    pub(super) fn meaning(&mut self, word: Word) -> Meaning {
        // The upper bits of a product depend on all bits of the word.
        let place = word.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - Known::BITS);
        let (known, meaning) = &mut self.0[place as usize];
        if *known != word {
            (*known, *meaning) = (word, Meaning::of(word));
        }
        *meaning
    }
}

impl Default for Known {
    fn default() -> Known {
        let nothing = (Word::default(), Meaning::Other);
        Known(vec![nothing; 1 << Known::BITS].into_boxed_slice())
    }
}

impl Meaning {
    #[cold]
    #[inline(never)]
    fn of(word: Word) -> Meaning {
        let bytes = word.0.to_le_bytes();
        let word = &bytes[..usize::from(bytes[Word::LONGEST])];
        match word {
            [b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O', ..] => Meaning::of_move(word),
            [b'1'..=b'9', ..] => match digits(word) {
                Some(number) => Meaning::Number(number),
                None => Meaning::Other,
            },
            [b'$', digits @ ..] if self::digits(digits).is_some_and(|number| number < 256) => {
                Meaning::Glyph
            }
            _ => Meaning::Other,
        }
    }

    fn of_move(word: &[u8]) -> Meaning {
        let judgement = |byte: &&u8| b"!?".contains(byte);
        let length = word.len() - word.iter().rev().take_while(judgement).count();
        let word = &word[..length];
        let castling = || SanPlus::read(word).filter(|&(_, taken)| taken == length);
        match SanPlus::read_word(word).or_else(|| Some(castling()?.0)) {
            Some(plus) => Meaning::San(plus, length as u8),
            None => Meaning::Other,
        }
    }
}

/// The value of at most four digits.
fn digits(word: &[u8]) -> Option<u16> {
    let value = |value: u16, digit: &u8| {
        digit
            .is_ascii_digit()
            .then(|| 10 * value + u16::from(digit - b'0'))
    };
    match word.len() {
        1..=4 => word.iter().try_fold(0, value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(known: &mut Known, text: &[u8]) -> Meaning {
        let mut bytes = *b"zzzzzzzz";
        bytes[..text.len()].copy_from_slice(text);
        known.meaning(Word::new(bytes, text.len()))
    }

    #[test]
    fn a_word_means_the_same_when_it_comes_again_and_after_others_took_its_place() {
        let known = &mut Known::default();
        let san = |text: &str, length| {
            Meaning::San(SanPlus::from_ascii(text.as_bytes()).unwrap(), length)
        };
        for round in 0..3 {
            assert_eq!(meaning(known, b"e4"), san("e4", 2), "{round}");
            assert_eq!(meaning(known, b"Nf3!?"), san("Nf3", 3));
            assert_eq!(meaning(known, b"exd8=Q+"), san("exd8=Q+", 7));
            assert_eq!(meaning(known, b"O-O-O+!"), san("O-O-O+", 6));
            assert_eq!(meaning(known, b"12"), Meaning::Number(12));
            assert_eq!(meaning(known, b"9999"), Meaning::Number(9999));
            assert_eq!(meaning(known, b"$255"), Meaning::Glyph);
            for other in [
                "", "e4\0", "12345", "01", "$", "$256", "1-0", "*", "e4)", "P", "Pe4", "e9", "!?",
                "1e4", "O-O-", "0-0", "--", "{",
            ] {
                assert_eq!(meaning(known, other.as_bytes()), Meaning::Other, "{other}");
            }
            // More words than there is room for.
            for number in 1..=9_999_u16 {
                let text = number.to_string();
                assert_eq!(meaning(known, text.as_bytes()), Meaning::Number(number));
            }
        }
    }
}
