//! Games that are read again alone, by their places in a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::findings::report::Lines;
use crate::input::{Chunk, GameNo, GameText, Offset, Origin, Source, SourceId, lock};
use crate::pipeline::{Item, Part, SourceEnd};

/// Games that are read again, in one piece of text.
pub(crate) struct RereadGames<'a> {
    pub(crate) source: &'a Source,
    pub(crate) lines: Lines<'a>,
    /// Each with its index in the run.
    pub(crate) games: Vec<(u32, GameText<'a>)>,
}

/// The place of a game in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GamePlace {
    /// Index in the run.
    pub(crate) index: u32,
    pub(crate) number: GameNo,
    /// Offset, in bytes.
    pub(crate) byte: u64,
    /// Size, in bytes.
    pub(crate) size: u64,
    /// Number of line feeds before it.
    pub(crate) line: u64,
    /// Number of line feeds in it.
    pub(crate) lines: u64,
}

impl GamePlace {
    fn end(&self) -> u64 {
        self.byte + self.size
    }

    /// Whether it is faster to read the next game together with this one than alone.
    fn is_near(&self, next: &GamePlace) -> bool {
        /// Reading one game alone costs as much as this many bytes.
        const GAP: u64 = 4 << 10;
        /// Games that begin in different blocks are not read together, to bound memory.
        const BLOCK: u64 = 256 << 10;
        next.byte - self.end() < GAP && next.byte / BLOCK == self.byte / BLOCK
    }
}

/// Games of a source with known places.
pub(crate) struct Batch<'a> {
    source: &'a Source,
    places: Vec<GamePlace>,
    /// Whether the source has no further wanted games.
    ends_source: bool,
}

impl<'a> Batch<'a> {
    /// Maximum number of games of a batch.
    pub(crate) const MOST: usize = 256;

    /// Cuts the games of a source into batches.
    pub(crate) fn all(
        source: &'a Source,
        mut places: impl ExactSizeIterator<Item = GamePlace>,
    ) -> impl Iterator<Item = Batch<'a>> {
        iter::from_fn(move || {
            let batch: Vec<_> = places.by_ref().take(Batch::MOST).collect();
            (!batch.is_empty()).then(|| Batch {
                source,
                places: batch,
                ends_source: places.len() == 0,
            })
        })
    }
}

/// Reader of games with known places, on one thread.
pub(crate) struct PlacedReader<S> {
    state: S,
    /// The last source.
    source: Option<SourceId>,
    /// Its file, if it can be opened and is read as it is stored.
    file: Option<File>,
    buffer: Vec<u8>,
}

impl<S> PlacedReader<S> {
    pub(crate) fn new(state: S) -> PlacedReader<S> {
        PlacedReader {
            state,
            source: None,
            file: None,
            buffer: Vec::new(),
        }
    }

    /// Runs `work` on the games of a batch. Games that have changed are left out.
    pub(crate) fn read<T>(
        &mut self,
        batch: &Batch<'_>,
        kept: &KeptChunks,
        work: impl Fn(&mut S, RereadGames<'_>) -> T,
    ) -> Vec<Item<T>> {
        let source = batch.source;
        if self.source.replace(source.id()) != Some(source.id()) {
            let path = source.path().filter(|_| source.is_read_as_stored());
            self.file = path.and_then(|path| File::open(path).ok());
        }
        let is_file = self.file.is_some();
        let pieces = batch
            .places
            .chunk_by(|one, next| is_file && one.is_near(next));
        let parts = pieces.filter_map(|places| {
            let text = match &mut self.file {
                Some(file) => read_piece(file, places, &mut self.buffer)?,
                None => game_in(kept, source.id(), &places[0])?,
            };
            let games = RereadGames::at(source, text, places)?;
            let first = &places[0];
            Some(Item::Part(Part {
                source: source.clone(),
                byte: Offset(first.byte),
                first_game: first.number,
                games: places.len() as u64,
                found: 0,
                skipped: 0,
                bytes: text.len() as u64,
                stored: 0,
                value: work(&mut self.state, games),
            }))
        });
        let end = batch.ends_source.then(|| Item::End(SourceEnd::of(source)));
        parts.chain(end).collect()
    }
}

impl<'a> RereadGames<'a> {
    /// Games at these places; `text` begins with the first. None if the file has changed.
    fn at(source: &'a Source, text: &'a [u8], places: &[GamePlace]) -> Option<RereadGames<'a>> {
        let first = places.first()?;
        let game = |place: &GamePlace| {
            let from = (place.byte - first.byte) as usize;
            let bytes = text.get(from..from + place.size as usize)?;
            let lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
            let origin = Origin {
                source: source.id(),
                game: place.number,
                byte: Offset(place.byte),
            };
            let text = GameText {
                bytes,
                origin,
                unclosed_comment: None,
                chunk_offset: from,
                pairs: None,
            };
            (lines == place.lines).then_some((place.index, text))
        };
        Some(RereadGames {
            source,
            lines: Lines::at(text, source.kind(), Offset(first.byte), first.line),
            games: places.iter().map(game).collect::<Option<_>>()?,
        })
    }
}

