//! Fast writer for the rows of plies, in CSV and in JSON lines.
//!
//! A database has millions of plies, and formatting them field by field would take longer than
//! playing them. Rows are written in place ([`Buffer::room`]), constant text is copied in pieces of
//! constant length, and neighbouring constants are one piece.

use crate::chess::fen::decimal;
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::rows::{Line, Played, PlyChoice, PlyRow, Step, variations};
use crate::report::Buffer;

/// Names of the columns. [`LINE_COLUMNS`] follow if variations are played.
pub(crate) const COLUMNS: [&str; 12] = [
    "game",
    "ply",
    "move_number",
    "color",
    "san",
    "uci",
    "fen",
    "check",
    "capture",
    "halfmove_clock",
    "repetition",
    "file",
];
pub(crate) const LINE_COLUMNS: [&str; 2] = ["line", "parent"];

/// Replays a game and passes each requested ply to `push`, with its line if variations are played.
pub(crate) fn each_ply(
    item: GameItem<'_>,
    at: Option<&PlyChoice>,
    with_variations: bool,
    mut push: impl FnMut(&PlyRow<'_>, Option<Line>),
) -> Played {
    let (replayer, game, text) = (item.replayer, item.game, item.text.bytes);
    if with_variations {
        variations(replayer, game, text, at, true, |step| {
            if let Step::Ply { line, row, .. } = step {
                push(row, Some(*line));
            }
        })
    } else {
        replayer.main_line(game, text, at, |row| push(row, None))
    }
}

/// Longest row without the name of its file, in bytes.
const LONGEST_ROW: usize = 512;

/// A row in the making, at the end of a buffer.
pub(crate) struct RowInPlace<'a> {
    bytes: &'a mut [u8; LONGEST_ROW],
    length: usize,
}

/// Constant text of a game that begins or ends its rows.
#[derive(Clone, Copy)]
pub(crate) struct ShortText {
    bytes: [u8; ShortText::LONGEST],
    length: usize,
}

impl ShortText {
    const LONGEST: usize = 40;

    /// The number of a game between two texts, which are short.
    pub(crate) fn number(before: &[u8], number: u64, after: &[u8]) -> ShortText {
        let mut digits = itoa::Buffer::new();
        let mut text = ShortText {
            bytes: [b' '; ShortText::LONGEST],
            length: 0,
        };
        for part in [before, digits.format(number).as_bytes(), after] {
            text.bytes[text.length..text.length + part.len()].copy_from_slice(part);
            text.length += part.len();
        }
        text
    }

    /// A text, unless it is too long.
    pub(crate) fn of(text: &[u8]) -> Option<ShortText> {
        let mut bytes = [b' '; ShortText::LONGEST];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(ShortText {
            bytes,
            length: text.len(),
        })
    }
}

impl<'a> RowInPlace<'a> {
    /// Begins a row after what `out` holds; [`Buffer::advance`] appends it.
    #[inline]
    pub(crate) fn new(out: &'a mut Buffer) -> RowInPlace<'a> {
        let bytes = out.room(LONGEST_ROW).first_chunk_mut();
        RowInPlace {
            bytes: bytes.unwrap_or_else(|| unreachable!("there is room")),
            length: 0,
        }
    }

    /// Number of bytes written.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Adds constant text.
    #[inline]
    pub(crate) fn fixed<const N: usize>(&mut self, text: &[u8; N]) {
        self.bytes[self.length..self.length + N].copy_from_slice(text);
        self.length += N;
    }

    /// Copies all of a text and adds its beginning, which needs no loop.
    #[inline]
    fn beginning<const N: usize>(&mut self, text: &[u8; N], length: usize) {
        self.bytes[self.length..self.length + N].copy_from_slice(text);
        self.length += length;
    }

    #[inline]
    pub(crate) fn short(&mut self, text: &ShortText) {
        self.beginning(&text.bytes, text.length);
    }

    #[inline]
    pub(crate) fn number(&mut self, number: u32) {
        self.length += decimal(number, &mut self.bytes[self.length..]);
    }

    /// Adds one of two texts; the second ends with this many blanks, which are left out.
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

    /// Adds the move in UCI notation; a null move is `0000`.
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
