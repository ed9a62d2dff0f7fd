//! Decompression of stored bytes.

pub(crate) mod zip;
pub(crate) mod zstd;

use std::io::{self, BufRead};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::{LzmaReader, XzReader};

use crate::error::Error;
use crate::input::background::BlockWriter;
use crate::input::compressed::CompressedReader;
use chess_arbiter_core::split::{Compression, HEAD_BYTES};

/// Maximum window size, in bytes: that of `zstd --long`, and twice that of `xz -9`. Larger windows,
/// such as those of `zstd --long=28`, are refused.
pub(crate) const WINDOW_LIMIT: u64 = 128 << 20;

/// Sends the decompressed bytes of `packed`, whose format is detected.
///
/// A file may consist of several streams in the same format. Zeros after the last are skipped in
/// gzip and xz files. Other bytes after it are an error, as is any byte after an lzma stream.
/// Errors of reading uncompressed bytes are passed on.
pub(crate) fn decompress(
    packed: &mut CompressedReader<'_>,
    out: &mut BlockWriter,
) -> io::Result<()> {
    let format = Compression::of(packed.peek(HEAD_BYTES)?);
    let outcome = match format {
        Compression::Plain => return out.copy(packed),
        Compression::Zstd => zstd::decompress(packed, out),
        Compression::Gzip | Compression::Bzip2 => each(packed, out, format),
        Compression::Xz => out.copy(&mut XzReader::new_mem_limit(&mut *packed, true, WINDOW_KIB)),
        Compression::Lzma => lzma(packed, out),
        Compression::Zip | Compression::Other(_) => {
            Err(Error::unsupported_compression(&**packed.name(), format.name()).into())
        }
    };
    outcome.map_err(|cause| match (format, cause.kind()) {
        (Compression::Xz | Compression::Lzma, io::ErrorKind::OutOfMemory) => {
            window_too_large(packed.name(), format).into()
        }
        _ => Error::decompress(format.name(), packed.at().0, cause).into(),
    })
}

/// Memory limit of the xz and lzma decoders, in KiB: the window and some overhead.
const WINDOW_KIB: u32 = (WINDOW_LIMIT >> 10) as u32 + 4096;

/// Decompresses an lzma file, which is a single stream.
fn lzma(packed: &mut CompressedReader<'_>, out: &mut BlockWriter) -> io::Result<()> {
    let mut reader = LzmaReader::new_mem_limit(&mut *packed, WINDOW_KIB, None)?;
    // An end marker may follow even if the header gives the length.
    reader.set_relaxed_end_condition(false);
    out.copy(&mut reader)?;
    let (packed, unused) = reader.into_parts();
    match unused.is_empty() && packed.peek(1)?.is_empty() {
        true => Ok(()),
        false => Err(something_follows()),
    }
}

/// Error for other bytes after compressed data.
fn something_follows() -> io::Error {
    let cause = "something else follows what is compressed";
    io::Error::new(io::ErrorKind::InvalidData, cause)
}

/// Error for a window larger than [`WINDOW_LIMIT`].
fn window_too_large(name: &str, format: Compression) -> Error {
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

/// Sends the decompressed bytes of concatenated streams of gzip or bzip2. Zeros after gzip are
/// padding; any other bytes are an error.
fn each(
    packed: &mut CompressedReader<'_>,
    out: &mut BlockWriter,
    format: Compression,
) -> io::Result<()> {
    loop {
        if format == Compression::Gzip {
            out.copy(&mut GzDecoder::new(&mut *packed))?;
            while packed.peek(1)?.first() == Some(&0) {
                packed.consume(1);
            }
        } else {
            out.copy(&mut BzDecoder::new(&mut *packed))?;
            while is_empty_bzip2(packed.peek(EMPTY_BZIP2)?) {
                packed.consume(EMPTY_BZIP2);
            }
        }
        let head = packed.peek(HEAD_BYTES)?;
        if head.is_empty() {
            return Ok(());
        } else if Compression::of(head) != format {
            return Err(something_follows());
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
