//! Compression with known matches, which zstd encodes without searching for others.

use std::ffi::{CStr, c_int};
use std::io;
use std::ptr::NonNull;

use zstd::bulk::Compressor;
use zstd::zstd_safe::{compress_bound, zstd_sys};
use zstd_sys::{
    ZSTD_BLOCKSIZE_MAX, ZSTD_CCtx, ZSTD_CCtx_setParameter, ZSTD_Sequence, ZSTD_cParameter,
    ZSTD_compressSequencesAndLiterals, ZSTD_createCCtx, ZSTD_freeCCtx, ZSTD_getErrorName,
    ZSTD_isError,
};

use crate::report::block::ChangedText;

/// A text as literals and matches, in blocks.
#[derive(Default)]
pub(super) struct Sequences {
    literals: Vec<u8>,
    sequences: Vec<ZSTD_Sequence>,
    /// Literals since the last match.
    pending: u32,
    /// Length of the text, and begin of the block.
    length: usize,
    block: usize,
    /// Offset of the last changed text.
    last: usize,
}

/// Longest block in bytes.
const BLOCK_BYTES: usize = ZSTD_BLOCKSIZE_MAX as usize;

/// Bytes that must follow the literals in memory.
const SLACK: usize = 8;

impl Sequences {
    /// Begins with literals, and expects `texts` with `new` bytes.
    pub(super) fn new(literals: Vec<u8>, texts: usize, new: usize) -> Sequences {
        let mut sequences = Sequences {
            sequences: Vec::with_capacity(4 * texts),
            ..Sequences::default()
        };
        sequences.literals = literals;
        sequences.literals.reserve(new + SLACK);
        let mut rest = sequences.literals.len();
        while rest > BLOCK_BYTES {
            sequences.advance_literals(BLOCK_BYTES);
            sequences.end_block();
            rest -= BLOCK_BYTES;
        }
        sequences.advance_literals(rest);
        sequences
    }

    /// Adds a text that has nothing of another.
    pub(super) fn push_all(&mut self, text: &[u8]) {
        self.begin_text(text.len());
        self.advance_literals(text.len());
        self.push_new(text);
    }

    /// Adds the matches of a text that consists of parts of the text before it, and returns the
    /// number of its new bytes, which are still to be added.
    #[inline]
    pub(super) fn push(&mut self, text: &ChangedText) -> usize {
        let mut old = self.last;
        self.begin_text(text.length as usize);
        let begin = self.length;
        let mut new = 0;
        for change in text.changes {
            let kept = begin + usize::from(change.at) - self.length;
            if kept > 0 {
                self.push_match(self.length - old, kept);
            }
            self.advance_literals(change.new.into());
            old += kept + usize::from(change.old);
            new += usize::from(change.new);
        }
        new
    }

    /// Adds the new bytes of texts.
    pub(super) fn push_new(&mut self, new: &[u8]) {
        self.literals.extend_from_slice(new);
    }

    /// Begins a text of this length, which is within a block.
    #[inline]
    fn begin_text(&mut self, length: usize) {
        if self.length + length - self.block > BLOCK_BYTES {
            self.end_block();
        }
        self.last = self.length;
    }

    #[inline]
    fn advance_literals(&mut self, length: usize) {
        self.pending += length as u32;
        self.length += length;
    }

    #[inline]
    fn push_match(&mut self, offset: usize, length: usize) {
        self.sequences.push(ZSTD_Sequence {
            offset: offset as u32,
            litLength: self.pending,
            matchLength: length as u32,
            rep: 0,
        });
        self.pending = 0;
        self.length += length;
    }

    fn end_block(&mut self) {
        self.push_match(0, 0);
        self.block = self.length;
    }

    /// Number of bytes of the text.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The text.
    pub(super) fn expand(&self) -> Vec<u8> {
        let (mut text, mut literals) = (Vec::with_capacity(self.length), &self.literals[..]);
        for it in &self.sequences {
            let (these, rest) = literals.split_at(it.litLength as usize);
            text.extend_from_slice(these);
            literals = rest;
            let begin = text.len() - it.offset as usize;
            text.extend_from_within(begin..begin + it.matchLength as usize);
        }
        text.extend_from_slice(literals);
        text
    }

