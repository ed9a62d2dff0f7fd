//! Steps of the splitter: the pass over movetext and comments, which are nearly all of a text, and
//! the states in which few bytes are read. `inline(always)` takes 4 to 10 % of the time off
//! `stats`.

use fearless_simd::Simd;

use crate::input::encoding::END_OF_FILE_MARK;
use crate::input::split::end::{EndKind, GameEnd};
use crate::input::split::state::{BlankPlace, Movetext, Section, State, TagPlace, TagStart};
use crate::input::split::{EVENT, Splitter};
use crate::pgn::TagName;
use crate::text::byte_scan::{Block, ByteClass, ByteScan};
use crate::text::tag_pairs::TagObserver;
use crate::text::{Offset, TagLine, may_be_odd_blank, odd_blank};

/// Maximum length of other text between two tag pairs of a section, in bytes.
const MOST_WORDS: u64 = 256;

/// Bytes that may change the state in movetext or a comment. Excluded are line feeds before a usual
/// first character and the brackets of commands such as `[%clk 0:01:00]`.
pub(crate) struct Decisive;

impl ByteClass for Decisive {
    #[inline(always)]
    fn of<S: Simd>(block: Block<S>, next: Option<u8>) -> u64 {
        // White space, `%` and the bytes of a byte order mark are outside `LEAST..0x80`.
        const LEAST: u8 = b'%' + 1;
        let low = block.below_or_beyond_ascii(LEAST);
        let bracket = block.is(b'[');
        let next_low = next.is_none_or(|byte| !(LEAST..0x80).contains(&byte));
        let next_begins = next_low || matches!(next, Some(b'[' | b'1'));
        let begins = low | bracket | block.is(b'1');
        let line = block.is(b'\n') & (begins >> 1 | u64::from(next_begins) << 63);
        let tag = bracket & !(low >> 1 | u64::from(next_low && next.is_some()) << 63);
        line | tag | block.is(b'{') | block.is(b'}') | block.is(b';')
    }

    #[inline]
    fn matches_at_end(byte: u8) -> bool {
        byte == b'['
    }
}

/// State after a byte.
pub(crate) enum Step {
    /// The byte has been read.
    Read(State),
    /// The byte is left to this state.
    Left(State),
}

impl Splitter {
    /// Skips movetext and comments. Returns the next state and the index of the byte that requires
    /// it, or the end of the bytes.
    #[inline(always)]
    pub(crate) fn pass(
        &mut self,
        marks: &mut ByteScan<'_, Decisive, impl Simd>,
        at: usize,
        mut in_comment: bool,
    ) -> (State, usize) {
        let bytes = marks.text();
        marks.seek(at);
        for found in marks {
            match (bytes[found], in_comment) {
                (b'{', false) => {
                    self.brace = self.fed + found as u64;
                    in_comment = true;
                }
                (b'}', true) => in_comment = false,
                (b'\n', false) => return (State::LineStart, found),
                (b'\n', true) => return (State::CommentLine { after_blank: false }, found),
                (b';', false) => return (State::RestOfLine, found),
                (b'[', false) => {
                    let before = self.recent.before(bytes, found);
                    self.bracket = self.fed + found as u64;
                    self.line = self.bracket - before.indent().unwrap_or_default() as u64;
                    let place = match before.last(1) {
                        [last] if last.is_ascii_alphanumeric() || b"+#!?*)}".contains(last) => {
                            TagPlace::Glued
                        }
                        _ => TagPlace::Word,
                    };
                    let is_due = self.is_after_result(bytes, found);
                    return (State::TagStart(TagStart::new(place, is_due)), found);
                }
                (b'[', true) => {
                    let bracket = self.fed + found as u64;
                    return (self.tag_in_comment(bracket), found);
                }
                _ => {}
            }
        }
        let state = match in_comment {
            true => State::Comment,
            false => State::Movetext,
        };
        (state, bytes.len())
    }

