//! Job queue, worker threads and ordered output of one run.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::input::sync::lock;
use crate::input::{Buffers, Chunk, SEGMENT_BYTES, Segment, Segments, Source};
use crate::pipeline::item::{Item, SourceEnd};
use crate::pipeline::job::{Job, SegmentedFile, Task, WorkerState};
use crate::pipeline::prefix_sums::{PrefixSums, SegmentHandle};
use crate::pipeline::queue::Queue;
use crate::pipeline::reorder::{Finished, MemoryBudget, Output, ReorderBuffer, Results, SeqNo};
use crate::pipeline::workers::Team;
use crate::pipeline::{CHUNKS_PER_JOB, Run};

/// Runs a task on the calling thread and those of a pool.
pub(crate) struct Executor<'r, S, T, N, W, G> {
    run: &'r Run,
    task: Task<N, W, G>,
    team: Team<'r>,
    /// One per thread, in the order of [`Team::own`].
    workers: Vec<WorkerState<S>>,
    /// First in, first out: each segment waits for the earlier ones of its file.
    queue: Queue<(SeqNo, Job)>,
    results: Results<T>,
    stopped: AtomicBool,
}

/// Size of the final segments, in bytes; small, so that workers finish together.
const LAST: u64 = 64 << 10;

/// Memory budget for buffered results, in bytes: a fixed part and a part per thread.
const ROOM: usize = 8 << 20;
const ROOM_PER_JOB: usize = 2 << 20;

