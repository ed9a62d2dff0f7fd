//! What stands before each stretch of a text that several threads read at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::soon;
use crate::input::{Chunk, OddityKind};

/// What a part of a text holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Held {
    /// How many games.
    pub games: u64,
    /// How many line feeds.
    pub lines: u64,
    /// What is told of it that is told of each text once.
    pub told: Vec<OddityKind>,
}

impl Held {
    /// Adds what a chunk holds that follows.
    pub fn add(&mut self, chunk: &Chunk) {
        self.games += chunk.game_count() as u64;
        self.lines += chunk.line_feeds();
        self.told
            .extend(chunk.oddities().iter().map(|oddity| oddity.kind));
    }

    fn join(&mut self, more: Held) {
        self.games += more.games;
        self.lines += more.lines;
        self.told.extend(more.told);
    }
}

/// Adds up what the stretches of a text hold, as their threads come to know it.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    known: Mutex<Known>,
    more: Condvar,
    /// How many stretches from the first on have been added up: read without the lock.
    reached: AtomicU64,
}

#[derive(Debug, Default)]
struct Known {
    /// How many stretches from the first on have been added up.
    stretches: u64,
    /// What they hold.
    sum: Held,
    /// What stands before a stretch that has been reached and has not asked yet.
    before: BTreeMap<u64, Held>,
    /// What stretches hold that come later.
    later: BTreeMap<u64, Held>,
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

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until so many stretches have been added up.
    fn wait_for<'a>(
        &'a self,
        stretches: u64,
        mut known: MutexGuard<'a, Known>,
    ) -> MutexGuard<'a, Known> {
        if known.stretches < stretches {
            drop(known);
            soon(|| self.reached.load(Ordering::Acquire) >= stretches);
            known = self.lock();
        }
        while known.stretches < stretches {
            known.waiting += 1;
            known = self
                .more
                .wait(known)
                .unwrap_or_else(PoisonError::into_inner);
            known.waiting -= 1;
        }
        known
    }

    /// Takes in what a stretch holds, and adds up as far as stretches are known.
    fn take_in(&self, nth: u64, held: Held) -> MutexGuard<'_, Known> {
        let mut known = self.lock();
        known.later.insert(nth, held);
        loop {
            let next = known.stretches;
            let Some(held) = known.later.remove(&next) else {
                break;
            };
            let before = known.sum.clone();
            known.before.insert(next, before);
            known.sum.join(held);
            known.stretches += 1;
        }
        self.reached.store(known.stretches, Ordering::Release);
        if known.waiting > 0 {
            self.more.notify_all();
        }
        known
    }
}

/// That of one stretch. Dropped before it has told anything, it tells that it holds nothing, so that nobody waits for ever.
pub(super) struct Turn<'a> {
    numbering: &'a Numbering,
    nth: u64,
    is_told: bool,
}

impl Turn<'_> {
    /// Tells what the stretch holds, and waits until it is known what stands before it.
    pub fn tell(mut self, held: Held) -> Held {
        self.is_told = true;
        let known = self.numbering.take_in(self.nth, held);
        let mut known = self.numbering.wait_for(self.nth + 1, known);
        known.before.remove(&self.nth).unwrap_or_default()
    }

    /// Waits until it is known what stands before the stretch, while it is not known what it holds.
    pub fn ahead(&self) -> Held {
        let numbering = self.numbering;
        numbering.wait_for(self.nth, numbering.lock()).sum.clone()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_told {
            drop(self.numbering.take_in(self.nth, Held::default()));
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
            told: vec![OddityKind::NotUtf8; usize::from(nth == 2)],
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
        assert_eq!(numbering.lock().stretches, 6);
    }
}
