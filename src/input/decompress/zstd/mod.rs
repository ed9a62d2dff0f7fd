//! zstd (RFC 8878): concatenated frames, with skippable frames between them.
//!
//! Frame ends are found from block lengths, without decompression. Several frames, as written by
//! `pzstd` or in the seekable format, are decompressed in parallel within the memory budget.
//!
//! Large frames are decompressed inline.

pub(crate) mod frames;

use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;

use zstd::stream::read::Decoder;
use zstd::zstd_safe::DCtx;

use crate::input::background::{BlockWriter, DecompressError};
use crate::input::compressed::CompressedReader;
use crate::input::decompress::zstd::frames::{
    BLOCK_HEADER_BYTES, BlockHeader, Frame, HEADER_BYTES, Header, frame, is_magic,
};
use crate::input::decompress::{WINDOW_LIMIT, window_too_large};
use crate::input::kind::Format;
use crate::input::sync::Pool;
use crate::text::Offset;

const FORMAT: &str = "zstd";

/// Target size of a run of frames, in stored bytes; large enough to outweigh the start of a thread.
const RUN_BYTES: usize = 512 << 10;

/// Frames with more stored bytes than this are decompressed inline. Frames of `pzstd` hold at most
/// 32 MiB, four windows of 8 MiB, and are smaller than this if they hold text.
const FRAME_BYTES: usize = 8 << 20;

/// Frames declaring more content than this, in bytes, are also decompressed inline rather than
/// buffered whole.
const FRAME_CONTENT: u64 = 32 << 20;

/// Sends the decompressed bytes of all frames.
pub(crate) fn decompress(
    packed: &mut CompressedReader<'_>,
    out: &mut BlockWriter,
) -> Result<(), DecompressError> {
    let mut run = Run::new(packed.at());
    let outcome = read_frames(packed, &mut run, out);
    if let Err(DecompressError::Disconnected) = outcome {
        return outcome;
    }
    // Complete frames before a failure are sent before it.
    run.finish(out)?;
    outcome
}

/// Reads all frames, and leaves the last ones in `run`.
fn read_frames(
    packed: &mut CompressedReader<'_>,
    run: &mut Run,
    out: &mut BlockWriter,
) -> Result<(), DecompressError> {
    while let Some(frame) = next_frame(packed)? {
        let header = match frame {
            Frame::Data(header) => header,
            Frame::Skippable { bytes } => {
                // Included in a run, so that offsets in the run match those in the file.
                if run.bytes.is_empty() || !copy(packed, bytes, RUN_BYTES, &mut run.bytes)? {
                    run.begin(out)?;
                    skip(packed, bytes)?;
                    run.start = packed.at();
                }
                continue;
            }
        };
        if header.window > WINDOW_LIMIT {
            return Err(DecompressError::from(window_too_large(
                packed.name(),
                Format::Zstd,
            )));
        }
        let before = run.bytes.len();
        let is_large = header
            .content
            .is_some_and(|content| content > FRAME_CONTENT);
        let most = match out.jobs() > 1 && !is_large {
            true => FRAME_BYTES,
            false => 0,
        };
        if header.copy(packed, most, &mut run.bytes)? {
            run.add(&header);
            if run.bytes.len() >= RUN_BYTES {
                run.begin(out)?;
            }
        } else {
            let beginning = if before == 0 {
                std::mem::take(&mut run.bytes)
            } else {
                run.bytes.split_off(before)
            };
            run.begin(out)?;
            let frame = Joined {
                beginning: Cursor::new(beginning),
                rest: &mut *packed,
            };
            let copied = out.copy(&mut decoder(frame)?.single_frame());
            copied.map_err(|uncopied| uncopied.at(FORMAT, packed.at()))?;
            run.start = packed.at();
        }
    }
    Ok(())
}

fn decoder<R: BufRead>(reader: R) -> Result<Decoder<'static, R>, DecompressError> {
    Decoder::with_buffer(reader).map_err(|cause| DecompressError::of(FORMAT, Offset(0), cause))
}

fn after(start: Offset, read: &Cursor<Vec<u8>>) -> Offset {
    Offset(start.0 + read.position())
}

/// Consecutive complete frames of the file.
struct Run {
    start: Offset,
    bytes: Vec<u8>,
    /// Maximum window size of a frame, in bytes.
    window: u64,
    /// Total content size, in bytes, if all frames declare it.
    content: Option<u64>,
    /// Whether another run precedes it.
    follows: bool,
    used: Arc<Used>,
}

/// Decoder contexts with their window buffers, and buffers of finished runs.
#[derive(Default)]
struct Used {
    contexts: Pool<DCtx<'static>>,
    bytes: Pool<Vec<u8>>,
}

impl Run {
    fn new(start: Offset) -> Run {
        Run {
            start,
            bytes: Vec::new(),
            window: 0,
            content: Some(0),
            follows: false,
            used: Arc::default(),
        }
    }

    /// Accounts for a frame whose bytes have been appended.
    fn add(&mut self, header: &Header) {
        self.window = self.window.max(header.window);
        self.content = self
            .content
            .zip(header.content)
            .map(|(sum, more)| sum.saturating_add(more));
    }

