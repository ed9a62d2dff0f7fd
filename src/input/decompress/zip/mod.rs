//! zip archives (PKWARE APPNOTE 6.3), member by member.
//!
//! An archive in a file is read as its directory says, which stands at its end. One that comes through a pipe has to be
//! read by the headers before its members, in which lengths and checksums may be missing; they follow the member then, whose
//! end is found where its compression ends. A member that is not compressed and comes without its length through a pipe
//! cannot be read, nor can anything behind it.

mod directory;
mod sequence;

use std::io::{self, BufRead, Read, Take};
use std::sync::Arc;

use bzip2::bufread::BzDecoder;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use lzma_rust2::XzReader;
use rawzip::CompressionMethod as Method;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::error::Error;
use crate::input::background::{BlockWriter, Failure, Stop};
use crate::input::compressed::CompressedReader;
use crate::input::decompress::{WINDOW_KIB, decompress};
use crate::input::format::Format;
use crate::input::kind::{InputKind, is_pgn_name};
use crate::text::decode;

const FORMAT: &str = "zip";

/// An archive of which the files of one form are read, PGN files unless something else is asked for, whatever else is in it.
pub(crate) struct Archive {
    name: Arc<str>,
    kind: InputKind,
    /// Whether it need not hold a file of this form.
    may_lack: bool,
    /// Whether such a file has been found.
    found: bool,
    /// The first other file, to name when there is none of them.
    other: Option<String>,
}

impl Archive {
    pub(crate) fn new(name: Arc<str>, form: InputKind, may_lack: bool) -> Archive {
        Archive {
            name,
            kind: form,
            may_lack,
            found: false,
            other: None,
        }
    }

    /// Whether a member is to be read. macOS puts a file beside each member that only the Finder knows how to read.
    fn wants(&mut self, name: &[u8]) -> bool {
        let of_form = match self.kind {
            InputKind::Pgn => is_pgn_name(name),
            form => InputKind::of_name(&decode(name)) == form,
        };
        let wanted = of_form && !name.starts_with(b"__MACOSX/");
        self.found |= wanted;
        if !wanted && !name.ends_with(b"/") && self.other.is_none() {
            self.other = Some(decode(name).into_owned());
        }
        wanted
    }

    /// `archive.zip/member.pgn`
    fn member(&self, name: &[u8]) -> Arc<str> {
        format!("{}/{}", self.name, decode(name)).into()
    }

    fn finish(self, out: &mut BlockWriter) -> Result<(), Stop> {
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

/// How a member is stored.
struct Member<'a> {
    name: &'a Arc<str>,
    method: Method,
    encrypted: bool,
}

/// What a member holds.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Held {
    crc: u32,
    bytes: u64,
}

impl Held {
    /// Whether it is what the archive says.
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
    /// Hands over what the member holds, which may be packed once more.
    fn decompress(
        &self,
        stored: &mut Take<&mut CompressedReader<'_>>,
        out: &mut BlockWriter,
    ) -> Result<Held, Stop> {
        if self.encrypted {
            return Err(Stop::from(Error::unsupported(
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
        let at = stored.get_ref().at();
        match outcome {
            Ok(()) if is_cut_off(stored)? => {
                Err(Stop::of(FORMAT, at, io::ErrorKind::UnexpectedEof.into()))
            }
            Ok(()) => Ok(held),
            // It was the member's own compression that failed.
            Err(Stop::Failed(Failure::Corrupt { format, cause, .. }))
                if format == Format::Plain.name() =>
            {
                Err(Stop::of(FORMAT, at, cause))
            }
            Err(stop) => Err(stop),
        }
    }

    /// Reads the member and keeps nothing, to find its end.
    fn pass_over(&self, stored: &mut Take<&mut CompressedReader<'_>>) -> Result<Held, Stop> {
        let mut reader = Summed::new(self.decoder(stored)?);
        let read = io::copy(&mut reader, &mut io::sink());
        let held = reader.held();
        drop(reader);
        read.map(|_| held)
            .map_err(|cause| Stop::of(FORMAT, stored.get_ref().at(), cause))
    }

    /// Whether the member's end can be found without knowing its length.
    fn ends_by_itself(&self) -> bool {
        !self.encrypted && matches!(self.method, Method::DEFLATE | Method::BZIP2 | Method::XZ)
    }

    fn decoder<'d>(
        &self,
        stored: &'d mut Take<&mut CompressedReader<'_>>,
    ) -> Result<Box<dyn Read + Send + 'd>, Stop> {
        let at = stored.get_ref().at();
        let format = match self.method {
            Method::STORE => return Ok(Box::new(stored)),
            Method::DEFLATE => return Ok(Box::new(DeflateDecoder::new(stored))),
            Method::BZIP2 => return Ok(Box::new(BzDecoder::new(stored))),
            Method::XZ => return Ok(Box::new(XzReader::new_mem_limit(stored, false, WINDOW_KIB))),
            Method::ZSTD | Method::ZSTD_DEPRECATED => {
                let decoder = ZstdDecoder::with_buffer(stored);
                return match decoder {
                    Ok(decoder) => Ok(Box::new(decoder)),
                    Err(cause) => Err(Stop::of(FORMAT, at, cause)),
                };
            }
            Method::DEFLATE64 => "deflate64",
            Method::LZMA => "lzma",
            Method::PPMD => "ppmd",
            _ => "a method that is not known here",
        };
        Err(Stop::from(Error::unsupported_compression(
            &**self.name,
            format,
        )))
    }
}

/// Whether the file ends before a member whose length is known does.
fn is_cut_off(stored: &mut Take<&mut CompressedReader<'_>>) -> Result<bool, Stop> {
    if stored.limit() == 0 || stored.limit() > u64::MAX / 2 {
        return Ok(false);
    }
    match stored.fill_buf() {
        Ok(left) => Ok(left.is_empty()),
        Err(cause) => Err(Stop::of(FORMAT, stored.get_ref().at(), cause)),
    }
}

/// Adds up what is read.
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
