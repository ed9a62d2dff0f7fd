//! Games in the export format of the PGN standard (3.2): tags in their order, moves in the shortest notation with the
//! right numbers and check marks, lines of less than 80 characters.

mod comment;
mod movetext;
mod tags;
mod wrap;

pub use movetext::PgnGame;

/// What is kept beyond the moves of the main line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// Comments in braces; those behind a semicolon are put in braces.
    pub comments: bool,
    /// Numeric annotation glyphs; `!`, `?!` and other signs become glyphs.
    pub glyphs: bool,
    /// Variations, to any depth.
    pub variations: bool,
}

impl Keep {
    /// Whether nothing is kept.
    pub fn is_nothing(self) -> bool {
        self == Keep::default()
    }
}
