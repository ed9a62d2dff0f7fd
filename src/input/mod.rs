//! Bytes → whole games.
//!
//! A [`Source`] is a file or stdin, decompressed while it is read; [`Chunks`] cuts its text where [`Splitter`] says
//! that games end; a [`Chunk`] holds whole games only, and hands them out as [`GameText`]. Lists of positions ([`Form`])
//! are cut into lines in the same way.

mod chunk;
mod lines;
mod place;
#[cfg(test)]
mod samples;
mod source;
mod split;
mod stream;
mod suite;
mod text;

pub use chunk::{Buffers, CHUNK_BYTES, Chunk, Chunks, GAME_LIMIT, GameText};
pub use lines::{Form, position_line};
pub use place::{GameNo, LineNo, Offset, Origin, SourceId};
pub use source::{Source, expand};
pub use split::{GameEnd, Splitter};
pub use stream::Stream;
pub use suite::{Suite, SuiteEntry, SuiteError};
pub use text::{count_characters, decode};
