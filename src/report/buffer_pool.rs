//! Output memory for reuse.

use crate::input::lock;
use crate::report::Buffer;

/// Buffers that have been written out and can be used again.
///
/// Output may be fifteen times as long as the games; new memory for each chunk would cost up to a
/// third of the time.
#[derive(Debug, Default)]
pub(crate) struct BufferPool(std::sync::Mutex<Vec<Buffer>>);

impl BufferPool {
    /// Larger buffers are freed, so that one gigantic game costs its memory once.
    const KEEP_BYTES: usize = 32 << 20;

    /// An empty buffer.
    pub(crate) fn take(&self) -> Buffer {
        lock(&self.0).pop().unwrap_or_default()
    }

    /// Takes a buffer back.
    pub(crate) fn give(&self, mut buffer: Buffer) {
        if buffer.capacity() <= BufferPool::KEEP_BYTES {
            buffer.clear();
            lock(&self.0).push(buffer);
        }
    }
}
