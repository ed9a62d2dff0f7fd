//! Steps of the splitter: each reads one construct of a text. A step that returns `None` has
//! changed nothing that it would change when it is repeated.

use memchr::{memchr, memchr2, memchr3};

use crate::pgn::{MOST_BESIDE_PAIR, TagName, beside_pair};
use crate::split::encoding::END_OF_FILE_MARK;
use crate::split::splitter::end::{
    EndKind, GameEnd, TagCause, ends_with_result, last_bytes, line_of,
};
use crate::split::splitter::look_ahead::{TagStart, after_line, whole_odd_blank};
use crate::split::splitter::place::{Between, Place, Section};
use crate::split::splitter::{EVENT, Splitter, Step};
use crate::text::index::Index;
use crate::text::tag_pairs::{Passed, plain_pairs};
use crate::text::{Offset, TagLine};

/// Maximum length of other text between two tag pairs of a section, in bytes.
const MOST_WORDS: u64 = 256;

/// Position of a possible tag pair in movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagPlace {
    /// At the start of a line.
    Line,
    /// After other text of its line, or blanks.
    Word,
    /// Directly after other text, without a blank.
    Glued,
}

impl Splitter {
    pub(super) fn before(&mut self, text: &[u8], at: usize) -> Step {
        let next = match text[at] {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | b'>' | 0 | END_OF_FILE_MARK => at + 1,
            b'%' => after_line(text, at)?,
            b'[' => {
                let kind = match TagStart::read(&text[at + 1..], true)?.is_tag {
                    true => EndKind::Tags,
                    false => EndKind::Bracket,
                };
                self.begin(kind);
                return Some((Place::Tag, at + 1));
            }
            _ => match whole_odd_blank(&text[at..])? {
                0 => match self.beside_pair(&text[at..], true)? {
                    0 => {
                        self.begin(EndKind::Movetext);
                        return Some((Place::Movetext, at));
                    }
                    length => at + length,
                },
                length => at + length,
            },
        };
        Some((Place::Before, next))
    }

    pub(super) fn positions_line(&mut self, text: &[u8], at: usize) -> Step {
        let next = match text[at] {
            // White space and the bytes of a byte order mark.
            b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => at + 1,
            b'#' => after_line(text, at)?,
            _ => {
                let next = after_line(text, at)?;
                self.begin(EndKind::Tags);
                self.pending = Some(Offset(self.offset(next)));
                next
            }
        };
        Some((Place::Positions, next))
    }

    pub(super) fn tag(&mut self, text: &[u8], at: usize, index: &mut Index) -> Step {
        let repeats = |name: &[u8]| self.section.repeats(name);
        match plain_pairs(index, text, at, repeats) {
            Passed::Movetext(next) => return Some((Place::Movetext, next)),
            Passed::Pair(next) if next > at => {
                self.line = self.offset(next - 1);
                return Some((Place::Tag, next));
            }
            Passed::Pair(_) => {}
        }
        let end = at + memchr3(b'"', b'\n', b']', &text[at..])?;
        if text[end] != b'"' {
            return self.break_tag(end, Place::between(true, text[end] == b'\n'));
        }
        // A pair that may be usual is not read before all of it is there.
        let value = memchr3(b'"', b'\n', b'\\', &text[end + 1..]);
        let value_end = value.map_or(text.len(), |length| end + 1 + length);
        if !self.is_whole && text.len() < value_end + Splitter::AFTER_VALUE {
            return None;
        }
        // The tag pair may begin another game.
        let is_reported = std::mem::take(&mut self.section.is_reported);
        if self.section.repeats(&text[at..end]) && !is_reported {
            let kind = EndKind::TagInSection(TagCause::Repeated);
            self.found.push(GameEnd::new(self.line, kind));
        }
        Some((Place::Value, end + 1))
    }

    /// Notes a broken tag pair that ends at a byte.
    fn break_tag(&mut self, end: usize, place: Place) -> Step {
        self.broken = true;
        self.line = self.offset(end) + 1;
        Some((place, end + 1))
    }

