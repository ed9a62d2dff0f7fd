//! The threads of a run.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::ThreadPool;

use super::item::{Item, Part, SourceEnd};
use super::job::{Desk, Job, StretchedFile};
use super::numbering::{Numbering, Turn};
use super::queue::Queue;
use super::window::{Outbox, Output, Ticket, Window, Worked};
use super::{CHUNKS_PER_JOB, Run, lock};
use crate::input::{Buffers, Chunk, Extent, Source, Stretches};

/// The calling thread and those of a pool, what they do, and what they have at hand.
pub(super) struct Crew<'r, S, T, N, W> {
    run: &'r Run,
    scratch: N,
    work: W,
    /// One for each thread; the last is that of the calling one, which is not of the pool.
    desks: Vec<Desk<S>>,
    /// Of what the calling thread reads for all.
    buffers: Buffers,
    /// Begun in this order, as each stretch of a file waits for those before.
    queue: Queue<(Ticket, Job)>,
    outbox: Outbox<T>,
    stopped: AtomicBool,
}

impl<'r, S, T, N, W> Crew<'r, S, T, N, W>
where
    S: Send,
    T: Send,
    N: Fn() -> S + Sync,
    W: Fn(&mut S, &Source, &Chunk) -> T + Sync,
{
    /// As many as the run has jobs, who do `work` on every chunk.
    pub fn new(run: &'r Run, scratch: N, work: W) -> Self {
        Crew {
            run,
            scratch,
            work,
            desks: (0..run.jobs).map(|_| Desk::default()).collect(),
            buffers: Buffers::default(),
            queue: Queue::default(),
            outbox: Outbox::default(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Works through the sources. The pool has a thread less than the run has jobs.
    pub fn run<E>(
        &self,
        pool: &ThreadPool,
        sources: &[Source],
        output: Output<'_, impl FnMut(Item<T>) -> Result<(), E>>,
    ) -> Result<(), E> {
        // A thread that has been started may wait behind this one for a processor while another is idle. Once it has run, the
        // system knows better.
        pool.broadcast(|_| ());
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                while let Some(job) = self.queue.wait() {
                    self.do_job(&self.desks[context.index()], job);
                }
            });
            let _stopping = Stopping {
                queue: &self.queue,
                stopped: &self.stopped,
            };
            let raw = Arc::clone(&output.raw);
            let own = &self.desks[pool.current_num_threads()];
            let help = || self.queue.pop().map(|job| self.do_job(own, job)).is_some();
            let limit = self.run.jobs * CHUNKS_PER_JOB;
            let mut window = Window::new(&self.outbox, limit, help, output);
            for source in sources {
                self.feed(source, &raw, &mut window)?;
            }
            self.queue.close();
            window.finish()
        })
    }

    /// Reads a source, or leaves that to whoever comes next.
    fn feed<E, F, H>(
        &self,
        source: &Source,
        raw: &Arc<AtomicU64>,
        window: &mut Window<'_, T, F, H>,
    ) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        for (source, text) in source.texts(Arc::clone(raw), self.run.jobs) {
            let end = match self.run.stretches(&source, &text, raw) {
                Some(stretches) => {
                    self.feed_stretches(&source, stretches, window)?;
                    SourceEnd::of(&source)
                }
                None => {
                    let begin = |chunk| self.begin_chunk(&source, chunk, window);
                    self.run.read(&source, text, &self.buffers, begin)?
                }
            };
            window.end(end)?;
        }
        Ok(())
    }

    fn feed_stretches<E, F, H>(
        &self,
        source: &Source,
        stretches: Stretches,
        window: &mut Window<'_, T, F, H>,
    ) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        let file = Arc::new(StretchedFile {
            source: source.clone(),
            stretches,
            numbering: Numbering::default(),
        });
        for nth in 0..file.stretches.count() {
            match file.stretches.extent(nth) {
                Extent::Nothing => drop(file.numbering.turn(nth)),
                Extent::Usual => {
                    let job = Job::Stretch(Arc::clone(&file), nth);
                    self.queue.push((window.ticket()?, job));
                }
                Extent::Long => {
                    let begin = |chunk| self.begin_chunk(source, chunk, window);
                    let end = self.run.read_long(&file, nth, &self.buffers, begin)?;
                    window.read(end)?;
                }
            }
        }
        Ok(())
    }

    fn begin_chunk<E, F, H>(
        &self,
        source: &Source,
        chunk: Chunk,
        window: &mut Window<'_, T, F, H>,
    ) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        let job = Job::Chunk(source.clone(), Box::new(chunk));
        self.queue.push((window.ticket()?, job));
        Ok(())
    }

    fn do_job(&self, desk: &Desk<S>, (ticket, job): (Ticket, Job)) {
        match job {
            Job::Chunk(source, chunk) => self.outbox.answer(&self.stopped, ticket, || Worked {
                parts: vec![self.do_chunk(desk, &source, *chunk, &self.buffers)],
                end: None,
            }),
            Job::Stretch(file, nth) => {
                let turn = (!self.run.is_unplaced()).then(|| file.numbering.turn(nth));
                self.outbox.answer(&self.stopped, ticket, || {
                    self.do_stretch(desk, &file, nth, turn)
                });
            }
        }
    }

    fn do_stretch(
        &self,
        desk: &Desk<S>,
        file: &StretchedFile,
        nth: u64,
        turn: Option<Turn<'_>>,
    ) -> Worked<T> {
        let (source, stretches, buffers) = (&file.source, &file.stretches, &desk.buffers);
        let mut parts = Vec::new();
        let each = |chunk| {
            parts.push(self.do_chunk(desk, source, chunk, buffers));
            Ok::<(), Infallible>(())
        };
        let Ok(end) = match turn {
            None => self.run.read_stretch(source, stretches, nth, buffers, each),
            Some(turn) => self
                .run
                .place_stretch(source, stretches, nth, turn, buffers, each),
        };
        Worked {
            parts,
            end: Some(end),
        }
    }

    /// Does the work on a chunk, whose memory goes to `buffers`.
    fn do_chunk(
        &self,
        desk: &Desk<S>,
        source: &Source,
        mut chunk: Chunk,
        buffers: &Buffers,
    ) -> Part<T> {
        let found = self.run.find_games(&mut chunk);
        self.run.selection.apply(&mut chunk);
        let mut kept = lock(&desk.scratch);
        let value = (self.work)(kept.get_or_insert_with(&self.scratch), source, &chunk);
        let part = Part::of(source, &chunk, found, value);
        buffers.recycle(chunk);
        part
    }
}

/// Stops all work at the end, also that of a panic.
struct Stopping<'a, J> {
    queue: &'a Queue<J>,
    stopped: &'a AtomicBool,
}

impl<J> Drop for Stopping<'_, J> {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.queue.close();
    }
}
