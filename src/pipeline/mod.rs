//! Parallel work on chunks, with results in input order and bounded memory.
//!
//! The calling thread reads, splits and emits; instead of waiting it works like the threads of the
//! pool. Large plain files are cut into [segments](crate::input::Segments), which all threads
//! read and split; prefix sums over the earlier segments give game and line numbers.
//!
//! Back-pressure: reading stops when the reorder buffer is full, and no job starts while buffered
//! results exceed the memory budget. Chunks shrink when output is much larger than input.

mod chunk_sizer;
mod executor;
mod item;
mod job;
mod prefix_sums;
mod queue;
mod reading;
mod reorder;
mod workers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::commands::select::Selection;
use crate::error::Error;
use crate::input::{Buffers, CHUNK_BYTES, Chunk, SEGMENT_BYTES, Source};
use crate::pipeline::chunk_sizer::ChunkSizer;
use crate::pipeline::executor::Executor;
use crate::pipeline::job::Task;
use crate::pipeline::reorder::Output;
use crate::report::progress::{Bar, Measure};
use crate::text::TagFilter;

pub use item::{Item, Part, SourceEnd};
pub use workers::{Workers, pool};

/// Chunks in flight per thread: one in work and three in reserve, so that neither reading nor one
/// slow chunk stalls the other threads.
const CHUNKS_PER_JOB: usize = 4;

/// Minimum stored input per thread, in bytes; below it another thread does not pay.
const FOR_A_THREAD: u64 = 4 << 10;

/// Settings of a run over the games of some sources.
#[derive(Clone, Debug)]
pub struct Run {
    /// Number of threads, the calling one included; 0 counts as 1.
    pub jobs: usize,
    /// Approximate size of a chunk, in bytes. Large plain files are first cut into
    /// [segments](crate::input::Segments).
    pub chunk_bytes: usize,
    /// Progress bar.
    pub bar: Bar,
    /// Filter for the games to process.
    pub selection: Selection,
    /// If set, workers split games themselves
    /// ([`Chunks::tags_only`](crate::input::Chunks::tags_only)) and index only these tags; game and
    /// line numbers are unavailable unless the selection needs them.
    pub tags_only: Option<TagFilter>,
    /// Threads and buffers kept from earlier runs.
    pub workers: Workers,
}

impl Default for Run {
    /// One thread, chunks of [`CHUNK_BYTES`], no progress bar.
    fn default() -> Run {
        Run {
            jobs: 1,
            chunk_bytes: CHUNK_BYTES,
            bar: Bar::default(),
            selection: Selection::default(),
            tags_only: None,
            workers: Workers::default(),
        }
    }
}

/// Chunk size in tags-only mode, in bytes. Workers read each byte twice; the chunk should still be
/// in the cache the second time.
const TAGS_ONLY_BYTES: usize = 128 << 10;

impl Run {
    /// Tags-only mode, for work that needs no game or line numbers and only the `wanted` tags.
    #[must_use]
    pub fn tags_only(self, mut wanted: TagFilter) -> Run {
        for name in self.selection.tags() {
            wanted.add(name);
        }
        Run {
            tags_only: Some(wanted),
            chunk_bytes: TAGS_ONLY_BYTES,
            ..self
        }
    }

