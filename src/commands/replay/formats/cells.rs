//! The text of one row.

use crate::chess::fen::decimal;
use crate::commands::replay::rows::PlyRow;

/// A row that is being written into room that is large enough for any.
pub(crate) struct Cells<'a> {
    bytes: &'a mut [u8; LONGEST],
    length: usize,
}

/// No row is longer, in bytes, but for the name of its file.
pub(crate) const LONGEST: usize = 512;

/// A text that begins many rows.
#[derive(Clone, Copy)]
pub(crate) struct Short {
    bytes: [u8; Short::LONGEST],
    length: usize,
}

impl Short {
    pub(crate) const LONGEST: usize = 40;

    /// A text of at most so many bytes; what is longer is cut.
    pub(crate) fn new(text: &str) -> Short {
        let length = text.len().min(Short::LONGEST);
        let mut bytes = [b' '; Short::LONGEST];
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        Short { bytes, length }
    }
}

impl<'a> Cells<'a> {
    /// Begins a row.
    #[inline]
    pub(crate) fn new(bytes: &'a mut [u8; LONGEST]) -> Cells<'a> {
        Cells { bytes, length: 0 }
    }

    /// How many bytes it has.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Adds text that is always the same.
    #[inline]
    pub(crate) fn fixed<const N: usize>(&mut self, text: &[u8; N]) {
        self.bytes[self.length..self.length + N].copy_from_slice(text);
        self.length += N;
    }

    /// Adds the beginning of a text. That all of it is copied spares a loop.
    #[inline]
    fn beginning<const N: usize>(&mut self, text: &[u8; N], length: usize) {
        self.bytes[self.length..self.length + N].copy_from_slice(text);
        self.length += length;
    }

    /// Adds a short text.
    #[inline]
    pub(crate) fn short(&mut self, text: &Short) {
        self.beginning(&text.bytes, text.length);
    }

    #[inline]
    pub(crate) fn number(&mut self, number: u32) {
        self.length += decimal(number, &mut self.bytes[self.length..]);
    }

    /// Adds one of two texts, which are as long or have blanks behind them.
    #[inline]
    pub(crate) fn either<const N: usize>(
        &mut self,
        texts: &[[u8; N]; 2],
        second: bool,
        blanks: usize,
    ) {
        let length = if second { N - blanks } else { N };
        self.beginning(&texts[usize::from(second)], length);
    }

    #[inline]
    pub(crate) fn san(&mut self, row: &PlyRow<'_>) {
        self.length += row.san.write(&mut self.bytes[self.length..]);
    }

    /// The move in UCI notation, in which a pass is `0000`.
    #[inline]
    pub(crate) fn uci(&mut self, row: &PlyRow<'_>) {
        match row.uci {
            Some(uci) => self.length += uci.write(&mut self.bytes[self.length..]),
            None => self.fixed(b"0000"),
        }
    }

    #[inline]
    pub(crate) fn fen(&mut self, row: &PlyRow<'_>) {
        self.length += row.fen.write(row.after, &mut self.bytes[self.length..]);
    }
}
