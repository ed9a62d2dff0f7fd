//! A source's bytes, decompressed while they are read. Compression is recognised by content, never by name.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use super::place::Offset;
use crate::error::Error;

/// The longest beginning by which a compression is recognised, in bytes.
const HEAD_BYTES: usize = 6;

/// How much compressed input is read at a time, in bytes; the size of a zstd block.
const COMPRESSED_BLOCK: usize = 128 << 10;

/// How much a decompressor is asked for at a time, in bytes. When it meets corrupt data it does not say how much it
/// had written until then, so this bounds what is lost.
const DECOMPRESSED_BLOCK: usize = 64 << 10;

/// The decompressed bytes of one source.
///
/// A truncated or corrupt stream is an error after the bytes before it were delivered. Every error that comes out of
/// [`Read::read`] wraps an [`Error`].
pub struct Stream {
    name: Arc<str>,
    delivered: u64,
    body: Body,
}

enum Body {
    Plain(Raw),
    Zstd(ZstdDecoder<'static, BufReader<Raw>>),
    Gzip(Box<MultiGzDecoder<BufReader<Raw>>>),
}

impl Stream {
    /// Looks at the first bytes of `input` and prepares to read what is there.
    ///
    /// `progress` grows by every byte taken from `input`, compressed as it is.
    ///
    /// # Errors
    ///
    /// [`Error::Read`], and [`Error::UnsupportedCompression`].
    pub fn new(
        name: Arc<str>,
        input: Box<dyn Read + Send>,
        progress: Arc<AtomicU64>,
    ) -> Result<Stream, Error> {
        let mut raw = Raw {
            name: Arc::clone(&name),
            input,
            head: [0; HEAD_BYTES],
            head_from: 0,
            head_len: 0,
            taken: 0,
            progress,
        };
        raw.read_head()
            .map_err(|e| Error::from_read(&name, Offset(raw.taken), e))?;
        let body = match raw.head() {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                let decoder = ZstdDecoder::with_buffer(raw.buffered()).map_err(|cause| {
                    Error::Decompress {
                        path: name.to_string(),
                        format: "zstd",
                        at: Offset(0),
                        delivered: 0,
                        cause,
                    }
                })?;
                Body::Zstd(decoder)
            }
            [0x1f, 0x8b, ..] => Body::Gzip(Box::new(MultiGzDecoder::new(raw.buffered()))),
            head => {
                if let Some(format) = unsupported(head) {
                    return Err(Error::UnsupportedCompression {
                        path: name.to_string(),
                        format,
                    });
                }
                Body::Plain(raw)
            }
        };
        Ok(Stream {
            name,
            delivered: 0,
            body,
        })
    }

    /// Whether the bytes are those that are stored.
    pub fn is_as_stored(&self) -> bool {
        matches!(self.body, Body::Plain(_))
    }

    fn decompress_error(&self, cause: io::Error) -> io::Error {
        let (format, input) = match &self.body {
            Body::Plain(_) => return cause,
            Body::Zstd(decoder) => ("zstd", decoder.get_ref()),
            Body::Gzip(decoder) => ("gzip", decoder.get_ref()),
        };
        if let Some(inner) = cause.get_ref()
            && inner.is::<Error>()
        {
            // The compressed bytes could not be read: not the decompressor's complaint.
            return cause;
        }
        let buffered = input.buffer().len() as u64;
        Error::Decompress {
            path: self.name.to_string(),
            format,
            at: Offset(input.get_ref().taken - buffered),
            delivered: self.delivered,
            cause,
        }
        .into()
    }
}

/// Compressions that are recognised so that they can be named.
fn unsupported(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some("bzip2"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("xz"),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some("zip"),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("7z"),
        [0x04, 0x22, 0x4d, 0x18, ..] => Some("lz4"),
        _ => None,
    }
}

impl Read for Stream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let block = out.len().min(DECOMPRESSED_BLOCK);
        let read = match &mut self.body {
            Body::Plain(raw) => raw.read(out),
            Body::Zstd(decoder) => decoder.read(&mut out[..block]),
            Body::Gzip(decoder) => decoder.read(&mut out[..block]),
        };
        match read {
            Ok(n) => {
                self.delivered += n as u64;
                Ok(n)
            }
            Err(cause) => Err(self.decompress_error(cause)),
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.name)
            .field("delivered", &self.delivered)
            .finish_non_exhaustive()
    }
}

/// The bytes as they are stored, counted, with the first few kept back for recognition.
struct Raw {
    name: Arc<str>,
    input: Box<dyn Read + Send>,
    head: [u8; HEAD_BYTES],
    head_from: usize,
    head_len: usize,
    /// How many bytes were taken from `input` so far.
    taken: u64,
    progress: Arc<AtomicU64>,
}

impl Raw {
    fn head(&self) -> &[u8] {
        &self.head[self.head_from..self.head_len]
    }

    fn read_head(&mut self) -> io::Result<()> {
        while self.head_len < HEAD_BYTES {
            let mut head = self.head;
            let n = self.take(&mut head[self.head_len..])?;
            if n == 0 {
                break;
            }
            self.head = head;
            self.head_len += n;
        }
        Ok(())
    }

