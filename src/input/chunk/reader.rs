//! Reading of chunks from a source.

use std::io::Read;
use std::sync::Arc;

use crate::error::Error;
use crate::input::anomaly::{AnomalyScanner, ByteNotes};
use crate::input::chunk::{Buffers, Chunk, ChunkBuffers, GAME_LIMIT, PooledBuffers};
use crate::input::compressed::fill;
use crate::input::content::content_of;
use crate::input::encoding::{BYTE_ORDER_MARK, Encoding};
use crate::input::join::Joiner;
use crate::input::kind::InputKind;
use crate::input::lines::UnitSplitter;
use crate::input::source::{Source, SourceId};
use crate::input::split::{EndKind, GameEnd, Splitter};
use crate::input::stream::StoredBytes;
use crate::input::sync::lock;
use crate::input::sync_point::begins_with_tag;
use crate::text::tag_pairs::TagRecorder;
use crate::text::{GameNo, LineNo, Offset, TagFilter, count_characters};

/// Reads a source and yields chunks of about the given size. A chunk is larger if a game is.
///
/// The games do not depend on the chunk size. If reading fails, the games before the error are
/// yielded first, the last one truncated. A source without games is an error.
pub struct Chunks<R> {
    reader: R,
    name: Arc<str>,
    source: SourceId,
    kind: InputKind,
    /// Size of later chunks, in bytes; at least 1.
    pub(crate) chunk_bytes: usize,
    pub(super) limit: u64,
    pub(super) pool: Buffers,
    splitter: UnitSplitter,
    joiner: Joiner,
    /// Text from `start` on, and the ends of games found in it: `filled` bytes are read, `scanned`
    /// bytes are split.
    buffers: ChunkBuffers,
    filled: usize,
    scanned: usize,
    pub(super) start: Offset,
    pub(super) next_game: GameNo,
    /// Line number at `start`.
    line: LineNo,
    /// Number of characters on that line before `start`.
    column: u64,
    /// Ends of pieces that may not be ends of games.
    found: Vec<GameEnd>,
    /// Whether nothing more can be read.
    at_end: bool,
    /// Whether nothing more can be found. `error` may still have to be reported.
    done: bool,
    error: Option<Error>,
    scanner: AnomalyScanner,
    encoding: Encoding,
    /// Stored bytes from `start` on, if the text is transcoded.
    stored: Option<StoredBytes>,
    /// Names of the tags that are recorded, in tags-only mode.
    wanted: Option<TagFilter>,
}

impl<R: Read> Chunks<R> {
    /// Prepares to read `source` through `reader`, in chunks of about `chunk_bytes` (at least 1).
    pub fn new(reader: R, source: &Source, chunk_bytes: usize, pool: Buffers) -> Chunks<R> {
        Chunks {
            reader,
            name: source.name().into(),
            source: source.id(),
            kind: source.kind,
            chunk_bytes: chunk_bytes.max(1),
            limit: GAME_LIMIT,
            buffers: pool.take(),
            pool,
            splitter: UnitSplitter::new(source.kind),
            joiner: match source.kind {
                InputKind::Pgn => Joiner::new(GAME_LIMIT),
                InputKind::Fen | InputKind::Epd => Joiner::resume_at(Offset(0), GAME_LIMIT),
            },
            filled: 0,
            scanned: 0,
            start: Offset(0),
            next_game: GameNo(1),
            line: LineNo(1),
            column: 0,
            found: Vec::new(),
            at_end: false,
            done: false,
            error: None,
            scanner: AnomalyScanner::default(),
            encoding: Encoding::BYTES,
            stored: None,
            wanted: None,
        }
    }

    /// Records tag pairs of `wanted` names while splitting, for work that needs nothing else: line
    /// numbers and anomalies are unknown in this mode.
    #[must_use]
    pub(crate) fn tags_only(self, wanted: TagFilter) -> Chunks<R> {
        Chunks {
            wanted: (self.kind == InputKind::Pgn).then_some(wanted),
            ..self
        }
    }

    /// Reads a text that begins at `start`, a sync point or 0. Games and lines are counted from
    /// there.
    #[must_use]
    pub(crate) fn resume_at(self, start: Offset) -> Chunks<R> {
        let (splitter, joiner) = match start {
            Offset(0) => (Splitter::new(), Joiner::new(self.limit)),
            _ => (
                Splitter::resume_at(start),
                Joiner::resume_at(start, self.limit),
            ),
        };
        Chunks {
            splitter: UnitSplitter::Games(splitter),
            joiner,
            start,
            // Another game comes before any start but 0, so finding none here is not an error.
            next_game: GameNo(1 + u64::from(start > Offset(0))),
            ..self
        }
    }

    /// Adds the anomalies of the text's encoding, and the stored bytes of a transcoded text to its
    /// chunks.
    #[must_use]
    pub(crate) fn encoded(mut self, encoding: Encoding, stored: Option<StoredBytes>) -> Chunks<R> {
        self.scanner.add_encoding(encoding);
        Chunks {
            encoding,
            stored,
            ..self
        }
    }

