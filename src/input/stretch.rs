//! A file that several threads read at once, each in another place.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::sync::Arc;

use crate::input::chunk::{Buffers, Chunks};
use crate::input::fresh::{begins_with_tag, first_fresh_end};
use crate::input::place::Offset;
use crate::input::source::{Source, shortened};

/// About how long a stretch is when nothing speaks for less, in bytes: so long that looking for its end costs little beside
/// reading it, and so short that its text is still at hand when its games have been found.
pub const STRETCH_BYTES: u64 = 256 << 10;

/// A file shorter than this is soon read by one thread, in bytes.
const SHORTEST_FILE: u64 = 256 << 10;

/// What is so many times longer than was wanted, because it cannot be cut, is not for one thread to keep in memory.
const LONG: u64 = 8;

/// How much is read at once to look for the end of a stretch, in bytes: it is read again by whoever reads the text.
const STEP: usize = 8 << 10;

/// A file that is read in stretches, by whoever is handed one.
#[derive(Debug)]
pub struct StretchedText {
    file: File,
}

/// Cuts a file into stretches. Every one begins and ends with the blank line before a game that begins whatever stands before
/// it, so that none depends on another.
#[derive(Debug)]
pub struct Stretches {
    text: Arc<StretchedText>,
    length: u64,
    /// Where the next one begins; nothing behind the last.
    begin: Option<u64>,
    /// Memory for the text in which an end is looked for.
    searched: Vec<u8>,
}

/// Where a stretch stands.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    begin: u64,
    /// Where the next one begins; the last ends where the file did when it was opened.
    end: u64,
    is_long: bool,
}

/// The text of a stretch.
#[derive(Debug)]
pub struct Stretch<'a> {
    text: &'a StretchedText,
    extent: Extent,
    at: u64,
}

impl Stretches {
    /// The stretches of a source that is a file of plain text, if it is large enough and there are places at which it can be
    /// cut.
    pub fn of(source: &Source) -> Option<Stretches> {
        let path = source.path()?;
        // What is no file, such as a pipe, must not be opened twice.
        let found = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        let file = File::open(path).ok()?;
        let length = found.len();
        if length < SHORTEST_FILE {
            return None;
        }
        let mut stretches = Stretches {
            text: Arc::new(StretchedText { file }),
            length,
            begin: Some(0),
            searched: Vec::new(),
        };
        let mut head = [0; STEP];
        let filled = read_at(&stretches.text.file, &mut head, 0).ok()?;
        // What stands before the first game may belong to the second.
        if !begins_with_tag(&head[..filled]) {
            return None;
        }
        // Where there is no place to cut at in any of these parts, there will not be in others.
        [
            SHORTEST_FILE / 2,
            length / 2,
            length.saturating_sub(STRETCH_BYTES),
        ]
        .into_iter()
        .any(|from| stretches.find_end(from, from + STRETCH_BYTES).is_some())
        .then_some(stretches)
    }

    /// The text, which can be read in any order.
    pub fn text(&self) -> &Arc<StretchedText> {
        &self.text
    }

    /// How many bytes are left to cut.
    pub fn left(&self) -> u64 {
        self.begin.map_or(0, |begin| self.length - begin)
    }

    /// The next stretch, about `wanted` bytes long, or longer where it cannot be cut.
    pub fn next(&mut self, wanted: u64) -> Option<Extent> {
        let begin = self.begin?;
        let (mut from, mut end) = (begin + wanted, None);
        // No scrap is left over.
        while end.is_none() && from + wanted / 2 < self.length {
            let until = self.length.min(from + STRETCH_BYTES);
            end = self.find_end(from, until);
            from = until;
        }
        self.begin = end;
        let end = end.unwrap_or(self.length);
        Some(Extent {
            begin,
            end,
            is_long: end - begin > LONG * wanted,
        })
    }

