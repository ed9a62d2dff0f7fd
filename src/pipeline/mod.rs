//! Parallel work on chunks, with results in input order and bounded memory.
//!
//! The calling thread reads, splits and emits; instead of waiting it works like the other threads.
//! Large plain files are cut into [segments](crate::input::Segments), which all threads read and
//! split; prefix sums over the earlier segments give game and line numbers.
//!
//! Back-pressure: reading stops when the reorder buffer is full, and no job starts while buffered
//! results exceed the memory budget. Chunks shrink when output is much larger than input.

mod executor;
mod results;
mod segments;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Error;
use crate::input::sync::MemoryBudget;
use crate::input::{Buffers, ByteNotes, CHUNK_BYTES, Chunk, Source, lock};
use crate::pipeline::executor::{EarlyEnd, Value};

pub use results::Item;
pub(crate) use results::{Part, SourceEnd};

/// Chunks in flight per thread: one in work and three in reserve, so that neither reading nor one
/// slow chunk stalls the other threads.
const CHUNKS_PER_JOB: usize = 4;

/// Minimum stored input per thread, in bytes; below it another thread does not pay.
const FOR_A_THREAD: u64 = 4 << 10;

/// Chunk size in tags-only mode, in bytes. Each byte is read twice; the chunk should still be in
/// the cache the second time.
const TAGS_ONLY_BYTES: usize = 128 << 10;

/// Memory budget for buffered results, in bytes: a fixed part and a part per thread.
const BUDGET: usize = 8 << 20;
const BUDGET_PER_JOB: usize = 2 << 20;

/// Initial guess of output bytes per input byte.
const EXPANSION: usize = 64;

/// Settings of a run over the games of some sources.
#[derive(Clone, Debug)]
pub struct Run {
    /// Number of threads, the calling one included; 0 counts as 1.
    pub jobs: usize,
    /// Approximate size of a chunk, in bytes. Large plain files are first cut into
    /// [segments](crate::input::Segments).
    pub chunk_bytes: usize,
    /// Whether only tags are read: line numbers and notes on bytes are unavailable.
    pub tags_only: bool,
}

impl Default for Run {
    /// One thread, chunks of [`CHUNK_BYTES`].
    fn default() -> Run {
        Run {
            jobs: 1,
            chunk_bytes: CHUNK_BYTES,
            tags_only: false,
        }
    }
}

impl Run {
    /// Tags-only mode, for work that needs neither line numbers nor notes on bytes.
    #[must_use]
    pub fn tags_only(self) -> Run {
        Run {
            tags_only: true,
            chunk_bytes: TAGS_ONLY_BYTES,
            ..self
        }
    }

    /// Calls `work` on every chunk of every source, emits the results in input order, and returns
    /// the states of the threads, in no order.
    ///
    /// `state` creates per-thread state, at most once a thread. `work` is passed a chunk and the
    /// notes on its bytes; what it returns must not depend on earlier chunks. `weigh` returns the
    /// memory a result holds, in bytes: no job starts while buffered results exceed the budget, and
    /// chunks shrink. `emit` runs on the calling thread; if it fails, reading stops. Each
    /// `SourceEnd` reports a read error, which ends that source but not the run.
    ///
    /// # Errors
    ///
    /// The error of `emit`, or [`Error::Usage`] if the threads cannot be started.
    ///
    /// # Panics
    ///
    /// If `state`, `work` or `emit` panics.
    pub fn in_order<S, T, E>(
        &self,
        sources: &[Source],
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &mut Chunk, &ByteNotes) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut emit: impl FnMut(Item<T>) -> Result<(), E>,
    ) -> Result<Vec<S>, E>
    where
        S: Send,
        T: Send + 'static,
        E: From<Error>,
    {
        let stored = sources.iter().map(|source| source.size).sum();
        let run = Run {
            jobs: self.jobs_for(sources.len(), stored),
            ..self.clone()
        };
        // Zero-sized results are never buffered.
        let sizer = ChunkSizer::new(match size_of::<T>() {
            0 => 0,
            _ => EXPANSION,
        });
        let buffers = Buffers::default();
        // Locked by its own thread only; boxed, so that threads share no cache line.
        let states: Vec<Mutex<Option<Box<S>>>> = (0..run.jobs).map(|_| Mutex::default()).collect();
        let process = |thread: usize, source: &Source, noted| {
            let (mut chunk, notes): (Chunk, ByteNotes) = noted;
            let mut own = lock(&states[thread]);
            let own = own.get_or_insert_with(|| Box::new(state()));
            let value = work(own, source, &mut chunk, &notes);
            let weight = weigh(&value);
            let part = Part::of(source, &chunk, Box::new(value) as Value);
            sizer.learn(part.bytes, weight);
            (part, weight)
        };
        let shared = executor::Shared {
            run: &run,
            process: &process,
            sizer: &sizer,
            buffers: &buffers,
            budget: MemoryBudget::new(BUDGET + BUDGET_PER_JOB * run.jobs, usize::MAX),
            stopped: false.into(),
        };
        let mut failure = None;
        let emit = &mut |item: Item<Value>| {
            emit(item.map(unboxed)).map_err(|error| {
                failure = Some(error);
                EarlyEnd::Emit
            })
        };
        match executor::run(&shared, sources, emit) {
            Ok(()) => {
                // A panic has been resumed by now.
                let states = states.into_iter().filter_map(|own| own.into_inner().ok()?);
                Ok(states.map(|own| *own).collect())
            }
            Err(EarlyEnd::Threads(error)) => Err(error.into()),
            Err(EarlyEnd::Emit) => Err(failure.expect("`emit` has failed")),
        }
    }

    /// Number of threads worth starting for this input, at least 1; starting one costs as much as
    /// reading many games.
    fn jobs_for(&self, sources: usize, stored: Option<u64>) -> usize {
        let most = stored.map(|bytes| sources.max(1) + (bytes / FOR_A_THREAD) as usize);
        self.jobs.min(most.unwrap_or(usize::MAX)).max(1)
    }
}

/// Value in its own type.
fn unboxed<T: 'static>(value: Value) -> T {
    *value.downcast().expect("values keep their type")
}

/// Chooses chunk sizes by the output of earlier chunks.
#[derive(Debug)]
struct ChunkSizer {
    /// Output bytes per input byte in the last chunk.
    expansion: AtomicUsize,
}

impl ChunkSizer {
    /// Target size of the output of one chunk, in bytes.
    const OUTPUT: usize = 1 << 20;

    /// Minimum size of a chunk, in bytes.
    const LEAST: usize = 4 << 10;

    /// A sizer that first assumes this number of output bytes per input byte.
    fn new(expansion: usize) -> ChunkSizer {
        ChunkSizer {
            expansion: AtomicUsize::new(expansion),
        }
    }

    /// Records that `text` input bytes produced `weight` output bytes.
    fn learn(&self, text: u64, weight: usize) {
        let expansion = weight / text.max(1) as usize;
        self.expansion.store(expansion, Ordering::Relaxed);
    }

    /// Size of the next chunk, at most `most` bytes.
    fn bytes(&self, most: usize) -> usize {
        let expansion = self.expansion.load(Ordering::Relaxed).max(1);
        let bytes = ChunkSizer::OUTPUT / expansion;
        bytes.max(ChunkSizer::LEAST).min(most)
    }
}

#[cfg(test)]
mod part_tests;
#[cfg(test)]
mod tests;
