//! Unbuffered writing to the process's stdout.

use std::io::{self, Write};

/// Unbuffered stdout, so that nothing is flushed when the process ends while a reader blocks.
#[cfg(unix)]
pub(crate) fn open_stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;

    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    Ok(Box::new(std::fs::File::from(stdout)))
}

#[cfg(not(unix))]
pub(crate) fn open_stdout() -> io::Result<Box<dyn Write + Send>> {
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
