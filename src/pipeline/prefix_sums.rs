//! What stands before each stretch of a text that several threads read at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use super::soon;
use crate::input::{Chunk, OddityKind};
use crate::sync::{lock, sleep};

/// What a part of a text holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Held {
    /// How many games.
    pub games: u64,
    /// How many line feeds.
    pub lines: u64,
    /// What is told of it that is told of each text once.
    pub told: Vec<OddityKind>,
    /// Whether it could not be read to its end, so that nothing behind it counts.
    pub has_failed: bool,
}

impl Held {
    /// Adds what a chunk holds that follows.
    pub fn add(&mut self, chunk: &Chunk) {
        self.games += chunk.game_count() as u64;
        self.lines += chunk.line_feeds();
        self.tell(chunk.oddities().iter().map(|oddity| oddity.kind));
    }

    /// Says where a chunk stands that follows, and adds what it holds.
    pub fn place(&mut self, chunk: &mut Chunk) {
        chunk.place_behind(self.games, self.lines, &self.told);
        self.add(chunk);
    }

    fn join(&mut self, more: Held) {
        self.games += more.games;
        self.lines += more.lines;
        self.tell(more.told.into_iter());
        self.has_failed |= more.has_failed;
    }

    fn tell(&mut self, kinds: impl Iterator<Item = OddityKind>) {
        for kind in kinds {
            if !self.told.contains(&kind) {
                self.told.push(kind);
            }
        }
    }
}

/// Adds up what the stretches of a text hold, one after the other.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    known: Mutex<Known>,
    more: Condvar,
    /// How many stretches have been added up: read without the lock.
    reached: AtomicU64,
}

#[derive(Debug, Default)]
struct Known {
    /// How many stretches have been added up.
    stretches: u64,
    /// What they hold.
    sum: Held,
    /// How many threads wait.
    waiting: usize,
}

impl Numbering {
    /// The turn of a stretch. Whoever takes a turn must have seen to it that all turns before are taken: each waits for them.
    pub fn turn(&self, nth: u64) -> Turn<'_> {
        Turn {
            numbering: self,
            nth,
            is_told: false,
        }
    }

    /// Whether one of the stretches that have been added up could not be read to its end.
    pub fn has_failed(&self) -> bool {
        lock(&self.known).sum.has_failed
    }

    /// Waits until so many stretches have been added up.
    fn wait_for(&self, stretches: u64) -> MutexGuard<'_, Known> {
        soon(|| self.reached.load(Ordering::Acquire) >= stretches);
        let mut known = lock(&self.known);
        while known.stretches < stretches {
            known.waiting += 1;
            known = sleep(&self.more, known);
            known.waiting -= 1;
        }
        known
    }

    /// Adds what a stretch holds when all before it have been added up, and returns what stands before it.
    fn add(&self, nth: u64, held: Held) -> Held {
        let mut known = self.wait_for(nth);
        let before = known.sum.clone();
        known.sum.join(held);
        known.stretches = nth + 1;
        self.reached.store(known.stretches, Ordering::Release);
        if known.waiting > 0 {
            drop(known);
            self.more.notify_all();
        }
        before
    }
}

/// That of one stretch. Dropped before it has told anything, it tells that it holds nothing, so that nobody waits for ever.
pub(super) struct Turn<'a> {
    numbering: &'a Numbering,
    nth: u64,
    is_told: bool,
}

impl Turn<'_> {
    /// Tells what the stretch holds as soon as it is known what stands before it, and returns that.
    pub fn tell(mut self, held: Held) -> Held {
        self.is_told = true;
        self.numbering.add(self.nth, held)
    }

    /// Waits until it is known what stands before the stretch, while it is not known what it holds.
    pub fn ahead(&self) -> Held {
        self.numbering.wait_for(self.nth).sum.clone()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_told {
            self.numbering.add(self.nth, Held::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_turn_learns_what_stands_before_it_whatever_the_order() {
        let numbering = Numbering::default();
        let held = |nth: u64| Held {
            games: nth + 1,
            lines: 10 * nth,
            told: vec![OddityKind::NotUtf8; usize::from(nth.is_multiple_of(2))],
            has_failed: nth == 4,
        };
        std::thread::scope(|scope| {
            for nth in [3, 1, 5, 0, 4, 2] {
                let turn = numbering.turn(nth);
                scope.spawn(move || {
                    if nth == 3 {
                        // It holds nothing, as its thread was stopped.
                        return;
                    }
                    let mut expected = Held::default();
                    for earlier in (0..nth).filter(|&earlier| earlier != 3) {
                        expected.join(held(earlier));
                    }
                    if nth > 3 {
                        assert_eq!(turn.ahead(), expected, "{nth}");
                    }
                    assert_eq!(turn.tell(held(nth)), expected, "{nth}");
                });
            }
        });
        assert_eq!(lock(&numbering.known).stretches, 6);
    }
}
