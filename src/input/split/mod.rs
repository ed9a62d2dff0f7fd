//! Definition of where a game ends.
//!
//! The rule is that of pgn-reader 0.29, so that both programs find the same games. A game consists
//! of white space and `%` lines, tag pairs with any white space between them, and movetext.
//!
//! Movetext ends at a line break followed by an empty line or `[`. The rule differs in these
//! points:
//!
//! - pgn-reader reads tag sections without movetext between them as one game. Here a tag pair after
//!   a blank line or a broken tag pair may begin another game ([`EndKind::TagInSection`]).
//! - pgn-reader loses everything after an unclosed `{`. Here the next game begins at a tag pair
//!   after a blank line, or at an `[Event` tag pair at the start of any line.
//! - In movetext, a tag pair or a line starting with `1.` begins the next game after a result mark.
//!   An `[Event` tag pair always does. Files joined without a line break need this.
//! - A byte order mark at the start of a line is white space before a tag pair, since files with
//!   one are often joined. NULs and end-of-file marks between games are white space too.
//! - A quote inside a tag value does not end the tag pair if a bracket ends its line.
//!
//! The module [`join`](crate::input::join) decides which pieces separated by a blank line are one
//! game.

mod end;
mod state;
mod steps;

use fearless_simd::{Level, Simd, dispatch};
use memchr::memchr;

use crate::input::encoding::BYTE_ORDER_MARK;
use crate::input::split::end::Recent;
use crate::input::split::state::{Movetext, State};
use crate::input::split::steps::Step;
use crate::text::Offset;
use crate::text::TagLine;
use crate::text::byte_scan::ByteScan;
use crate::text::tag_pairs::{Passed, TagObserver, find, plain_pairs};

pub(crate) use end::{EndKind, GameEnd};

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
    /// Offset of the `[` of a possible tag pair. Meaningful in comments and movetext only.
    bracket: u64,
    /// Offset at which the next game may begin.
    line: u64,
    /// Whether the last tag pair was broken and only blanks have followed.
    broken: bool,
    /// Last bytes before the part being fed.
    recent: Recent,
    /// Last bytes before `brace`.
    before_brace: Recent,
    /// Offset of the line feed after the last comment to the end of a line, or `%` line.
    line_comment: u64,
}

const NO_BRACE: u64 = u64::MAX;

const BOM: &[u8] = BYTE_ORDER_MARK;

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter::new()
    }
}

impl Splitter {
    /// Creates a splitter at the beginning of a stream.
    pub fn new() -> Splitter {
        Splitter {
            state: State::Bom(0),
            fed: 0,
            pending: None,
            brace: NO_BRACE,
            bracket: 0,
            line: 0,
            broken: false,
            recent: Recent::default(),
            before_brace: Recent::default(),
            line_comment: 0,
        }
    }

    /// Creates a splitter that resumes at `at`, where a game begins.
    pub(crate) fn resume_at(at: Offset) -> Splitter {
        Splitter {
            state: State::Before,
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
                    b'\n' if bytes.get(i + 1) == Some(&b'[') => {
                        ends.push(GameEnd::new(place(i), EndKind::Tags));
                        self.brace = NO_BRACE;
                        i += 1;
                        observer.open(place(i));
                        state = State::Tag;
                    }
                    b'\n' | b'[' => {
                        self.pending = Some(Offset(place(i)));
                        state = State::Before;
                        continue;
                    }
                    b'\r' => state = State::LineStartCr,
                    b'%' => state = State::RestOfLine,
                    0xef => state = State::LineStartBom(1),
                    b' ' | b'\t' => {
                        self.line = place(i);
                        state = State::Indent;
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
                    match plain_pairs(simd, bytes, i, base, observer) {
                        Passed::Pair(at) => i = at,
                        Passed::Movetext(at) => {
                            i = at;
                            state = State::Movetext;
                            continue;
                        }
                    }
                    let Some(found) = find::<b'"', b'\n', b']'>(bytes, i) else {
                        break;
                    };
                    i = found;
                    state = match bytes[i] {
                        b'"' => {
                            observer.quote(place(i));
                            State::Value
                        }
                        ended => {
                            observer.odd();
                            self.broken = true;
                            self.line = place(i) + 1;
                            State::before_bracket(ended == b'\n')
                        }
                    };
                }
                State::Value => {
                    let Some(found) = find::<b'"', b'\n', b'\\'>(bytes, i) else {
                        break;
                    };
                    i = found;
                    state = match bytes[i] {
                        b'"' => {
                            observer.close(place(i));
                            match bytes[i + 1..] {
                                // Fast path: another tag pair on the next line.
                                [b']', b'\n', b'[', ..] => {
                                    i += 3;
                                    observer.open(place(i));
                                    State::Tag
                                }
                                // Fast path: movetext after a blank line.
                                [b']', b'\n', b'\n', b'1', ..] => {
                                    i += 4;
                                    State::Movetext
                                }
                                _ => State::Quoted,
                            }
                        }
                        b'\n' => {
                            observer.odd();
                            self.broken = true;
                            self.line = place(i) + 1;
                            State::LINE_BETWEEN
                        }
                        _ => {
                            observer.odd();
                            State::ValueEscape
                        }
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
                        observer.odd();
                        state = State::Doubtful {
                            line: TagLine::new(),
                            otherwise: Movetext::Plain,
                        };
                        continue;
                    }
                },
                State::Between {
                    may_close,
                    line_start,
                    after_blank,
                } => match byte {
                    b' ' | b'\t' | b'\r' => {}
                    b'\n' => {
                        self.line = place(i) + 1;
                        state = State::Between {
                            may_close: false,
                            line_start: true,
                            after_blank: line_start,
                        };
                    }
                    b']' if may_close => state = State::AFTER_BRACKET,
                    b'%' if line_start && !may_close => state = State::BetweenEscape,
                    b'[' => {
                        self.tag_in_section(line_start, after_blank, ends);
                        observer.open(place(i));
                        state = State::Tag;
                    }
                    _ => {
                        self.broken = false;
                        state = State::Movetext;
                        continue;
                    }
                },
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
        self.brace = NO_BRACE;
        self.broken = false;
    }

    /// Handles a tag pair in a tag section, which may begin another game.
    #[inline]
    fn tag_in_section(&mut self, line_start: bool, after_blank: bool, ends: &mut Vec<GameEnd>) {
        let broken = std::mem::take(&mut self.broken);
        if line_start && (after_blank || broken) {
            let kind = EndKind::TagInSection { after_blank };
            ends.push(GameEnd::new(self.line, kind));
            self.brace = NO_BRACE;
        }
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
    pub fn finish(self, ends: &mut Vec<GameEnd>) {
        let unclosed_comment = match self.state {
            State::Bom(0) => return,
            State::Before | State::BeforeEscape if self.pending.is_none() => return,
            State::BeforeBom(_) => {
                // An incomplete mark is a token, and a game of its own.
                ends.extend(self.pending.map(|at| GameEnd::new(at.0, EndKind::Movetext)));
                None
            }
            State::Comment
            | State::CommentLine { .. }
            | State::CommentSpace
            | State::CommentTag(_) => Some(Offset(self.brace)),
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
