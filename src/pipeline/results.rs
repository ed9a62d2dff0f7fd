//! Results of a run: the items emitted, and the buffer that puts them in order.

use std::collections::VecDeque;
use std::ops::AddAssign;

use crate::error::Error;
use crate::input::sync::Permit;
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
#[derive(Clone, Debug)]
pub struct Part<T> {
    /// The source.
    pub source: Source,
    /// Offset of the chunk in the text of the source.
    pub byte: Offset,
    /// Number of its first game.
    pub first_game: GameNo,
    /// Number of games, skipped ones included.
    pub games: u64,
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

impl<T> Item<T> {
    /// The same item with the value of its part converted.
    pub(crate) fn map<U>(self, value: impl FnOnce(T) -> U) -> Item<U> {
        match self {
            Item::Part(part) => Item::Part(part.map(value)),
            Item::End(end) => Item::End(end),
        }
    }
}

impl<T> Part<T> {
    pub(crate) fn of(source: &Source, chunk: &Chunk, value: T) -> Part<T> {
        let range = source.text_range();
        let skipped = range.map_or(0, |range| range.stored().start);
        Part {
            source: source.clone(),
            byte: chunk.byte,
            first_game: chunk.first_game,
            games: chunk.game_count() as u64,
            skipped: chunk.skipped_count() as u64,
            bytes: chunk.bytes().len() as u64,
            stored: (chunk.byte.0 + chunk.bytes().len() as u64).saturating_sub(skipped),
            value,
        }
    }
}

impl<T> Part<T> {
    /// The same part with another value.
    pub(crate) fn map<U>(self, value: impl FnOnce(T) -> U) -> Part<U> {
        Part {
            source: self.source,
            byte: self.byte,
            first_game: self.first_game,
            games: self.games,
            skipped: self.skipped,
            bytes: self.bytes,
            stored: self.stored,
            value: value(self.value),
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

    /// The end of a source that could not be opened.
    pub(crate) fn failed(source: &Source, error: Error) -> SourceEnd {
        SourceEnd {
            error: Some(error),
            ..SourceEnd::of(source)
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

/// Sequence number of a job, from 0.
#[derive(Clone, Copy)]
pub(crate) struct SeqNo(u64);

/// Result of a job, or the end of a source or of a part of it.
pub(crate) struct Finished<T> {
    /// With the memory that each holds until it is emitted.
    pub parts: Vec<(Part<T>, Option<Permit>)>,
    /// How reading ended.
    pub end: Option<SourceEnd>,
    /// Whether the source ends.
    ends_source: bool,
    is_job: bool,
}

impl<T> Default for Finished<T> {
    fn default() -> Finished<T> {
        Finished {
            parts: Vec::new(),
            end: None,
            ends_source: false,
            is_job: true,
        }
    }
}

impl<T> Finished<T> {
    /// End of a part of a source whose chunks are still in work.
    pub(crate) fn end_of_part(end: SourceEnd) -> Finished<T> {
        Finished {
            end: Some(end),
            is_job: false,
            ..Finished::default()
        }
    }

    /// End of a source; the ends of its parts are added as they are emitted.
    pub(crate) fn end_of_source(end: SourceEnd) -> Finished<T> {
        Finished {
            ends_source: true,
            ..Finished::end_of_part(end)
        }
    }
}

/// Reorder buffer: the results from the first not yet emitted to the last reserved.
pub(crate) struct ReorderBuffer<T, F> {
    /// Results; `None` for a queued or running job. The first is always `None`.
    slots: VecDeque<Option<Finished<T>>>,
    /// Sequence number of the first slot.
    first: u64,
    /// Number of jobs whose results have not been emitted.
    in_flight: usize,
    /// Sum of the ends of the parts of the current source already emitted.
    end: Option<SourceEnd>,
    emit: F,
}

impl<T, E, F: FnMut(Item<T>) -> Result<(), E>> ReorderBuffer<T, F> {
    /// An empty buffer.
    pub(crate) fn new(emit: F) -> ReorderBuffer<T, F> {
        ReorderBuffer {
            slots: VecDeque::new(),
            first: 0,
            in_flight: 0,
            end: None,
            emit,
        }
    }

    /// Number of jobs whose results have not been emitted.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Reserves a slot for a job.
    pub(crate) fn reserve(&mut self) -> SeqNo {
        let seq_no = SeqNo(self.first + self.slots.len() as u64);
        self.slots.push_back(None);
        self.in_flight += 1;
        seq_no
    }

    /// Fills the slot of a job, and emits what can be emitted.
    pub(crate) fn fill(&mut self, seq_no: SeqNo, finished: Finished<T>) -> Result<(), E> {
        let slot = (seq_no.0 - self.first) as usize;
        self.slots[slot] = Some(finished);
        self.emit_ready()
    }

    /// Adds a result without a job, and emits what can be emitted.
    pub(crate) fn push(&mut self, finished: Finished<T>) -> Result<(), E> {
        self.slots.push_back(Some(finished));
        self.emit_ready()
    }

    fn emit_ready(&mut self) -> Result<(), E> {
        while let Some(slot) = self.slots.front_mut()
            && let Some(ready) = slot.take()
        {
            self.slots.pop_front();
            self.first += 1;
            self.in_flight -= usize::from(ready.is_job);
            self.emit_one(ready)?;
        }
        Ok(())
    }

    fn emit_one(&mut self, ready: Finished<T>) -> Result<(), E> {
        // After a read error, later parts of the source are discarded.
        let has_failed = self.end.as_ref().is_some_and(|sum| sum.error.is_some());
        if !has_failed {
            for (part, _permit) in ready.parts {
                (self.emit)(Item::Part(part))?;
            }
        }
        if let Some(end) = ready.end
            && (!has_failed || ready.ends_source)
        {
            match &mut self.end {
                Some(sum) => *sum += end,
                none => *none = Some(end),
            }
        }
        match ready.ends_source {
            true => (self.emit)(Item::End(self.end.take().expect("a source has an end"))),
            false => Ok(()),
        }
    }
}
