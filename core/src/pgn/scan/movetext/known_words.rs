//! Movetext of known words, in blocks: all of it in nearly every game. A few thousand words, cached
//! with their meaning, make up nearly all movetext.

use memchr::memrchr;

use crate::chess::san::SanPlus;
use crate::pgn::game::Game;
use crate::pgn::scan::movetext::Movetext;
use crate::pgn::token::{Span, Token, TokenKind};
use crate::text::index::{BLOCK, Block, IndexView};

/// Bytes of a block that belong to no word: white space, the dots of move numbers, comments and
/// their braces.
#[inline(always)]
fn between(block: Block, in_comment: bool) -> u64 {
    block.blanks | block.comments | block.comments << 1 | u64::from(in_comment)
}

impl Movetext<'_> {
    /// Reads moves whose words are known, move numbers and comments, up to whatever else there is,
    /// or until there are more than `most` tokens.
    #[inline(always)]
    pub(crate) fn cached_words(&mut self, index: IndexView<'_>, most: usize) {
        // A comment without an end is left to be read.
        let end = index.offset + self.unclosed_comment.unwrap_or(self.text.len());
        let from = index.offset + self.at;
        if from >= end {
            return;
        }
        let (first, last) = (from / BLOCK, (end - 1) / BLOCK);
        let mut in_comment = index.is_open_before(first);
        // The first byte from `from` on, where a word may begin.
        let mut new = u64::MAX << (from % BLOCK);
        let mut fresh = new & new.wrapping_neg();
        let mut plies = self.plies;
        self.at = end - index.offset;
        for (nth, &block) in (first..).zip(&index.blocks[first..=last]) {
            let begin = nth * BLOCK;
            if self.game.tokens.len() > most || self.marks >= Game::MOST_ASIDE {
                self.at = begin.max(from) - index.offset;
                break;
            }
            let inside = block.comments << 1 | u64::from(in_comment);
            // Long comments are most of a text that has them.
            if block.comments & inside & !block.odd == u64::MAX {
                continue;
            }
            if nth == last {
                new &= u64::MAX >> (BLOCK - 1 - (end - 1) % BLOCK);
            }
            let outside = between(block, in_comment);
            let opens = block.comments & !inside;
            in_comment = block.ends_in_comment();
            let odd = block.odd & new;
            let mut begins = !outside & (outside << 1 | fresh) & new & !odd & odd.wrapping_sub(1);
            while begins != 0 {
                let start = begins.trailing_zeros() as usize;
                let place = begin + start - index.offset;
                let mut length = (outside >> start).trailing_zeros() as usize;
                if length == BLOCK {
                    let next = index.blocks.get(nth + 1);
                    let next = next.map_or(u64::MAX, |&next| between(next, in_comment));
                    length = BLOCK - start + next.trailing_zeros() as usize;
                }
                let rest = &self.text[place..];
                let word = match rest.first_chunk() {
                    Some(&bytes) if length <= Word::LONGEST => Word::new(bytes, length),
                    _ => Word::default(),
                };
                if word == Word::number(plies) {
                    let after = &rest[length..];
                    if plies.is_multiple_of(2) && after.starts_with(b"..")
                        || plies < 2 && after.starts_with(b".0")
                    {
                        break;
                    }
                } else {
                    let entry = self.cache.entry(word);
                    if !matches!(entry.kind, TokenKind::San(_)) {
                        break;
                    }
                    plies += 1;
                    self.game.tokens.push(Token {
                        kind: entry.kind,
                        span: Span::new(place, place + usize::from(entry.length)),
                    });
                }
                begins &= begins - 1;
            }
            let unread = begins | odd;
            let passed = new & !unread & unread.wrapping_sub(1);
            self.marks += (opens & passed).count_ones() as usize;
            if unread != 0 {
                self.at = begin + unread.trailing_zeros() as usize - index.offset;
                if begins == 0 && self.at > from - index.offset {
                    self.odd_byte(index);
                }
                break;
            }
            fresh = outside >> (BLOCK - 1);
            new = u64::MAX;
        }
        self.plies = plies;
    }

    /// Continues at a byte that is left to the exact reader: after its comment, or at the end of
    /// the line before.
    #[cold]
    fn odd_byte(&mut self, index: IndexView<'_>) {
        if index.is_in_comment(self.at) {
            if let Some(brace) = memrchr(b'{', &self.text[..self.at]) {
                self.at = brace;
                self.comment();
            }
        } else if self.text[self.at - 1] == b'\n' {
            self.at -= 1;
        }
    }
}

/// A word of up to seven bytes and their number, in one integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Word(u64);

impl Word {
    /// The longest word.
    pub(crate) const LONGEST: usize = 7;

