//! Definition of where a game ends.
//!
//! A game consists of white space, comments and `%` lines, tag pairs with any of these between
//! them, and movetext. Movetext ends at an empty line, and before a tag pair:
//!
//! - at the start of a line, or after a result mark on its line. `Event` anywhere in movetext, or a
//!   known name directly after a word, begins a game too: files are joined without a line break.
//! - in a comment that is never closed: after a blank line, or an `[Event` tag pair at the start of
//!   a line, or at the end of one before a line that begins with `[`.
//!
//! A line that begins with `1.` begins the next game after a result mark. In a tag section, a tag
//! pair after a blank line or a broken tag pair, or one that repeats the first name or `Event`, may
//! begin another game ([`EndKind::TagInSection`]).
//!
//! Byte order marks, blanks outside ASCII and the `>` of quoted mail are white space beside tags,
//! NULs and end-of-file marks between games. A quote in a tag value does not end the tag pair if a
//! bracket ends its line. [`join`](crate::input::join) decides which pieces are one game.

mod end;
mod state;
mod steps;

use fearless_simd::{Level, Simd, dispatch};
use memchr::{memchr, memchr3};

use crate::input::split::end::Recent;
use crate::input::split::state::{Between, BlankPlace, Movetext, Section, State};
use crate::input::split::steps::Step;
use crate::pgn::TagName;
use crate::text::byte_scan::ByteScan;
use crate::text::tag_pairs::{Passed, TagObserver, plain_pairs};
use crate::text::{Offset, TagLine, is_name_byte, may_be_odd_blank};

pub(crate) use end::{EndKind, GameEnd, TagCause};

/// Finds the ends of games in a stream fed in parts, in a single pass.
///
/// The ends do not depend on how the stream is divided. White space and `%` lines before a game
/// belong to it, and those at the end of the stream to the last game.
///
/// A stream of only a byte order mark, white space and `%` lines has no game.
#[derive(Clone, Debug)]
pub struct Splitter {
    state: State,
    /// Number of bytes fed so far.
    fed: u64,
    /// End of a game while no other game has begun. It may still move to the end of the stream.
    pending: Option<Offset>,
    /// Offset of the `{` of the current comment, or of the last one in the current movetext.
    /// [`NO_BRACE`] before the first.
    brace: u64,
    /// Offset of the `[` of the last possible tag pair.
    bracket: u64,
    /// Offset at which the next game may begin.
    line: u64,
    /// Whether the last tag pair was broken and only blanks have followed.
    broken: bool,
    section: Section,
    /// Whether the current comment stands between tags.
    in_section: bool,
    /// Last bytes before the part being fed.
    recent: Recent,
    /// Last bytes before `brace`.
    before_brace: Recent,
    /// Offset of the line feed after the last comment to the end of a line, or `%` line.
    line_comment: u64,
}

const NO_BRACE: u64 = u64::MAX;

/// Usual beginning of a game.
const EVENT: &[u8] = b"[Event \"";

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter::new()
    }
}

impl Splitter {
    /// Creates a splitter at the beginning of a stream.
    pub fn new() -> Splitter {
        Splitter {
            state: State::Before,
            fed: 0,
            pending: None,
            brace: NO_BRACE,
            bracket: 0,
            line: 0,
            broken: false,
            section: Section::default(),
            in_section: false,
            recent: Recent::default(),
            before_brace: Recent::default(),
            line_comment: 0,
        }
    }

    /// Creates a splitter that resumes at `at`, where a game begins.
    pub(crate) fn resume_at(at: Offset) -> Splitter {
        Splitter {
            fed: at.0,
            ..Splitter::new()
        }
    }

    /// Number of bytes fed so far.
    pub(crate) fn fed(&self) -> Offset {
        Offset(self.fed)
    }

    /// End of a complete game to which only white space at the end of the stream may be added.
    pub(crate) fn pending(&self) -> Option<Offset> {
        self.pending
    }

    /// Reads the next part of the stream, and appends the ends that have become certain to `ends`.
    ///
    /// An end is certain once the next game has begun.
    pub fn feed(&mut self, bytes: &[u8], ends: &mut Vec<GameEnd>) {
        self.feed_observed(bytes, ends, &mut ());
    }

    /// Like [`Splitter::feed`], and reports the tag pairs passed to `observer`.
    pub(crate) fn feed_observed(
        &mut self,
        bytes: &[u8],
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) {
        dispatch!(Level::new(), simd => self.feed_with(simd, bytes, ends, observer));
    }

