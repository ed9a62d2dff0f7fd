//! Decompression of stored bytes.

pub(crate) mod zip;
pub(crate) mod zstd;

use std::io::{self, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::{LzmaReader, XzReader};

use crate::error::Error;
use crate::input::background::{BlockWriter, CopyError, DecompressError};
use crate::input::compressed::CompressedReader;
use crate::input::kind::{Format, HEAD_BYTES};

/// Maximum window size, in bytes: that of `zstd --long`, and twice that of `xz -9`. Larger windows,
/// such as those of `zstd --long=28`, are refused.
pub(crate) const WINDOW_LIMIT: u64 = 128 << 20;

/// Sends the decompressed bytes of `packed`, whose format is detected.
///
/// A file may consist of several streams in the same format. Zeros after the last are skipped in
/// gzip and xz files. Other bytes after it are an error, as is any byte after an lzma stream.
pub(crate) fn decompress(
    packed: &mut CompressedReader<'_>,
    out: &mut BlockWriter,
) -> Result<(), DecompressError> {
    let format = format_of(packed)?;
    match format {
        Format::Zstd => return zstd::decompress(packed, out),
        Format::Gzip => {
            return each(packed, out, format, |packed| {
                Box::new(GzDecoder::new(packed))
            });
        }
        Format::Bzip2 => {
            return each(packed, out, format, |packed| {
                Box::new(BzDecoder::new(packed))
            });
        }
        Format::Zip | Format::Other(_) => return Err(refused(packed.name(), format).into()),
        Format::Plain | Format::Xz | Format::Lzma => {}
    }
    let copied = match format {
        Format::Xz => out.copy(&mut XzReader::new_mem_limit(&mut *packed, true, WINDOW_KIB)),
        Format::Lzma => lzma(packed, out),
        _ => out.copy(packed),
    };
    copied.map_err(|uncopied| match uncopied {
        CopyError::Read(cause) if cause.kind() == io::ErrorKind::OutOfMemory => {
            window_too_large(packed.name(), format).into()
        }
        _ => uncopied.at(format.name(), packed.at()),
    })
}

/// Memory limit of the xz and lzma decoders, in KiB: the window and some overhead.
const WINDOW_KIB: u32 = (WINDOW_LIMIT >> 10) as u32 + 4096;

/// Decompresses an lzma file, which is a single stream.
fn lzma(packed: &mut CompressedReader<'_>, out: &mut BlockWriter) -> Result<(), CopyError> {
    let mut reader = LzmaReader::new_mem_limit(&mut *packed, WINDOW_KIB, None)?;
    // An end marker may follow even if the header gives the length.
    reader.set_relaxed_end_condition(false);
    out.copy(&mut reader)?;
    let (packed, unused) = reader.into_parts();
    match unused.is_empty() && packed.peek(1)?.is_empty() {
        true => Ok(()),
        false => Err(CopyError::Read(something_follows())),
    }
}

/// Error for other bytes after compressed data.
fn something_follows() -> io::Error {
    let cause = "something else follows what is compressed";
    io::Error::new(io::ErrorKind::InvalidData, cause)
}

/// Compression format of `packed`.
pub(crate) fn format_of(packed: &mut CompressedReader<'_>) -> Result<Format, DecompressError> {
    let at = packed.at();
    match packed.peek(HEAD_BYTES) {
        Ok(head) => Ok(Format::of(head)),
        Err(cause) => Err(DecompressError::of(Format::Plain.name(), at, cause)),
    }
}

/// Error for an unsupported format.
pub(crate) fn refused(name: &str, format: Format) -> Error {
    Error::unsupported_compression(name, format.name())
}

/// Error for a window larger than [`WINDOW_LIMIT`].
fn window_too_large(name: &str, format: Format) -> Error {
    let (format, limit) = (format.name(), WINDOW_LIMIT >> 20);
    let command = match format {
        "zstd" => "zstd -dc --long=31",
        _ => "xz -dc",
    };
    let reason = format!(
        "its {format} data needs a window of more than {limit} MiB; decompress it with \
        `{command}` and pipe it in"
    );
    Error::unsupported(name, reason)
}

/// Sends the decompressed bytes of concatenated streams.
fn each<'a>(
    packed: &mut CompressedReader<'a>,
    out: &mut BlockWriter,
    format: Format,
    decoder: impl for<'d> Fn(&'d mut CompressedReader<'a>) -> Box<dyn Read + 'd>,
) -> Result<(), DecompressError> {
    loop {
        let copied = out.copy(&mut decoder(packed));
        copied.map_err(|uncopied| uncopied.at(format.name(), packed.at()))?;
        let at = packed.at();
        let follows = follows(packed, format)
            .map_err(|cause| DecompressError::of(format.name(), at, cause))?;
        if !follows {
            return Ok(());
        }
    }
}

/// Length of an empty bzip2 stream, in bytes.
const EMPTY_BZIP2: usize = 14;

/// Whether a text begins with an empty bzip2 stream: header, end mark, and the checksum 0. These
/// are skipped without a decoder, which clears some 4 MB of memory per stream.
fn is_empty_bzip2(text: &[u8]) -> bool {
    const END: &[u8] = b"\x17\x72\x45\x38\x50\x90\0\0\0\0";
    matches!(text, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.starts_with(END))
}

/// Whether another stream in the same format follows. Other bytes are an error.
fn follows(packed: &mut CompressedReader<'_>, format: Format) -> io::Result<bool> {
    if format == Format::Gzip {
        packed.skip_zeros()?;
    }
    if format == Format::Bzip2 {
        while is_empty_bzip2(packed.peek(EMPTY_BZIP2)?) {
            packed.skip(EMPTY_BZIP2 as u64)?;
        }
    }
    let head = packed.peek(HEAD_BYTES)?;
    if head.is_empty() {
        Ok(false)
    } else if Format::of(head) == format {
        Ok(true)
    } else {
        Err(something_follows())
    }
}
