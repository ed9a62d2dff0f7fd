//! Job queue, worker threads and the calling thread of one run.
//!
//! Results are [`Value`]s of any type, so that this code is compiled once: compiling it for each
//! kind of work took a tenth of the program's compile time.

use std::any::Any;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Builder};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::error::Error;
use crate::input::sync::{MemoryBudget, Permit};
use crate::input::{
    Buffers, ByteNotes, Chunk, Chunks, InputKind, Offset, SEGMENT_BYTES, Segment, Segments, Source,
    Stream, TextRange, TextTotals,
};
use crate::pipeline::results::{Finished, Item, Part, ReorderBuffer, SeqNo, SourceEnd};
use crate::pipeline::segments::{SegmentedFile, number_giant, place};
use crate::pipeline::{CHUNKS_PER_JOB, ChunkSizer, Run};

/// Size of the final segments, in bytes; small, so that workers finish together.
const LAST: u64 = 64 << 10;

/// Result of a chunk.
pub(crate) type Value = Box<dyn Any + Send>;

/// Processes a chunk on the thread of this index, from 0. Returns the result and the memory that
/// this holds, in bytes.
pub(crate) type Process<'r> =
    dyn Fn(usize, &Source, (Chunk, ByteNotes)) -> (Part<Value>, usize) + Sync + 'r;

/// Why a run ended early.
pub(crate) enum EarlyEnd {
    /// An item could not be emitted.
    Emit,
    /// [`Error::Usage`] if the threads cannot be started.
    Threads(Error),
}

/// Emits the next item on the calling thread.
pub(crate) type Emit<'e> = dyn FnMut(Item<Value>) -> Result<(), EarlyEnd> + 'e;

/// State shared by the threads of a run.
pub(crate) struct Shared<'r> {
    pub run: &'r Run,
    pub process: &'r Process<'r>,
    pub sizer: &'r ChunkSizer,
    pub buffers: &'r Buffers,
    /// Memory budget for results that are not emitted yet. When it is exhausted, no new job starts;
    /// the next result in order is always already running, so this cannot deadlock.
    pub budget: Arc<MemoryBudget>,
    /// Set when nothing more will be emitted.
    pub stopped: AtomicBool,
}

/// A job of the queue.
enum Job {
    /// A chunk with its notes, and the stored bytes read up to its end if its text differs from
    /// them.
    Chunk(Source, Box<(Chunk, ByteNotes)>, Option<u64>),
    /// A segment of a file to be read: its index and its bytes.
    Segment(Arc<SegmentedFile>, u64, Segment),
}

/// Result of a job, or the panic that ended it.
type JobResult = (SeqNo, Result<Finished<Value>, Value>);

/// Processes all sources on the calling thread and `jobs - 1` others.
pub(crate) fn run(
    shared: &Shared<'_>,
    sources: &[Source],
    emit: &mut Emit<'_>,
) -> Result<(), EarlyEnd> {
    thread::scope(|scope| {
        // First in, first out: each segment waits for the earlier ones of its file.
        let (queue, jobs) = unbounded();
        let (answer, answers) = unbounded();
        let worker = |thread| Worker {
            shared,
            thread,
            buffers: Buffers::default(),
            jobs: jobs.clone(),
            answer: answer.clone(),
        };
        let mut caller = Caller {
            own: worker(0),
            queue,
            answers,
            reorder: ReorderBuffer::new(emit),
        };
        let mut threads = Vec::new();
        for nth in 1..shared.run.jobs {
            let worker = worker(nth);
            let thread = Builder::new()
                .name(format!("worker-{nth}"))
                .spawn_scoped(scope, move || worker.run())
                .map_err(|cause| EarlyEnd::Threads(Error::threads(shared.run.jobs, &cause)))?;
            threads.push(thread);
        }
        let stopping = Stopping(shared);
        for source in sources {
            caller.feed(source)?;
        }
        caller.finish()?;
        drop((stopping, caller.queue));
        for thread in threads {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        Ok(())
    })
}

/// Stops all work when dropped, also by a panic.
struct Stopping<'a, 'r>(&'a Shared<'r>);

impl Drop for Stopping<'_, '_> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        self.0.budget.stop();
    }
}

/// A thread of the run.
struct Worker<'s, 'r> {
    shared: &'s Shared<'r>,
    thread: usize,
    /// Read buffers of the segments, which stay in the cache of the thread's core.
    buffers: Buffers,
    jobs: Receiver<(SeqNo, Job)>,
    answer: Sender<JobResult>,
}

