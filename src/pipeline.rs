//! Chunks in parallel, results in file order.
//!
//! The calling thread reads, splits and emits, and where it would wait, it works like the others, which are those of a pool.
//! A large file of plain text is read and split by all threads, each in another [stretch](Stretches) of it, and each learns
//! from those before which number its first game has, and on which line it is. Results wait in a window until those before
//! them are out, and nothing more is read while the window is full: memory is bounded by threads × chunk size, and the order
//! of the output does not depend on the number of threads.

mod item;
mod job;
mod numbering;
mod queue;
mod window;

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use crate::error::Error;
use crate::input::{
    Buffers, CHUNK_BYTES, Chunk, Chunks, Extent, Form, GameNo, Likely, Source, Stream, Stretches,
};
use crate::judge::selection::Selection;
use crate::output::progress::Bar;
use job::{Desk, Job, StretchedFile};
use numbering::{Held, Numbering, Turn};
use queue::Queue;
use window::{Outbox, Output, Ticket, Window, Worked};

pub use item::{Item, Part, SourceEnd};

/// How many chunks a thread may be ahead of the output: one in work, and three so that neither reading nor one slow chunk lets
/// the others wait.
const CHUNKS_PER_JOB: usize = 4;

/// How the sources of a run are worked through.
#[derive(Clone, Debug)]
pub struct Run {
    /// Threads that work, the calling one among them; with 0 or 1 it does everything.
    pub jobs: usize,
    /// About how much text is handed to a thread at once, in bytes.
    pub chunk_bytes: usize,
    /// Shows how far the run has come.
    pub bar: Bar,
    /// Which games are worked on.
    pub selection: Selection,
    /// That the work does not ask for the numbers, lines and oddities of games, so that threads can find them by
    /// themselves ([`Chunks::unplaced`]); then the names of the tags that are noted on the way. Where the selection asks for
    /// numbers, all of them are there all the same.
    pub unplaced: Option<Likely>,
}

impl Default for Run {
    /// One thread, chunks of [`CHUNK_BYTES`], and nothing shown.
    fn default() -> Run {
        Run {
            jobs: 1,
            chunk_bytes: CHUNK_BYTES,
            bar: Bar::default(),
            selection: Selection::default(),
            unplaced: None,
        }
    }
}

/// How much text is handed to a thread that finds the games by itself, in bytes: it then looks at every byte twice, and
/// should have it at hand the second time.
const UNPLACED_BYTES: usize = 128 << 10;

impl Run {
    /// For work that does not ask for the numbers, lines and oddities of games, and of their tag pairs only for those of the
    /// `wanted` names.
    #[must_use]
    pub fn unplaced(self, mut wanted: Likely) -> Run {
        for name in self.selection.tags() {
            wanted.add(name);
        }
        Run {
            unplaced: Some(wanted),
            chunk_bytes: UNPLACED_BYTES,
            ..self
        }
    }

