//! Blocks of binary rows, of which the sink makes a Parquet file.
//!
//! A block begins with four numbers of 32 bits: its length in bytes, the number of its rows, the
//! size of their records, which may be 0, and the number of the new bytes of its changed texts. The
//! records and the new bytes follow, and then the columns, each after a byte for its form:
//!
//! - [`NULL`]: no row has a value.
//! - [`SAME`]: the value of all rows.
//! - [`ALL`]: the values of the rows.
//! - [`SOME`]: one byte a row that is 0 if it has no value, and the values of the others.
//! - [`FIELD`]: the offset of the value in the record of each row, of 8 bits.
//!
//! Numbers are little-endian. A text or a list begins with its length of 32 bits, a list then has
//! one byte an item, as in [`SOME`]. In a record a number has 32 bits, and a text is a word
//! ([`write_word`]) or a [`ChangedText`].

use crate::chess::fen::TextChange;
use crate::report::Buffer;

pub(crate) const NULL: u8 = 0;
pub(crate) const SAME: u8 = 1;
pub(crate) const ALL: u8 = 2;
pub(crate) const SOME: u8 = 3;
pub(crate) const FIELD: u8 = 4;

/// Bytes of the four numbers.
const HEAD_BYTES: usize = 16;

/// A text as changes of the one in the row before; in the first row of a block all of it is new.
/// The text kept before each change is empty or at least [`SHORTEST_MATCH`] bytes long.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangedText {
    /// Length in bytes.
    pub(crate) length: u32,
    pub(crate) changes: [TextChange; 3],
}

/// Shortest match worth its place in the compressed text, in bytes. zstd requires 3, and has room
/// for one match every 4 bytes.
pub(crate) const SHORTEST_MATCH: usize = 4;

impl ChangedText {
    pub(crate) const BYTES: usize = 16;

    #[inline]
    pub(crate) fn to_bytes(self) -> [u8; ChangedText::BYTES] {
        let [a, b, c, d] = self.length.to_le_bytes();
        let [e, f, g] = self.changes;
        [
            a,
            b,
            c,
            d,
            e.at,
            e.old_length,
            e.new_length,
            f.at,
            f.old_length,
            f.new_length,
            g.at,
            g.old_length,
            g.new_length,
            0,
            0,
            0,
        ]
    }

    #[inline]
    pub(crate) fn from_bytes(bytes: &[u8; ChangedText::BYTES]) -> ChangedText {
        let [a, b, c, d, changes @ ..] = bytes;
        let change = |nth: usize| TextChange {
            at: changes[3 * nth],
            old_length: changes[3 * nth + 1],
            new_length: changes[3 * nth + 2],
        };
        ChangedText {
            length: u32::from_le_bytes([*a, *b, *c, *d]),
            changes: [change(0), change(1), change(2)],
        }
    }
}

/// Writes a word of a record: at most seven ASCII characters, zeros, and their number. `write` puts
/// the characters at the beginning of its memory and returns their number. The eight bytes after
/// the word may change too. Nothing is read back: such a load stalls until the stores are done.
///
/// # Panics
///
/// If there are more characters, or `to` has fewer than 16 bytes.
#[inline]
pub(crate) fn write_word(to: &mut [u8], write: impl FnOnce(&mut [u8]) -> usize) {
    let to = &mut to[..16];
    let length = write(to);
    assert!(length <= 7, "a word is short");
    to[length..length + 8].fill(0);
    to[7] = length as u8;
}

/// The word of a short text ([`write_word`]).
pub(crate) fn word(text: &[u8]) -> [u8; 8] {
    let mut bytes = [0; 16];
    write_word(&mut bytes, |to| {
        to[..text.len()].copy_from_slice(text);
        text.len()
    });
    std::array::from_fn(|at| bytes[at])
}

/// A block in the making.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    out: &'a mut Buffer,
    begin: usize,
    rows: u32,
}

