//! Locks and a memory budget.
//!
//! Poisoned locks are taken as they are; panics are propagated by the pipeline.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) use chess_arbiter_core::split::lock;

/// Waits on a condition variable.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Memory that threads may hold at the same time, in bytes: a semaphore weighted by bytes.
#[derive(Debug)]
pub(crate) struct MemoryBudget {
    bytes: usize,
    /// Maximum number of permits.
    permits: usize,
    used: Mutex<Used>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Used {
    bytes: usize,
    permits: usize,
    /// Whether all waiters have been released.
    is_stopped: bool,
}

/// Part of a budget, until dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    budget: Arc<MemoryBudget>,
    bytes: usize,
}

impl MemoryBudget {
    /// A budget of `bytes`, and of a number of permits that [`MemoryBudget::take`] gives out.
    pub(crate) fn new(bytes: usize, permits: usize) -> Arc<MemoryBudget> {
        Arc::new(MemoryBudget {
            bytes,
            permits,
            used: Mutex::default(),
            freed: Condvar::new(),
        })
    }

    /// Waits until `least` bytes are free or nothing is in use, and takes what is free, at least
    /// `least` and at most `most` bytes.
    pub(crate) fn take(self: &Arc<MemoryBudget>, least: usize, most: usize) -> Permit {
        let mut used = lock(&self.used);
        while used.permits > 0 && (used.bytes + least > self.bytes || used.permits >= self.permits)
        {
            used = wait(&self.freed, used);
        }
        let free = self.bytes.saturating_sub(used.bytes);
        self.permit(&mut used, free.clamp(least, most))
    }

    /// Takes `bytes` without waiting.
    pub(crate) fn charge(self: &Arc<MemoryBudget>, bytes: usize) -> Permit {
        self.permit(&mut lock(&self.used), bytes)
    }

    fn permit(self: &Arc<MemoryBudget>, used: &mut Used, bytes: usize) -> Permit {
        used.bytes += bytes;
        used.permits += 1;
        Permit {
            budget: Arc::clone(self),
            bytes,
        }
    }

    /// Whether the budget is exhausted.
    pub(crate) fn is_full(&self) -> bool {
        lock(&self.used).bytes >= self.bytes
    }

    /// Waits until the budget is not exhausted, or stopped.
    pub(crate) fn wait(&self) {
        let mut used = lock(&self.used);
        while used.bytes >= self.bytes && !used.is_stopped {
            used = wait(&self.freed, used);
        }
    }

    /// Ends [`MemoryBudget::wait`] for all threads.
    pub(crate) fn stop(&self) {
        lock(&self.used).is_stopped = true;
        self.freed.notify_all();
    }
}

impl Permit {
    /// Number of bytes taken.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut used = lock(&self.budget.used);
        used.bytes -= self.bytes;
        used.permits -= 1;
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_hold_memory_until_they_are_dropped() {
        let budget = MemoryBudget::new(10, 3);
        let first = budget.take(3, 8);
        assert_eq!(first.bytes(), 8);
        let second = budget.take(1, 5);
        assert_eq!(second.bytes(), 2);
        assert!(budget.is_full());
        drop(first);
        assert!(!budget.is_full());
        let third = budget.charge(20);
        assert!(budget.is_full());
        drop((second, third));
        // More than the budget is granted to the only holder.
        assert_eq!(budget.take(30, 40).bytes(), 30);
    }
}
