//! The few bytes that matter in a text, found 64 at a time.
//!
//! In movetext and comments something that matters comes every few bytes to every few dozen: too often for a search that has
//! to be begun anew each time, and too seldom to look at every byte.

use wide::{i8x64, u8x64};

/// Says which of 64 bytes matter, the first in the lowest bit; `next` is the byte that follows them, if there is one.
pub(crate) trait ByteClass {
    /// One bit a byte.
    fn of(block: Block, next: Option<u8>) -> u64;

    /// Whether a byte that nothing follows matters although it would not matter before a NUL.
    #[inline]
    fn matches_at_end(_: u8) -> bool {
        false
    }
}

/// How many bytes are looked at together.
pub(crate) const BLOCK: usize = 64;

/// Bytes that are compared at once.
#[derive(Clone, Copy)]
pub(crate) struct Block(u8x64);

impl Block {
    /// Prepares bytes.
    #[inline]
    pub fn new(bytes: &[u8; BLOCK]) -> Block {
        Block(u8x64::new(*bytes))
    }

    /// Where a byte stands.
    #[inline]
    pub fn is(self, byte: u8) -> u64 {
        self.0.simd_eq(u8x64::splat(byte)).to_bitmask()
    }

    /// Where a byte stands that is less than an ASCII character, or not ASCII.
    #[inline]
    pub fn below_or_beyond_ascii(self, character: u8) -> u64 {
        let signed = i8x64::from_ne_bytes(self.0.to_ne_bytes());
        let least = i8x64::splat(character as i8);
        signed.simd_lt(least).to_bitmask()
    }
}

/// Goes from one byte that matters to the next.
#[derive(Clone, Debug)]
pub(crate) struct ByteScan<'a, C> {
    text: &'a [u8],
    /// Where the block begins that was looked at last.
    block: usize,
    /// What matters in it from where the search has come to.
    left: u64,
    kind: std::marker::PhantomData<C>,
}

impl<'a, C: ByteClass> ByteScan<'a, C> {
    /// Begins to look from a place on.
    #[inline]
    pub fn new(text: &'a [u8], at: usize) -> ByteScan<'a, C> {
        let mut marks = ByteScan {
            text,
            block: 0,
            left: 0,
            kind: std::marker::PhantomData,
        };
        marks.look(at);
        marks
    }

    /// The text.
    #[inline]
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Goes on to a place, which is never before those that have been found; where none was found, to any.
    #[inline]
    pub fn seek(&mut self, place: usize) {
        // A place before the block is far beyond it by this sum, and looked for anew like one behind it.
        let within = place.wrapping_sub(self.block);
        if within < BLOCK {
            self.left &= u64::MAX << within;
        } else {
            self.look(place);
        }
    }

    #[inline]
    fn look(&mut self, at: usize) {
        self.block = at;
        self.left = match self.text.get(at..).and_then(<[u8]>::first_chunk) {
            Some(block) => {
                let next = self.text.get(at + BLOCK).copied();
                C::of(Block::new(block), next)
            }
            None => self.look_at_end(at),
        };
    }

    /// What is left of a text below 64 bytes.
    #[cold]
    fn look_at_end(&self, at: usize) -> u64 {
        let rest = self.text.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return 0;
        }
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        // What follows the last byte is seen by its kind as a NUL; nothing that stands behind the text counts.
        let last = rest.len() - 1;
        let at_end = u64::from(C::matches_at_end(rest[last])) << last;
        C::of(Block::new(&block), None) & u64::MAX >> (BLOCK - rest.len()) | at_end
    }
}

/// The places of the bytes that matter.
impl<C: ByteClass> Iterator for ByteScan<'_, C> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            let next = self.block + BLOCK;
            if next >= self.text.len() {
                return None;
            }
            self.look(next);
        }
        let place = self.block + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Braces;

    impl ByteClass for Braces {
        fn of(block: Block, next: Option<u8>) -> u64 {
            let low = block.below_or_beyond_ascii(b'&');
            let follows =
                low >> 1 | u64::from(next.is_none_or(|byte| !(b'&'..0x80).contains(&byte))) << 63;
            block.is(b'{') | block.is(b'\n') & follows
        }
    }

    #[test]
    fn every_byte_that_matters_is_found_in_blocks_and_across_them() {
        for length in [0, 1, 2, 63, 64, 65, 127, 128, 129, 200] {
            for step in 1..7 {
                let text: Vec<u8> = (0..length)
                    .map(|nth: usize| b"ab{\n\nc\xe9\n{\n%\n"[nth * step % 12])
                    .collect();
                let expected: Vec<usize> = (0..length)
                    .filter(|&at| {
                        text[at] == b'{'
                            || text[at] == b'\n'
                                && text
                                    .get(at + 1)
                                    .is_none_or(|byte| !(b'&'..0x80).contains(byte))
                    })
                    .collect();
                for from in [0, 1, 5, 64, 70] {
                    let found: Vec<usize> = ByteScan::<Braces>::new(&text, from).collect();
                    let expected: Vec<usize> = expected
                        .iter()
                        .copied()
                        .filter(|&place| place >= from)
                        .collect();
                    assert_eq!(found, expected, "{length} {step} {from}");
                    let mut marks = ByteScan::<Braces>::new(&text, from);
                    let first = marks.next();
                    let on = first.map_or(from, |first| first + 3);
                    marks.seek(on);
                    let rest = expected.iter().copied().filter(|&place| place >= on);
                    assert!(marks.eq(rest), "{length} {step} {from} {on}");
                }
            }
        }
    }
}