    pub(super) fn value(&mut self, text: &[u8], at: usize) -> Step {
        let Some(found) = memchr3(b'"', b'\n', b'\\', &text[at..]) else {
            return Some((Place::Value, text.len()));
        };
        let end = at + found;
        match text[end] {
            b'"' => Some((Place::Quoted, end + 1)),
            b'\n' => self.break_tag(end, Place::LINE_BETWEEN),
            _ => text.get(end + 1).map(|_| (Place::Value, end + 2)),
        }
    }

    pub(super) fn quoted(&mut self, text: &[u8], at: usize) -> Step {
        match text[at] {
            b' ' | b'\t' | b'\r' => return Some((Place::Quoted, at + 1)),
            b']' | b'\n' | b'[' => return Some((Place::between(true, false), at)),
            _ => {}
        }
        // The value goes on up to a bracket at the end of the line, or the tag pair has none.
        let mut line = TagLine::new();
        let mut bytes = (at..).zip(&text[at..]);
        let end = bytes.find_map(|(end, &byte)| Some((end, line.feed(byte)?)));
        let (end, is_tag) = match end {
            None if self.is_whole => (text.len(), line.is_whole()),
            end => end?,
        };
        let next = if is_tag { end } else { at };
        Some((Place::between(true, false), next))
    }

    pub(super) fn between(&mut self, text: &[u8], at: usize, between: Between) -> Step {
        let Between {
            may_close,
            line_start,
            after_blank,
        } = between;
        let blank = match text[at] {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => 1,
            b'>' if line_start => 1,
            b'\n' => {
                self.line = self.offset(at) + 1;
                let between = Between {
                    may_close: false,
                    line_start: true,
                    after_blank: line_start,
                };
                return Some((Place::Between(between), at + 1));
            }
            b']' if may_close => return Some((Place::AFTER_BRACKET, at + 1)),
            b'{' => {
                self.brace = Some(self.offset(at));
                self.in_section = true;
                return Some((Place::Comment, at + 1));
            }
            b'[' => {
                self.tag_in_section(at, between);
                return Some((Place::Tag, at + 1));
            }
            byte if byte == b';' || byte == b'%' && line_start && !may_close => {
                let next = after_line(text, at)?;
                self.line = self.offset(next);
                self.line_comment = self.line - 1;
                return Some((Place::LINE_BETWEEN, next));
            }
            _ => whole_odd_blank(&text[at..])?,
        };
        let skipped = match blank {
            0 => self.beside_pair(&text[at..], line_start)?,
            blank => blank,
        };
        if skipped > 0 {
            return Some((Place::Between(between), at + skipped));
        }
        self.broken = false;
        if !after_blank {
            self.section.words = Some(self.offset(at));
        }
        Some((Place::Movetext, at))
    }

    /// Length of the text at the beginning of another that stands beside a tag pair: after one, or
    /// from the start of a line up to one. Games begin where they would begin without it.
    fn beside_pair(&self, text: &[u8], line_start: bool) -> Option<usize> {
        let line = &text[..text.len().min(MOST_BESIDE_PAIR)];
        let is_line = self.is_whole || line.len() == MOST_BESIDE_PAIR || line.contains(&b'\n');
        is_line.then(|| beside_pair(line, line_start))
    }

    /// Handles a tag pair in a tag section, which may begin another game.
    fn tag_in_section(&mut self, bracket: usize, between: Between) {
        let broken = std::mem::take(&mut self.broken);
        if !between.line_start {
            self.line = self.offset(bracket);
        }
        let cause = match between.after_blank {
            true => TagCause::Blank,
            false => TagCause::Broken,
        };
        self.section.is_reported = between.line_start && (between.after_blank || broken);
        if self.section.is_reported {
            self.found
                .push(GameEnd::new(self.line, EndKind::TagInSection(cause)));
            self.brace = None;
        }
    }