    #[inline(always)]
    fn feed_with(
        &mut self,
        simd: impl Simd,
        bytes: &[u8],
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) {
        let base = self.fed;
        let place = |i: usize| base + i as u64;
        let mut state = self.state;
        let mut i = 0;
        let mut marks = ByteScan::new(simd, bytes, 0);
        while let Some(&byte) = bytes.get(i) {
            // A `continue` leaves the byte to the new state. Other branches consume it.
            match state {
                State::Movetext | State::Comment => {
                    (state, i) = self.pass(&mut marks, i, state == State::Comment);
                    if i == bytes.len() {
                        break;
                    }
                }
                State::LineStart => match byte {
                    // Fast path: nearly every game ends like this.
                    b'\n' if bytes[i + 1..].starts_with(EVENT) => {
                        self.end(GameEnd::new(place(i), EndKind::Tags), ends);
                        i += 1;
                        state = self.open(place(i), observer);
                    }
                    b'\n' => {
                        self.pending = Some(Offset(place(i)));
                        state = State::Before;
                        continue;
                    }
                    b'\r' => state = State::LineStartCr,
                    b'%' => state = State::RestOfLine,
                    b'[' | b' ' | b'\t' | 0x0b | 0x0c | 0xa0.. => {
                        self.line = place(i);
                        state = State::Indent;
                        continue;
                    }
                    b'1' if self.may_be_first_number(bytes, i) => {
                        self.line = place(i);
                        state = State::FirstNumber { point: false };
                    }
                    _ => {
                        state = State::Movetext;
                        continue;
                    }
                },
                State::Tag => {
                    if place(i) == self.bracket + 1 {
                        let repeats = |name: &[u8]| self.section.repeats(name);
                        match plain_pairs(simd, bytes, i, base, repeats, observer) {
                            Passed::Pair(at) if at == i => {}
                            Passed::Pair(at) => {
                                self.bracket = place(at) - 1;
                                self.line = self.bracket;
                                i = at;
                            }
                            Passed::Movetext(at) => {
                                i = at;
                                state = State::Movetext;
                                continue;
                            }
                        }
                    }
                    let Some(found) = memchr3(b'"', b'\n', b']', &bytes[i..]) else {
                        break;
                    };
                    i += found;
                    state = match bytes[i] {
                        b'"' => self.quote(bytes, i, ends),
                        ended => {
                            self.broken = true;
                            self.line = place(i) + 1;
                            State::before_bracket(ended == b'\n')
                        }
                    };
                }
                State::Value => {
                    let Some(found) = memchr3(b'"', b'\n', b'\\', &bytes[i..]) else {
                        break;
                    };
                    i += found;
                    state = match bytes[i] {
                        b'"' => State::Quoted,
                        b'\n' => {
                            self.broken = true;
                            self.line = place(i) + 1;
                            State::LINE_BETWEEN
                        }
                        _ => State::ValueEscape,
                    };
                }
                State::ValueEscape => state = State::Value,
                State::Quoted => match byte {
                    b' ' | b'\t' | b'\r' => {}
                    b']' | b'\n' | b'[' => {
                        state = State::before_bracket(false);
                        continue;
                    }
                    _ => {
                        self.section.words = Some(place(i));
                        state = State::Doubtful {
                            line: TagLine::new(),
                            otherwise: Movetext::Plain,
                        };
                        continue;
                    }
                },
                State::Between(between) => match byte {
                    b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                    b'\n' => {
                        self.line = place(i) + 1;
                        state = State::Between(Between {
                            may_close: false,
                            line_start: true,
                            after_blank: between.line_start,
                        });
                    }
                    b']' if between.may_close => state = State::AFTER_BRACKET,
                    b'%' if between.line_start && !between.may_close => {
                        state = State::BetweenEscape;
                    }
                    b'>' if between.line_start => {}
                    b';' => state = State::BetweenEscape,
                    b'{' => {
                        self.brace = place(i);
                        self.in_section = true;
                        state = State::SectionComment;
                    }
                    b'[' => {
                        self.tag_in_section(place(i), between, ends);
                        state = self.open(place(i), observer);
                    }
                    _ if may_be_odd_blank(&[byte]) => {
                        let after = BlankPlace::Between(between);
                        let seen = [0; 2];
                        state = State::OddBlank { after, seen };
                        continue;
                    }
                    _ => {
                        state = self.words_after_tags(place(i), between);
                        continue;
                    }
                },
                State::SectionComment => {
                    let Some(found) = memchr3(b'}', b'\n', b'[', &bytes[i..]) else {
                        break;
                    };
                    i += found;
                    state = match bytes[i] {
                        b'}' => {
                            self.in_section = false;
                            State::AFTER_BRACKET
                        }
                        b'\n' => State::CommentLine { after_blank: false },
                        _ => self.tag_in_comment(place(i)),
                    };
                }
                State::RestOfLine | State::BeforeEscape | State::BetweenEscape => {
                    let Some(found) = memchr(b'\n', &bytes[i..]) else {
                        break;
                    };
                    i += found;
                    state = match state {
                        State::RestOfLine => {
                            self.line_comment = place(i);
                            State::LineStart
                        }
                        State::BeforeEscape => State::Before,
                        _ => {
                            self.line_comment = place(i);
                            self.line = place(i) + 1;
                            State::LINE_BETWEEN
                        }
                    };
                }
                _ => match self.step(state, bytes, i, ends, observer) {
                    Step::Read(next) => state = next,
                    Step::Left(next) => {
                        state = next;
                        continue;
                    }
                },
            }
            i += 1;
        }
        self.state = state;
        if self.brace != NO_BRACE
            && let Some(brace) = self.brace.checked_sub(base)
        {
            self.before_brace = self.recent.before(bytes, brace as usize);
        }
        self.recent = self.recent.before(bytes, bytes.len());
        self.fed = place(bytes.len());
    }

