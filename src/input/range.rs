//! Ranges of a text.

use std::ops::Range;

/// Range of a file, from the first game that begins in it to that of the next range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextRange {
    /// Bytes of plain text.
    Plain(Range<u64>),
    /// Stored bytes of whole zstd frames. The text begins and ends at the first sync points from
    /// the borders on.
    Frames(Range<u64>),
    /// Stored bytes of an archive, in which the members begin that are read as a whole.
    Members(Range<u64>),
}

impl TextRange {
    /// The stored bytes of the range.
    pub(crate) fn stored(&self) -> &Range<u64> {
        match self {
            TextRange::Plain(range) | TextRange::Frames(range) | TextRange::Members(range) => range,
        }
    }
}
