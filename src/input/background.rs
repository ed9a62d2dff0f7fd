//! Unpacking ahead of the reader, on a thread of its own: a bounded number of blocks is ready or being made, and blocks
//! that have been read are filled again.

use std::fmt;
use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};

use crate::error::Error;
use crate::input::sync::{lock, wait};
use crate::text::Offset;

/// How large a block is, in bytes.
pub(crate) const BLOCK: usize = 256 << 10;

/// How much a decompressor is asked for at a time, in bytes. When it meets corrupt data it does not say how much it
/// had written until then, so this bounds what is lost.
const PIECE: usize = 64 << 10;

/// How many events may wait for the reader.
const EVENTS: usize = 4;

/// How much memory may be taken up by what is unpacked out of turn, in bytes: so much, and so much more for each thread.
const ROOM: usize = 28 << 20;
const ROOM_PER_JOB: usize = 4 << 20;

/// How much of a text is unpacked out of turn, in bytes, when there is room, and when there is little.
const AHEAD: usize = 8 << 20;
const LITTLE_AHEAD: usize = 2 << 20;

/// Why unpacking stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What is packed is truncated or corrupt.
    Corrupt {
        /// How it is packed.
        format: &'static str,
        /// Where the trouble was met in the file.
        at: Offset,
        /// What the decompressor said.
        cause: io::Error,
    },
    /// Anything else.
    Error(Error),
}

/// Why the unpacking thread has nothing more to do.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Nobody reads any more.
    Disconnected,
    /// The text cannot be unpacked to its end.
    Failed(Failure),
}

impl Failure {
    /// That of a decompressor which read what is packed in `format` up to `at`; an [`Error`] that came through it stays
    /// what it is.
    pub(crate) fn of(format: &'static str, at: Offset, cause: io::Error) -> Failure {
        match cause.downcast() {
            Ok(error) => Failure::Error(error),
            Err(cause) => Failure::Corrupt { format, at, cause },
        }
    }
}

impl Stop {
    /// As [`Failure::of`].
    pub(crate) fn of(format: &'static str, at: Offset, cause: io::Error) -> Stop {
        Stop::Failed(Failure::of(format, at, cause))
    }
}

/// Why not all could be handed over.
#[derive(Debug)]
pub(crate) enum CopyError {
    /// Nobody reads any more.
    Disconnected,
    /// It cannot be read to its end.
    Read(io::Error),
}

impl CopyError {
    /// The failure of a decompressor, as [`Failure::of`].
    pub(crate) fn at(self, format: &'static str, at: Offset) -> Stop {
        match self {
            CopyError::Disconnected => Stop::Disconnected,
            CopyError::Read(cause) => Stop::of(format, at, cause),
        }
    }
}

impl From<io::Error> for CopyError {
    fn from(cause: io::Error) -> CopyError {
        CopyError::Read(cause)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(Failure::Error(error))
    }
}

/// Unpacked bytes.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    len: usize,
    /// Stored bytes of the source read up to its end.
    stored: u64,
}

/// What the unpacking thread says, in order.
enum Event {
    /// Another text begins, a member of an archive. Where there is no archive, the one text begins by itself.
    Member(String),
    /// What follows in the text.
    Block(Block),
    /// What follows in the text, from another thread that works at it.
    Aside(Aside),
    /// The text ends.
    End(Result<(), Failure>),
    /// The archive cannot be read any further.
    Broken(Error),
}

/// Blocks that another thread unpacks before it is their turn.
struct Aside {
    blocks: Receiver<Result<Block, Option<Failure>>>,
    _place: Place,
}

/// Blocks that wait to be filled again.
#[derive(Clone, Default)]
struct Spares(Arc<Mutex<Vec<Vec<u8>>>>);

impl Spares {
    fn take(&self) -> Vec<u8> {
        let spare = lock(&self.0).pop();
        spare.unwrap_or_else(|| vec![0; BLOCK])
    }

    fn keep(&self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            lock(&self.0).push(bytes);
        }
    }
}

/// The room for what is unpacked out of turn.
struct Room {
    /// How many bytes are taken, and by how many.
    taken: Mutex<(usize, usize)>,
    freed: Condvar,
    bytes: usize,
    places: usize,
}

/// Some of the room, until it is dropped.
struct Place {
    room: Arc<Room>,
    bytes: usize,
}

