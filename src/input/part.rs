//! Parts of the inputs, for several processes that share the work.
//!
//! The inputs, one after another, are cut into equal ranges of stored bytes. A part holds the games
//! that begin in its range: plain text is cut at any byte, zstd between frames, and a zip archive
//! between members. Everything else belongs to the part in which it begins as a whole. Each process
//! finds the same cuts alone, from the sizes of the files, the headers of frames, the directories
//! of archives, and the text around the cut.
//!
//! A game begins at a [sync point](chess_arbiter_core::split::sync_point). One that does not begin
//! with `[Event` after movetext and a blank line stays with the game before it.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::Error;
use crate::input::compressed::FileAt;
use crate::input::decompress::zstd::frames::frame_at_or_after;
use crate::input::fill;
use crate::input::range::TextRange;
use crate::input::source::Source;
use chess_arbiter_core::split::Encoding;
use chess_arbiter_core::split::sync_point::{self, begins_with_tag};
use chess_arbiter_core::split::{Compression, HEAD_BYTES, InputKind};

/// Text in which a file must have a sync point to be cut, in bytes.
const SAMPLE: u64 = 1 << 20;

/// Largest number of parts.
const MOST_PARTS: u64 = 1_000_000;

/// Number of a part, and of all parts: `3/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputPart {
    number: u64,
    of: u64,
}

impl InputPart {
    /// Number of the part, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Number of all parts.
    pub fn of(self) -> u64 {
        self.of
    }

    /// The sources of this part, some of them as ranges of their text.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a source without a size, such as stdin.
    pub fn select(self, sources: &[Source]) -> Result<Vec<Source>, Error> {
        let size_of = |source: &Source| {
            source.size.ok_or_else(|| {
                let name = source.name();
                Error::usage(format!("`--part` needs files, and `{name}` has no size"))
            })
        };
        let sizes: Vec<u64> = sources.iter().map(size_of).collect::<Result<_, _>>()?;
        let total: u128 = sizes.iter().map(|&size| u128::from(size)).sum();
        let cut = |nth: u64| (total * u128::from(nth) / u128::from(self.of)) as u64;
        let is_last = self.number == self.of;
        let (from, to) = (cut(self.number - 1), cut(self.number));
        let mut selected = Vec::new();
        let mut begin = 0;
        for (source, size) in sources.iter().zip(sizes) {
            let end = begin + size;
            let begins_here = from <= begin && (begin < to || is_last);
            if begins_here || begin < from && from < end {
                let to = (to < end).then(|| to - begin);
                selected.extend(source.range(from.saturating_sub(begin), to)?);
            }
            begin = end;
        }
        Ok(selected)
    }
}

impl FromStr for InputPart {
    type Err = String;

    fn from_str(text: &str) -> Result<InputPart, String> {
        let number = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let number = digits.then(|| text.parse().ok()).flatten();
            number.filter(|number| (1..=MOST_PARTS).contains(number))
        };
        text.split_once('/')
            .and_then(|(nth, of)| Some((number(nth)?, number(of)?)))
            .filter(|(nth, of)| nth <= of)
            .map(|(number, of)| InputPart { number, of })
            .ok_or_else(|| format!("not a part such as 1/8, 2/8, …, 8/8 (at most {MOST_PARTS})"))
    }
}

impl fmt::Display for InputPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Source {
    /// The part of the source that begins at the cut `from`, or with the source if that is 0, and
    /// ends at the cut `to`; `None` if it is empty.
    fn range(&self, from: u64, to: Option<u64>) -> Result<Option<Source>, Error> {
        if from == 0 && to.is_none() {
            return Ok(Some(self.clone()));
        }
        let size = self.size.unwrap_or(0);
        // An input that cannot be opened is reported by the part in which it begins.
        let Some(mut divisible) = self.divisible() else {
            return Ok((from == 0).then(|| self.clone()));
        };
        let mut border = |cut| match cut {
            0 => Ok(0),
            _ => divisible.border(cut, size),
        };
        let failed = |cause| Error::from_read(self.name(), from, cause);
        let begin = border(from).map_err(failed)?;
        let end = to.map_or(Ok(size), border).map_err(failed)?;
        Ok(if begin >= end {
            None
        } else if begin == 0 && end == size {
            Some(self.clone())
        } else {
            Some(self.ranged(divisible.range(begin..end)))
        })
    }

