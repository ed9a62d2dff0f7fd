//! Export format of the PGN standard (3.2): tags in order, moves in the shortest notation with move
//! numbers and check marks, lines of less than 80 characters.

mod movetext;
mod tags;
mod wrap;

pub(crate) use movetext::GameExport;

/// Content kept beyond the moves of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Keep {
    /// Comments; those after a semicolon are put in braces.
    pub(crate) comments: bool,
    /// NAGs; `!`, `?!` and other suffixes become NAGs.
    pub(crate) nags: bool,
    /// Variations, to any depth.
    pub(crate) variations: bool,
}

impl Keep {
    /// True if nothing is kept.
    pub(crate) fn is_nothing(self) -> bool {
        self == Keep::default()
    }
}