impl<'r, S, T, N, W, G> Executor<'r, S, T, N, W, G>
where
    S: Send,
    T: Send,
    N: Fn() -> S + Sync,
    W: Fn(&mut S, &Source, &Chunk) -> T + Sync,
    G: Fn(&T) -> usize + Sync,
{
    /// An executor for one task.
    pub fn new(run: &'r Run, team: Team<'r>, task: Task<N, W, G>) -> Self {
        Executor {
            run,
            task,
            workers: team.own.iter().map(WorkerState::new).collect(),
            team,
            queue: Queue::default(),
            results: Results::new(ROOM + ROOM_PER_JOB * run.jobs),
            stopped: AtomicBool::new(false),
        }
    }

    /// Processes all sources.
    pub fn run<E>(
        &self,
        sources: &[Source],
        output: Output<'_, impl FnMut(Item<T>) -> Result<(), E>>,
    ) -> Result<(), E> {
        let pool = self.team.pool;
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                let worker = &self.workers[context.index()];
                // A dequeued job always runs: later segments wait for its totals.
                loop {
                    self.results.budget().wait();
                    match self.queue.wait() {
                        Some(job) => self.do_job(worker, job),
                        None => break,
                    }
                }
            });
            let _stopping = Stopping {
                queue: &self.queue,
                budget: self.results.budget(),
                stopped: &self.stopped,
            };
            let own = self.workers.last().expect("the calling thread has one");
            let help = || {
                // With the budget exhausted, the next result in order is already running.
                let job = match self.results.budget().is_full() {
                    true => None,
                    false => self.queue.pop(),
                };
                job.map(|job| self.do_job(own, job)).is_some()
            };
            let limit = self.run.jobs * CHUNKS_PER_JOB;
            let mut reorder = ReorderBuffer::new(&self.results, limit, help, output);
            for source in sources {
                self.feed(source, &mut reorder)?;
            }
            self.queue.close();
            reorder.finish()
        })
    }

    /// Reads a source, or queues its segments.
    fn feed<E, F, H>(
        &self,
        source: &Source,
        reorder: &mut ReorderBuffer<'_, T, F, H>,
    ) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        let stored = Arc::default();
        for (source, text) in source.members(Arc::clone(&stored), self.run.jobs) {
            let end = match self.run.segments(&source, &text) {
                Some(segments) => {
                    self.feed_segments(&source, segments, reorder)?;
                    SourceEnd::of(&source)
                }
                None => {
                    let begin = |chunk| self.begin_chunk(&source, chunk, reorder);
                    let sizer = &self.task.sizer;
                    self.run
                        .read(&source, text, self.team.common, sizer, &stored, begin)?
                }
            };
            reorder.end(end)?;
        }
        Ok(())
    }

    fn feed_segments<E, F, H>(
        &self,
        source: &Source,
        mut segments: Segments,
        reorder: &mut ReorderBuffer<'_, T, F, H>,
    ) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        let file = Arc::new(SegmentedFile {
            source: source.clone(),
            text: Arc::clone(segments.text()),
            prefix_sums: PrefixSums::default(),
        });
        for nth in 0.. {
            // Results after a read error are discarded.
            if file.prefix_sums.has_failed() {
                break;
            }
            // Segments shrink towards the end of the file.
            let share = segments.left() / (4 * self.run.jobs as u64);
            let most = share.clamp(LAST, SEGMENT_BYTES) as usize;
            let wanted = self.task.sizer.bytes(most) as u64;
            let Some(segment) = segments.next(wanted) else {
                break;
            };
            if segment.is_long() {
                // Its prefix sums need all earlier segments.
                reorder.finish()?;
                let (handle, segment) = (file.prefix_sums.handle(nth), file.text.segment(segment));
                let begin = |chunk| self.begin_chunk(source, chunk, reorder);
                let end = self.run.read_long(
                    source,
                    segment,
                    handle,
                    self.team.common,
                    &self.task.sizer,
                    begin,
                )?;
                reorder.read(end)?;
            } else {
                let job = Job::Segment(Arc::clone(&file), nth, segment);
                self.queue.push((reorder.seq_no()?, job));
            }
        }
        Ok(())
    }

    fn begin_chunk<E, F, H>(
        &self,
        source: &Source,
        chunk: Chunk,
        reorder: &mut ReorderBuffer<'_, T, F, H>,
    ) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        let job = Job::Chunk(source.clone(), Box::new(chunk));
        self.queue.push((reorder.seq_no()?, job));
        Ok(())
    }

    fn do_job(&self, worker: &WorkerState<S>, (seq_no, job): (SeqNo, Job)) {
        match job {
            Job::Chunk(source, chunk) => self.results.answer(&self.stopped, seq_no, || {
                let mut finished = Finished::default();
                self.do_chunk(worker, &source, *chunk, self.team.common, &mut finished);
                finished
            }),
            Job::Segment(file, nth, segment) => {
                let handle = file.prefix_sums.handle(nth);
                self.results.answer(&self.stopped, seq_no, || {
                    self.do_segment(worker, &file, segment, handle)
                });
            }
        }
    }

    fn do_segment(
        &self,
        worker: &WorkerState<S>,
        file: &SegmentedFile,
        segment: Segment,
        handle: SegmentHandle<'_>,
    ) -> Finished<T> {
        let (source, segment) = (&file.source, file.text.segment(segment));
        let buffers = &worker.buffers;
        let mut finished = Finished::default();
        let each = |chunk| {
            self.do_chunk(worker, source, chunk, buffers, &mut finished);
            Ok::<(), Infallible>(())
        };
        let Ok(end) = self
            .run
            .read_in_turn(source, segment, handle, buffers, each);
        finished.end = Some(end);
        finished
    }

    /// Processes a chunk and recycles its memory into `buffers`.
    fn do_chunk(
        &self,
        worker: &WorkerState<S>,
        source: &Source,
        chunk: Chunk,
        buffers: &Buffers,
        finished: &mut Finished<T>,
    ) {
        let part = self.run.part(source, chunk, buffers, |chunk| {
            let mut kept = lock(&worker.scratch);
            (self.task.work)(kept.get_or_insert_with(&self.task.scratch), source, chunk)
        });
        let weight = (self.task.weigh)(&part.value);
        self.task.sizer.learn(part.bytes, weight);
        finished.weight += weight;
        finished.parts.push(part);
    }
}

/// Stops all work when dropped, also by a panic.
struct Stopping<'a, J> {
    queue: &'a Queue<J>,
    budget: &'a MemoryBudget,
    stopped: &'a AtomicBool,
}

impl<J> Drop for Stopping<'_, J> {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.queue.close();
        self.budget.stop();
    }
}
