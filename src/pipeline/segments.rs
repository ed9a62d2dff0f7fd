//! Segments of a file that several threads read, and running totals over them.

use std::fs::File;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use std::io::Read;

use crate::error::Error;
use crate::input::sync::{lock, wait};
use crate::input::{Buffers, ByteNotes, Chunk, Chunks, Segment, Segments, Source, TextTotals};
use crate::pipeline::Run;
use crate::pipeline::results::SourceEnd;

/// A file that is read segment by segment.
pub(crate) struct SegmentedFile {
    pub source: Source,
    pub file: Arc<File>,
    pub prefix_sums: PrefixSums,
}

impl SegmentedFile {
    /// The file of which `segments` are.
    pub(crate) fn new(source: &Source, segments: &Segments) -> SegmentedFile {
        SegmentedFile {
            source: source.clone(),
            file: Arc::clone(segments.file()),
            prefix_sums: PrefixSums::after(source.before().clone()),
        }
    }

    /// Reads one segment, waits for the totals of the earlier ones, and numbers the games. There
    /// are no chunks after a read error in an earlier segment.
    pub(crate) fn read(
        &self,
        run: &Run,
        segment: Segment,
        handle: SegmentHandle<'_>,
        buffers: &Buffers,
    ) -> (SourceEnd, Vec<(Chunk, ByteNotes)>) {
        let mut reader = segment.reader(&self.file);
        let (mut totals, mut chunks) = (TextTotals::default(), Vec::new());
        let mut end = SourceEnd::of(&self.source);
        let found = segment.chunks(&mut reader, &self.source, run.chunk_bytes, buffers.clone());
        let mut found = run.with_mode(found);
        while let Some(noted) = found.next_noted() {
            match noted {
                Ok((chunk, notes)) => {
                    end.count(&chunk);
                    totals.join(&chunk.totals(&notes));
                    chunks.push((chunk, notes));
                }
                Err(error) => end.error = Some(Error::from_text(self.source.name(), error)),
            }
        }
        drop(found);
        end.note_read(segment.delivered(&reader));
        match handle.report(&totals, end.error.is_some()) {
            None => chunks.clear(),
            Some(mut before) => {
                for (chunk, notes) in &mut chunks {
                    place(chunk, notes, &mut before);
                }
                number_giant(&mut end, &before);
            }
        }
        (end, chunks)
    }
}

impl Run {
    /// Chunks in the mode of the run.
    pub(crate) fn with_mode<R: Read>(&self, chunks: Chunks<R>) -> Chunks<R> {
        if self.tags_only {
            chunks.tags_only()
        } else {
            chunks
        }
    }
}

/// Numbers the games and lines of the next chunk, drops the anomalies known from earlier ones, and
/// adds it to `before`.
pub(crate) fn place(chunk: &mut Chunk, notes: &mut ByteNotes, before: &mut TextTotals) {
    chunk.place_after(before.games, before.lines);
    let is_new = |kind| !before.anomalies.contains(&kind);
    notes.anomalies.retain(|anomaly| is_new(anomaly.kind));
    before.join(&chunk.totals(notes));
}

/// Numbers a game that was too large.
pub(crate) fn number_giant(end: &mut SourceEnd, before: &TextTotals) {
    if let Some(Error::GameTooLarge { game, .. }) = &mut end.error {
        *game = before.games + 1;
    }
}

/// Adds up the totals of the segments of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct PrefixSums {
    known: Mutex<KnownTotals>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct KnownTotals {
    /// Number of segments added up.
    segments: u64,
    /// Their totals, and those of the text before the first.
    sum: TextTotals,
    /// Whether reading failed, so that everything after it is discarded.
    has_failed: bool,
}

impl KnownTotals {
    fn before(&self) -> Option<TextTotals> {
        (!self.has_failed).then(|| self.sum.clone())
    }
}

impl PrefixSums {
    /// Sums that begin with the totals of the text before the first segment.
    pub(crate) fn after(before: TextTotals) -> PrefixSums {
        let known = KnownTotals {
            sum: before,
            ..KnownTotals::default()
        };
        PrefixSums {
            known: known.into(),
            more: Condvar::new(),
        }
    }

    /// Handle for segment `nth`. It blocks until all earlier segments reported; they must already
    /// have been started.
    pub(crate) fn handle(&self, nth: u64) -> SegmentHandle<'_> {
        SegmentHandle {
            prefix_sums: self,
            nth,
            is_reported: false,
        }
    }

    /// Whether reading one of the segments added up failed.
    pub(crate) fn has_failed(&self) -> bool {
        lock(&self.known).has_failed
    }

    /// Waits until this number of segments has been added up.
    fn wait_for(&self, segments: u64) -> MutexGuard<'_, KnownTotals> {
        let mut known = lock(&self.known);
        while known.segments < segments {
            known = wait(&self.more, known);
        }
        known
    }

    /// Waits for the earlier segments, adds this one, and returns the totals before it, unless
    /// reading them failed.
    fn add(&self, nth: u64, totals: &TextTotals, has_failed: bool) -> Option<TextTotals> {
        let mut known = self.wait_for(nth);
        let before = known.before();
        known.sum.join(totals);
        known.has_failed |= has_failed;
        known.segments = nth + 1;
        self.more.notify_all();
        before
    }
}

/// Reports the totals of one segment. Dropping it unreported reports zeros, so that waiters cannot
/// hang.
pub(crate) struct SegmentHandle<'a> {
    prefix_sums: &'a PrefixSums,
    nth: u64,
    is_reported: bool,
}

impl SegmentHandle<'_> {
    /// Reports the totals of the segment and whether reading it failed. Returns the totals before
    /// it, unless reading those failed.
    pub(crate) fn report(mut self, totals: &TextTotals, has_failed: bool) -> Option<TextTotals> {
        self.is_reported = true;
        self.prefix_sums.add(self.nth, totals, has_failed)
    }

    /// Waits for the totals before the segment, without reporting its own.
    pub(crate) fn before(&self) -> Option<TextTotals> {
        self.prefix_sums.wait_for(self.nth).before()
    }
}

impl Drop for SegmentHandle<'_> {
    fn drop(&mut self) {
        if !self.is_reported {
            self.prefix_sums
                .add(self.nth, &TextTotals::default(), false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::AnomalyKind;

    #[test]
    fn each_turn_learns_what_stands_before_it_whatever_the_order() {
        let prefix_sums = PrefixSums::default();
        let totals = |nth: u64| TextTotals {
            games: nth + 1,
            lines: 10 * nth,
            bytes: nth,
            anomalies: vec![AnomalyKind::NotUtf8; usize::from(nth.is_multiple_of(2))],
        };
        std::thread::scope(|scope| {
            for nth in [3, 1, 5, 0, 4, 2] {
                let handle = prefix_sums.handle(nth);
                scope.spawn(move || {
                    if nth == 3 {
                        // It holds nothing, as its thread was stopped.
                        return;
                    }
                    let mut sum = TextTotals::default();
                    for earlier in (0..nth).filter(|&earlier| earlier != 3) {
                        sum.join(&totals(earlier));
                    }
                    let expected = (nth <= 4).then_some(sum);
                    if nth > 3 {
                        assert_eq!(handle.before(), expected, "{nth}");
                    }
                    assert_eq!(handle.report(&totals(nth), nth == 4), expected, "{nth}");
                });
            }
        });
        assert_eq!(lock(&prefix_sums.known).segments, 6);
    }
}
