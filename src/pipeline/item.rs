//! What comes out of a run.

use std::ops::AddAssign;

use crate::error::Error;
use crate::input::{Chunk, GameNo, Offset, Source};

/// What a run emits, in the order of the sources and of the chunks in each.
#[derive(Debug)]
pub enum Item<T> {
    /// What was made of a chunk.
    Part(Part<T>),
    /// Nothing more comes from a source.
    End(SourceEnd),
}

/// What was made of one chunk, and which chunk it was.
#[derive(Debug)]
pub struct Part<T> {
    /// The source.
    pub source: Source,
    /// Where the chunk begins in the source's text.
    pub byte: Offset,
    /// The number of its first game; not known in a run whose work does not ask for numbers ([`Run`](super::Run)).
    pub first_game: GameNo,
    /// How many games it holds, those not chosen included.
    pub games: u64,
    /// How many of them had not been found when the chunk was read, so that [`SourceEnd::games`] lacks them.
    pub found: u64,
    /// How many of them were not chosen.
    pub aside: u64,
    /// How many bytes they take up.
    pub bytes: u64,
    /// How many stored bytes of the source had been read for it and all before it.
    pub stored: u64,
    /// What the work returned.
    pub value: T,
}

/// How reading one source ended.
#[derive(Debug)]
pub struct SourceEnd {
    /// The source; a member, where an archive was read.
    pub source: Source,
    /// How many games were found in it while it was read.
    pub games: u64,
    /// How many bytes of its text belong to them.
    pub bytes: u64,
    /// How many bytes of its text have been read: more than belong to games only where `error` says why.
    pub read: u64,
    /// Why it could not be read to its end; also when it holds no game.
    pub error: Option<Error>,
}

impl<T> Part<T> {
    pub(super) fn of(source: &Source, chunk: &Chunk, found: u64, value: T) -> Part<T> {
        Part {
            source: source.clone(),
            byte: chunk.byte(),
            first_game: chunk.first_game(),
            games: chunk.game_count() as u64,
            found,
            aside: chunk.aside_count() as u64,
            bytes: chunk.bytes().len() as u64,
            stored: chunk.stored(),
            value,
        }
    }
}

impl SourceEnd {
    /// Of a source of which nothing has been read.
    pub(super) fn of(source: &Source) -> SourceEnd {
        SourceEnd {
            source: source.clone(),
            games: 0,
            bytes: 0,
            read: 0,
            error: None,
        }
    }

    /// Notes that so many bytes have been delivered. Of a game that is too large, as many are taken to be read as are allowed:
    /// how much has been read of it depends on how much is read at once.
    pub(super) fn note_read(&mut self, delivered: u64) {
        self.read = match self.error {
            Some(Error::GameTooLarge { limit, .. }) => self.bytes + limit,
            _ => delivered,
        };
    }

    /// Hands chunks to `each`, and counts what is in them.
    pub(super) fn take_in<E>(
        &mut self,
        chunks: impl Iterator<Item = Result<Chunk, Error>>,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<(), E> {
        for chunk in chunks {
            match chunk {
                Ok(chunk) => {
                    self.games += chunk.game_count() as u64;
                    self.bytes += chunk.bytes().len() as u64;
                    each(chunk)?;
                }
                Err(error) => self.error = Some(error),
            }
        }
        Ok(())
    }
}

/// What was read of the same source behind it.
impl AddAssign for SourceEnd {
    fn add_assign(&mut self, more: SourceEnd) {
        self.games += more.games;
        self.bytes += more.bytes;
        self.read += more.read;
        self.error = self.error.take().or(more.error);
    }
}