    /// Reads byte `i` in a state that [`Splitter::feed_observed`] does not read itself.
    #[inline(always)]
    pub(crate) fn step(
        &mut self,
        state: State,
        bytes: &[u8],
        i: usize,
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) -> Step {
        let (byte, at) = (bytes[i], self.fed + i as u64);
        match state {
            State::OddBlank { after, seen } => {
                let [first, second] = seen;
                let read = match (first, second) {
                    (0, _) => &[byte][..],
                    (_, 0) => &[first, byte],
                    _ => &[first, second, byte],
                };
                if odd_blank(read) == read.len() {
                    return Step::Read(after.state());
                }
                if may_be_odd_blank(read) {
                    let seen = [read[0], read.get(1).copied().unwrap_or_default()];
                    return Step::Read(State::OddBlank { after, seen });
                }
                // Other characters are words.
                match after {
                    BlankPlace::Before => {
                        self.begin(EndKind::Movetext, ends);
                        Step::Left(State::Movetext)
                    }
                    BlankPlace::Between(between) => Step::Left(self.words_after_tags(at, between)),
                    BlankPlace::Indent => Step::Left(State::Movetext),
                }
            }
            State::Before => match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | b'>' | 0 | END_OF_FILE_MARK => {
                    Step::Read(State::Before)
                }
                b'%' => Step::Read(State::BeforeEscape),
                b'[' if bytes[i..].starts_with(EVENT) => {
                    self.begin(EndKind::Tags, ends);
                    Step::Read(self.open(at, observer))
                }
                b'[' => {
                    self.bracket = at;
                    self.line = at;
                    Step::Read(State::TagStart(TagStart::new(TagPlace::Before, true)))
                }
                _ if may_be_odd_blank(&[byte]) => Step::Left(State::OddBlank {
                    after: BlankPlace::Before,
                    seen: [0; 2],
                }),
                _ => {
                    self.begin(EndKind::Movetext, ends);
                    Step::Left(State::Movetext)
                }
            },
            State::LineStartCr if byte == b'\n' => {
                self.pending = Some(Offset(at - 1));
                Step::Left(State::Before)
            }
            State::LineStartCr => Step::Left(State::Movetext),
            State::Indent => match byte {
                b' ' | b'\t' | 0x0b | 0x0c => Step::Read(State::Indent),
                b'[' => {
                    self.bracket = at;
                    let place = match self.recent.before(bytes, i).last(1) {
                        b" " | b"\t" => TagPlace::Word,
                        _ => TagPlace::Line,
                    };
                    let is_due = self.is_after_result(bytes, i);
                    Step::Read(State::TagStart(TagStart::new(place, is_due)))
                }
                _ if may_be_odd_blank(&[byte]) => Step::Left(State::OddBlank {
                    after: BlankPlace::Indent,
                    seen: [0; 2],
                }),
                b'1' if self.may_be_first_number(bytes, i) => {
                    Step::Read(State::FirstNumber { point: false })
                }
                _ => Step::Left(State::Movetext),
            },
            State::FirstNumber { point: false } if byte == b'.' => {
                Step::Read(State::FirstNumber { point: true })
            }
            State::FirstNumber { point } => {
                // `1...` is the number of a move by Black.
                if point && byte != b'.' {
                    self.end(GameEnd::new(self.line, EndKind::FirstNumber), ends);
                }
                Step::Left(State::Movetext)
            }
            State::TagStart(tag) => match tag.feed(byte) {
                Some(true) if self.begins_game(tag, bytes, i) => {
                    self.end_before_tag(tag.place, ends);
                    self.open(self.bracket, observer);
                    Step::Read(self.quote(bytes, i, ends))
                }
                Some(_) => self.no_tag(tag, bytes, i, ends, observer),
                None => Step::Read(State::TagStart(tag.after(byte))),
            },
            State::CommentLine { after_blank } => match byte {
                b'\n' => Step::Read(State::CommentLine { after_blank: true }),
                b' ' | b'\t' | b'\r' => Step::Read(State::CommentSpace),
                b'[' => {
                    self.bracket = at;
                    // Without a blank line, only `Event` will do.
                    let tag = TagStart::new(TagPlace::CommentLine, after_blank);
                    Step::Read(State::CommentTag(tag))
                }
                _ => Step::Left(self.comment()),
            },
            State::CommentSpace => match byte {
                b'\n' => Step::Read(State::CommentLine { after_blank: true }),
                b' ' | b'\t' | b'\r' => Step::Read(State::CommentSpace),
                _ => Step::Left(self.comment()),
            },
            State::CommentTag(tag) => {
                let is_event = || {
                    let before = self.recent.before(bytes, i);
                    before.trimmed().ends_with(b"[Event")
                };
                match (tag.feed(byte), tag.place) {
                    (None, _) => Step::Read(State::CommentTag(tag.after(byte))),
                    (Some(true), TagPlace::CommentLine) if tag.is_due || is_event() => {
                        self.end_comment(EndKind::Tags, ends);
                        self.open(self.bracket, observer);
                        Step::Read(self.quote(bytes, i, ends))
                    }
                    (Some(true), _) if is_event() => {
                        Step::Read(State::CommentEvent { closed: false })
                    }
                    (Some(_), _) => Step::Left(self.comment()),
                }
            }
            State::CommentEvent { closed } => match byte {
                b'\n' if closed => {
                    self.line = at + 1;
                    Step::Read(State::CommentEventLine)
                }
                b'\n' | b'}' => Step::Left(self.comment()),
                b' ' | b'\t' | b'\r' => Step::Read(state),
                _ => Step::Read(State::CommentEvent {
                    closed: byte == b']',
                }),
            },
            State::CommentEventLine if byte == b'[' => {
                self.end_comment(EndKind::SameLine, ends);
                self.section.repeats(&EVENT[1..EVENT.len() - 1]);
                self.open(self.bracket, observer);
                Step::Left(State::LINE_BETWEEN)
            }
            State::CommentEventLine => Step::Left(State::CommentLine { after_blank: false }),
            State::Doubtful { line, otherwise } => self.doubtful(line, otherwise, byte, at),
            State::Tag
            | State::Value
            | State::ValueEscape
            | State::Quoted
            | State::Between(_)
            | State::SectionComment
            | State::BeforeEscape
            | State::BetweenEscape
            | State::RestOfLine
            | State::LineStart
            | State::Movetext
            | State::Comment => unreachable!("a state of `feed_observed`"),
        }
    }

    /// Whether little text stands between the last tags and the tag pair at `bracket`.
    fn is_near_tags(&self) -> bool {
        let is_near = |words| self.bracket - words < MOST_WORDS;
        self.section.words.is_some_and(is_near)
    }

    /// Whether a tag pair begins a game where it stands. Its name ends before `at`.
    fn begins_game(&self, tag: TagStart, bytes: &[u8], at: usize) -> bool {
        match tag.place {
            TagPlace::Before | TagPlace::Line | TagPlace::CommentLine => true,
            TagPlace::Word | TagPlace::Glued if tag.is_due => true,
            place => self.known_name(bytes, at).is_some_and(|name| {
                name == TagName::Event || place == TagPlace::Glued || self.is_near_tags()
            }),
        }
    }

    /// Ends a game before the tag pair at `bracket`.
    fn end_before_tag(&mut self, place: TagPlace, ends: &mut Vec<GameEnd>) {
        let kind = match place {
            TagPlace::Before => return self.begin(EndKind::Tags, ends),
            _ if self.is_near_tags() => EndKind::TagAfterWords,
            TagPlace::Line | TagPlace::CommentLine => EndKind::Tags,
            TagPlace::Word | TagPlace::Glued => EndKind::SameLine,
        };
        let section = Section {
            is_reported: true,
            words: None,
            ..self.section
        };
        self.end(GameEnd::new(self.line, kind), ends);
        if kind == EndKind::TagAfterWords {
            self.section = section;
        }
    }

    /// Handles a bracket that begins no tag pair.
    fn no_tag(
        &mut self,
        tag: TagStart,
        bytes: &[u8],
        i: usize,
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) -> Step {
        match tag.place {
            TagPlace::Before => self.begin(EndKind::Bracket, ends),
            // A broken tag pair.
            TagPlace::Line if tag.is_due && self.known_name(bytes, i).is_some() => {
                self.end(GameEnd::new(self.line, EndKind::Tags), ends);
            }
            _ => {
                // With no text before it that is movetext, it is a tag pair all the same.
                if self.is_near_tags() {
                    observer.open(self.bracket);
                }
                return Step::Left(State::Movetext);
            }
        }
        self.open(self.bracket, observer);
        Step::Left(State::Tag)
    }

    /// State after a bracket within a line of a comment.
    #[inline]
    pub(crate) fn tag_in_comment(&mut self, bracket: u64) -> State {
        self.bracket = bracket;
        State::CommentTag(TagStart::new(TagPlace::Word, false))
    }

    /// State in a comment.
    fn comment(&self) -> State {
        match self.in_section {
            true => State::SectionComment,
            false => State::Comment,
        }
    }

    /// Ends a game before the tag pair at `bracket`, within a comment that is never closed.
    fn end_comment(&mut self, kind: EndKind, ends: &mut Vec<GameEnd>) {
        let end = GameEnd {
            unclosed_comment: Some(Offset(self.brace)),
            ..GameEnd::new(self.bracket, kind)
        };
        self.end(end, ends);
    }

    #[inline(always)]
    fn doubtful(&mut self, mut line: TagLine, mut otherwise: Movetext, byte: u8, at: u64) -> Step {
        match (otherwise, byte) {
            (Movetext::Plain, b'{') => {
                self.brace = at;
                otherwise = Movetext::Comment;
            }
            (Movetext::Plain, b';') => otherwise = Movetext::RestOfLine,
            (Movetext::Comment, b'}') => otherwise = Movetext::Plain,
            _ => {}
        }
        match (line.feed(byte), otherwise) {
            (None, _) => Step::Read(State::Doubtful { line, otherwise }),
            (Some(true), _) => {
                self.section.words = None;
                Step::Left(State::before_bracket(false))
            }
            (Some(false), Movetext::Comment) => {
                Step::Read(State::CommentLine { after_blank: false })
            }
            (Some(false), Movetext::Plain | Movetext::RestOfLine) => Step::Read(State::LineStart),
        }
    }
}
