//! Work that waits for a thread.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::{lock, soon};

/// Pieces of work in the order in which they are begun.
#[derive(Debug)]
pub(super) struct Queue<J> {
    inner: Mutex<Inner<J>>,
    /// There is more work, or nothing more comes.
    more: Condvar,
    /// A thread has begun to run.
    arrival: Condvar,
    /// How many threads have, and whether a look at `inner` is worth while: read without the lock.
    arrived: AtomicUsize,
    length: AtomicUsize,
}

#[derive(Debug)]
struct Inner<J> {
    jobs: VecDeque<J>,
    /// Nothing more comes.
    is_closed: bool,
    /// How many threads wait for work. To wake one takes microseconds from the one that does.
    idle: usize,
    /// Whether somebody waits for threads to begin.
    is_expecting: bool,
}

/// In [`Queue::length`]: nothing more comes.
const CLOSED: usize = usize::MAX / 2;

impl<J> Default for Queue<J> {
    fn default() -> Queue<J> {
        Queue {
            inner: Mutex::new(Inner {
                jobs: VecDeque::new(),
                is_closed: false,
                idle: 0,
                is_expecting: false,
            }),
            more: Condvar::new(),
            arrival: Condvar::new(),
            arrived: AtomicUsize::new(0),
            length: AtomicUsize::new(0),
        }
    }
}

impl<J> Queue<J> {
    /// Puts in work behind what is there.
    pub fn push(&self, job: J) {
        let mut inner = lock(&self.inner);
        inner.jobs.push_back(job);
        self.length.fetch_add(1, Ordering::Release);
        if inner.idle > 0 {
            drop(inner);
            self.more.notify_one();
        }
    }

    /// The first piece of work that nobody has begun, if there is any.
    pub fn pop(&self) -> Option<J> {
        self.take(&mut lock(&self.inner))
    }

    /// As [`Queue::pop`], but waits for it. Nothing once nothing more comes.
    pub fn wait(&self) -> Option<J> {
        soon(|| self.length.load(Ordering::Acquire) > 0);
        let mut inner = lock(&self.inner);
        loop {
            let job = self.take(&mut inner);
            if job.is_some() || inner.is_closed {
                return job;
            }
            inner.idle += 1;
            inner = self
                .more
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
            inner.idle -= 1;
        }
    }

    /// Says that nothing more comes.
    pub fn close(&self) {
        let mut inner = lock(&self.inner);
        if !std::mem::replace(&mut inner.is_closed, true) {
            self.length.fetch_add(CLOSED, Ordering::Release);
        }
        if inner.idle > 0 {
            drop(inner);
            self.more.notify_all();
        }
    }

    /// Says that the calling thread runs.
    pub fn arrive(&self) {
        self.arrived.fetch_add(1, Ordering::Release);
        // Else it is seen without being told.
        if lock(&self.inner).is_expecting {
            self.arrival.notify_all();
        }
    }

    /// Waits until so many threads run, where there is work for more than the calling one.
    pub fn expect(&self, threads: usize) {
        let have_arrived = || self.arrived.load(Ordering::Acquire) >= threads;
        if self.length.load(Ordering::Acquire) < 2 || soon(have_arrived) {
            return;
        }
        let mut inner = lock(&self.inner);
        inner.is_expecting = true;
        while !have_arrived() {
            inner = self
                .arrival
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
        inner.is_expecting = false;
    }

    fn take(&self, inner: &mut Inner<J>) -> Option<J> {
        let job = inner.jobs.pop_front();
        self.length
            .fetch_sub(usize::from(job.is_some()), Ordering::Release);
        job
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_work_is_done_once_by_threads_that_wait_for_it() {
        for threads in [1, 2, 7] {
            let queue = Queue::default();
            let done = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        queue.arrive();
                        while let Some(job) = queue.wait() {
                            lock(&done).push(job);
                        }
                    });
                }
                queue.push(0);
                queue.push(1);
                queue.expect(threads);
                for job in 2..500 {
                    if job % 50 == 0 {
                        // So that they fall asleep now and then.
                        std::thread::sleep(std::time::Duration::from_millis(1));
                    }
                    queue.push(job);
                    if job % 3 == 0 {
                        lock(&done).extend(queue.pop());
                    }
                }
                queue.close();
                queue.close();
            });
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert_eq!(done, (0..500).collect::<Vec<_>>(), "{threads} threads");
            assert_eq!(queue.wait(), None);
        }
    }

    #[test]
    fn nobody_is_waited_for_without_work() {
        let queue = Queue::default();
        queue.expect(5);
        queue.push(());
        queue.expect(5);
        assert_eq!(queue.pop(), Some(()));
        assert_eq!(queue.pop(), None);
    }
}
