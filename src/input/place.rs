//! Where something stands: source, game, byte, line. Newtypes, because any two of them would be swapped one day.

use std::fmt;

/// A source's index in this run, from 0, in the order in which the sources are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A game's number in its source, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameNo(pub u64);

/// A place in a stream, in bytes from 0. Unless said otherwise, the stream is the text that is read: a file as it is when it is
/// unpacked, and where it is in UTF-16, what that is in UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(pub u64);

/// A line's number in its source, from 1. A line ends after its `\n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNo(pub u64);

/// Where a game's text begins, white space before its first tag included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The source.
    pub source: SourceId,
    /// The game's number in the source.
    pub game: GameNo,
    /// The first byte of the game's text.
    pub byte: Offset,
}

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
