//! Text of one source, decompressed and transcoded while it is read.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use crate::error::Error;
use crate::input::StoredBytes;
use crate::input::background::BlockReader;
use crate::input::compressed::{CompressedReader, WholeFile};
use crate::input::decompress::zstd::decompress;
use crate::input::sync::lock;
use crate::text::Offset;
use chess_arbiter_core::split::sync_point::{self, SyncPoint};
use chess_arbiter_core::split::{Encoding, FailOnce, TextReader};

/// Text of one source: decompressed, and transcoded to ASCII-compatible bytes with lines that end
/// in `\n`. Offsets refer to this text.
///
/// A truncated or corrupt file is an error, reported after the bytes before it. Every error
/// returned by [`Read::read`] wraps an [`Error`].
pub struct Stream {
    text: Box<dyn Read + Send>,
    /// Encoding of the text in the file.
    pub encoding: Encoding,
    /// Whether the file is not compressed.
    is_plain: bool,
    /// Stored bytes of the text read so far, if it is transcoded.
    pub(crate) stored: Option<StoredBytes>,
    /// Number of bytes read so far.
    pub delivered: u64,
}

impl Stream {
    /// Creates the stream of an uncompressed file.
    pub(crate) fn of_plain(packed: CompressedReader<'static>) -> Result<Stream, Error> {
        let name = Arc::clone(packed.name());
        Stream::new(Unpacked::new(name, packed), true)
    }

    /// Creates the stream of a compressed file, or of the current member of an archive.
    pub(crate) fn of_packed(
        name: Arc<str>,
        blocks: Arc<Mutex<BlockReader>>,
    ) -> Result<Stream, Error> {
        Stream::new(Unpacked::of_blocks(name, blocks), false)
    }

    /// Creates the stream of a range of zstd frames, which goes on to the end of its last game. It
    /// begins with the first game, and its encoding is that of the file, which is known.
    pub(crate) fn of_frames(
        name: &str,
        path: &Path,
        frames: &Range<u64>,
        progress: Arc<AtomicU64>,
        jobs: usize,
    ) -> Result<Stream, Error> {
        let open = |frames: Range<u64>, progress, jobs| {
            let mut file = File::open(path).map_err(|cause| Error::io(name, "open", cause))?;
            let stored = frames.end - frames.start;
            file.seek(SeekFrom::Start(frames.start))
                .map_err(|cause| Error::from_read(name, frames.start, cause))?;
            let input = WholeFile::new(file, stored).take(stored);
            Unpacked::of_frames(name, input, frames.start, progress, jobs)
        };
        let size = std::fs::metadata(path).map_or(frames.end, |found| found.len());
        // One thread reads no further ahead than it must.
        let after = || open(frames.end..size.max(frames.end), Arc::default(), 1);
        let failed = |cause| Error::from_read(name, frames.end, cause);
        let rest = sync_point::find(&mut after()?, 0).map_err(failed)?;
        let rest = rest.map_or(u64::MAX, |found| found.at);
        let mut text = open(frames.clone(), progress, jobs)?.chain(after()?.take(rest));
        let text: Box<dyn Read + Send> = match frames.start {
            0 => Box::new(text),
            _ => match sync_point::find(&mut text, 0).map_err(failed)? {
                Some(SyncPoint { rest, error, .. }) => {
                    Box::new(Cursor::new(rest).chain(FailOnce(error)).chain(text))
                }
                None => Box::new(io::empty()),
            },
        };
        Ok(Stream {
            text,
            encoding: Encoding::BYTES,
            is_plain: false,
            stored: None,
            delivered: 0,
        })
    }

    /// Detects the encoding from the beginning of the text.
    fn new(unpacked: Unpacked, is_plain: bool) -> Result<Stream, Error> {
        let name = Arc::clone(&unpacked.name);
        let text = TextReader::new(unpacked).map_err(|error| Error::from_text(&name, error))?;
        Ok(Stream {
            encoding: text.encoding(),
            stored: text.stored(),
            text: Box::new(text),
            is_plain,
            delivered: 0,
        })
    }

    /// Whether the bytes are the stored bytes.
    pub(crate) fn is_as_stored(&self) -> bool {
        self.is_plain && self.encoding == Encoding::BYTES
    }
}

impl Read for Stream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.text.read(out)?;
        self.delivered += n as u64;
        Ok(n)
    }
}

/// Decompressed bytes of a text. Errors are completed by its name and size.
struct Unpacked {
    name: Arc<str>,
    body: Box<dyn Read + Send>,
    /// Number of bytes read so far.
    bytes: u64,
    is_over: bool,
}

impl Unpacked {
    fn new(name: Arc<str>, body: impl Read + Send + 'static) -> Unpacked {
        Unpacked {
            name,
            body: Box::new(body),
            bytes: 0,
            is_over: false,
        }
    }

    fn of_blocks(name: Arc<str>, blocks: Arc<Mutex<BlockReader>>) -> Unpacked {
        let nth = lock(&blocks).members;
        Unpacked::new(name, BlockText { blocks, nth })
    }

    /// Text of a range of zstd frames, which begins at `at`.
    fn of_frames(
        name: &str,
        frames: impl Read + Send + 'static,
        at: u64,
        progress: Arc<AtomicU64>,
        jobs: usize,
    ) -> Result<Unpacked, Error> {
        let name: Arc<str> = name.into();
        let stored = Arc::default();
        let packed = CompressedReader::new(&name, Box::new(frames), Offset(at));
        let mut packed = packed.counted(Arc::clone(&stored));
        let blocks = BlockReader::new(jobs, false, stored, progress, move |out| {
            decompress(&mut packed, out)
        })?;
        Ok(Unpacked::of_blocks(name, Arc::new(Mutex::new(blocks))))
    }
}

impl Read for Unpacked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let outcome = self.body.read(out).map_err(|cause| {
            let mut error = Error::from_read(&self.name, 0, cause);
            if let Error::Decompress {
                path, delivered, ..
            } = &mut error
            {
                *path = self.name.to_string();
                *delivered = self.bytes;
            }
            error.into()
        });
        self.is_over = !matches!(outcome, Ok(1..));
        self.bytes += *outcome.as_ref().unwrap_or(&0) as u64;
        outcome
    }
}

/// Text number `nth` of `blocks`.
struct BlockText {
    blocks: Arc<Mutex<BlockReader>>,
    nth: u64,
}

impl Read for BlockText {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        lock(&self.blocks).read(self.nth, out)
    }
}

#[cfg(test)]
mod tests;
