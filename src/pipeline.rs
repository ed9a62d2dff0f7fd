//! Chunks in parallel, results in file order.
//!
//! The calling thread reads, splits and emits, and where it would wait, it works like the others, which are those of a pool.
//! A large file of plain text is read and split by all threads, each in another [stretch](crate::input::Stretches) of it, and
//! each learns from those before which number its first game has, and on which line it is. Results wait in a window until
//! those before them are out. Nothing more is read while the window is full, and nothing more is begun while what waits in it
//! takes up too much; where much comes of text, it is worked at in shorter pieces. So memory is bounded by the number of
//! threads, and the order of the output does not depend on it.

mod crew;
mod item;
mod job;
mod numbering;
mod pace;
mod queue;
mod reading;
mod window;
mod workers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::input::{Buffers, CHUNK_BYTES, Chunk, Likely, STRETCH_BYTES, Source};
use crate::judge::selection::Selection;
use crate::output::progress::{Bar, Measure};
use crew::Crew;
use job::Task;
use pace::Pace;
use window::Output;

pub use item::{Item, Part, SourceEnd};
pub use workers::{Workers, pool};

/// How many chunks a thread may be ahead of the output: one in work, and three so that neither reading nor one slow chunk lets
/// the others wait.
const CHUNKS_PER_JOB: usize = 4;

/// Of less than this, as it is stored, no further thread could get a share, however much it unpacks to, in bytes.
const FOR_A_THREAD: u64 = 4 << 10;

/// How the sources of a run are worked through.
#[derive(Clone, Debug)]
pub struct Run {
    /// Threads that work, the calling one among them; with 0 or 1 it does everything.
    pub jobs: usize,
    /// About how much text is handed to a thread at once, in bytes, where it is cut before: large files of plain text are cut
    /// into [stretches](crate::input::Stretches) first.
    pub chunk_bytes: usize,
    /// Shows how far the run has come.
    pub bar: Bar,
    /// Which games are worked on.
    pub selection: Selection,
    /// That the work does not ask for the numbers, lines and oddities of games, so that threads can find them by
    /// themselves ([`Chunks::unplaced`](crate::input::Chunks::unplaced)); then the names of the tags that are noted on the
    /// way. Where the selection asks for numbers, all of them are there all the same.
    pub unplaced: Option<Likely>,
    /// Threads and memory of earlier runs.
    pub workers: Workers,
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
            workers: Workers::default(),
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
    /// being read; no work is done on what stands in it behind the place that cannot be read.
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
        self.in_order_weighed(sources, scratch, work, |_| 0, emit)
    }

    /// As [`Run::in_order`], where much may come of a chunk: `weigh` says how much memory that takes up, in bytes. Where too
    /// much of it waits for its turn, nothing more is begun until some is out, and files are worked at in smaller pieces.
    ///
    /// # Errors
    ///
    /// Those of [`Run::in_order`].
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
        let pace = match size_of::<T>() {
            // Whatever the work, nothing waits.
            0 => Pace::of_nothing(),
            _ => Pace::default(),
        };
        let task = Task {
            scratch,
            work,
            weigh,
            pace,
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
                Ok(team) => Crew::new(&run, team, task).run(sources, output),
                Err(error) => Err(error.into()),
            }
        };
        self.workers.keep(kept);
        self.bar.clear();
        outcome
    }

    /// How many threads find something to do in so many sources and stored bytes, if these are known: to start one takes as
    /// long as to read many games.
    fn jobs_for(&self, sources: usize, stored: Option<u64>) -> usize {
        let most = stored.map(|bytes| sources.max(1) + (bytes / FOR_A_THREAD) as usize);
        self.jobs.min(most.unwrap_or(usize::MAX))
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

    /// Does `work` on the chosen games of a chunk, whose games are found here where nobody has found them, and whose memory
    /// goes to `buffers`.
    fn part<T>(
        &self,
        source: &Source,
        mut chunk: Chunk,
        buffers: &Buffers,
        work: impl FnOnce(&Chunk) -> T,
    ) -> Part<T> {
        let find = |wanted| chunk.find_games(wanted);
        let found = self.unplaced.as_ref().map_or(0, find);
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
            work, weigh, pace, ..
        } = &task;
        let mut scratch = (task.scratch)();
        let mut do_chunk = |source: &Source, chunk: Chunk| {
            let part = self.part(source, chunk, buffers, |chunk| {
                work(&mut scratch, source, chunk)
            });
            pace.learn(part.bytes, weigh(&part.value));
            part
        };
        for source in sources {
            let stored = Arc::default();
            for (source, text) in source.texts(Arc::clone(&stored), self.jobs) {
                let mut each = |chunk| output.emit(Item::Part(do_chunk(&source, chunk)));
                let end = match self.stretches(&source, &text) {
                    None => self.read(&source, text, buffers, pace, &stored, each)?,
                    Some(mut stretches) => {
                        let mut end = SourceEnd::of(&source);
                        while let Some(extent) = stretches.next(STRETCH_BYTES) {
                            let stretch = stretches.text().stretch(extent);
                            end += self.read_stretch(&source, stretch, buffers, &mut each)?;
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

    fn is_unplaced(&self) -> bool {
        self.unplaced.is_some() && !self.selection.asks_for_numbers()
    }
}

/// How long a thread that has nothing to do looks out for something before it is laid to sleep: about as long as it takes to
/// wake it.
const PATIENCE: Duration = Duration::from_micros(50);

/// Waits for something that may come true soon, without sleeping.
fn soon(comes_true: impl Fn() -> bool) {
    if comes_true() {
        return;
    }
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        // Others may need the processor, where there are more threads than processors.
        std::thread::yield_now();
        if comes_true() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
