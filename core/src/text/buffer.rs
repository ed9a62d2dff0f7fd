//! Memory for output.

use std::fmt;

/// Appends formatted text to a string or [`Buffer`]; writing to memory does not fail.
#[macro_export]
#[doc(hidden)]
macro_rules! append {
    ($out:expr, $($what:tt)*) => {{
        use std::fmt::Write as _;
        let _ = write!($out, $($what)*);
    }};
}
pub use append;

/// Bytes that grow at the end.
///
/// Unlike a vector it lends initialised memory after its end (`Buffer::room`), so that rows of
/// many short fields are written in place instead of put together elsewhere and copied.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    length: usize,
}

impl Buffer {
    /// Bytes written so far.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Number of bytes written so far.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Number of bytes that the memory holds.
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Appends bytes.
    #[inline]
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Appends text.
    #[inline]
    pub fn push_str(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }

    /// Longest text written in place, in bytes.
    pub const LONGEST_IN_PLACE: usize = 128;

    /// Appends text that `write` puts at the beginning of [`Buffer::LONGEST_IN_PLACE`] bytes and
    /// eight more; it returns the length. Nothing is read back: such a load stalls until the
    /// stores are done.
    #[inline(always)]
    pub fn push_in_place(&mut self, write: impl FnOnce(&mut [u8]) -> usize) {
        let length = self.length;
        let Some(room) = self.bytes.get_mut(length..) else {
            unreachable!("the length is within the memory");
        };
        // Two comparisons a call, and the length in a register: rows have many fields.
        let to = match room.first_chunk_mut::<{ Buffer::ROOM }>() {
            Some(to) => to,
            None => self.grown(),
        };
        self.length = length + write(to);
    }

    const ROOM: usize = Buffer::LONGEST_IN_PLACE + 8;

    #[cold]
    fn grown(&mut self) -> &mut [u8; Buffer::ROOM] {
        let room = self.room(Buffer::ROOM);
        room.first_chunk_mut().expect("`room` grows the buffer")
    }

    /// Replaces bytes that have been written.
    pub fn patch(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Appends one byte.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.room(1)[0] = byte;
        self.length += 1;
    }

    /// Initialised memory after the end, at least this many bytes.
    #[inline]
    pub fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.bytes.len() - self.length < bytes {
            self.grow(bytes);
        }
        &mut self.bytes[self.length..]
    }

    /// Appends the first bytes of [`Buffer::room`], which the caller has written.
    #[inline]
    pub fn advance(&mut self, bytes: usize) {
        self.length += bytes;
    }

    /// The bytes, without copying them.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Removes everything after the first bytes.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    #[cold]
    fn grow(&mut self, bytes: usize) {
        let least = self.length + bytes;
        self.bytes.resize(least.max(2 * self.bytes.len()), 0);
    }
}

impl fmt::Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

impl std::io::Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
