//! Movetext of known words, in blocks: all of it in nearly every game.

use crate::pgn::scan::movetext::Movetext;
use crate::pgn::scan::movetext::annotations::Inside;
use crate::pgn::scan::word_cache::{Meaning, Word};
use crate::pgn::token::{Span, Token, TokenKind};
use crate::text::byte_scan::{BLOCK, Block, ByteClass};

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
    /// Whether a word may begin at the byte after the first part.
    fresh: bool,
}

impl Layout {
    /// Classifies a block. `fresh` says whether a word may begin with its first byte, or only
    /// continue.
    #[inline]
    fn of(block: &[u8; BLOCK], fresh: bool) -> Layout {
        let block = Block::new(block);
        let (line_feeds, returns) = (block.is(b'\n'), block.is(b'\r'));
        let between = block.is(b' ') | block.is(b'.') | block.is(b'\t') | line_feeds | returns;
        let closes = block.is(b'}');
        let behind = (between | closes) << 1 | u64::from(fresh);
        let odd_lines = line_feeds & (line_feeds | returns | block.is(b'%')) >> 1;
        Layout {
            between,
            begins: (!between & behind | closes | odd_lines) & u64::MAX >> (BLOCK - STEP),
            fresh: behind >> STEP & 1 == 1,
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

    /// Passes a comment, if it ends in the first part of the block and nothing else in it matters.
    #[inline]
    fn pass_comment(&mut self, block: &[u8; BLOCK], brace: usize) -> bool {
        // A line feed as the last byte is after the first part: the byte after the block does not
        // count.
        let behind = Inside::of(Block::new(block), None) & (u64::MAX << 1) << brace;
        let end = behind.trailing_zeros() as usize;
        let passed = end < STEP && block[end] == b'}';
        if passed {
            self.begins &= (u64::MAX << 1) << end;
        }
        passed
    }
}

impl Movetext<'_> {
    /// Reads words whose meaning is known, and comments, up to whatever else there is.
    #[inline(never)]
    pub(crate) fn cached_words(&mut self) {
        let text = self.text;
        let mut plies = self.plies;
        let mut fresh = true;
        'blocks: while self.at < text.len() {
            let at = self.at;
            let end;
            let block = match text[at..].first_chunk() {
                Some(block) => block,
                None => {
                    end = filled_up(&text[at..]);
                    &end
                }
            };
            let mut layout = Layout::of(block, fresh);
            while let Some(start) = layout.begin() {
                let length = (layout.between >> start).trailing_zeros() as usize;
                let place = at + start;
                let word = match block[start..].first_chunk() {
                    Some(&bytes) if length <= Word::LONGEST => Word::new(bytes, length),
                    _ => Word::default(),
                };
                if word == Word::number(plies) {
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
                let is_comment = block[start] == b'{' && self.unclosed_comment != Some(place);
                if is_comment && layout.pass_comment(block, start) {
                    continue;
                }
                self.at = place;
                if is_comment {
                    self.comment();
                    fresh = true;
                    continue 'blocks;
                }
                match Meaning::of(word) {
                    Meaning::Number(number) => {
                        self.at = place + length;
                        self.odd_number(place, u32::from(number));
                    }
                    Meaning::Glyph => {}
                    Meaning::San(..) | Meaning::Other => {
                        self.plies = plies;
                        return;
                    }
                }
            }
            fresh = layout.fresh;
            self.at = at + STEP;
        }
        self.plies = plies;
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
