//! Job queue.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

use crate::input::sync::{lock, wait};
use crate::pipeline::spin_wait;

/// A queue of jobs, first in, first out, for many consumers.
#[derive(Debug)]
pub(crate) struct Queue<J> {
    inner: Mutex<Inner<J>>,
    /// Notified when a job is added or the queue is closed.
    more: Condvar,
    /// Whether a consumer need not wait; read without the lock.
    is_ready: AtomicBool,
}

#[derive(Debug)]
struct Inner<J> {
    jobs: VecDeque<J>,
    /// No job will be added.
    is_closed: bool,
    /// Number of waiting threads. A wake-up costs its caller microseconds.
    idle: usize,
}

impl<J> Default for Queue<J> {
    fn default() -> Queue<J> {
        Queue {
            inner: Mutex::new(Inner {
                jobs: VecDeque::new(),
                is_closed: false,
                idle: 0,
            }),
            more: Condvar::new(),
            is_ready: AtomicBool::new(false),
        }
    }
}

impl<J> Queue<J> {
    /// Adds a job at the end.
    pub fn push(&self, job: J) {
        let mut inner = lock(&self.inner);
        inner.jobs.push_back(job);
        self.note(&inner);
        if inner.idle > 0 {
            drop(inner);
            self.more.notify_one();
        }
    }

    /// Removes the first job, if there is one.
    pub fn pop(&self) -> Option<J> {
        self.take(&mut lock(&self.inner))
    }

    /// Like [`Queue::pop`], but waits for a job; `None` once the queue is closed and empty.
    pub fn wait(&self) -> Option<J> {
        spin_wait(|| self.is_ready.load(Ordering::Acquire));
        let mut inner = lock(&self.inner);
        loop {
            let job = self.take(&mut inner);
            if job.is_some() || inner.is_closed {
                return job;
            }
            inner.idle += 1;
            inner = wait(&self.more, inner);
            inner.idle -= 1;
        }
    }

    /// Closes the queue.
    pub fn close(&self) {
        let mut inner = lock(&self.inner);
        inner.is_closed = true;
        self.note(&inner);
        if inner.idle > 0 {
            drop(inner);
            self.more.notify_all();
        }
    }

    fn take(&self, inner: &mut Inner<J>) -> Option<J> {
        let job = inner.jobs.pop_front();
        self.note(inner);
        job
    }

    fn note(&self, inner: &Inner<J>) {
        let is_ready = !inner.jobs.is_empty() || inner.is_closed;
        self.is_ready.store(is_ready, Ordering::Release);
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
                        while let Some(job) = queue.wait() {
                            lock(&done).push(job);
                        }
                    });
                }
                for job in 0..500 {
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
}
