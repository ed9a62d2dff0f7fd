//! Chunks in parallel, results in file order.
//!
//! The calling thread reads, splits and emits; a pool of threads works. Results wait in a window until those before
//! them are out, and nothing more is read while the window is full: memory is bounded by threads × chunk size, and the
//! order of the output does not depend on the number of threads.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use crate::error::Error;
use crate::input::{Buffers, CHUNK_BYTES, Chunk, Chunks, GameNo, Likely, Offset, Source, Stream};
use crate::judge::selection::Selection;
use crate::output::progress::Bar;

/// How many chunks a thread may be ahead of the output: one in work, and two so that neither reading nor one slow chunk
/// lets the others wait.
const CHUNKS_PER_JOB: usize = 3;

/// How the sources of a run are worked through.
#[derive(Clone, Debug)]
pub struct Run {
    /// Threads that work; with 0 or 1 the calling thread does everything.
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

/// What a run emits, in the order of the sources and of the chunks in each.
#[derive(Debug)]
pub enum Item<T> {
    /// What was made of a chunk.
    Part(Part<T>),
    /// Nothing more comes from a source.
    End(SourceEnd),
}

/// What was made of one chunk, and which chunk it was.
#[derive(Debug)]
pub struct Part<T> {
    /// The source.
    pub source: Source,
    /// Where the chunk begins in the source's text.
    pub byte: Offset,
    /// The number of its first game.
    pub first_game: GameNo,
    /// How many games it holds, those not chosen included.
    pub games: u64,
    /// How many of them had not been found when the chunk was read, so that [`SourceEnd::games`] lacks them.
    pub found: u64,
    /// How many of them were not chosen.
    pub aside: u64,
    /// How many bytes they take up.
    pub bytes: u64,
    /// What the work returned.
    pub value: T,
}

/// How reading one source ended.
#[derive(Debug)]
pub struct SourceEnd {
    /// The source; a member, where an archive was read.
    pub source: Source,
    /// How many games were found in it while it was read.
    pub games: u64,
    /// How many bytes of its text belong to them.
    pub bytes: u64,
    /// How many bytes of its text have been read: more than belong to games only where `error` says why.
    pub read: u64,
    /// Why it could not be read to its end; also when it holds no game.
    pub error: Option<Error>,
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
        let output = Output {
            emit,
            bar: &self.bar,
            raw: Arc::default(),
            games: 0,
        };
        let outcome = if self.jobs <= 1 {
            self.inline(sources, scratch, work, output)
        } else {
            match pool(self.jobs) {
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
        let mut scratch = scratch();
        for source in sources {
            for (source, text) in source.texts(Arc::clone(&output.raw), self.jobs) {
                let end = self.read(&source, text, &buffers, |mut chunk| {
                    let found = self.find_games(&mut chunk);
                    self.selection.apply(&mut chunk);
                    let value = work(&mut scratch, &source, &chunk);
                    let part = Part::of(&source, &chunk, found, value);
                    buffers.recycle(chunk);
                    output.emit(Item::Part(part))
                })?;
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
        let buffers = Buffers::default();
        let scratches = Mutex::new(Vec::new());
        let stopped = AtomicBool::new(false);
        let (done, results) = mpsc::channel();
        let do_chunk = |source: &Source, mut chunk: Chunk| {
            let found = self.find_games(&mut chunk);
            self.selection.apply(&mut chunk);
            let idle = lock(&scratches).pop();
            let mut scratch = idle.unwrap_or_else(&scratch);
            let value = work(&mut scratch, source, &chunk);
            lock(&scratches).push(scratch);
            let part = Part::of(source, &chunk, found, value);
            buffers.recycle(chunk);
            part
        };
        let (do_chunk, stopped, buffers) = (&do_chunk, &stopped, &buffers);
        pool.in_place_scope(|scope| {
            let raw = Arc::clone(&output.raw);
            let mut window = Window {
                slots: VecDeque::new(),
                first: 0,
                waiting: 0,
                results,
                output,
            };
            let mut feed = || {
                for source in sources {
                    for (source, text) in source.texts(Arc::clone(&raw), self.jobs) {
                        let end = self.read(&source, text, buffers, |chunk| {
                            let ticket = window.ticket(self.jobs * CHUNKS_PER_JOB)?;
                            let done = done.clone();
                            let source = source.clone();
                            scope.spawn(move |_| {
                                if !stopped.load(Ordering::Relaxed) {
                                    let result =
                                        catch_unwind(AssertUnwindSafe(|| do_chunk(&source, chunk)));
                                    // Nobody listens any more after a stop.
                                    let _ = done.send((ticket, result));
                                }
                            });
                            Ok(())
                        })?;
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

    /// Reads one text and hands its chunks to `each`, whose failure ends the reading.
    fn read<E>(
        &self,
        source: &Source,
        text: Result<Stream, Error>,
        buffers: &Buffers,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<SourceEnd, E> {
        let mut end = SourceEnd {
            source: source.clone(),
            games: 0,
            bytes: 0,
            read: 0,
            error: None,
        };
        match text {
            Ok(mut stream) => {
                let encoding = stream.encoding();
                let chunks = Chunks::new(&mut stream, source, self.chunk_bytes, buffers.clone());
                let mut chunks = chunks.encoded(encoding);
                if self.unplaced.is_some() && !self.selection.asks_for_numbers() {
                    chunks = chunks.unplaced();
                }
                for chunk in chunks {
                    match chunk {
                        Ok(chunk) => {
                            end.games += chunk.game_count() as u64;
                            end.bytes += chunk.bytes().len() as u64;
                            each(chunk)?;
                        }
                        Err(error) => end.error = Some(error),
                    }
                }
                end.read = stream.delivered();
            }
            Err(error) => end.error = Some(error),
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

impl<T> Part<T> {
    fn of(source: &Source, chunk: &Chunk, found: u64, value: T) -> Part<T> {
        Part {
            source: source.clone(),
            byte: chunk.byte(),
            first_game: chunk.first_game(),
            games: chunk.game_count() as u64,
            found,
            aside: chunk.aside_count() as u64,
            bytes: chunk.bytes().len() as u64,
            value,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The one place where items leave the run.
struct Output<'b, F> {
    emit: F,
    bar: &'b Bar,
    /// Stored bytes read so far.
    raw: Arc<AtomicU64>,
    /// Games emitted so far.
    games: u64,
}

impl<F> Output<'_, F> {
    fn emit<T, E>(&mut self, item: Item<T>) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
    {
        if let Item::Part(part) = &item {
            self.games += part.games;
            self.bar.at(self.raw.load(Ordering::Relaxed), self.games);
        }
        (self.emit)(item)
    }
}

/// A place in the order of the items, from 0.
#[derive(Clone, Copy)]
struct Ticket(u64);

/// What a thread sends back: the part, or the panic that took its place.
type Finished<T> = (Ticket, Result<Part<T>, Box<dyn Any + Send>>);

/// The items from the first that is not out yet to the last that was begun.
struct Window<'b, T, F> {
    /// What is there; `None` where a thread still works. The first is always `None`: what is complete goes out at once.
    slots: VecDeque<Option<Item<T>>>,
    /// The ticket of the first slot.
    first: u64,
    /// How many slots belong to chunks.
    waiting: usize,
    results: Receiver<Finished<T>>,
    output: Output<'b, F>,
}

impl<T, E, F: FnMut(Item<T>) -> Result<(), E>> Window<'_, T, F> {
    /// Makes room for another chunk, when fewer than `limit` are under way.
    fn ticket(&mut self, limit: usize) -> Result<Ticket, E> {
        while let Ok(finished) = self.results.try_recv() {
            self.place(finished)?;
        }
        while self.waiting >= limit {
            self.wait()?;
        }
        let ticket = Ticket(self.first + self.slots.len() as u64);
        self.slots.push_back(None);
        self.waiting += 1;
        Ok(ticket)
    }

    fn end(&mut self, end: SourceEnd) -> Result<(), E> {
        self.slots.push_back(Some(Item::End(end)));
        self.let_out()
    }

    fn finish(&mut self) -> Result<(), E> {
        while self.waiting > 0 {
            self.wait()?;
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), E> {
        let finished = self
            .results
            .recv()
            .expect("the sender is alive while a chunk is under way");
        self.place(finished)
    }

    fn place(&mut self, (ticket, result): Finished<T>) -> Result<(), E> {
        match result {
            Ok(part) => {
                self.slots[(ticket.0 - self.first) as usize] = Some(Item::Part(part));
                self.let_out()
            }
            Err(panic) => resume_unwind(panic),
        }
    }

    fn let_out(&mut self) -> Result<(), E> {
        while let Some(slot) = self.slots.front_mut()
            && let Some(item) = slot.take()
        {
            self.slots.pop_front();
            self.first += 1;
            self.waiting -= usize::from(matches!(item, Item::Part(_)));
            self.output.emit(item)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
