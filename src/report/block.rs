//! Blocks of binary rows, of which the sink makes a Parquet file.
//!
//! A block is its length in bytes and its number of rows, both of 32 bits, and the columns one
//! after another: [`NULL`] if no row has a value; [`SAME`] and the value of all rows; or [`EACH`],
//! one byte a row that is 0 if it has no value, and the values of the others. A text or a list
//! begins with its length of 32 bits. Numbers are little-endian.

use crate::report::Buffer;

pub(crate) const NULL: u8 = 0;
pub(crate) const SAME: u8 = 1;
pub(crate) const EACH: u8 = 2;

/// A block in the making.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    out: &'a mut Buffer,
    start: usize,
    rows: usize,
    /// Place of the next row's byte, while a column has a value for each row.
    present: Option<usize>,
}

impl<'a> Block<'a> {
    /// Begins a block after what `out` holds.
    pub(crate) fn begin(out: &'a mut Buffer, rows: usize) -> Block<'a> {
        let start = out.len();
        out.extend_from_slice(&[0; size_of::<u32>()]);
        out.extend_from_slice(&(rows as u32).to_le_bytes());
        Block {
            out,
            start,
            rows,
            present: None,
        }
    }

    /// Begins a column with a value for each row.
    pub(crate) fn begin_each(&mut self) {
        self.out.push(EACH);
        self.present = Some(self.out.len());
        self.out.room(self.rows);
        self.out.advance(self.rows);
    }

    /// Ends a column with a value for each row.
    pub(crate) fn end_each(&mut self) {
        let Some(end) = self.present.take() else {
            return;
        };
        let begin = end - self.rows;
        if self.out.as_bytes()[begin..end].iter().all(|&it| it == 0) {
            self.out.truncate(begin - 1);
            self.out.push(NULL);
        }
    }

    /// Adds the value of the next row, or of all rows.
    #[inline]
    pub(crate) fn push<T>(&mut self, value: Option<T>, push: impl FnOnce(&mut Buffer, T)) {
        let tag = if value.is_some() { SAME } else { NULL };
        match &mut self.present {
            Some(at) => {
                self.out.patch(*at, &[tag]);
                *at += 1;
            }
            None => self.out.push(tag),
        }
        if let Some(value) = value {
            push(self.out, value);
        }
    }

    /// Ends the block.
    pub(crate) fn end(self) {
        let length = (self.out.len() - self.start) as u32;
        self.out.patch(self.start, &length.to_le_bytes());
    }
}
