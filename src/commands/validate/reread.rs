//! A second pass over some games of a run, by their indexes among all games.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::commands::interrupt;
use crate::error::Error;
use crate::input::{Buffers, ByteNotes, Chunk, Chunks, GameNo, Offset, Source, SourceId, lock};
use crate::pipeline::{Item, Part, Run, SourceEnd};

/// The texts of a run, in order.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// Each with the number of games before it.
    texts: Vec<(Source, u64)>,
    /// Number of games so far.
    games: u64,
}

impl Texts {
    /// Counts the games of a chunk. Returns the index of the first.
    ///
    /// # Errors
    ///
    /// There are too many games.
    pub(crate) fn enter<T>(&mut self, part: &Part<T>) -> Result<u32, Error> {
        let known = self.texts.last();
        if !known.is_some_and(|(text, _)| is_same(text, &part.source)) {
            self.texts.push((part.source.clone(), self.games));
        }
        let before = self.games;
        self.games += part.games;
        match u32::try_from(self.games) {
            Ok(_) => Ok(before as u32),
            Err(_) => Err(Error::usage(
                "the inputs have more games than can be compared",
            )),
        }
    }

    /// Indexes of the games of each text.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<u32>> {
        let next = |nth: usize| {
            self.texts
                .get(nth + 1)
                .map_or(self.games, |(_, games)| *games)
        };
        let ranges = self.texts.iter().enumerate();
        ranges.map(move |(nth, (_, games))| *games as u32..next(nth) as u32)
    }

    /// Index of the game with this number.
    pub(crate) fn index(&self, source: &Source, game: GameNo) -> Option<u64> {
        let from = self
            .texts
            .partition_point(|(text, _)| text.id() < source.id());
        let texts = self.texts[from..].iter();
        let mut texts = texts.take_while(|(text, _)| text.id() == source.id());
        let (_, before) = texts.find(|(text, _)| is_same(text, source))?;
        Some(before + game.0 - 1)
    }

    /// Text and number of a game.
    pub(crate) fn place(&self, index: u32) -> Option<(&Source, GameNo)> {
        let after = self
            .texts
            .partition_point(|(_, before)| *before <= index.into());
        let (source, before) = self.texts.get(after.checked_sub(1)?)?;
        Some((source, GameNo(u64::from(index) - before + 1)))
    }
}

/// Whether two sources are one text. Members of an archive share an index.
pub(crate) fn is_same(one: &Source, other: &Source) -> bool {
    one.id() == other.id() && one.repeated() == other.repeated() && one.name() == other.name()
}

/// Refuses inputs that can be read only once.
pub(crate) fn refuse_pipes(sources: &[Source]) -> Result<(), Error> {
    let is_file = |source: &Source| {
        let file = source.path().and_then(|path| fs::metadata(path).ok());
        !source.is_stdin() && file.is_none_or(|file| file.is_file())
    };
    match sources.iter().find(|source| !is_file(source)) {
        None => Ok(()),
        Some(source) => Err(Error::usage(format!(
            "games are read twice to compare them, but `{}` can be read once only; save it in a \
             file",
            source.name()
        ))),
    }
}

/// Reads some games of the sources of a run again.
pub(crate) struct Reread<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) jobs: usize,
    pub(crate) kept: KeptTexts,
}

impl Reread<'_> {
    /// Runs `work` on chunks of which only the wanted games are left, and emits the results in
    /// order. Games whose places are known are read alone.
    pub(crate) fn run<S: Send, T: Send + Default>(
        &self,
        wanted: &Wanted<'_>,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk, &ByteNotes, u32) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut found = 0;
        let mut emit = |item: Item<T>| {
            if interrupt::asked() {
                return Ok(());
            }
            if let Item::Part(part) = &item {
                found += part.games - part.skipped;
            }
            emit(item)
        };
        let run = Run {
            jobs: self.jobs,
            ..Run::default()
        };
        let in_chunk = |state: &mut S, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            let index = wanted.keep(source, chunk);
            index.map_or_else(T::default, |index| work(state, source, chunk, notes, index))
        };
        let mut own = None;
        let mut whole = Vec::new();
        for source in self.sources {
            let games = wanted.of_source(source);
            if games.is_empty() {
                continue;
            }
            let places = wanted.places_of(source, games);
            let text = places.and_then(|places| Some((self.text(source, &places)?, places)));
            let Some((mut text, places)) = text else {
                whole.push(source.clone());
                continue;
            };
            let before = std::mem::take(&mut whole);
            run.in_order(&before, &state, in_chunk, &weigh, &mut emit)?;
            for place in places {
                let game = text.read(place);
                let Some((mut chunk, notes)) = game.and_then(|text| place.chunk(source, &text))
                else {
                    continue;
                };
                let own = own.get_or_insert_with(&state);
                let value = in_chunk(own, source, &mut chunk, &notes);
                emit(Item::Part(Part::of(source, &chunk, 0, value)))?;
            }
            emit(Item::End(SourceEnd::of(source)))?;
        }
        run.in_order(&whole, &state, in_chunk, &weigh, &mut emit)?;
        if found != wanted.indexes.len() as u64 && !interrupt::asked() {
            return Err(Error::usage("an input was changed during the run"));
        }
        Ok(())
    }

    /// The text of a source of which games can be read one by one.
    fn text(&self, source: &Source, places: &[GamePlace]) -> Option<PlacedText<'_>> {
        if source.is_read_as_stored() {
            let path = source.path().unwrap_or(Path::new(source.name()));
            return File::open(path).ok().map(PlacedText::File);
        }
        let all_are_kept = {
            let chunks = self.kept.chunks();
            let is_kept = |place| game_in(&chunks, source.id(), place).is_some();
            places.iter().copied().all(is_kept)
        };
        all_are_kept.then_some(PlacedText::Kept(&self.kept, source.id()))
    }
}

