//! What threads have done, put in order again.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

use super::item::{Item, Part, SourceEnd};
use super::soon;
use crate::input::{Source, SourceId};
use crate::output::progress::Bar;
use crate::sync::{lock, sleep};

/// The one place where items leave the run.
pub(super) struct Output<'b, F> {
    emit: F,
    bar: &'b Bar,
    /// The sources of which something is still to come, and the size of those before them, in stored bytes.
    sources: &'b [Source],
    before: u64,
    /// Games emitted so far.
    games: u64,
}

impl<'b, F> Output<'b, F> {
    /// Items leave through `emit`, and are shown by the bar.
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

    /// Passes the sources before this one.
    fn pass(&mut self, id: SourceId) {
        while let [first, rest @ ..] = self.sources
            && first.id() != id
        {
            self.before += first.size_hint().unwrap_or(0);
            self.sources = rest;
        }
    }
}

/// A place in the order of the items, from 0.
#[derive(Clone, Copy)]
pub(super) struct Ticket(u64);

/// What a thread has done: a chunk, or a stretch of a text and how reading that ended.
pub(super) struct Worked<T> {
    pub parts: Vec<Part<T>>,
    pub end: Option<SourceEnd>,
    /// How much memory is taken up by what came of them, in bytes.
    pub weight: usize,
}

impl<T> Default for Worked<T> {
    fn default() -> Worked<T> {
        Worked {
            parts: Vec::new(),
            end: None,
            weight: 0,
        }
    }
}

/// What a thread sends back: what it has done, or the panic that took its place.
pub(super) type Finished<T> = (Ticket, Result<Worked<T>, Box<dyn Any + Send>>);

/// What threads have done and nobody has fetched.
pub(super) struct Outbox<T> {
    inner: Mutex<Inner<T>>,
    more: Condvar,
    /// Whether there is something: read without the lock.
    is_filled: AtomicBool,
    room: Room,
}

struct Inner<T> {
    finished: Vec<Finished<T>>,
    /// Whether somebody waits for it. To wake a thread takes microseconds from one that works.
    is_awaited: bool,
}

impl<T> Outbox<T> {
    /// With room for so many bytes of what waits for its turn.
    pub fn new(bytes: usize) -> Outbox<T> {
        Outbox {
            inner: Mutex::new(Inner {
                finished: Vec::new(),
                is_awaited: false,
            }),
            more: Condvar::new(),
            is_filled: AtomicBool::new(false),
            room: Room::new(bytes),
        }
    }

    /// The room for what waits for its turn.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Does some work and puts in what comes of it, unless all work has been stopped.
    pub fn answer(&self, stopped: &AtomicBool, ticket: Ticket, work: impl FnOnce() -> Worked<T>) {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(work));
        self.room
            .take(result.as_ref().map_or(0, |worked| worked.weight));
        let mut inner = lock(&self.inner);
        inner.finished.push((ticket, result));
        self.is_filled.store(true, Ordering::Release);
        if inner.is_awaited {
            drop(inner);
            self.more.notify_one();
        }
    }

    /// Fetches all there is; where `wait` is set, once there is something.
    fn fetch(&self, wait: bool) -> Vec<Finished<T>> {
        if !self.is_filled.load(Ordering::Acquire) {
            if !wait {
                return Vec::new();
            }
            soon(|| self.is_filled.load(Ordering::Acquire));
        }
        let mut inner = lock(&self.inner);
        while wait && inner.finished.is_empty() {
            inner.is_awaited = true;
            inner = sleep(&self.more, inner);
        }
        inner.is_awaited = false;
        self.is_filled.store(false, Ordering::Release);
        std::mem::take(&mut inner.finished)
    }
}

/// The room for what waits for its turn: where it is full, nothing more is begun but by threads that were about to. What is
/// waited for has been begun then.
pub(super) struct Room {
    bytes: usize,
    state: Mutex<Taken>,
    freed: Condvar,
    /// Whether as many are taken as there are: read without the lock.
    is_full: AtomicBool,
}

