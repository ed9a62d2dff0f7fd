//! The text of one row, put together in a small buffer.

use crate::judge::rows::PlyRow;
use crate::rules::Color;
use crate::rules::fen::{RunningFen, decimal};

/// No row is longer, in bytes, but for the name of its file.
const LONGEST: usize = 512;

/// A row that is being written.
pub(super) struct Cells {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Cells {
    pub(super) fn new() -> Cells {
        Cells {
            bytes: [0; LONGEST],
            length: 0,
        }
    }

    /// Begins a row anew.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    /// The row.
    #[inline]
    pub(super) fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Adds text that is known to be short.
    #[inline]
    pub(super) fn text_of(&mut self, text: &[u8]) {
        self.bytes[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    #[inline]
    pub(super) fn number(&mut self, number: u32) {
        self.length += decimal(number, &mut self.bytes[self.length..]);
    }

    /// A number that may be larger than any ply's.
    #[inline]
    pub(super) fn large(&mut self, number: u64) {
        match u32::try_from(number) {
            Ok(number) => self.number(number),
            Err(_) => self.text_of(number.to_string().as_bytes()),
        }
    }

    #[inline]
    pub(super) fn yes_or_no(&mut self, is: bool) {
        self.text_of(if is { b"true" } else { b"false" });
    }

    #[inline]
    pub(super) fn color(&mut self, color: Color) {
        self.text_of(match color {
            Color::White => b"white",
            Color::Black => b"black",
        });
    }

    #[inline]
    pub(super) fn san(&mut self, row: &PlyRow<'_>) {
        self.text_of(&row.san.ascii());
    }

    /// The move in UCI notation, in which a pass is `0000`.
    #[inline]
    pub(super) fn uci(&mut self, row: &PlyRow<'_>) {
        match row.uci {
            Some(uci) => {
                self.text_of(&uci.from.ascii());
                self.text_of(&uci.to.ascii());
                if let Some(role) = uci.promotion {
                    self.text_of(&[(role.letter() as u8).to_ascii_lowercase()]);
                }
            }
            None => self.text_of(b"0000"),
        }
    }

    #[inline]
    pub(super) fn fen(&mut self, row: &PlyRow<'_>) {
        let room = &mut self.bytes[self.length..self.length + RunningFen::LONGEST];
        self.length += row.fen.write(row.after, room);
    }
}
