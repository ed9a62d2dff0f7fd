//! Stored bytes of a file or pipe, before decompression.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::Error;
use crate::text::Offset;

/// Bytes read at a time; the size of a zstd block.
const BLOCK: usize = 128 << 10;

/// Stored bytes with their offset, and with lookahead.
pub(crate) struct CompressedReader<'a> {
    name: Arc<str>,
    input: Box<dyn Read + Send + 'a>,
    /// Allocated on first use.
    buffer: Vec<u8>,
    /// `buffer[from..to]` has been read but not consumed.
    from: usize,
    to: usize,
    /// Offset of the next byte.
    at: u64,
    progress: Option<Arc<AtomicU64>>,
    /// Whether `input` is a decompressor, whose errors are passed on unchanged.
    inner: bool,
}

impl<'a> CompressedReader<'a> {
    /// Bytes from `at` on of the file `name`.
    pub(crate) fn new(
        name: &Arc<str>,
        input: Box<dyn Read + Send + 'a>,
        at: Offset,
    ) -> CompressedReader<'a> {
        CompressedReader {
            name: Arc::clone(name),
            input,
            buffer: Vec::new(),
            from: 0,
            to: 0,
            at: at.0,
            progress: None,
            inner: false,
        }
    }

    /// Decompressed bytes, which may be compressed again. Errors of `input` are passed on
    /// unchanged.
    pub(crate) fn within(
        name: &Arc<str>,
        input: Box<dyn Read + Send + 'a>,
    ) -> CompressedReader<'a> {
        CompressedReader {
            inner: true,
            ..CompressedReader::new(name, input, Offset(0))
        }
    }

    /// Counts the bytes read in `progress`.
    pub(crate) fn counted(self, progress: Arc<AtomicU64>) -> CompressedReader<'a> {
        CompressedReader {
            progress: Some(progress),
            ..self
        }
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Offset of the next byte in the file.
    pub(crate) fn at(&self) -> Offset {
        Offset(self.at)
    }

    /// The next bytes, not consumed: at least `wanted` (a few dozen at most), fewer only at the end
    /// of the file.
    ///
    /// # Errors
    ///
    /// [`Error::Input`], wrapped.
    pub(crate) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        debug_assert!(wanted <= BLOCK);
        if self.to - self.from < wanted {
            self.make_room();
            self.buffer.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.from = 0;
            while self.to < wanted {
                let read = self.read_trailing()?;
                if read == 0 {
                    break;
                }
            }
        }
        Ok(&self.buffer[self.from..self.to])
    }

    /// Skips `length` bytes, fewer only at the end of the file, and returns their number.
    ///
    /// # Errors
    ///
    /// [`Error::Input`], wrapped.
    pub(crate) fn skip(&mut self, length: u64) -> io::Result<u64> {
        let mut left = length;
        while left > 0 {
            let there = self.fill_buf()?.len() as u64;
            if there == 0 {
                break;
            }
            let now = there.min(left);
            self.consume(now as usize);
            left -= now;
        }
        Ok(length - left)
    }

    /// Skips padding, such as the zeros that tapes leave.
    ///
    /// # Errors
    ///
    /// [`Error::Input`], wrapped.
    pub(crate) fn skip_zeros(&mut self) -> io::Result<()> {
        while self.peek(1)?.first() == Some(&0) {
            self.consume(1);
        }
        Ok(())
    }

    fn make_room(&mut self) {
        if self.buffer.is_empty() {
            self.buffer.resize(BLOCK, 0);
        }
    }

    /// Appends to the buffer.
    fn read_trailing(&mut self) -> io::Result<usize> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let read = self.read_once(&mut buffer[self.to..]);
        self.buffer = buffer;
        let read = read?;
        self.to += read;
        Ok(read)
    }

    fn read_once(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(out) {
                Ok(n) => {
                    if let Some(progress) = &self.progress {
                        progress.fetch_add(n as u64, Ordering::Relaxed);
                    }
                    return Ok(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) if self.inner => return Err(cause),
                Err(cause) => {
                    let at = Offset(self.at + (self.to - self.from) as u64);
                    return Err(Error::from_read(&self.name, at.0, cause).into());
                }
            }
        }
    }
}

impl BufRead for CompressedReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.from == self.to {
            self.make_room();
            (self.from, self.to) = (0, 0);
            self.read_trailing()?;
        }
        Ok(&self.buffer[self.from..self.to])
    }

    fn consume(&mut self, amount: usize) {
        debug_assert!(amount <= self.to - self.from);
        self.from += amount;
        self.at += amount as u64;
    }
}

impl Read for CompressedReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.from == self.to && out.len() >= BLOCK {
            let n = self.read_once(out)?;
            self.at += n as u64;
            return Ok(n);
        }
        let n = self.fill_buf()?.read(out)?;
        self.consume(n);
        Ok(n)
    }
}

impl fmt::Debug for CompressedReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompressedReader")
            .field("name", &self.name)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// Reads at an offset, without the file's cursor.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, out, at)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, out, at)
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

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