    /// Does `work` on every chunk of every source, and emits what it returns in file order.
    ///
    /// `scratch` makes what a thread wants to keep between chunks: at most one for each thread is made, and what is
    /// left in it must not change what `work` returns. `emit` runs on the calling thread; when it fails, nothing more
    /// is read or emitted. A source that cannot be read is told by its [`SourceEnd`], and does not keep the others from
    /// being read.
    ///
    /// # Errors
    ///
    /// What `emit` returned, or [`Error::Threads`].
    ///
    /// # Panics
    ///
    /// When `scratch`, `work` or `emit` panics.
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
        let total = sources.iter().map(Source::size_hint).sum();
        self.bar.start(total);
        let output = Output::new(emit, &self.bar);
        let outcome = if self.jobs <= 1 {
            self.inline(sources, scratch, work, output)
        } else {
            // The calling thread works too.
            match pool(self.jobs - 1) {
                Ok(pool) => self.parallel(&pool, sources, scratch, work, output),
                Err(error) => Err(error.into()),
            }
        };
        self.bar.clear();
        outcome
    }

    /// Does `work` on every chunk, and merges what it returns into `whole`, in file order.
    ///
    /// As [`Run::in_order`] otherwise.
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

    /// Finds the games of a chunk, where nobody has done so: how many they are.
    fn find_games(&self, chunk: &mut Chunk) -> u64 {
        self.unplaced
            .as_ref()
            .map_or(0, |wanted| chunk.find_games(wanted))
    }

    fn inline<S, T, E>(
        &self,
        sources: &[Source],
        scratch: impl Fn() -> S,
        work: impl Fn(&mut S, &Source, &Chunk) -> T,
        mut output: Output<'_, impl FnMut(Item<T>) -> Result<(), E>>,
    ) -> Result<(), E> {
        let buffers = Buffers::default();
        let raw = Arc::clone(&output.raw);
        let mut scratch = scratch();
        let mut do_chunk = |source: &Source, mut chunk: Chunk| {
            let found = self.find_games(&mut chunk);
            self.selection.apply(&mut chunk);
            let value = work(&mut scratch, source, &chunk);
            let part = Part::of(source, &chunk, found, value);
            buffers.recycle(chunk);
            part
        };
        for source in sources {
            for (source, text) in source.texts(Arc::clone(&raw), self.jobs) {
                let mut each = |chunk| output.emit(Item::Part(do_chunk(&source, chunk)));
                let end = match self.stretches(&source, &text, &raw) {
                    None => self.read(&source, text, &buffers, each)?,
                    Some(stretches) => {
                        let mut end = SourceEnd::of(&source);
                        for nth in 0..stretches.count() {
                            end +=
                                self.read_stretch(&source, &stretches, nth, &buffers, &mut each)?;
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

    fn parallel<S, T, E>(
        &self,
        pool: &ThreadPool,
        sources: &[Source],
        scratch: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &Source, &Chunk) -> T + Sync,
        output: Output<'_, impl FnMut(Item<T>) -> Result<(), E>>,
    ) -> Result<(), E>
    where
        S: Send,
        T: Send,
    {
        let buffers = &Buffers::default();
        let desks: Vec<Desk<S>> = (0..self.jobs).map(|_| Desk::default()).collect();
        // The last is that of the calling thread, which is not of the pool.
        let (own, others) = desks.split_last().expect("there is one for each thread");
        let do_chunk = |desk: &Desk<S>, source: &Source, mut chunk: Chunk, buffers: &Buffers| {
            let found = self.find_games(&mut chunk);
            self.selection.apply(&mut chunk);
            let mut kept = lock(&desk.scratch);
            let value = work(kept.get_or_insert_with(&scratch), source, &chunk);
            let part = Part::of(source, &chunk, found, value);
            buffers.recycle(chunk);
            part
        };
        let do_stretch = |desk: &Desk<S>, file: &StretchedFile, nth, turn: Option<Turn<'_>>| {
            let (source, stretches, buffers) = (&file.source, &file.stretches, &desk.buffers);
            let mut parts = Vec::new();
            let each = |chunk| {
                parts.push(do_chunk(desk, source, chunk, buffers));
                Ok::<(), Infallible>(())
            };
            let Ok(end) = match turn {
                None => self.read_stretch(source, stretches, nth, buffers, each),
                Some(turn) => self.place_stretch(source, stretches, nth, turn, buffers, each),
            };
            Worked {
                parts,
                end: Some(end),
            }
        };
        let stopped = AtomicBool::new(false);
        let outbox = Outbox::default();
        let do_job = |desk: &Desk<S>, (ticket, job): (Ticket, Job)| match job {
            Job::Chunk(source, chunk) => outbox.answer(&stopped, ticket, || Worked {
                parts: vec![do_chunk(desk, &source, *chunk, buffers)],
                end: None,
            }),
            Job::Stretch(file, nth) => {
                let turn = (!self.is_unplaced()).then(|| file.numbering.turn(nth));
                outbox.answer(&stopped, ticket, || do_stretch(desk, &file, nth, turn));
            }
        };
        // Begun in this order, as each stretch waits for those before.
        let queue = &Queue::default();
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                queue.arrive();
                while let Some(job) = queue.wait() {
                    do_job(&others[context.index()], job);
                }
            });
            let _stopping = Stopping {
                queue,
                stopped: &stopped,
            };
            let raw = Arc::clone(&output.raw);
            let help = || {
                // A thread that has been started may wait behind this one for a processor while another is idle, unless
                // this one pauses. Once it has run, the system knows better.
                queue.expect(others.len());
                queue.pop().map(|job| do_job(own, job)).is_some()
            };
            let limit = self.jobs * CHUNKS_PER_JOB;
            let mut window = Window::new(&outbox, limit, help, output);
            let begin = |window: &mut Window<'_, _, _, _>, job| {
                queue.push((window.ticket()?, job));
                Ok(())
            };
            let mut feed = || {
                for source in sources {
                    for (source, text) in source.texts(Arc::clone(&raw), self.jobs) {
                        let end = match self.stretches(&source, &text, &raw) {
                            None => self.read(&source, text, buffers, |chunk| {
                                begin(&mut window, Job::Chunk(source.clone(), Box::new(chunk)))
                            })?,
                            Some(stretches) => {
                                let file = Arc::new(StretchedFile {
                                    source: source.clone(),
                                    stretches,
                                    numbering: Numbering::default(),
                                });
                                for nth in 0..file.stretches.count() {
                                    match file.stretches.extent(nth) {
                                        Extent::Nothing => drop(file.numbering.turn(nth)),
                                        Extent::Usual => {
                                            begin(
                                                &mut window,
                                                Job::Stretch(Arc::clone(&file), nth),
                                            )?;
                                        }
                                        Extent::Long => {
                                            let end =
                                                self.read_long(&file, nth, buffers, |chunk| {
                                                    let job =
                                                        Job::Chunk(source.clone(), Box::new(chunk));
                                                    begin(&mut window, job)
                                                })?;
                                            window.read(end)?;
                                        }
                                    }
                                }
                                SourceEnd::of(&source)
                            }
                        };
                        window.end(end)?;
                    }
                }
                queue.close();
                window.finish()
            };
            feed()
        })
    }

    /// The stretches in which a source can be read, where that is of use.
    fn stretches(
        &self,
        source: &Source,
        text: &Result<Stream, Error>,
        raw: &Arc<AtomicU64>,
    ) -> Option<Stretches> {
        let is_plain = source.form() == Form::Pgn && text.as_ref().is_ok_and(Stream::is_as_stored);
        match (self.is_unplaced() || self.jobs > 1) && is_plain {
            true => Stretches::of(source, self.stretch_bytes(), self.jobs, Arc::clone(raw)),
            false => None,
        }
    }

    fn stretch_bytes(&self) -> u64 {
        256 << 10
    }

    fn is_unplaced(&self) -> bool {
        self.unplaced.is_some() && !self.selection.asks_for_numbers()
    }

    /// Reads one text and hands its chunks to `each`, whose failure ends the reading.
    fn read<E>(
        &self,
        source: &Source,
        text: Result<Stream, Error>,
        buffers: &Buffers,
        each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        match text {
            Ok(mut stream) => {
                let encoding = stream.encoding();
                let chunks = Chunks::new(&mut stream, source, self.chunk_bytes, buffers.clone());
                let mut chunks = chunks.encoded(encoding);
                if self.is_unplaced() {
                    chunks = chunks.unplaced();
                }
                end.take_in(chunks, each)?;
                end.read = stream.delivered();
            }
            Err(error) => end.error = Some(error),
        }
        Ok(end)
    }

    /// As [`Run::read`], with one stretch of a text.
    fn read_stretch<E>(
        &self,
        source: &Source,
        stretches: &Stretches,
        nth: u64,
        buffers: &Buffers,
        each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        if let Some(mut stretch) = stretches.text(nth) {
            let chunks = stretch.chunks(source, self.chunk_bytes, buffers.clone());
            end.take_in(chunks.unplaced(), each)?;
            end.read = stretch.delivered();
        }
        Ok(end)
    }

    /// As [`Run::read_stretch`], for work that asks for the numbers, lines and oddities of games.
    fn place_stretch<E>(
        &self,
        source: &Source,
        stretches: &Stretches,
        nth: u64,
        turn: Turn<'_>,
        buffers: &Buffers,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd::of(source);
        let (mut held, mut split) = (Held::default(), Vec::new());
        if let Some(mut stretch) = stretches.text(nth) {
            let chunks = stretch.chunks(source, self.chunk_bytes, buffers.clone());
            end.take_in(chunks, |chunk| {
                held.add(&chunk);
                split.push(chunk);
                Ok(())
            })?;
            end.read = stretch.delivered();
        }
        let mut before = turn.tell(held);
        for mut chunk in split {
            chunk.place_behind(before.games, before.lines, &before.told);
            before.add(&chunk);
            each(chunk)?;
        }
        number_giant(&mut end, &before);
        Ok(end)
    }

    /// Reads a stretch that is so long that its chunks go out one by one.
    fn read_long<E>(
        &self,
        file: &StretchedFile,
        nth: u64,
        buffers: &Buffers,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let (source, stretches) = (&file.source, &file.stretches);
        if self.is_unplaced() {
            return self.read_stretch(source, stretches, nth, buffers, each);
        }
        let turn = file.numbering.turn(nth);
        let mut before = turn.ahead();
        let (mut end, mut held) = (SourceEnd::of(source), Held::default());
        if let Some(mut stretch) = stretches.text(nth) {
            let chunks = stretch.chunks(source, self.chunk_bytes, buffers.clone());
            end.take_in(chunks, |mut chunk| {
                held.add(&chunk);
                chunk.place_behind(before.games, before.lines, &before.told);
                before.add(&chunk);
                each(chunk)
            })?;
            end.read = stretch.delivered();
        }
        number_giant(&mut end, &before);
        turn.tell(held);
        Ok(end)
    }
}

/// Says which game was too large, where that is all that is not known of it.
fn number_giant(end: &mut SourceEnd, before: &Held) {
    if let Some(Error::GameTooLarge { game, .. }) = &mut end.error {
        *game = Some(GameNo(before.games + 1));
    }
}

/// Threads to work on.
///
/// # Errors
///
/// [`Error::Threads`] if the system does not give so many.
pub fn pool(threads: usize) -> Result<ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("worker-{n}"))
        .build()
        .map_err(|error| Error::Threads {
            wanted: threads,
            cause: error.to_string(),
        })
}

/// How long a thread that has nothing to do looks out for something before it is laid to sleep: about as long as it takes to
/// wake it.
const PATIENCE: Duration = Duration::from_micros(50);

/// Whether something comes true soon, without sleeping.
fn soon(comes_true: impl Fn() -> bool) -> bool {
    if comes_true() {
        return true;
    }
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        for _ in 0..16 {
            std::hint::spin_loop();
        }
        if comes_true() {
            return true;
        }
    }
    false
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

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
