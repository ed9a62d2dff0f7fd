//! Structural index of a text: where its words, comments, lines and quotes are.
//!
//! One pass classifies all bytes, 64 at a time, as the first stage of simdjson does (Langdale and
//! Lemire, "Parsing gigabytes of JSON per second", 2019). All readers then go from mark to mark.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, i8x64, u8x16, u8x64};

/// Number of bytes in a block.
pub(crate) const BLOCK: usize = 64;

/// Bit masks of [`BLOCK`] bytes, the first byte in the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Block {
    /// White space and the dots of move numbers, in comments too.
    pub(crate) blanks: u64,
    /// Comments, each from its `{` up to the byte before its `}`.
    pub(crate) comments: u64,
    /// Bytes that the words do not tell about: in a comment another `{`, or a bracket at the
    /// start of a line; elsewhere the start of a line that may be empty or may not count.
    pub(crate) odd: u64,
    /// Bytes after which there may be something other than movetext or a comment: a first character
    /// of a line that is unusual, what follows a bracket unless it is a command such as
    /// `[%clk 0:01:00]`, and a semicolon outside of comments.
    pub(crate) decisive: u64,
    /// Line feeds.
    pub(crate) line_feeds: u64,
}

/// Places of a usual tag pair: offsets in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagPair {
    /// The bracket.
    pub(crate) open: u32,
    /// The quotes around the value.
    pub(crate) quotes: [u32; 2],
    /// The next bracket, or the movetext.
    pub(crate) next: u32,
}

/// Blocks of a text, the last one incomplete.
///
/// A `{` opens a comment, and the next `}` closes it; `Index::set_in_comment` tells where that is
/// wrong, as after a brace in a tag value.
#[derive(Clone, Debug, Default)]
pub struct Index {
    blocks: Vec<Block>,
    /// Usual tag pairs that the splitter has passed, in order.
    pub(crate) pairs: Vec<TagPair>,
    /// Whether there may be bytes that are not ASCII.
    pub(crate) is_beyond_ascii: bool,
    /// Whether there may be control characters other than tabs and those that end lines.
    pub(crate) has_controls: bool,
}

impl Index {
    /// Indexes `text`, which begins outside of comments, from `from` on; the part before is
    /// indexed.
    pub fn extend(&mut self, text: &[u8], from: usize) {
        dispatch!(Level::new(), simd => {
            let mut in_comment = self.view(0).is_in_comment(from);
            let (mut first, kept) = (from / BLOCK, from % BLOCK);
            let mut scan = Scan::new(simd, text, first * BLOCK);
            if kept > 0 {
                in_comment = self.renew(&mut scan, text, first, kept, in_comment);
                first += 1;
            }
            self.blocks.truncate(first);
            let rest = text.get(first * BLOCK..).unwrap_or_default();
            self.blocks.reserve(rest.len().div_ceil(BLOCK));
            let (whole, last) = rest.as_chunks();
            for bytes in whole {
                let block = scan.block(bytes, Block::default(), 0, in_comment);
                in_comment = block.ends_in_comment();
                self.blocks.push(block);
            }
            if !last.is_empty() {
                self.blocks.push(Block::default());
                self.renew(&mut scan, text, first + whole.len(), 0, in_comment);
            }
            self.is_beyond_ascii |= scan.seen.simd_ge(0x80).any_true();
            self.has_controls |= scan.controls != 0;
        });
    }

    /// Indexes one block, of which the first `kept` bytes stay as they are; whether it ends in a
    /// comment.
    #[inline(always)]
    fn renew<S: Simd>(
        &mut self,
        scan: &mut Scan<S>,
        text: &[u8],
        nth: usize,
        kept: usize,
        in_comment: bool,
    ) -> bool {
        let bytes = padded(&text[nth * BLOCK..]);
        let block = &mut self.blocks[nth];
        *block = scan.block(&bytes, *block, kept, in_comment);
        block.ends_in_comment()
    }