    /// The text after a range, as far as the blank lines after a game may reach, or up to an error;
    /// empty at the end of the file.
    pub(crate) fn text_after_range(&self) -> Vec<u8> {
        let path = self.path().unwrap_or("".as_ref());
        let open = || -> io::Result<Box<dyn Read>> {
            Ok(match self.text_range() {
                Some(TextRange::Plain(range)) => {
                    let mut file = File::open(path)?;
                    file.seek(SeekFrom::Start(range.end))?;
                    Box::new(file)
                }
                Some(TextRange::Frames(range)) => {
                    let size = fs::metadata(path)?.len();
                    let after = TextRange::Frames(range.end..size.max(range.end));
                    Box::new(self.ranged(after).open(Arc::default())?)
                }
                _ => Box::new(io::empty()),
            })
        };
        let mut text = Vec::new();
        let after = open().map(|after| after.take(sync_point::CONTEXT as u64));
        // The part that begins there reports an error.
        let _ = after.and_then(|mut after| after.read_to_end(&mut text));
        text
    }

    /// Opens a source that can be cut.
    fn divisible(&self) -> Option<Divisible> {
        let file = File::open(self.path()?).ok()?;
        let mut head = [0; HEAD_BYTES];
        let (filled, _) = fill(&mut FileAt { file: &file, at: 0 }, &mut head);
        let cut: fn(File) -> Divisible = match Compression::of(&head[..filled]) {
            Compression::Zip => {
                let offsets = self.archive().offsets(file)?;
                return (!offsets.is_empty()).then_some(Divisible::Members(offsets));
            }
            _ if self.kind != InputKind::Pgn => return None,
            Compression::Plain => Divisible::Plain,
            Compression::Zstd => Divisible::Frames,
            _ => return None,
        };
        let stream = self.open(Arc::default()).ok()?;
        if stream.encoding != Encoding::BYTES {
            return None;
        }
        let mut text = Vec::new();
        // The text before an error shows as much.
        let _ = stream.take(SAMPLE).read_to_end(&mut text);
        let can_be_cut =
            begins_with_tag(&text) && matches!(sync_point::find(&mut &text[..], 0), Ok(Some(_)));
        can_be_cut.then(|| cut(file))
    }
}

/// Source that can be cut.
enum Divisible {
    Plain(File),
    Frames(File),
    /// Offsets of the members of an archive.
    Members(Vec<u64>),
}

impl Divisible {
    /// First place from `cut` on where a part may begin, or the end of the file, at `size`.
    fn border(&mut self, cut: u64, size: u64) -> io::Result<u64> {
        match self {
            Divisible::Plain(file) => game_at_or_after(file, cut, size),
            Divisible::Frames(file) => frame_at_or_after(file, cut, size),
            Divisible::Members(offsets) => {
                let next = offsets.partition_point(|&at| at < cut);
                Ok(offsets.get(next).map_or(size, |&at| at))
            }
        }
    }

    fn range(&self, range: Range<u64>) -> TextRange {
        match self {
            Divisible::Plain(_) => TextRange::Plain(range),
            Divisible::Frames(_) => TextRange::Frames(range),
            Divisible::Members(_) => TextRange::Members(range),
        }
    }
}

/// Begin of the first game of a plain text that begins at `cut` or later; its `size` if there is
/// none.
fn game_at_or_after(file: &mut File, cut: u64, size: u64) -> io::Result<u64> {
    let from = cut.saturating_sub(sync_point::CONTEXT as u64);
    file.seek(SeekFrom::Start(from))?;
    let found = sync_point::find(file, cut - from)?;
    Ok(found.map_or(size, |found| from + found.at))
}
