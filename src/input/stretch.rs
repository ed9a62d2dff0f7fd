//! A file that several threads read at once, each in another place.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::chunk::{Buffers, Chunks};
use super::fresh::first_fresh_start;
use super::place::Offset;
use super::source::Source;

/// About how long a stretch is, in bytes: so long that looking for its beginning costs nothing beside reading it, and so short
/// that no thread is the last one for long.
const STRETCH_BYTES: u64 = 512 << 10;

/// A file with fewer stretches is soon read by one thread.
const FEWEST: u64 = 4;

/// How far the beginning of a stretch is looked for, in bytes, before all of it is searched.
const NEAR: usize = 4 << 10;

/// The stretches of a file. Every one begins and ends where a game begins whatever stands before it, and which bytes belong to
/// it is seen from the file alone: none depends on another.
#[derive(Debug)]
pub struct Stretches {
    file: Arc<File>,
    count: u64,
    progress: Arc<AtomicU64>,
}

/// The text of a stretch.
#[derive(Debug)]
pub struct Stretch {
    file: Arc<File>,
    at: u64,
    /// Where the next one begins; the last ends with the file.
    end: Option<u64>,
    begin: u64,
    progress: Arc<AtomicU64>,
}

impl Stretches {
    /// The stretches of a source that is a file of plain text, if it is large enough and there are places at which it can be
    /// cut. `progress` grows by every byte that is read of their text.
    pub fn of(source: &Source, progress: Arc<AtomicU64>) -> Option<Stretches> {
        let file = File::open(source.path()?).ok()?;
        let found = file.metadata().ok()?;
        let stretches = Stretches {
            file: Arc::new(file),
            count: found.len() / STRETCH_BYTES,
            progress,
        };
        // Where these few have no place to begin at, others will not.
        let can_be_cut = |nth| stretches.beginning(nth).is_some();
        (found.is_file()
            && stretches.count >= FEWEST
            && [1, stretches.count / 2, stretches.count - 1]
                .into_iter()
                .all(can_be_cut))
        .then_some(stretches)
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The text of a stretch, counted from 0. Nothing if it belongs to the one before, as there is no place to cut at.
    pub fn text(&self, nth: u64) -> Option<Stretch> {
        let begin = self.beginning(nth)?;
        Some(Stretch {
            file: Arc::clone(&self.file),
            at: begin,
            end: (nth + 1..self.count).find_map(|next| self.beginning(next)),
            begin,
            progress: Arc::clone(&self.progress),
        })
    }

    /// Where a stretch begins. What cannot be read is left to the one before, which says so.
    fn beginning(&self, nth: u64) -> Option<u64> {
        if nth == 0 {
            return Some(0);
        }
        let from = nth * STRETCH_BYTES;
        [NEAR, STRETCH_BYTES as usize]
            .into_iter()
            .find_map(|length| {
                let mut text = vec![0; length];
                let mut filled = 0;
                while filled < length {
                    match read_at(&self.file, &mut text[filled..], from + filled as u64) {
                        Ok(0) => break,
                        Ok(n) => filled += n,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(_) => return None,
                    }
                }
                let at = first_fresh_start(&text[..filled])?;
                Some(from + at as u64)
            })
    }
}

impl Stretch {
    /// The chunks of the stretch, whose games are still to be found.
    pub fn chunks<'a>(
        &'a mut self,
        source: &Source,
        chunk_bytes: usize,
        buffers: Buffers,
    ) -> Chunks<&'a mut Stretch> {
        let begin = Offset(self.begin);
        Chunks::new(self, source, chunk_bytes, buffers).fresh_from(begin)
    }

    /// How many bytes have been read.
    pub fn delivered(&self) -> u64 {
        self.at - self.begin
    }
}

impl Read for Stretch {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.end.map_or(u64::MAX, |end| end - self.at);
        let length = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = read_at(&self.file, &mut out[..length], self.at)?;
        self.at += read as u64;
        self.progress.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Reads at a place, wherever others read the same file.
#[cfg(unix)]
fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, out, at)
}

#[cfg(windows)]
fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, out, at)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}
