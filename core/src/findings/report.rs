//! Findings with their place in the source.

use std::borrow::Cow;
use std::ops::Range;

use crate::findings::{Finding, character_start};
use crate::pgn::Span;
use crate::split::{Chunk, GameNo, GameText, InputKind, LineNo, Offset};
use crate::text::{count_characters, decode};

/// A finding with its place, while the text around it is still there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<'a> {
    /// The finding.
    pub finding: Finding,
    /// In which game of the source, or which position of a list.
    pub game: GameNo,
    /// Kind of the source.
    pub kind: InputKind,
    /// On which line.
    pub line: LineNo,
    /// At which character of the line, from 1.
    pub column: u64,
    /// Which bytes of the decompressed source.
    pub bytes: Range<u64>,
    /// The text that holds the game.
    around: &'a [u8],
    /// Start of the line in it, or of the game on that line.
    line_start: usize,
    /// Whether another game stands before its game on the line with which that begins.
    begins_within_line: bool,
    /// Which bytes of it the finding is about.
    span: Range<usize>,
}

/// A place in the text of a finding's game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReportPlace {
    /// Number of the line.
    pub line: LineNo,
    /// Column in characters, from 1.
    pub column: u64,
    /// Column in bytes, from 1.
    pub byte_column: u64,
}

/// The line of a finding, in parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineParts<'a> {
    /// Text before the finding.
    pub before: &'a [u8],
    /// Whether more stands before that.
    pub more_before: bool,
    /// The text concerned, up to the end of the line.
    pub marked: &'a [u8],
    /// Text after the finding; empty if the finding's text is truncated.
    pub after: &'a [u8],
    /// Whether the line continues.
    pub more_after: bool,
}

impl<'a> Report<'a> {
    /// The bytes concerned.
    pub fn text(&self) -> &'a [u8] {
        &self.around[self.span.clone()]
    }

    /// The first of the bytes concerned as characters; a line may be as long as the file.
    pub fn short_text(&self) -> Cow<'a, str> {
        const MOST: usize = 4 << 10;
        let text = self.text();
        if text.len() <= MOST {
            return decode(text);
        }
        let mut text = decode(&text[..character_start(text, MOST)]).into_owned();
        text.push('…');
        text.into()
    }

    /// Line and column after the last character of the finding; columns count from 1.
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

    /// The bytes of the decompressed source for those of the game's text.
    pub fn bytes_of(&self, span: Span) -> Range<u64> {
        let game = self.bytes.start - u64::from(self.finding.span.start);
        game + u64::from(span.start)..game + u64::from(span.end)
    }

    /// Start of the game in the text around it.
    fn game_start(&self) -> usize {
        self.span.start - self.finding.span.range().start
    }

    /// Bytes of the game's text.
    pub fn text_of(&self, range: Range<u32>) -> &'a [u8] {
        let start = self.game_start();
        &self.around[start + range.start as usize..start + range.end as usize]
    }

    /// Line and columns of a place in the game's text. None where another game begins the line.
    pub fn place_of(&self, at: u32) -> Option<ReportPlace> {
        let start = self.game_start();
        let at = start + at as usize;
        let feeds = |range: Range<usize>| memchr::memchr_iter(b'\n', &self.around[range]).count();
        let line = match at < self.span.start {
            true => self.line.0 - feeds(at..self.span.start) as u64,
            false => self.line.0 + feeds(self.span.start..at) as u64,
        };
        let line_start = match memchr::memrchr(b'\n', &self.around[start..at]) {
            Some(feed) => start + feed + 1,
            None if self.begins_within_line => return None,
            // A byte order mark is not a character of the first line.
            None if self.bytes_of(Span::default()).start == 0 => {
                let mark = self.around[start..at].starts_with(b"\xef\xbb\xbf");
                start + 3 * usize::from(mark)
            }
            None => start,
        };
        Some(ReportPlace {
            line: LineNo(line),
            column: 1 + count_characters(&self.around[line_start..at]) as u64,
            byte_column: 1 + (at - line_start) as u64,
        })
    }

    /// The line of the finding, with at most `limit` bytes of each part: a line may be as long as
    /// the file.
    pub fn window(&self, bytes: usize) -> LineParts<'a> {
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
        // Another game may stand before the finding on its line.
        let shares_line =
            || self.begins_within_line && self.place_of(self.finding.span.start).is_none();
        let is_end = |at: usize| {
            let rest = &self.around[at..];
            matches!(rest, [] | [b'\n', ..] | [b'\r', b'\n', ..])
        };
        LineParts {
            before: &line[from..start],
            more_before: from > self.line_start || shares_line(),
            marked: &line[start..marked_end],
            after: &line[marked_end..after_end],
            more_after: !is_end(after_end),
        }
    }
}

