//! Reading of chunks from a source.

use std::io::{self, Read};
use std::sync::Arc;

use crate::replay::Reader;
use crate::split::anomaly::{AnomalyScanner, ByteNotes};
use crate::split::chunk::{
    Buffers, Chunk, ChunkBuffers, GAME_LIMIT, GameText, PooledBuffers, StoredBytes, lock,
};
use crate::split::content::content_of;
use crate::split::encoding::Encoding;
use crate::split::error::TextError;
use crate::split::join::Joiner;
use crate::split::kind::InputKind;
use crate::split::origin::SourceId;
use crate::split::splitter::{EndKind, GameEnd, Splitter};
use crate::text::{BYTE_ORDER_MARK, GameNo, LineNo, Offset, count_characters};

/// Reads a source and yields chunks of about the given size. A chunk is larger if a game is.
///
/// The games do not depend on the chunk size. If reading fails, the games before the error are
/// yielded first, the last one truncated. A source without games is an error.
///
/// ```
/// use chess_arbiter_core::split::{Buffers, CHUNK_BYTES, InputKind, SourceId};
/// use chess_arbiter_core::Chunks;
///
/// let text = b"1. e4 *\n\n1. d4 *\n";
/// let source = (SourceId(0), InputKind::Pgn);
/// let mut chunks = Chunks::new(&text[..], source, CHUNK_BYTES, Buffers::default());
/// let chunk = chunks.next().unwrap()?;
/// assert_eq!(chunk.games().count(), 2);
/// # Ok::<(), chess_arbiter_core::split::TextError>(())
/// ```
pub struct Chunks<R> {
    reader: R,
    source: SourceId,
    kind: InputKind,
    /// Size of later chunks, in bytes; at least 1.
    pub chunk_bytes: usize,
    pub(super) limit: u64,
    pub(super) pool: Buffers,
    splitter: Splitter,
    joiner: Joiner,
    /// Text from `start` on, of which `filled` bytes are read, and the ends of games found in it.
    buffers: ChunkBuffers,
    filled: usize,
    pub(super) start: Offset,
    pub(super) next_game: GameNo,
    /// Line number at `start`.
    line: LineNo,
    /// Number of characters on that line before `start`.
    column: u64,
    /// Whether nothing more can be found. `error` may still have to be reported.
    done: bool,
    error: Option<TextError>,
    scanner: AnomalyScanner,
    encoding: Encoding,
    /// Stored bytes from `start` on, if the text is transcoded.
    stored: Option<StoredBytes>,
    /// Whether line numbers and notes are left out.
    tags_only: bool,
    /// Whether no game that can be read has come yet.
    in_lead: bool,
}

impl<R: Read> Chunks<R> {
    /// Prepares to read a text through `reader`, in chunks of about `chunk_bytes` (at least 1). Its
    /// games name it by `source`.
    pub fn new(
        reader: R,
        (source, kind): (SourceId, InputKind),
        chunk_bytes: usize,
        pool: Buffers,
    ) -> Chunks<R> {
        let start = Offset(0);
        let (splitter, joiner) = match kind {
            InputKind::Pgn => (Splitter::games(start), Joiner::new(GAME_LIMIT)),
            InputKind::Fen | InputKind::Epd => {
                (Splitter::positions(), Joiner::resume_at(start, GAME_LIMIT))
            }
        };
        Chunks {
            reader,
            source,
            kind,
            chunk_bytes: chunk_bytes.max(1),
            limit: GAME_LIMIT,
            buffers: pool.take(),
            pool,
            splitter,
            joiner,
            filled: 0,
            start,
            next_game: GameNo(1),
            line: LineNo(1),
            column: 0,
            done: false,
            error: None,
            scanner: AnomalyScanner::default(),
            encoding: Encoding::BYTES,
            stored: None,
            tags_only: false,
            in_lead: kind == InputKind::Pgn,
        }
    }

    /// Leaves out line numbers and notes, for work that needs only tags.
    #[must_use]
    pub fn tags_only(self) -> Chunks<R> {
        Chunks {
            tags_only: self.kind == InputKind::Pgn,
            in_lead: false,
            ..self
        }
    }

