//! Movetext of known words, in blocks: all of it in nearly every game.

use wide::u8x64;

use super::Movetext;
use crate::pgn::game::{Span, Token, TokenKind};
use crate::pgn::scan::known::{Meaning, Word};

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// How far the next block is from the one before: a word that begins in the first part of a block ends in the block, unless it
/// is longer than any that is known.
const STEP: usize = BLOCK - 1 - Word::LONGEST;

/// Which bytes of a block stand between words, and at which something begins; the first byte in the lowest bit.
#[derive(Clone, Copy)]
struct Layout {
    /// White space and the dots of move numbers.
    between: u64,
    /// The beginning of every word, and line feeds behind which the game can end or a line can be one that does not count.
    begins: u64,
}

impl Layout {
    /// Looks at a block. `fresh` says whether a word may begin with its first byte, or only go on.
    #[inline]
    fn of(block: &[u8; BLOCK], fresh: bool) -> Layout {
        let block = u8x64::new(*block);
        let is = |byte: u8| block.simd_eq(u8x64::splat(byte)).to_bitmask();
        let (line_feeds, returns) = (is(b'\n'), is(b'\r'));
        let between = is(b' ') | is(b'.') | is(b'\t') | line_feeds | returns;
        let words = !between & (between << 1 | u64::from(fresh));
        let odd_lines = line_feeds & (line_feeds | returns | is(b'%')) >> 1;
        Layout {
            between,
            begins: (words | odd_lines) & u64::MAX >> (BLOCK - STEP),
        }
    }
}

impl Movetext<'_> {
    /// Reads words whose meaning is known, and comments, up to whatever else there is.
    #[inline(never)]
    pub(super) fn known_words(&mut self) {
        let text = self.text;
        let mut fresh = true;
        'blocks: while self.at < text.len() {
            let at = self.at;
            let end;
            let block = match text[at..].first_chunk::<BLOCK>() {
                Some(block) => block,
                None => {
                    end = filled_up(&text[at..]);
                    &end
                }
            };
            let Layout {
                between,
                mut begins,
            } = Layout::of(block, fresh);
            while begins != 0 {
                let start = begins.trailing_zeros() as usize;
                begins &= begins - 1;
                let length = (between >> start).trailing_zeros() as usize;
                let place = at + start;
                let word = &block[start..start + 8];
                let meaning = match word.first_chunk() {
                    Some(&word) if length <= Word::LONGEST => {
                        self.known.meaning(Word::new(word, length))
                    }
                    _ => Meaning::Other,
                };
                match meaning {
                    Meaning::San(plus, length) => {
                        self.plies += 1;
                        self.game.tokens.push(Token {
                            kind: TokenKind::San(plus),
                            span: Span::new(place, place + usize::from(length)),
                        });
                    }
                    Meaning::Number(value) => {
                        let of_white = self.plies.is_multiple_of(2);
                        let dots = block[start + length..].starts_with(b"..");
                        if u32::from(value) != self.plies / 2 + 1 || of_white && dots {
                            self.at = place + length;
                            self.odd_number(place, u32::from(value));
                        }
                    }
                    Meaning::Glyph => {}
                    Meaning::Other => {
                        self.at = place;
                        if word[0] == b'{' && self.unclosed_comment != Some(place) {
                            self.comment();
                            fresh = true;
                            continue 'blocks;
                        }
                        return;
                    }
                }
            }
            fresh = between >> (STEP - 1) & 1 == 1;
            self.at = at + STEP;
        }
        self.at = text.len();
    }
}

/// The last bytes of a text, and blanks.
#[cold]
fn filled_up(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}
