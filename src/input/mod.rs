//! Bytes → whole games.
//!
//! ```text
//! inputs ──expand──▶ Source ──members──▶ Stream ──Chunks──▶ Chunk ──games──▶ GameText
//! ```
//!
//! A [`Source`] is a file, stdin or an archive member. Its [`Stream`] is text, decompressed in the
//! background and transcoded to UTF-8 if it is UTF-16. [`Chunks`] cuts the text where [`Splitter`]
//! finds the end of a game, and joins the parts of one game. A [`Chunk`] holds whole games only.
//! Several processes can share the sources ([`InputPart`]).
//! Lists of positions ([`InputKind`]) are cut into lines in the same way.

mod anomaly;
mod background;
pub(crate) mod chunk;
mod compressed;
mod content;
mod decompress;
mod encoding;
mod expand;
mod join;
mod kind;
mod lines;
mod mojibake;
mod part;
mod patterns;
mod range;
mod segments;
mod source;
mod split;
mod stream;
pub(crate) mod sync;
mod sync_point;
#[cfg(test)]
pub(crate) mod test_util;

pub use anomaly::{AnomalyKind, ByteNotes, TextAnomaly};
pub use chunk::{Buffers, CHUNK_BYTES, Chunk, Chunks, GameText};
pub(crate) use compressed::INTERRUPTED;
pub(crate) use content::{POSITIONS, content_of};
pub use encoding::Encoding;
pub(crate) use encoding::{BYTE_ORDER_MARK, END_OF_FILE_MARK};
pub use expand::{Search, expand};
pub use kind::InputKind;
pub(crate) use kind::{Compression, HEAD_BYTES, ends_with, plain_name};
pub(crate) use lines::{position_line, split_games};
pub(crate) use mojibake::undo_double_utf8;
pub use part::InputPart;
pub use patterns::Patterns;
pub(crate) use patterns::lexical;
pub use range::{TextRange, TextTotals};
pub(crate) use segments::Segment;
pub use segments::{SEGMENT_BYTES, Segments};
pub use source::{Source, SourceId};
pub use split::Splitter;
pub use stream::Stream;
pub(crate) use sync::lock;
pub(crate) use sync_point::begins_at_sync_point;

pub(crate) use crate::text::{GameNo, LineNo, Offset};
