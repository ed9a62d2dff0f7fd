//! Positions in a text. Newtypes, since plain integers could be swapped.

use std::fmt;

/// Number of a game in its source, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameNo(pub u64);

/// Byte offset in a text, from 0. The text is the decompressed file, or its UTF-8 form if it is in
/// UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(pub u64);

/// Number of a line in its source, from 1. A line includes its `\n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNo(pub u64);

macro_rules! display_as_number {
    ($($place:ident),*) => {$(
        impl fmt::Display for $place {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

display_as_number!(GameNo, Offset, LineNo);
