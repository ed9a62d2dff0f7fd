//! Reads from a pipe that end when the process is asked to end.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the process has been asked to end by Ctrl-C, SIGTERM or SIGHUP.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A pipe, terminal or device. Reads poll in short steps, so that a run can end cleanly.
pub(crate) struct Interruptible(File);

impl Interruptible {
    pub(crate) fn new(file: File) -> Interruptible {
        Interruptible(file)
    }
}

/// Stdin without the standard library's buffer, which could hold bytes that `poll` does not see.
#[cfg(unix)]
pub(crate) fn stdin() -> io::Result<Box<dyn Read + Send>> {
    use std::os::fd::AsFd;

    let stdin = io::stdin().as_fd().try_clone_to_owned()?;
    Ok(Box::new(Interruptible(File::from(stdin))))
}

/// Stdin.
#[cfg(not(unix))]
pub(crate) fn stdin() -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(io::stdin()))
}

impl Read for Interruptible {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        wait(&self.0)?;
        self.0.read(out)
    }
}

/// Waits until there is something to read, or the end.
#[cfg(unix)]
fn wait(file: &File) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let step = Timespec {
        tv_sec: 0,
        tv_nsec: 100_000_000,
    };
    loop {
        match poll(&mut [PollFd::new(file, PollFlags::IN)], Some(&step)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            // A file that cannot be polled is read directly.
            Ok(_) | Err(_) => return Ok(()),
        }
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Err(io::Error::other("the run was interrupted"));
        }
    }
}

#[cfg(not(unix))]
fn wait(_: &File) -> io::Result<()> {
    Ok(())
}
