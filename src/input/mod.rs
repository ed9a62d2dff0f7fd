//! Bytes → whole games.
//!
//! ```text
//! what was named ──expand──▶ Source ──texts──▶ Stream ──Chunks──▶ Chunk ──games──▶ GameText
//! ```
//!
//! A [`Source`] is a file, stdin or a member of an archive. Its [`Stream`] is text: it is unpacked
//! on a thread of its own, ahead of what is read, and rewritten if it is in UTF-16. [`Chunks`] cuts
//! it where [`Splitter`] says that games end, and joins the parts of one game again; a [`Chunk`]
//! holds whole games only, and hands them out as [`GameText`]. Lists of positions ([`Form`]) are
//! cut into lines in the same way.

mod ahead;
mod chunk;
mod dos;
mod double_utf8;
mod encoding;
mod expand;
mod format;
mod fresh;
mod interruptible;
mod join;
mod likely;
mod lines;
pub(crate) mod marks;
mod oddity;
mod packed;
mod pairs;
mod place;
mod recode;
#[cfg(test)]
pub(crate) mod samples;
mod source;
mod split;
mod stream;
mod stretch;
mod tag_line;
mod text;
mod texts;
mod unpack;

pub use chunk::{Buffers, CHUNK_BYTES, Chunk, Chunks, GAME_LIMIT, GameText};
pub use dos::dos_letter;
pub use double_utf8::undo as undo_double_utf8;
pub use encoding::Encoding;
pub use expand::expand;
pub use likely::Likely;
pub use lines::{Form, position_line};
pub use oddity::{BYTE_ORDER_MARK, END_OF_FILE_MARK, Oddity, OddityKind};
pub use pairs::Pair;
pub use place::{GameNo, LineNo, Offset, Origin, SourceId};
pub use source::Source;
pub use split::{EndKind, GameEnd, Splitter};
pub use stream::Stream;
pub use stretch::{Extent, STRETCH_BYTES, Stretch, StretchedText, Stretches};
pub(crate) use tag_line::TagLine;
pub use text::{count_characters, decode};
pub use texts::Texts;