impl Worker<'_, '_> {
    /// Takes jobs until the queue is closed and empty. A dequeued job always runs: later segments
    /// wait for its totals.
    fn run(mut self) {
        loop {
            self.shared.budget.wait();
            match self.jobs.recv() {
                Ok(job) => self.do_job(job),
                Err(_) => return,
            }
        }
    }

    /// Does a queued job, if there is one, and returns whether there was. With the budget
    /// exhausted, the next result in order is already running.
    fn help(&mut self) -> bool {
        let job = match self.shared.budget.is_full() {
            true => None,
            false => self.jobs.try_recv().ok(),
        };
        job.map(|job| self.do_job(job)).is_some()
    }

    fn do_job(&mut self, (seq_no, job): (SeqNo, Job)) {
        let is_stopped = self.shared.stopped.load(Ordering::Relaxed);
        let result = catch_unwind(AssertUnwindSafe(|| match job {
            Job::Chunk(..) if is_stopped => Finished::default(),
            Job::Segment(file, nth, _) if is_stopped => {
                // Releases those that wait for it.
                drop(file.prefix_sums.handle(nth));
                Finished::default()
            }
            Job::Chunk(source, chunk, stored) => {
                let mut finished = Finished::default();
                let (mut part, permit) = self.process(&source, *chunk);
                part.stored = stored.unwrap_or(part.stored);
                finished.parts.push((part, permit));
                finished
            }
            Job::Segment(file, nth, segment) => self.do_segment(&file, nth, segment),
        }));
        // After a failure, the calling thread does not listen any more.
        let _ = self.answer.send((seq_no, result));
    }

    fn do_segment(&mut self, file: &SegmentedFile, nth: u64, segment: Segment) -> Finished<Value> {
        let handle = file.prefix_sums.handle(nth);
        let (end, chunks) = file.read(self.shared.run, segment, handle, &self.buffers);
        let mut finished = Finished::default();
        for chunk in chunks {
            let part = self.process(&file.source, chunk);
            finished.parts.push(part);
        }
        finished.end = Some(end);
        finished
    }

    fn process(
        &mut self,
        source: &Source,
        chunk: (Chunk, ByteNotes),
    ) -> (Part<Value>, Option<Permit>) {
        let (part, weight) = (self.shared.process)(self.thread, source, chunk);
        let permit = (weight > 0).then(|| self.shared.budget.charge(weight));
        (part, permit)
    }
}

/// The calling thread.
struct Caller<'s, 'r, 'e> {
    own: Worker<'s, 'r>,
    queue: Sender<(SeqNo, Job)>,
    answers: Receiver<JobResult>,
    reorder: ReorderBuffer<Value, &'e mut Emit<'e>>,
}

