//! What is stored → what it holds.

pub(crate) mod zip;
mod zstd;

use std::io::{self, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::{LzmaReader, XzReader};

use crate::error::Error;
use crate::input::background::{BlockWriter, CopyError, Stop};
use crate::input::compressed::CompressedReader;
use crate::input::format::{Format, HEAD_BYTES};

/// How much of a text a decompressor may have to remember, in bytes: what `zstd --long` asks for, and twice what `xz -9`
/// does. More is asked for by `zstd --long=28` and above, and is refused.
pub(crate) const WINDOW_LIMIT: u64 = 128 << 20;

/// Hands over what `packed` holds, whatever way it is packed.
///
/// A file may consist of several that are packed in the same way, one after the other. Zeros after the last of them,
/// which tapes leave, are passed over in gzip files as gzip does and in xz files as their format says; anything else is a
/// failure, and so is every byte after an lzma stream.
pub(crate) fn decompress(
    packed: &mut CompressedReader<'_>,
    out: &mut BlockWriter,
) -> Result<(), Stop> {
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

/// What the decoders of xz and lzma may hold, in KiB: the window, and the little they need beside it.
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

/// The cause of a failure when other bytes follow compressed data.
fn something_follows() -> io::Error {
    let cause = "something else follows what is compressed";
    io::Error::new(io::ErrorKind::InvalidData, cause)
}

/// How `packed` is packed.
pub(crate) fn format_of(packed: &mut CompressedReader<'_>) -> Result<Format, Stop> {
    let at = packed.at();
    match packed.peek(HEAD_BYTES) {
        Ok(head) => Ok(Format::of(head)),
        Err(cause) => Err(Stop::of(Format::Plain.name(), at, cause)),
    }
}

/// The error of a form that is not read.
pub(crate) fn refused(name: &str, format: Format) -> Error {
    Error::unsupported_compression(name, format.name())
}

/// The error of a file that wants more than [`WINDOW_LIMIT`].
fn window_too_large(name: &str, format: Format) -> Error {
    let (format, limit) = (format.name(), WINDOW_LIMIT >> 20);
    let command = match format {
        "zstd" => "zstd -dc --long=31",
        _ => "xz -dc",
    };
    let reason = format!(
        "its {format} data needs a window of more than {limit} MiB; decompress it with `{command}` and pipe it in"
    );
    Error::unsupported(name, reason)
}

/// Hands over what every one of several files holds that stand one after the other.
fn each<'a>(
    packed: &mut CompressedReader<'a>,
    out: &mut BlockWriter,
    format: Format,
    decoder: impl for<'d> Fn(&'d mut CompressedReader<'a>) -> Box<dyn Read + 'd>,
) -> Result<(), Stop> {
    loop {
        let copied = out.copy(&mut decoder(packed));
        copied.map_err(|uncopied| uncopied.at(format.name(), packed.at()))?;
        let at = packed.at();
        let follows =
            follows(packed, format).map_err(|cause| Stop::of(format.name(), at, cause))?;
        if !follows {
            return Ok(());
        }
    }
}

/// The length of a bzip2 stream of nothing.
const EMPTY_BZIP2: usize = 14;

/// Whether a text begins with a bzip2 stream of nothing: header, end mark, and the checksum 0. A
/// decoder clears some 4 MB of memory for each stream, so these are passed over without one.
fn is_empty_bzip2(text: &[u8]) -> bool {
    const END: &[u8] = b"\x17\x72\x45\x38\x50\x90\0\0\0\0";
    matches!(text, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.starts_with(END))
}

/// Whether another file that is packed in the same way follows; nothing else may.
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
