//! zstd (RFC 8878): concatenated frames, with skippable frames between them.
//!
//! Frame ends are found from block lengths, without decompression. Several frames, as written by
//! `pzstd` or in the seekable format, are decompressed in parallel within the memory budget.
//!
//! Large frames are decompressed inline.

pub(crate) mod frames;

use std::io::{self, Cursor, Read};

use zstd::stream::read::Decoder;

use crate::error::Error;
use crate::input::background::BlockWriter;
use crate::input::compressed::CompressedReader;
use crate::input::decompress::zstd::frames::{
    BLOCK_HEADER_BYTES, BlockHeader, Frame, HEADER_BYTES, Header, frame, is_magic,
};
use crate::input::decompress::{WINDOW_LIMIT, window_too_large};
use chess_arbiter_core::split::Compression;

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
) -> io::Result<()> {
    let mut run = Run::new(packed.at().0);
    let outcome = read_frames(packed, &mut run, out);
    let outcome = outcome.map_err(|cause| Error::decompress(FORMAT, packed.at().0, cause));
    // Complete frames before a failure are sent before it.
    run.begin(out)?;
    Ok(outcome?)
}

/// Reads all frames, and leaves the last ones in `run`.
fn read_frames(
    packed: &mut CompressedReader<'_>,
    run: &mut Run,
    out: &mut BlockWriter,
) -> io::Result<()> {
    while let Some(frame) = next_frame(packed)? {
        let header = match frame {
            Frame::Data(header) => header,
            Frame::Skippable { bytes } => {
                // Included in a run, so that offsets in the run match those in the file.
                if run.bytes.is_empty() || !copy(packed, bytes, RUN_BYTES, &mut run.bytes)? {
                    run.begin(out)?;
                    let skipped = io::copy(&mut packed.by_ref().take(bytes), &mut io::sink())?;
                    if skipped < bytes {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                    run.start = packed.at().0;
                }
                continue;
            }
        };
        if header.window > WINDOW_LIMIT {
            return Err(window_too_large(packed.name(), Compression::Zstd).into());
        }
        let before = run.bytes.len();
        let is_large = header
            .content
            .is_some_and(|content| content > FRAME_CONTENT);
        let most = if out.jobs > 1 && !is_large {
            FRAME_BYTES
        } else {
            0
        };
        if header.copy(packed, most, &mut run.bytes)? {
            run.add(&header);
            if run.bytes.len() >= RUN_BYTES {
                run.begin(out)?;
            }
        } else {
            let beginning = Cursor::new(run.bytes.split_off(before));
            run.begin(out)?;
            let frame = beginning.chain(&mut *packed);
            out.copy(&mut Decoder::with_buffer(frame)?.single_frame())?;
            run.start = packed.at().0;
        }
    }
    Ok(())
}

/// Consecutive complete frames of the file.
struct Run {
    /// Offset of the first, in bytes.
    start: u64,
    bytes: Vec<u8>,
    /// Maximum window size of a frame, in bytes.
    window: u64,
    /// Total content size, in bytes, if all frames declare it.
    content: Option<u64>,
}

impl Run {
    fn new(start: u64) -> Run {
        Run {
            start,
            bytes: Vec::new(),
            window: 0,
            content: Some(0),
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
    fn begin(&mut self, out: &mut BlockWriter) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let next = Run::new(self.start + self.bytes.len() as u64);
        let run = std::mem::replace(self, next);
        let takes_up = run.bytes.capacity() + run.window as usize;
        out.aside(takes_up, run.content, move |out| {
            let mut decoder = Decoder::with_buffer(Cursor::new(&*run.bytes))?;
            out.copy(&mut decoder).map_err(|cause| {
                let at = run.start + decoder.get_ref().position();
                Error::decompress(FORMAT, at, cause).into()
            })
        })
    }
}

/// Reads the header of the next frame without consuming it; `None` at the end of the file.
fn next_frame(packed: &mut CompressedReader<'_>) -> io::Result<Option<Frame>> {
    let head = packed.peek(HEADER_BYTES)?;
    match frame(head) {
        None if head.is_empty() => Ok(None),
        None if head.first_chunk().is_none_or(|magic| is_magic(*magic)) => {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
        None => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "no frame begins here",
        )),
        frame => Ok(frame),
    }
}

impl Header {
    /// Appends the frame to `into`; false if it is truncated, corrupt, or longer than `most` bytes.
    /// Bytes read until then stay in `into`.
    fn copy(
        &self,
        packed: &mut CompressedReader<'_>,
        most: usize,
        into: &mut Vec<u8>,
    ) -> io::Result<bool> {
        let most = into.len() + most;
        if !copy(packed, self.bytes as u64, most, into)? {
            return Ok(false);
        }
        loop {
            let head = packed.peek(BLOCK_HEADER_BYTES)?;
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
) -> io::Result<bool> {
    if into.len() as u64 + length > most as u64 {
        return Ok(false);
    }
    // Grows by at least the size of a run, with no spare capacity for a larger frame.
    if into.capacity() - into.len() < length as usize {
        into.reserve_exact((length as usize).max(RUN_BYTES));
    }
    Ok(packed.take(length).read_to_end(into)? as u64 == length)
}