impl<'a> Block<'a> {
    /// Begins a block after what `out` holds.
    pub(crate) fn begin(out: &'a mut Buffer) -> Block<'a> {
        let begin = out.len();
        out.extend_from_slice(&[0; HEAD_BYTES]);
        Block {
            out,
            begin,
            rows: 0,
        }
    }

    /// Adds a row with a record of `N` bytes, which `write` sets.
    #[inline]
    pub(crate) fn push<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N])) {
        let room = self.out.room(N).first_chunk_mut();
        write(room.unwrap_or_else(|| unreachable!("there is room")));
        self.out.advance(N);
        self.rows += 1;
    }

    /// True if there is no row yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Removes a block without rows.
    pub(crate) fn discard(self) {
        self.out.truncate(self.begin);
    }

    /// Ends the rows with the new bytes of changed texts, and begins the columns.
    pub(crate) fn end_rows(&mut self, new_bytes: &[u8]) {
        let records = self.out.len() - self.begin - HEAD_BYTES;
        self.patch(4, self.rows);
        self.patch(8, records as u32 / self.rows);
        self.patch(12, new_bytes.len() as u32);
        self.out.extend_from_slice(new_bytes);
    }

    /// Replaces a number of the head.
    fn patch(&mut self, at: usize, number: u32) {
        self.out.patch(self.begin + at, &number.to_le_bytes());
    }

    /// Adds a column with the same value in all rows.
    #[inline]
    pub(crate) fn same<T>(&mut self, value: Option<T>, push: impl FnOnce(&mut Buffer, T)) {
        let Some(value) = value else {
            return self.out.push(NULL);
        };
        self.out.push(SAME);
        push(self.out, value);
    }

    /// Adds a column whose values are in the records.
    #[inline]
    pub(crate) fn field(&mut self, offset: u8) {
        self.out.push(FIELD);
        self.out.push(offset);
    }

    /// Adds a column with a value of constant size for each row.
    pub(crate) fn each<T, const N: usize>(
        &mut self,
        rows: &[T],
        value: impl Fn(&T) -> Option<[u8; N]>,
    ) {
        let begin = self.out.len();
        self.out.push(ALL);
        let (cells, _) = self.out.room(N * rows.len()).as_chunks_mut();
        for (cell, row) in cells.iter_mut().zip(rows) {
            match value(row) {
                Some(bytes) => *cell = bytes,
                None => {
                    self.out.truncate(begin);
                    let values = rows.iter().map(value);
                    return self.some(values, |out, bytes| out.extend_from_slice(&bytes));
                }
            }
        }
        self.out.advance(N * rows.len());
    }

    /// Adds a column with values for some rows.
    pub(crate) fn some<V>(
        &mut self,
        values: impl ExactSizeIterator<Item = Option<V>>,
        mut push: impl FnMut(&mut Buffer, V),
    ) {
        let begin = self.out.len();
        self.out.push(SOME);
        let present = self.out.len();
        self.out.room(values.len());
        self.out.advance(values.len());
        let mut is_empty = true;
        for (nth, value) in values.enumerate() {
            self.out.patch(present + nth, &[value.is_some().into()]);
            if let Some(value) = value {
                push(self.out, value);
                is_empty = false;
            }
        }
        if is_empty {
            self.out.truncate(begin);
            self.out.push(NULL);
        }
    }

    /// Ends the block.
    pub(crate) fn end(mut self) {
        let length = self.out.len() - self.begin;
        self.patch(0, length as u32);
    }
}

/// Appends the length of a text and the text.
pub(crate) fn push_text(out: &mut Buffer, text: impl AsRef<[u8]>) {
    let text = text.as_ref();
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text);
}

/// Appends the length of a list, whether each item has a value, and the values.
pub(crate) fn push_list<V>(
    out: &mut Buffer,
    items: impl ExactSizeIterator<Item = Option<V>> + Clone,
    mut push: impl FnMut(&mut Buffer, V),
) {
    out.extend_from_slice(&(items.len() as u32).to_le_bytes());
    for item in items.clone() {
        out.push(item.is_some().into());
    }
    for value in items.flatten() {
        push(out, value);
    }
}

/// Appends a list of small numbers.
pub(crate) fn push_small_numbers(out: &mut Buffer, numbers: &[u8]) {
    push_list(out, numbers.iter().copied().map(Some), |out, number| {
        out.extend_from_slice(&i32::from(number).to_le_bytes());
    });
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
pub(crate) fn days(year: u16, month: u8, day: u8) -> i32 {
    // The year begins in March, so that the leap day is its last.
    let (year, month) = match month {
        1 | 2 => (i32::from(year) - 1, i32::from(month) + 9),
        _ => (i32::from(year), i32::from(month) - 3),
    };
    let before = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    before + (153 * month + 2) / 5 + i32::from(day) - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970() {
        for (date, expected) in [
            ((1970, 1, 1), 0),
            ((1970, 3, 1), 59),
            ((1969, 12, 31), -1),
            ((2000, 2, 29), 11_016),
            ((2024, 2, 29), 19_782),
            ((1000, 1, 1), -354_285),
        ] {
            assert_eq!(days(date.0, date.1, date.2), expected, "{date:?}");
        }
    }
}