    /// Skips movetext and comments, which are nearly all of a text.
    #[inline(always)]
    pub(super) fn movetext(&mut self, text: &[u8], at: usize, index: &mut Index) -> Step {
        let in_comment = self.place == Place::Comment;
        match text[at] {
            b'[' if in_comment => return self.tag_in_comment(text, at, None),
            b'[' => {
                let place = match text[..at].last() {
                    Some(last) if is_glue(*last) => TagPlace::Glued,
                    _ => TagPlace::Word,
                };
                return self.tag_in_movetext(text, line_of(text, at), at, place);
            }
            b';' if !in_comment => return Some((Place::RestOfLine, at)),
            _ => {}
        }
        index.set_in_comment(text, at, in_comment);
        let index = index.view(0);
        let found = index.marks(at + 1, |block| block.decisive).next();
        let end = found.map_or(text.len(), |found| found.min(text.len()));
        if let Some(brace) = index.last_comment(at, end)
            && text[brace] == b'{'
        {
            self.brace = Some(self.offset(brace));
        }
        Some(match (text[end - 1], index.is_in_comment(end)) {
            (b'[', true) => (Place::Comment, end - 1),
            (b'[', false) => (Place::Movetext, end - 1),
            (b'\n', true) => (Place::CommentLine { after_blank: false }, end),
            (b'\n', false) if text.get(end) != Some(&b';') => (Place::LineStart, end),
            (_, true) => (Place::Comment, end),
            (_, false) if end < text.len() => (Place::RestOfLine, end),
            (_, false) => (Place::Movetext, end),
        })
    }

    pub(super) fn line_start(&mut self, text: &[u8], at: usize) -> Step {
        let end = match text[at] {
            // Fast path: nearly every game ends like this.
            b'\n' if text[at + 1..].starts_with(EVENT) => {
                self.end(GameEnd::new(self.offset(at), EndKind::Tags));
                return Some((Place::Tag, at + 2));
            }
            b'\n' => at + 1,
            b'\r' if *text.get(at + 1)? == b'\n' => at + 2,
            b'%' => return Some((Place::RestOfLine, at)),
            b'\r' => return Some((Place::Movetext, at + 1)),
            _ => return self.indented(text, at),
        };
        self.pending = Some(Offset(self.offset(at)));
        Some((Place::Before, end))
    }

    /// Reads the beginning of a `line` of movetext.
    fn indented(&mut self, text: &[u8], line: usize) -> Step {
        let mut at = line;
        loop {
            match text.get(at..)? {
                [b' ' | b'\t' | 0x0b | 0x0c, ..] => at += 1,
                [b'[', ..] => {
                    let place = match text[at - 1] {
                        b' ' | b'\t' => TagPlace::Word,
                        _ => TagPlace::Line,
                    };
                    return self.tag_in_movetext(text, line, at, place);
                }
                // `1...` is the number of a move by Black.
                [b'1', b'.', next, ..] if *next != b'.' && self.is_after_result(text, at) => {
                    let end = GameEnd::new(self.offset(line), EndKind::FirstNumber);
                    self.end(end);
                    return Some((Place::Movetext, at));
                }
                [] | [b'1'] | [b'1', b'.'] => return None,
                rest => match whole_odd_blank(rest)? {
                    0 => return Some((Place::Movetext, at)),
                    length => at += length,
                },
            }
        }
    }

    /// Reads a bracket in movetext. If a tag pair begins there, the game ends at `line`.
    fn tag_in_movetext(
        &mut self,
        text: &[u8],
        line: usize,
        bracket: usize,
        place: TagPlace,
    ) -> Step {
        let TagStart { name, is_tag } =
            TagStart::read(&text[bracket + 1..], place == TagPlace::Line)?;
        let known = || TagName::read(name).map(|(known, _)| known);
        let words = self.section.words;
        let is_near = words.is_some_and(|words| self.offset(bracket) - words < MOST_WORDS);
        let begins = match place {
            // A broken tag pair will do after a result.
            TagPlace::Line => is_tag || self.is_after_result(text, bracket) && known().is_some(),
            TagPlace::Word | TagPlace::Glued => {
                let is_likely =
                    |name| name == TagName::Event || place == TagPlace::Glued || is_near;
                is_tag && (self.is_after_result(text, bracket) || known().is_some_and(is_likely))
            }
        };
        if !begins {
            return Some((Place::Movetext, bracket + 1));
        }
        if is_tag && is_near {
            // The section goes on, and this tag pair is not reported again.
            let quote = bracket + memchr(b'"', &text[bracket..])?;
            let mut section = Section {
                is_reported: false,
                words: None,
                ..self.section
            };
            section.repeats(&text[bracket + 1..quote]);
            let kind = EndKind::TagInSection(TagCause::Words);
            self.end(GameEnd::new(self.offset(line), kind));
            self.section = section;
            return Some((Place::Value, quote + 1));
        }
        let kind = match place {
            TagPlace::Line => EndKind::Tags,
            TagPlace::Word | TagPlace::Glued => EndKind::SameLine,
        };
        self.end(GameEnd::new(self.offset(line), kind));
        Some((Place::Tag, bracket + 1))
    }

