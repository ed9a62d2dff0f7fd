//! Memory that rows are written to in place.

use crate::commands::replay::formats::cells::{Cells, LONGEST};

/// Text that grows at its end. Rows are written where they stay, into bytes that are there already; a vector would have them
/// put together elsewhere and copied.
#[derive(Debug, Default)]
pub struct Sheet {
    bytes: Vec<u8>,
    length: usize,
}

impl Sheet {
    /// The text.
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// How much memory it takes, in bytes.
    pub fn memory(&self) -> usize {
        self.bytes.capacity()
    }

    /// Forgets the text and keeps the memory.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds text.
    #[inline]
    pub fn add(&mut self, text: &[u8]) {
        self.room(text.len())[..text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    /// Room for a row behind the text.
    #[inline]
    pub(crate) fn row(&mut self) -> Cells<'_> {
        let room = self.room(LONGEST).first_chunk_mut();
        Cells::new(room.unwrap_or_else(|| unreachable!("there is room")))
    }

    /// Takes what has been written behind the text into it.
    #[inline]
    pub(crate) fn advance(&mut self, length: usize) {
        self.length += length;
    }

    /// At least so many bytes behind the text.
    #[inline]
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.bytes.len() - self.length < bytes {
            self.grow(bytes);
        }
        &mut self.bytes[self.length..]
    }

    #[cold]
    fn grow(&mut self, bytes: usize) {
        let least = self.length + bytes;
        self.bytes.resize(least.max(2 * self.bytes.len()), 0);
    }
}
