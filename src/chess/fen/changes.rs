//! FENs as changes of the FEN before them, for formats that store the difference.

use crate::chess::fen::incremental::{IncrementalFen, RankEnds};
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

/// Writer of FENs as changes. It reads back nothing that it has just written: such a load stalls
/// until the stores are done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FenChangeWriter {
    /// Ranks of the last FEN, the eighth first, and their ends.
    ranks: [u64; 8],
    ends: RankEnds,
    /// Length of the last FEN in bytes.
    length: usize,
}

/// Place in the ranks of a FEN.
#[derive(Clone, Copy)]
struct Place {
    /// Offset in the text, in bytes.
    at: usize,
    /// Rank that the text from here on belongs to, counted from the eighth.
    rank: usize,
}

/// New text of ranks in place of old text.
struct RankChange {
    from: Place,
    to: Place,
    old_length: usize,
}

impl FenChangeWriter {
    /// Length of the last FEN in bytes.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Writes all of a FEN to `to`, as a change of nothing, and returns its length; `position` is
    /// the position after the moves.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`IncrementalFen::LONGEST`].
    #[inline]
    pub(crate) fn write_all(
        &mut self,
        fen: &IncrementalFen,
        position: &Position,
        to: &mut [u8],
    ) -> (FenChanges, usize) {
        self.ranks = std::array::from_fn(|nth| fen.rank(nth));
        self.ends = fen.ends();
        self.length = fen.write(position, to);
        let end = TextChange::new(self.length, 0, 0);
        let all = TextChange::new(0, 0, self.length);
        ([all, end, end], self.length)
    }

    /// Writes the new parts of the FEN after a move to `to`, one after another, and returns their
    /// places and their length in all. The text has changed on the two ranks of the move, and after
    /// the ranks; what is kept before each change is empty or at least `shortest` bytes long.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`IncrementalFen::LONGEST`].
    #[inline]
    pub(crate) fn write_changes(
        &mut self,
        (fen, position): (&IncrementalFen, &Position),
        ranks: [Rank; 2],
        shortest: usize,
        to: &mut [u8],
    ) -> (FenChanges, usize) {
        let to = &mut to[..IncrementalFen::LONGEST];
        let (old_ends, ends) = (self.ends, fen.ends());
        self.ends = ends;
        let [first, second] = ranks.map(|rank| 7 - rank.index());
        let mut change = |nth| self.change_of_rank(nth, fen, old_ends);
        let mut upper = change(first.min(second));
        let mut lower = match first == second {
            true => RankChange::none(upper.to),
            false => change(first.max(second)),
        };
        let (old_board, board) = (old_ends.end(7), ends.end(7));
        let end = Place { at: board, rank: 7 };
        let mut last = RankChange::none(end);
        upper.extend_to(Place { at: 0, rank: 0 }, shortest);
        lower.extend_to(upper.to, shortest);
        last.extend_to(lower.to, shortest);
        let mut written = 0;
        for change in [&upper, &lower, &last] {
            change.write(fen, &mut to[written..]);
            written += change.new_length();
        }
        let fields = fen.write_after_board(position, &mut to[written..]);
        let [upper, lower, mut rest] = [upper, lower, last].map(RankChange::into_text_change);
        rest.old_length += (self.length - old_board) as u8;
        rest.new_length += fields as u8;
        self.length = board + fields;
        ([upper, lower, rest], written + fields)
    }

    /// Updates a rank, counted from the eighth. Returns its change without the equal beginning and
    /// end.
    #[inline]
    fn change_of_rank(
        &mut self,
        nth: usize,
        fen: &IncrementalFen,
        old_ends: RankEnds,
    ) -> RankChange {
        let word = fen.rank(nth);
        let old_word = std::mem::replace(&mut self.ranks[nth], word);
        let (begin, length) = (self.ends.begin(nth), self.ends.length(nth));
        let old_length = old_ends.length(nth);
        let shorter = old_length.min(length);
        let prefix = ((old_word ^ word).trailing_zeros() as usize / 8).min(shorter);
        let ends = old_word << (64 - 8 * old_length) ^ word << (64 - 8 * length);
        let suffix = (ends.leading_zeros() as usize / 8).min(shorter - prefix);
        let place = |at: usize| Place {
            at: begin + at,
            rank: nth,
        };
        RankChange {
            from: place(prefix),
            to: place(length - suffix),
            old_length: old_length - prefix - suffix,
        }
    }
}

impl RankChange {
    #[inline]
    fn none(at: Place) -> RankChange {
        RankChange {
            from: at,
            to: at,
            old_length: 0,
        }
    }

    #[inline]
    fn new_length(&self) -> usize {
        self.to.at - self.from.at
    }

    /// Writes the new text. Bytes after it may change too.
    #[inline]
    fn write(&self, fen: &IncrementalFen, to: &mut [u8]) {
        if self.new_length() > 0 {
            let first = self.from.rank;
            let skipped = self.from.at - fen.ends().begin(first);
            fen.write_ranks_from(first..self.to.rank + 1, skipped, to);
        }
    }

    /// Extends the change to the end of the one before it, if fewer than `shortest` bytes are
    /// between.
    #[inline]
    fn extend_to(&mut self, end: Place, shortest: usize) {
        let between = self.from.at - end.at;
        if between < shortest {
            self.from = end;
            self.old_length += between;
        }
    }

    #[inline]
    fn into_text_change(self) -> TextChange {
        TextChange::new(self.from.at, self.old_length, self.new_length())
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
}
