//! Repair of games: the texts with the repairs of their findings, and the difference.

mod chunk;
mod counts;
mod diff;
mod game;
mod origin;
mod repairs;
mod wrap;

pub use chunk::{FixedChunk, FixedPart, InputFacts, fix_chunk};
pub use counts::FixCounts;
pub use diff::DiffWriter;
pub use game::GameFixer;
