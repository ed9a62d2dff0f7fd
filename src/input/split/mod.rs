//! The one definition of where a game ends.
//!
//! The rule is that of pgn-reader 0.29, so that a game cut here and read there is one game on both sides: white space
//! and `%` lines, tag pairs with whatever white space is between them, then movetext up to a line break that is
//! followed by an empty line or by `[`.
//!
//! It differs in these points:
//!
//! - Tag sections without movetext between them are one game to pgn-reader. Here a tag pair after a blank line, or after a
//!   broken tag pair, may begin another game ([`EndKind::TagInSection`]).
//! - pgn-reader loses everything after a `{` that is never closed. Here a blank line followed by a tag pair, or an `[Event`
//!   tag pair on any line, shows that the comment was meant to end earlier, and the next game begins with that tag pair.
//! - In movetext a tag pair after a result mark, an `[Event` tag pair after anything, and a `1.` that begins a line after a
//!   result mark begin the next game, as in files that were joined without a line break.
//! - A byte order mark at the beginning of a line is white space before a tag pair wherever it stands, as files with one
//!   are often joined. So are NULs and end-of-file marks between games, with which files are filled up and ended.
//! - A quote inside a tag's value does not end the tag pair if a bracket ends its line.
//!
//! Which of the pieces found here are one game although a blank line separates them, [`join`](crate::input::join) decides.

mod pass;
mod recent;
mod state;

use memchr::memchr;

use crate::input::anomaly::{BYTE_ORDER_MARK, END_OF_FILE_MARK};
use crate::input::split::recent::Recent;
use crate::input::split::state::{Movetext, State, TagKind};
use crate::text::Offset;
use crate::text::TagLine;
use crate::text::byte_scan::ByteScan;
use crate::text::tag_index::{Passed, TagObserver, find, plain_pairs};

/// The end of one game and, as games leave no gap, the beginning of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The first byte that does not belong to the game.
    pub at: Offset,
    /// The `{` of a comment that was still open at the end of the game.
    pub unclosed_comment: Option<Offset>,
    /// What shows that the game ends here.
    pub kind: EndKind,
}

/// What shows that a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EndKind {
    /// A tag pair at the beginning of a line after movetext, or the end of the stream.
    #[default]
    Tags,
    /// Movetext after a blank line, which may be the rest of the same game.
    Movetext,
    /// A tag pair in a tag section, which may belong to the same section.
    TagInSection {
        /// Whether a blank line stands before it; otherwise a broken tag pair does.
        after_blank: bool,
    },
    /// A tag pair after a result mark on the same line, or `[Event` in movetext.
    SameLine,
    /// A `1.` that begins a line after a result mark.
    FirstNumber,
}

impl GameEnd {
    pub(crate) fn new(at: u64, kind: EndKind) -> GameEnd {
        GameEnd {
            at: Offset(at),
            unclosed_comment: None,
            kind,
        }
    }
}

/// Finds the ends of games in a stream that arrives in pieces, and looks at every byte once.
///
/// The ends do not depend on where the pieces are cut. Every byte belongs to a game: what stands before the first tag
/// belongs to the game that follows, and white space at the end of the stream to the last game. A stream without
/// anything but a byte order mark, white space and `%` lines has no game.
#[derive(Clone, Debug)]
pub struct Splitter {
    state: State,
    /// How many bytes have been fed so far.
    fed: u64,
    /// The end of a game after which no other game has begun yet, so that it may still move to the end of the stream.
    pending: Option<Offset>,
    /// The `{` of the comment being read, or of the last one in the movetext being read; [`NO_BRACE`] before the first.
    brace: u64,
    /// The `[` of what may be a tag pair in a comment or in movetext; meaningful there only.
    bracket: u64,
    /// Where a line begins with which the next game may begin.
    line: u64,
    /// Whether the last tag pair was broken and nothing but blanks has followed.
    broken: bool,
    /// The bytes before those being fed.
    recent: Recent,
    /// The bytes before `brace`.
    before_brace: Recent,
}

const NO_BRACE: u64 = u64::MAX;

