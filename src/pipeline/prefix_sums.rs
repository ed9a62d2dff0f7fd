//! Running totals over the stretches of a file that several threads read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::input::{Chunk, OddityKind};
use crate::pipeline::spin_wait;
use crate::pipeline::sync::{lock, sleep};

/// Games and lines of a part of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct StretchTotals {
    /// Number of games.
    pub games: u64,
    /// Number of line feeds.
    pub lines: u64,
    /// Oddities reported once a text.
    pub notices: Vec<OddityKind>,
    /// Whether reading failed, so that everything after it is discarded.
    pub has_failed: bool,
}

impl StretchTotals {
    /// Adds the next chunk.
    pub fn add(&mut self, chunk: &Chunk) {
        self.games += chunk.game_count() as u64;
        self.lines += chunk.line_feeds();
        self.tell(chunk.oddities().iter().map(|oddity| oddity.kind));
    }

    /// Numbers the games and lines of the next chunk, and adds it.
    pub fn place(&mut self, chunk: &mut Chunk) {
        chunk.place_behind(self.games, self.lines, &self.notices);
        self.add(chunk);
    }

    fn join(&mut self, more: StretchTotals) {
        self.games += more.games;
        self.lines += more.lines;
        self.tell(more.notices.into_iter());
        self.has_failed |= more.has_failed;
    }

    fn tell(&mut self, kinds: impl Iterator<Item = OddityKind>) {
        for kind in kinds {
            if !self.notices.contains(&kind) {
                self.notices.push(kind);
            }
        }
    }
}

/// Adds up the totals of the stretches of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct PrefixSums {
    known: Mutex<Known>,
    more: Condvar,
    /// Number of stretches added up; read without the lock.
    reached: AtomicU64,
}

#[derive(Debug, Default)]
struct Known {
    /// Number of stretches added up.
    stretches: u64,
    /// Their totals.
    sum: StretchTotals,
    /// Number of waiting threads.
    waiting: usize,
}

impl PrefixSums {
    /// Handle for stretch `nth`. It blocks until all earlier stretches reported; they must already
    /// have been started.
    pub fn handle(&self, nth: u64) -> StretchHandle<'_> {
        StretchHandle {
            prefix_sums: self,
            nth,
            is_reported: false,
        }
    }

    /// Whether reading one of the stretches added up failed.
    pub fn has_failed(&self) -> bool {
        lock(&self.known).sum.has_failed
    }

    /// Waits until this number of stretches has been added up.
    fn wait_for(&self, stretches: u64) -> MutexGuard<'_, Known> {
        spin_wait(|| self.reached.load(Ordering::Acquire) >= stretches);
        let mut known = lock(&self.known);
        while known.stretches < stretches {
            known.waiting += 1;
            known = sleep(&self.more, known);
            known.waiting -= 1;
        }
        known
    }

    /// Waits for the earlier stretches, adds this one, and returns the totals before it.
    fn add(&self, nth: u64, totals: StretchTotals) -> StretchTotals {
        let mut known = self.wait_for(nth);
        let before = known.sum.clone();
        known.sum.join(totals);
        known.stretches = nth + 1;
        self.reached.store(known.stretches, Ordering::Release);
        if known.waiting > 0 {
            drop(known);
            self.more.notify_all();
        }
        before
    }
}

/// Reports the totals of one stretch. Dropping it unreported reports zeros, so that waiters cannot
/// hang.
pub(crate) struct StretchHandle<'a> {
    prefix_sums: &'a PrefixSums,
    nth: u64,
    is_reported: bool,
}

impl StretchHandle<'_> {
    /// Reports the totals of the stretch and returns those before it.
    pub fn tell(mut self, totals: StretchTotals) -> StretchTotals {
        self.is_reported = true;
        self.prefix_sums.add(self.nth, totals)
    }

    /// Waits for the totals before the stretch, without reporting its own.
    pub fn ahead(&self) -> StretchTotals {
        self.prefix_sums.wait_for(self.nth).sum.clone()
    }
}

impl Drop for StretchHandle<'_> {
    fn drop(&mut self) {
        if !self.is_reported {
            self.prefix_sums.add(self.nth, StretchTotals::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_learns_what_stands_before_it_whatever_the_order() {
        let prefix_sums = PrefixSums::default();
        let totals = |nth: u64| StretchTotals {
            games: nth + 1,
            lines: 10 * nth,
            notices: vec![OddityKind::NotUtf8; usize::from(nth.is_multiple_of(2))],
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
                    let mut expected = StretchTotals::default();
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
        assert_eq!(lock(&prefix_sums.known).stretches, 6);
    }
}
