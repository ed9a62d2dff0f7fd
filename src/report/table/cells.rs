//! Reading of blocks, the binary rows of the workers ([`block`](crate::report::block)).

use std::ops::Range;

/// Reads blocks.
pub(super) struct CellReader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> CellReader<'a> {
    /// Reads the head of a block after its length: the number of its rows, and their records.
    pub(super) fn records(&mut self) -> (usize, Records<'a>) {
        let [rows, size, new_bytes] = [(); 3].map(|()| self.number() as usize);
        let records = Records {
            bytes: self.take(rows * size),
            size,
            new_bytes: self.take(new_bytes),
        };
        (rows, records)
    }

    pub(super) fn take(&mut self, length: usize) -> &'a [u8] {
        let bytes = &self.bytes[self.at..self.at + length];
        self.at += length;
        bytes
    }

    /// The next number of 32 bits.
    pub(super) fn number(&mut self) -> u32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4));
        u32::from_le_bytes(bytes)
    }

    /// Reads this many texts, and passes the chosen ones to `push`.
    pub(super) fn each_text(
        &mut self,
        count: usize,
        chosen: Range<usize>,
        mut push: impl FnMut(&'a [u8]),
    ) {
        for nth in 0..count {
            let length = self.number() as usize;
            let text = self.take(length);
            if chosen.contains(&nth) {
                push(text);
            }
        }
    }
}

/// Records of the rows of a block.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    size: usize,
    /// New bytes of changed texts.
    pub(super) new_bytes: &'a [u8],
}

impl<'a> Records<'a> {
    /// Values at an offset in the records of these rows.
    #[inline]
    pub(super) fn fields<const N: usize>(
        self,
        offset: usize,
        rows: Range<usize>,
    ) -> impl Iterator<Item = &'a [u8; N]> {
        let records = &self.bytes[rows.start * self.size..rows.end * self.size];
        records.chunks_exact(self.size).map(move |record| {
            let field = record[offset..].first_chunk();
            field.unwrap_or_else(|| unreachable!("fields are in the records"))
        })
    }
}