    /// Decompresses the frames on another thread, and continues with an empty run after them.
    fn begin(&mut self, out: &mut BlockWriter) -> Result<(), DecompressError> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let next = Run {
            bytes: self.used.bytes.take().unwrap_or_default(),
            follows: true,
            used: Arc::clone(&self.used),
            ..Run::new(Offset(self.start.0 + self.bytes.len() as u64))
        };
        let run = std::mem::replace(self, next);
        let takes_up = run.bytes.capacity() + run.window as usize;
        out.aside(takes_up, run.content, move |out| {
            let out_of_memory =
                || DecompressError::of(FORMAT, Offset(0), io::ErrorKind::OutOfMemory.into());
            let context = run.used.contexts.take().or_else(DCtx::try_create);
            let mut context = context.ok_or_else(out_of_memory)?;
            let mut decoder = Decoder::with_context(Cursor::new(run.bytes), &mut context);
            let copied = out.copy(&mut decoder);
            let bytes = decoder.finish();
            copied.map_err(|uncopied| uncopied.at(FORMAT, after(run.start, &bytes)))?;
            let mut bytes = bytes.into_inner();
            bytes.clear();
            run.used.contexts.give(context);
            run.used.bytes.give(bytes);
            Ok(())
        })
    }

    /// Decompresses the last frames.
    fn finish(mut self, out: &mut BlockWriter) -> Result<(), DecompressError> {
        if self.follows || self.bytes.is_empty() {
            return self.begin(out);
        }
        // The only run: with another thread, this one would only wait.
        let mut decoder = decoder(Cursor::new(self.bytes))?;
        out.copy(&mut decoder)
            .map_err(|uncopied| uncopied.at(FORMAT, after(self.start, decoder.get_ref())))
    }
}

/// Reads the header of the next frame without consuming it; `None` at the end of the file.
fn next_frame(packed: &mut CompressedReader<'_>) -> Result<Option<Frame>, DecompressError> {
    let at = packed.at();
    let head = packed
        .peek(HEADER_BYTES)
        .map_err(|cause| DecompressError::of(FORMAT, at, cause))?;
    if head.is_empty() {
        return Ok(None);
    }
    frame(head).map(Some).ok_or_else(|| {
        let cause = match head.first_chunk().is_none_or(|magic| is_magic(*magic)) {
            true => io::ErrorKind::UnexpectedEof.into(),
            false => io::Error::new(io::ErrorKind::InvalidData, "no frame begins here"),
        };
        DecompressError::of(FORMAT, at, cause)
    })
}

impl Header {
    /// Appends the frame to `into`; false if it is truncated, corrupt, or longer than `most` bytes.
    /// Bytes read until then stay in `into`.
    fn copy(
        &self,
        packed: &mut CompressedReader<'_>,
        most: usize,
        into: &mut Vec<u8>,
    ) -> Result<bool, DecompressError> {
        let most = into.len() + most;
        if !copy(packed, self.bytes as u64, most, into)? {
            return Ok(false);
        }
        loop {
            let at = packed.at();
            let head = packed
                .peek(BLOCK_HEADER_BYTES)
                .map_err(|cause| DecompressError::of(FORMAT, at, cause))?;
            let Some(block) = head.first_chunk().and_then(|&head| BlockHeader::of(head)) else {
                return Ok(false);
            };
            let checksum = if block.is_last {
                self.checksum_bytes()
            } else {
                0
            };
            if !copy(packed, block.bytes + checksum, most, into)? {
                return Ok(false);
            }
            if block.is_last {
                return Ok(true);
            }
        }
    }
}

/// Appends `length` bytes to `into`; false if the file ends first. If `into` would exceed `most`
/// bytes, returns false and reads nothing.
fn copy(
    packed: &mut CompressedReader<'_>,
    length: u64,
    most: usize,
    into: &mut Vec<u8>,
) -> Result<bool, DecompressError> {
    if into.len() as u64 + length > most as u64 {
        return Ok(false);
    }
    // Grows by at least the size of a run, with no spare capacity for a larger frame.
    if into.capacity() - into.len() < length as usize {
        into.reserve_exact((length as usize).max(RUN_BYTES));
    }
    let moved = (&mut *packed).take(length).read_to_end(into);
    match moved {
        Ok(moved) => Ok(moved as u64 == length),
        Err(cause) => Err(DecompressError::of(FORMAT, packed.at(), cause)),
    }
}

fn skip(packed: &mut CompressedReader<'_>, length: u64) -> Result<(), DecompressError> {
    match packed.skip(length) {
        Ok(skipped) if skipped == length => Ok(()),
        Ok(_) => Err(DecompressError::of(
            FORMAT,
            packed.at(),
            io::ErrorKind::UnexpectedEof.into(),
        )),
        Err(cause) => Err(DecompressError::of(FORMAT, packed.at(), cause)),
    }
}

/// Buffered beginning of a frame, followed by the rest of the file.
struct Joined<'a, 'b> {
    beginning: Cursor<Vec<u8>>,
    rest: &'a mut CompressedReader<'b>,
}

impl Read for Joined<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(out)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Joined<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let length = self.beginning.get_ref().len();
        if self.beginning.position() < length as u64 {
            return self.beginning.fill_buf();
        }
        if length > 0 {
            // Frees the buffer, which may be large.
            self.beginning = Cursor::default();
        }
        self.rest.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if self.beginning.get_ref().is_empty() {
            self.rest.consume(amount);
        } else {
            self.beginning.consume(amount);
        }
    }
}