    /// Begins a game after the one that ended at `pending`, if any.
    fn begin(&mut self, kind: EndKind, ends: &mut Vec<GameEnd>) {
        ends.extend(self.pending.take().map(|at| GameEnd::new(at.0, kind)));
        self.clear();
    }

    /// Ends a game where the next one begins.
    fn end(&mut self, end: GameEnd, ends: &mut Vec<GameEnd>) {
        ends.push(end);
        self.clear();
    }

    fn clear(&mut self) {
        self.brace = NO_BRACE;
        self.broken = false;
        self.in_section = false;
        self.section = Section::default();
    }

    /// Begins a tag pair.
    #[inline(always)]
    fn open(&mut self, bracket: u64, observer: &mut impl TagObserver) -> State {
        self.bracket = bracket;
        observer.open(bracket);
        State::Tag
    }

    /// Handles a tag pair in a tag section, which may begin another game.
    #[inline]
    fn tag_in_section(&mut self, bracket: u64, between: Between, ends: &mut Vec<GameEnd>) {
        let broken = std::mem::take(&mut self.broken);
        if !between.line_start {
            self.line = bracket;
        }
        let cause = match between.after_blank {
            true => TagCause::Blank,
            false => TagCause::Broken,
        };
        self.section.is_reported = between.line_start && (between.after_blank || broken);
        if self.section.is_reported {
            ends.push(GameEnd::new(self.line, EndKind::TagInSection(cause)));
            self.brace = NO_BRACE;
        }
    }

    /// Begins the value of a tag pair, which may begin another game.
    fn quote(&mut self, bytes: &[u8], quote: usize, ends: &mut Vec<GameEnd>) -> State {
        let place = self.fed + quote as u64;
        let length = (place - self.bracket - 1) as usize;
        // Longer names are not among the last bytes.
        let name = self.recent.before(bytes, quote);
        let is_reported = std::mem::take(&mut self.section.is_reported);
        if length <= Section::LONGEST_NAME
            && self.section.repeats(name.last(length))
            && !is_reported
        {
            let kind = EndKind::TagInSection(TagCause::Repeated);
            ends.push(GameEnd::new(self.line, kind));
        }
        State::Value
    }

    /// Begins the text after the tags.
    fn words_after_tags(&mut self, at: u64, between: Between) -> State {
        self.broken = false;
        if !between.after_blank {
            self.section.words = Some(at);
        }
        State::Movetext
    }

    /// The known name that ends before `at`, before blanks.
    fn known_name(&self, bytes: &[u8], at: usize) -> Option<TagName> {
        let before = self.recent.before(bytes, at);
        let rest = before.trimmed();
        let length = rest.iter().rev().take_while(|&&byte| is_name_byte(byte));
        let name = &rest[rest.len() - length.count()..];
        TagName::read(name).map(|(known, _)| known)
    }

    /// Whether the last word before `at` is a result mark, ignoring a comment after it.
    fn is_after_result(&self, bytes: &[u8], at: usize) -> bool {
        let before = self.recent.before(bytes, at);
        if !before.ends_comment() {
            // The end of a comment to the end of a line is no result.
            let end = self.fed + at as u64 - before.blanks() as u64;
            return self.line_comment < end && before.ends_with_result();
        }
        match self.brace.checked_sub(self.fed) {
            _ if self.brace == NO_BRACE => false,
            Some(brace) => self.recent.before(bytes, brace as usize).ends_with_result(),
            None => self.before_brace.ends_with_result(),
        }
    }

    /// Whether the digit at `at` may be the number of move 1 after the result of a game.
    fn may_be_first_number(&self, bytes: &[u8], at: usize) -> bool {
        bytes.get(at + 1).is_none_or(|&next| next == b'.') && self.is_after_result(bytes, at)
    }

    /// Ends the stream, and appends the end of its last game, if it has one.
    pub fn finish(mut self, ends: &mut Vec<GameEnd>) {
        let unclosed_comment = match self.state {
            State::Before | State::BeforeEscape if self.pending.is_none() => return,
            State::OddBlank {
                after: BlankPlace::Before,
                ..
            } => {
                // An incomplete character is a word, and a game of its own.
                self.begin(EndKind::Movetext, ends);
                None
            }
            State::TagStart(_) => {
                self.begin(EndKind::Bracket, ends);
                None
            }
            State::Comment
            | State::SectionComment
            | State::CommentLine { .. }
            | State::CommentSpace
            | State::CommentTag(_)
            | State::CommentEvent { .. }
            | State::CommentEventLine => Some(Offset(self.brace)),
            State::Doubtful {
                line,
                otherwise: Movetext::Comment,
            } if !line.is_whole() => Some(Offset(self.brace)),
            _ => None,
        };
        ends.push(GameEnd {
            unclosed_comment,
            ..GameEnd::new(self.fed, EndKind::Tags)
        });
    }
}

#[cfg(test)]
mod tests;
