//! Whole games, a block at a time.

use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::error::Error;
use crate::input::anomaly::{
    AnomalyKind, AnomalyScanner, BYTE_ORDER_MARK, ByteStats, TextAnomaly, of_encoding,
};
use crate::input::encoding::Encoding;
use crate::input::join::Joiner;
use crate::input::kind::InputKind;
use crate::input::lines::UnitSplitter;
use crate::input::source::{Origin, Source, SourceId};
use crate::input::split::{EndKind, GameEnd, Splitter};
use crate::input::sync::lock;
use crate::input::sync_point::{begins_with_tag, last_sync_point};
use crate::text::tag_index::{TagIndex, TagPair, TagRecorder};
use crate::text::{GameNo, LineNo, Offset, TagFilter, count_characters};

/// How large a chunk is when nobody says otherwise, in bytes.
pub const CHUNK_BYTES: usize = 256 << 10;

/// The largest game that is read, in bytes. A larger one is a file gone wrong, or little that unpacks to very much, and would
/// take its size in memory.
pub const GAME_LIMIT: u64 = 128 << 20;

/// Buffers larger than this are not kept for another chunk, so that one gigantic game costs its memory once.
const KEEP_BYTES: usize = 16 << 20;

/// Bytes that hold whole games only, one after another without a gap.
#[derive(Debug)]
pub struct Chunk {
    source: SourceId,
    kind: InputKind,
    first_game: GameNo,
    byte: Offset,
    line: LineNo,
    /// Longer than the games: clearing and growing a buffer for every chunk would cost as much as splitting it.
    buffer: Vec<u8>,
    len: usize,
    ends: Vec<GameEnd>,
    /// For each game whether it is left aside; empty if none is.
    skipped: Vec<bool>,
    stats: ByteStats,
    anomalies: Vec<TextAnomaly>,
    /// Whether the games are still to be found.
    unsplit: bool,
    /// Tag pairs of all games, where they were noted when the games were found.
    pairs: TagIndex,
    /// Whether they were.
    noted: bool,
    /// How many characters stand before the chunk on the line on which it begins.
    column: u64,
    /// Stored bytes of the source read up to its end, if they differ from the offset of its end.
    stored: Option<u64>,
}

/// One game's text with its place; the text begins with the white space between it and the game before.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    /// The game's bytes.
    pub bytes: &'a [u8],
    /// Where they stand.
    pub origin: Origin,
    /// The `{` of a comment that was never closed, in bytes from the beginning of the game. The game then ends before
    /// the tag pair that showed it, or at the end of the source.
    pub unclosed_comment: Option<usize>,
    /// Where the game begins in its chunk, in bytes from 0.
    pub chunk_offset: usize,
    /// Its tag pairs of the names that were wanted, where they were noted when the game was found, and perhaps others.
    pub pairs: Option<&'a [TagPair]>,
}

impl Chunk {
    /// The source of all games of the chunk.
    pub fn source(&self) -> SourceId {
        self.source
    }

    /// What the source holds: the games of a list of positions are its lines.
    pub fn kind(&self) -> InputKind {
        self.kind
    }

    /// The number of the first game.
    pub fn first_game(&self) -> GameNo {
        self.first_game
    }

    /// Where the chunk begins in the source's text.
    pub fn byte(&self) -> Offset {
        self.byte
    }

    /// Stored bytes of the source read up to its end.
    pub fn stored(&self) -> u64 {
        self.stored.unwrap_or(self.byte.0 + self.len as u64)
    }

    /// Notes what [`Chunk::stored`] is, where the text is not read as it is stored.
    pub(crate) fn set_stored(&mut self, stored: u64) {
        self.stored = Some(stored);
    }

    /// The text of all games.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// How many games the chunk holds, those left aside included; at least one.
    pub fn game_count(&self) -> usize {
        self.ends.len()
    }

    /// How many games are left aside.
    pub fn skipped_count(&self) -> usize {
        self.skipped.iter().filter(|&&aside| aside).count()
    }

    /// Finds the games, where [`Chunks::tags_only`] has left that to whoever works at the chunk: how many they are. Their tag
    /// pairs of `wanted` names are noted. Nothing is done to any other chunk.
    pub fn find_games(&mut self, wanted: &TagFilter) -> u64 {
        if !std::mem::take(&mut self.unsplit) {
            return 0;
        }
        let (mut splitter, mut joiner) = match self.byte {
            Offset(0) => (Splitter::new(), Joiner::new(GAME_LIMIT)),
            byte => (
                Splitter::resume_at(byte),
                Joiner::resume_at(byte, GAME_LIMIT),
            ),
        };
        let mut found = Vec::new();
        let mut recorder = TagRecorder {
            pairs: &mut self.pairs,
            wanted,
        };
        let text = &self.buffer[..self.len];
        splitter.feed_observed(text, &mut found, &mut recorder);
        splitter.finish(&mut found);
        joiner.join(text, self.byte, &mut found, true, &mut self.ends);
        self.noted = true;
        self.ends.len() as u64
    }

