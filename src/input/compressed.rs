//! Stored bytes of a file or pipe, before decompression.

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
    input: Input<'a>,
    /// Allocated on first use.
    buffer: Vec<u8>,
    /// `buffer[from..to]` has been read but not consumed.
    from: usize,
    to: usize,
}

/// Stored bytes without lookahead.
struct Input<'a> {
    name: Arc<str>,
    input: Box<dyn Read + Send + 'a>,
    /// Offset of the next byte.
    at: u64,
    progress: Arc<AtomicU64>,
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
            input: Input {
                name: Arc::clone(name),
                input,
                at: at.0,
                progress: Arc::default(),
                inner: false,
            },
            buffer: Vec::new(),
            from: 0,
            to: 0,
        }
    }

    /// Decompressed bytes, which may be compressed again. Errors of `input` are passed on
    /// unchanged.
    pub(crate) fn within(
        name: &Arc<str>,
        input: Box<dyn Read + Send + 'a>,
    ) -> CompressedReader<'a> {
        let mut reader = CompressedReader::new(name, input, Offset(0));
        reader.input.inner = true;
        reader
    }

    /// Counts the bytes read in `progress`.
    pub(crate) fn counted(mut self, progress: Arc<AtomicU64>) -> CompressedReader<'a> {
        self.input.progress = progress;
        self
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        &self.input.name
    }

    /// Offset of the next byte in the file.
    pub(crate) fn at(&self) -> Offset {
        Offset(self.input.at - (self.to - self.from) as u64)
    }

    /// The next bytes, not consumed: at least `wanted` (a few dozen at most), fewer only at the end
    /// of the file.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], wrapped.
    pub(crate) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        debug_assert!(wanted <= BLOCK);
        if self.to - self.from < wanted {
            self.buffer.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.from = 0;
            while self.to < wanted && self.append()? > 0 {}
        }
        Ok(&self.buffer[self.from..self.to])
    }

    /// Appends to the buffer.
    fn append(&mut self) -> io::Result<usize> {
        self.buffer.resize(BLOCK, 0);
        let read = self.input.read(&mut self.buffer[self.to..])?;
        self.to += read;
        Ok(read)
    }
}

impl Read for Input<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(out) {
                Ok(n) => {
                    self.at += n as u64;
                    self.progress.fetch_add(n as u64, Ordering::Relaxed);
                    return Ok(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) if self.inner => return Err(cause),
                Err(cause) => return Err(Error::from_read(&self.name, self.at, cause).into()),
            }
        }
    }
}

impl BufRead for CompressedReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, amount: usize) {
        debug_assert!(amount <= self.to - self.from);
        self.from += amount;
    }
}

impl Read for CompressedReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.from == self.to && out.len() >= BLOCK {
            return self.input.read(out);
        }
        let n = self.peek(1)?.read(out)?;
        self.consume(n);
        Ok(n)
    }
}

/// Regular file that must yield at least a number of bytes: its length at the time of opening.
pub(crate) struct WholeFile<R> {
    file: R,
    left: u64,
}

impl<R: Read> WholeFile<R> {
    /// A file from which at least `left` more bytes can be read.
    pub(crate) fn new(file: R, left: u64) -> WholeFile<R> {
        WholeFile { file, left }
    }
}

impl<R: Read> Read for WholeFile<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(out)?;
        if n == 0 && self.left > 0 && !out.is_empty() {
            // Reported once: a read after the error is the end.
            self.left = 0;
            return Err(shortened());
        }
        self.left = self.left.saturating_sub(n as u64);
        Ok(n)
    }
}

/// Error for a file that has become shorter than when it was opened.
pub(crate) fn shortened() -> io::Error {
    let cause = "the file has become shorter while it is read";
    io::Error::new(io::ErrorKind::InvalidData, cause)
}

/// File read from an offset on, without its cursor.
pub(crate) struct FileAt<'a> {
    pub(crate) file: &'a File,
    pub(crate) at: u64,
}

impl Read for FileAt<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(self.file, out, self.at)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(self.file, out, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Whether the process has been asked to end by Ctrl-C, SIGTERM or SIGHUP.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A pipe, terminal or device. Reads poll in short steps, so that a run can end cleanly.
pub(crate) struct Interruptible(pub(crate) File);

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
