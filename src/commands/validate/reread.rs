//! A second pass over some games of a run, by their indexes among all games.

use std::fs;
use std::ops::Range;

use crate::commands::interrupt;
use crate::commands::validate::batches::in_order;
use crate::commands::validate::placed_games::{
    Batch, GamePlace, KeptTexts, PlacedReader, RereadGames, game_in,
};
use crate::error::Error;
use crate::findings::report::Lines;
use crate::input::sync::Pool;
use crate::input::{ByteNotes, Chunk, GameNo, Source};
use crate::pipeline::{Item, Part, Run};

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
    /// Runs `work` on the wanted games, and emits the results in order. Games with known places are
    /// read without the others.
    pub(crate) fn run<S: Send, T: Send + Default + 'static>(
        &self,
        wanted: &Wanted<'_>,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, RereadGames<'_>) -> T + Sync,
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
        let in_chunk = |state: &mut S, source: &Source, chunk: &mut Chunk, _: &ByteNotes| {
            let games = wanted.keep(source, chunk);
            games.map_or_else(T::default, |games| work(state, games))
        };
        let readers = Pool::default();
        let sources: Vec<_> = self
            .sources
            .iter()
            .filter_map(|source| {
                let games = wanted.of_source(source);
                (!games.is_empty()).then(|| (source, self.places(wanted, source, games)))
            })
            .collect();
        for sources in sources.chunk_by(|(_, one), (_, next)| one.is_some() == next.is_some()) {
            let placed = sources.iter().filter_map(|(source, places)| {
                let places = places.clone()?;
                Some((*source, places))
            });
            let games: usize = placed.clone().map(|(_, places)| places.len()).sum();
            if games == 0 {
                let whole: Vec<_> = sources
                    .iter()
                    .map(|(source, _)| (*source).clone())
                    .collect();
                run.in_order(&whole, &state, in_chunk, &weigh, &mut emit)?;
                continue;
            }
            let kept = self.kept.chunks();
            let batches = placed.flat_map(|(source, places)| Batch::all(source, places));
            in_order(
                self.jobs.min(games / Batch::MOST),
                batches.take_while(|_| !interrupt::asked()),
                || readers.take().unwrap_or_else(|| PlacedReader::new(state())),
                |reader, batch| reader.read(&batch, &kept, &work),
                |reader| readers.give(reader),
                |items| items.into_iter().try_for_each(&mut emit),
            )?;
        }
        if found != wanted.indexes.len() as u64 && !interrupt::asked() {
            return Err(Error::usage("an input was changed during the run"));
        }
        Ok(())
    }

    /// The places of some games of a source, if all are known and can be read alone.
    fn places(
        &self,
        wanted: &Wanted<'_>,
        source: &Source,
        games: Range<usize>,
    ) -> Option<impl ExactSizeIterator<Item = GamePlace> + Clone> {
        let places = wanted.places(source, games)?;
        let are_kept = || {
            let kept = self.kept.chunks();
            let is_kept = |place| game_in(&kept, source.id(), &place).is_some();
            places.clone().all(is_kept)
        };
        (source.is_read_as_stored() || are_kept()).then_some(places)
    }
}

