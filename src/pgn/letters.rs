//! The piece letters of a game.

use crate::notation::{LETTER_SETS, LetterSet};

/// The sets of piece letters in which a game can be read: one, or several that yield the same
/// moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Letters {
    /// One bit for each index in [`LETTER_SETS`].
    sets: u64,
}

impl Letters {
    pub(crate) fn of(nth: usize) -> Letters {
        Letters { sets: 1 << nth }
    }

    /// The sets, in the order of [`LETTER_SETS`]; at least one.
    pub fn sets(self) -> impl Iterator<Item = &'static LetterSet> {
        let has = move |nth: &usize| self.sets >> nth & 1 == 1;
        (0..LETTER_SETS.len())
            .filter(has)
            .map(|nth| &LETTER_SETS[nth])
    }

    /// The first of the sets.
    pub fn first(self) -> &'static LetterSet {
        &LETTER_SETS[self.sets.trailing_zeros() as usize]
    }

    /// Adds the set with this index in [`LETTER_SETS`].
    pub(crate) fn add(&mut self, nth: usize) {
        self.sets |= 1 << nth;
    }
}
