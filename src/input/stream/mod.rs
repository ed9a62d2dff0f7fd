//! One text, unpacked and decoded while it is read.

use std::fmt;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::error::Error;
use crate::input::background::{BlockReader, Failure};
use crate::input::compressed::CompressedReader;
use crate::input::encoding::{Encoding, LONGEST_SAMPLE, SAMPLE_BYTES};
use crate::input::sync::lock;
use crate::input::transcode::{CarriageReturns, Transcoder, Utf16};

/// How much is rewritten at a time, in bytes.
const TRANSCODED_BLOCK: usize = 64 << 10;

/// The text of one source: unpacked, and rewritten if it is not in bytes that mean what they mean in ASCII, with lines that
/// end in `\n`. Places in it are places in what comes out here.
///
/// A truncated or corrupt file is an error after the bytes before it were delivered. Every error that comes out of
/// [`Read::read`] wraps an [`Error`].
pub struct Stream {
    unpacked: Unpacked,
    encoding: Encoding,
    transcoded: Option<Box<Transcoded>>,
    delivered: u64,
}

/// Text that is rewritten.
struct Transcoded {
    transcoder: Transcoder,
    stored: Vec<u8>,
    text: Vec<u8>,
    /// How much of `text` has been read.
    read: usize,
    ended: bool,
    /// Why it ended, if that is still to be told.
    failure: Option<io::Error>,
}

impl Stream {
    /// A file that is not packed.
    pub(crate) fn of_plain(
        packed: CompressedReader<'static>,
        progress: Arc<AtomicU64>,
    ) -> Result<Stream, Error> {
        let name = Arc::clone(packed.name());
        Stream::new(name, Body::Plain(packed, progress))
    }

    /// A file that `blocks` unpacks, or the member that is next in an archive.
    pub(crate) fn of_packed(
        name: Arc<str>,
        blocks: Arc<Mutex<BlockReader>>,
    ) -> Result<Stream, Error> {
        let nth = lock(&blocks).nth();
        Stream::new(name, Body::Compressed { blocks, nth })
    }

    /// Looks at the beginning of the text to tell how it is encoded.
    fn new(name: Arc<str>, body: Body) -> Result<Stream, Error> {
        let mut unpacked = Unpacked {
            name,
            body,
            sample: Vec::new(),
            sample_read: 0,
            bytes: 0,
            end: None,
        };
        unpacked.read_sample();
        let encoding = Encoding::of(&unpacked.sample, &unpacked.name)?;
        let transcoder = match encoding {
            Encoding::Bytes => None,
            Encoding::CarriageReturns => {
                Some(Transcoder::CarriageReturns(CarriageReturns::default()))
            }
            Encoding::Utf16 {
                big_endian,
                carriage_returns,
            } => {
                let utf_16 = Utf16::new(big_endian);
                Some(match carriage_returns {
                    true => Transcoder::Both(utf_16, CarriageReturns::default(), Vec::new()),
                    false => Transcoder::Utf16(utf_16),
                })
            }
        };
        Ok(Stream {
            unpacked,
            encoding,
            transcoded: transcoder.map(|transcoder| {
                Box::new(Transcoded {
                    transcoder,
                    stored: vec![0; TRANSCODED_BLOCK],
                    text: Vec::new(),
                    read: 0,
                    ended: false,
                    failure: None,
                })
            }),
            delivered: 0,
        })
    }

    /// Whether the bytes are those that are stored.
    pub fn is_as_stored(&self) -> bool {
        self.encoding == Encoding::Bytes && matches!(self.unpacked.body, Body::Plain(..))
    }

    /// How the text is written in the file.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many bytes have been read so far.
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
                Ok(n) => self.transcoder.feed(&self.stored[..n], &mut self.text),
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

/// The bytes of a text as they are unpacked, the beginning of which has been looked at.
struct Unpacked {
    name: Arc<str>,
    body: Body,
    sample: Vec<u8>,
    /// How much of the sample has been read.
    sample_read: usize,
    /// How many bytes have been unpacked.
    bytes: u64,
    /// That nothing more comes, and why, if that is still to be told.
    end: Option<Option<Error>>,
}

enum Body {
    /// With the number of bytes that have been read.
    Plain(CompressedReader<'static>, Arc<AtomicU64>),
    /// The text that is the `nth` of those unpacked.
    Compressed {
        blocks: Arc<Mutex<BlockReader>>,
        nth: u64,
    },
}

impl Unpacked {
    fn read_sample(&mut self) {
        let mut sample = vec![0; SAMPLE_BYTES];
        let mut filled = 0;
        loop {
            if filled == sample.len() {
                // The last byte may be the first of two that end a line.
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
