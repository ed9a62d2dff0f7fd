//! zip archives (PKWARE APPNOTE 6.3), read by the directory at the end of the file.

mod directory;

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bzip2::bufread::BzDecoder;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use lzma_rust2::XzReader;
use rawzip::CompressionMethod as Method;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::error::Error;
use crate::input::background::{BlockWriter, DecompressError, Failure};
use crate::input::compressed::CompressedReader;
use crate::input::decompress::{WINDOW_KIB, decompress};
use crate::input::kind::Format;
use crate::input::kind::{InputKind, ends_with, is_pgn_name};
use crate::text::decode;

const FORMAT: &str = "zip";

/// zip archive of which the members of one kind are read.
pub(crate) struct Archive {
    name: Arc<str>,
    kind: InputKind,
    /// Stored bytes in which the members that are read begin.
    range: Range<u64>,
    /// Whether it may hold no member of this kind.
    may_lack: bool,
    /// Whether a member of this kind has been found.
    found: bool,
    /// First other member, named in the error if there is none of this kind.
    other: Option<String>,
}

impl Archive {
    pub(crate) fn new(name: Arc<str>, form: InputKind, may_lack: bool) -> Archive {
        Archive {
            name,
            kind: form,
            range: 0..u64::MAX,
            may_lack,
            found: false,
            other: None,
        }
    }

    /// Reads only the members that begin in a range of the stored bytes. The archive must have
    /// [`offsets`](Archive::offsets).
    pub(crate) fn within(self, range: Range<u64>) -> Archive {
        Archive { range, ..self }
    }

    /// Whether a member is to be read. `__MACOSX/` holds a metadata file of macOS for each member.
    /// An archive in the archive may hold games, so that it is an error.
    fn wants(&mut self, name: &[u8]) -> bool {
        let of_form = match self.kind {
            InputKind::Pgn => is_pgn_name(name),
            form => InputKind::of_name(&decode(name)) == form,
        };
        let wanted = (of_form || ends_with(name, b".zip")) && !name.starts_with(b"__MACOSX/");
        self.found |= wanted;
        if !wanted && !name.ends_with(b"/") && self.other.is_none() {
            self.other = Some(decode(name).into_owned());
        }
        wanted
    }

    /// Name of a member, such as `archive.zip/member.pgn`.
    fn member(&self, name: &[u8]) -> Arc<str> {
        format!("{}/{}", self.name, decode(name)).into()
    }

    /// Reads an archive that cannot be read in any order, through a temporary file without a name.
    pub(crate) fn read_pipe(
        self,
        packed: &mut CompressedReader<'_>,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        let copied = tempfile::tempfile().and_then(|mut file| {
            io::copy(packed, &mut file)?;
            // The bytes are read again.
            out.stored().store(0, Ordering::Relaxed);
            Ok(file)
        });
        match copied {
            Ok(file) => self.read_file(&file, out),
            Err(cause) => out.broken(cause.downcast().unwrap_or_else(|cause| self.broken(cause))),
        }
    }

    fn finish(self, out: &mut BlockWriter) -> Result<(), DecompressError> {
        if self.found || self.may_lack {
            return Ok(());
        }
        let wanted = match self.kind {
            InputKind::Pgn => ".pgn",
            InputKind::Fen => ".fen",
            InputKind::Epd => ".epd",
        };
        let reason = match self.other {
            Some(other) => {
                format!("no `{wanted}` file in this archive, only others such as `{other}`")
            }
            None => "the archive is empty".to_owned(),
        };
        out.broken(Error::no_games(&*self.name, reason))
    }

    fn broken(&self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::input(&*self.name, "read the archive", io::Error::other(cause))
    }
}

/// Storage properties of a member.
struct Member<'a> {
    name: &'a Arc<str>,
    method: Method,
    encrypted: bool,
}

/// Checksum and length of a member's content.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Held {
    crc: u32,
    bytes: u64,
}

impl Held {
    /// Fails if these differ from the values in the archive.
    fn check(self, said: Held) -> io::Result<()> {
        if self == said {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "length or checksum do not match",
        ))
    }
}

impl Member<'_> {
    /// Sends the content of the member, which may be compressed again.
    fn decompress(
        &self,
        stored: &mut CompressedReader<'_>,
        out: &mut BlockWriter,
    ) -> Result<Held, DecompressError> {
        if self.encrypted {
            return Err(DecompressError::from(Error::unsupported(
                &**self.name,
                "it is encrypted",
            )));
        }
        let mut reader = Summed::new(self.decoder(stored)?);
        let outcome = decompress(
            &mut CompressedReader::within(self.name, Box::new(&mut reader)),
            out,
        );
        let held = reader.held();
        drop(reader);
        let at = stored.at();
        match outcome {
            Ok(()) => Ok(held),
            // The member's own compression failed.
            Err(DecompressError::Failed(Failure::Corrupt { format, cause, .. }))
                if format == Format::Plain.name() =>
            {
                Err(DecompressError::of(FORMAT, at, cause))
            }
            Err(stop) => Err(stop),
        }
    }

    fn decoder<'d>(
        &self,
        stored: &'d mut CompressedReader<'_>,
    ) -> Result<Box<dyn Read + Send + 'd>, DecompressError> {
        let at = stored.at();
        let format = match self.method {
            Method::STORE => return Ok(Box::new(stored)),
            Method::DEFLATE => return Ok(Box::new(DeflateDecoder::new(stored))),
            Method::BZIP2 => return Ok(Box::new(BzDecoder::new(stored))),
            Method::XZ => return Ok(Box::new(XzReader::new_mem_limit(stored, false, WINDOW_KIB))),
            Method::ZSTD | Method::ZSTD_DEPRECATED => {
                let decoder = ZstdDecoder::with_buffer(stored);
                return match decoder {
                    Ok(decoder) => Ok(Box::new(decoder)),
                    Err(cause) => Err(DecompressError::of(FORMAT, at, cause)),
                };
            }
            Method::DEFLATE64 => "deflate64",
            Method::LZMA => "lzma",
            Method::PPMD => "ppmd",
            _ => "a method that is not known here",
        };
        Err(DecompressError::from(Error::unsupported_compression(
            &**self.name,
            format,
        )))
    }
}

/// Reader that computes the checksum and length of its bytes.
struct Summed<R> {
    reader: R,
    crc: Crc,
    bytes: u64,
}

impl<R> Summed<R> {
    fn new(reader: R) -> Summed<R> {
        Summed {
            reader,
            crc: Crc::new(),
            bytes: 0,
        }
    }

    fn held(&self) -> Held {
        Held {
            crc: self.crc.sum(),
            bytes: self.bytes,
        }
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(out)?;
        self.crc.update(&out[..n]);
        self.bytes += n as u64;
        Ok(n)
    }
}