/// Reads the text from the first of these places to the end of the last.
fn read_piece<'b>(
    file: &mut File,
    places: &[GamePlace],
    buffer: &'b mut Vec<u8>,
) -> Option<&'b [u8]> {
    let (first, last) = (places.first()?, places.last()?);
    let size = (last.end() - first.byte) as usize;
    if buffer.len() < size {
        buffer.resize(size, 0);
    }
    let text = &mut buffer[..size];
    file.seek(SeekFrom::Start(first.byte)).ok()?;
    file.read_exact(text).ok()?;
    Some(text)
}

/// Texts of sources that are not read as they are stored, so that they need not be decompressed
/// again.
#[derive(Debug, Default)]
pub(crate) struct KeptTexts {
    chunks: Mutex<KeptChunks>,
    /// Their size, in bytes, with those that had no room.
    size: AtomicUsize,
}

/// By source and offset.
pub(crate) type KeptChunks = BTreeMap<(SourceId, u64), Box<[u8]>>;

impl KeptTexts {
    /// Maximum size, in bytes.
    const MOST: usize = 256 << 20;

    /// Keeps a chunk if there is room, and if its games could not be read alone otherwise.
    pub(crate) fn keep(&self, source: &Source, chunk: &Chunk) {
        // Members of an archive have no offsets of their own.
        if source.is_read_as_stored() || source.is_member() {
            return;
        }
        let bytes = chunk.bytes();
        let before = self.size.fetch_add(bytes.len(), Ordering::Relaxed);
        if before + bytes.len() <= KeptTexts::MOST {
            let key = (source.id(), chunk.byte().0);
            self.chunks().insert(key, bytes.into());
        }
    }

    pub(crate) fn chunks(&self) -> MutexGuard<'_, KeptChunks> {
        lock(&self.chunks)
    }
}

/// The text of a game in the chunks that are kept.
pub(crate) fn game_in<'a>(
    chunks: &'a KeptChunks,
    source: SourceId,
    place: &GamePlace,
) -> Option<&'a [u8]> {
    let mut before = chunks.range((source, 0)..=(source, place.byte));
    let (&(_, begin), chunk) = before.next_back()?;
    let start = (place.byte - begin) as usize;
    chunk.get(start..start + place.size as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(index: u32, byte: u64, size: u64) -> GamePlace {
        GamePlace {
            index,
            number: GameNo(u64::from(index) + 1),
            byte,
            size,
            line: 0,
            lines: 0,
        }
    }

    #[test]
    fn games_with_other_line_feeds_are_not_those_of_the_first_pass() {
        let source = Source::text(SourceId(0), "text", b"1. e4 *\n");
        let place = GamePlace {
            line: 5,
            lines: 4,
            ..place(2, 18, 10)
        };
        let games = RereadGames::at(&source, b"1. c4\n\n*\n\n", &[place]).unwrap();
        assert_eq!(games.games.len(), 1);
        assert!(RereadGames::at(&source, b"1. c4 \n*\n\n", &[place]).is_none());
        assert!(RereadGames::at(&source, b"1. c4\n\n*\n", &[place]).is_none());
    }

    #[test]
    fn games_are_read_together_up_to_a_gap_or_the_end_of_a_block() {
        const BLOCK: u64 = 256 << 10;
        let begins = [
            0,
            100,
            5000,
            8000,
            BLOCK - 200,
            BLOCK - 100,
            BLOCK,
            BLOCK + 100,
        ];
        let places: Vec<_> = (0..)
            .zip(begins)
            .map(|(index, byte)| place(index, byte, 100))
            .collect();
        let pieces = places.chunk_by(GamePlace::is_near).map(<[_]>::len);
        assert_eq!(pieces.collect::<Vec<_>>(), [2, 2, 2, 2]);
    }
}
