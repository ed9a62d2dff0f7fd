//! Text that is transcoded while it is read.

use std::io::{self, Chain, Cursor, Read};
use std::sync::Arc;

use crate::split::chunk::{StoredBytes, lock};
use crate::split::encoding::{Encoding, LONGEST_SAMPLE, SAMPLE_BYTES, Transcoder};
use crate::split::error::TextError;

/// Block size for transcoding, in bytes.
const TRANSCODED_BLOCK: usize = 64 << 10;

/// Text of a reader as ASCII-compatible bytes with lines that end in `\n`. Its encoding is detected
/// from its beginning.
pub struct TextReader<R> {
    stored: Chain<Chain<Cursor<Vec<u8>>, FailOnce>, R>,
    encoding: Encoding,
    transcoding: Option<Transcoding>,
}

/// Transcoder with its input and output buffers.
struct Transcoding {
    transcoder: Transcoder,
    block: Vec<u8>,
    /// Stored bytes for the chunks of the text.
    kept: StoredBytes,
    text: Vec<u8>,
    /// Number of bytes of `text` already read.
    read: usize,
    /// How the input ended.
    end: Option<FailOnce>,
}

/// Reader that fails once, if there is an error, and is empty.
pub struct FailOnce(pub Option<io::Error>);

impl<R: Read> TextReader<R> {
    /// Reads the beginning of a text.
    ///
    /// # Errors
    ///
    /// [`TextError::Unsupported`] for data that is not text.
    pub fn new(mut stored: R) -> Result<TextReader<R>, TextError> {
        let (sample, failure) = sample(&mut stored);
        let encoding = Encoding::of(&sample)?;
        let is_transcoded = encoding != Encoding::BYTES;
        Ok(TextReader {
            stored: Cursor::new(sample).chain(FailOnce(failure)).chain(stored),
            encoding,
            transcoding: is_transcoded.then(|| Transcoding {
                transcoder: Transcoder::of(encoding),
                block: vec![0; TRANSCODED_BLOCK],
                kept: StoredBytes::default(),
                text: Vec::new(),
                read: 0,
                end: None,
            }),
        })
    }

    /// Encoding of the stored bytes.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Stored bytes of the text read so far, if it is transcoded.
    pub fn stored(&self) -> Option<StoredBytes> {
        let transcoding = self.transcoding.as_ref()?;
        Some(Arc::clone(&transcoding.kept))
    }
}

impl<R: Read> Read for TextReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(Transcoding {
            transcoder,
            block,
            kept,
            text,
            read,
            end,
        }) = &mut self.transcoding
        else {
            return self.stored.read(out);
        };
        while *read == text.len() {
            if let Some(end) = end {
                return end.read(out);
            }
            let (n, failure) = match self.stored.read(block) {
                Ok(n) => (n, None),
                Err(failure) => (0, Some(failure)),
            };
            if n == 0 {
                *end = Some(FailOnce(failure));
            }
            let stored = &block[..n];
            lock(kept).extend_from_slice(stored);
            text.clear();
            *read = 0;
            transcoder.feed(stored, n == 0, text);
        }
        let n = (&text[*read..]).read(out)?;
        *read += n;
        Ok(n)
    }
}

impl Read for FailOnce {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The beginning of a text, and the error that ends it.
fn sample(stored: &mut impl Read) -> (Vec<u8>, Option<io::Error>) {
    let (mut sample, mut size) = (Vec::new(), SAMPLE_BYTES);
    loop {
        let left = size - sample.len();
        let read = stored.by_ref().take(left as u64).read_to_end(&mut sample);
        // The last byte may be the first of a line ending of two bytes.
        let known = &sample[..sample.len().saturating_sub(1)];
        let ends_line = memchr::memchr2(b'\r', b'\n', known).is_some();
        if read.is_err() || sample.len() < size || ends_line || size >= LONGEST_SAMPLE {
            return (sample, read.err());
        }
        size *= 2;
    }
}
