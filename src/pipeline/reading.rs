//! Texts, read as a whole or in stretches.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

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
        raw: &Arc<AtomicU64>,
    ) -> Option<Stretches> {
        let is_plain = source.form() == Form::Pgn && text.as_ref().is_ok_and(Stream::is_as_stored);
        match (self.is_unplaced() || self.jobs > 1) && is_plain {
            true => Stretches::of(source, Arc::clone(raw)),
            false => None,
        }
    }

    /// Reads one text and hands its chunks to `each`, whose failure ends the reading.
    pub(super) fn read<E>(
        &self,
        source: &Source,
        text: Result<Stream, Error>,
        buffers: &Buffers,
        pace: &Pace,
        each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        match text {
            Ok(mut stream) => {
                let encoding = stream.encoding();
                let chunks = Chunks::new(&mut stream, source, self.chunk_bytes, buffers.clone());
                let chunks = self.as_wanted(chunks.encoded(encoding));
                end.take_in(self.paced(chunks, pace), each)?;
                end.read = stream.delivered();
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
        end.read = stretch.delivered();
        Ok(end)
    }

    /// As [`Run::read_stretch`], for work that asks for the numbers, lines and oddities of games.
    pub(super) fn place_stretch<E>(
        &self,
        source: &Source,
        stretch: Stretch<'_>,
        turn: Turn<'_>,
        buffers: &Buffers,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let (mut held, mut split) = (Held::default(), Vec::new());
        let mut end = self.read_stretch(source, stretch, buffers, |chunk| {
            held.add(&chunk);
            split.push(chunk);
            Ok(())
        })?;
        let mut before = turn.tell(held);
        for mut chunk in split {
            before.place(&mut chunk);
            each(chunk)?;
        }
        number_giant(&mut end, &before);
        Ok(end)
    }

    /// Reads a stretch that is so long that its chunks go out one by one; in its turn, where that is asked for.
    pub(super) fn read_long<E>(
        &self,
        source: &Source,
        mut stretch: Stretch<'_>,
        turn: Option<Turn<'_>>,
        buffers: &Buffers,
        pace: &Pace,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut before = turn.as_ref().map(Turn::ahead);
        let (mut end, mut held) = (SourceEnd::of(source), Held::default());
        let chunks = self.as_wanted(stretch.chunks(source, self.chunk_bytes, buffers.clone()));
        end.take_in(self.paced(chunks, pace), |mut chunk| {
            if let Some(before) = &mut before {
                held.add(&chunk);
                before.place(&mut chunk);
            }
            each(chunk)
        })?;
        end.read = stretch.delivered();
        if let Some((turn, before)) = turn.zip(before) {
            number_giant(&mut end, &before);
            turn.tell(held);
        }
        Ok(end)
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

/// Says which game was too large, where that is all that is not known of it.
fn number_giant(end: &mut SourceEnd, before: &Held) {
    if let Some(Error::GameTooLarge { game, .. }) = &mut end.error {
        *game = Some(GameNo(before.games + 1));
    }
}