    /// The next chunk, and observations about its bytes; none in tags-only mode.
    pub(crate) fn next_noted(&mut self) -> Option<Result<(Chunk, ByteNotes), Error>> {
        while !self.done {
            if !self.at_end && self.filled == self.scanned {
                self.fill();
            }
            let begins_text = self.start == Offset(0) && self.scanned == 0;
            // Text before the first tag pair may belong to the game after it.
            if begins_text && !begins_with_tag(&self.buffers.text[..self.filled]) {
                self.wanted = None;
            }
            self.scan();
            if let Some(last) = self.buffers.ends.last() {
                let end = last.at;
                return Some(Ok(self.cut(end)));
            }
        }
        self.error.take().map(Err)
    }

    /// Reads another block after the text read so far, until the block is full or the input ends.
    fn fill(&mut self) {
        let until = self.filled + self.chunk_bytes;
        if self.buffers.text.len() < until {
            self.buffers.text.resize(until, 0);
        }
        let space = &mut self.buffers.text[self.filled..until];
        let (read, failure) = fill(&mut self.reader, space);
        self.filled += read;
        self.at_end = self.filled < until;
        self.error = failure
            .map(|cause| Error::from_read(&self.name, self.start.0 + self.filled as u64, cause));
    }

    /// Splits the text read so far, at most one chunk at a time.
    fn scan(&mut self) {
        let until = self.filled.min(self.scanned + self.chunk_bytes);
        let ChunkBuffers { text, pairs, .. } = &mut self.buffers;
        let (bytes, found) = (&text[self.scanned..until], &mut self.found);
        match &self.wanted {
            None => self.splitter.feed(bytes, found, &mut ()),
            Some(wanted) => self
                .splitter
                .feed(bytes, found, &mut TagRecorder { pairs, wanted }),
        }
        self.scanned = until;
        let giant = self.forbid_giants();
        if giant.is_some() {
            self.done = true;
        } else if self.at_end && self.scanned == self.filled && !self.done {
            self.splitter.clone().finish(&mut self.found);
            self.done = true;
        }
        self.joiner.join(
            &self.buffers.text[..self.filled],
            self.start,
            &mut self.found,
            self.done,
            &mut self.buffers.ends,
        );
        if let Some(at) = giant {
            let before = self.buffers.ends.len() as u64;
            self.error = Some(Error::GameTooLarge {
                path: self.name.to_string(),
                game: self.next_game.0 + before,
                at: at.0,
                limit: self.limit,
            });
        } else if self.done
            && self.buffers.ends.is_empty()
            && self.next_game == GameNo(1)
            && self.error.is_none()
        {
            let reason = match content_of(&self.buffers.text[..self.filled]) {
                _ if self.filled == 0 => "it is empty".to_owned(),
                Some(content) => format!("it looks like {content}"),
                None => "it holds only white space and comments".to_owned(),
            };
            self.error = Some(Error::no_games(&*self.name, reason));
        }
    }

    /// Start of a piece beyond the limit, complete or not. The piece is dropped, so that the games
    /// before it do not depend on the chunk size.
    fn forbid_giants(&mut self) -> Option<Offset> {
        let mut from = self.joiner.piece();
        let mut whole = 0;
        while let Some(end) = self.found.get(whole)
            && end.at.0 - from.0 <= self.limit
        {
            from = end.at;
            whole += 1;
        }
        if whole == self.found.len() {
            let pending = self
                .splitter
                .pending()
                .filter(|at| at.0 - from.0 <= self.limit);
            let so_far = pending.unwrap_or(from);
            if self.splitter.fed().0 - so_far.0 <= self.limit {
                return None;
            }
            if let Some(at) = pending {
                self.found.push(GameEnd::new(at.0, EndKind::Tags));
                whole += 1;
                from = at;
            }
        }
        self.found.truncate(whole);
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
                next.text.resize(rest.len(), 0);
            }
            next.text[..rest.len()].copy_from_slice(rest);
            let pairs = &mut self.buffers.pairs;
            let count = pairs.partition_point(|pair| pair.open < end);
            next.pairs.extend(pairs.drain(count..));
        }
        let buffers = std::mem::replace(&mut self.buffers, next);
        let text = &buffers.text[..len];
        // Taken here, where chunks come in order, so that each anomaly is reported where it first
        // occurs. Any thread can then write a chunk's findings.
        let notes = if self.wanted.is_some() {
            ByteNotes::default()
        } else {
            let is_whole = matches!(self.error, None | Some(Error::GameTooLarge { .. }));
            let is_cut_off = self.done && !is_whole;
            self.scanner
                .notes(text, self.start, &buffers.ends, is_cut_off)
        };
        let (encoding, is_last) = (self.encoding, self.at_end && len == self.filled);
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
            _ if self.wanted.is_some() => 0,
            text => match memchr::memrchr(b'\n', text) {
                Some(last) => count_characters(&text[last + 1..]) as u64,
                None => self.column + characters_of_first_line(text, self.start),
            },
        };
        let chunk = Chunk {
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
            is_indexed: self.wanted.is_some(),
            skipped: Vec::new(),
        };
        self.line.0 += notes.line_feeds;
        self.filled -= len;
        self.scanned -= len;
        self.start = end;
        self.next_game = GameNo(self.next_game.0 + chunk.game_count() as u64);
        (chunk, notes)
    }
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
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_noted()?;
        Some(next.map(|(chunk, _)| chunk))
    }
}
