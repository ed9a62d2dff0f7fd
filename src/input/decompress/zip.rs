//! zip archives (PKWARE APPNOTE 6.3), read by the directory at the end of the file.

use std::collections::HashSet;
use std::error::Error as StdError;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bzip2::bufread::BzDecoder;
use flate2::CrcReader;
use flate2::bufread::DeflateDecoder;
use lzma_rust2::XzReader;
use rawzip::{
    CompressionMethod as Method, FileReader, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive,
    ZipFileHeaderRecord,
};
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::error::Error;
use crate::input::background::BlockWriter;
use crate::input::compressed::CompressedReader;
use crate::input::decompress::{WINDOW_KIB, decompress};
use crate::text::{Offset, decode};
use chess_arbiter_core::split::{InputKind, ends_with};

const FORMAT: &str = "zip";

/// Maximum size of a data descriptor, in bytes (APPNOTE 4.3.9).
const DESCRIPTOR_BYTES: u64 = 24;

/// Size of the locator of a zip64 directory, in bytes (APPNOTE 4.3.15).
const LOCATOR_BYTES: u64 = 20;

type ZipFile = ZipArchive<FileReader>;
type Cause = Box<dyn StdError + Send + Sync>;

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
    pub(crate) fn new(name: Arc<str>, kind: InputKind, may_lack: bool) -> Archive {
        Archive {
            name,
            kind,
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
        let may_hold = self.kind.has_name(name) || ends_with(name, b".zip");
        let wanted = may_hold && !name.starts_with(b"__MACOSX/");
        self.found |= wanted;
        if !wanted && !name.ends_with(b"/") && self.other.is_none() {
            self.other = Some(decode(name).into_owned());
        }
        wanted
    }

    /// Reads an archive that cannot be read in any order, through a temporary file without a name.
    pub(crate) fn read_pipe(
        self,
        packed: &mut CompressedReader<'_>,
        out: &mut BlockWriter,
    ) -> io::Result<()> {
        let copied = tempfile::tempfile().and_then(|mut file| {
            io::copy(packed, &mut file)?;
            Ok(file)
        });
        let file = copied.map_err(|cause| self.broken(cause.into()))?;
        // The bytes are read again.
        out.stored.store(0, Ordering::Relaxed);
        self.read_file(file, out)
    }

    /// Sends the wanted members in the order of the directory, each named as
    /// `archive.zip/member.pgn`.
    pub(crate) fn read_file(mut self, file: File, out: &mut BlockWriter) -> io::Result<()> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let opened = open(file, &mut buffer);
        let (archive, stray) = opened.map_err(|cause| self.broken(cause))?;
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries
            .next_entry()
            .map_err(|cause| self.broken(cause.into()))?
        {
            let path = entry.file_path();
            let wanted = self.wants(path.as_ref());
            if !self.range.contains(&entry.local_header_offset()) {
                continue;
            }
            if wanted {
                let name = format!("{}/{}", self.name, decode(path.as_ref()));
                out.member(name.clone())?;
                let outcome = self.member(&archive, &entry, &name.into(), out);
                out.end(outcome)?;
            } else {
                out.stored
                    .fetch_add(entry.compressed_size_hint(), Ordering::Relaxed);
            }
        }
        match stray {
            None => self.finish(),
            Some(cause) => Err(self.broken(cause)),
        }
    }

    /// Offsets of the wanted members, ascending. `None` if the file is corrupt, or the archive has
    /// its members in another order or holds a name twice.
    pub(crate) fn offsets(mut self, file: File) -> Option<Vec<u64>> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let Ok((archive, None)) = open(file, &mut buffer) else {
            return None;
        };
        let (mut offsets, mut names) = (Vec::new(), HashSet::new());
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().ok()? {
            let name = entry.file_path();
            if self.wants(name.as_ref()) {
                let at = entry.local_header_offset();
                let is_next = offsets.last().is_none_or(|&last| last < at);
                if !is_next || !names.insert(name.as_ref().to_vec()) {
                    return None;
                }
                offsets.push(at);
            }
        }
        Some(offsets)
    }

    /// Sends the content of a member, which may be compressed again.
    fn member(
        &self,
        archive: &ZipFile,
        entry: &ZipFileHeaderRecord<'_>,
        name: &Arc<str>,
        out: &mut BlockWriter,
    ) -> io::Result<()> {
        let found = archive
            .get_entry(entry.wayfinder())
            .map_err(|cause| self.broken(cause.into()))?;
        if entry.flags().is_encrypted() {
            return Err(Error::unsupported(&**name, "it is encrypted").into());
        }
        let start = Offset(found.compressed_data_range().0);
        let mut stored = CompressedReader::new(name, Box::new(found.reader()), start)
            .counted(Arc::clone(&out.stored));
        let outcome = decoder(name, entry.compression_method(), &mut stored).and_then(|decoder| {
            let mut content = CrcReader::new(decoder);
            let mut inner = CompressedReader::within(name, Box::new(&mut content));
            decompress(&mut inner, out)?;
            drop(inner);
            let crc = content.crc();
            let size = entry.uncompressed_size_hint();
            if crc.sum() == entry.crc32() && crc.amount() == size as u32 {
                return Ok(());
            }
            let cause = "length or checksum do not match";
            Err(io::Error::new(io::ErrorKind::InvalidData, cause))
        });
        outcome.map_err(|cause| Error::decompress(FORMAT, stored.at().0, cause).into())
    }

    fn finish(self) -> io::Result<()> {
        if self.found || self.may_lack {
            return Ok(());
        }
        let wanted = self.kind.extension();
        let reason = match self.other {
            Some(other) => {
                format!("no `{wanted}` file in this archive, only others such as `{other}`")
            }
            None => "the archive is empty".to_owned(),
        };
        Err(Error::no_games(&*self.name, reason).into())
    }

    /// The [`Error`] that a reader wrapped, or that of the archive.
    fn broken(&self, cause: Cause) -> io::Error {
        let cause = match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        };
        let broken = |cause| Error::io(&*self.name, "read the archive", cause);
        cause.downcast().unwrap_or_else(broken).into()
    }
}

