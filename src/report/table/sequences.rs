//! Compression with known matches, which zstd encodes without searching for others.

use std::ffi::{CStr, c_int};
use std::io;
use std::ptr::NonNull;

use zstd::zstd_safe::{compress_bound, zstd_sys};
use zstd_sys::{
    ZSTD_BLOCKSIZE_MAX, ZSTD_CCtx, ZSTD_CCtx_reset, ZSTD_CCtx_setParameter, ZSTD_ErrorCode,
    ZSTD_ResetDirective, ZSTD_Sequence, ZSTD_cParameter, ZSTD_compressSequencesAndLiterals,
    ZSTD_createCCtx, ZSTD_freeCCtx, ZSTD_getErrorCode, ZSTD_getErrorName, ZSTD_isError,
};

use crate::report::block::{ChangedText, SHORTEST_MATCH};

/// Texts in the encoding `PLAIN` of Parquet, as literals and matches, in blocks. A text follows its
/// length of 32 bits, which is less than 256.
pub(super) struct Sequences {
    literals: Vec<u8>,
    /// The first is a placeholder for the head ([`Sequences::finish`]).
    sequences: Vec<ZSTD_Sequence>,
    /// Literals since the last match.
    pending: u32,
    /// Length of all texts, and start of the block.
    length: usize,
    block: usize,
    /// Offset of the last text.
    last: usize,
}

/// Longest block in bytes.
const BLOCK_BYTES: usize = ZSTD_BLOCKSIZE_MAX as usize;

/// Size of the length of a text in bytes.
const LENGTH_BYTES: usize = 4;

/// End of a block after this many literals.
fn end_of_block(literals: usize) -> ZSTD_Sequence {
    ZSTD_Sequence {
        offset: 0,
        litLength: literals as u32,
        matchLength: 0,
        rep: 0,
    }
}

/// Bytes that must be allocated after the literals (`zstd.h`).
const SLACK: usize = 8;

impl Default for Sequences {
    fn default() -> Sequences {
        Sequences::with_capacity(0)
    }
}

impl Sequences {
    /// No text, and memory for about this many.
    pub(super) fn with_capacity(texts: usize) -> Sequences {
        let mut sequences = Vec::with_capacity(4 * texts);
        sequences.push(end_of_block(0));
        Sequences {
            literals: Vec::with_capacity(12 * texts),
            sequences,
            pending: 0,
            length: 0,
            block: 0,
            last: 0,
        }
    }

    /// Ends the texts and puts a head of literals before them, in blocks of their own. `head` is
    /// left with the memory of the literals.
    pub(super) fn finish(&mut self, head: &mut Vec<u8>) {
        let blocks = head.chunks(BLOCK_BYTES);
        let blocks = blocks.map(|block| end_of_block(block.len()));
        // If the head is one block, it replaces the placeholder and nothing moves.
        self.sequences.splice(0..1, blocks);
        self.length += head.len();
        head.extend_from_slice(&self.literals);
        std::mem::swap(&mut self.literals, head);
        self.end_block();
    }

    /// Removes the texts and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.literals.clear();
        self.sequences.clear();
        self.sequences.push(end_of_block(0));
        self.pending = 0;
        (self.length, self.block, self.last) = (0, 0, 0);
    }

    /// Number of literals.
    pub(super) fn literals(&self) -> usize {
        self.literals.len()
    }

    /// Adds a text as literals only.
    pub(super) fn push_literals(&mut self, text: &[u8]) {
        let length = self.begin_text(text.len());
        self.extend_literals(&[length, 0, 0, 0]);
        self.extend_literals(text);
    }

    /// Adds a text that has parts of the text before it, given the new bytes from its own on.
    /// Returns those of the texts after it.
    #[inline]
    pub(super) fn push<'n>(&mut self, text: &ChangedText, new_bytes: &'n [u8]) -> &'n [u8] {
        let before = self.last;
        let length = self.begin_text(text.length as usize);
        self.extend_literals(&[length]);
        if text.changes[0].at == 0 {
            // Too short for a match.
            self.extend_literals(&[0; LENGTH_BYTES - 1]);
        }
        let mut old = before + (self.length - self.last);
        let begin = self.last + LENGTH_BYTES;
        let mut count = 0;
        for change in text.changes {
            let kept = begin + usize::from(change.at) - self.length;
            if kept > 0 {
                debug_assert!(kept >= SHORTEST_MATCH, "it is worth its place");
                self.push_match(self.length - old, kept);
            }
            self.advance_literals(change.new_length.into());
            old += kept + usize::from(change.old_length);
            count += usize::from(change.new_length);
        }
        let (new, others) = new_bytes.split_at(count);
        self.literals.extend_from_slice(new);
        others
    }

    /// Appends literals.
    fn extend_literals(&mut self, literals: &[u8]) {
        self.advance_literals(literals.len());
        self.literals.extend_from_slice(literals);
    }

    /// Begins a text of this length, which no block divides. Returns the first byte of the length.
    ///
    /// # Panics
    ///
    /// If the length has more than one byte.
    #[inline]
    fn begin_text(&mut self, length: usize) -> u8 {
        let first = u8::try_from(length).expect("texts that change little are short");
        if self.length + LENGTH_BYTES + length - self.block > BLOCK_BYTES {
            self.end_block();
        }
        self.last = self.length;
        first
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
        self.sequences.push(end_of_block(self.pending as usize));
        self.pending = 0;
        self.block = self.length;
    }

    /// Number of bytes of the texts.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The texts, each after its length.
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
}

/// Compressor of texts with known matches: a compression context of zstd.
pub(super) struct SequenceCompressor(NonNull<ZSTD_CCtx>);