    /// Reads a text that begins at `start`, a sync point or 0. Games and lines are counted from
    /// there.
    #[must_use]
    pub fn resume_at(self, start: Offset) -> Chunks<R> {
        Chunks {
            splitter: Splitter::games(start),
            joiner: match start {
                Offset(0) => Joiner::new(self.limit),
                _ => Joiner::resume_at(start, self.limit),
            },
            start,
            // Another game comes before any start but 0, so finding none here is not an error.
            next_game: GameNo(1 + u64::from(start > Offset(0))),
            in_lead: self.in_lead && start == Offset(0),
            ..self
        }
    }

    /// Adds the anomalies of the text's encoding, and the stored bytes of a transcoded text to its
    /// chunks.
    #[must_use]
    pub fn encoded(mut self, encoding: Encoding, stored: Option<StoredBytes>) -> Chunks<R> {
        self.scanner.add_encoding(encoding);
        Chunks {
            encoding,
            stored,
            ..self
        }
    }

    /// The next chunk, and observations about its bytes; none in tags-only mode.
    pub fn next_noted(&mut self) -> Option<Result<(Chunk, ByteNotes), TextError>> {
        while !self.done {
            let is_whole = self.fill();
            self.scan(is_whole);
            if let Some(last) = self.buffers.ends.last() {
                let end = last.at;
                return Some(Ok(self.cut(end)));
            }
        }
        self.error.take().map(Err)
    }

    /// Reads another block after the text read so far, until the block is full or the input ends.
    /// Returns whether it has ended.
    fn fill(&mut self) -> bool {
        // An incomplete line is split again with this block, so long lines take larger blocks.
        let incomplete = self.start.0 + self.filled as u64 - self.splitter.at().0;
        let until = self.filled + self.chunk_bytes.max(incomplete as usize / 2);
        if self.buffers.text.len() < until {
            self.buffers.text.resize(until, 0);
        }
        let space = &mut self.buffers.text[self.filled..until];
        let (read, failure) = fill(&mut self.reader, space);
        let from = self.filled;
        self.filled += read;
        let text = &self.buffers.text[..self.filled];
        self.buffers.index.extend(text, from);
        let at = self.start.0 + self.filled as u64;
        self.error = failure.map(|source| TextError::Read { at, source });
        self.filled < until
    }

    /// Splits the text read so far.
    fn scan(&mut self, is_whole: bool) {
        let ChunkBuffers { text, index, .. } = &mut self.buffers;
        let text = &text[..self.filled];
        self.splitter.feed(text, self.start, index);
        let giant = self.forbid_giants();
        let ChunkBuffers { text, index, ends } = &mut self.buffers;
        let text = &text[..self.filled];
        if giant.is_none() && is_whole {
            self.splitter.finish(text, index);
        }
        self.done = giant.is_some() || is_whole;
        self.joiner
            .join(text, self.start, &mut self.splitter.found, self.done, ends);
        if let Some(at) = giant {
            let before = ends.len() as u64;
            self.error = Some(TextError::GameTooLarge {
                game: self.next_game.0 + before,
                at: at.0,
                limit: self.limit,
            });
        } else if self.done
            && ends.is_empty()
            && self.next_game == GameNo(1)
            && self.error.is_none()
        {
            let content = content_of(text);
            self.error = Some(TextError::NoGames {
                is_empty: content.is_none(),
                reason: match content {
                    _ if self.filled == 0 => "it is empty".to_owned(),
                    Some(content) => format!("it looks like {content}"),
                    None => "it holds only white space and comments".to_owned(),
                },
            });
        }
    }