    /// Says what stands before the chunk in its source: so many games and line feeds, and what has been told of the text.
    pub fn place_after(&mut self, games: u64, lines: u64, told: &[AnomalyKind]) {
        self.first_game = GameNo(games + 1);
        self.line = LineNo(lines + 1);
        self.anomalies
            .retain(|anomaly| !told.contains(&anomaly.kind));
    }

    /// How many line feeds are in it; 0 where nobody has asked for the places of games.
    pub fn line_feeds(&self) -> u64 {
        self.stats.line_feeds
    }

    /// Leaves all games aside but those that are `wanted`.
    pub fn keep(&mut self, mut wanted: impl FnMut(GameText<'_>) -> bool) {
        let aside = self.games().map(|game| !wanted(game)).collect();
        self.skipped = aside;
    }

    /// The line on which the chunk begins.
    pub fn line(&self) -> LineNo {
        self.line
    }

    /// How many characters stand before the chunk on the line on which it begins.
    pub fn column(&self) -> u64 {
        self.column
    }

    /// Whether all bytes are ASCII.
    pub fn is_ascii(&self) -> bool {
        self.stats.ascii
    }

    /// Whether there is a NUL or an end-of-file mark in it.
    pub fn has_controls(&self) -> bool {
        self.stats.controls
    }

    /// What is odd about the source's text as a whole and first shows in this chunk, in order of place.
    pub fn anomalies(&self) -> &[TextAnomaly] {
        &self.anomalies
    }

    /// The games in their order, without those left aside.
    pub fn games(&self) -> impl Iterator<Item = GameText<'_>> {
        let mut from = self.byte;
        let mut pairs = self.noted.then_some(self.pairs.0.as_slice());
        self.ends
            .iter()
            .enumerate()
            .filter_map(move |(index, end)| {
                let start = std::mem::replace(&mut from, end.at);
                let within = pairs.map(|all| {
                    let count = all.iter().take_while(|pair| pair.open() < end.at).count();
                    let (within, behind) = all.split_at(count);
                    pairs = Some(behind);
                    within
                });
                if self.skipped.get(index).is_some_and(|&aside| aside) {
                    return None;
                }
                let chunk_offset = (start.0 - self.byte.0) as usize;
                Some(GameText {
                    bytes: &self.buffer[chunk_offset..(end.at.0 - self.byte.0) as usize],
                    origin: Origin {
                        source: self.source,
                        game: GameNo(self.first_game.0 + index as u64),
                        byte: start,
                    },
                    unclosed_comment: end
                        .unclosed_comment
                        .map(|brace| (brace.0 - start.0) as usize),
                    chunk_offset,
                    pairs: within,
                })
            })
    }
}

/// Used buffers that wait for another chunk. A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Arc<Mutex<Vec<Spare>>>);

#[derive(Debug, Default)]
struct Spare {
    buffer: Vec<u8>,
    ends: Vec<GameEnd>,
    pairs: TagIndex,
}

impl Buffers {
    /// Takes a chunk that is done with, and keeps its memory for another.
    pub fn recycle(&self, chunk: Chunk) {
        let Chunk {
            buffer,
            mut ends,
            mut pairs,
            ..
        } = chunk;
        if buffer.len() <= KEEP_BYTES {
            ends.clear();
            pairs.0.clear();
            self.spares().push(Spare {
                buffer,
                ends,
                pairs,
            });
        }
    }

    /// Gives back what is larger than most chunks need.
    pub fn shrink(&self) {
        let is_usual = |spare: &Spare| spare.buffer.len() <= 2 * CHUNK_BYTES;
        self.spares().retain(is_usual);
    }

    fn take(&self) -> Spare {
        self.spares().pop().unwrap_or_default()
    }

    fn spares(&self) -> MutexGuard<'_, Vec<Spare>> {
        lock(&self.0)
    }
}