    fn take(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(out) {
                Ok(n) => {
                    self.taken += n as u64;
                    self.progress.fetch_add(n as u64, Ordering::Relaxed);
                    return Ok(n);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => {
                    return Err(Error::from_read(&self.name, Offset(self.taken), cause).into());
                }
            }
        }
    }

    fn buffered(self) -> BufReader<Raw> {
        BufReader::with_capacity(COMPRESSED_BLOCK, self)
    }
}

impl Read for Raw {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.head_from < self.head_len {
            let n = self.head().read(out)?;
            self.head_from += n;
            return Ok(n);
        }
        self.take(out)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const TEXT: &[u8] = b"[Event \"x\"]\n\n1. e4 *\n";

    fn open(bytes: Vec<u8>) -> Result<(Stream, Arc<AtomicU64>), Error> {
        let progress = Arc::new(AtomicU64::new(0));
        let input = Box::new(io::Cursor::new(bytes));
        let stream = Stream::new("test".into(), input, Arc::clone(&progress))?;
        Ok((stream, progress))
    }

    fn text_of(bytes: Vec<u8>) -> Vec<u8> {
        let size = bytes.len() as u64;
        let (mut stream, progress) = open(bytes).unwrap();
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        assert_eq!(progress.load(Ordering::Relaxed), size);
        text
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        zstd::encode_all(text, 1).unwrap()
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    const SKIPPABLE: &[u8] = b"\x5e\x2a\x4d\x18\x03\x00\x00\x00abc";

    /// Some 3 MB that do not compress to nothing.
    fn long_text() -> Vec<u8> {
        let mut seed = 1u32;
        let mut text = Vec::new();
        while text.len() < 3 << 20 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            writeln!(text, "{{{seed}}} Nf3").unwrap();
        }
        text
    }

    #[test]
    fn plain_text_shorter_than_any_magic_number() {
        for text in [&b""[..], b"1", b"*\n", TEXT] {
            assert_eq!(text_of(text.to_vec()), text);
        }
    }

    #[test]
    fn zstd_in_several_frames_with_skippable_ones_between() {
        let frames = [&zstd(TEXT)[..], SKIPPABLE, &zstd(TEXT), SKIPPABLE].concat();
        assert_eq!(text_of(frames), [TEXT, TEXT].concat());
    }

    #[test]
    fn zstd_that_begins_with_a_skippable_frame() {
        assert_eq!(text_of([SKIPPABLE, &zstd(TEXT)].concat()), TEXT);
    }

    #[test]
    fn gzip_in_several_members() {
        assert_eq!(
            text_of([gzip(TEXT), gzip(TEXT)].concat()),
            [TEXT, TEXT].concat()
        );
    }

    #[test]
    fn a_truncated_stream_delivers_what_it_has_and_says_where_it_ends() {
        let text = long_text();
        for packed in [zstd(&text), gzip(&text)] {
            let half = packed.len() / 2;
            let (mut stream, _) = open(packed[..half].to_vec()).unwrap();
            let mut delivered = Vec::new();
            let error = stream.read_to_end(&mut delivered).unwrap_err();
            assert!(delivered.len() > text.len() / 3);
            assert!(text.starts_with(&delivered));
            match Error::from_read("?", Offset(0), error) {
                Error::Decompress {
                    path,
                    at,
                    delivered: n,
                    cause,
                    ..
                } => {
                    assert_eq!(path, "test");
                    assert_eq!(at, Offset(half as u64));
                    assert_eq!(n, delivered.len() as u64);
                    assert_eq!(cause.kind(), io::ErrorKind::UnexpectedEof);
                }
                other => panic!("{other}"),
            }
        }
    }

    #[test]
    fn a_corrupt_stream_delivers_what_stands_before_the_damage() {
        let text = long_text();
        for packed in [zstd(&text), gzip(&text)] {
            let mut packed = packed;
            let half = packed.len() / 2;
            packed[half..half + 2000].fill(0xff);
            let (mut stream, _) = open(packed).unwrap();
            let mut delivered = Vec::new();
            let error = stream.read_to_end(&mut delivered).unwrap_err();
            assert!(delivered.len() > text.len() / 3);
            let error = Error::from_read("?", Offset(0), error).to_string();
            assert!(error.contains("corrupt near byte"), "{error}");
        }
    }

    #[test]
    fn compressions_that_cannot_be_read_are_named() {
        for (head, name) in [
            (&b"BZh91AY&SY"[..], "bzip2"),
            (b"\xfd7zXZ\0\0", "xz"),
            (b"PK\x03\x04\x14", "zip"),
            (b"PK\x05\x06\0\0", "zip"),
            (b"7z\xbc\xaf\x27\x1c\0", "7z"),
        ] {
            let error = open(head.to_vec()).unwrap_err().to_string();
            assert!(
                error.contains(&format!("compressed with {name};")),
                "{error}"
            );
        }
    }
}
