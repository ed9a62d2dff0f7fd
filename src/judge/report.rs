//! Findings with their place in the source, and the accounts of a run.

use std::ops::{AddAssign, Range};

use crate::input::{Chunk, Form, GameNo, GameText, LineNo, Offset, count_characters, decode};
use crate::judge::findings::{Finding, Verdict};

/// A finding with everything that is needed to show it when its game is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What was found.
    pub finding: Finding,
    /// In which game of the source, or which position of a list.
    pub game: GameNo,
    /// What the source holds.
    pub form: Form,
    /// On which line.
    pub line: LineNo,
    /// At which character of the line, from 1.
    pub column: u64,
    /// Which bytes of the decompressed source.
    pub bytes: Range<u64>,
    /// The source line.
    pub excerpt: Excerpt,
}

/// The part of a line around a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// What stands before it; begins with `…` if the line begins earlier.
    pub before: String,
    /// What it is about; ends with `…` if it goes on.
    pub marked: String,
    /// What stands behind it.
    pub after: String,
}

impl Excerpt {
    /// Bytes of context on either side, and of the marked text.
    const WIDTH: usize = 72;

    fn of(text: &[u8], line_start: usize, span: Range<usize>) -> Excerpt {
        let line_end = memchr::memchr(b'\n', &text[span.start..])
            .map_or(text.len(), |length| span.start + length);
        let marked_end = span.end.clamp(span.start, line_end);
        let from = line_start.max(character_start(
            text,
            span.start.saturating_sub(Excerpt::WIDTH),
        ));
        let marked_cut = character_start(text, marked_end.min(span.start + Excerpt::WIDTH));
        let to = character_start(text, line_end.min(marked_cut + Excerpt::WIDTH));
        let mut before = decode(&text[from..span.start]).into_owned();
        if from > line_start {
            before.insert(0, '…');
        }
        let mut marked = decode(&text[span.start..marked_cut.max(span.start)]).into_owned();
        let after = if marked_cut < marked_end {
            marked.push('…');
            String::new()
        } else {
            let mut after = decode(&text[marked_cut..to.max(marked_cut)]).into_owned();
            after.truncate(after.trim_end().len());
            if to < line_end {
                after.push('…');
            }
            after
        };
        Excerpt {
            before,
            marked,
            after,
        }
    }
}

/// The beginning of the UTF-8 character that the byte at `at` belongs to.
fn character_start(text: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|&at| text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80))
        .unwrap_or(at)
}

/// Finds lines and columns of places in a chunk. Places must be asked for in their order, so that every byte is looked
/// at once.
#[derive(Debug)]
pub struct Lines<'a> {
    chunk: &'a [u8],
    chunk_byte: Offset,
    form: Form,
    at: usize,
    line: u64,
    line_start: usize,
    column: u64,
}

impl<'a> Lines<'a> {
    /// Begins at the beginning of a chunk.
    pub fn new(chunk: &'a Chunk) -> Lines<'a> {
        Lines {
            chunk: chunk.bytes(),
            chunk_byte: chunk.byte(),
            form: chunk.form(),
            at: 0,
            line: chunk.line().0,
            line_start: 0,
            column: 1,
        }
    }

    /// A finding of a game of the chunk with its place. Findings that do not follow the one before get its place.
    pub fn report(&mut self, game: &GameText<'_>, finding: Finding) -> Report {
        let span = finding.span.range();
        let place = game.in_chunk + span.start;
        self.advance(place);
        Report {
            game: game.origin.game,
            form: self.form,
            line: LineNo(self.line),
            column: self.column,
            bytes: self.byte(place)..self.byte(game.in_chunk + span.end),
            excerpt: Excerpt::of(
                self.chunk,
                self.line_start.min(place),
                place..game.in_chunk + span.end,
            ),
            finding,
        }
    }

    fn byte(&self, in_chunk: usize) -> u64 {
        self.chunk_byte.0 + in_chunk as u64
    }

    fn advance(&mut self, to: usize) {
        if to <= self.at {
            return;
        }
        let passed = &self.chunk[self.at..to];
        if let Some(last) = memchr::memrchr(b'\n', passed) {
            self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
            self.line_start = self.at + last + 1;
            self.column = 1;
            self.at = self.line_start;
        } else if self.at == 0 && self.chunk_byte.0 == 0 && passed.starts_with(b"\xef\xbb\xbf") {
            // A byte order mark is not a character of the first line.
            self.at = 3;
        }
        self.column += count_characters(&self.chunk[self.at..to]) as u64;
        self.at = to;
    }
}

/// What became of the games of a run: `seen = clean + with findings + unreadable`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accounts {
    /// Games with nothing to report.
    pub clean: u64,
    /// Games with something to report.
    pub with_findings: u64,
    /// Games of which nothing could be read.
    pub unreadable: u64,
}

impl Accounts {
    /// Adds one game.
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Clean => self.clean += 1,
            Verdict::WithFindings => self.with_findings += 1,
            Verdict::Unreadable => self.unreadable += 1,
        }
    }

    /// All games.
    pub fn seen(self) -> u64 {
        self.clean + self.with_findings + self.unreadable
    }
}

impl AddAssign for Accounts {
    fn add_assign(&mut self, more: Accounts) {
        self.clean += more.clean;
        self.with_findings += more.with_findings;
        self.unreadable += more.unreadable;
    }
}
