//! Results of the workers, put in order.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

use crate::input::sync::{lock, wait};
use crate::input::{Source, SourceId};
use crate::pipeline::item::{Item, Part, SourceEnd};
use crate::pipeline::spin_wait;
use crate::report::progress::Bar;

/// Emits items and advances the progress bar.
pub(crate) struct Output<'b, F> {
    emit: F,
    bar: &'b Bar,
    /// Sources not yet finished, and the size of those before them, in stored bytes.
    sources: &'b [Source],
    before: u64,
    /// Games emitted so far.
    games: u64,
}

impl<'b, F> Output<'b, F> {
    /// Output through `emit`, shown by `bar`.
    pub fn new(emit: F, bar: &'b Bar, sources: &'b [Source]) -> Output<'b, F> {
        Output {
            emit,
            bar,
            sources,
            before: 0,
            games: 0,
        }
    }

    pub fn emit<T, E>(&mut self, item: Item<T>) -> Result<(), E>
    where
        F: FnMut(Item<T>) -> Result<(), E>,
    {
        if let Item::Part(part) = &item {
            self.games += part.games;
            self.pass(part.source.id());
            self.bar.at(self.before + part.stored, self.games);
        }
        (self.emit)(item)
    }

    /// Skips the sources before this one.
    fn pass(&mut self, id: SourceId) {
        while let [first, rest @ ..] = self.sources
            && first.id() != id
        {
            self.before += first.size_hint().unwrap_or(0);
            self.sources = rest;
        }
    }
}

/// Sequence number of a job, from 0.
#[derive(Clone, Copy)]
pub(crate) struct SeqNo(u64);

/// Result of a job: of a chunk, or of a segment and how reading it ended.
pub(crate) struct Finished<T> {
    pub parts: Vec<Part<T>>,
    pub end: Option<SourceEnd>,
    /// Memory held by the parts, in bytes.
    pub weight: usize,
}

impl<T> Default for Finished<T> {
    fn default() -> Finished<T> {
        Finished {
            parts: Vec::new(),
            end: None,
            weight: 0,
        }
    }
}

/// Result of a job, or the panic that ended it.
pub(crate) type Answer<T> = (SeqNo, Result<Finished<T>, Box<dyn Any + Send>>);

/// Results not yet fetched by the calling thread.
pub(crate) struct Results<T> {
    inner: Mutex<Inner<T>>,
    more: Condvar,
    /// Whether there is a result; read without the lock.
    is_filled: AtomicBool,
    budget: MemoryBudget,
}

struct Inner<T> {
    answers: Vec<Answer<T>>,
    /// Whether the calling thread waits. A wake-up costs its caller microseconds.
    is_awaited: bool,
}

impl<T> Results<T> {
    /// Results with a memory budget of `bytes`.
    pub fn new(bytes: usize) -> Results<T> {
        Results {
            inner: Mutex::new(Inner {
                answers: Vec::new(),
                is_awaited: false,
            }),
            more: Condvar::new(),
            is_filled: AtomicBool::new(false),
            budget: MemoryBudget::new(bytes),
        }
    }

    /// Memory budget for buffered results.
    pub fn budget(&self) -> &MemoryBudget {
        &self.budget
    }

    /// Runs a job and stores its result, unless all work has been stopped.
    pub fn answer(&self, stopped: &AtomicBool, seq_no: SeqNo, work: impl FnOnce() -> Finished<T>) {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(work));
        self.budget
            .take(result.as_ref().map_or(0, |finished| finished.weight));
        let mut inner = lock(&self.inner);
        inner.answers.push((seq_no, result));
        self.is_filled.store(true, Ordering::Release);
        if inner.is_awaited {
            drop(inner);
            self.more.notify_one();
        }
    }

    /// Takes all results; if `wait` is set, waits for the first.
    fn fetch(&self, is_idle: bool) -> Vec<Answer<T>> {
        if !self.is_filled.load(Ordering::Acquire) {
            if !is_idle {
                return Vec::new();
            }
            spin_wait(|| self.is_filled.load(Ordering::Acquire));
        }
        let mut inner = lock(&self.inner);
        while is_idle && inner.answers.is_empty() {
            inner.is_awaited = true;
            inner = wait(&self.more, inner);
        }
        inner.is_awaited = false;
        self.is_filled.store(false, Ordering::Release);
        std::mem::take(&mut inner.answers)
    }
}

/// Memory budget for finished, out-of-order results. When it is exhausted, no new job starts; the
/// next result in order is always already running, so this cannot deadlock.
pub(crate) struct MemoryBudget {
    bytes: usize,
    state: Mutex<Used>,
    freed: Condvar,
    /// Whether the budget is exhausted; read without the lock.
    is_full: AtomicBool,
}

struct Used {
    bytes: usize,
    /// Whether all waiters have been released.
    is_stopped: bool,
}

impl MemoryBudget {
    fn new(bytes: usize) -> MemoryBudget {
        MemoryBudget {
            bytes,
            state: Mutex::new(Used {
                bytes: 0,
                is_stopped: false,
            }),
            freed: Condvar::new(),
            is_full: AtomicBool::new(false),
        }
    }