fn decoder<'d>(
    name: &str,
    method: Method,
    stored: &'d mut CompressedReader<'_>,
) -> io::Result<Box<dyn Read + Send + 'd>> {
    let format = match method {
        Method::STORE => return Ok(Box::new(stored)),
        Method::DEFLATE => return Ok(Box::new(DeflateDecoder::new(stored))),
        Method::BZIP2 => return Ok(Box::new(BzDecoder::new(stored))),
        Method::XZ => return Ok(Box::new(XzReader::new_mem_limit(stored, false, WINDOW_KIB))),
        Method::ZSTD | Method::ZSTD_DEPRECATED => {
            return Ok(Box::new(ZstdDecoder::with_buffer(stored)?));
        }
        Method::DEFLATE64 => "deflate64",
        Method::LZMA => "lzma",
        Method::PPMD => "ppmd",
        _ => "a method that is not known here",
    };
    Err(Error::unsupported_compression(name, format).into())
}

/// The archive of a file, and the first bytes that belong to no member, as an error.
///
/// # Errors
///
/// A directory that is missing or corrupt, and members that overlap or have no end.
fn open(file: File, buffer: &mut [u8]) -> Result<(ZipFile, Option<Cause>), Cause> {
    let length = file.metadata()?.len();
    let archive = ZipArchive::from_file(file, buffer)?;
    let mut stray = None;
    if !is_zero(&archive, archive.end_offset(), length, buffer)? {
        stray = Some("something else follows its end".into());
    }
    if start_of(&archive)? > 0 {
        return Err("something else precedes its members".into());
    }
    if let Some(at) = unnamed(&archive, buffer)? {
        stray = Some(format!("its directory does not name what is at byte {at}").into());
    }
    Ok((archive, stray))
}

/// Offset at which an archive begins, from the size and the offset of its directory. A zip64
/// archive begins with the file.
fn start_of(archive: &ZipFile) -> Result<u64, Cause> {
    let end = archive.eocd_offset();
    let number = |at| {
        let mut bytes = [0; 4];
        let read = archive.get_ref().read_exact_at(&mut bytes, at);
        read.map(|()| u32::from_le_bytes(bytes))
    };
    if end >= LOCATOR_BYTES && number(end - LOCATOR_BYTES)?.to_le_bytes() == *b"PK\x06\x07" {
        return Ok(0);
    }
    let directory = u64::from(number(end + 12)?) + u64::from(number(end + 16)?);
    let start = end.checked_sub(directory);
    start.ok_or_else(|| "its directory is damaged".into())
}

/// Offset of the first bytes that are neither those of a member nor of the directory.
///
/// # Errors
///
/// Members that overlap, or that go beyond the directory.
fn unnamed(archive: &ZipFile, buffer: &mut [u8]) -> Result<Option<u64>, Cause> {
    let mut members = Vec::new();
    let mut entries = archive.entries(buffer);
    while let Some(entry) = entries.next_entry()? {
        let start = entry.local_header_offset();
        // A member without a header has any length, and is an error of its own.
        let (end, rest) = match archive.get_entry(entry.wayfinder()) {
            Ok(found) if entry.flags().has_data_descriptor() => {
                (found.compressed_data_range().1, DESCRIPTOR_BYTES)
            }
            Ok(found) => (found.compressed_data_range().1, 0),
            Err(_) => (start, u64::MAX),
        };
        members.push((start, end, rest));
    }
    members.sort_unstable();
    let directory = archive.directory_offset();
    members.push((directory, directory, 0));
    let (mut before, mut most, mut unnamed) = (0, 0, None);
    for (start, end, rest) in members {
        if end > directory {
            return Err("a member goes beyond the end".into());
        }
        let Some(gap) = start.checked_sub(before) else {
            return Err("its members overlap".into());
        };
        if gap > most && unnamed.is_none() {
            unnamed = Some(before);
        }
        (before, most) = (end, rest);
    }
    Ok(unnamed)
}

/// Whether a part of a file is zeros only, such as tapes leave.
fn is_zero(archive: &ZipFile, mut at: u64, end: u64, buffer: &mut [u8]) -> io::Result<bool> {
    while at < end {
        let wanted = (end - at).min(buffer.len() as u64) as usize;
        match archive.get_ref().read_at(&mut buffer[..wanted], at)? {
            0 => break,
            n if buffer[..n].iter().any(|&byte| byte != 0) => return Ok(false),
            n => at += n as u64,
        }
    }
    Ok(true)
}
