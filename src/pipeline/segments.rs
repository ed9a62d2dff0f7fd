//! Segments of a file that several threads read, and running totals over them.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use std::io::Read;

use crate::error::Error;
use crate::input::sync::{lock, wait};
use crate::input::{
    AnomalyKind, Buffers, ByteNotes, Chunk, Chunks, Segment, SegmentText, Segments, Source,
};
use crate::pipeline::Run;
use crate::pipeline::results::SourceEnd;

/// A file that is read segment by segment.
pub(crate) struct SegmentedFile {
    pub source: Source,
    pub text: Arc<SegmentText>,
    pub prefix_sums: PrefixSums,
}

impl SegmentedFile {
    /// The file of which `segments` are.
    pub(crate) fn new(source: &Source, segments: &Segments) -> SegmentedFile {
        SegmentedFile {
            source: source.clone(),
            text: Arc::clone(segments.text()),
            prefix_sums: PrefixSums::after(SegmentTotals::before(source)),
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
        let mut reader = self.text.segment(segment);
        let (mut totals, mut chunks) = (SegmentTotals::default(), Vec::new());
        let mut end = SourceEnd::of(&self.source);
        let found = reader.chunks(&self.source, run.chunk_bytes, buffers.clone());
        let mut found = run.with_mode(found);
        while let Some(noted) = found.next_noted() {
            match noted {
                Ok((chunk, notes)) => {
                    end.count(&chunk);
                    totals.add(&chunk, &notes);
                    chunks.push((chunk, notes));
                }
                Err(error) => end.error = Some(error),
            }
        }
        drop(found);
        end.note_read(reader.delivered());
        totals.has_failed = end.error.is_some();
        let mut before = handle.report(totals);
        if before.has_failed {
            chunks.clear();
        } else {
            for (chunk, notes) in &mut chunks {
                run.place(chunk, notes, &mut before);
            }
            run.number_giant(&mut end, &before);
        }
        (end, chunks)
    }
}

impl Run {
    /// Whether workers split games themselves.
    pub(crate) fn is_tags_only(&self) -> bool {
        self.tags_only.is_some()
    }

    /// Chunks in the mode of the run.
    pub(crate) fn with_mode<R: Read>(&self, chunks: Chunks<R>) -> Chunks<R> {
        match self.is_tags_only() {
            true => chunks.tags_only(),
            false => chunks,
        }
    }

    /// Numbers the games and lines of a chunk, unless in tags-only mode.
    pub(crate) fn place(
        &self,
        chunk: &mut Chunk,
        notes: &mut ByteNotes,
        before: &mut SegmentTotals,
    ) {
        if !self.is_tags_only() {
            before.place(chunk, notes);
        }
    }

    /// Adds the number of a game that was too large.
    pub(crate) fn number_giant(&self, end: &mut SourceEnd, before: &SegmentTotals) {
        if let Some(Error::GameTooLarge { game, .. }) = &mut end.error
            && !self.is_tags_only()
        {
            *game = Some(before.games + 1);
        }
    }
}

/// Games and lines of a part of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SegmentTotals {
    /// Number of games.
    pub games: u64,
    /// Number of line feeds.
    pub lines: u64,
    /// Anomalies reported once a text.
    pub notices: Vec<AnomalyKind>,
    /// Whether reading failed, so that everything after it is discarded.
    pub has_failed: bool,
}

impl SegmentTotals {
    /// Totals of the text before a source, if it is a range.
    pub(crate) fn before(source: &Source) -> SegmentTotals {
        let before = source.before();
        SegmentTotals {
            games: before.games,
            lines: before.lines,
            notices: before.anomalies.clone(),
            has_failed: false,
        }
    }

    /// Adds the next chunk.
    pub(crate) fn add(&mut self, chunk: &Chunk, notes: &ByteNotes) {
        self.games += chunk.game_count() as u64;
        self.lines += notes.line_feeds;
        self.notice(notes.anomalies.iter().map(|anomaly| anomaly.kind));
    }

    /// Numbers the games and lines of the next chunk, drops the anomalies known from earlier ones,
    /// and adds it.
    fn place(&mut self, chunk: &mut Chunk, notes: &mut ByteNotes) {
        chunk.place_after(self.games, self.lines);
        let is_new = |kind| !self.notices.contains(&kind);
        notes.anomalies.retain(|anomaly| is_new(anomaly.kind));
        self.add(chunk, notes);
    }

    fn join(&mut self, more: SegmentTotals) {
        self.games += more.games;
        self.lines += more.lines;
        self.notice(more.notices.into_iter());
        self.has_failed |= more.has_failed;
    }

    fn notice(&mut self, kinds: impl Iterator<Item = AnomalyKind>) {
        for kind in kinds {
            if !self.notices.contains(&kind) {
                self.notices.push(kind);
            }
        }
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
    /// Their totals.
    sum: SegmentTotals,
}

impl PrefixSums {
    /// Sums that begin with the totals of the text before the first segment.
    pub(crate) fn after(before: SegmentTotals) -> PrefixSums {
        let known = KnownTotals {
            segments: 0,
            sum: before,
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
        lock(&self.known).sum.has_failed
    }

    /// Waits until this number of segments has been added up.
    fn wait_for(&self, segments: u64) -> MutexGuard<'_, KnownTotals> {
        let mut known = lock(&self.known);
        while known.segments < segments {
            known = wait(&self.more, known);
        }
        known
    }

    /// Waits for the earlier segments, adds this one, and returns the totals before it.
    fn add(&self, nth: u64, totals: SegmentTotals) -> SegmentTotals {
        let mut known = self.wait_for(nth);
        let before = known.sum.clone();
        known.sum.join(totals);
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
    /// Reports the totals of the segment and returns those before it.
    pub(crate) fn report(mut self, totals: SegmentTotals) -> SegmentTotals {
        self.is_reported = true;
        self.prefix_sums.add(self.nth, totals)
    }

    /// Waits for the totals before the segment, without reporting its own.
    pub(crate) fn before(&self) -> SegmentTotals {
        self.prefix_sums.wait_for(self.nth).sum.clone()
    }
}

impl Drop for SegmentHandle<'_> {
    fn drop(&mut self) {
        if !self.is_reported {
            self.prefix_sums.add(self.nth, SegmentTotals::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_learns_what_stands_before_it_whatever_the_order() {
        let prefix_sums = PrefixSums::default();
        let totals = |nth: u64| SegmentTotals {
            games: nth + 1,
            lines: 10 * nth,
            notices: vec![AnomalyKind::NotUtf8; usize::from(nth.is_multiple_of(2))],
            has_failed: nth == 4,
        };
        std::thread::scope(|scope| {
            for nth in [3, 1, 5, 0, 4, 2] {
                let handle = prefix_sums.handle(nth);
                scope.spawn(move || {
                    if nth == 3 {
                        // It holds nothing, as its thread was stopped.
                        return;
                    }
                    let mut expected = SegmentTotals::default();
                    for earlier in (0..nth).filter(|&earlier| earlier != 3) {
                        expected.join(totals(earlier));
                    }
                    if nth > 3 {
                        assert_eq!(handle.before(), expected, "{nth}");
                    }
                    assert_eq!(handle.report(totals(nth)), expected, "{nth}");
                });
            }
        });
        assert_eq!(lock(&prefix_sums.known).segments, 6);
    }
}
