//! Compression of pages.

use std::io;

use bytes::Bytes;
use zstd::bulk::Compressor;
use zstd::zstd_safe::compress_bound;

use crate::report::table::changed_texts::ChangedTexts;
use crate::report::table::sequences::SequenceCompressor;

/// Compression level of zstd.
#[derive(Clone, Copy)]
pub(super) enum Level {
    Text = 1,
    /// For values that an encoding has packed already: at level 1 `replay --format parquet` takes
    /// 5 % longer, for a file 3 % shorter.
    Packed = -5,
}

/// Compresses one page after another in the same memory.
pub(super) struct PageCompressor {
    zstd: Compressor<'static>,
    sequences: SequenceCompressor,
    /// The page in the making.
    page: Vec<u8>,
    out: Vec<u8>,
}

impl PageCompressor {
    pub(super) fn new() -> io::Result<PageCompressor> {
        Ok(PageCompressor {
            zstd: Compressor::new(Level::Text as i32)?,
            sequences: SequenceCompressor::new()?,
            page: Vec::new(),
            out: Vec::new(),
        })
    }

    /// Begins an empty page.
    pub(super) fn begin(&mut self) -> &mut Vec<u8> {
        self.page.clear();
        &mut self.page
    }

    /// Compresses the page. Returns it with its size before, in bytes.
    pub(super) fn end(&mut self, level: Level) -> io::Result<(Bytes, usize)> {
        pack(&mut self.zstd, level, &self.page, &mut self.out)?;
        Ok((Bytes::copy_from_slice(&self.out), self.page.len()))
    }

    /// Appends texts to the page and compresses it as [`PageCompressor::end`] does.
    pub(super) fn end_with(&mut self, texts: &mut ChangedTexts) -> io::Result<(Bytes, usize)> {
        let page = texts.end(&mut self.page);
        if !self.sequences.compress(page, &mut self.out)? {
            pack(&mut self.zstd, Level::Text, &page.expand(), &mut self.out)?;
        }
        let length = page.length();
        texts.clear();
        Ok((Bytes::copy_from_slice(&self.out), length))
    }

    /// Compresses a text apart from the page.
    pub(super) fn compress(&mut self, text: &[u8]) -> io::Result<Bytes> {
        pack(&mut self.zstd, Level::Text, text, &mut self.out)?;
        Ok(Bytes::copy_from_slice(&self.out))
    }
}

/// Compresses bytes in place of what `out` holds.
fn pack(
    zstd: &mut Compressor<'_>,
    level: Level,
    bytes: &[u8],
    out: &mut Vec<u8>,
) -> io::Result<()> {
    zstd.set_compression_level(level as i32)?;
    out.clear();
    out.reserve(compress_bound(bytes.len()));
    zstd.compress_to_buffer(bytes, out).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::test_util::Random;

    #[test]
    fn noise_is_compressed_without_known_matches() {
        let mut random = Random(0x5eed);
        let noise: Vec<u8> = (0..300_000).map(|_| random.below(256) as u8).collect();
        let mut pages = PageCompressor::new().unwrap();
        let mut texts = ChangedTexts::with_capacity(0);
        // A page after the noise does not depend on it.
        for begin in [&noise, &b"begin".repeat(100), &noise] {
            pages.begin().extend_from_slice(begin);
            let (compressed, length) = pages.end_with(&mut texts).unwrap();
            let page = zstd::bulk::decompress(&compressed, length).unwrap();
            assert_eq!(page.len(), length);
            assert!(page.starts_with(begin) && length < begin.len() + 10);
        }
    }
}