impl Room {
    /// Waits until there is room for `bytes` and something unpacked ahead, `ahead` bytes at most; or until there is nobody
    /// else. Returns the place, and how much may be unpacked ahead in it.
    fn take(self: &Arc<Room>, bytes: usize, ahead: usize) -> (Place, usize) {
        let least = bytes + ahead.min(LITTLE_AHEAD);
        let mut taken = lock(&self.taken);
        while taken.1 > 0 && (taken.0 + least > self.bytes || taken.1 >= self.places) {
            taken = wait(&self.freed, taken);
        }
        let left = self.bytes.saturating_sub(taken.0 + bytes);
        let ahead = ahead.min(left.max(LITTLE_AHEAD));
        taken.0 += bytes + ahead;
        taken.1 += 1;
        let place = Place {
            room: Arc::clone(self),
            bytes: bytes + ahead,
        };
        (place, ahead)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.room.taken);
        taken.0 -= self.bytes;
        taken.1 -= 1;
        self.room.freed.notify_all();
    }
}

/// The side of the thread that unpacks.
pub(crate) struct BlockWriter {
    events: SyncSender<Event>,
    spares: Spares,
    room: Arc<Room>,
    /// What is not yet full.
    block: Block,
    /// Stored bytes read so far.
    stored: Arc<AtomicU64>,
}

impl BlockWriter {
    /// Begins another text.
    pub(crate) fn member(&mut self, name: String) -> Result<(), Stop> {
        debug_assert_eq!(self.block.len, 0);
        self.send(Event::Member(name))
    }

