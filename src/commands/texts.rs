//! Games of a run by their indexes, for inputs that are read more than once.

use std::collections::HashSet;
use std::fs;

use crate::error::Error;
use crate::input::{GameNo, GameText, Source, SourceId};
use crate::pipeline::Part;
use crate::report::FileState;

/// The texts of a run, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    /// Each with the number of games before it.
    texts: Vec<(Source, u64)>,
    /// Number of games so far.
    games: u64,
}

/// A game that is read again.
pub(crate) struct GameAgain<'a> {
    /// Index in the run.
    pub(crate) index: u32,
    pub(crate) text: GameText<'a>,
    pub(crate) source: &'a Source,
}

impl Texts {
    /// Counts the games of a chunk.
    pub(crate) fn enter<T>(&mut self, part: &Part<T>) {
        let known = self.texts.last();
        if !known.is_some_and(|(text, _)| is_same(text, &part.source)) {
            self.texts.push((part.source.clone(), self.games));
        }
        self.games += part.games;
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

    /// The sources that hold the games of these indexes.
    pub(crate) fn holding(&self, sources: &[Source], indexes: &[u32]) -> Vec<Source> {
        let places = indexes.iter().filter_map(|&index| self.place(index));
        let wanted: HashSet<SourceId> = places.map(|(source, _)| source.id()).collect();
        let sources = sources.iter().cloned();
        sources
            .filter(|source| wanted.contains(&source.id()))
            .collect()
    }
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

/// Refuses files that are not as they were when they were first opened, or not `complete` now.
pub(crate) fn refuse_changed(sources: &[Source], complete: bool) -> Result<(), Error> {
    let is_changed = |source: &Source| {
        let opened = source.path().zip(source.opened());
        opened.is_some_and(|(path, found)| FileState::of(path) != Some(FileState::new(path, found)))
    };
    match complete && !sources.iter().any(is_changed) {
        true => Ok(()),
        false => Err(Error::usage("an input was changed during the run")),
    }
}
