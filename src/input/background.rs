//! Decompression in the background: a bounded number of blocks is ready or in work, and blocks that
//! have been read are filled again.

use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, SendError, Sender, bounded};

use crate::error::Error;
use crate::input::sync::{MemoryBudget, Permit, lock};

/// Size of a block, in bytes.
const BLOCK: usize = 256 << 10;

/// Bytes requested from a decompressor at a time. On corrupt data it does not report how much it
/// had written, so this bounds the loss.
const PIECE: usize = 64 << 10;

/// Capacity of the channels of messages, and of blocks that are decompressed in order.
const QUEUED: usize = 4;

/// Memory budget of parallel decompression, in bytes: a fixed part and a part per thread.
const BUDGET: usize = 28 << 20;
const BUDGET_PER_JOB: usize = 4 << 20;

/// Bytes decompressed ahead by one thread, with enough memory and with little.
const AHEAD: usize = 8 << 20;
const LITTLE_AHEAD: usize = 2 << 20;

/// Bytes of blocks that have been read.
type BufferPool = Mutex<Vec<Vec<u8>>>;

/// Decompressed bytes.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    len: usize,
    /// Stored bytes of the source read up to its end.
    stored: u64,
}

/// Messages of the decompressing thread, in order.
enum Message {
    /// A member of an archive begins. A text without an archive begins implicitly.
    Member(String),
    /// The next blocks of the text.
    Blocks(Blocks),
    /// The member ends.
    End(io::Result<()>),
}

/// Consecutive blocks of a text.
struct Blocks {
    blocks: Receiver<Block>,
    /// Thread that decompresses them out of order.
    thread: Option<Thread>,
    _permit: Option<Permit>,
}

type Thread = JoinHandle<io::Result<()>>;

/// Sending end of the decompressing thread. All sending fails once the reader is dropped.
pub(crate) struct BlockWriter {
    messages: Sender<Message>,
    pool: Arc<BufferPool>,
    budget: Arc<MemoryBudget>,
    /// Maximum number of parallel decompressions.
    pub(crate) jobs: usize,
    /// Stored bytes read so far.
    pub(crate) stored: Arc<AtomicU64>,
}

impl BlockWriter {
    fn send(&self, message: Message) -> io::Result<()> {
        self.messages.send(message).map_err(gone)
    }

    /// Begins a member of an archive.
    pub(crate) fn member(&mut self, name: String) -> io::Result<()> {
        self.send(Message::Member(name))
    }

    /// Ends the member.
    pub(crate) fn end(&mut self, outcome: io::Result<()>) -> io::Result<()> {
        self.send(Message::End(outcome))
    }

    /// Sends all bytes of `reader`.
    pub(crate) fn copy(&mut self, reader: &mut impl Read) -> io::Result<()> {
        let (send, blocks) = bounded(QUEUED);
        self.send(Message::Blocks(Blocks {
            blocks,
            thread: None,
            _permit: None,
        }))?;
        self.sender(send, Arc::clone(&self.stored)).copy(reader)
    }

    /// Runs `decompress` on another thread; its output belongs here. It holds `bytes` bytes of
    /// memory, and produces `length` bytes if that is known.
    pub(crate) fn aside(
        &mut self,
        bytes: usize,
        length: Option<u64>,
        decompress: impl FnOnce(&BlockSender) -> io::Result<()> + Send + 'static,
    ) -> io::Result<()> {
        let wanted = length.map_or(AHEAD, |length| length.min(AHEAD as u64) as usize);
        let least = bytes + wanted.min(LITTLE_AHEAD);
        let permit = self.budget.take(least, bytes + wanted);
        let (send, blocks) = bounded((permit.bytes() - bytes).div_ceil(BLOCK));
        let stored = Arc::new(AtomicU64::new(self.stored.load(Ordering::Relaxed)));
        let sender = self.sender(send, stored);
        let thread = spawn(move || decompress(&sender))?;
        self.send(Message::Blocks(Blocks {
            blocks,
            thread: Some(thread),
            _permit: Some(permit),
        }))
    }

    fn sender(&self, send: Sender<Block>, stored: Arc<AtomicU64>) -> BlockSender {
        BlockSender {
            send,
            pool: Arc::clone(&self.pool),
            stored,
        }
    }
}

/// Error of a thread whose reader was dropped. Nothing reads the error.
fn gone<T>(_: SendError<T>) -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

/// Sending end of consecutive blocks.
pub(crate) struct BlockSender {
    send: Sender<Block>,
    pool: Arc<BufferPool>,
    stored: Arc<AtomicU64>,
}

impl BlockSender {
    /// Sends all bytes of `reader`.
    pub(crate) fn copy(&self, reader: &mut impl Read) -> io::Result<()> {
        loop {
            let mut block = Block {
                bytes: lock(&self.pool).pop().unwrap_or_else(|| vec![0; BLOCK]),
                ..Block::default()
            };
            let outcome = block.fill(reader);
            block.stored = self.stored.load(Ordering::Relaxed);
            if block.len > 0 {
                self.send.send(block).map_err(gone)?;
            }
            if outcome? {
                return Ok(());
            }
        }
    }
}