    /// Ends the text: what could be unpacked until then comes first.
    pub(crate) fn end(&mut self, outcome: Result<(), Stop>) -> Result<(), Stop> {
        let outcome = match outcome {
            Ok(()) => Ok(()),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Disconnected) => return Err(Stop::Disconnected),
        };
        self.flush()?;
        self.send(Event::End(outcome))
    }

    /// Ends the archive before its end.
    pub(crate) fn broken(&mut self, error: Error) -> Result<(), Stop> {
        self.send(Event::Broken(error))
    }

    /// Hands over all that `reader` has.
    pub(crate) fn copy(&mut self, reader: &mut impl Read) -> Result<(), CopyError> {
        loop {
            if self.block.bytes.is_empty() {
                self.block.bytes = self.spares.take();
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

    /// How many texts may be unpacked at the same time.
    pub(crate) fn jobs(&self) -> usize {
        self.room.places
    }

    /// Has another thread `unpack` what belongs in this place. It takes up `bytes` bytes itself, and hands over `length`
    /// bytes if that is known; not all of them before it is their turn.
    pub(crate) fn aside(
        &mut self,
        bytes: usize,
        length: Option<u64>,
        decompress: impl FnOnce(&ParallelWriter) -> Result<(), Stop> + Send + 'static,
    ) -> Result<(), Stop> {
        self.flush()?;
        let wanted = length.map_or(AHEAD, |length| length.min(AHEAD as u64) as usize);
        let (place, ahead) = self.room.take(bytes, wanted);
        let (send, blocks) = sync_channel(ahead.div_ceil(BLOCK));
        let writer = ParallelWriter {
            send,
            spares: self.spares.clone(),
            stored: self.stored.load(Ordering::Relaxed),
        };
        spawn(move || {
            let last = match decompress(&writer) {
                Ok(()) => None,
                Err(Stop::Failed(failure)) => Some(failure),
                Err(Stop::Disconnected) => return,
            };
            // Nobody may listen any more.
            let _ = writer.send.send(Err(last));
        })?;
        // Not before there is a thread that says how it ended.
        self.send(Event::Aside(Aside {
            blocks,
            _place: place,
        }))
    }

    fn flush(&mut self) -> Result<(), Stop> {
        if self.block.len == 0 {
            return Ok(());
        }
        let mut block = std::mem::take(&mut self.block);
        block.stored = self.stored.load(Ordering::Relaxed);
        self.send(Event::Block(block))
    }

    fn send(&self, event: Event) -> Result<(), Stop> {
        self.events.send(event).map_err(|_| Stop::Disconnected)
    }
}

/// The side of a thread that unpacks before it is its turn.
pub(crate) struct ParallelWriter {
    send: SyncSender<Result<Block, Option<Failure>>>,
    spares: Spares,
    stored: u64,
}

impl ParallelWriter {
    /// Hands over all that `reader` has.
    pub(crate) fn copy(&self, reader: &mut impl Read) -> Result<(), CopyError> {
        loop {
            let mut block = Block {
                bytes: self.spares.take(),
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

/// Reads until the block is full, which it says, or nothing more comes.
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
        .name("unpack".to_owned())
        .spawn(work)
        .map_err(|cause| Error::Threads {
            wanted: 1,
            reason: cause.to_string(),
        })
}

/// The side of the reader.
pub(crate) struct BlockReader {
    events: Receiver<Event>,
    spares: Spares,
    thread: Option<JoinHandle<()>>,
    block: Block,
    /// How much of the block has been read.
    read: usize,
    aside: Option<Aside>,
    /// Whether a text has begun and not ended.
    in_text: bool,
    /// How many members of an archive have begun.
    members: u64,
    /// The stored bytes of which the blocks taken so far were made.
    done: Arc<AtomicU64>,
}

impl BlockReader {
    /// Has a thread `unpack` one text, which it ends, or the members of an archive; with `jobs`
    /// threads at most if it can use them. The thread counts the stored bytes it reads in `stored`;
    /// those whose text has been read are in `done`.
    pub(crate) fn new(
        jobs: usize,
        archive: bool,
        stored: Arc<AtomicU64>,
        done: Arc<AtomicU64>,
        decompress: impl FnOnce(&mut BlockWriter) -> Result<(), Stop> + Send + 'static,
    ) -> Result<BlockReader, Error> {
        let (send, events) = sync_channel(EVENTS);
        let spares = Spares::default();
        let jobs = jobs.max(1);
        let mut writer = BlockWriter {
            events: send,
            spares: spares.clone(),
            room: Arc::new(Room {
                taken: Mutex::default(),
                freed: Condvar::new(),
                bytes: ROOM + ROOM_PER_JOB * jobs,
                places: jobs,
            }),
            block: Block::default(),
            stored,
        };
        let thread = spawn(move || {
            let stopped = decompress(&mut writer);
            debug_assert!(matches!(stopped, Ok(()) | Err(Stop::Disconnected)));
        })?;
        Ok(BlockReader {
            events,
            spares,
            thread: Some(thread),
            block: Block::default(),
            read: 0,
            aside: None,
            in_text: !archive,
            members: 0,
            done,
        })
    }

    /// Goes on to the next member of an archive, past what is left of the one before; its name, or why the archive
    /// cannot be read any further.
    pub(crate) fn next_member(&mut self) -> Option<Result<String, Error>> {
        while self.in_text {
            // Its failure concerns nobody who does not read it, or has been told already.
            let _ = self.next_block();
        }
        match self.event()? {
            Event::Member(name) => {
                self.in_text = true;
                self.members += 1;
                Some(Ok(name))
            }
            Event::Broken(error) => Some(Err(error)),
            Event::Block(_) | Event::Aside(_) | Event::End(_) => unreachable!("no text has begun"),
        }
    }

    /// Which text is being read, by the members that have begun.
    pub(crate) fn nth(&self) -> u64 {
        self.members
    }

    /// Reads what is unpacked of the `nth` text; 0 bytes at its end, and when another has begun since. After a failure
    /// nothing more is to be read of the text.
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

    /// Goes on to the next block of the text; false at its end.
    fn next_block(&mut self) -> Result<bool, Failure> {
        let used = std::mem::take(&mut self.block);
        self.spares.keep(used.bytes);
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
                    Err(_) => panic!("a thread that unpacks has panicked"),
                }
                continue;
            }
            match self.event() {
                Some(Event::Block(block)) => {
                    self.begin(block);
                    return Ok(true);
                }
                Some(Event::Aside(aside)) => self.aside = Some(aside),
                Some(Event::End(outcome)) => {
                    self.in_text = false;
                    return outcome.map(|()| false);
                }
                Some(Event::Member(_) | Event::Broken(_)) | None => {
                    unreachable!("every text is ended")
                }
            }
        }
    }

    fn begin(&mut self, block: Block) {
        self.done.fetch_max(block.stored, Ordering::Relaxed);
        self.block = block;
    }

    /// The next event; nothing when the thread has ended.
    ///
    /// # Panics
    ///
    /// With the thread's panic, if it panicked.
    fn event(&mut self) -> Option<Event> {
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
