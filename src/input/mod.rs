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

mod background;
mod compressed;
mod decompress;
mod expand;
mod part;
mod patterns;
mod range;
mod segments;
mod source;
mod stream;
pub(crate) mod sync;
#[cfg(test)]
#[path = "../../core/src/split/test_util.rs"]
pub(crate) mod test_util;

#[cfg(test)]
pub(crate) use chess_arbiter_core::split::GAME_LIMIT;
pub use chess_arbiter_core::split::{
    AnomalyKind, BYTE_ORDER_MARK, Buffers, ByteNotes, CHUNK_BYTES, Chunk, Chunks, Compression,
    Encoding, GameNo, GameText, HEAD_BYTES, InputKind, LineNo, Offset, SourceId, Splitter,
    StoredBytes, TextAnomaly, TextTotals, ends_with, fill, plain_name, position_line, split_games,
    sync_point::begins_at_sync_point,
};
pub(crate) use compressed::INTERRUPTED;
pub use expand::{Search, expand};
pub use part::InputPart;
pub use patterns::Patterns;
pub(crate) use patterns::lexical;
pub use range::TextRange;
pub(crate) use segments::Segment;
pub use segments::{SEGMENT_BYTES, Segments};
pub use source::Source;
pub use stream::Stream;
pub(crate) use sync::lock;
