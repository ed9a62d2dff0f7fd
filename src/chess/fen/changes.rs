//! FENs as changes of the FEN before them, for formats that store the difference.

use crate::chess::fen::incremental::IncrementalFen;
use crate::chess::position::Position;
use crate::chess::square::Rank;

/// Part of a text that replaces part of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TextChange {
    /// Offset in the new text, in bytes.
    pub(crate) at: u8,
    /// Length in the old text, in bytes.
    pub(crate) old_length: u8,
    /// Length in the new text, in bytes.
    pub(crate) new_length: u8,
}

/// Changes that turn one FEN into another, in text order and without overlap.
pub(crate) type FenChanges = [TextChange; 3];

/// Text of a FEN, with the places of its ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FenText {
    bytes: [u8; FenText::BYTES],
    /// End of each rank with the separator after it, the eighth rank in the lowest byte.
    ends: u64,
    length: usize,
}

impl Default for FenText {
    fn default() -> FenText {
        FenText {
            bytes: [0; FenText::BYTES],
            ends: 0,
            length: 0,
        }
    }
}

impl FenText {
    const BYTES: usize = IncrementalFen::LONGEST + FenText::COPIED;

    /// Bytes that are copied at once, as most changes are shorter.
    const COPIED: usize = 16;

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        let text = str::from_utf8(&self.bytes[..self.length]);
        text.unwrap_or_else(|_| unreachable!("a FEN is ASCII"))
    }

    /// Length in bytes.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Writes another FEN; `position` is the position after its moves.
    #[inline]
    pub(crate) fn write(&mut self, fen: &IncrementalFen, position: &Position) {
        self.length = fen.write(position, &mut self.bytes);
        self.ends = fen.ends();
    }

    /// Writes the new parts of the text, one after another, and returns their length.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`IncrementalFen::LONGEST`].
    #[inline]
    pub(crate) fn write_new(&self, changes: &FenChanges, to: &mut [u8]) -> usize {
        let mut end = 0;
        for change in changes {
            let (at, length) = (usize::from(change.at), usize::from(change.new_length));
            let to = &mut to[end..];
            to[..FenText::COPIED].copy_from_slice(&self.bytes[at..at + FenText::COPIED]);
            if length > FenText::COPIED {
                to[..length].copy_from_slice(&self.bytes[at..at + length]);
            }
            end += length;
        }
        end
    }

    /// Changes for a FEN that shares nothing with another.
    #[inline]
    pub(crate) fn all_new(&self) -> FenChanges {
        let end = TextChange::new(self.length, 0, 0);
        [TextChange::new(0, 0, self.length), end, end]
    }

    /// Changes since the FEN before a move: on the two ranks of the move, and after the ranks. The
    /// text kept before each change is empty or at least `shortest` bytes long.
    #[inline]
    pub(crate) fn changes_since(
        &self,
        before: &FenText,
        ranks: [Rank; 2],
        shortest: usize,
    ) -> FenChanges {
        let [first, second] = ranks.map(|rank| 7 - rank.index());
        let mut upper = self.change_of_rank(before, first.min(second));
        let mut lower = match first == second {
            true => TextChange::new(upper.end().into(), 0, 0),
            false => self.change_of_rank(before, first.max(second)),
        };
        let (old_board, board) = (before.end(7), self.end(7));
        let mut rest = TextChange::new(board, before.length - old_board, self.length - board);
        upper.extend_to(0, shortest);
        lower.extend_to(upper.end(), shortest);
        rest.extend_to(lower.end(), shortest);
        [upper, lower, rest]
    }

    /// Change of a rank, counted from the eighth, without the beginning and the end that are equal.
    #[inline]
    fn change_of_rank(&self, before: &FenText, nth: usize) -> TextChange {
        let ((old_begin, old_length), (begin, length)) = (before.rank(nth), self.rank(nth));
        let (old_word, word) = (before.word(old_begin), self.word(begin));
        let shorter = old_length.min(length);
        let prefix = ((old_word ^ word).trailing_zeros() as usize / 8).min(shorter);
        let ends = old_word << (64 - 8 * old_length) ^ word << (64 - 8 * length);
        let suffix = (ends.leading_zeros() as usize / 8).min(shorter - prefix);
        let kept = prefix + suffix;
        TextChange::new(begin + prefix, old_length - kept, length - kept)
    }

    /// End of a rank, counted from the eighth, with the separator after it.
    #[inline]
    fn end(&self, nth: usize) -> usize {
        (self.ends >> (8 * nth)) as usize & 0xff
    }

    /// Start and length of a rank.
    #[inline]
    fn rank(&self, nth: usize) -> (usize, usize) {
        let begin = (self.ends << 8 >> (8 * nth)) as usize & 0xff;
        (begin, self.end(nth) - begin - 1)
    }

    /// Eight bytes of the text, the first in the lowest byte.
    #[inline]
    fn word(&self, at: usize) -> u64 {
        let bytes = self.bytes[at..].first_chunk();
        u64::from_le_bytes(*bytes.unwrap_or_else(|| unreachable!("fields follow the ranks")))
    }
}

impl TextChange {
    #[inline]
    fn new(at: usize, old_length: usize, new_length: usize) -> TextChange {
        let [at, old_length, new_length] = [at, old_length, new_length].map(|it| it as u8);
        TextChange {
            at,
            old_length,
            new_length,
        }
    }

    /// End in the new text.
    #[inline]
    fn end(&self) -> u8 {
        self.at + self.new_length
    }

    /// Extends the change to the end of the one before it, if fewer than `shortest` bytes are
    /// between.
    #[inline]
    fn extend_to(&mut self, end: u8, shortest: usize) {
        let between = self.at - end;
        let added = if usize::from(between) < shortest {
            between
        } else {
            0
        };
        self.at -= added;
        self.old_length += added;
        self.new_length += added;
    }
}