    /// Tells whether `at`, which is not the first byte, is inside a comment, if the braces before
    /// it say otherwise. Corrects the blocks up to the one at whose end comments are as they were.
    #[cold]
    fn correct(&mut self, text: &[u8], at: usize, mut in_comment: bool) {
        let (block, bit) = (&mut self.blocks[(at - 1) / BLOCK], (at - 1) % BLOCK);
        block.comments = block.comments & !(1 << bit) | u64::from(in_comment) << bit;
        dispatch!(Level::new(), simd => {
            let (first, mut kept) = (at / BLOCK, at % BLOCK);
            let mut scan = Scan::new(simd, text, first * BLOCK);
            for nth in first..self.blocks.len() {
                let was_in_comment = self.blocks[nth].ends_in_comment();
                in_comment = self.renew(&mut scan, text, nth, kept, in_comment);
                if in_comment == was_in_comment {
                    break;
                }
                kept = 0;
            }
        });
        if let Some(block) = self.blocks.get_mut(at / BLOCK) {
            block.odd |= 1 << (at % BLOCK);
        }
    }

    /// Empties the index, but keeps its memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.pairs.clear();
        self.is_beyond_ascii = false;
        self.has_controls = false;
    }

    /// Ensures that `at` is taken for inside a comment, or outside.
    #[inline]
    pub(crate) fn set_in_comment(&mut self, text: &[u8], at: usize, in_comment: bool) {
        if self.view(0).is_in_comment(at) != in_comment {
            self.correct(text, at, in_comment);
        }
    }

    /// Number of line feeds in the first `len` bytes.
    pub fn count_line_feeds(&self, len: usize) -> u64 {
        let (whole, rest) = (len / BLOCK, len % BLOCK);
        let count = |block: &Block| u64::from(block.line_feeds.count_ones());
        let last = match rest {
            0 => 0,
            _ => (self.blocks[whole].line_feeds & !(u64::MAX << rest)).count_ones(),
        };
        self.blocks[..whole].iter().map(count).sum::<u64>() + u64::from(last)
    }

    /// The index of the text from an offset on.
    #[inline]
    pub fn view(&self, offset: usize) -> IndexView<'_> {
        IndexView {
            blocks: &self.blocks,
            pairs: &self.pairs,
            offset,
        }
    }
}

/// Index of a part of a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexView<'a> {
    pub(crate) blocks: &'a [Block],
    pairs: &'a [TagPair],
    /// Bit of the part's first byte.
    pub(crate) offset: usize,
}

