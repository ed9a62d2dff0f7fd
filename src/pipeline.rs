//! Chunks in parallel, results in file order.
//!
//! The calling thread reads, splits and emits; a pool of threads works. Where the work does not ask for the places of games, a
//! large file of plain text is read and split by the pool, each thread in another [stretch](Stretches) of it. Results wait in a window until those before
//! them are out, and nothing more is read while the window is full: memory is bounded by threads × chunk size, and the
//! order of the output does not depend on the number of threads.

use std::any::Any;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use crate::error::Error;
use crate::input::{
    Buffers, CHUNK_BYTES, Chunk, Chunks, Form, GameNo, Likely, Offset, Source, Stream, Stretches,
};
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
        let do_stretch = |source: &Source, stretches: &Stretches, nth| {
            let mut parts = Vec::new();
            let end = self.read_stretch(source, stretches, nth, &buffers, |chunk| {
                parts.push(do_chunk(source, chunk));
                Ok::<(), Infallible>(())
            });
            let Ok(end) = end;
            Worked {
                parts,
                end: Some(end),
            }
        };
        let (do_chunk, do_stretch) = (&do_chunk, &do_stretch);
        let (stopped, buffers) = (&stopped, &buffers);
        pool.in_place_scope(|scope| {
            let raw = Arc::clone(&output.raw);
            let mut window = Window {
                slots: VecDeque::new(),
                first: 0,
                waiting: 0,
                results,
                stretches: None,
                output,
            };
            let limit = self.jobs * CHUNKS_PER_JOB;
            let mut feed = || {
                for source in sources {
                    for (source, text) in source.texts(Arc::clone(&raw), self.jobs) {
                        let end = match self.stretches(&source, &text, &raw) {
                            None => self.read(&source, text, buffers, |chunk| {
                                let source = source.clone();
                                let (ticket, done) = (window.ticket(limit)?, done.clone());
                                scope.spawn(move |_| {
                                    let work = || Worked {
                                        parts: vec![do_chunk(&source, chunk)],
                                        end: None,
                                    };
                                    answer(stopped, &done, ticket, work);
                                });
                                Ok(())
                            })?,
                            Some(stretches) => {
                                let stretches = Arc::new(stretches);
                                for nth in 0..stretches.count() {
                                    let source = source.clone();
                                    let stretches = Arc::clone(&stretches);
                                    let (ticket, done) = (window.ticket(limit)?, done.clone());
                                    scope.spawn(move |_| {
                                        let work = || do_stretch(&source, &stretches, nth);
                                        answer(stopped, &done, ticket, work);
                                    });
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

    /// The stretches in which a source can be read, where the work allows for it.
    fn stretches(
        &self,
        source: &Source,
        text: &Result<Stream, Error>,
        raw: &Arc<AtomicU64>,
    ) -> Option<Stretches> {
        let is_plain = source.form() == Form::Pgn && text.as_ref().is_ok_and(Stream::is_as_stored);
        match self.is_unplaced() && is_plain {
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
            end.take_in(chunks, each)?;
            end.read = stretch.delivered();
        }
        Ok(end)
    }
}

impl SourceEnd {
    /// Of a source of which nothing has been read.
    fn of(source: &Source) -> SourceEnd {
        SourceEnd {
            source: source.clone(),
            games: 0,
            bytes: 0,
            read: 0,
            error: None,
        }
    }

    /// Hands chunks to `each`, and counts what is in them.
    fn take_in<E>(
        &mut self,
        chunks: impl Iterator<Item = Result<Chunk, Error>>,
        mut each: impl FnMut(Chunk) -> Result<(), E>,
    ) -> Result<(), E> {
        for chunk in chunks {
            match chunk {
                Ok(chunk) => {
                    self.games += chunk.game_count() as u64;
                    self.bytes += chunk.bytes().len() as u64;
                    each(chunk)?;
                }
                Err(error) => self.error = Some(error),
            }
        }
        Ok(())
    }
}

/// What was read of the same source behind it.
impl AddAssign for SourceEnd {
    fn add_assign(&mut self, more: SourceEnd) {
        self.games += more.games;
        self.bytes += more.bytes;
        self.read += more.read;
        self.error = self.error.take().or(more.error);
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

/// What a thread has done: a chunk, or a stretch of a text and how reading that ended.
struct Worked<T> {
    parts: Vec<Part<T>>,
    end: Option<SourceEnd>,
}

/// What a thread sends back: what it has done, or the panic that took its place.
type Finished<T> = (Ticket, Result<Worked<T>, Box<dyn Any + Send>>);

/// Does some work and sends what comes of it, unless all work has been stopped.
fn answer<T>(
    stopped: &AtomicBool,
    done: &Sender<Finished<T>>,
    ticket: Ticket,
    work: impl FnOnce() -> Worked<T>,
) {
    if !stopped.load(Ordering::Relaxed) {
        let result = catch_unwind(AssertUnwindSafe(work));
        // Nobody listens any more after a stop.
        let _ = done.send((ticket, result));
    }
}

/// What waits for its turn.
enum Waiting<T> {
    Worked(Worked<T>),
    End(SourceEnd),
}

/// The items from the first that is not out yet to the last that was begun.
struct Window<'b, T, F> {
    /// What is there; `None` where a thread still works. The first is always `None`: what is complete goes out at once.
    slots: VecDeque<Option<Waiting<T>>>,
    /// The ticket of the first slot.
    first: u64,
    /// How many slots belong to threads.
    waiting: usize,
    results: Receiver<Finished<T>>,
    /// How reading the source's stretches ended that are out.
    stretches: Option<SourceEnd>,
    output: Output<'b, F>,
}

impl<T, E, F: FnMut(Item<T>) -> Result<(), E>> Window<'_, T, F> {
    /// Makes room for another piece of work, when fewer than `limit` are under way.
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

    /// Ends a source; what its stretches tell is added when they are out.
    fn end(&mut self, end: SourceEnd) -> Result<(), E> {
        self.slots.push_back(Some(Waiting::End(end)));
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
            Ok(worked) => {
                self.slots[(ticket.0 - self.first) as usize] = Some(Waiting::Worked(worked));
                self.let_out()
            }
            Err(panic) => resume_unwind(panic),
        }
    }

    fn let_out(&mut self) -> Result<(), E> {
        while let Some(slot) = self.slots.front_mut()
            && let Some(ready) = slot.take()
        {
            self.slots.pop_front();
            self.first += 1;
            match ready {
                Waiting::Worked(Worked { parts, end }) => {
                    self.waiting -= 1;
                    match (&mut self.stretches, end) {
                        (Some(sum), Some(end)) => *sum += end,
                        (sum, end) => *sum = end,
                    }
                    for part in parts {
                        self.output.emit(Item::Part(part))?;
                    }
                }
                Waiting::End(mut end) => {
                    if let Some(sum) = self.stretches.take() {
                        end += sum;
                    }
                    self.output.emit(Item::End(end))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
