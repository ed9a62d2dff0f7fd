//! Chunks of whole games.

mod reader;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::pgn::Game;
use crate::replay::Reader;
use crate::split::anomaly::ByteNotes;
use crate::split::encoding::Encoding;
use crate::split::kind::InputKind;
use crate::split::origin::{Origin, SourceId, TextTotals};
use crate::split::splitter::GameEnd;
use crate::text::index::{Index, IndexView};
use crate::text::{GameNo, LineNo, Offset, TagFilter};

pub use reader::{Chunks, fill};

/// Default chunk size, in bytes.
pub const CHUNK_BYTES: usize = 256 << 10;

/// Stored bytes that the transcoder has read and no chunk has taken.
pub type StoredBytes = Arc<Mutex<Vec<u8>>>;

/// Locks a mutex. A poisoned lock is taken as it is.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Maximum size of a game, in bytes. A larger one is a corrupt file or a decompression bomb, and
/// would have to be held in memory.
pub const GAME_LIMIT: u64 = 128 << 20;

/// Bytes of whole games, one after another without a gap.
#[derive(Clone, Debug)]
pub struct Chunk {
    source: SourceId,
    /// Kind of the source. In a list of positions, each line is a game.
    pub kind: InputKind,
    /// Number of the first game.
    pub first_game: GameNo,
    /// Offset in the text of the source.
    pub byte: Offset,
    /// Line on which the chunk begins.
    pub line: LineNo,
    /// Number of characters before the chunk on its first line.
    pub column: u64,
    buffers: Arc<PooledBuffers>,
    len: usize,
    /// Encoding of the stored bytes.
    pub encoding: Encoding,
    /// Stored bytes, if the text is transcoded.
    stored: Option<Vec<u8>>,
    /// Whether each game is skipped. Empty if none is.
    skipped: Vec<bool>,
    /// Length of the text before the first game of the source that can be read. It is not PGN.
    /// Zero if games are skipped.
    pub lead: usize,
}

/// Buffers of one chunk.
#[derive(Debug, Default)]
struct ChunkBuffers {
    /// Longer than the games: clearing and growing a buffer for every chunk would cost as much as
    /// splitting it.
    text: Vec<u8>,
    index: Index,
    ends: Vec<GameEnd>,
}

/// Text of one game with its position, including the white space after the previous game.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    /// Bytes of the game.
    pub bytes: &'a [u8],
    /// Source, number and offset of the game.
    pub origin: Origin,
    /// Offset in the game of the `{` of a comment that was never closed. The game then ends before
    /// the tag pair that revealed it, or at the end of the source.
    pub unclosed_comment: Option<usize>,
    /// Offset of the game in its chunk.
    pub chunk_offset: usize,
    /// Index of the bytes.
    pub(crate) index: IndexView<'a>,
}

impl GameText<'_> {
    /// Reads the game.
    pub fn read<'r>(&self, reader: &'r mut Reader) -> &'r Game {
        let game = reader.read_indexed(self.bytes, self.unclosed_comment, Some(self.index));
        game.hints.late = self.origin.byte.0 >= Game::EARLY_BYTES;
        game
    }
}

impl GameText<'_> {
    /// Reads the tag pairs of the game, all or the `wanted` and unusual ones.
    pub fn read_tags<'r>(&self, reader: &'r mut Reader, wanted: Option<&TagFilter>) -> &'r Game {
        reader.read_indexed_tags(self.bytes, Some(self.index), wanted)
    }
}

impl Chunk {
    /// Text of all games.
    pub fn bytes(&self) -> &[u8] {
        &self.buffers.own.text[..self.len]
    }

    /// All games as they are stored.
    pub fn stored(&self) -> &[u8] {
        self.stored.as_deref().unwrap_or(self.bytes())
    }

    /// Number of games, including skipped ones.
    pub fn game_count(&self) -> usize {
        self.buffers.own.ends.len()
    }

    /// Totals of the chunk.
    pub fn totals(&self, notes: &ByteNotes) -> TextTotals {
        TextTotals {
            games: self.game_count() as u64,
            lines: notes.line_feeds,
            bytes: self.len as u64,
            anomalies: notes.anomalies.iter().map(|anomaly| anomaly.kind).collect(),
        }
    }

    /// Number of skipped games.
    pub fn skipped_count(&self) -> usize {
        self.skipped.iter().filter(|&&skipped| skipped).count()
    }

    /// Sets the numbers of games and line feeds before the chunk.
    pub fn place_after(&mut self, games: u64, lines: u64) {
        self.first_game = GameNo(games + 1);
        self.line = LineNo(lines + 1);
    }

    /// Skips all games other than the `wanted` ones.
    pub fn keep(&mut self, mut wanted: impl FnMut(GameText<'_>) -> bool) {
        self.skipped = self.games().map(|game| !wanted(game)).collect();
        self.lead = 0;
    }

    /// Games in order, without skipped ones.
    pub fn games(&self) -> impl Iterator<Item = GameText<'_>> {
        self.games_that::<false>()
    }

    /// Skipped games in order.
    pub fn skipped_games(&self) -> impl Iterator<Item = GameText<'_>> {
        self.games_that::<true>()
    }

    fn games_that<const ARE_SKIPPED: bool>(&self) -> impl Iterator<Item = GameText<'_>> {
        let mut from = self.byte;
        let ChunkBuffers {
            text,
            index: marks,
            ends,
        } = &self.buffers.own;
        let mut marks = marks.view(0);
        ends.iter().enumerate().filter_map(move |(index, end)| {
            let start = std::mem::replace(&mut from, end.at);
            if self.skipped.get(index).is_some_and(|&skipped| skipped) != ARE_SKIPPED {
                return None;
            }
            let chunk_offset = (start.0 - self.byte.0) as usize;
            marks = marks.from(chunk_offset);
            Some(GameText {
                bytes: &text[chunk_offset..(end.at.0 - self.byte.0) as usize],
                origin: Origin {
                    source: self.source,
                    game: GameNo(self.first_game.0 + index as u64),
                    byte: start,
                },
                unclosed_comment: end
                    .unclosed_comment
                    .map(|brace| (brace.0 - start.0) as usize),
                chunk_offset,
                index: marks,
            })
        })
    }
}

/// Buffers of one chunk and its clones, which return to a pool with the last of them.
#[derive(Debug)]
struct PooledBuffers {
    own: ChunkBuffers,
    pool: Buffers,
}

impl Drop for PooledBuffers {
    fn drop(&mut self) {
        let mut own = std::mem::take(&mut self.own);
        if own.text.len() <= Buffers::KEEP_BYTES {
            own.index.clear();
            own.ends.clear();
            lock(&self.pool.0).push(own);
        }
    }
}

/// Pool of buffers for reuse by later chunks. Clones share the pool.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Arc<Mutex<Vec<ChunkBuffers>>>);

impl Buffers {
    /// Maximum size of a buffer kept for reuse, so that one huge game costs its memory only once.
    const KEEP_BYTES: usize = 16 << 20;

    /// Takes buffers from the pool, or creates empty ones.
    fn take(&self) -> ChunkBuffers {
        lock(&self.0).pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
