//! Decompression in the background: a bounded number of blocks is ready or in work, and blocks that
//! have been read are filled again.

use std::fmt;
use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::error::Error;
use crate::input::sync::{MemoryBudget, Permit, Pool};
use crate::text::Offset;

/// Size of a block, in bytes.
pub(crate) const BLOCK: usize = 256 << 10;

/// Bytes requested from a decompressor at a time. On corrupt data it does not report how much it
/// had written, so this bounds the loss.
const PIECE: usize = 64 << 10;

/// Capacity of the event channel.
const EVENTS: usize = 4;

/// Memory budget of parallel decompression, in bytes: a fixed part and a part per thread.
const BUDGET: usize = 28 << 20;
const BUDGET_PER_JOB: usize = 4 << 20;

/// Bytes decompressed ahead by one thread, with enough memory and with little.
const AHEAD: usize = 8 << 20;
const LITTLE_AHEAD: usize = 2 << 20;

/// Decompression error.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Truncated or corrupt data.
    Corrupt {
        /// Name of the compression format.
        format: &'static str,
        /// Offset in the file.
        at: Offset,
        /// Error of the decompressor.
        cause: io::Error,
    },
    /// Anything else.
    Error(Error),
}

/// Why the decompressing thread stopped.
#[derive(Debug)]
pub(crate) enum DecompressError {
    /// The reader was dropped.
    Disconnected,
    /// Decompression failed.
    Failed(Failure),
}

impl Failure {
    /// Failure of a decompressor that read up to `at`. An [`Error`] that came through it is kept.
    pub(crate) fn of(format: &'static str, at: Offset, cause: io::Error) -> Failure {
        match cause.downcast() {
            Ok(error) => Failure::Error(error),
            Err(cause) => Failure::Corrupt { format, at, cause },
        }
    }
}

impl DecompressError {
    /// As [`Failure::of`].
    pub(crate) fn of(format: &'static str, at: Offset, cause: io::Error) -> DecompressError {
        DecompressError::Failed(Failure::of(format, at, cause))
    }
}

/// Why copying stopped.
#[derive(Debug)]
pub(crate) enum CopyError {
    /// The reader was dropped.
    Disconnected,
    /// Reading failed.
    Read(io::Error),
}

impl CopyError {
    /// The failure of a decompressor, as [`Failure::of`].
    pub(crate) fn at(self, format: &'static str, at: Offset) -> DecompressError {
        match self {
            CopyError::Disconnected => DecompressError::Disconnected,
            CopyError::Read(cause) => DecompressError::of(format, at, cause),
        }
    }
}

impl From<io::Error> for CopyError {
    fn from(cause: io::Error) -> CopyError {
        CopyError::Read(cause)
    }
}

impl From<Error> for DecompressError {
    fn from(error: Error) -> DecompressError {
        DecompressError::Failed(Failure::Error(error))
    }
}

/// Decompressed bytes.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    len: usize,
    /// Stored bytes of the source read up to its end.
    stored: u64,
}

/// Messages of the decompressing thread, in order.
enum BlockMessage {
    /// A member of an archive begins. A text without an archive begins implicitly.
    Member(String),
    /// The next bytes of the text.
    Block(Block),
    /// The next bytes of the text, from another thread.
    Aside(Aside),
    /// The text ends.
    End(Result<(), Failure>),
    /// The archive cannot be read further.
    Broken(Error),
}

/// Blocks that another thread decompresses out of order.
struct Aside {
    blocks: Receiver<Result<Block, Option<Failure>>>,
    _permit: Permit,
}

/// Sending end of the decompressing thread.
pub(crate) struct BlockWriter {
    events: SyncSender<BlockMessage>,
    pool: Arc<Pool<Vec<u8>>>,
    budget: Arc<MemoryBudget>,
    jobs: usize,
    /// Not yet full.
    block: Block,
    /// Stored bytes read so far.
    stored: Arc<AtomicU64>,
}

impl BlockWriter {
    /// Begins another text.
    pub(crate) fn member(&mut self, name: String) -> Result<(), DecompressError> {
        debug_assert_eq!(self.block.len, 0);
        self.send(BlockMessage::Member(name))
    }

    /// Ends the text, after the bytes decompressed so far.
    pub(crate) fn end(
        &mut self,
        outcome: Result<(), DecompressError>,
    ) -> Result<(), DecompressError> {
        let outcome = match outcome {
            Ok(()) => Ok(()),
            Err(DecompressError::Failed(failure)) => Err(failure),
            Err(DecompressError::Disconnected) => return Err(DecompressError::Disconnected),
        };
        self.flush()?;
        self.send(BlockMessage::End(outcome))
    }

