//! A file that several threads read at once, each in another place.

use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::chunk::{Buffers, Chunks};
use super::fresh::first_fresh_end;
use super::place::Offset;
use super::source::Source;

/// About how long a stretch is, in bytes: so long that looking for its beginning costs little beside reading it, and so short
/// that its text is still at hand when its games have been found.
const LONGEST: u64 = 256 << 10;

/// A file shorter than this is soon read by one thread, in bytes.
const SHORTEST_FILE: u64 = 256 << 10;

/// How long the last stretches are, in bytes: so short that no thread is the last one for long.
const SHORTEST: u64 = 64 << 10;

/// What is longer than this, because it cannot be cut, is not for one thread to keep in memory, in bytes.
const LONG: u64 = 2 << 20;

/// How far the beginning of a stretch is looked for at first, in bytes, or about as far as the last one was found to be; and
/// then twice as far each time.
const NEAR: usize = 4 << 10;

/// The stretches of a file. Every one begins and ends with the blank line before a game that begins whatever stands before it,
/// and which bytes belong to it is seen from the file alone: none depends on another.
#[derive(Debug)]
pub struct Stretches {
    file: File,
    /// Behind which place the beginning of each is looked for, and where the file ends.
    borders: Vec<u64>,
    /// Where each begins, once somebody has looked.
    beginnings: Vec<OnceLock<Option<u64>>>,
    /// How far from its border one has been found, in bytes, rounded up.
    near: AtomicUsize,
    progress: Arc<AtomicU64>,
}

/// How much text a stretch has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// None: it belongs to the one before, as there is no place to cut at.
    Nothing,
    /// About as much as was asked for.
    Usual,
    /// So much that it is better taken in pieces.
    Long,
}

/// The text of a stretch.
#[derive(Debug)]
pub struct Stretch<'a> {
    file: &'a File,
    at: u64,
    /// Where the next one begins; the last ends with the file.
    end: Option<u64>,
    begin: u64,
    progress: &'a AtomicU64,
}

impl Stretches {
    /// The stretches of a source that is a file of plain text, if it is large enough and there are places at which it can be
    /// cut. Towards the end of the file they get shorter, the more so the fewer bytes are left for each of `jobs` threads.
    /// `progress` grows by every byte that is read of their text.
    pub fn of(source: &Source, jobs: usize, progress: Arc<AtomicU64>) -> Option<Stretches> {
        let path = source.path()?;
        // What is no file, such as a pipe, must not be opened twice.
        let found = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        let file = File::open(path).ok()?;
        if found.len() < SHORTEST_FILE {
            return None;
        }
        let borders = borders(found.len(), jobs);
        let count = borders.len() as u64 - 1;
        let stretches = Stretches {
            file,
            beginnings: (0..count).map(|_| OnceLock::new()).collect(),
            borders,
            near: AtomicUsize::new(NEAR),
            progress,
        };
        // Where none of these has a place to begin at, others will not.
        [1, count / 2, count - 1]
            .into_iter()
            .any(|nth| nth > 0 && stretches.beginning(nth).is_some())
            .then_some(stretches)
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.beginnings.len() as u64
    }

    /// How much text a stretch has, counted from 0.
    pub fn extent(&self, nth: u64) -> Extent {
        let Some(begin) = self.beginning(nth) else {
            return Extent::Nothing;
        };
        let is_short = (nth + 1..=self.count())
            .take_while(|&next| self.borders[next as usize] <= begin + LONG)
            .any(|next| next == self.count() || self.beginning(next).is_some());
        match is_short {
            true => Extent::Usual,
            false => Extent::Long,
        }
    }

    /// The text of a stretch, counted from 0. Nothing if it belongs to the one before, as there is no place to cut at.
    pub fn text(&self, nth: u64) -> Option<Stretch<'_>> {
        let begin = self.beginning(nth)?;
        Some(Stretch {
            file: &self.file,
            at: begin,
            end: (nth + 1..self.count()).find_map(|next| self.beginning(next)),
            begin,
            progress: &self.progress,
        })
    }

    /// Where a stretch begins. What cannot be read is left to the one before, which says so.
    fn beginning(&self, nth: u64) -> Option<u64> {
        *self.beginnings[nth as usize].get_or_init(|| match nth {
            0 => Some(0),
            _ => {
                let nth = nth as usize;
                self.look_for_beginning(self.borders[nth], self.borders[nth + 1])
            }
        })
    }

    /// The first place in a part of the file at which a game begins whatever stands before.
    fn look_for_beginning(&self, from: u64, until: u64) -> Option<u64> {
        let most = (until - from) as usize;
        NEAR_TEXT.with_borrow_mut(|text| {
            let (mut filled, mut length) = (0, self.near.load(Ordering::Relaxed).min(most));
            loop {
                let searched = filled;
                if text.len() < length {
                    text.resize(length, 0);
                }
                while filled < length {
                    match read_at(&self.file, &mut text[filled..length], from + filled as u64) {
                        Ok(0) => break,
                        Ok(n) => filled += n,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(_) => return None,
                    }
                }
                if let Some(at) = first_fresh_end(&text[..filled], searched) {
                    self.near
                        .store((at + 1).next_multiple_of(NEAR), Ordering::Relaxed);
                    return Some(from + at as u64);
                }
                if filled < length || length == most {
                    return None;
                }
                length = most.min(2 * length);
            }
        })
    }
}

