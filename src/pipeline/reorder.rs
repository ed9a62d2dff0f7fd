//! Results of the workers, put in order.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

use crate::input::sync::{lock, wait};
use crate::pipeline::item::{Item, Part, SourceEnd};

/// Sequence number of a job, from 0.
#[derive(Clone, Copy)]
pub(crate) struct SeqNo(u64);

/// Result of a job, or the end of a source or of a part of it.
pub(crate) struct Finished<T> {
    pub parts: Vec<Part<T>>,
    /// How reading ended.
    pub end: Option<SourceEnd>,
    /// Memory held by the parts, in bytes.
    pub weight: usize,
    /// Whether the source ends.
    ends_source: bool,
    is_job: bool,
}

impl<T> Default for Finished<T> {
    fn default() -> Finished<T> {
        Finished {
            parts: Vec::new(),
            end: None,
            weight: 0,
            ends_source: false,
            is_job: true,
        }
    }
}

impl<T> Finished<T> {
    /// End of a part of a source whose chunks are still in work.
    pub fn end_of_part(end: SourceEnd) -> Finished<T> {
        Finished {
            end: Some(end),
            is_job: false,
            ..Finished::default()
        }
    }

    /// End of a source; the ends of its parts are added as they are emitted.
    pub fn end_of_source(end: SourceEnd) -> Finished<T> {
        Finished {
            ends_source: true,
            ..Finished::end_of_part(end)
        }
    }
}

/// Reorder buffer: the results from the first not yet emitted to the last reserved.
pub(crate) struct ReorderBuffer<T, F> {
    /// Results; `None` for a queued or running job. The first is always `None`.
    slots: VecDeque<Option<Finished<T>>>,
    /// Sequence number of the first slot.
    first: u64,
    /// Number of jobs whose results have not been emitted.
    in_flight: usize,
    /// Sum of the ends of the parts of the current source already emitted.
    end: Option<SourceEnd>,
    emit: F,
}

impl<T, E, F: FnMut(Item<T>) -> Result<(), E>> ReorderBuffer<T, F> {
    /// An empty buffer.
    pub fn new(emit: F) -> ReorderBuffer<T, F> {
        ReorderBuffer {
            slots: VecDeque::new(),
            first: 0,
            in_flight: 0,
            end: None,
            emit,
        }
    }

    /// Number of jobs whose results have not been emitted.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Reserves a slot for a job.
    pub fn reserve(&mut self) -> SeqNo {
        let seq_no = SeqNo(self.first + self.slots.len() as u64);
        self.slots.push_back(None);
        self.in_flight += 1;
        seq_no
    }

    /// Fills the slot of a job, and emits what can be emitted. Returns the weight of that.
    pub fn fill(&mut self, seq_no: SeqNo, finished: Finished<T>) -> Result<usize, E> {
        let slot = (seq_no.0 - self.first) as usize;
        self.slots[slot] = Some(finished);
        self.emit_ready()
    }

    /// Adds a result without a job. Returns the weight of what could be emitted.
    pub fn push(&mut self, finished: Finished<T>) -> Result<usize, E> {
        self.slots.push_back(Some(finished));
        self.emit_ready()
    }

    fn emit_ready(&mut self) -> Result<usize, E> {
        let mut freed = 0;
        while let Some(slot) = self.slots.front_mut()
            && let Some(ready) = slot.take()
        {
            self.slots.pop_front();
            self.first += 1;
            self.in_flight -= usize::from(ready.is_job);
            freed += ready.weight;
            self.emit_one(ready)?;
        }
        Ok(freed)
    }

    fn emit_one(&mut self, ready: Finished<T>) -> Result<(), E> {
        // After a read error, later parts of the source are discarded.
        let has_failed = self.end.as_ref().is_some_and(|sum| sum.error.is_some());
        if !has_failed {
            for part in ready.parts {
                (self.emit)(Item::Part(part))?;
            }
        }
        if let Some(end) = ready.end
            && (!has_failed || ready.ends_source)
        {
            match &mut self.end {
                Some(sum) => *sum += end,
                none => *none = Some(end),
            }
        }
        match ready.ends_source {
            true => (self.emit)(Item::End(self.end.take().expect("a source has an end"))),
            false => Ok(()),
        }
    }
}

/// Memory budget for finished, out-of-order results. When it is exhausted, no new job starts; the
/// next result in order is always already running, so this cannot deadlock.
pub(crate) struct MemoryBudget {
    bytes: usize,
    used: Mutex<Used>,
    freed: Condvar,
}

#[derive(Default)]
struct Used {
    bytes: usize,
    /// Whether all waiters have been released.
    is_stopped: bool,
}

impl MemoryBudget {
    pub fn new(bytes: usize) -> MemoryBudget {
        MemoryBudget {
            bytes,
            used: Mutex::default(),
            freed: Condvar::new(),
        }
    }

    /// Whether the budget is exhausted.
    pub fn is_full(&self) -> bool {
        lock(&self.used).bytes >= self.bytes
    }

    /// Waits until a job may start.
    pub fn wait(&self) {
        let mut used = lock(&self.used);
        while used.bytes >= self.bytes && !used.is_stopped {
            used = wait(&self.freed, used);
        }
    }

    /// Lets all jobs start.
    pub fn stop(&self) {
        lock(&self.used).is_stopped = true;
        self.freed.notify_all();
    }

    pub fn charge(&self, bytes: usize) {
        if bytes > 0 {
            lock(&self.used).bytes += bytes;
        }
    }

    pub fn free(&self, bytes: usize) {
        if bytes > 0 {
            let mut used = lock(&self.used);
            let was_full = used.bytes >= self.bytes;
            used.bytes -= bytes;
            if was_full {
                self.freed.notify_all();
            }
        }
    }
}
