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
mod window;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use crate::error::Error;
use crate::input::{
    Buffers, CHUNK_BYTES, Chunk, Chunks, Form, GameNo, Likely, Source, Stream, Stretches,
};
use crate::judge::selection::Selection;
use crate::output::progress::Bar;
use job::{Desk, Job, StretchedFile};
use numbering::{Held, Numbering, Turn};
use window::{Outbox, Output, Window, Worked};

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
        let desk = || &desks[pool.current_thread_index().unwrap_or(self.jobs - 1)];
        let do_chunk = |source: &Source, mut chunk: Chunk, buffers: &Buffers| {
            let found = self.find_games(&mut chunk);
            self.selection.apply(&mut chunk);
            let idle = lock(&desk().scratch).take();
            let mut scratch = idle.unwrap_or_else(&scratch);
            let value = work(&mut scratch, source, &chunk);
            *lock(&desk().scratch) = Some(scratch);
            let part = Part::of(source, &chunk, found, value);
            buffers.recycle(chunk);
            part
        };
        let do_stretch = |file: &StretchedFile, nth, turn: Turn<'_>| {
            let (source, stretches, buffers) = (&file.source, &file.stretches, &desk().buffers);
            let mut parts = Vec::new();
            let each = |chunk| {
                parts.push(do_chunk(source, chunk, buffers));
                Ok::<(), Infallible>(())
            };
            let Ok(end) = match self.is_unplaced() {
                true => self.read_stretch(source, stretches, nth, buffers, each),
                false => self.place_stretch(source, stretches, nth, turn, buffers, each),
            };
            Worked {
                parts,
                end: Some(end),
            }
        };
        let stopped = AtomicBool::new(false);
        let outbox = Outbox::default();
        // Begun in this order, as each stretch waits for those before.
        let todo = Mutex::new(VecDeque::new());
        let do_next = || {
            let first = lock(&todo).pop_front();
            let is_work = first.is_some();
            match first {
                Some((ticket, Job::Chunk(source, chunk))) => {
                    outbox.answer(&stopped, ticket, || Worked {
                        parts: vec![do_chunk(&source, *chunk, buffers)],
                        end: None,
                    });
                }
                Some((ticket, Job::Stretch(file, nth))) => {
                    let turn = file.numbering.turn(nth);
                    outbox.answer(&stopped, ticket, || do_stretch(&file, nth, turn));
                }
                None => {}
            }
            is_work
        };
        let (do_next, todo) = (&do_next, &todo);
        // A thread that has been started may wait behind this one for a processor while another is idle. Once it has run, the
        // system knows better.
        pool.broadcast(|_| ());
        pool.in_place_scope(|scope| {
            let raw = Arc::clone(&output.raw);
            let limit = self.jobs * CHUNKS_PER_JOB;
            let mut window = Window::new(&outbox, limit, do_next, output);
            let begin = |window: &mut Window<'_, _, _, _>, job| {
                let ticket = window.ticket()?;
                lock(todo).push_back((ticket, job));
                scope.spawn(|_| {
                    do_next();
                });
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
                                    begin(&mut window, Job::Stretch(Arc::clone(&file), nth))?;
                                }
                                SourceEnd::of(&source)
                            }
                        };
                        window.end(end)?;
                    }
                }
                window.finish()
            };
            let outcome = feed();
            stopped.store(true, Ordering::Relaxed);
            outcome
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
            true => Stretches::of(source, Arc::clone(raw)),
            false => None,
        }
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
        if let Some(Error::GameTooLarge { game, .. }) = &mut end.error {
            *game = Some(GameNo(before.games + 1));
        }
        Ok(end)
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

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