const BOM: &[u8] = BYTE_ORDER_MARK;

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter::new()
    }
}

impl Splitter {
    /// A splitter at the beginning of a stream.
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
        }
    }

    /// A splitter behind so many bytes that have been split, at a place where a game begins.
    pub(crate) fn resume_at(at: Offset) -> Splitter {
        Splitter {
            state: State::Before,
            fed: at.0,
            ..Splitter::new()
        }
    }

    /// How many bytes have been fed so far.
    pub fn fed(&self) -> Offset {
        Offset(self.fed)
    }

    /// The end of a game that is complete but for white space that may follow it at the end of the stream.
    pub fn pending(&self) -> Option<Offset> {
        self.pending
    }

    /// Reads the bytes that follow those fed before, and appends the ends that have become certain to `ends`.
    ///
    /// An end is certain when the next game has begun.
    pub fn feed(&mut self, bytes: &[u8], ends: &mut Vec<GameEnd>) {
        self.feed_observed(bytes, ends, &mut ());
    }

    /// As [`Splitter::feed`], and has `watch` see the tag pairs that are passed.
    #[inline]
    pub(crate) fn feed_observed(
        &mut self,
        bytes: &[u8],
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) {
        let base = self.fed;
        let place = |i: usize| base + i as u64;
        let mut state = self.state;
        let mut i = 0;
        let mut marks = ByteScan::new(bytes, 0);
        while let Some(&byte) = bytes.get(i) {
            // Where nothing else is said, the byte has been dealt with. An arm that only changes the state and
            // `continue`s leaves the byte to the new state.
            match state {
                State::Movetext | State::Comment => {
                    (state, i) = self.pass(&mut marks, i, state == State::Comment);
                    if i == bytes.len() {
                        break;
                    }
                }
                State::LineStart => match byte {
                    // So nearly every game ends.
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
                State::Indent => match byte {
                    b' ' | b'\t' => {}
                    b'1' if self.may_be_first_number(bytes, i) => {
                        state = State::FirstNumber { point: false };
                    }
                    _ => {
                        state = State::Movetext;
                        continue;
                    }
                },
                State::FirstNumber { point } => match (point, byte) {
                    (false, b'.') => state = State::FirstNumber { point: true },
                    // `1...` is the number of a move by Black.
                    (true, b'.') | (false, _) => {
                        state = State::Movetext;
                        continue;
                    }
                    (true, _) => {
                        ends.push(GameEnd::new(self.line, EndKind::FirstNumber));
                        self.brace = NO_BRACE;
                        state = State::Movetext;
                        continue;
                    }
                },
                State::TagInLine(tag) => match tag.feed(byte) {
                    Some(false) => {
                        state = State::Movetext;
                        continue;
                    }
                    Some(true) => {
                        ends.push(GameEnd::new(self.line, EndKind::SameLine));
                        self.brace = NO_BRACE;
                        observer.open(self.bracket);
                        observer.quote(place(i));
                        state = State::Value;
                    }
                    None => state = State::TagInLine(tag.after(byte)),
                },
                State::LineStartBom(seen) => match (seen, byte) {
                    (1 | 2, byte) if byte == BOM[usize::from(seen)] => {
                        state = State::LineStartBom(seen + 1);
                    }
                    (3, b'[') => {
                        self.pending = Some(Offset(place(i) - 3));
                        state = State::Before;
                        continue;
                    }
                    _ => {
                        state = State::Movetext;
                        continue;
                    }
                },
                State::LineStartCr => {
                    if byte == b'\n' {
                        self.pending = Some(Offset(place(i) - 1));
                        state = State::Before;
                    } else {
                        state = State::Movetext;
                    }
                    continue;
                }
                State::RestOfLine => {
                    let Some(found) = memchr(b'\n', &bytes[i..]) else {
                        break;
                    };
                    i += found;
                    state = State::LineStart;
                }
                State::CommentLine { after_blank } => match byte {
                    b'\n' => state = State::CommentLine { after_blank: true },
                    b' ' | b'\t' | b'\r' => state = State::CommentSpace,
                    b'[' => {
                        self.bracket = place(i);
                        let kind = if after_blank {
                            TagKind::AfterBlank
                        } else {
                            TagKind::Event
                        };
                        state = State::CommentTag { name: 0, kind };
                    }
                    _ => {
                        state = State::Comment;
                        continue;
                    }
                },
                State::CommentSpace => match byte {
                    b'\n' => state = State::CommentLine { after_blank: true },
                    b' ' | b'\t' | b'\r' => {}
                    _ => {
                        state = State::Comment;
                        continue;
                    }
                },
                State::CommentTag { name, kind } => {
                    let in_name = match kind {
                        TagKind::AfterBlank => byte.is_ascii_alphanumeric() || byte == b'_',
                        TagKind::Event => b"Event".get(usize::from(name)) == Some(&byte),
                    };
                    let named = match kind {
                        TagKind::AfterBlank => name > 0,
                        TagKind::Event => name == 5,
                    };
                    state = match byte {
                        _ if in_name => State::CommentTag {
                            name: name.saturating_add(1),
                            kind,
                        },
                        b' ' | b'\t' if named => State::CommentTagSpace,
                        _ => State::Comment,
                    };
                    if state == State::Comment {
                        continue;
                    }
                }
                State::CommentTagSpace => match byte {
                    b' ' | b'\t' => {}
                    b'"' => {
                        ends.push(GameEnd {
                            unclosed_comment: Some(Offset(self.brace)),
                            ..GameEnd::new(self.bracket, EndKind::Tags)
                        });
                        self.brace = NO_BRACE;
                        observer.open(self.bracket);
                        observer.quote(place(i));
                        state = State::Value;
                    }
                    _ => {
                        state = State::Comment;
                        continue;
                    }
                },
                State::Bom(seen) => {
                    if byte == BOM[usize::from(seen)] {
                        state = match seen {
                            2 => State::Before,
                            _ => State::Bom(seen + 1),
                        };
                    } else {
                        // A broken mark is a token, hence a game without tags.
                        state = match seen {
                            0 => State::Before,
                            _ => State::Movetext,
                        };
                        continue;
                    }
                }
                State::BeforeBom(seen) => {
                    if byte == BOM[usize::from(seen)] {
                        state = match seen {
                            2 => State::Before,
                            _ => State::BeforeBom(seen + 1),
                        };
                    } else {
                        // Broken, it is a token, and a game has begun with it.
                        self.begin(EndKind::Movetext, ends);
                        state = State::Movetext;
                        continue;
                    }
                }
                State::Before => match byte {
                    b' ' | b'\t' | b'\r' | b'\n' | 0 | END_OF_FILE_MARK => {}
                    b'%' => state = State::BeforeEscape,
                    0xef => state = State::BeforeBom(1),
                    b'[' => {
                        self.begin(EndKind::Tags, ends);
                        observer.open(place(i));
                        state = State::Tag;
                    }
                    _ => {
                        self.begin(EndKind::Movetext, ends);
                        state = State::Movetext;
                        continue;
                    }
                },
                State::BeforeEscape => {
                    let Some(found) = memchr(b'\n', &bytes[i..]) else {
                        break;
                    };
                    i += found;
                    state = State::Before;
                }
                State::Tag => {
                    match plain_pairs(bytes, i, base, observer) {
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
                            State::Ket {
                                line_start: ended == b'\n',
                            }
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
                                // Nearly every tag pair ends so, and another begins on the next line,
                                [b']', b'\n', b'[', ..] => {
                                    i += 3;
                                    observer.open(place(i));
                                    State::Tag
                                }
                                // or movetext behind the next.
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
                        state = State::Ket { line_start: false };
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
                State::Doubtful {
                    ref mut line,
                    ref mut otherwise,
                } => {
                    match (*otherwise, byte) {
                        (Movetext::Plain, b'{') => {
                            self.brace = place(i);
                            *otherwise = Movetext::Comment;
                        }
                        (Movetext::Plain, b';') => *otherwise = Movetext::RestOfLine,
                        (Movetext::Comment, b'}') => *otherwise = Movetext::Plain,
                        _ => {}
                    }
                    match line.feed(byte) {
                        None => {}
                        Some(true) => {
                            state = State::Ket { line_start: false };
                            continue;
                        }
                        Some(false) => {
                            state = match otherwise {
                                Movetext::Comment => State::CommentLine { after_blank: false },
                                Movetext::Plain | Movetext::RestOfLine => State::LineStart,
                            };
                        }
                    }
                }
                State::Ket { line_start } => match byte {
                    b' ' | b'\t' | b'\r' => {}
                    b']' => {
                        state = State::Between {
                            line_start: false,
                            after_blank: false,
                        };
                    }
                    b'\n' => {
                        self.line = place(i) + 1;
                        state = State::Between {
                            line_start: true,
                            after_blank: line_start,
                        };
                    }
                    b'[' => {
                        self.tag_in_section(line_start, false, ends);
                        observer.open(place(i));
                        state = State::Tag;
                    }
                    _ => {
                        self.broken = false;
                        state = State::Movetext;
                        continue;
                    }
                },
                State::Between {
                    line_start,
                    after_blank,
                } => match byte {
                    b' ' | b'\t' | b'\r' => {}
                    b'\n' => {
                        self.line = place(i) + 1;
                        state = State::Between {
                            line_start: true,
                            after_blank: line_start,
                        };
                    }
                    b'%' if line_start => state = State::BetweenEscape,
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
                State::BetweenEscape => {
                    let Some(found) = memchr(b'\n', &bytes[i..]) else {
                        break;
                    };
                    i += found;
                    self.line = place(i) + 1;
                    state = State::LINE_BETWEEN;
                }
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

    /// A game begins after another, which has ended where `pending` says.
    fn begin(&mut self, kind: EndKind, ends: &mut Vec<GameEnd>) {
        ends.extend(self.pending.take().map(|at| GameEnd::new(at.0, kind)));
        self.brace = NO_BRACE;
        self.broken = false;
    }

    /// A tag pair begins in a tag section, and perhaps another game with it.
    #[inline]
    fn tag_in_section(&mut self, line_start: bool, after_blank: bool, ends: &mut Vec<GameEnd>) {
        let broken = std::mem::take(&mut self.broken);
        if line_start && (after_blank || broken) {
            let kind = EndKind::TagInSection { after_blank };
            ends.push(GameEnd::new(self.line, kind));
            self.brace = NO_BRACE;
        }
    }

    /// Whether the last word before a place in the bytes being fed is a result mark, a comment aside.
    fn is_after_result(&self, bytes: &[u8], at: usize) -> bool {
        let before = self.recent.before(bytes, at);
        if !before.ends_comment() {
            return before.ends_with_result();
        }
        match self.brace.checked_sub(self.fed) {
            _ if self.brace == NO_BRACE => false,
            Some(brace) => self.recent.before(bytes, brace as usize).ends_with_result(),
            None => self.before_brace.ends_with_result(),
        }
    }

    /// Whether the digit at `at` may begin the number of move 1 after the result of a game.
    fn may_be_first_number(&self, bytes: &[u8], at: usize) -> bool {
        bytes.get(at + 1).is_none_or(|&next| next == b'.') && self.is_after_result(bytes, at)
    }

    /// Ends the stream, and appends the end of its last game, if it has a game.
    pub fn finish(self, ends: &mut Vec<GameEnd>) {
        let unclosed_comment = match self.state {
            State::Bom(0) => return,
            State::Before | State::BeforeEscape if self.pending.is_none() => return,
            State::BeforeBom(_) => {
                // Cut off, it is a token, and a game of its own.
                ends.extend(self.pending.map(|at| GameEnd::new(at.0, EndKind::Movetext)));
                None
            }
            State::Comment
            | State::CommentLine { .. }
            | State::CommentSpace
            | State::CommentTag { .. }
            | State::CommentTagSpace => Some(Offset(self.brace)),
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
