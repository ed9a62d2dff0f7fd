//! Items emitted by a run.

use std::ops::AddAssign;

use crate::error::Error;
use crate::input::{Chunk, GameNo, Offset, Source};

/// An item emitted by a run, in the order of the sources and of their chunks.
#[derive(Debug)]
pub enum Item<T> {
    /// Result of a chunk.
    Part(Part<T>),
    /// End of a source.
    End(SourceEnd),
}

/// Result of one chunk.
#[derive(Debug)]
pub struct Part<T> {
    /// The source.
    pub source: Source,
    /// Offset of the chunk in the text of the source.
    pub byte: Offset,
    /// Number of its first game; unknown in tags-only mode
    /// ([`Run::tags_only`](crate::pipeline::Run::tags_only)).
    pub first_game: GameNo,
    /// Number of games, skipped ones included.
    pub games: u64,
    /// Number of games found by the worker, which [`SourceEnd::games`] lacks.
    pub found: u64,
    /// Number of games skipped by the selection.
    pub skipped: u64,
    /// Size of the games, in bytes.
    pub bytes: u64,
    /// Stored bytes of the source read up to its end.
    pub stored: u64,
    /// Return value of the work.
    pub value: T,
}

/// How reading a source ended.
#[derive(Debug)]
pub struct SourceEnd {
    /// The source; for an archive, the member.
    pub source: Source,
    /// Number of games found while reading.
    pub games: u64,
    /// Size of these games, in bytes.
    pub bytes: u64,
    /// Bytes of text read; more than belong to games only if there is an `error`.
    pub read: u64,
    /// Read error, or that there is no game.
    pub error: Option<Error>,
}

impl<T> Part<T> {
    pub(crate) fn of(source: &Source, chunk: &Chunk, found: u64, value: T) -> Part<T> {
        Part {
            source: source.clone(),
            byte: chunk.byte(),
            first_game: chunk.first_game(),
            games: chunk.game_count() as u64,
            found,
            skipped: chunk.skipped_count() as u64,
            bytes: chunk.bytes().len() as u64,
            stored: chunk.stored(),
            value,
        }
    }
}

impl SourceEnd {
    /// The end of a source before anything has been read.
    pub(crate) fn of(source: &Source) -> SourceEnd {
        SourceEnd {
            source: source.clone(),
            games: 0,
            bytes: 0,
            read: 0,
            error: None,
        }
    }

    /// Records the bytes delivered. A game that is too large counts with the limit, since the bytes
    /// read of it depend on the chunk size.
    pub(crate) fn note_read(&mut self, delivered: u64) {
        self.read = match self.error {
            Some(Error::GameTooLarge { limit, .. }) => self.bytes + limit,
            _ => delivered,
        };
    }

    /// Counts a chunk that has been read.
    pub(crate) fn count(&mut self, chunk: &Chunk) {
        self.games += chunk.game_count() as u64;
        self.bytes += chunk.bytes().len() as u64;
    }
}

/// Adds the end of a later part of the same source.
impl AddAssign for SourceEnd {
    fn add_assign(&mut self, more: SourceEnd) {
        self.games += more.games;
        self.bytes += more.bytes;
        self.read += more.read;
        self.error = self.error.take().or(more.error);
    }
}