/// Games that are read again, by their indexes, sorted.
pub(crate) struct Wanted<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) indexes: &'a [u32],
    /// Size of a game in bytes, and number of its line feeds, if its place can be computed from the
    /// games before it.
    pub(crate) extent: &'a (dyn Fn(u32) -> Option<[u64; 2]> + Sync),
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

    /// The places of some games of a source, if all are known.
    fn places(
        &self,
        source: &Source,
        games: Range<usize>,
    ) -> Option<impl ExactSizeIterator<Item = GamePlace> + Clone> {
        let texts = &self.texts.texts;
        let nth = texts.partition_point(|(text, _)| text.id() < source.id());
        let (text, before) = texts.get(nth)?;
        let next = texts.get(nth + 1);
        let is_one = is_same(text, source) && next.is_none_or(|(next, _)| next.id() > source.id());
        let (wanted, first) = (&self.indexes[games], *before as u32);
        let last = *wanted.last().filter(|_| is_one)?;
        if (first..=last).any(|index| (self.extent)(index).is_none()) {
            return None;
        }
        let (mut at, mut byte, mut line) = (first, 0, 0);
        Some(wanted.iter().map(move |&index| {
            loop {
                let [size, lines] = (self.extent)(at).unwrap_or_default();
                let place = GamePlace {
                    index,
                    number: GameNo(u64::from(at - first) + 1),
                    byte,
                    size,
                    line,
                    lines,
                };
                (at, byte, line) = (at + 1, byte + size, line + lines);
                if at > index {
                    return place;
                }
            }
        }))
    }

    /// Skips all other games of a chunk. Returns those that are left, if there are any.
    fn keep<'a>(&self, source: &'a Source, chunk: &'a mut Chunk) -> Option<RereadGames<'a>> {
        let first = chunk.first_game();
        let index = self.texts.index(source, first);
        let index = |game: GameNo| u32::try_from(index? + game.0 - first.0).ok();
        chunk.keep(|text| {
            index(text.origin.game).is_some_and(|index| self.indexes.binary_search(&index).is_ok())
        });
        let games = chunk.games();
        let games = games.filter_map(|text| Some((index(text.origin.game)?, text)));
        let games: Vec<_> = games.collect();
        (!games.is_empty()).then(|| RereadGames {
            source,
            lines: Lines::new(chunk),
            games,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::{env, process};

    use super::*;
    use crate::input::SourceId;

    const TEXT: &[u8] = b"1. e4 *\n\n1. d4\n*\n\n1. c4\n\n*\n\n";

    /// Size and line feeds of each game of [`TEXT`].
    const EXTENTS: [[u64; 2]; 3] = [[9, 2], [9, 3], [10, 4]];

    /// Reads the first and the last game of this file again.
    fn read_again(file: &Source, jobs: usize) -> Result<Vec<(u32, Vec<u8>)>, Error> {
        let texts = Texts {
            texts: vec![(file.clone(), 0)],
            games: 3,
        };
        let wanted = Wanted {
            texts: &texts,
            indexes: &[0, 2],
            extent: &|index| Some(EXTENTS[index as usize]),
        };
        let reread = Reread {
            sources: std::slice::from_ref(file),
            jobs,
            kept: KeptTexts::default(),
        };
        let mut read = Vec::new();
        let work = |(): &mut (), games: RereadGames<'_>| {
            let games = games.games.into_iter();
            let games = games.map(|(index, text)| (index, text.bytes.to_vec()));
            games.collect::<Vec<_>>()
        };
        reread.run(
            &wanted,
            || (),
            work,
            |_| 0,
            |item| {
                if let Item::Part(part) = item {
                    read.extend(part.value);
                }
                Ok(())
            },
        )?;
        Ok(read)
    }

    #[test]
    fn a_file_that_changes_between_the_passes_is_an_error() {
        let path = env::temp_dir().join(format!("arbiter-reread-{}.pgn", process::id()));
        fs::write(&path, TEXT).unwrap();
        let source = Source::file(SourceId(0), path.clone());
        source.open(Arc::default()).unwrap();
        let read = read_again(&source, 2).unwrap();
        assert_eq!(read, [(0, TEXT[..9].to_vec()), (2, TEXT[18..].to_vec())]);
        let changed = [TEXT[..18].to_vec(), b"1. c4 *x\n\n".to_vec()].concat();
        assert_eq!(changed.len(), TEXT.len());
        fs::write(&path, &changed).unwrap();
        let error = read_again(&source, 2).unwrap_err().to_string();
        fs::remove_file(path).unwrap();
        assert!(
            error.contains("an input was changed during the run"),
            "{error}"
        );
    }
}
