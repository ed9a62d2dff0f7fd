//! Texts, read as a whole or in stretches.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Run;
use super::item::SourceEnd;
use super::numbering::{Held, Turn};
use super::pace::Pace;
use crate::error::Error;
use crate::input::{Buffers, Chunk, Chunks, Form, GameNo, Source, Stream, Stretch, Stretches};

impl Run {
    /// The stretches in which a source can be read, where that is of use.
    pub(super) fn stretches(
        &self,
        source: &Source,
        text: &Result<Stream, Error>,
    ) -> Option<Stretches> {
        let is_plain = source.form() == Form::Pgn && text.as_ref().is_ok_and(Stream::is_as_stored);
        match (self.is_unplaced() || self.jobs > 1) && is_plain {
            true => Stretches::of(source),
            false => None,
        }
    }

    /// Reads one text and hands its chunks to `each`, whose failure ends the reading. `stored` is the number of stored bytes
    /// whose text has been read.
    pub(super) fn read<E>(
        &self,
        source: &Source,
        text: Result<Stream, Error>,
        buffers: &Buffers,
        pace: &Pace,
        stored: &AtomicU64,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        match text {
            Ok(mut stream) => {
                let encoding = stream.encoding();
                let chunks = Chunks::new(&mut stream, source, self.chunk_bytes, buffers.clone());
                let chunks = self.as_wanted(chunks.encoded(encoding));
                end.take_in(self.paced(chunks, pace), |mut chunk| {
                    chunk.set_stored(stored.load(Ordering::Relaxed));
                    each(chunk)
                })?;
                end.note_read(stream.delivered());
            }
            Err(error) => end.error = Some(error),
        }
        Ok(end)
    }

    /// As [`Run::read`], with one stretch of a text. Its chunks are numbered from its beginning.
    pub(super) fn read_stretch<E>(
        &self,
        source: &Source,
        mut stretch: Stretch<'_>,
        buffers: &Buffers,
        each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        let chunks = stretch.chunks(source, self.chunk_bytes, buffers.clone());
        end.take_in(self.as_wanted(chunks), each)?;
        end.note_read(stretch.delivered());
        Ok(end)
    }

    /// As [`Run::read_stretch`], but nothing is handed to `each` before it is known that all before it could be read, and which
    /// numbers the games have, where that is asked for.
    pub(super) fn read_in_turn<E>(
        &self,
        source: &Source,
        stretch: Stretch<'_>,
        turn: Turn<'_>,
        buffers: &Buffers,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let (mut held, mut chunks) = (Held::default(), Vec::new());
        let mut end = self.read_stretch(source, stretch, buffers, |chunk| {
            held.add(&chunk);
            chunks.push(chunk);
            Ok(())
        })?;
        held.has_failed = end.error.is_some();
        let mut before = turn.tell(held);
        if before.has_failed {
            return Ok(end);
        }
        for mut chunk in chunks {
            self.place(&mut chunk, &mut before);
            each(chunk)?;
        }
        self.number_giant(&mut end, &before);
        Ok(end)
    }

    /// As [`Run::read_in_turn`], with a stretch that is so long that its chunks go out one by one. All before it must have been
    /// read.
    pub(super) fn read_long<E>(
        &self,
        source: &Source,
        mut stretch: Stretch<'_>,
        turn: Turn<'_>,
        buffers: &Buffers,
        pace: &Pace,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut before = turn.ahead();
        let (mut end, mut held) = (SourceEnd::of(source), Held::default());
        if before.has_failed {
            return Ok(end);
        }
        let chunks = self.as_wanted(stretch.chunks(source, self.chunk_bytes, buffers.clone()));
        end.take_in(self.paced(chunks, pace), |mut chunk| {
            held.add(&chunk);
            self.place(&mut chunk, &mut before);
            each(chunk)
        })?;
        end.note_read(stretch.delivered());
        self.number_giant(&mut end, &before);
        held.has_failed = end.error.is_some();
        turn.tell(held);
        Ok(end)
    }

    /// Says where a chunk stands, where that is asked for.
    fn place(&self, chunk: &mut Chunk, before: &mut Held) {
        if !self.is_unplaced() {
            before.place(chunk);
        }
    }

    /// Says which game was too large, where that is all that is not known of it.
    fn number_giant(&self, end: &mut SourceEnd, before: &Held) {
        if let Some(Error::GameTooLarge { game, .. }) = &mut end.error
            && !self.is_unplaced()
        {
            *game = Some(GameNo(before.games + 1));
        }
    }

    fn as_wanted<R: Read>(&self, chunks: Chunks<R>) -> Chunks<R> {
        match self.is_unplaced() {
            true => chunks.unplaced(),
            false => chunks,
        }
    }

    /// The chunks, shorter where much comes of them.
    fn paced<R: Read>(
        &self,
        mut chunks: Chunks<R>,
        pace: &Pace,
    ) -> impl Iterator<Item = Result<Chunk, Error>> {
        std::iter::from_fn(move || {
            chunks.set_chunk_bytes(pace.bytes(self.chunk_bytes));
            chunks.next()
        })
    }
}