impl Block {
    /// Reads until the block is full, or the reader ends (true).
    fn fill(&mut self, reader: &mut impl Read) -> io::Result<bool> {
        while self.len < self.bytes.len() {
            let piece = (self.len + PIECE).min(self.bytes.len());
            match reader.read(&mut self.bytes[self.len..piece]) {
                Ok(0) => return Ok(true),
                Ok(n) => self.len += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }
}

fn spawn(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> Result<Thread, Error> {
    thread::Builder::new()
        .name("decompress".to_owned())
        .spawn(work)
        .map_err(|cause| Error::threads(1, &cause))
}

/// Outcome of a thread that has ended or is about to.
fn join(thread: Option<Thread>) -> io::Result<()> {
    thread.map_or(Ok(()), |thread| {
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Receiving end.
pub(crate) struct BlockReader {
    messages: Receiver<Message>,
    pool: Arc<BufferPool>,
    thread: Option<Thread>,
    blocks: Option<Blocks>,
    block: Block,
    /// Number of bytes of the block already read.
    read: usize,
    /// Whether a text has begun and not ended.
    in_text: bool,
    /// Number of archive members begun: the index of the current text.
    pub(crate) members: u64,
    /// Stored bytes of the blocks received so far.
    done: Arc<AtomicU64>,
}

impl BlockReader {
    /// Runs `decompress` on a thread, with at most `jobs` threads: for one text, or for the members
    /// of an archive.
    ///
    /// Stored bytes read are counted in `stored`, those whose text has been received in `done`.
    pub(crate) fn new(
        jobs: usize,
        archive: bool,
        stored: Arc<AtomicU64>,
        done: Arc<AtomicU64>,
        decompress: impl FnOnce(&mut BlockWriter) -> io::Result<()> + Send + 'static,
    ) -> Result<BlockReader, Error> {
        let (send, messages) = bounded(QUEUED);
        let pool = Arc::default();
        let jobs = jobs.max(1);
        let mut writer = BlockWriter {
            messages: send,
            pool: Arc::clone(&pool),
            budget: MemoryBudget::new(BUDGET + BUDGET_PER_JOB * jobs, jobs),
            jobs,
            stored,
        };
        Ok(BlockReader {
            messages,
            pool,
            thread: Some(spawn(move || decompress(&mut writer))?),
            blocks: None,
            block: Block::default(),
            read: 0,
            in_text: !archive,
            members: 0,
            done,
        })
    }

    /// Skips the rest of the current member, and returns the name of the next one, or why the
    /// archive cannot be read further.
    pub(crate) fn next_member(&mut self) -> Option<io::Result<String>> {
        while self.in_text {
            // Its failure is not relevant to a text that is skipped, or has been reported.
            let _ = self.next_block();
        }
        match self.messages.recv() {
            Ok(Message::Member(name)) => {
                self.in_text = true;
                self.members += 1;
                Some(Ok(name))
            }
            Ok(Message::Blocks(_) | Message::End(_)) => unreachable!("no text has begun"),
            Err(_) => join(self.thread.take()).err().map(Err),
        }
    }

    /// Reads decompressed bytes of the `nth` text; 0 at its end, or if another has begun. After a
    /// failure, the text must not be read again.
    pub(crate) fn read(&mut self, nth: u64, out: &mut [u8]) -> io::Result<usize> {
        if nth != self.members {
            return Ok(0);
        }
        while self.read == self.block.len {
            if !self.in_text || !self.next_block()? {
                return Ok(0);
            }
        }
        let n = (&self.block.bytes[self.read..self.block.len]).read(out)?;
        self.read += n;
        Ok(n)
    }

    /// Receives the next block of the text; false at its end.
    fn next_block(&mut self) -> io::Result<bool> {
        let used = std::mem::take(&mut self.block);
        if !used.bytes.is_empty() {
            lock(&self.pool).push(used.bytes);
        }
        self.read = 0;
        loop {
            if let Some(run) = &self.blocks {
                if let Ok(block) = run.blocks.recv() {
                    self.done.fetch_max(block.stored, Ordering::Relaxed);
                    self.block = block;
                    return Ok(true);
                }
                let run = self.blocks.take();
                join(run.and_then(|run| run.thread))?;
            }
            let outcome = match self.messages.recv() {
                Ok(Message::Blocks(blocks)) => {
                    self.blocks = Some(blocks);
                    continue;
                }
                Ok(Message::End(outcome)) => outcome,
                Ok(Message::Member(_)) => unreachable!("every member is ended"),
                Err(_) => join(self.thread.take()),
            };
            self.in_text = false;
            return outcome.map(|()| false);
        }
    }
}