/// A text with places of games.
enum PlacedText<'a> {
    File(File),
    Kept(&'a KeptTexts, SourceId),
}

impl PlacedText<'_> {
    /// The text of a game.
    fn read(&mut self, place: GamePlace) -> Option<Vec<u8>> {
        match self {
            PlacedText::File(file) => {
                let mut text = vec![0; place.size as usize];
                file.seek(SeekFrom::Start(place.byte)).ok()?;
                file.read_exact(&mut text).ok()?;
                Some(text)
            }
            PlacedText::Kept(kept, source) => {
                game_in(&kept.chunks(), *source, place).map(<[u8]>::to_vec)
            }
        }
    }
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
type KeptChunks = BTreeMap<(SourceId, u64), Box<[u8]>>;

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

    fn chunks(&self) -> MutexGuard<'_, KeptChunks> {
        lock(&self.chunks)
    }
}

/// The text of a game in the chunks that are kept.
fn game_in(chunks: &KeptChunks, source: SourceId, place: GamePlace) -> Option<&[u8]> {
    let mut before = chunks.range((source, 0)..=(source, place.byte));
    let (&(_, begin), chunk) = before.next_back()?;
    let start = (place.byte - begin) as usize;
    chunk.get(start..start + place.size as usize)
}

/// Whether it is faster to read some games one by one than to read all.
pub(crate) fn are_few(wanted: usize, all: u64) -> bool {
    /// Reading one game costs about as much as splitting this many.
    const WORTH: u64 = 6;
    wanted as u64 * WORTH <= all
}

/// Games that are read again, by their indexes, sorted.
pub(crate) struct Wanted<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) indexes: &'a [u32],
    /// The place of each game, if it is known; or empty.
    pub(crate) places: &'a [Option<GamePlace>],
}

impl Wanted<'_> {
    /// The games of a source, by their order.
    fn of_source(&self, source: &Source) -> Range<usize> {
        let texts = &self.texts.texts;
        let from = texts.partition_point(|(text, _)| text.id() < source.id());
        let to = texts.partition_point(|(text, _)| text.id() <= source.id());
        let games = |text: usize| {
            texts
                .get(text)
                .map_or(self.texts.games, |(_, games)| *games)
        };
        let nth = |games: u64| {
            let is_before = |index: &u32| u64::from(*index) < games;
            self.indexes.partition_point(is_before)
        };
        nth(games(from))..nth(games(to))
    }

    /// The places of some games of a source, if all are known, and they are few.
    fn places_of(&self, source: &Source, games: Range<usize>) -> Option<Vec<GamePlace>> {
        let from = self
            .texts
            .texts
            .partition_point(|(text, _)| text.id() < source.id());
        let (text, before) = self.texts.texts.get(from)?;
        let next = self.texts.texts.get(from + 1);
        let after = next.map_or(self.texts.games, |(_, games)| *games);
        let is_one = is_same(text, source) && next.is_none_or(|(next, _)| next.id() > source.id());
        let is_few = are_few(games.len(), after - before);
        let places = self.places.get(games).filter(|_| is_one && is_few)?;
        places.iter().copied().collect()
    }

    /// Skips all other games of a chunk. Returns the index of its first game, if any is left.
    fn keep(&self, source: &Source, chunk: &mut Chunk) -> Option<u32> {
        let first = chunk.first_game();
        let index = self.texts.index(source, first);
        let Some(index) = index.and_then(|index| u32::try_from(index).ok()) else {
            chunk.keep(|_| false);
            return None;
        };
        let from = self.indexes.partition_point(|&wanted| wanted < index);
        let mut wanted = self.indexes[from..].iter().peekable();
        chunk.keep(|text| {
            let nth = u64::from(index) + text.origin.game.0 - first.0;
            wanted
                .next_if(|&&wanted| u64::from(wanted) == nth)
                .is_some()
        });
        (chunk.skipped_count() < chunk.game_count()).then_some(index)
    }
}

/// The place of a game in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GamePlace {
    /// Number of games before it.
    pub(crate) games: u64,
    /// Its offset, in bytes.
    pub(crate) byte: u64,
    /// Its size, in bytes.
    pub(crate) size: u64,
    /// Number of line feeds before it.
    pub(crate) line: u64,
}

impl GamePlace {
    /// The game with this text as a chunk; none if it is no single game.
    fn chunk(&self, source: &Source, text: &[u8]) -> Option<(Chunk, ByteNotes)> {
        let chunks = Chunks::new(text, source, text.len(), Buffers::default());
        let mut chunks = chunks.resume_at(Offset(self.byte));
        let (mut chunk, notes) = chunks.next_noted()?.ok()?;
        chunk.place_after(self.games, self.line);
        let is_whole = chunk.game_count() == 1 && chunk.bytes().len() == text.len();
        is_whole.then_some((chunk, notes))
    }
}
