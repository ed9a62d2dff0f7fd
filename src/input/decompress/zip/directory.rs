//! Archives in files, read by their directory.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rawzip::{FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipFileHeaderRecord, ZipLocator};

use crate::input::background::{BlockWriter, DecompressError};
use crate::input::compressed::CompressedReader;
use crate::input::decompress::zip::sequence::another_follows;
use crate::input::decompress::zip::{Archive, FORMAT, Held, Member};
use crate::text::Offset;

impl Archive {
    /// Sends the wanted members in the order of the directory.
    pub(crate) fn read_file(
        mut self,
        file: File,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let again = file.try_clone().map_err(|cause| self.broken(cause))?;
        let archive = match ZipLocator::new().locate_in_file(file, &mut buffer) {
            Ok(archive) => archive,
            Err((file, error)) => return self.read_cut_off(file, error, out),
        };
        let trailing = match self.follows(&again, archive.end_offset()) {
            Ok(false) => None,
            Ok(true) => return self.read_all(again, None, out),
            Err(cause) => Some(cause),
        };
        match begins_file(&archive, &mut buffer) {
            Ok(true) => {}
            Ok(false) => return self.read_all(again, None, out),
            Err(error) => return self.read_all(again, Some(error), out),
        }
        let mut entries = archive.entries(&mut buffer);
        loop {
            let entry = match entries.next_entry() {
                Ok(Some(entry)) => entry,
                Ok(None) => {
                    return match trailing {
                        None => self.finish(out),
                        Some(cause) => out.broken(self.broken(cause)),
                    };
                }
                Err(error) => return out.broken(self.broken(error)),
            };
            let wanted = self.wants(entry.file_path().as_ref());
            if !self.range.contains(&entry.local_header_offset()) {
                continue;
            }
            if wanted {
                let name = self.member(entry.file_path().as_ref());
                out.member(name.to_string())?;
                let outcome = self.entry(&archive, &entry, &name, out);
                out.end(outcome)?;
            } else {
                out.stored()
                    .fetch_add(entry.compressed_size_hint(), Ordering::Relaxed);
            }
        }
    }

    /// Offsets of the wanted members, ascending. `None` if the archive is corrupt, is not read by
    /// its directory, has its members in another order, or holds a name twice.
    pub(crate) fn offsets(mut self, file: File) -> Option<Vec<u64>> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let again = file.try_clone().ok()?;
        let archive = ZipLocator::new().locate_in_file(file, &mut buffer).ok()?;
        if self.follows(&again, archive.end_offset()).ok()?
            || !begins_file(&archive, &mut buffer).ok()?
        {
            return None;
        }
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

    /// Whether another archive follows the one that ends at `at`.
    fn follows(&self, mut file: &File, at: u64) -> io::Result<bool> {
        file.seek(SeekFrom::Start(at))?;
        another_follows(&mut CompressedReader::new(
            &self.name,
            Box::new(file),
            Offset(at),
        ))
    }

    /// Reads concatenated archives from the beginning of the file. If there is only one, reports
    /// `error`, which concerns its directory.
    fn read_all(
        mut self,
        mut file: File,
        error: Option<rawzip::Error>,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        file.rewind().map_err(|cause| self.broken(cause))?;
        let mut packed = CompressedReader::new(&self.name, Box::new(file), Offset(0))
            .counted(Arc::clone(out.stored()));
        let outcome = self.read_sequence(&mut packed, out);
        match (outcome, error) {
            (Ok(1), Some(error)) => out.broken(self.broken(error)),
            (outcome, _) => self.finish_sequence(outcome, out),
        }
    }

    /// Sends the members of a truncated archive, and reports `error` for its missing directory.
    fn read_cut_off(
        mut self,
        mut file: File,
        error: rawzip::Error,
        out: &mut BlockWriter,
    ) -> Result<(), DecompressError> {
        file.rewind().map_err(|cause| self.broken(cause))?;
        let mut packed = CompressedReader::new(&self.name, Box::new(file), Offset(0))
            .counted(Arc::clone(out.stored()));
        match self.read_sequence(&mut packed, out) {
            Err(DecompressError::Disconnected) => Err(DecompressError::Disconnected),
            Ok(_) | Err(DecompressError::Failed(_)) => out.broken(self.broken(error)),
        }
    }

    fn entry(
        &self,
        archive: &ZipArchive<FileReader>,
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
        let start = Offset(found.compressed_data_range().0);
        let mut stored = CompressedReader::new(name, Box::new(found.reader()), start)
            .counted(Arc::clone(out.stored()));
        let mut stored = (&mut stored).take(entry.compressed_size_hint());
        let held = member.decompress(&mut stored, out)?;
        let said = Held {
            crc: entry.crc32(),
            bytes: entry.uncompressed_size_hint(),
        };
        held.check(said)
            .map_err(|cause| DecompressError::of(FORMAT, stored.get_ref().at(), cause))
    }
}

/// Whether the first member is at the beginning of the file. Fails if the directory is corrupt.
fn begins_file(archive: &ZipArchive<FileReader>, buffer: &mut [u8]) -> Result<bool, rawzip::Error> {
    let mut first = archive.directory_offset();
    let mut entries = archive.entries(buffer);
    while let Some(entry) = entries.next_entry()? {
        first = first.min(entry.local_header_offset());
    }
    Ok(first == 0)
}