    /// Start of a piece beyond the limit, complete or not. The piece is dropped, so that the games
    /// before it do not depend on the chunk size.
    fn forbid_giants(&mut self) -> Option<Offset> {
        let until = Offset(self.start.0 + self.filled as u64);
        let pending = self.splitter.pending();
        let found = &mut self.splitter.found;
        let ends = found.iter().map(|end| end.at).chain(pending).chain([until]);
        let mut from = self.joiner.piece();
        let whole = ends
            .take_while(|end| {
                let is_giant = end.0 - from.0 > self.limit;
                if !is_giant {
                    from = *end;
                }
                !is_giant
            })
            .count();
        if from == until {
            return None;
        }
        if whole > found.len() {
            found.push(GameEnd::new(from.0, EndKind::Tags));
        }
        found.truncate(whole);
        Some(from)
    }

    /// Cuts off the complete games, and copies the beginning of the next one to another buffer.
    fn cut(&mut self, end: Offset) -> (Chunk, ByteNotes) {
        let len = (end.0 - self.start.0) as usize;
        let mut next = ChunkBuffers::default();
        if !self.done {
            next = self.pool.take();
            let rest = &self.buffers.text[len..self.filled];
            if next.text.len() < rest.len() {
                next.text = vec![0; rest.len() + self.chunk_bytes];
            }
            next.text[..rest.len()].copy_from_slice(rest);
            // A game begins here.
            next.index.extend(&next.text[..rest.len()], 0);
        }
        let buffers = std::mem::replace(&mut self.buffers, next);
        let text = &buffers.text[..len];
        // Taken here, where chunks come in order, so that each anomaly is reported where it first
        // occurs. Any thread can then write a chunk's findings.
        let notes = if self.tags_only {
            ByteNotes::default()
        } else {
            let is_whole = matches!(self.error, None | Some(TextError::GameTooLarge { .. }));
            let is_cut_off = self.done && !is_whole;
            self.scanner
                .notes(text, self.start, &buffers.index, &buffers.ends, is_cut_off)
        };
        let (encoding, is_last) = (self.encoding, self.done && len == self.filled);
        let stored = self.stored.as_ref().map(|stored| {
            let mut stored = lock(stored);
            // The last character may be cut off.
            let length = if is_last {
                usize::MAX
            } else {
                encoding.stored_length(text)
            };
            let length = stored.len().min(length);
            let rest = stored.split_off(length);
            std::mem::replace(&mut *stored, rest)
        });
        let column = match text {
            [.., b'\n'] => 0,
            _ if self.tags_only => 0,
            text => match memchr::memrchr(b'\n', text) {
                Some(last) => count_characters(&text[last + 1..]) as u64,
                None => self.column + characters_of_first_line(text, self.start),
            },
        };
        let mut chunk = Chunk {
            source: self.source,
            kind: self.kind,
            first_game: self.next_game,
            byte: self.start,
            line: self.line,
            column: std::mem::replace(&mut self.column, column),
            buffers: Arc::new(PooledBuffers {
                own: buffers,
                pool: self.pool.clone(),
            }),
            len,
            encoding,
            stored,
            skipped: Vec::new(),
            lead: 0,
        };
        if self.in_lead {
            let first = chunk.games().find(is_readable);
            let first = first.map(|game| game.chunk_offset);
            self.in_lead = first.is_none();
            chunk.lead = first.unwrap_or(len);
        }
        self.line.0 += notes.line_feeds;
        self.filled -= len;
        self.start = end;
        self.next_game = GameNo(self.next_game.0 + chunk.game_count() as u64);
        (chunk, notes)
    }
}

/// Reads until a buffer is full or the input ends. Returns the number of bytes read, and the error
/// after them.
pub fn fill(input: &mut impl Read, out: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut filled = 0;
    while filled < out.len() {
        match input.read(&mut out[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}

fn is_readable(game: &GameText<'_>) -> bool {
    game.bytes.starts_with(b"[Event \"") || !game.read(&mut Reader::new()).is_unreadable(game.bytes)
}

/// Number of characters in a text of one line at offset `at`, without a leading byte order mark.
fn characters_of_first_line(text: &[u8], at: Offset) -> u64 {
    let text = match at {
        Offset(0) => text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text),
        _ => text,
    };
    count_characters(text) as u64
}

impl<R: Read> Iterator for Chunks<R> {
    type Item = Result<Chunk, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_noted()?;
        Some(next.map(|(chunk, _)| chunk))
    }
}