    /// Whether the budget is exhausted.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Acquire)
    }

    /// Waits until a job may start.
    pub fn wait(&self) {
        if !self.is_full() {
            return;
        }
        let mut taken = lock(&self.state);
        while taken.bytes >= self.bytes && !taken.is_stopped {
            taken = wait(&self.freed, taken);
        }
    }

    /// Lets all jobs start.
    pub fn stop(&self) {
        lock(&self.state).is_stopped = true;
        self.freed.notify_all();
    }

    fn take(&self, bytes: usize) {
        if bytes > 0 {
            let mut taken = lock(&self.state);
            taken.bytes += bytes;
            self.is_full
                .store(taken.bytes >= self.bytes, Ordering::Release);
        }
    }

    fn free(&self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let mut taken = lock(&self.state);
        let was_full = taken.bytes >= self.bytes;
        taken.bytes -= bytes;
        self.is_full
            .store(taken.bytes >= self.bytes, Ordering::Release);
        if was_full {
            drop(taken);
            self.freed.notify_all();
        }
    }
}

/// An entry of the reorder buffer.
enum Waiting<T> {
    Finished(Finished<T>),
    /// End of a part of a source.
    Read(SourceEnd),
    End(SourceEnd),
}

/// Reorder buffer: the items from the first not yet emitted to the last started.
pub(crate) struct ReorderBuffer<'b, T, F, H> {
    /// Finished entries; `None` for a running job. The first is always `None`.
    slots: VecDeque<Option<Waiting<T>>>,
    /// Sequence number of the first slot.
    first: u64,
    /// Number of slots of running and queued jobs.
    waiting: usize,
    /// Maximum of `waiting`.
    limit: usize,
    results: &'b Results<T>,
    /// Runs a queued job, if there is one, and returns whether there was.
    help: H,
    /// Sum of the ends of the parts already emitted.
    read: Option<SourceEnd>,
    output: Output<'b, F>,
}

impl<'b, T, E, F, H> ReorderBuffer<'b, T, F, H>
where
    F: FnMut(Item<T>) -> Result<(), E>,
    H: Fn() -> bool,
{
    /// A buffer of at most `limit` jobs. Instead of waiting it calls `help` as long as that finds a
    /// job.
    pub fn new(
        results: &'b Results<T>,
        limit: usize,
        help: H,
        output: Output<'b, F>,
    ) -> ReorderBuffer<'b, T, F, H> {
        ReorderBuffer {
            slots: VecDeque::new(),
            first: 0,
            waiting: 0,
            limit,
            results,
            help,
            read: None,
            output,
        }
    }

    /// Reserves a slot for another job.
    pub fn seq_no(&mut self) -> Result<SeqNo, E> {
        self.fetch(false)?;
        while self.waiting >= self.limit {
            self.help_or_wait()?;
        }
        let seq_no = SeqNo(self.first + self.slots.len() as u64);
        self.slots.push_back(None);
        self.waiting += 1;
        Ok(seq_no)
    }

    /// Adds the end of a part of a source whose chunks are still in work.
    pub fn read(&mut self, end: SourceEnd) -> Result<(), E> {
        self.slots.push_back(Some(Waiting::Read(end)));
        self.let_out()
    }

    /// Whether reading the source has failed, so that later parts are discarded.
    fn has_failed(&self) -> bool {
        self.read.as_ref().is_some_and(|sum| sum.error.is_some())
    }

    fn add(&mut self, end: SourceEnd) {
        match &mut self.read {
            Some(sum) => *sum += end,
            none => *none = Some(end),
        }
    }

    /// Ends a source; the ends of its parts are added as they are emitted.
    pub fn end(&mut self, end: SourceEnd) -> Result<(), E> {
        self.slots.push_back(Some(Waiting::End(end)));
        self.let_out()
    }

    /// Waits until all jobs are finished and emitted.
    pub fn finish(&mut self) -> Result<(), E> {
        while self.waiting > 0 {
            self.help_or_wait()?;
        }
        Ok(())
    }

    fn help_or_wait(&mut self) -> Result<(), E> {
        let has_helped = (self.help)();
        self.fetch(!has_helped)
    }

    /// Takes in what has been done; where `wait` is set, once there is something.
    fn fetch(&mut self, wait: bool) -> Result<(), E> {
        for (seq_no, result) in self.results.fetch(wait) {
            match result {
                Ok(finished) => {
                    let slot = (seq_no.0 - self.first) as usize;
                    self.slots[slot] = Some(Waiting::Finished(finished));
                    self.let_out()?;
                }
                Err(panic) => resume_unwind(panic),
            }
        }
        Ok(())
    }

    fn let_out(&mut self) -> Result<(), E> {
        let mut freed = 0;
        while let Some(slot) = self.slots.front_mut()
            && let Some(ready) = slot.take()
        {
            self.slots.pop_front();
            self.first += 1;
            match ready {
                Waiting::Finished(Finished { parts, end, weight }) => {
                    self.waiting -= 1;
                    freed += weight;
                    if !self.has_failed() {
                        end.into_iter().for_each(|end| self.add(end));
                        for part in parts {
                            self.output.emit(Item::Part(part))?;
                        }
                    }
                }
                Waiting::Read(end) => {
                    if !self.has_failed() {
                        self.add(end);
                    }
                }
                Waiting::End(mut end) => {
                    if let Some(sum) = self.read.take() {
                        end += sum;
                    }
                    self.output.emit(Item::End(end))?;
                }
            }
        }
        self.results.budget().free(freed);
        Ok(())
    }
}
