//! Stdout, which may have been closed.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// True if stdout was closed when the process began.
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Runs before `main`, where the runtime of Rust replaces a closed stdout by `/dev/null`.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn note_whether_closed() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
}

/// True if the process was started without a stdout, as by `>&-`.
pub fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

/// Error for writing to a closed stdout.
pub fn closed() -> io::Error {
    io::Error::other("it is closed")
}

/// Unbuffered stdout, so that nothing is flushed when the process ends while a reader blocks.
///
/// # Errors
///
/// If stdout is closed.
pub(crate) fn open() -> io::Result<Box<dyn Write + Send>> {
    if was_closed() {
        return Err(closed());
    }
    unbuffered()
}

#[cfg(unix)]
fn unbuffered() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;

    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    Ok(Box::new(std::fs::File::from(stdout)))
}

#[cfg(not(unix))]
fn unbuffered() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}
