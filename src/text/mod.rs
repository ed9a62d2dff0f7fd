//! Bytes of PGN text: offsets, decoding, and the byte-level grammar of tag pairs.

pub(crate) mod byte_scan;
mod decode;
mod place;
mod tag_filter;
pub(crate) mod tag_index;
mod tag_line;

pub(crate) use decode::windows_1252;
pub use decode::{count_characters, decode};
pub use place::{GameNo, LineNo, Offset};
pub use tag_filter::TagFilter;
pub use tag_index::TagPair;
pub(crate) use tag_line::TagLine;