// SAFETY: zstd requires only that threads do not use a context at the same time.
#[allow(unsafe_code)]
unsafe impl Send for SequenceCompressor {}

// The safe bindings have no function for sequences. `replay --format parquet` takes a third less
// time with it than with a search for matches.
#[allow(unsafe_code)]
impl SequenceCompressor {
    pub(super) fn new() -> io::Result<SequenceCompressor> {
        // SAFETY: the function has no preconditions.
        let context = NonNull::new(unsafe { ZSTD_createCCtx() });
        let mut context = SequenceCompressor(context.ok_or(io::ErrorKind::OutOfMemory)?);
        context.set(ZSTD_cParameter::ZSTD_c_compressionLevel, 1)?;
        // ZSTD_c_blockDelimiters = ZSTD_sf_explicitBlockDelimiters.
        context.set(ZSTD_cParameter::ZSTD_c_experimentalParam11, 1)?;
        Ok(context)
    }

    fn set(&mut self, parameter: ZSTD_cParameter, value: c_int) -> io::Result<()> {
        // SAFETY: the context is valid until it is dropped.
        check(unsafe { ZSTD_CCtx_setParameter(self.0.as_ptr(), parameter, value) }).map(drop)
    }

    /// Compresses a text whose last block has ended, in place of what `out` holds. Returns false if
    /// a block cannot be compressed: zstd has no text to store instead.
    pub(super) fn compress(&mut self, text: &mut Sequences, out: &mut Vec<u8>) -> io::Result<bool> {
        let (literals, sequences) = (&mut text.literals, &text.sequences);
        literals.reserve(SLACK);
        out.clear();
        out.reserve(compress_bound(text.length));
        let reset = ZSTD_ResetDirective::ZSTD_reset_session_only;
        // SAFETY: the context is valid until it is dropped.
        check(unsafe { ZSTD_CCtx_reset(self.0.as_ptr(), reset) })?;
        // SAFETY: the context is valid, and each pointer has the length or the capacity that
        // follows it. zstd trusts the sequences, but only encodes their offsets, and takes as many
        // literals as they say only if that is the number of literals. The slack after the literals
        // is allocated, and its values do not reach the output.
        let result = unsafe {
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
        };
        // SAFETY: the function takes any number.
        let error = unsafe { ZSTD_getErrorCode(result) };
        if error == ZSTD_ErrorCode::ZSTD_error_cannotProduce_uncompressedBlock {
            return Ok(false);
        }
        let length = check(result)?;
        // SAFETY: without an error, zstd has written this many bytes, at most the capacity.
        unsafe { out.set_len(length) };
        Ok(true)
    }
}

#[allow(unsafe_code)]
impl Drop for SequenceCompressor {
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

    /// The text, compressed with the known matches.
    fn decompressed(mut sequences: Sequences) -> Vec<u8> {
        let (mut compressor, mut out) = (SequenceCompressor::new().unwrap(), Vec::new());
        let is_compressed = compressor.compress(&mut sequences, &mut out).unwrap();
        assert!(is_compressed, "the text can be compressed");
        zstd::bulk::decompress(&out, sequences.length()).unwrap()
    }

    fn change(at: u8, old_length: u8, new_length: u8) -> TextChange {
        TextChange {
            at,
            old_length,
            new_length,
        }
    }

    #[test]
    fn matches_reach_into_the_text_before() {
        let mut sequences = Sequences::default();
        sequences.push_literals(b"rnbqkbnr/pppppppp");
        let text = ChangedText {
            length: 15,
            changes: [change(4, 8, 6), change(15, 0, 0), change(15, 0, 0)],
        };
        assert_eq!(sequences.push(&text, b"QQQQQQnext"), b"next");
        let text = ChangedText {
            length: 14,
            changes: [change(0, 1, 0), change(14, 0, 0), change(14, 0, 0)],
        };
        assert_eq!(sequences.push(&text, b"next"), b"next");
        sequences.finish(&mut b"levels".repeat(30_000));
        let mut expected = b"levels".repeat(30_000);
        expected.extend_from_slice(b"\x11\0\0\0rnbqkbnr/pppppppp");
        expected.extend_from_slice(b"\x0f\0\0\0rnbqQQQQQQppppp");
        expected.extend_from_slice(b"\x0e\0\0\0nbqQQQQQQppppp");
        assert_eq!(sequences.expand(), expected);
        assert_eq!(decompressed(sequences), expected);
    }

    /// Enough texts for several blocks.
    #[test]
    fn no_block_divides_a_text() {
        let mut sequences = Sequences::default();
        let mut text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".to_vec();
        let mut expected = b"levels".to_vec();
        let mut expect = |text: &[u8]| {
            expected.extend_from_slice(&(text.len() as u32).to_le_bytes());
            expected.extend_from_slice(text);
        };
        sequences.push_literals(&text);
        expect(&text);
        for nth in 0..20_000_u32 {
            let at = (nth * 7 % 39) as u8;
            let new = nth.to_string().into_bytes()[0];
            let end = change(text.len() as u8, 0, 0);
            // The text between changes has no byte, or enough for a match.
            let changed = ChangedText {
                length: text.len() as u32,
                changes: match at {
                    0..4 => [change(0, at + 1, at + 1), end, end],
                    _ => [change(at, 1, 1), end, end],
                },
            };
            let start = if at < 4 { 0 } else { at.into() };
            text[at as usize] = new;
            let new = &text[start..=at as usize];
            assert!(sequences.push(&changed, new).is_empty());
            expect(&text);
        }
        sequences.finish(&mut b"levels".to_vec());
        assert!(expected.len() > 6 * BLOCK_BYTES);
        assert_eq!(sequences.expand(), expected);
        assert_eq!(decompressed(sequences), expected);
    }
}
