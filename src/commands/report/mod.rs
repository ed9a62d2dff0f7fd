//! Findings with their place in the source, and the accounts of a run.

use std::fmt;
use std::ops::{AddAssign, Range};

use crate::commands::validate::check::{Finding, GameStatus};
use crate::input::{Chunk, Form, GameNo, GameText, LineNo, Offset, count_characters};

/// A finding with its place, while the text around it is still there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<'a> {
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
    /// The text that holds the game.
    around: &'a [u8],
    /// Where the line begins in it, or the game on that line.
    line_start: usize,
    /// Whether another game stands before it on the line.
    shares_line: bool,
    /// Which bytes of it the finding is about.
    span: Range<usize>,
}

/// What stands on the line of a finding, as far as it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window<'a> {
    /// What stands before the text concerned.
    pub before: &'a [u8],
    /// Whether more stands before that.
    pub more_before: bool,
    /// The text concerned, up to the end of the line.
    pub marked: &'a [u8],
    /// What stands behind it; nothing if the text concerned is not whole.
    pub after: &'a [u8],
    /// Whether more stands on the line behind that.
    pub more_after: bool,
}

impl<'a> Report<'a> {
    /// The bytes concerned.
    pub fn text(&self) -> &'a [u8] {
        &self.around[self.span.clone()]
    }

    /// Line and column behind the last character concerned; columns count from 1.
    pub fn end(&self) -> (LineNo, u64) {
        let text = self.text();
        match memchr::memrchr(b'\n', text) {
            None => (self.line, self.column + count_characters(text) as u64),
            Some(last) => (
                LineNo(self.line.0 + memchr::memchr_iter(b'\n', text).count() as u64),
                1 + count_characters(&text[last + 1..]) as u64,
            ),
        }
    }

    /// The line of the finding, with at most so many bytes of each of the three parts: a line may be as long as the file.
    pub fn window(&self, bytes: usize) -> Window<'a> {
        let line = &self.around[..self.around.len().min(self.span.end + bytes)];
        let start = self.span.start;
        let line_end =
            memchr::memchr(b'\n', &line[start..]).map_or(line.len(), |length| start + length);
        let whole_end = self.span.end.clamp(start, line_end);
        let marked_end = character_start(line, whole_end.min(start + bytes)).max(start);
        let after_end = if marked_end < whole_end {
            marked_end
        } else {
            character_start(line, line_end.min(marked_end + bytes)).max(marked_end)
        };
        let from = character_start(line, start.saturating_sub(bytes)).max(self.line_start);
        let is_end = |at: usize| {
            let rest = &self.around[at..];
            matches!(rest, [] | [b'\n', ..] | [b'\r', b'\n', ..])
        };
        Window {
            before: &line[from..start],
            more_before: from > self.line_start || self.shares_line,
            marked: &line[start..marked_end],
            after: &line[marked_end..after_end],
            more_after: !is_end(after_end),
        }
    }
}

/// The beginning of the UTF-8 character that the byte at `at` belongs to.
pub(crate) fn character_start(text: &[u8], at: usize) -> usize {
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
    /// How many characters stand before the chunk on its first line.
    first_column: u64,
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
            first_column: chunk.column(),
            column: 1 + chunk.column(),
        }
    }

    /// A finding of a game of the chunk with its place. Findings that do not follow the one before get its place.
    pub fn report(&mut self, game: &GameText<'_>, finding: Finding) -> Report<'a> {
        let span = finding.span.range();
        let span = game.in_chunk + span.start..game.in_chunk + span.end;
        self.advance(span.start);
        // Where chunks begin and end does not show: the text of other games on the line is left out.
        let line_start = self.line_start.min(span.start);
        let shares_line = match game.in_chunk {
            0 => line_start == 0 && self.first_column > 0,
            start => line_start < start && self.chunk[start - 1] != b'\n',
        };
        Report {
            game: game.origin.game,
            form: self.form,
            line: LineNo(self.line),
            column: self.column,
            bytes: self.byte(span.start)..self.byte(span.end),
            around: &self.chunk[..game.in_chunk + game.bytes.len()],
            line_start: line_start.max(game.in_chunk),
            shares_line,
            span,
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
            self.line_start = 3;
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
    pub fn add(&mut self, verdict: GameStatus) {
        match verdict {
            GameStatus::Clean => self.clean += 1,
            GameStatus::WithFindings => self.with_findings += 1,
            GameStatus::Unreadable => self.unreadable += 1,
        }
    }

    /// `4 clean + 1 with findings + 0 unreadable`
    pub fn sum(self, words: AccountWords) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let (clean, with_findings) = (words.clean, words.with_findings);
            write!(
                f,
                "{} {clean} + {} {with_findings} + {} unreadable",
                self.clean, self.with_findings, self.unreadable
            )
        })
    }

    /// All games.
    pub fn seen(self) -> u64 {
        self.clean + self.with_findings + self.unreadable
    }
}

impl fmt::Display for Accounts {
    /// `5 seen = 4 clean + 1 with findings + 0 unreadable`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} seen = {}",
            self.seen(),
            self.sum(AccountWords::CHECKED)
        )
    }
}

/// What a command calls the two kinds of games that it could read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccountWords {
    clean: &'static str,
    with_findings: &'static str,
}

impl AccountWords {
    /// Games that were checked.
    pub const CHECKED: AccountWords = AccountWords {
        clean: "clean",
        with_findings: "with findings",
    };
    /// Games whose results were counted, unchecked.
    pub const COUNTED: AccountWords = AccountWords {
        clean: "counted",
        with_findings: "with another result",
    };
    /// Games whose moves were played, otherwise unchecked.
    pub const PLAYED: AccountWords = AccountWords {
        clean: "played to the end",
        with_findings: "stopped early",
    };
}

impl AddAssign for Accounts {
    fn add_assign(&mut self, more: Accounts) {
        self.clean += more.clean;
        self.with_findings += more.with_findings;
        self.unreadable += more.unreadable;
    }
}

#[cfg(test)]
mod tests;