/// Reads a source and yields it in chunks of about the given size; a chunk is larger when a game is.
///
/// The games are the same whatever the size. When reading fails, the games until there come first, the last one cut
/// off where reading failed, then the error, then nothing. A source that holds no game is an error as well.
#[derive(Debug)]
pub struct Chunks<R> {
    reader: R,
    name: Arc<str>,
    source: SourceId,
    kind: InputKind,
    chunk_bytes: usize,
    limit: u64,
    buffers: Buffers,
    splitter: UnitSplitter,
    joiner: Joiner,
    /// Bytes from `start` on; `filled` of them are read, `scanned` of them are split.
    buffer: Vec<u8>,
    filled: usize,
    scanned: usize,
    start: Offset,
    next_game: GameNo,
    /// The line that begins at `start`.
    line: LineNo,
    /// The line's characters before `start`.
    column: u64,
    /// The ends of pieces of which it is not certain whether a game ends there.
    found: Vec<GameEnd>,
    /// The ends of games found behind `start`.
    ends: Vec<GameEnd>,
    /// Nothing more can be read.
    at_end: bool,
    /// Nothing more can be found; `error` is still to be told.
    done: bool,
    error: Option<Error>,
    scanner: AnomalyScanner,
    /// What is odd about the text and not yet told.
    anomalies: Vec<TextAnomaly>,
    /// Whether text is cut where it can be cut without splitting it.
    tags_only: bool,
    /// Whether the numbers of the games are still known.
    numbered: bool,
}

impl<R: Read> Chunks<R> {
    /// Prepares to read `source` through `reader`, in chunks of about `chunk_bytes` (at least 1).
    pub fn new(reader: R, source: &Source, chunk_bytes: usize, buffers: Buffers) -> Chunks<R> {
        let Spare { buffer, ends, .. } = buffers.take();
        Chunks {
            reader,
            name: source.name().into(),
            source: source.id(),
            kind: source.kind(),
            chunk_bytes: chunk_bytes.max(1),
            limit: GAME_LIMIT,
            buffers,
            splitter: UnitSplitter::new(source.kind()),
            joiner: match source.kind() {
                InputKind::Pgn => Joiner::new(GAME_LIMIT),
                InputKind::Fen | InputKind::Epd => Joiner::resume_at(Offset(0), GAME_LIMIT),
            },
            buffer,
            filled: 0,
            scanned: 0,
            start: Offset(0),
            next_game: GameNo(1),
            line: LineNo(1),
            column: 0,
            found: Vec::new(),
            ends,
            at_end: false,
            done: false,
            error: None,
            scanner: AnomalyScanner::default(),
            anomalies: Vec::new(),
            tags_only: false,
            numbered: true,
        }
    }

    /// For work that does not ask for the places of games: chunks are cut, as far as the text allows, without looking for
    /// their games, which [`Chunk::find_games`] does on whatever thread. The numbers of games, lines and anomalies are not
    /// known then, and the white space between two games may belong to either.
    #[must_use]
    pub fn tags_only(self) -> Chunks<R> {
        Chunks {
            tags_only: self.kind == InputKind::Pgn,
            ..self
        }
    }

