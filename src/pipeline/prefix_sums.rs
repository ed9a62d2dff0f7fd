//! Running totals over the segments of a file that several threads read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::input::sync::{lock, wait};
use crate::input::{AnomalyKind, Chunk};
use crate::pipeline::spin_wait;

/// Games and lines of a part of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SegmentTotals {
    /// Number of games.
    pub games: u64,
    /// Number of line feeds.
    pub lines: u64,
    /// Oddities reported once a text.
    pub notices: Vec<AnomalyKind>,
    /// Whether reading failed, so that everything after it is discarded.
    pub has_failed: bool,
}

impl SegmentTotals {
    /// Adds the next chunk.
    pub fn add(&mut self, chunk: &Chunk) {
        self.games += chunk.game_count() as u64;
        self.lines += chunk.line_feeds();
        self.tell(chunk.anomalies().iter().map(|anomaly| anomaly.kind));
    }

    /// Numbers the games and lines of the next chunk, and adds it.
    pub fn place(&mut self, chunk: &mut Chunk) {
        chunk.place_after(self.games, self.lines, &self.notices);
        self.add(chunk);
    }

    fn join(&mut self, more: SegmentTotals) {
        self.games += more.games;
        self.lines += more.lines;
        self.tell(more.notices.into_iter());
        self.has_failed |= more.has_failed;
    }

    fn tell(&mut self, kinds: impl Iterator<Item = AnomalyKind>) {
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
    known: Mutex<Known>,
    more: Condvar,
    /// Number of segments added up; read without the lock.
    reached: AtomicU64,
}

#[derive(Debug, Default)]
struct Known {
    /// Number of segments added up.
    segments: u64,
    /// Their totals.
    sum: SegmentTotals,
    /// Number of waiting threads.
    waiting: usize,
}

impl PrefixSums {
    /// Handle for segment `nth`. It blocks until all earlier segments reported; they must already
    /// have been started.
    pub fn handle(&self, nth: u64) -> SegmentHandle<'_> {
        SegmentHandle {
            prefix_sums: self,
            nth,
            is_reported: false,
        }
    }

    /// Whether reading one of the segments added up failed.
    pub fn has_failed(&self) -> bool {
        lock(&self.known).sum.has_failed
    }

    /// Waits until this number of segments has been added up.
    fn wait_for(&self, segments: u64) -> MutexGuard<'_, Known> {
        spin_wait(|| self.reached.load(Ordering::Acquire) >= segments);
        let mut known = lock(&self.known);
        while known.segments < segments {
            known.waiting += 1;
            known = wait(&self.more, known);
            known.waiting -= 1;
        }
        known
    }

    /// Waits for the earlier segments, adds this one, and returns the totals before it.
    fn add(&self, nth: u64, totals: SegmentTotals) -> SegmentTotals {
        let mut known = self.wait_for(nth);
        let before = known.sum.clone();
        known.sum.join(totals);
        known.segments = nth + 1;
        self.reached.store(known.segments, Ordering::Release);
        if known.waiting > 0 {
            drop(known);
            self.more.notify_all();
        }
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
    pub fn tell(mut self, totals: SegmentTotals) -> SegmentTotals {
        self.is_reported = true;
        self.prefix_sums.add(self.nth, totals)
    }

    /// Waits for the totals before the segment, without reporting its own.
    pub fn ahead(&self) -> SegmentTotals {
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
                        assert_eq!(handle.ahead(), expected, "{nth}");
                    }
                    assert_eq!(handle.tell(totals(nth)), expected, "{nth}");
                });
            }
        });
        assert_eq!(lock(&prefix_sums.known).segments, 6);
    }
}