    /// The first place in a part of the file at which a game begins whatever stands before. What cannot be read is left to
    /// whoever reads the stretch, who says so.
    fn find_end(&mut self, from: u64, until: u64) -> Option<u64> {
        let most = (until - from) as usize;
        let text = &mut self.searched;
        let mut filled = 0;
        while filled < most {
            let length = most.min(filled + STEP);
            if text.len() < length {
                text.resize(length, 0);
            }
            let (searched, at) = (filled, from + filled as u64);
            match read_at(&self.text.file, &mut text[filled..length], at) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
            if let Some(at) = first_fresh_end(&text[..filled], searched) {
                return Some(from + at as u64);
            }
        }
        None
    }
}

impl Extent {
    /// Whether there is so much more text than was wanted that it is better taken in pieces.
    pub fn is_long(&self) -> bool {
        self.is_long
    }
}

impl StretchedText {
    /// The text of a stretch.
    pub fn stretch(&self, extent: Extent) -> Stretch<'_> {
        Stretch {
            text: self,
            extent,
            at: extent.begin,
        }
    }
}

impl Stretch<'_> {
    /// The chunks of the stretch. Numbers of games and lines are counted from its beginning.
    pub fn chunks<'a>(
        &'a mut self,
        source: &Source,
        chunk_bytes: usize,
        buffers: Buffers,
    ) -> Chunks<&'a mut Self> {
        let Extent { begin, end, .. } = self.extent;
        // Where what would be left for another chunk is little, all goes into one; with a byte more it is seen to end.
        let whole = (end - begin) as usize + 1;
        let chunk_bytes = match whole < 2 * chunk_bytes {
            true => whole,
            false => chunk_bytes,
        };
        Chunks::new(self, source, chunk_bytes, buffers).fresh_from(Offset(begin))
    }

    /// How many bytes have been read.
    pub fn delivered(&self) -> u64 {
        self.at - self.extent.begin
    }
}

impl Read for Stretch<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let StretchedText { file } = self.text;
        let left = self.extent.end - self.at;
        let length = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if length == 0 {
            return Ok(0);
        }
        let read = read_at(file, &mut out[..length], self.at)?;
        if read == 0 {
            return Err(shortened());
        }
        self.at += read as u64;
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
    use crate::input::join::Joiner;
    use crate::input::samples::{Random, spoiled};
    use crate::input::{GAME_LIMIT, Likely, SourceId, Splitter};

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
            Stretches::of(&self.source())
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
        let mut stretches = file.stretches().expect("the file can be cut");
        let (mut ends, mut all) = (Vec::new(), Vec::new());
        let mut wanted = (64 << 10..=STRETCH_BYTES).step_by(50_000).cycle();
        while let Some(extent) = stretches.next(wanted.next().unwrap()) {
            let mut text = stretches.text().stretch(extent);
            let from = all.len();
            text.read_to_end(&mut all).unwrap();
            assert_eq!(text.delivered(), (all.len() - from) as u64);
            assert!(from == 0 || all[from..].trim_ascii_start().starts_with(b"[Event \""));
            let mut again = stretches.text().stretch(extent);
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
        assert_eq!(stretches.left(), 0);
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
        let (mut splitter, mut found, mut expected) = (Splitter::new(), Vec::new(), Vec::new());
        splitter.feed(&text, &mut found);
        splitter.finish(&mut found);
        Joiner::new(GAME_LIMIT).join(&text, Offset(0), &mut found, true, &mut expected);
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
        let mut stretches = file.stretches().expect("the file can be cut");
        let extents: Vec<Extent> = std::iter::from_fn(|| stretches.next(STRETCH_BYTES)).collect();
        assert!(extents.len() > 10);
        assert!(extents.iter().all(|extent| !extent.is_long()));
        assert!(
            extents
                .iter()
                .any(|extent| extent.end - extent.begin > 4 * STRETCH_BYTES)
        );
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
        assert!(Stretches::of(&stdin).is_none());
    }
}