/// The borders between stretches of a file, its two ends included.
fn borders(length: u64, jobs: usize) -> Vec<u64> {
    let mut borders = vec![0];
    let mut at = 0;
    while at < length {
        let left = length - at;
        let size = (left / (4 * jobs.max(1) as u64)).clamp(SHORTEST, LONGEST);
        // No scrap is left over.
        at = if left < 2 * size { length } else { at + size };
        borders.push(at);
    }
    borders
}

thread_local! {
    /// Memory for the text in which the beginning of a stretch is looked for.
    static NEAR_TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Stretch<'_> {
    /// The chunks of the stretch. Numbers of games and lines are counted from its beginning.
    pub fn chunks<'a>(
        &'a mut self,
        source: &Source,
        chunk_bytes: usize,
        buffers: Buffers,
    ) -> Chunks<&'a mut Self> {
        let begin = Offset(self.begin);
        // Where what would be left for another chunk is little, all goes into one; with a byte more it is seen to end.
        let whole = self.end.map(|end| (end - self.begin) as usize + 1);
        let chunk_bytes = whole
            .filter(|&whole| whole < 2 * chunk_bytes)
            .unwrap_or(chunk_bytes);
        Chunks::new(self, source, chunk_bytes, buffers).fresh_from(begin)
    }

    /// How many bytes have been read.
    pub fn delivered(&self) -> u64 {
        self.at - self.begin
    }
}

impl Read for Stretch<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.end.map_or(u64::MAX, |end| end - self.at);
        let length = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = read_at(self.file, &mut out[..length], self.at)?;
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::input::samples::{Random, spoiled};
    use crate::input::{Likely, SourceId, Splitter};

    /// A file that is removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(test: &str, text: &[u8]) -> Scratch {
            let name = format!("arbiter-stretch-{test}-{}.pgn", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::write(&path, text).unwrap();
            Scratch(path)
        }

        fn source(&self) -> Source {
            Source::file(SourceId(0), self.0.clone())
        }

        fn stretches(&self) -> Option<Stretches> {
            Stretches::of(&self.source(), 2, Arc::default())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    const GAME: &str = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5\n2. Nf3 *\n\n";

    /// The places at which games end, and the texts of all stretches one after the other. Every one begins with a game.
    fn read(file: &Scratch) -> (Vec<u64>, Vec<u8>) {
        let stretches = file.stretches().expect("the file can be cut");
        let (mut ends, mut all) = (Vec::new(), Vec::new());
        for nth in 0..stretches.count() {
            let Some(mut text) = stretches.text(nth) else {
                continue;
            };
            let from = all.len();
            text.read_to_end(&mut all).unwrap();
            assert_eq!(text.delivered(), (all.len() - from) as u64);
            assert!(nth == 0 || all[from..].trim_ascii_start().starts_with(b"[Event \""));
            let mut again = stretches.text(nth).unwrap();
            for chunk in again.chunks(&file.source(), 10_000, Buffers::default()) {
                let mut chunk = chunk.unwrap();
                chunk.find_games(&Likely::default());
                ends.extend(
                    chunk
                        .games()
                        .map(|game| game.origin.byte.0 + game.bytes.len() as u64),
                );
            }
        }
        (ends, all)
    }

    #[test]
    fn stretches_hold_the_whole_text_and_its_games() {
        let mut random = Random(0x57);
        let mut text = Vec::new();
        while text.len() < 5 << 19 {
            text.extend(spoiled(&mut random));
            text.extend(b"\n1. e4\ne4 *\n\n");
            text.extend(random.pick(&["", "\n", "{\"x\"}\n\n\r\n\n"]).as_bytes());
            text.extend(GAME.as_bytes());
        }
        let file = Scratch::new("whole", &text);
        let (ends, all) = read(&file);
        assert!(all == text);
        let (mut splitter, mut expected) = (Splitter::new(), Vec::new());
        splitter.feed(&text, &mut expected);
        splitter.finish(&mut expected);
        assert_eq!(ends.len(), expected.len());
        // Two games may have white space between them that belongs to either.
        for (end, expected) in ends.into_iter().zip(expected) {
            assert!(end.abs_diff(expected.at.0) <= 2, "{end} {expected:?}");
        }
    }

    #[test]
    fn a_game_longer_than_a_stretch_stays_whole() {
        let many = GAME.repeat(20_000);
        let long = format!("[Event \"x\"]\n\n1. e4 {{{}}} *\n\n", "x ".repeat(600_000));
        let text = format!("{many}{many}{many}{long}{many}");
        let file = Scratch::new("long", text.as_bytes());
        let stretches = file.stretches().expect("the file can be cut");
        let without = (0..stretches.count()).filter(|&nth| stretches.text(nth).is_none());
        assert!(without.count() > 0);
        let (ends, all) = read(&file);
        assert!(all == text.as_bytes());
        assert_eq!(ends.len(), 80_001);
    }

    #[test]
    fn small_files_and_those_without_places_to_cut_are_left_whole() {
        let check = |test: &str, text: &str, expected: bool| {
            let file = Scratch::new(test, text.as_bytes());
            assert_eq!(file.stretches().is_some(), expected, "{test}");
        };
        check("small", &GAME.repeat(100), false);
        check("enough", &GAME.repeat(60_000), true);
        check(
            "tags",
            &"[Round \"1\"]\n\n1. e4 *\n\n".repeat(200_000),
            false,
        );
        check("moves", &"1. e4 e5 2. Nf3 *\n".repeat(200_000), false);
        let stdin = Source::stdin(SourceId(0));
        assert!(Stretches::of(&stdin, 2, Arc::default()).is_none());
    }
}