    /// Ends the archive before its end.
    pub(crate) fn broken(&mut self, error: Error) -> Result<(), DecompressError> {
        self.send(BlockMessage::Broken(error))
    }

    /// Sends all bytes of `reader`.
    pub(crate) fn copy(&mut self, reader: &mut impl Read) -> Result<(), CopyError> {
        loop {
            if self.block.bytes.is_empty() {
                self.block.bytes = new_block(&self.pool);
            }
            match fill(&mut self.block, reader) {
                Ok(true) => self.flush().map_err(|_| CopyError::Disconnected)?,
                Ok(false) => return Ok(()),
                Err(cause) => return Err(CopyError::Read(cause)),
            }
        }
    }

    /// Counts the stored bytes that are read.
    pub(crate) fn stored(&self) -> &Arc<AtomicU64> {
        &self.stored
    }

    /// Maximum number of parallel decompressions.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs
    }

    /// Runs `decompress` on another thread; its output belongs here. It holds `bytes` bytes of
    /// memory, and produces `length` bytes if that is known.
    pub(crate) fn aside(
        &mut self,
        bytes: usize,
        length: Option<u64>,
        decompress: impl FnOnce(&ParallelWriter) -> Result<(), DecompressError> + Send + 'static,
    ) -> Result<(), DecompressError> {
        self.flush()?;
        let wanted = length.map_or(AHEAD, |length| length.min(AHEAD as u64) as usize);
        let least = bytes + wanted.min(LITTLE_AHEAD);
        let permit = self.budget.take(least, bytes + wanted);
        let ahead = permit.bytes() - bytes;
        let (send, blocks) = sync_channel(ahead.div_ceil(BLOCK));
        let writer = ParallelWriter {
            send,
            pool: Arc::clone(&self.pool),
            stored: self.stored.load(Ordering::Relaxed),
        };
        spawn(move || {
            let last = match decompress(&writer) {
                Ok(()) => None,
                Err(DecompressError::Failed(failure)) => Some(failure),
                Err(DecompressError::Disconnected) => return,
            };
            // The reader may be gone.
            let _ = writer.send.send(Err(last));
        })?;
        // Sent last, so that a thread exists that reports its end.
        self.send(BlockMessage::Aside(Aside {
            blocks,
            _permit: permit,
        }))
    }

    fn flush(&mut self) -> Result<(), DecompressError> {
        if self.block.len == 0 {
            return Ok(());
        }
        let mut block = std::mem::take(&mut self.block);
        block.stored = self.stored.load(Ordering::Relaxed);
        self.send(BlockMessage::Block(block))
    }

    fn send(&self, event: BlockMessage) -> Result<(), DecompressError> {
        self.events
            .send(event)
            .map_err(|_| DecompressError::Disconnected)
    }
}

/// Sending end of a thread that decompresses out of order.
pub(crate) struct ParallelWriter {
    send: SyncSender<Result<Block, Option<Failure>>>,
    pool: Arc<Pool<Vec<u8>>>,
    stored: u64,
}

impl ParallelWriter {
    /// Sends all bytes of `reader`.
    pub(crate) fn copy(&self, reader: &mut impl Read) -> Result<(), CopyError> {
        loop {
            let mut block = Block {
                bytes: new_block(&self.pool),
                len: 0,
                stored: self.stored,
            };
            let outcome = fill(&mut block, reader);
            if block.len > 0 && self.send.send(Ok(block)).is_err() {
                return Err(CopyError::Disconnected);
            }
            match outcome {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(cause) => return Err(CopyError::Read(cause)),
            }
        }
    }
}

/// Memory of a block, from the pool if it has any.
fn new_block(pool: &Pool<Vec<u8>>) -> Vec<u8> {
    pool.take().unwrap_or_else(|| vec![0; BLOCK])
}

