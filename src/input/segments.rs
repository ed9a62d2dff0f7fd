//! Segments of a file, which several threads read at the same time.

use std::fs::{File, Metadata};
use std::io::{Read, Take};
use std::ops::Range;
use std::sync::Arc;

use crate::error::Error;
use crate::input::compressed::{FileAt, WholeFile, shortened};
use crate::input::fill;
use crate::input::source::Source;
use crate::text::Offset;
use chess_arbiter_core::split::sync_point::{begins_with_tag, first_sync_end};
use chess_arbiter_core::split::{Buffers, Chunks};

/// Target size of a segment, in bytes: large enough that the search for its end costs little, and
/// small enough that its text is still in the cache after it has been split.
pub const SEGMENT_BYTES: u64 = 256 << 10;

/// Minimum size of a file that is cut, in bytes.
const SHORTEST_FILE: u64 = 256 << 10;

/// A segment with no split point within this multiple of the target is streamed instead of
/// buffered.
const LONG: u64 = 8;

/// Bytes read at a time in the search for the end of a segment; they are read again with its text.
const STEP: usize = 8 << 10;

/// Cuts a file into segments at sync points, so that none depends on another.
#[derive(Debug)]
pub struct Segments {
    file: Arc<File>,
    /// End of the text.
    length: u64,
    /// Begin of the next one; `None` after the last.
    begin: Option<u64>,
    /// Buffer for the search.
    searched: Vec<u8>,
}

/// Byte range of a segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    begin: u64,
    /// Begin of the next one, or the size of the file when it was opened.
    end: u64,
    is_long: bool,
}

impl Segments {
    /// Segments of a file of plain text, if it is large enough and has sync points.
    pub fn of(source: &Source) -> Option<Segments> {
        let path = source.path()?;
        // A pipe must not be opened twice.
        let found = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        let file = File::open(path).ok()?;
        let length = found.len();
        if length < SHORTEST_FILE {
            return None;
        }
        source.note_opened(found);
        let mut segments = Segments {
            file: Arc::new(file),
            length,
            begin: Some(0),
            searched: Vec::new(),
        };
        let mut head = [0; STEP];
        let start = &mut FileAt {
            file: &segments.file,
            at: 0,
        };
        let (filled, _) = fill(start, &mut head);
        // Text before the first game may belong to the second.
        if !begins_with_tag(&head[..filled]) {
            return None;
        }
        // Without a sync point in any of these parts, others are not likely to have one.
        [
            SHORTEST_FILE / 2,
            length / 2,
            length.saturating_sub(SEGMENT_BYTES),
        ]
        .into_iter()
        .any(|from| segments.find_end(from, from + SEGMENT_BYTES).is_some())
        .then_some(segments)
    }

    /// Segments of a range of a file, which begins and ends between games.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub(crate) fn of_range(source: &Source, range: &Range<u64>) -> Result<Segments, Error> {
        let opened = source.path().map_or_else(|| Err(shortened()), File::open);
        let file = opened.map_err(|cause| Error::io(source.name(), "open", cause))?;
        Ok(Segments {
            file: Arc::new(file),
            length: range.end,
            begin: Some(range.start),
            searched: Vec::new(),
        })
    }

    /// The file, which can be read in any order.
    pub(crate) fn file(&self) -> &Arc<File> {
        &self.file
    }

    /// Number of bytes left to cut.
    pub(crate) fn left(&self) -> u64 {
        self.begin.map_or(0, |begin| self.length - begin)
    }

    /// The next segment, about `wanted` bytes long, or longer without a sync point.
    pub fn next(&mut self, wanted: u64) -> Option<Segment> {
        let begin = self.begin?;
        let (mut from, mut end) = (begin + wanted, None);
        // The rest is not shorter than half a segment.
        while end.is_none() && from + wanted / 2 < self.length {
            let until = self.length.min(from + SEGMENT_BYTES);
            end = self.find_end(from, until);
            from = until;
        }
        self.begin = end;
        let end = end.unwrap_or(self.length);
        Some(Segment {
            begin,
            end,
            is_long: end - begin > LONG * wanted,
        })
    }

    /// The first sync point in a part of the file. Read errors are left to the segment's reader.
    fn find_end(&mut self, from: u64, until: u64) -> Option<u64> {
        let most = (until - from) as usize;
        let text = &mut self.searched;
        let mut file = FileAt {
            file: &self.file,
            at: from,
        };
        let mut filled = 0;
        while filled < most {
            let length = most.min(filled + STEP);
            if text.len() < length {
                text.resize(length, 0);
            }
            let searched = filled;
            let (read, _) = fill(&mut file, &mut text[filled..length]);
            if read == 0 {
                break;
            }
            filled += read;
            if let Some(at) = first_sync_end(&text[..filled], searched) {
                return Some(from + at as u64);
            }
        }
        None
    }
}

