//! Movetext of known words, in blocks: all of it in nearly every game. A few thousand words, cached
//! with their meaning, make up nearly all movetext.

use fearless_simd::Simd;

use crate::chess::san::SanPlus;
use crate::pgn::game::Game;
use crate::pgn::scan::movetext::Movetext;
use crate::pgn::scan::movetext::annotations::CommentBytes;
use crate::pgn::token::{Span, Token, TokenKind};
use crate::pgn::values::number;
use crate::text::byte_scan::{BLOCK, Block, ByteClass, filled_up};

/// How far the next block is from the one before: a word that begins in the first part of a block
/// ends in the block, unless it is longer than any that is known.
const STEP: usize = BLOCK - 1 - Word::LONGEST;

/// Which bytes of a block stand between words, and at which something begins; the first byte in the
/// lowest bit.
#[derive(Clone, Copy)]
struct Layout {
    /// White space and the dots of move numbers.
    between: u64,
    /// Starts of words in the first part of the block, closing braces, and line feeds after which
    /// the game can end or a line may not count.
    begins: u64,
    /// Bytes that matter in a comment, unless that depends on the byte after the block.
    in_comment: u64,
    /// Whether a word may begin at the byte after the first part.
    fresh: bool,
}

impl Layout {
    /// Classifies a block. `fresh` says whether a word may begin with its first byte, or only
    /// continue.
    #[inline(always)]
    fn of(simd: impl Simd, block: &[u8; BLOCK], fresh: bool) -> Layout {
        let block = Block::new(simd, block);
        let (line_feeds, returns) = (block.is(b'\n'), block.is(b'\r'));
        let between = block.is(b' ') | block.is(b'.') | block.is(b'\t') | line_feeds | returns;
        let closes = block.is(b'}');
        let may_begin = (between | closes) << 1 | u64::from(fresh);
        let odd_lines = line_feeds & (line_feeds | returns | block.is(b'%')) >> 1;
        Layout {
            between,
            begins: (!between & may_begin | closes | odd_lines) & u64::MAX >> (BLOCK - STEP),
            in_comment: CommentBytes::of(block, None),
            fresh: may_begin >> STEP & 1 == 1,
        }
    }

    /// The next place at which something begins.
    #[inline]
    fn begin(&mut self) -> Option<usize> {
        let begin = self.begins.trailing_zeros() as usize;
        // Taking the lowest bit from nothing leaves nothing.
        self.begins &= self.begins.wrapping_sub(1);
        (begin < BLOCK).then_some(begin)
    }

    /// Passes the comment at `brace` if it ends in the first part of the block and nothing else in
    /// it matters. Otherwise returns where the search for its end continues.
    #[inline]
    fn pass_comment(&mut self, block: &[u8; BLOCK], brace: usize) -> Option<usize> {
        let decisive = self.in_comment & (u64::MAX << 1) << brace;
        let end = (decisive.trailing_zeros() as usize).min(BLOCK - 1);
        if end < STEP && block[end] == b'}' {
            self.begins &= (u64::MAX << 1) << end;
            return None;
        }
        Some(end)
    }
}

