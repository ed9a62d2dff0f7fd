//! Reading of whole texts and of segments.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::input::{Buffers, Chunk, Chunks, InputKind, SegmentReader, Segments, Source, Stream};
use crate::pipeline::Run;
use crate::pipeline::chunk_sizer::ChunkSizer;
use crate::pipeline::item::SourceEnd;
use crate::pipeline::prefix_sums::{SegmentHandle, SegmentTotals};

impl Run {
    /// The segments of a source, if it is plain text and more than one thread can use them.
    pub(crate) fn segments(
        &self,
        source: &Source,
        text: &Result<Stream, Error>,
    ) -> Option<Segments> {
        let is_plain =
            source.kind() == InputKind::Pgn && text.as_ref().is_ok_and(Stream::is_as_stored);
        match (self.is_tags_only() || self.jobs > 1) && is_plain {
            true => Segments::of(source),
            false => None,
        }
    }

    /// Reads one text and passes its chunks to `each`, whose error ends the reading. `stored`
    /// counts the stored bytes read so far.
    pub(crate) fn read<E>(
        &self,
        source: &Source,
        text: Result<Stream, Error>,
        buffers: &Buffers,
        sizer: &ChunkSizer,
        stored: &AtomicU64,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        match text {
            Ok(mut stream) => {
                let encoding = stream.encoding();
                let chunks = Chunks::new(&mut stream, source, self.chunk_bytes, buffers.clone());
                let chunks = self.as_wanted(chunks.encoded(encoding));
                end.take_in(self.sized(chunks, sizer), |mut chunk| {
                    chunk.set_stored(stored.load(Ordering::Relaxed));
                    each(chunk)
                })?;
                end.note_read(stream.delivered());
            }
            Err(error) => end.error = Some(error),
        }
        Ok(end)
    }

    /// Like [`Run::read`], for one segment. Its chunks are numbered from its beginning.
    pub(crate) fn read_segment<E>(
        &self,
        source: &Source,
        mut segment: SegmentReader<'_>,
        buffers: &Buffers,
        each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        let chunks = segment.chunks(source, self.chunk_bytes, buffers.clone());
        end.take_in(self.as_wanted(chunks), each)?;
        end.note_read(segment.delivered());
        Ok(end)
    }

    /// Like [`Run::read_segment`], but waits for the totals of the earlier segments, numbers the
    /// games, and passes on nothing after a read error.
    pub(crate) fn read_in_turn<E>(
        &self,
        source: &Source,
        segment: SegmentReader<'_>,
        handle: SegmentHandle<'_>,
        buffers: &Buffers,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let (mut totals, mut chunks) = (SegmentTotals::default(), Vec::new());
        let mut end = self.read_segment(source, segment, buffers, |chunk| {
            totals.add(&chunk);
            chunks.push(chunk);
            Ok(())
        })?;
        totals.has_failed = end.error.is_some();
        let mut before = handle.tell(totals);
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

    /// Like [`Run::read_in_turn`], for a segment too long to be buffered. All earlier segments
    /// must have been read.
    pub(crate) fn read_long<E>(
        &self,
        source: &Source,
        mut segment: SegmentReader<'_>,
        handle: SegmentHandle<'_>,
        buffers: &Buffers,
        sizer: &ChunkSizer,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut before = handle.ahead();
        let (mut end, mut totals) = (SourceEnd::of(source), SegmentTotals::default());
        if before.has_failed {
            return Ok(end);
        }
        let chunks = self.as_wanted(segment.chunks(source, self.chunk_bytes, buffers.clone()));
        end.take_in(self.sized(chunks, sizer), |mut chunk| {
            totals.add(&chunk);
            self.place(&mut chunk, &mut before);
            each(chunk)
        })?;
        end.note_read(segment.delivered());
        self.number_giant(&mut end, &before);
        totals.has_failed = end.error.is_some();
        handle.tell(totals);
        Ok(end)
    }

    /// Numbers the games and lines of a chunk, unless in tags-only mode.
    fn place(&self, chunk: &mut Chunk, before: &mut SegmentTotals) {
        if !self.is_tags_only() {
            before.place(chunk);
        }
    }

    /// Adds the number of a game that was too large.
    fn number_giant(&self, end: &mut SourceEnd, before: &SegmentTotals) {
        if let Some(Error::GameTooLarge { game, .. }) = &mut end.error
            && !self.is_tags_only()
        {
            *game = Some(before.games + 1);
        }
    }

    fn as_wanted<R: Read>(&self, chunks: Chunks<R>) -> Chunks<R> {
        match self.is_tags_only() {
            true => chunks.tags_only(),
            false => chunks,
        }
    }

    /// The chunks, resized by [`ChunkSizer`].
    fn sized<R: Read>(
        &self,
        mut chunks: Chunks<R>,
        sizer: &ChunkSizer,
    ) -> impl Iterator<Item = Result<Chunk, Error>> {
        std::iter::from_fn(move || {
            chunks.set_chunk_bytes(sizer.bytes(self.chunk_bytes));
            chunks.next()
        })
    }
}