struct Taken {
    bytes: usize,
    /// Whether nothing is waited for any more.
    is_stopped: bool,
}

impl Room {
    fn new(bytes: usize) -> Room {
        Room {
            bytes,
            state: Mutex::new(Taken {
                bytes: 0,
                is_stopped: false,
            }),
            freed: Condvar::new(),
            is_full: AtomicBool::new(false),
        }
    }

    /// Whether nothing more should be begun.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Acquire)
    }

    /// Waits until something may be begun.
    pub fn wait(&self) {
        if !self.is_full() {
            return;
        }
        let mut taken = lock(&self.state);
        while taken.bytes >= self.bytes && !taken.is_stopped {
            taken = sleep(&self.freed, taken);
        }
    }

    /// Lets all work be begun, whatever comes of it.
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

/// What waits for its turn.
enum Waiting<T> {
    Worked(Worked<T>),
    /// How reading a part of a source ended.
    Read(SourceEnd),
    End(SourceEnd),
}

/// The items from the first that is not out yet to the last that was begun.
pub(super) struct Window<'b, T, F, H> {
    /// What is there; `None` where a thread still works. The first is always `None`: what is complete goes out at once.
    slots: VecDeque<Option<Waiting<T>>>,
    /// The ticket of the first slot.
    first: u64,
    /// How many slots belong to threads.
    waiting: usize,
    /// How many slots may belong to threads.
    limit: usize,
    outbox: &'b Outbox<T>,
    /// Does a piece of the work that nobody has begun, and says whether there was any.
    help: H,
    /// How reading those parts of the source ended that are out.
    read: Option<SourceEnd>,
    output: Output<'b, F>,
}

impl<'b, T, E, F, H> Window<'b, T, F, H>
where
    F: FnMut(Item<T>) -> Result<(), E>,
    H: Fn() -> bool,
{
    /// A window of so many slots through which what threads have done goes to the output. Where it would be waited for, `help`
    /// is called instead, as long as it finds something to do.
    pub fn new(
        outbox: &'b Outbox<T>,
        limit: usize,
        help: H,
        output: Output<'b, F>,
    ) -> Window<'b, T, F, H> {
        Window {
            slots: VecDeque::new(),
            first: 0,
            waiting: 0,
            limit,
            outbox,
            help,
            read: None,
            output,
        }
    }

    /// Makes room for another piece of work.
    pub fn ticket(&mut self) -> Result<Ticket, E> {
        self.fetch(false)?;
        while self.waiting >= self.limit {
            self.help_or_wait()?;
        }
        let ticket = Ticket(self.first + self.slots.len() as u64);
        self.slots.push_back(None);
        self.waiting += 1;
        Ok(ticket)
    }

    /// Says how reading a part of a source ended whose games are under way.
    pub fn read(&mut self, end: SourceEnd) -> Result<(), E> {
        self.slots.push_back(Some(Waiting::Read(end)));
        self.let_out()
    }

    /// Whether the source could not be read on: nothing behind counts.
    fn has_failed(&self) -> bool {
        self.read.as_ref().is_some_and(|sum| sum.error.is_some())
    }

    fn add(&mut self, end: SourceEnd) {
        match &mut self.read {
            Some(sum) => *sum += end,
            none => *none = Some(end),
        }
    }

    /// Ends a source; what the reading of its parts tells is added when they are out.
    pub fn end(&mut self, end: SourceEnd) -> Result<(), E> {
        self.slots.push_back(Some(Waiting::End(end)));
        self.let_out()
    }

    /// Waits until all work is done and out.
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
        for (ticket, result) in self.outbox.fetch(wait) {
            match result {
                Ok(worked) => {
                    let slot = (ticket.0 - self.first) as usize;
                    self.slots[slot] = Some(Waiting::Worked(worked));
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
                Waiting::Worked(Worked { parts, end, weight }) => {
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
        self.outbox.room().free(freed);
        Ok(())
    }
}
