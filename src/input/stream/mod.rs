//! Text of one source, decompressed and transcoded while it is read.

use std::fmt;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::error::Error;
use crate::input::background::{BlockReader, Failure};
use crate::input::compressed::CompressedReader;
use crate::input::decompress::zstd::decompress;
use crate::input::encoding::{Encoding, LONGEST_SAMPLE, SAMPLE_BYTES, Transcoder};
use crate::input::stored::StoredBytes;
use crate::input::sync::lock;
use crate::text::Offset;

/// Block size for transcoding, in bytes.
const TRANSCODED_BLOCK: usize = 64 << 10;

/// Text of one source: decompressed, and transcoded to ASCII-compatible bytes with lines that end
/// in `\n`. Offsets refer to this text.
///
/// A truncated or corrupt file is an error, reported after the bytes before it. Every error
/// returned by [`Read::read`] wraps an [`Error`].
pub struct Stream {
    unpacked: Unpacked,
    encoding: Encoding,
    transcoded: Option<Box<Transcoded>>,
    delivered: u64,
}

/// Transcoder with its input and output buffers.
struct Transcoded {
    transcoder: Transcoder,
    stored: Vec<u8>,
    /// Stored bytes for the chunks of the text.
    kept: StoredBytes,
    text: Vec<u8>,
    /// Number of bytes of `text` already read.
    read: usize,
    ended: bool,
    /// Cause of the end, until it is reported.
    failure: Option<io::Error>,
}

impl Stream {
    /// Creates the stream of an uncompressed file.
    pub(crate) fn of_plain(
        packed: CompressedReader<'static>,
        progress: Arc<AtomicU64>,
    ) -> Result<Stream, Error> {
        let name = Arc::clone(packed.name());
        Stream::new(name, Body::Plain(packed, progress))
    }

    /// Creates the stream of a compressed file, or of the next member of an archive.
    pub(crate) fn of_packed(
        name: Arc<str>,
        blocks: Arc<Mutex<BlockReader>>,
    ) -> Result<Stream, Error> {
        let nth = lock(&blocks).nth();
        Stream::new(name, Body::Compressed { blocks, nth })
    }

    /// Creates the stream of a range of zstd frames, which begins at `at`. Its encoding is that of
    /// the file, which is known.
    pub(crate) fn of_frames(
        name: &str,
        frames: impl Read + Send + 'static,
        at: u64,
        progress: Arc<AtomicU64>,
        jobs: usize,
    ) -> Result<Stream, Error> {
        let name: Arc<str> = name.into();
        let stored = Arc::default();
        let packed = CompressedReader::new(&name, Box::new(frames), Offset(at));
        let mut packed = packed.counted(Arc::clone(&stored));
        let blocks = BlockReader::new(jobs, false, stored, progress, move |out| {
            let outcome = decompress(&mut packed, out);
            out.end(outcome)
        })?;
        let nth = blocks.nth();
        let blocks = Arc::new(Mutex::new(blocks));
        Ok(Stream {
            unpacked: Unpacked::new(name, Body::Compressed { blocks, nth }),
            encoding: Encoding::Bytes,
            transcoded: None,
            delivered: 0,
        })
    }

    /// Detects the encoding from the beginning of the text.
    fn new(name: Arc<str>, body: Body) -> Result<Stream, Error> {
        let mut unpacked = Unpacked::new(name, body);
        unpacked.read_sample();
        let encoding = Encoding::of(&unpacked.sample, &unpacked.name)?;
        let transcoder = Transcoder::of(encoding);
        Ok(Stream {
            unpacked,
            encoding,
            transcoded: transcoder.map(|transcoder| {
                Box::new(Transcoded {
                    transcoder,
                    stored: vec![0; TRANSCODED_BLOCK],
                    kept: StoredBytes::default(),
                    text: Vec::new(),
                    read: 0,
                    ended: false,
                    failure: None,
                })
            }),
            delivered: 0,
        })
    }

    /// Whether the bytes are the stored bytes.
    pub(crate) fn is_as_stored(&self) -> bool {
        self.encoding == Encoding::Bytes && matches!(self.unpacked.body, Body::Plain(..))
    }

