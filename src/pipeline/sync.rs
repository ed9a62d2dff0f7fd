//! The interruption flag, and mutex helpers that ignore poisoning; panics are propagated by the
//! pipeline.

use std::sync::atomic::AtomicBool;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Whether the process has been asked to end by Ctrl-C, SIGTERM or SIGHUP.
pub(crate) static ASKED_TO_END: AtomicBool = AtomicBool::new(false);

/// Locks a mutex.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits on a condition variable.
pub(crate) fn sleep<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
