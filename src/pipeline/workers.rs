//! What is kept from one run to the next.

use std::mem;
use std::sync::{Arc, Mutex};

use rayon::ThreadPool;

use crate::error::Error;
use crate::input::Buffers;
use crate::sync::lock;

/// Threads, and the memory into which they read, kept for the next run that takes as many: to start a thread, and to ask the
/// system for memory, takes as long as to read many games. A clone shares them; of runs at the same time, each has its own.
#[derive(Clone, Debug, Default)]
pub struct Workers(Arc<Mutex<Kept>>);

/// Those that a run has or has had.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pool: Option<ThreadPool>,
    /// As in a [`Team`].
    own: Vec<Buffers>,
    common: Buffers,
}

/// Those of one run.
#[derive(Clone, Copy)]
pub(super) struct Team<'k> {
    pub pool: &'k ThreadPool,
    /// Of what each thread reads; the last is that of the calling one, which is not of the pool.
    pub own: &'k [Buffers],
    /// Of what the calling thread reads for all.
    pub common: &'k Buffers,
}

impl Workers {
    /// Those that have been kept, if no other run has them.
    pub(super) fn take(&self) -> Kept {
        mem::take(&mut lock(&self.0))
    }

    /// Keeps them for the next run.
    pub(super) fn keep(&self, kept: Kept) {
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
    /// Memory for a run on the calling thread alone.
    pub fn buffers(&self) -> &Buffers {
        &self.common
    }

    /// For a run of so many threads (at least 2), the calling one included.
    ///
    /// # Errors
    ///
    /// As those of [`pool`].
    pub fn team(&mut self, jobs: usize) -> Result<Team<'_>, Error> {
        let wanted = jobs - 1;
        let kept = self.pool.take();
        let pool = match kept.filter(|pool| pool.current_num_threads() == wanted) {
            Some(pool) => pool,
            None => {
                let pool = pool(wanted, None)?;
                // A thread that has been started may wait behind this one for a processor while another is idle. Once it has
                // run, the system knows better.
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

/// So many threads (at least 1) to work on, with stacks of so many bytes or the usual ones.
///
/// # Errors
///
/// [`Error::Threads`] if the system does not give so many.
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
        cause: error.to_string(),
    })
}
