//! Games of a run by their indexes, and a second pass over some of them.

use std::collections::HashSet;
use std::fs;

use crate::chess::Position;
use crate::commands::follow::FollowPass;
use crate::commands::interrupt;
use crate::commands::select::Selection;
use crate::commands::validate::fix::GameFixer;
use crate::error::Error;
use crate::findings::Finding;
use crate::input::{ByteNotes, Chunk, GameNo, GameText, Source, SourceId};
use crate::law::Repetitions;
use crate::pipeline::{Item, Part, Run, SourceEnd};
use crate::replay::{GameKey, LineHash, PlayerHashes, Reader};
use crate::report::{Bar, FileState, Measure, SourceProgress};

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
    pub(crate) bar: Bar,
}

/// Per-worker state.
pub(crate) struct Worker {
    pub(crate) reader: Reader,
    pub(crate) initial: Position,
    pub(crate) players: PlayerHashes,
    pub(crate) repetitions: Repetitions,
    pub(crate) findings: Vec<Finding>,
    /// For a format with repairs.
    pub(crate) fixer: Option<GameFixer>,
    pub(crate) pass: FollowPass,
}

impl Worker {
    pub(crate) fn new(reader: Reader) -> Worker {
        Worker {
            reader,
            initial: Position::initial(),
            players: PlayerHashes::default(),
            repetitions: Repetitions::default(),
            findings: Vec::new(),
            fixer: None,
            pass: FollowPass::default(),
        }
    }

    /// Reads a game, and returns its key if it is readable.
    pub(crate) fn key(&mut self, text: &GameText<'_>, null_moves: bool) -> Option<GameKey> {
        let bytes = text.bytes;
        let game = text.read(&mut self.reader);
        if game.is_unreadable(bytes) {
            return None;
        }
        let line = LineHash::of_each_move(game, bytes, &self.initial, null_moves, |_| {});
        Some(GameKey::new(game, bytes, &line, &mut self.players))
    }
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
    /// Passes the chunks of some inputs to `work`, and its results in order to `emit`, until the
    /// end or a signal.
    fn read<T: Send + 'static>(
        &self,
        (sources, measure): (&[Source], Measure),
        work: impl Fn(&mut Worker, &Source, &mut Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let run = Run {
            jobs: self.jobs,
            ..Run::default()
        };
        let state = || Worker::new((self.reader)());
        let mut progress = SourceProgress::start(&self.bar, measure, sources);
        let outcome = run.in_order(sources, state, work, weigh, |item| {
            if interrupt::asked() {
                return Err(Error::usage("interrupted"));
            }
            progress.enter(&item);
            emit(item)
        });
        match outcome {
            Err(error) if !interrupt::asked() => Err(error),
            _ => Ok(()),
        }
    }

    /// Passes the chosen games of each chunk to `work`, and its results in order to `emit`.
    pub(crate) fn first<T: Send + 'static>(
        &self,
        selection: &Selection,
        work: impl Fn(&mut Worker, &Source, &Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let work = |worker: &mut Worker, source: &Source, chunk: &mut Chunk, notes: &ByteNotes| {
            selection.apply(chunk);
            work(worker, source, chunk, notes)
        };
        self.read((&self.sources, Measure::Bytes), work, weigh, emit)
    }

    /// Passes the games of these indexes, sorted, to `work`, and its results in order to `emit`.
    /// Errors of sources have been reported.
    pub(crate) fn again<T: Send + Default + 'static>(
        &self,
        texts: &Texts,
        indexes: &[u32],
        work: impl Fn(&mut Worker, GamesAgain<'_>) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let work = |worker: &mut Worker, source: &Source, chunk: &mut Chunk, _: &ByteNotes| {
            let index = |text: &GameText<'_>| {
                let index = texts.index(source, text.origin.game)?;
                indexes.binary_search(&index).is_ok().then_some(index)
            };
            chunk.keep(|text| index(&text).is_some());
            let games = chunk.games();
            let games: Vec<_> = games
                .filter_map(|text| Some((index(&text)?, text)))
                .collect();
            if games.is_empty() {
                return T::default();
            }
            let again = GamesAgain {
                source,
                chunk,
                games,
            };
            work(worker, again)
        };
        let places = indexes.iter().filter_map(|&index| texts.place(index));
        let wanted: HashSet<SourceId> = places.map(|(source, _)| source.id()).collect();
        let sources = self.sources.iter();
        let sources = sources.filter(|source| wanted.contains(&source.id()));
        let sources: Vec<_> = sources.cloned().collect();
        let mut found = 0;
        self.read((&sources, Measure::BytesAgain), work, weigh, |item| {
            emit(match item {
                Item::End(end) => Item::End(SourceEnd { error: None, ..end }),
                Item::Part(part) => {
                    found += part.games - part.skipped;
                    Item::Part(part)
                }
            })
        })?;
        let is_lost = found != indexes.len() as u64 || sources.iter().any(is_changed);
        if is_lost && !interrupt::asked() {
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
