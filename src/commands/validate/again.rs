//! Games of a run by their indexes, and a second pass over some of them.

use std::collections::HashSet;
use std::fs;

use crate::chess::Position;
use crate::commands::interrupt;
use crate::commands::select::Selection;
use crate::error::Error;
use crate::input::{ByteNotes, Chunk, GameNo, GameText, Source, SourceId};
use crate::pipeline::{Item, Part, Run, SourceEnd};
use crate::replay::Reader;
use crate::report::FileState;

/// The texts of a run, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    /// Each with the number of games before it.
    texts: Vec<(Source, u64)>,
    /// Number of games so far.
    games: u64,
}

/// Inputs that are read more than once, and how.
pub(crate) struct Inputs<'a> {
    pub(crate) sources: Vec<Source>,
    /// Number of threads.
    pub(crate) jobs: usize,
    pub(crate) reader: &'a (dyn Fn() -> Reader + Sync),
    pub(crate) null_moves: bool,
}

/// Games that are read again, of one chunk.
pub(crate) struct GamesAgain<'a> {
    pub(crate) source: &'a Source,
    pub(crate) chunk: &'a Chunk,
    /// Each with its index in the run.
    pub(crate) games: Vec<(u32, GameText<'a>)>,
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

    /// Number of texts: an archive has several.
    pub(crate) fn count(&self) -> usize {
        self.texts.len()
    }

    /// Index of the game with this number.
    pub(crate) fn index(&self, source: &Source, game: GameNo) -> Option<u32> {
        let from = self
            .texts
            .partition_point(|(text, _)| text.id() < source.id());
        let texts = self.texts[from..].iter();
        let mut texts = texts.take_while(|(text, _)| text.id() == source.id());
        let (_, before) = texts.find(|(text, _)| is_same(text, source))?;
        u32::try_from(before + game.0 - 1).ok()
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

impl Inputs<'_> {
    fn run(&self) -> Run {
        Run {
            jobs: self.jobs,
            ..Run::default()
        }
    }

    /// Passes the chosen games of each chunk to `work`, and its results in order to `emit`.
    pub(crate) fn first<S: Send, T: Send + 'static>(
        &self,
        selection: &Selection,
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let work = |state: &mut S, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            selection.apply(chunk);
            work(state, source, chunk, notes)
        };
        let run = self.run();
        run.in_order(&self.sources, state, work, weigh, emit)?;
        Ok(())
    }

    /// Passes the games of these indexes, sorted, to `work` with a reader and the initial position,
    /// and its results in order to `emit`. Errors of sources have been reported.
    pub(crate) fn again<T: Send + Default + 'static>(
        &self,
        texts: &Texts,
        indexes: &[u32],
        work: impl Fn(&mut Reader, &Position, GamesAgain<'_>) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let state = || ((self.reader)(), Position::initial());
        let in_chunk = |(reader, initial): &mut (Reader, Position),
                        source: &Source,
                        chunk: &mut Chunk,
                        _: &ByteNotes| {
            let index = |game| texts.index(source, game);
            chunk.keep(|text| {
                let index = index(text.origin.game);
                index.is_some_and(|index| indexes.binary_search(&index).is_ok())
            });
            let games = chunk.games();
            let games = games.filter_map(|text| Some((index(text.origin.game)?, text)));
            let games: Vec<_> = games.collect();
            if games.is_empty() {
                return T::default();
            }
            let again = GamesAgain {
                source,
                chunk,
                games,
            };
            work(reader, initial, again)
        };
        let places = indexes.iter().filter_map(|&index| texts.place(index));
        let wanted: HashSet<SourceId> = places.map(|(source, _)| source.id()).collect();
        let sources = self.sources.iter();
        let sources = sources.filter(|source| wanted.contains(&source.id()));
        let sources: Vec<_> = sources.cloned().collect();
        let mut found = 0;
        let run = self.run();
        let outcome = run.in_order(&sources, state, in_chunk, weigh, |item| {
            if interrupt::asked() {
                return Err(Error::usage("interrupted"));
            }
            emit(match item {
                Item::End(end) => Item::End(SourceEnd { error: None, ..end }),
                Item::Part(part) => {
                    found += part.games - part.skipped;
                    Item::Part(part)
                }
            })
        });
        if interrupt::asked() {
            return Ok(());
        }
        outcome?;
        if found != indexes.len() as u64 || sources.iter().any(is_changed) {
            return Err(Error::usage("an input was changed during the run"));
        }
        Ok(())
    }
}

/// Whether a file is not as it was when it was first opened.
fn is_changed(source: &Source) -> bool {
    let path = source.path();
    path.zip(source.opened())
        .is_some_and(|(path, found)| FileState::of(path) != Some(FileState::new(path, found)))
}

/// Whether two sources are one text. Members of an archive share an index.
pub(crate) fn is_same(one: &Source, other: &Source) -> bool {
    one.id() == other.id() && one.repeated == other.repeated && one.name() == other.name()
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