    /// Calls `work` on every chunk of every source and emits the results in input order.
    ///
    /// `scratch` creates per-thread state, at most once a thread; leftovers in it must not change
    /// what `work` returns. `emit` runs on the calling thread; if it fails, reading stops. Each
    /// [`SourceEnd`] reports a read error, which ends that source but not the run.
    ///
    /// # Errors
    ///
    /// The error of `emit`, or [`Error::Threads`].
    ///
    /// # Panics
    ///
    /// If `scratch`, `work` or `emit` panics.
    pub fn in_order<S, T, E>(
        &self,
        sources: &[Source],
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        emit: impl FnMut(Item<T>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        S: Send,
        T: Send,
        E: From<Error>,
    {
        self.in_order_weighed(sources, scratch, work, |_| 0, emit)
    }

    /// Like [`Run::in_order`], for large results: `weigh` returns the memory a result holds, in
    /// bytes. No job starts while buffered results exceed the budget, and chunks shrink.
    ///
    /// # Errors
    ///
    /// As [`Run::in_order`].
    pub fn in_order_weighed<S, T, E>(
        &self,
        sources: &[Source],
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        emit: impl FnMut(Item<T>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        S: Send,
        T: Send,
        E: From<Error>,
    {
        let sizer = match size_of::<T>() {
            // Zero-sized results are never buffered.
            0 => ChunkSizer::without_output(),
            _ => ChunkSizer::default(),
        };
        let task = Task {
            scratch,
            work,
            weigh,
            sizer,
        };
        let stored = sources.iter().map(Source::size_hint).sum();
        self.bar.start(Measure::Bytes, stored, "games");
        let output = Output::new(emit, &self.bar, sources);
        let run = Run {
            jobs: self.jobs_for(sources.len(), stored),
            ..self.clone()
        };
        let mut kept = self.workers.take();
        let outcome = if run.jobs <= 1 {
            run.inline(sources, kept.buffers(), task, output)
        } else {
            match kept.team(run.jobs) {
                Ok(team) => Executor::new(&run, team, task).run(sources, output),
                Err(error) => Err(error.into()),
            }
        };
        self.workers.keep(kept);
        self.bar.clear();
        outcome
    }

    /// Number of threads worth starting for this input; starting one costs as much as reading many
    /// games.
    fn jobs_for(&self, sources: usize, stored: Option<u64>) -> usize {
        let most = stored.map(|bytes| sources.max(1) + (bytes / FOR_A_THREAD) as usize);
        self.jobs.min(most.unwrap_or(usize::MAX))
    }

    /// Like [`Run::in_order`], merging the results into `whole`.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`].
    pub fn fold<S, T, W>(
        &self,
        sources: &[Source],
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        mut whole: W,
        mut merge: impl FnMut(&mut W, T),
        mut ended: impl FnMut(SourceEnd),
    ) -> Result<W, Error>
    where
        S: Send,
        T: Send,
    {
        self.in_order(sources, scratch, work, |item| {
            match item {
                Item::Part(part) => merge(&mut whole, part.value),
                Item::End(end) => ended(end),
            }
            Ok::<(), Error>(())
        })?;
        Ok(whole)
    }

    /// Calls `work` on the selected games of a chunk, splitting it first in tags-only mode, and
    /// recycles its buffer.
    fn part<T>(
        &self,
        source: &Source,
        mut chunk: Chunk,
        buffers: &Buffers,
        work: impl FnOnce(&Chunk) -> T,
    ) -> Part<T> {
        let find = |wanted| chunk.find_games(wanted);
        let found = self.tags_only.as_ref().map_or(0, find);
        self.selection.apply(&mut chunk);
        let value = work(&chunk);
        let part = Part::of(source, &chunk, found, value);
        buffers.recycle(chunk);
        part
    }

    fn inline<S, T, E, N, W, G>(
        &self,
        sources: &[Source],
        buffers: &Buffers,
        task: Task<N, W, G>,
        mut output: Output<'_, impl FnMut(Item<T>) -> Result<(), E>>,
    ) -> Result<(), E>
    where
        N: Fn() -> S,
        W: Fn(&mut S, &Source, &Chunk) -> T,
        G: Fn(&T) -> usize,
    {
        let Task {
            work, weigh, sizer, ..
        } = &task;
        let mut scratch = (task.scratch)();
        let mut do_chunk = |source: &Source, chunk: Chunk| {
            let part = self.part(source, chunk, buffers, |chunk| {
                work(&mut scratch, source, chunk)
            });
            sizer.learn(part.bytes, weigh(&part.value));
            part
        };
        for source in sources {
            let stored = Arc::default();
            for (source, text) in source.members(Arc::clone(&stored), self.jobs) {
                let mut each = |chunk| output.emit(Item::Part(do_chunk(&source, chunk)));
                let end = match self.segments(&source, &text) {
                    None => self.read(&source, text, buffers, sizer, &stored, each)?,
                    Some(mut segments) => {
                        let mut end = SourceEnd::of(&source);
                        while let Some(segment) = segments.next(SEGMENT_BYTES) {
                            let segment = segments.text().segment(segment);
                            end += self.read_segment(&source, segment, buffers, &mut each)?;
                            if end.error.is_some() {
                                break;
                            }
                        }
                        end
                    }
                };
                output.emit(Item::End(end))?;
            }
        }
        Ok(())
    }

    fn is_tags_only(&self) -> bool {
        self.tags_only.is_some() && !self.selection.asks_for_numbers()
    }
}

/// Spin this long before parking; about the cost of a wake-up.
const SPIN_TIME: Duration = Duration::from_micros(50);

/// Spins until the condition holds or [`SPIN_TIME`] is over.
fn spin_wait(condition: impl Fn() -> bool) {
    if condition() {
        return;
    }
    let begin = Instant::now();
    while begin.elapsed() < SPIN_TIME {
        // There may be more threads than cores.
        std::thread::yield_now();
        if condition() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