impl Movetext<'_> {
    /// Reads words whose meaning is known, and comments, up to whatever else there is, or until
    /// there are more than `most` tokens.
    #[inline(always)]
    pub(crate) fn cached_words(&mut self, simd: impl Simd, most: usize) {
        let text = self.text;
        let mut plies = self.plies;
        let mut fresh = true;
        'blocks: while self.at < text.len()
            && self.game.tokens.len() <= most
            && self.marks < Game::MOST_ASIDE
        {
            let at = self.at;
            let end;
            let block = match text[at..].first_chunk() {
                Some(block) => block,
                None => {
                    end = filled_up(&text[at..], b' ');
                    &end
                }
            };
            let mut layout = Layout::of(simd, block, fresh);
            while let Some(start) = layout.begin() {
                let place = at + start;
                // With the masks of the block, and before the lookup of words: `validate` takes 8 %
                // less time over games with clocks, 4 % over long comments.
                if block[start] == b'{' && self.unclosed_comment != Some(place) {
                    self.marks += 1;
                    let Some(rest) = layout.pass_comment(block, start) else {
                        continue;
                    };
                    self.at = place;
                    self.comment(simd, at + rest);
                    fresh = true;
                    continue 'blocks;
                }
                let length = (layout.between >> start).trailing_zeros() as usize;
                let word = match block[start..].first_chunk() {
                    Some(&bytes) if length <= Word::LONGEST => Word::new(bytes, length),
                    _ => Word::default(),
                };
                // `1.0-0.0` is a result.
                let is_decimal = || block[start + length..].starts_with(b".0");
                if word == Word::number(plies) && !(plies < 2 && is_decimal()) {
                    let of_white = plies.is_multiple_of(2);
                    if of_white && block[start + length..].starts_with(b"..") {
                        self.at = place + length;
                        self.odd_number(place, plies / 2 + 1);
                    }
                    continue;
                }
                let (kind, taken) = self.cache.kind(word);
                if matches!(kind, TokenKind::San(_)) {
                    plies += 1;
                    self.game.tokens.push(Token {
                        kind,
                        span: Span::new(place, place + usize::from(taken)),
                    });
                    continue;
                }
                self.at = place;
                match Meaning::of(word) {
                    Meaning::Number(number) if number > 1 || !is_decimal() => {
                        self.at = place + length;
                        self.odd_number(place, number);
                    }
                    Meaning::Glyph => self.marks += 1,
                    Meaning::Number(_) | Meaning::San(..) | Meaning::Other => {
                        self.plies = plies;
                        return;
                    }
                }
            }
            fresh = layout.fresh;
            self.at = at + STEP;
        }
        self.plies = plies;
        self.at = self.at.min(text.len());
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

#[derive(Clone, Copy, Debug)]
struct Entry {
    word: Word,
    /// The move it is; `Unreadable` for anything else.
    kind: TokenKind,
    /// How many bytes the move takes; the rest are `!` and `?`.
    length: u8,
}

impl WordCache {
    /// 128 KiB of words: those of a large database find room, and they stay in the second nearest
    /// cache.
    const BITS: u32 = 13;

    /// The move that a word is, and how many bytes it takes, without `!` and `?`; `Unreadable` if
    /// it is anything else.
    #[inline]
    pub(crate) fn kind(&mut self, word: Word) -> (TokenKind, u8) {
        // The upper bits of a product depend on all bits of the word.
        let place = word.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - WordCache::BITS);
        let entry = &mut self.0[place as usize];
        if entry.word != word {
            *entry = Entry::new(word);
        }
        (entry.kind, entry.length)
    }
}

impl Entry {
    #[cold]
    #[inline(never)]
    fn new(word: Word) -> Entry {
        let (kind, length) = match Meaning::of(word) {
            Meaning::San(plus, length) => (TokenKind::San(plus), length),
            _ => (TokenKind::Unreadable, 0),
        };
        Entry { word, kind, length }
    }
}

impl Default for WordCache {
    fn default() -> WordCache {
        let nothing = Entry::new(Word::default());
        let words = vec![nothing; 1 << WordCache::BITS].into_boxed_slice();
        WordCache(words.try_into().expect("there are as many"))
    }
}

/// Context-free meaning of a word of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// A move and its length in bytes; the rest are `!` and `?`.
    San(SanPlus, u8),
    /// The digits of a move number.
    Number(u32),
    /// A numeric annotation glyph.
    Glyph,
    /// Something else.
    Other,
}

impl Meaning {
    /// Classifies a word.
    #[cold]
    pub(crate) fn of(word: Word) -> Meaning {
        let bytes = word.0.to_le_bytes();
        let word = &bytes[..usize::from(bytes[Word::LONGEST])];
        match word {
            [b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O', ..] => Meaning::of_move(word),
            [b'1'..=b'9', ..] => match number(word) {
                Some(number @ ..10_000) => Meaning::Number(number),
                _ => Meaning::Other,
            },
            [b'$', glyph @ ..] if number(glyph).is_some_and(|number| number < 256) => {
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
                let expected = (san(&text[..length]), length as u8);
                assert_eq!(
                    known.kind(word(text.as_bytes())),
                    expected,
                    "{text} {round}"
                );
            }
            for other in [
                "", "e4\0", "12", "01", "$", "$256", "1-0", "*", "e4)", "P", "Pe4", "e9", "!?",
                "1e4", "O-O-", "0-0", "--", "{",
            ] {
                let (kind, _) = known.kind(word(other.as_bytes()));
                assert_eq!(kind, TokenKind::Unreadable, "{other}");
            }
            // More words than there is room for.
            for number in 1..=9_999_u16 {
                let (kind, _) = known.kind(word(number.to_string().as_bytes()));
                assert_eq!(kind, TokenKind::Unreadable);
            }
        }
    }

    #[test]
    fn numbers_and_glyphs_are_no_moves_and_nothing_else() {
        for number in 1..=9_999 {
            let word = word(number.to_string().as_bytes());
            assert_eq!(Meaning::of(word), Meaning::Number(number));
            let expected = number < 256;
            assert_eq!(Word::number(2 * number - 2) == word, expected);
            assert_eq!(Word::number(2 * number - 1) == word, expected);
        }
        assert_ne!(Word::number(u32::MAX), Word::default());
        assert_eq!(Meaning::of(word(b"$255")), Meaning::Glyph);
        for other in ["01", "12345", "$", "$256", "$1a", "1-0", "1a", ""] {
            assert_eq!(
                Meaning::of(word(other.as_bytes())),
                Meaning::Other,
                "{other}"
            );
        }
    }
}