    /// For a text that begins at a place in the source before which a game surely ends, or at 0. The numbers of games and lines
    /// are counted from there.
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
            // There is a game before it, unless the text is that of the first one.
            next_game: GameNo(1 + u64::from(start > Offset(0))),
            numbered: false,
            ..self
        }
    }

    /// From here on, chunks are of about so many bytes (at least 1).
    pub(crate) fn set_chunk_bytes(&mut self, chunk_bytes: usize) {
        self.chunk_bytes = chunk_bytes.max(1);
    }

    /// With what is known of the text by how it is encoded.
    #[must_use]
    pub fn encoded(mut self, encoding: Encoding) -> Chunks<R> {
        self.anomalies.extend(of_encoding(encoding));
        self
    }

    /// How many games have been yielded so far, where text is split from its beginning.
    pub fn games(&self) -> u64 {
        self.next_game.0 - 1
    }

    /// How many bytes have been yielded so far, where text is read from its beginning.
    pub fn bytes(&self) -> u64 {
        self.start.0
    }

    /// Reads another block behind what has been read, until the block is full or nothing more comes.
    fn fill(&mut self) {
        let until = self.filled + self.chunk_bytes;
        if self.buffer.len() < until {
            self.buffer.resize(until, 0);
        }
        while self.filled < until {
            match self.reader.read(&mut self.buffer[self.filled..until]) {
                Ok(0) => {
                    self.at_end = true;
                    break;
                }
                Ok(n) => self.filled += n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(cause) => {
                    let at = Offset(self.start.0 + self.filled as u64);
                    self.error = Some(Error::from_read(&self.name, at.0, cause));
                    self.at_end = true;
                    break;
                }
            }
        }
    }

    /// Splits what has been read, but not more than a chunk at once.
    fn scan(&mut self) {
        let until = self.filled.min(self.scanned + self.chunk_bytes);
        self.splitter
            .feed(&self.buffer[self.scanned..until], &mut self.found);
        self.scanned = until;
        let giant = self.forbid_giants();
        if giant.is_some() {
            self.done = true;
        } else if self.at_end && self.scanned == self.filled && !self.done {
            self.splitter.clone().finish(&mut self.found);
            self.done = true;
        }
        self.joiner.join(
            &self.buffer[..self.filled],
            self.start,
            &mut self.found,
            self.done,
            &mut self.ends,
        );
        if let Some(at) = giant {
            let before = self.ends.len() as u64;
            self.error = Some(Error::GameTooLarge {
                path: self.name.to_string(),
                game: self.numbered.then_some(self.next_game.0 + before),
                at: at.0,
                limit: self.limit,
            });
        } else if self.done
            && self.ends.is_empty()
            && self.next_game == GameNo(1)
            && self.error.is_none()
        {
            let reason = match self.filled {
                0 => "it is empty",
                _ => "it holds only white space and comments",
            };
            self.error = Some(Error::no_games(&*self.name, reason));
        }
    }

    /// Where a piece beyond the limit begins, complete or not; nothing is kept of it, so that the games before it are the same
    /// for any chunk size.
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

    /// Hands out all text up to the last place where it can be cut without being split, or to its end. Where there is no such
    /// place, everything from here on is split.
    fn cut_unsplit(&mut self) -> Option<Chunk> {
        // Only of what begins at such a place it is known that it is a game.
        let is_game = self.start > Offset(0) && self.filled as u64 <= self.limit;
        let text = &self.buffer[..self.filled];
        let at = match self.at_end {
            true => Some(self.filled).filter(|_| is_game),
            // What stands before the first game may belong to the second.
            false if self.start == Offset(0) && !begins_with_tag(text) => None,
            false => last_sync_point(text),
        };
        let Some(at) = at.filter(|&at| at > 0) else {
            self.tags_only = false;
            return None;
        };
        let end = Offset(self.start.0 + at as u64);
        self.done = self.at_end;
        self.scanned = at;
        self.numbered = false;
        let mut chunk = self.cut(end);
        chunk.unsplit = true;
        // There is at least one game in it.
        self.next_game.0 += 1;
        self.splitter = UnitSplitter::Games(Splitter::resume_at(end));
        self.joiner = Joiner::resume_at(end, self.limit);
        Some(chunk)
    }

    /// Hands out the games that are complete, and carries the beginning of the next one into another buffer.
    fn cut(&mut self, end: Offset) -> Chunk {
        let len = (end.0 - self.start.0) as usize;
        let Spare {
            mut buffer,
            ends,
            pairs,
        } = if self.done {
            Spare::default()
        } else {
            self.buffers.take()
        };
        if !self.done {
            let rest = &self.buffer[len..self.filled];
            if buffer.len() < rest.len() {
                buffer.resize(rest.len(), 0);
            }
            buffer[..rest.len()].copy_from_slice(rest);
        }
        let ends = std::mem::replace(&mut self.ends, ends);
        // Both are done here, where chunks of a text or of a segment come in order: so that a chunk's findings can be written
        // out by whichever thread has it, and so that what is told once for each text is told where it first shows.
        let stats = match self.tags_only {
            true => ByteStats::default(),
            false => ByteStats::of(&self.buffer[..len]),
        };
        if !stats.ascii && !self.tags_only {
            let is_cut_off = self.done && self.error.is_some();
            let bytes = &self.buffer[..len];
            self.scanner
                .look(bytes, self.start, is_cut_off, &mut self.anomalies);
        }
        let text = &self.buffer[..len];
        self.scanner
            .scan_ends(&ends, text, self.start, &mut self.anomalies);
        let chunk = Chunk {
            source: self.source,
            kind: self.kind,
            first_game: self.next_game,
            byte: self.start,
            line: self.line,
            buffer: std::mem::replace(&mut self.buffer, buffer),
            len,
            ends,
            skipped: Vec::new(),
            stats,
            anomalies: std::mem::take(&mut self.anomalies),
            unsplit: false,
            pairs,
            noted: false,
            column: self.column,
            stored: None,
        };
        self.line.0 += stats.line_feeds;
        self.column = match chunk.bytes() {
            [.., b'\n'] => 0,
            _ if self.tags_only => 0,
            text => match memchr::memrchr(b'\n', text) {
                Some(last) => count_characters(&text[last + 1..]) as u64,
                None => self.column + characters_of_first_line(text, chunk.byte),
            },
        };
        self.filled -= len;
        self.scanned -= len;
        self.start = end;
        self.next_game = GameNo(self.next_game.0 + chunk.ends.len() as u64);
        chunk
    }
}

/// How many characters the text has that begins at a place and has one line; a byte order mark that begins a file is none.
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
        while !self.done {
            if !self.at_end && (self.tags_only || self.filled == self.scanned) {
                self.fill();
            }
            if self.tags_only
                && let Some(chunk) = self.cut_unsplit()
            {
                return Some(Ok(chunk));
            }
            if !self.done {
                self.scan();
            }
            if let Some(last) = self.ends.last() {
                let end = last.at;
                return Some(Ok(self.cut(end)));
            }
        }
        self.error.take().map(Err)
    }
}

#[cfg(test)]
mod tests;