impl<'a> IndexView<'a> {
    /// The index of the text from a later offset on.
    #[inline]
    pub(crate) fn from(self, offset: usize) -> IndexView<'a> {
        let is_before = |pair: &&TagPair| (pair.open as usize) < offset;
        let passed = self.pairs.iter().take_while(is_before).count();
        IndexView {
            pairs: &self.pairs[passed..],
            offset,
            ..self
        }
    }

    /// Offsets of the quotes of the usual tag pair that begins at `at`, and of what follows. Passes
    /// the pairs up to it.
    #[inline]
    pub(crate) fn pair_at(&mut self, at: usize) -> Option<[usize; 3]> {
        let open = self.offset + at;
        while let [pair, rest @ ..] = self.pairs
            && pair.open as usize <= open
        {
            self.pairs = rest;
            if pair.open as usize == open {
                let [quote, close] = pair.quotes;
                return Some([quote, close, pair.next].map(|at| at as usize - self.offset));
            }
        }
        None
    }

    /// Whether a comment is open before `at`.
    #[inline]
    pub fn is_in_comment(self, at: usize) -> bool {
        match (self.offset + at).checked_sub(1) {
            Some(bit) => self.blocks[bit / BLOCK].comments >> (bit % BLOCK) & 1 == 1,
            None => false,
        }
    }

    /// The offsets of the bits of a mask, from `at` on.
    #[inline]
    pub(crate) fn marks<F: Fn(&Block) -> u64>(self, at: usize, mask: F) -> Marks<'a, F> {
        let bit = self.offset + at;
        let left = self.blocks.get(bit / BLOCK).map_or(0, &mask) & u64::MAX << (bit % BLOCK);
        Marks {
            view: self,
            mask,
            nth: bit / BLOCK,
            left,
        }
    }

    /// The last byte between `from` and `to` that begins a comment.
    #[inline]
    pub(crate) fn last_comment(self, from: usize, to: usize) -> Option<usize> {
        let (from, to) = (self.offset + from, self.offset + to);
        let (first, last) = (from / BLOCK, to / BLOCK);
        let blocks = &self.blocks[first..self.blocks.len().min(last + 1)];
        let with_comments = blocks.iter().enumerate().rev();
        let mut with_comments = with_comments.filter(|(_, block)| block.comments != 0);
        with_comments.find_map(|(nth, block)| {
            let nth = first + nth;
            let open = u64::from(self.is_open_before(nth));
            let mut begins = block.comments & !(block.comments << 1 | open);
            if nth == first {
                begins &= u64::MAX << (from % BLOCK);
            }
            if nth == last {
                begins &= !(u64::MAX << (to % BLOCK));
            }
            let place = begins.checked_ilog2()?;
            Some(nth * BLOCK + place as usize - self.offset)
        })
    }

    /// Whether a comment is open at the end of the block before.
    #[inline]
    pub(crate) fn is_open_before(self, nth: usize) -> bool {
        match nth.checked_sub(1) {
            Some(before) => self.blocks[before].ends_in_comment(),
            None => false,
        }
    }
}

/// Iterator over the offsets of the bits of a mask.
#[derive(Clone)]
pub(crate) struct Marks<'a, F> {
    view: IndexView<'a>,
    mask: F,
    nth: usize,
    /// Bits of the current block that have not been returned.
    left: u64,
}

impl<F: Fn(&Block) -> u64> Iterator for Marks<'_, F> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            self.nth += 1;
            self.left = self.view.blocks.get(self.nth).map(&self.mask)?;
        }
        let bit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(self.nth * BLOCK + bit - self.view.offset)
    }
}

impl Block {
    /// Whether a comment is open at its end.
    #[inline]
    pub(crate) fn ends_in_comment(self) -> bool {
        self.comments >> (BLOCK - 1) == 1
    }
}

/// The first bytes of a text; after its end come bytes of no class.
#[inline(always)]
pub(super) fn padded(text: &[u8]) -> [u8; BLOCK] {
    let mut bytes = [b'x'; BLOCK];
    let length = text.len().min(BLOCK);
    bytes[..length].copy_from_slice(&text[..length]);
    bytes
}

/// The bytes of a block, compared at once.
#[derive(Clone, Copy)]
pub(super) struct Lanes<S: Simd>(pub(super) u8x64<S>);

impl<S: Simd> Lanes<S> {
    /// Bit mask of the bytes equal to `byte`.
    #[inline(always)]
    fn is(self, byte: u8) -> u64 {
        self.0.simd_eq(byte).to_bitmask()
    }

    /// Bit mask of the bytes in a set, of which no two have the same low nibble.
    #[inline(always)]
    pub(super) fn is_any(self, set: &[u8; 16]) -> u64 {
        let Lanes(bytes) = self;
        let set = u8x64::block_splat(u8x16::load_array_ref(bytes.simd, set));
        let low_nibbles = bytes & u8x64::splat(bytes.simd, 0x0f);
        let candidates = set.swizzle_dyn_within_blocks(low_nibbles);
        bytes.simd_eq(candidates).to_bitmask()
    }
}

