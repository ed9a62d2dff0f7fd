//! The process's stdout: whether it is closed, and unbuffered writing.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// True if stdout was closed when the process began.
static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Runs before `main`, where the runtime of Rust replaces a closed stdout by `/dev/null`.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn note_closed_stdout() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    STDOUT_WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
}

/// True if the process was started without a stdout, as by `>&-`.
pub fn stdout_was_closed() -> bool {
    STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
}

/// Error for writing to a closed stdout.
pub fn closed_stdout_error() -> io::Error {
    io::Error::other("it is closed")
}

/// Unbuffered stdout, so that nothing is flushed when the process ends while a reader blocks.
pub(crate) fn open_stdout() -> io::Result<Box<dyn Write + Send>> {
    if stdout_was_closed() {
        return Err(closed_stdout_error());
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

/// Fails if the reader of stdout has closed the pipe, which otherwise only a write tells.
#[cfg(unix)]
pub(crate) fn check_reader() -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let stdout = io::stdout();
    let mut state = [PollFd::new(&stdout, PollFlags::empty())];
    let is_known = poll(&mut state, Some(&Timespec::default())).is_ok();
    match is_known && (state[0].revents()).intersects(PollFlags::ERR | PollFlags::HUP) {
        true => Err(io::ErrorKind::BrokenPipe.into()),
        false => Ok(()),
    }
}

#[cfg(not(unix))]
pub(crate) fn check_reader() -> io::Result<()> {
    Ok(())
}
