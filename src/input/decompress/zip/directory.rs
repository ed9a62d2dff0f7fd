//! Directories of archives, and the members that they name.

use std::collections::HashSet;
use std::error::Error as StdError;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rawzip::{RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive, ZipFileHeaderRecord, ZipLocator};

use crate::input::background::{BlockWriter, DecompressError};
use crate::input::compressed::{CompressedReader, read_at};
use crate::input::decompress::zip::{Archive, FORMAT, Held, Member};
use crate::text::Offset;

/// Maximum size of a data descriptor, in bytes (APPNOTE 4.3.9).
const DESCRIPTOR_BYTES: u64 = 24;

/// Size of the locator of a zip64 directory, in bytes (APPNOTE 4.3.15).
const LOCATOR_BYTES: u64 = 20;

/// File from the start of an archive on, to which the offsets in its directory are relative.
#[derive(Clone, Copy)]
struct Window<'f> {
    file: &'f File,
    start: u64,
}

impl ReaderAt for Window<'_> {
    fn read_at(&self, out: &mut [u8], at: u64) -> io::Result<usize> {
        read_at(self.file, out, self.start.saturating_add(at))
    }
}

type ZipFile<'f> = ZipArchive<Window<'f>>;
type Cause = Box<dyn StdError + Send + Sync>;

/// Archives of a file, one after another.
struct Archives<'f> {
    all: Vec<ZipFile<'f>>,
    /// First bytes that belong to no member, as an error.
    stray: Option<Cause>,
}

impl Archive {
    /// Sends the wanted members in the order of the directories.
    pub(crate) fn read_file(
        mut self,
        file: &File,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let found = match Archives::find(file, &mut buffer) {
            Ok(found) => found,
            Err(cause) => return out.broken(self.broken(cause)),
        };
        for archive in &found.all {
            let mut entries = archive.entries(&mut buffer);
            loop {
                let entry = match entries.next_entry() {
                    Ok(Some(entry)) => entry,
                    Ok(None) => break,
                    Err(error) => return out.broken(self.broken(error)),
                };
                let wanted = self.wants(entry.file_path().as_ref());
                if !self.range.contains(&entry.local_header_offset()) {
                    continue;
                }
                if wanted {
                    let name = self.member(entry.file_path().as_ref());
                    out.member(name.to_string())?;
                    let outcome = self.entry(archive, &entry, &name, out);
                    out.end(outcome)?;
                } else {
                    out.stored()
                        .fetch_add(entry.compressed_size_hint(), Ordering::Relaxed);
                }
            }
        }
        match found.stray {
            None => self.finish(out),
            Some(cause) => out.broken(self.broken(cause)),
        }
    }

    /// Offsets of the wanted members, ascending. `None` if the file is corrupt or holds several
    /// archives, or the archive has its members in another order or holds a name twice.
    pub(crate) fn offsets(mut self, file: &File) -> Option<Vec<u64>> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let found = Archives::find(file, &mut buffer).ok()?;
        let ([archive], None) = (&found.all[..], found.stray) else {
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

    fn entry(
        &self,
        archive: &ZipFile<'_>,
        entry: &ZipFileHeaderRecord<'_>,
        name: &Arc<str>,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        let member = Member {
            name,
            method: entry.compression_method(),
            encrypted: entry.flags().is_encrypted(),
        };
        let found = archive
            .get_entry(entry.wayfinder())
            .map_err(|error| self.broken(error))?;
        let start = Offset(archive.get_ref().start + found.compressed_data_range().0);
        let mut stored = CompressedReader::new(name, Box::new(found.reader()), start)
            .counted(Arc::clone(out.stored()));
        let held = member.decompress(&mut stored, out)?;
        let said = Held {
            crc: entry.crc32(),
            bytes: entry.uncompressed_size_hint(),
        };
        held.check(said)
            .map_err(|cause| DecompressError::of(FORMAT, stored.at(), cause))
    }
}

impl<'f> Archives<'f> {
    /// Finds the archives from the last to the first, as each ends with its directory.
    ///
    /// # Errors
    ///
    /// A directory that is missing or corrupt, and members that overlap or have no end.
    fn find(file: &'f File, buffer: &mut [u8]) -> Result<Archives<'f>, Cause> {
        let (mut all, mut stray) = (Vec::new(), None);
        let mut end = file.metadata()?.len();
        while end > 0 {
            let mut locate = |start| {
                let window = Window { file, start };
                let located = ZipLocator::new().locate_in_reader(window, buffer, end - start);
                located.map_err(|(_, error)| error)
            };
            let start = start_of(&locate(0)?)?;
            let archive = locate(start)?;
            if !is_zero(file, start + archive.end_offset(), end, buffer)? {
                stray = Some("something else follows its end".into());
            }
            if let Some(at) = unnamed(&archive, buffer)? {
                let at = Offset(start + at);
                stray = Some(format!("its directory does not name what is at byte {at}").into());
            }
            all.push(archive);
            end = start;
        }
        all.reverse();
        Ok(Archives { all, stray })
    }
}

/// Offset at which an archive begins, from the size and the offset of its directory. A zip64
/// archive begins with the file.
fn start_of(archive: &ZipFile<'_>) -> Result<u64, Cause> {
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
fn unnamed(archive: &ZipFile<'_>, buffer: &mut [u8]) -> Result<Option<u64>, Cause> {
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
fn is_zero(file: &File, mut at: u64, end: u64, buffer: &mut [u8]) -> io::Result<bool> {
    while at < end {
        let wanted = (end - at).min(buffer.len() as u64) as usize;
        match read_at(file, &mut buffer[..wanted], at)? {
            0 => break,
            n if buffer[..n].iter().any(|&byte| byte != 0) => return Ok(false),
            n => at += n as u64,
        }
    }
    Ok(true)
}