    pub(super) fn rest_of_line(&mut self, text: &[u8], at: usize) -> Step {
        let Some(next) = after_line(text, at) else {
            return Some((Place::RestOfLine, text.len()));
        };
        self.line_comment = self.offset(next) - 1;
        Some((Place::LineStart, next))
    }

    pub(super) fn section_comment(&mut self, text: &[u8], at: usize) -> Step {
        let Some(found) = memchr3(b'}', b'\n', b'[', &text[at..]) else {
            return Some((Place::Comment, text.len()));
        };
        let end = at + found;
        match text[end] {
            b'}' => {
                self.in_section = false;
                Some((Place::AFTER_BRACKET, end + 1))
            }
            b'\n' => Some((Place::CommentLine { after_blank: false }, end + 1)),
            _ => self.tag_in_comment(text, end, None),
        }
    }

    pub(super) fn comment_line(&mut self, text: &[u8], at: usize, after_blank: bool) -> Step {
        let rest = &text[at..];
        if rest[0] == b'[' {
            return self.tag_in_comment(text, at, Some(after_blank));
        }
        let is_other = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\r');
        let end = at + rest.iter().position(is_other)?;
        Some(match text[end] {
            b'\n' => (Place::CommentLine { after_blank: true }, end + 1),
            _ => (Place::Comment, end),
        })
    }

    /// Reads a bracket in a comment. A tag pair ends a comment that is never closed:
    ///
    /// - at the start of a line, `after_blank` or by the name `Event`,
    /// - elsewhere, by the name `Event` at the end of its line, before a line that begins with `[`.
    fn tag_in_comment(&mut self, text: &[u8], bracket: usize, after_blank: Option<bool>) -> Step {
        let TagStart { name, is_tag } = TagStart::read(&text[bracket + 1..], false)?;
        let is_event = name == b"Event";
        if !is_tag || !is_event && after_blank != Some(true) {
            return Some((Place::Comment, bracket + 1));
        }
        let mut end = GameEnd {
            unclosed_comment: self.brace.map(Offset),
            ..GameEnd::new(self.offset(bracket), EndKind::Tags)
        };
        if after_blank.is_some() {
            self.end(end);
            return Some((Place::Tag, bracket + 1));
        }
        let line_end = bracket + memchr2(b'\n', b'}', &text[bracket..])?;
        let mut line = text[bracket..line_end].iter().rev();
        let last = line.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        if text[line_end] != b'\n' || last != Some(&b']') || *text.get(line_end + 1)? != b'[' {
            return Some((Place::Comment, line_end));
        }
        end.kind = EndKind::SameLine;
        self.end(end);
        self.section.repeats(b"Event ");
        self.line = self.offset(line_end + 1);
        Some((Place::LINE_BETWEEN, line_end + 1))
    }

    /// Whether the last word before `at` is a result mark, ignoring a comment after it.
    fn is_after_result(&self, text: &[u8], at: usize) -> bool {
        let recent = last_bytes(text, at);
        let before = recent.trim_ascii_end();
        if before.ends_with(b"}") {
            let brace = self.brace.map(|brace| (brace - self.base) as usize);
            return brace
                .is_some_and(|brace| ends_with_result(last_bytes(text, brace).trim_ascii_end()));
        }
        // The end of a comment to the end of a line is no result.
        let end = at - (recent.len() - before.len());
        self.line_comment < self.offset(end) && ends_with_result(before)
    }
}

/// Whether a tag pair directly after this byte may be joined to a word.
fn is_glue(last: u8) -> bool {
    last.is_ascii_alphanumeric() || b"+#!?*)}".contains(&last)
}