    /// Encoding of the text in the file.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Stored bytes of the text read so far, if it is transcoded.
    pub(crate) fn stored(&self) -> Option<StoredBytes> {
        let transcoded = self.transcoded.as_deref()?;
        Some(transcoded.kept.clone())
    }

    /// Number of bytes read so far.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }
}

impl Read for Stream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = match &mut self.transcoded {
            None => self.unpacked.read(out)?,
            Some(transcoded) => transcoded.read(&mut self.unpacked, out)?,
        };
        self.delivered += n as u64;
        Ok(n)
    }
}

impl Transcoded {
    fn read(&mut self, unpacked: &mut Unpacked, out: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() && !self.ended {
            self.text.clear();
            self.read = 0;
            match unpacked.read(&mut self.stored) {
                Ok(0) => {
                    self.transcoder.finish(&mut self.text);
                    self.ended = true;
                }
                Ok(n) => {
                    self.kept.push(&self.stored[..n]);
                    self.transcoder.feed(&self.stored[..n], &mut self.text);
                }
                Err(error) => {
                    self.transcoder.finish(&mut self.text);
                    self.ended = true;
                    self.failure = Some(error);
                }
            }
        }
        if self.read == self.text.len()
            && let Some(failure) = self.failure.take()
        {
            return Err(failure);
        }
        let n = (&self.text[self.read..]).read(out)?;
        self.read += n;
        Ok(n)
    }
}

/// Decompressed bytes of a text, with a buffered sample of its beginning.
struct Unpacked {
    name: Arc<str>,
    body: Body,
    sample: Vec<u8>,
    /// Number of bytes of the sample already read.
    sample_read: usize,
    /// Number of bytes decompressed so far.
    bytes: u64,
    /// Set at the end of the text. Holds the error until it is reported.
    end: Option<Option<Error>>,
}

enum Body {
    /// Uncompressed file, with the number of bytes read.
    Plain(CompressedReader<'static>, Arc<AtomicU64>),
    /// Decompressed text number `nth`, read from `blocks`.
    Compressed {
        blocks: Arc<Mutex<BlockReader>>,
        nth: u64,
    },
}

impl Unpacked {
    fn new(name: Arc<str>, body: Body) -> Unpacked {
        Unpacked {
            name,
            body,
            sample: Vec::new(),
            sample_read: 0,
            bytes: 0,
            end: None,
        }
    }

    fn read_sample(&mut self) {
        let mut sample = vec![0; SAMPLE_BYTES];
        let mut filled = 0;
        loop {
            if filled == sample.len() {
                // The last byte may be the first of a line ending of two bytes.
                let known = &sample[..filled - 1];
                let ends_line = memchr::memchr2(b'\r', b'\n', known).is_some();
                if ends_line || filled >= LONGEST_SAMPLE {
                    break;
                }
                sample.resize(2 * filled, 0);
            }
            match self.decompress(&mut sample[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) => {
                    self.end = Some(Some(error));
                    break;
                }
            }
        }
        sample.truncate(filled);
        self.sample = sample;
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.sample_read < self.sample.len() {
            let n = (&self.sample[self.sample_read..]).read(out)?;
            self.sample_read += n;
            return Ok(n);
        }
        if let Some(failure) = &mut self.end {
            return failure.take().map_or(Ok(0), |error| Err(error.into()));
        }
        Ok(self.decompress(out)?)
    }

    fn decompress(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let outcome = match &mut self.body {
            Body::Plain(packed, progress) => packed
                .read(out)
                .inspect(|_| progress.store(packed.at().0, Ordering::Relaxed))
                .map_err(|cause| Error::from_read(&self.name, packed.at().0, cause)),
            Body::Compressed { blocks, nth } => {
                lock(blocks)
                    .read(*nth, out)
                    .map_err(|failure| match failure {
                        Failure::Error(error) => error,
                        Failure::Corrupt { format, at, cause } => Error::Decompress {
                            path: self.name.to_string(),
                            format,
                            at: at.0,
                            delivered: self.bytes,
                            source: cause,
                        },
                    })
            }
        };
        match &outcome {
            Ok(0) | Err(_) => self.end = Some(None),
            Ok(n) => self.bytes += *n as u64,
        }
        outcome
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.unpacked.name)
            .field("encoding", &self.encoding)
            .field("delivered", &self.delivered)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
