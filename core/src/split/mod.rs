//! Bytes → whole games.
//!
//! [`Splitter`] finds where a game ends, and joins the parts of one game. [`Chunks`] cuts a text
//! there: a [`Chunk`] holds whole games only. Lists of positions ([`InputKind`]) are cut into lines
//! in the same way.

mod anomaly;
mod chunk;
mod content;
mod encoding;
mod error;
mod join;
mod kind;
mod lines;
mod mojibake;
mod origin;
mod splitter;
pub mod sync_point;
#[cfg(test)]
pub(crate) mod test_util;
mod text_reader;

pub use anomaly::{AnomalyKind, ByteNotes, TextAnomaly};
pub use chunk::{
    Buffers, CHUNK_BYTES, Chunk, Chunks, GAME_LIMIT, GameText, StoredBytes, fill, lock,
};
pub(crate) use content::{POSITIONS, content_of};
pub(crate) use encoding::END_OF_FILE_MARK;
#[cfg(test)]
pub(crate) use encoding::SAMPLE_BYTES;
pub use encoding::{ByteOrder, Encoding};
pub use error::TextError;
pub use kind::{
    Compression, HEAD_BYTES, InputKind, ends_with, plain_name, unsupported_compression,
};
pub use lines::{position_line, split_games};
pub(crate) use mojibake::undo_double_utf8;
pub use origin::{Origin, SourceId, TextTotals};
pub use splitter::Splitter;
pub use text_reader::{FailOnce, TextReader};

pub use crate::text::{BYTE_ORDER_MARK, GameNo, LineNo, Offset};