    /// Compresses the text.
    pub(super) fn compress(mut self, zstd: &mut Compressor<'_>) -> io::Result<Vec<u8>> {
        self.end_block();
        match Context::new()?.compress(&self) {
            // A block that cannot be compressed is an error, as zstd has only the literals of it.
            Err(_) => zstd.compress(&self.expand()),
            compressed => compressed,
        }
    }
}

/// Compression context of zstd.
struct Context(NonNull<ZSTD_CCtx>);

// The safe bindings have no function for sequences. `replay --format parquet` takes a third less
// time with it than with a search for matches.
#[allow(unsafe_code)]
impl Context {
    fn new() -> io::Result<Context> {
        // SAFETY: the function has no preconditions.
        let context = NonNull::new(unsafe { ZSTD_createCCtx() });
        let mut context = Context(context.ok_or(io::ErrorKind::OutOfMemory)?);
        context.set(ZSTD_cParameter::ZSTD_c_compressionLevel, 1)?;
        // The sequences delimit the blocks.
        context.set(ZSTD_cParameter::ZSTD_c_experimentalParam11, 1)?;
        Ok(context)
    }

    fn set(&mut self, parameter: ZSTD_cParameter, value: c_int) -> io::Result<()> {
        // SAFETY: the context is valid until it is dropped.
        check(unsafe { ZSTD_CCtx_setParameter(self.0.as_ptr(), parameter, value) }).map(drop)
    }

    fn compress(&mut self, text: &Sequences) -> io::Result<Vec<u8>> {
        let Sequences {
            literals,
            sequences,
            ..
        } = text;
        assert!(
            literals.capacity() >= literals.len() + SLACK,
            "literals have slack"
        );
        let mut out: Vec<u8> = Vec::with_capacity(compress_bound(text.length));
        // SAFETY: the context is valid; pointers, lengths and capacities are those of vectors; the
        // slack follows the literals.
        let length = check(unsafe {
            ZSTD_compressSequencesAndLiterals(
                self.0.as_ptr(),
                out.as_mut_ptr().cast(),
                out.capacity(),
                sequences.as_ptr(),
                sequences.len(),
                literals.as_ptr().cast(),
                literals.len(),
                literals.capacity(),
                text.length,
            )
        })?;
        // SAFETY: zstd has written these bytes.
        unsafe { out.set_len(length) };
        Ok(out)
    }
}

#[allow(unsafe_code)]
impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context has been created and not been freed.
        unsafe { ZSTD_freeCCtx(self.0.as_ptr()) };
    }
}

/// The error that a result stands for, if it is one.
#[allow(unsafe_code)]
fn check(result: usize) -> io::Result<usize> {
    // SAFETY: the functions take any number.
    if unsafe { ZSTD_isError(result) } == 0 {
        return Ok(result);
    }
    // SAFETY: names of errors are constant texts.
    let name = unsafe { CStr::from_ptr(ZSTD_getErrorName(result)) };
    Err(io::Error::other(name.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::fen::TextChange;
    use crate::input::test_util::Random;

    fn decompressed(sequences: Sequences) -> Vec<u8> {
        let length = sequences.length();
        let compressed = sequences.compress(&mut Compressor::new(1).unwrap());
        zstd::bulk::decompress(&compressed.unwrap(), length).unwrap()
    }

    #[test]
    fn matches_reach_into_the_text_before() {
        let mut sequences = Sequences::new(b"lengths".repeat(30_000), 3, 0);
        sequences.push_all(b"rnbqkbnr/pppppppp");
        let change = |at, old, new| TextChange { at, old, new };
        let text = ChangedText {
            length: 15,
            changes: [change(4, 8, 6), change(15, 0, 0), change(15, 0, 0)],
        };
        let length = sequences.push(&text);
        assert_eq!(length, 6);
        sequences.push_new(b"XXXXXX");
        let mut expected = b"lengths".repeat(30_000);
        expected.extend_from_slice(b"rnbqkbnr/pppppppprnbqXXXXXXppppp");
        assert_eq!(sequences.expand(), expected);
        assert_eq!(decompressed(sequences), expected);
    }

    /// zstd has no source to store where a block cannot be compressed.
    #[test]
    fn noise_is_compressed_without_matches() {
        let mut random = Random(0x5eed);
        let noise: Vec<u8> = (0..300_000).map(|_| random.below(256) as u8).collect();
        let sequences = Sequences::new(noise.clone(), 0, 0);
        assert!(Context::new().unwrap().compress(&sequences).is_err());
        assert_eq!(decompressed(sequences), noise);
    }
}
