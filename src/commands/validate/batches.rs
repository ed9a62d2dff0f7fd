//! Work on batches by several threads, with the results in order.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, Builder};

use crate::error::Error;
use crate::input::lock;

/// Calls `work` on all batches, on the calling thread and `threads - 1` others, and emits the
/// results in order. Each thread begins with a state, and gives it back at its end.
pub(crate) fn in_order<B: Send, S, R: Send>(
    threads: usize,
    mut batches: impl Iterator<Item = B>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, B) -> R + Sync,
    give_back: impl Fn(S) + Sync,
    mut emit: impl FnMut(R) -> Result<(), Error>,
) -> Result<(), Error> {
    /// Batches in flight per thread, so that none waits while the first result is computed.
    const PER_THREAD: usize = 4;
    let most = threads.max(1) * PER_THREAD;
    let (queue, jobs) = channel::<(B, Sender<R>)>();
    let jobs = Mutex::new(jobs);
    let do_job = |own: &mut S, (batch, answer): (B, Sender<R>)| {
        // After a failure, the calling thread does not listen any more.
        let _ = answer.send(work(own, batch));
    };
    let run = || {
        let mut own = state();
        let next = || lock(&jobs).recv();
        while let Ok(job) = next() {
            do_job(&mut own, job);
        }
        give_back(own);
    };
    thread::scope(|scope| {
        // Dropped here, also after a failure, which ends the threads.
        let queue = queue;
        for _ in 1..threads {
            // Without it, the other threads do its work.
            let _ = Builder::new().spawn_scoped(scope, run);
        }
        let mut own = state();
        let mut results = VecDeque::new();
        loop {
            for batch in batches.by_ref().take(most - results.len()) {
                let (answer, result) = channel();
                // The receiver lives as long as this thread.
                let _ = queue.send((batch, answer));
                results.push_back(result);
            }
            let Some(first) = results.pop_front() else {
                break;
            };
            let result = loop {
                if let Ok(result) = first.try_recv() {
                    break Ok(result);
                }
                // An idle thread holds the lock while it waits.
                match jobs.try_lock().ok().and_then(|jobs| jobs.try_recv().ok()) {
                    Some(job) => do_job(&mut own, job),
                    None => break first.recv(),
                }
            };
            // Without an answer, a thread has panicked, and so does the scope.
            let Ok(result) = result else { break };
            emit(result)?;
        }
        give_back(own);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_with_few_batches_in_flight() {
        for threads in 0..4 {
            let (taken, emitted, states) = (Cell::new(0), Cell::new(0), AtomicUsize::new(0));
            let batches = (0..200).inspect(|_| taken.set(taken.get() + 1));
            let new_state = || states.fetch_add(1, Ordering::Relaxed);
            let work = |_: &mut usize, batch: usize| {
                if batch.is_multiple_of(7) {
                    thread::sleep(Duration::from_millis(1));
                }
                batch
            };
            let give_back = |_| {
                states.fetch_sub(1, Ordering::Relaxed);
            };
            let emit = |batch: usize| {
                assert_eq!(batch, emitted.replace(batch + 1));
                assert!(taken.get() - batch <= 4 * threads.max(1), "{threads}");
                Ok(())
            };
            in_order(threads, batches, new_state, work, give_back, emit).unwrap();
            assert_eq!(emitted.get(), 200);
            assert_eq!(states.into_inner(), 0, "all are given back");
        }
    }

    #[test]
    fn one_thread_is_the_calling_one() {
        let caller = thread::current().id();
        let work = |(): &mut (), _| assert_eq!(thread::current().id(), caller);
        in_order(1, 0..20, || (), work, |()| (), Ok).unwrap();
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_panic_ends_the_run() {
        let work = |(): &mut (), batch| assert!(batch != 50, "panicked");
        let _ = in_order(3, 0..100, || (), work, |()| (), Ok);
    }
}