/// Reads until the block is full (true) or the reader ends (false).
fn fill(block: &mut Block, reader: &mut impl Read) -> io::Result<bool> {
    while block.len < block.bytes.len() {
        let piece = (block.len + PIECE).min(block.bytes.len());
        match reader.read(&mut block.bytes[block.len..piece]) {
            Ok(0) => return Ok(false),
            Ok(n) => block.len += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    thread::Builder::new()
        .name("decompress".to_owned())
        .spawn(work)
        .map_err(|cause| Error::Threads {
            wanted: 1,
            reason: cause.to_string(),
        })
}

/// Receiving end.
pub(crate) struct BlockReader {
    events: Receiver<BlockMessage>,
    pool: Arc<Pool<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
    block: Block,
    /// Number of bytes of the block already read.
    read: usize,
    aside: Option<Aside>,
    /// Whether a text has begun and not ended.
    in_text: bool,
    /// Number of archive members begun.
    members: u64,
    /// Stored bytes of the blocks received so far.
    done: Arc<AtomicU64>,
}

impl BlockReader {
    /// Runs `decompress` on a thread, with at most `jobs` threads: for one text, which it ends, or
    /// for the members of an archive.
    ///
    /// Stored bytes read are counted in `stored`, those whose text has been received in `done`.
    pub(crate) fn new(
        jobs: usize,
        archive: bool,
        stored: Arc<AtomicU64>,
        done: Arc<AtomicU64>,
        decompress: impl FnOnce(&mut BlockWriter) -> Result<(), DecompressError> + Send + 'static,
    ) -> Result<BlockReader, Error> {
        let (send, events) = sync_channel(EVENTS);
        let pool = Arc::default();
        let jobs = jobs.max(1);
        let mut writer = BlockWriter {
            events: send,
            pool: Arc::clone(&pool),
            budget: MemoryBudget::new(BUDGET + BUDGET_PER_JOB * jobs, jobs),
            jobs,
            block: Block::default(),
            stored,
        };
        let thread = spawn(move || {
            let stopped = decompress(&mut writer);
            debug_assert!(matches!(
                stopped,
                Ok(()) | Err(DecompressError::Disconnected)
            ));
        })?;
        Ok(BlockReader {
            events,
            pool,
            thread: Some(thread),
            block: Block::default(),
            read: 0,
            aside: None,
            in_text: !archive,
            members: 0,
            done,
        })
    }

    /// Skips the rest of the current member, and returns the name of the next one, or why the
    /// archive cannot be read further.
    pub(crate) fn next_member(&mut self) -> Option<Result<String, Error>> {
        while self.in_text {
            // Its failure is not relevant to a text that is skipped, or has been reported.
            let _ = self.next_block();
        }
        match self.event()? {
            BlockMessage::Member(name) => {
                self.in_text = true;
                self.members += 1;
                Some(Ok(name))
            }
            BlockMessage::Broken(error) => Some(Err(error)),
            BlockMessage::Block(_) | BlockMessage::Aside(_) | BlockMessage::End(_) => {
                unreachable!("no text has begun")
            }
        }
    }

    /// Index of the current text: the number of members begun.
    pub(crate) fn nth(&self) -> u64 {
        self.members
    }

    /// Reads decompressed bytes of the `nth` text; 0 at its end, or if another has begun. After a
    /// failure, the text must not be read again.
    pub(crate) fn read(&mut self, nth: u64, out: &mut [u8]) -> Result<usize, Failure> {
        if nth != self.members {
            return Ok(0);
        }
        while self.read == self.block.len {
            if !self.in_text || !self.next_block()? {
                return Ok(0);
            }
        }
        let n = (&self.block.bytes[self.read..self.block.len])
            .read(out)
            .expect("memory can be read");
        self.read += n;
        Ok(n)
    }

    /// Receives the next block of the text; false at its end.
    fn next_block(&mut self) -> Result<bool, Failure> {
        let used = std::mem::take(&mut self.block);
        if !used.bytes.is_empty() {
            self.pool.give(used.bytes);
        }
        self.read = 0;
        loop {
            if let Some(aside) = &self.aside {
                match aside.blocks.recv() {
                    Ok(Ok(block)) => {
                        self.begin(block);
                        return Ok(true);
                    }
                    Ok(Err(failure)) => {
                        self.aside = None;
                        if let Some(failure) = failure {
                            return Err(failure);
                        }
                    }
                    Err(_) => panic!("a decompressing thread has panicked"),
                }
                continue;
            }
            match self.event() {
                Some(BlockMessage::Block(block)) => {
                    self.begin(block);
                    return Ok(true);
                }
                Some(BlockMessage::Aside(aside)) => self.aside = Some(aside),
                Some(BlockMessage::End(outcome)) => {
                    self.in_text = false;
                    return outcome.map(|()| false);
                }
                Some(BlockMessage::Member(_) | BlockMessage::Broken(_)) | None => {
                    unreachable!("every text is ended")
                }
            }
        }
    }

    fn begin(&mut self, block: Block) {
        self.done.fetch_max(block.stored, Ordering::Relaxed);
        self.block = block;
    }

    /// The next event; `None` if the thread has ended.
    ///
    /// # Panics
    ///
    /// With the thread's panic, if it panicked.
    fn event(&mut self) -> Option<BlockMessage> {
        if let Ok(event) = self.events.recv() {
            return Some(event);
        }
        if let Some(thread) = self.thread.take()
            && let Err(panic) = thread.join()
        {
            resume_unwind(panic);
        }
        None
    }
}

impl fmt::Debug for BlockReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockReader")
            .field("members", &self.members)
            .finish_non_exhaustive()
    }
}
