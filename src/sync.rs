//! The flag of an interruption, and locks that are taken whatever became of the thread that had them: its panic is told elsewhere.

use std::sync::atomic::AtomicBool;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Whether the process was asked to end, by Ctrl-C or SIGTERM.
pub(crate) static ASKED_TO_END: AtomicBool = AtomicBool::new(false);

/// Takes a lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sleeps until `condvar` is notified.
pub(crate) fn sleep<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