/// A table of a set for [`Lanes::is_any`].
pub(super) const fn by_low_nibble(set: &[u8]) -> [u8; 16] {
    // A place that is not taken holds a byte that has another low nibble.
    let mut table = [0xff; 16];
    table[15] = 0;
    let mut nth = 0;
    while nth < set.len() {
        table[(set[nth] & 0x0f) as usize] = set[nth];
        nth += 1;
    }
    table
}

/// White space of movetext, and the dots of move numbers.
const BLANKS: [u8; 16] = by_low_nibble(b" .\t\n\r");

/// A pass over the blocks of a text.
struct Scan<S: Simd> {
    /// Whether the byte before the block is a line feed, in the lowest bit.
    after_line_feed: u64,
    /// Whether it is a bracket.
    after_bracket: u64,
    /// All bits of the bytes so far, by their place in the block.
    seen: u8x64<S>,
    /// Control characters so far, other than tabs and those that end lines.
    controls: u64,
}

impl<S: Simd> Scan<S> {
    #[inline(always)]
    fn new(simd: S, text: &[u8], begin: usize) -> Scan<S> {
        let before = begin.checked_sub(1).map(|before| text[before]);
        let is = |byte| u64::from(before == Some(byte));
        Scan {
            after_line_feed: is(b'\n'),
            after_bracket: is(b'['),
            seen: u8x64::splat(simd, 0),
            controls: 0,
        }
    }

    /// The next block, in which the first `kept` bytes are as they were `before` and the one after
    /// them is inside a comment or not.
    #[inline(always)]
    fn block(
        &mut self,
        bytes: &[u8; BLOCK],
        before: Block,
        kept: usize,
        in_comment: bool,
    ) -> Block {
        let lanes = Lanes(u8x64::load_array_ref(self.seen.simd, bytes));
        let blanks = lanes.is_any(&BLANKS);
        self.seen |= lanes.0;
        self.controls |= lanes.0.simd_lt(b' ').to_bitmask() & !blanks;
        let (line_feeds, bracket) = (lanes.is(b'\n'), lanes.is(b'['));
        // White space, `%` and, being negative, the bytes of a byte order mark.
        let signed = lanes.0.bitcast::<i8x64<S>>();
        let low = signed.simd_lt(b'%' as i8 + 1).to_bitmask();
        let starts = line_feeds << 1 | self.after_line_feed;
        let after_bracket = bracket << 1 | self.after_bracket;
        self.after_line_feed = line_feeds >> (BLOCK - 1);
        self.after_bracket = bracket >> (BLOCK - 1);

        let new = u64::MAX.checked_shl(kept as u32).unwrap_or(0);
        let first = new & new.wrapping_neg();
        let carry = if in_comment { first } else { 0 };
        let (all_open, all_close) = (lanes.is(b'{'), lanes.is(b'}'));
        let open = all_open & new | carry & !all_close;
        let comments = comments(open, all_close & new & !first) | before.comments & !new;
        let inside = comments << 1 & !first | carry;
        Block {
            blanks,
            comments,
            odd: starts & (low & !comments | bracket & comments)
                | all_open & inside & new
                | before.odd & !new,
            decisive: starts & (low | bracket | lanes.is(b'1'))
                | after_bracket & !low
                | lanes.is(b';') & !comments,
            line_feeds,
        }
    }
}

/// Bits from each one in `open` up to the one before the next in `close`.
#[inline(always)]
fn comments(open: u64, close: u64) -> u64 {
    let step = |comments: u64| comments << 1 & !close | open;
    // If the two alternate, each difference of two bits is the bits between them.
    let alternating = close.wrapping_sub(open);
    if step(alternating) == alternating {
        alternating
    } else {
        nested_comments(open, close)
    }
}

/// The same where some bit opens or closes nothing.
#[cold]
fn nested_comments(open: u64, close: u64) -> u64 {
    let mut comments = 0;
    let mut is_open = false;
    for bit in 0..u64::BITS {
        is_open = open >> bit & 1 == 1 || is_open && close >> bit & 1 == 0;
        comments |= u64::from(is_open) << bit;
    }
    comments
}