    /// The first bytes of a text.
    ///
    /// # Panics
    ///
    /// If they are more than [`Word::LONGEST`], with debug assertions only.
    #[inline]
    pub(crate) const fn new(bytes: [u8; 8], length: usize) -> Word {
        debug_assert!(length <= Word::LONGEST);
        let mask = (1 << (8 * length)) - 1;
        Word(u64::from_le_bytes(bytes) & mask | (length as u64) << 56)
    }

    /// The move number after `plies` plies of a game from the initial position; for very long games
    /// a value that equals no word.
    #[inline]
    pub(crate) fn number(plies: u32) -> Word {
        NUMBERS[(plies as usize / 2).min(NUMBERS.len() - 1)]
    }
}

/// The numbers from 1, and at the end nothing.
static NUMBERS: [Word; 256] = {
    // Equal to no word: its length would be 255.
    let mut words = [Word(u64::MAX); 256];
    let mut number = 1;
    while number < words.len() as u64 {
        let digits = (number / 100) | ((number / 10 % 10) << 8) | ((number % 10) << 16);
        let length = 1 + (number >= 10) as u64 + (number >= 100) as u64;
        let zeros = 0x30_30_30;
        words[number as usize - 1] =
            Word(((digits | zeros) >> (8 * (3 - length))) | (length << 56));
        number += 1;
    }
    words
};

/// Words met so far. A word keeps its place until another one needs it.
#[derive(Debug)]
pub(crate) struct WordCache(Box<[Entry; 1 << WordCache::BITS]>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    word: Word,
    /// The move it is; `Unreadable` for anything else.
    kind: TokenKind,
    /// How many bytes the move takes; the rest are `!` and `?`.
    length: u8,
}

impl WordCache {
    /// 256 KiB of words: those of a large database find room, and they stay in the second nearest
    /// cache.
    const BITS: u32 = 14;

    /// The move that a word is.
    #[inline]
    pub(crate) fn entry(&mut self, word: Word) -> &Entry {
        // The upper bits of a product depend on all bits of the word.
        let place = word.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - WordCache::BITS);
        let entry = &mut self.0[place as usize];
        if entry.word != word {
            *entry = Entry::new(word);
        }
        entry
    }
}

impl Entry {
    #[cold]
    #[inline(never)]
    fn new(word: Word) -> Entry {
        let bytes = word.0.to_le_bytes();
        let word_bytes = &bytes[..usize::from(bytes[Word::LONGEST])];
        let marks = word_bytes
            .iter()
            .rev()
            .take_while(|byte| b"!?".contains(byte));
        let text = &word_bytes[..word_bytes.len() - marks.count()];
        let san = match text {
            [b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O', ..] => {
                SanPlus::from_ascii(text).ok()
            }
            _ => None,
        };
        Entry {
            word,
            kind: san.map_or(TokenKind::Unreadable, TokenKind::San),
            length: text.len() as u8,
        }
    }
}

impl Default for WordCache {
    fn default() -> WordCache {
        let nothing = Entry::new(Word::default());
        let words = vec![nothing; 1 << WordCache::BITS].into_boxed_slice();
        WordCache(words.try_into().expect("there are as many"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &[u8]) -> Word {
        let mut bytes = *b"zzzzzzzz";
        bytes[..text.len()].copy_from_slice(text);
        Word::new(bytes, text.len())
    }

    #[test]
    fn a_word_means_the_same_when_it_comes_again_and_after_others_took_its_place() {
        let known = &mut WordCache::default();
        let san = |text: &str| TokenKind::San(SanPlus::from_ascii(text.as_bytes()).unwrap());
        for round in 0..3 {
            for (text, length) in [
                ("e4", 2),
                ("Nf3!?", 3),
                ("Qa1xb2#", 7),
                ("exd8=Q+", 7),
                ("O-O-O+!", 6),
                ("O-O", 3),
            ] {
                let &Entry {
                    kind, length: read, ..
                } = known.entry(word(text.as_bytes()));
                let expected = (san(&text[..length]), length as u8);
                assert_eq!((kind, read), expected, "{text} {round}");
            }
            for other in [
                "", "e4\0", "12", "01", "$", "$256", "1-0", "*", "e4)", "P", "Pe4", "e9", "!?",
                "1e4", "O-O-", "0-0", "--", "{",
            ] {
                let kind = known.entry(word(other.as_bytes())).kind;
                assert_eq!(kind, TokenKind::Unreadable, "{other}");
            }
            // More words than there is room for.
            for number in 1..=9_999_u16 {
                let kind = known.entry(word(number.to_string().as_bytes())).kind;
                assert_eq!(kind, TokenKind::Unreadable);
            }
        }
    }

    #[test]
    fn each_number_is_that_of_two_plies() {
        for number in 1..=9_999 {
            let word = word(number.to_string().as_bytes());
            let expected = number < 256;
            assert_eq!(Word::number(2 * number - 2) == word, expected);
            assert_eq!(Word::number(2 * number - 1) == word, expected);
        }
        assert_ne!(Word::number(u32::MAX), Word::default());
    }
}