/// Computes lines and columns of positions in a chunk. Positions must be in order, so that every
/// byte is visited once.
#[derive(Debug)]
pub struct Lines<'a> {
    chunk: &'a [u8],
    chunk_byte: Offset,
    kind: InputKind,
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
            chunk_byte: chunk.byte,
            kind: chunk.kind,
            first_column: chunk.column,
            at: 0,
            line: chunk.line.0,
            line_start: 0,
            column: 1 + chunk.column,
        }
    }

    /// A finding of a game of the chunk with its place. Findings that do not follow the one before
    /// get its place.
    pub fn report(&mut self, game: &GameText<'_>, finding: Finding) -> Report<'a> {
        let span = finding.span.range();
        let span = game.chunk_offset + span.start..game.chunk_offset + span.end;
        self.advance(span.start);
        // Chunk boundaries do not show: the text of other games on the line is left out.
        let line_start = self.line_start.min(span.start);
        let begins_within_line = match game.chunk_offset {
            0 => self.first_column > 0,
            start => self.chunk[start - 1] != b'\n',
        };
        Report {
            game: game.origin.game,
            kind: self.kind,
            line: LineNo(self.line),
            column: self.column,
            bytes: self.byte(span.start)..self.byte(span.end),
            around: &self.chunk[..game.chunk_offset + game.bytes.len()],
            line_start: line_start.max(game.chunk_offset),
            begins_within_line,
            span,
            finding,
        }
    }

    fn byte(&self, chunk_offset: usize) -> u64 {
        self.chunk_byte.0 + chunk_offset as u64
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::findings;
    use crate::findings::Checks;
    use crate::replay::Reader;
    use crate::split::test_util::{PLAIN, Random, TRICKY, noise, spoiled};
    use crate::split::{Buffers, Chunks, InputKind, SourceId};

    /// Each finding of a text with its place and its line, where chunks are of about a size.
    fn reported(text: &[u8], chunk_bytes: usize) -> Vec<String> {
        let checks = Checks::default();
        let (mut reader, initial) = (Reader::new(), Position::initial());
        let mut all = Vec::new();
        let mut chunks = Chunks::new(
            text,
            (SourceId(0), InputKind::Pgn),
            chunk_bytes,
            Buffers::default(),
        );
        while let Some(Ok((chunk, notes))) = chunks.next_noted() {
            let mut lines = Lines::new(&chunk);
            for game in chunk.games() {
                let mut found = Vec::new();
                let read = game.read(&mut reader);
                let status = findings::check(read, game.bytes, &initial, &checks, &mut found);
                findings::file::check(&notes, &game, &checks, status, &mut found);
                for finding in found {
                    let report = lines.report(&game, finding);
                    all.push(format!(
                        "{} game {} {}:{} to {:?}, bytes {:?}, {:?}",
                        report.finding.rule.code,
                        report.game.0,
                        report.line.0,
                        report.column,
                        report.end(),
                        report.bytes,
                        report.window(12),
                    ));
                }
            }
        }
        all
    }

    fn assert_size_does_not_matter(text: &[u8], what: &str) {
        let whole = reported(text, 1 << 20);
        for chunk_bytes in [1, 7, 64, 500] {
            assert_eq!(reported(text, chunk_bytes), whole, "{what} {chunk_bytes}");
        }
    }

    #[test]
    fn places_of_findings_do_not_depend_on_the_chunk_size() {
        for text in TRICKY {
            assert_size_does_not_matter(text.as_bytes(), text);
            assert_size_does_not_matter(text.repeat(9).as_bytes(), text);
        }
        assert_size_does_not_matter(PLAIN.repeat(9).as_bytes(), "plain");
        for seed in 1..=300 {
            let random = &mut Random(seed);
            let mut text = Vec::new();
            for _ in 0..4 {
                text.extend(spoiled(random));
                text.extend(noise(random));
            }
            assert_size_does_not_matter(&text, &format!("seed {seed}"));
        }
    }

    #[test]
    fn columns_of_an_indented_event_tag_count_from_its_line() {
        let text = "[White \"x\"]\n\n [Event \"y\"]\n".repeat(40);
        assert_size_does_not_matter(text.as_bytes(), "indented");
        let games = "1. e4 é 1-0[Event \"é\"]\n\n1. d4 Zz0 *[Event \"y\"] ".repeat(40);
        assert_size_does_not_matter(games.as_bytes(), "on one line");
    }
}
