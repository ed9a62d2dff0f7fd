//! Threads and buffers reused across runs.

use std::mem;
use std::sync::{Arc, Mutex};

use rayon::ThreadPool;

use crate::error::Error;
use crate::input::Buffers;
use crate::input::sync::lock;

/// Thread pool and read buffers, reused by the next run with as many threads. Clones share them;
/// concurrent runs each have their own.
#[derive(Clone, Debug, Default)]
pub struct Workers(Arc<Mutex<Kept>>);

/// The pool and the buffers between two runs.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pool: Option<ThreadPool>,
    /// See [`Team::own`].
    own: Vec<Buffers>,
    common: Buffers,
}

/// The pool and the buffers of one run.
#[derive(Clone, Copy)]
pub(crate) struct Team<'k> {
    pub pool: &'k ThreadPool,
    /// Read buffers of each thread; the last ones are those of the calling thread.
    pub own: &'k [Buffers],
    /// Buffers for chunks that the calling thread reads for the workers.
    pub common: &'k Buffers,
}

impl Workers {
    /// Takes the pool and the buffers, unless another run has them.
    pub(crate) fn take(&self) -> Kept {
        mem::take(&mut lock(&self.0))
    }

    /// Returns them for the next run.
    pub(crate) fn keep(&self, kept: Kept) {
        for buffers in kept.own.iter().chain([&kept.common]) {
            buffers.shrink();
        }
        let mut place = lock(&self.0);
        // A run at the same time may have left more.
        if kept.pool.is_some() || place.pool.is_none() {
            *place = kept;
        }
    }
}

impl Kept {
    /// Buffers for a run on the calling thread alone.
    pub fn buffers(&self) -> &Buffers {
        &self.common
    }

    /// A team of `jobs` threads (at least 2), the calling one included.
    ///
    /// # Errors
    ///
    /// As [`pool`].
    pub fn team(&mut self, jobs: usize) -> Result<Team<'_>, Error> {
        let wanted = jobs - 1;
        let kept = self.pool.take();
        let pool = match kept.filter(|pool| pool.current_num_threads() == wanted) {
            Some(pool) => pool,
            None => {
                let pool = pool(wanted, None)?;
                // Run a no-op on every thread once, so that the scheduler spreads them over cores.
                pool.broadcast(|_| ());
                pool
            }
        };
        self.own.resize_with(jobs, Buffers::default);
        Ok(Team {
            pool: self.pool.insert(pool),
            own: &self.own,
            common: &self.common,
        })
    }
}

/// A pool of `threads` threads (at least 1), with stacks of `stack` bytes or the default size.
///
/// # Errors
///
/// [`Error::Threads`] if the threads cannot be started.
pub fn pool(threads: usize, stack: Option<usize>) -> Result<ThreadPool, Error> {
    let builder = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("worker-{n}"));
    match stack {
        None => builder,
        Some(bytes) => builder.stack_size(bytes),
    }
    .build()
    .map_err(|error| Error::Threads {
        wanted: threads,
        reason: error.to_string(),
    })
}