impl Caller<'_, '_, '_> {
    /// Reads a source, or queues its segments.
    fn feed(&mut self, source: &Source) -> Result<(), EarlyEnd> {
        if let Some(TextRange::Plain(bytes)) = source.text_range() {
            let end = match Segments::of_range(source, bytes) {
                Err(error) => SourceEnd::failed(source, error),
                Ok(segments) => {
                    self.feed_segments(source, segments)?;
                    SourceEnd::of(source)
                }
            };
            return self.reorder.push(Finished::end_of_source(end));
        }
        let stored = Arc::default();
        for (source, text) in source.members(Arc::clone(&stored), self.own.shared.run.jobs) {
            let end = match text {
                Err(error) => SourceEnd::failed(&source, error),
                Ok(mut stream) => match self.segments(&source, &stream) {
                    Some(segments) => {
                        self.feed_segments(&source, segments)?;
                        SourceEnd::of(&source)
                    }
                    None => self.feed_stream(&source, &mut stream, &stored)?,
                },
            };
            self.reorder.push(Finished::end_of_source(end))?;
        }
        Ok(())
    }

    /// Segments of a source, if it is large plain text and there is use for them.
    fn segments(&self, source: &Source, stream: &Stream) -> Option<Segments> {
        let is_plain = source.kind == InputKind::Pgn && stream.is_as_stored();
        let is_useful = is_plain && self.own.shared.run.jobs > 1;
        is_useful.then(|| Segments::of(source))?
    }

    fn feed_stream(
        &mut self,
        source: &Source,
        stream: &mut Stream,
        stored: &AtomicU64,
    ) -> Result<SourceEnd, EarlyEnd> {
        let Shared { run, buffers, .. } = *self.own.shared;
        let (encoding, original) = (stream.encoding, stream.stored.clone());
        let chunks = source.chunks(&mut *stream, run.chunk_bytes, buffers.clone());
        let chunks = match source.text_range() {
            Some(TextRange::Frames(frames)) => chunks.resume_at(match frames.start {
                0 => Offset(0),
                // If the text before is not counted, no work asks for offsets.
                _ => Offset(source.before().bytes.max(1)),
            }),
            _ => chunks.encoded(encoding, original),
        };
        let before = source.before().clone();
        let (mut end, _) = self.feed_chunks(source, chunks, before, Some(stored))?;
        end.note_read(stream.delivered);
        Ok(end)
    }

    fn feed_segments(&mut self, source: &Source, mut segments: Segments) -> Result<(), EarlyEnd> {
        let Shared {
            run,
            sizer,
            buffers,
            ..
        } = *self.own.shared;
        let file = Arc::new(SegmentedFile::new(source, &segments));
        for nth in 0.. {
            // Results after a read error are discarded.
            if file.prefix_sums.has_failed() {
                break;
            }
            // Segments shrink towards the end of the file.
            let share = segments.left() / (4 * run.jobs as u64);
            let most = share.clamp(LAST, SEGMENT_BYTES) as usize;
            let wanted = sizer.bytes(most) as u64;
            let Some(segment) = segments.next(wanted) else {
                break;
            };
            if !segment.is_long() {
                self.push(Job::Segment(Arc::clone(&file), nth, segment))?;
                continue;
            }
            // Too long to be buffered. Its numbers need the totals of all earlier segments.
            self.finish()?;
            let handle = file.prefix_sums.handle(nth);
            let Some(before) = handle.before() else {
                break;
            };
            let mut reader = segment.reader(&file.file);
            let chunks = segment.chunks(&mut reader, source, run.chunk_bytes, buffers.clone());
            let (mut end, totals) = self.feed_chunks(source, chunks, before, None)?;
            end.note_read(segment.delivered(&reader));
            handle.report(&totals, end.error.is_some());
            self.reorder.push(Finished::end_of_part(end))?;
        }
        Ok(())
    }

    /// Queues chunks, numbered from `before`, and returns their totals. `stored` counts the stored
    /// bytes read so far, if they differ from the bytes of text.
    fn feed_chunks(
        &mut self,
        source: &Source,
        chunks: Chunks<impl Read>,
        mut before: TextTotals,
        stored: Option<&AtomicU64>,
    ) -> Result<(SourceEnd, TextTotals), EarlyEnd> {
        let Shared { run, sizer, .. } = *self.own.shared;
        let mut chunks = run.with_mode(chunks);
        let (mut end, mut totals) = (SourceEnd::of(source), TextTotals::default());
        loop {
            chunks.chunk_bytes = sizer.bytes(run.chunk_bytes).max(1);
            match chunks.next_noted() {
                Some(Ok((mut chunk, mut notes))) => {
                    let stored = stored.map(|stored| stored.load(Ordering::Relaxed));
                    end.count(&chunk);
                    totals.join(&chunk.totals(&notes));
                    place(&mut chunk, &mut notes, &mut before);
                    self.push(Job::Chunk(source.clone(), Box::new((chunk, notes)), stored))?;
                }
                Some(Err(error)) => end.error = Some(Error::from_text(source.name(), error)),
                None => break,
            }
        }
        number_giant(&mut end, &before);
        Ok((end, totals))
    }

    /// Queues a job once there is room for its result.
    fn push(&mut self, job: Job) -> Result<(), EarlyEnd> {
        let jobs = self.own.shared.run.jobs;
        self.take_answers()?;
        while self.reorder.in_flight() >= jobs * CHUNKS_PER_JOB {
            self.help_or_wait()?;
        }
        // The receivers live as long as this thread.
        let _ = self.queue.send((self.reorder.reserve(), job));
        match jobs {
            // Done at once, while the chunk is in the cache.
            1 => self.finish(),
            _ => Ok(()),
        }
    }

    /// Waits until all jobs are finished and emitted.
    fn finish(&mut self) -> Result<(), EarlyEnd> {
        while self.reorder.in_flight() > 0 {
            self.help_or_wait()?;
        }
        Ok(())
    }

    fn help_or_wait(&mut self) -> Result<(), EarlyEnd> {
        if !self.own.help()
            && let Ok(answer) = self.answers.recv()
        {
            self.take(answer)?;
        }
        self.take_answers()
    }

    fn take_answers(&mut self) -> Result<(), EarlyEnd> {
        while let Ok(answer) = self.answers.try_recv() {
            self.take(answer)?;
        }
        Ok(())
    }

    fn take(&mut self, (seq_no, result): JobResult) -> Result<(), EarlyEnd> {
        let finished = result.unwrap_or_else(|panic| resume_unwind(panic));
        self.reorder.fill(seq_no, finished)
    }
}
