//! What threads have done, put in order again.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use super::item::{Item, Part, SourceEnd};
use crate::output::progress::Bar;

/// The one place where items leave the run.
pub(super) struct Output<'b, F> {
    emit: F,
    bar: &'b Bar,
    /// Stored bytes read so far.
    pub raw: Arc<AtomicU64>,
    /// Games emitted so far.
    games: u64,
}

impl<'b, F> Output<'b, F> {
    /// Items leave through `emit`, and are shown by the bar.
    pub fn new(emit: F, bar: &'b Bar) -> Output<'b, F> {
        Output {
            emit,
            bar,
            raw: Arc::default(),
            games: 0,
        }
    }

    pub fn emit<T, E>(&mut self, item: Item<T>) -> Result<(), E>
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
pub(super) struct Ticket(u64);

/// What a thread has done: a chunk, or a stretch of a text and how reading that ended.
pub(super) struct Worked<T> {
    pub parts: Vec<Part<T>>,
    pub end: Option<SourceEnd>,
}

/// What a thread sends back: what it has done, or the panic that took its place.
pub(super) type Finished<T> = (Ticket, Result<Worked<T>, Box<dyn Any + Send>>);

/// Does some work and sends what comes of it, unless all work has been stopped.
pub(super) fn answer<T>(
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
pub(super) struct Window<'b, T, F> {
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

impl<'b, T, E, F: FnMut(Item<T>) -> Result<(), E>> Window<'b, T, F> {
    /// A window through which `results` go to the output.
    pub fn new(results: Receiver<Finished<T>>, output: Output<'b, F>) -> Window<'b, T, F> {
        Window {
            slots: VecDeque::new(),
            first: 0,
            waiting: 0,
            results,
            stretches: None,
            output,
        }
    }

    /// Makes room for another piece of work, when fewer than `limit` are under way.
    pub fn ticket(&mut self, limit: usize) -> Result<Ticket, E> {
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
    pub fn end(&mut self, end: SourceEnd) -> Result<(), E> {
        self.slots.push_back(Some(Waiting::End(end)));
        self.let_out()
    }

    /// Waits until all work is done and out.
    pub fn finish(&mut self) -> Result<(), E> {
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
                    // Where a text could not be read on, nothing behind counts.
                    if self
                        .stretches
                        .as_ref()
                        .is_some_and(|sum| sum.error.is_some())
                    {
                        continue;
                    }
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