impl Segment {
    /// Whether it is too long to be buffered.
    pub(crate) fn is_long(&self) -> bool {
        self.is_long
    }

    /// Reader of the segment.
    pub(crate) fn reader(self, file: &File) -> SegmentReader<'_> {
        let Segment { begin, end, .. } = self;
        let length = end - begin;
        WholeFile::new(FileAt { file, at: begin }, length).take(length)
    }

    /// Chunks of the segment, with games and lines numbered from its beginning.
    pub(crate) fn chunks<'a, 'f>(
        self,
        reader: &'a mut SegmentReader<'f>,
        source: &Source,
        chunk_bytes: usize,
        buffers: Buffers,
    ) -> Chunks<&'a mut SegmentReader<'f>> {
        // A short rest goes into the same chunk. One byte more shows the end.
        let whole = (self.end - self.begin) as usize + 1;
        let chunk_bytes = if whole < 2 * chunk_bytes {
            whole
        } else {
            chunk_bytes
        };
        let chunks = source.chunks(reader, chunk_bytes, buffers);
        chunks.resume_at(Offset(self.begin))
    }

    /// Number of bytes read.
    pub(crate) fn delivered(self, reader: &SegmentReader<'_>) -> u64 {
        self.end - self.begin - reader.limit()
    }
}

/// Reader of a segment.
pub(crate) type SegmentReader<'a> = Take<WholeFile<FileAt<'a>>>;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::input::test_util::{Random, spoiled};
    use crate::input::{SourceId, split_games};

    /// A file that is removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(test: &str, text: &[u8]) -> Scratch {
            let name = format!("arbiter-segment-{test}-{}.pgn", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::write(&path, text).unwrap();
            Scratch(path)
        }

        fn source(&self) -> Source {
            Source::file(SourceId(0), self.0.clone())
        }

        fn segments(&self) -> Option<Segments> {
            Segments::of(&self.source())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    const GAME: &str = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5\n2. Nf3 *\n\n";

    /// Ends of the games, and the concatenated segments. Each begins with a game.
    fn read(file: &Scratch) -> (Vec<u64>, Vec<u8>) {
        let mut segments = file.segments().expect("the file can be cut");
        let (mut ends, mut all) = (Vec::new(), Vec::new());
        let mut wanted = (64 << 10..=SEGMENT_BYTES).step_by(50_000).cycle();
        while let Some(segment) = segments.next(wanted.next().unwrap()) {
            let mut text = segment.reader(segments.file());
            let from = all.len();
            text.read_to_end(&mut all).unwrap();
            assert_eq!(segment.delivered(&text), (all.len() - from) as u64);
            assert!(from == 0 || all[from..].trim_ascii_start().starts_with(b"[Event \""));
            let mut again = segment.reader(segments.file());
            for chunk in segment.chunks(&mut again, &file.source(), 10_000, Buffers::default()) {
                let chunk = chunk.unwrap();
                ends.extend(
                    chunk
                        .games()
                        .map(|game| game.origin.byte.0 + game.bytes.len() as u64),
                );
            }
        }
        assert_eq!(segments.left(), 0);
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
        let expected = split_games(&text);
        assert_eq!(ends.len(), expected.len());
        let mut at = 0;
        // Two games may have white space between them that belongs to either.
        for (end, game) in ends.into_iter().zip(expected) {
            at += game.len() as u64;
            assert!(end.abs_diff(at) <= 2, "{end} {at}");
        }
    }

    #[test]
    fn a_game_longer_than_a_stretch_stays_whole() {
        let many = GAME.repeat(20_000);
        let long = format!("[Event \"x\"]\n\n1. e4 {{{}}} *\n\n", "x ".repeat(600_000));
        let text = format!("{many}{many}{many}{long}{many}");
        let file = Scratch::new("long", text.as_bytes());
        let mut segments = file.segments().expect("the file can be cut");
        let segments: Vec<Segment> = std::iter::from_fn(|| segments.next(SEGMENT_BYTES)).collect();
        assert!(segments.len() > 10);
        assert!(segments.iter().all(|segment| !segment.is_long()));
        assert!(
            segments
                .iter()
                .any(|segment| segment.end - segment.begin > 4 * SEGMENT_BYTES)
        );
        let (ends, all) = read(&file);
        assert!(all == text.as_bytes());
        assert_eq!(ends.len(), 80_001);
    }

    #[test]
    fn small_files_and_those_without_places_to_cut_are_left_whole() {
        let check = |test: &str, text: &str, expected: bool| {
            let file = Scratch::new(test, text.as_bytes());
            assert_eq!(file.segments().is_some(), expected, "{test}");
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
        assert!(Segments::of(&stdin).is_none());
    }
}
