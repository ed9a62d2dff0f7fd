//! The threads of a run.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::item::{Item, SourceEnd};
use super::job::{Desk, Job, StretchedFile, Task};
use super::numbering::{Numbering, Turn};
use super::queue::Queue;
use super::window::{Outbox, Output, Room, Ticket, Window, Worked};
use super::workers::Team;
use super::{CHUNKS_PER_JOB, Run};
use crate::input::{Buffers, Chunk, Extent, STRETCH_BYTES, Source, Stretches};
use crate::sync::lock;

/// The calling thread and those of a pool, what they do, and what they have at hand.
pub(super) struct Crew<'r, S, T, N, W, G> {
    run: &'r Run,
    task: Task<N, W, G>,
    team: Team<'r>,
    /// As many as threads, in the order of [`Team::own`].
    desks: Vec<Desk<S>>,
    /// Begun in this order, as each stretch of a file waits for those before.
    queue: Queue<(Ticket, Job)>,
    outbox: Outbox<T>,
    stopped: AtomicBool,
}

/// How long the last stretches of a file are, in bytes: no thread is the last one for long.
const LAST: u64 = 64 << 10;

/// How much memory may be taken up by what waits for its turn, in bytes: so much, and so much more for each thread.
const ROOM: usize = 8 << 20;
const ROOM_PER_JOB: usize = 2 << 20;

impl<'r, S, T, N, W, G> Crew<'r, S, T, N, W, G>
where
    S: Send,
    T: Send,
    N: Fn() -> S + Sync,
    W: Fn(&mut S, &Source, &Chunk) -> T + Sync,
    G: Fn(&T) -> usize + Sync,
{
    /// A team of as many as the run has jobs, who do the task.
    pub fn new(run: &'r Run, team: Team<'r>, task: Task<N, W, G>) -> Self {
        Crew {
            run,
            task,
            desks: team.own.iter().map(Desk::new).collect(),
            team,
            queue: Queue::default(),
            outbox: Outbox::new(ROOM + ROOM_PER_JOB * run.jobs),
            stopped: AtomicBool::new(false),
        }
    }

    /// Works through the sources.
    pub fn run<E>(
        &self,
        sources: &[Source],
        output: Output<'_, impl FnMut(Item<T>) -> Result<(), E>>,
    ) -> Result<(), E> {
        let pool = self.team.pool;
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                let desk = &self.desks[context.index()];
                // Once work has been taken it is done, as others may wait for what it tells.
                loop {
                    self.outbox.room().wait();
                    match self.queue.wait() {
                        Some(job) => self.do_job(desk, job),
                        None => break,
                    }
                }
            });
            let _stopping = Stopping {
                queue: &self.queue,
                room: self.outbox.room(),
                stopped: &self.stopped,
            };
            let own = self.desks.last().expect("the calling thread has one");
            let help = || {
                // Where there is no room, others are at what is waited for.
                let job = match self.outbox.room().is_full() {
                    true => None,
                    false => self.queue.pop(),
                };
                job.map(|job| self.do_job(own, job)).is_some()
            };
            let limit = self.run.jobs * CHUNKS_PER_JOB;
            let mut window = Window::new(&self.outbox, limit, help, output);
            for source in sources {
                self.feed(source, &mut window)?;
            }
            self.queue.close();
            window.finish()
        })
    }

    /// Reads a source, or leaves that to whoever comes next.
    fn feed<E, F, H>(&self, source: &Source, window: &mut Window<'_, T, F, H>) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        let stored = Arc::default();
        for (source, text) in source.texts(Arc::clone(&stored), self.run.jobs) {
            let end = match self.run.stretches(&source, &text) {
                Some(stretches) => {
                    self.feed_stretches(&source, stretches, window)?;
                    SourceEnd::of(&source)
                }
                None => {
                    let begin = |chunk| self.begin_chunk(&source, chunk, window);
                    let pace = &self.task.pace;
                    self.run
                        .read(&source, text, self.team.common, pace, &stored, begin)?
                }
            };
            window.end(end)?;
        }
        Ok(())
    }

    fn feed_stretches<E, F, H>(
        &self,
        source: &Source,
        mut stretches: Stretches,
        window: &mut Window<'_, T, F, H>,
    ) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
        H: Fn() -> bool,
    {
        let file = Arc::new(StretchedFile {
            source: source.clone(),
            text: Arc::clone(stretches.text()),
            numbering: Numbering::default(),
        });
        for nth in 0.. {
            // Nothing behind what could not be read counts.
            if file.numbering.has_failed() {
                break;
            }
            // The fewer bytes are left for each thread, the shorter.
            let share = stretches.left() / (4 * self.run.jobs as u64);
            let most = share.clamp(LAST, STRETCH_BYTES) as usize;
            let wanted = self.task.pace.bytes(most) as u64;
            let Some(extent) = stretches.next(wanted) else {
                break;
            };
            if extent.is_long() {
                // What stands before it is known when all before it has been read.
                window.finish()?;
                let (turn, stretch) = (file.numbering.turn(nth), file.text.stretch(extent));
                let begin = |chunk| self.begin_chunk(source, chunk, window);
                let end = self.run.read_long(
                    source,
                    stretch,
                    turn,
                    self.team.common,
                    &self.task.pace,
                    begin,
                )?;
                window.read(end)?;
            } else {
                let job = Job::Stretch(Arc::clone(&file), nth, extent);
                self.queue.push((window.ticket()?, job));
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
            Job::Chunk(source, chunk) => self.outbox.answer(&self.stopped, ticket, || {
                let mut worked = Worked::default();
                self.do_chunk(desk, &source, *chunk, self.team.common, &mut worked);
                worked
            }),
            Job::Stretch(file, nth, extent) => {
                let turn = file.numbering.turn(nth);
                self.outbox.answer(&self.stopped, ticket, || {
                    self.do_stretch(desk, &file, extent, turn)
                });
            }
        }
    }

    fn do_stretch(
        &self,
        desk: &Desk<S>,
        file: &StretchedFile,
        extent: Extent,
        turn: Turn<'_>,
    ) -> Worked<T> {
        let (source, stretch) = (&file.source, file.text.stretch(extent));
        let buffers = &desk.buffers;
        let mut worked = Worked::default();
        let each = |chunk| {
            self.do_chunk(desk, source, chunk, buffers, &mut worked);
            Ok::<(), Infallible>(())
        };
        let Ok(end) = self.run.read_in_turn(source, stretch, turn, buffers, each);
        worked.end = Some(end);
        worked
    }

    /// Does the work on a chunk, whose memory goes to `buffers`.
    fn do_chunk(
        &self,
        desk: &Desk<S>,
        source: &Source,
        chunk: Chunk,
        buffers: &Buffers,
        worked: &mut Worked<T>,
    ) {
        let part = self.run.part(source, chunk, buffers, |chunk| {
            let mut kept = lock(&desk.scratch);
            (self.task.work)(kept.get_or_insert_with(&self.task.scratch), source, chunk)
        });
        let weight = (self.task.weigh)(&part.value);
        self.task.pace.learn(part.bytes, weight);
        worked.weight += weight;
        worked.parts.push(part);
    }
}

/// Stops all work at the end, also that of a panic.
struct Stopping<'a, J> {
    queue: &'a Queue<J>,
    room: &'a Room,
    stopped: &'a AtomicBool,
}

impl<J> Drop for Stopping<'_, J> {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.queue.close();
        self.room.stop();
    }
}
