//! SIMD search for significant bytes, 64 at a time.
//!
//! In movetext and comments, a significant byte comes every few to few dozen bytes: too often to
//! restart `memchr` each time, too rarely for a loop over every byte.

use wide::{i8x64, u8x64};

/// Class of significant bytes.
pub(crate) trait ByteClass {
    /// Bit mask of the bytes in the class, the first in the lowest bit. `next` follows the block.
    fn of(block: Block, next: Option<u8>) -> u64;

    /// Whether the last byte of the text is in the class, although it would not be before a NUL.
    #[inline]
    fn matches_at_end(_: u8) -> bool {
        false
    }
}

/// Block size, in bytes.
pub(crate) const BLOCK: usize = 64;

/// [`BLOCK`] bytes, compared at once.
#[derive(Clone, Copy)]
pub(crate) struct Block(u8x64);

impl Block {
    #[inline]
    pub(crate) fn new(bytes: &[u8; BLOCK]) -> Block {
        Block(u8x64::new(*bytes))
    }

    /// Bit mask of the bytes equal to `byte`.
    #[inline]
    pub(crate) fn is(self, byte: u8) -> u64 {
        self.0.simd_eq(u8x64::splat(byte)).to_bitmask()
    }

    /// Bit mask of the bytes that are less than an ASCII character, or not ASCII.
    #[inline]
    pub(crate) fn below_or_beyond_ascii(self, character: u8) -> u64 {
        let signed = i8x64::from_ne_bytes(self.0.to_ne_bytes());
        let least = i8x64::splat(character as i8);
        signed.simd_lt(least).to_bitmask()
    }
}

/// Iterator over the offsets of significant bytes.
#[derive(Clone, Debug)]
pub(crate) struct ByteScan<'a, C> {
    text: &'a [u8],
    /// Offset of the current block.
    block: usize,
    /// Bit mask of the significant bytes in it that have not been returned.
    left: u64,
    kind: std::marker::PhantomData<C>,
}

impl<'a, C: ByteClass> ByteScan<'a, C> {
    /// Starts at an offset.
    #[inline]
    pub(crate) fn new(text: &'a [u8], at: usize) -> ByteScan<'a, C> {
        let mut marks = ByteScan {
            text,
            block: 0,
            left: 0,
            kind: std::marker::PhantomData,
        };
        marks.look(at);
        marks
    }

    #[inline]
    pub(crate) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Continues at `place`, which must not precede an offset already returned.
    #[inline]
    pub(crate) fn seek(&mut self, place: usize) {
        // A place before the block wraps to a large distance, and a new block is loaded.
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

    /// Bit mask of the last block, shorter than 64 bytes.
    #[cold]
    fn look_at_end(&self, at: usize) -> u64 {
        let rest = self.text.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return 0;
        }
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        // `C::of` sees NULs after the last byte. Bits beyond the text are masked.
        let last = rest.len() - 1;
        let at_end = u64::from(C::matches_at_end(rest[last])) << last;
        C::of(Block::new(&block), None) & u64::MAX >> (BLOCK - rest.len()) | at_end
    }
}

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
