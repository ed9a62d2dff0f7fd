//! States of the splitter.

use crate::text::{TagLine, is_name_byte};

/// State of the splitter between two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Before the first tag or move of a game.
    Before,
    /// In a `%` line before a game.
    BeforeEscape,
    /// After these bytes of a blank outside ASCII or a byte order mark, 0 for none.
    OddBlank { after: BlankPlace, seen: [u8; 2] },
    /// After `[`.
    Tag,
    /// After the quote that opens a tag value.
    Value,
    /// After a backslash in a tag value.
    ValueEscape,
    /// After a tag value, before `]`.
    Quoted,
    /// After a tag value followed by something other than `]`. Either the value continues, or this
    /// is movetext in the state `otherwise`.
    Doubtful { line: TagLine, otherwise: Movetext },
    /// Between tags.
    Between(Between),
    /// In a `%` line or a comment to the end of the line, between tags.
    BetweenEscape,
    /// After `{` between tags.
    SectionComment,
    /// In movetext.
    Movetext,
    /// In movetext, directly after `\n`.
    LineStart,
    /// In movetext, directly after `\n\r`.
    LineStartCr,
    /// In movetext, on a line that is blank so far.
    Indent,
    /// In movetext, after a `1` that starts a line after a result mark. `point` is set after `1.`.
    FirstNumber { point: bool },
    /// In a possible tag pair, before a game or in movetext.
    TagStart(TagStart),
    /// In a comment to the end of the line, or in a `%` line.
    RestOfLine,
    /// After `{`.
    Comment,
    /// In a comment, directly after `\n`. `after_blank` is set if the line before was blank.
    CommentLine { after_blank: bool },
    /// In a comment, on a line that is blank so far.
    CommentSpace,
    /// In a comment, in a possible tag pair.
    CommentTag(TagStart),
    /// In a comment, after the quote that opens the value of an `Event` tag pair. It begins a game
    /// if the line ends with a bracket, and the next begins with one. `closed` is set after one.
    CommentEvent { closed: bool },
    /// After the line of such a tag pair.
    CommentEventLine,
}

/// Position of a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlankPlace {
    Before,
    Between(Between),
    /// In movetext, on a line that is blank so far.
    Indent,
}

impl BlankPlace {
    /// State after the blank.
    pub(crate) fn state(self) -> State {
        match self {
            BlankPlace::Before => State::Before,
            BlankPlace::Between(between) => State::Between(between),
            BlankPlace::Indent => State::Indent,
        }
    }
}

/// Position between two tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Between {
    /// Whether a tag value or a broken tag pair precedes.
    pub(crate) may_close: bool,
    /// Whether the line is blank so far.
    pub(crate) line_start: bool,
    /// Whether the line before was blank.
    pub(crate) after_blank: bool,
}

impl State {
    /// At the start of a line between tags, after a line that is not blank.
    pub(crate) const LINE_BETWEEN: State = State::Between(Between {
        may_close: false,
        line_start: true,
        after_blank: false,
    });

    /// After the bracket that closes a tag pair, or a comment after it.
    pub(crate) const AFTER_BRACKET: State = State::Between(Between {
        may_close: false,
        line_start: false,
        after_blank: false,
    });

    /// Before the bracket that may close a tag pair, on its line or at the start of the next.
    pub(crate) const fn before_bracket(line_start: bool) -> State {
        State::Between(Between {
            may_close: true,
            line_start,
            after_blank: false,
        })
    }
}

/// Kind of movetext on a line that may be a tag pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movetext {
    Plain,
    Comment,
    RestOfLine,
}

/// Beginning of a possible tag pair, up to the quote that opens its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagStart {
    pub(crate) place: TagPlace,
    /// Whether it follows a result mark or, in a comment, a blank line.
    pub(crate) is_due: bool,
    /// Whether the name has begun.
    has_name: bool,
    /// Whether blanks follow the name.
    named: bool,
}

/// Position of a possible tag pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagPlace {
    /// Before a game.
    Before,
    /// At the start of a line of movetext.
    Line,
    /// At the start of a line of a comment.
    CommentLine,
    /// After other text of its line, or blanks.
    Word,
    /// Directly after other text, without a blank.
    Glued,
}

impl TagStart {
    /// Creates the state after `[`.
    pub(crate) fn new(place: TagPlace, is_due: bool) -> TagStart {
        TagStart {
            place,
            is_due,
            has_name: false,
            named: false,
        }
    }

    /// Whether the next byte shows that this is a tag pair. `None` if it is undecided.
    pub(crate) fn feed(self, byte: u8) -> Option<bool> {
        let is_line = matches!(self.place, TagPlace::Before | TagPlace::Line);
        match byte {
            b'"' => Some(self.has_name && (self.named || is_line)),
            b' ' | b'\t' => (!self.has_name && !is_line).then_some(false),
            _ => (self.named || !is_name_byte(byte)).then_some(false),
        }
    }

    /// State after a byte that left it undecided.
    pub(crate) fn after(self, byte: u8) -> TagStart {
        let is_name = is_name_byte(byte);
        TagStart {
            has_name: self.has_name || is_name,
            named: self.has_name && !is_name,
            ..self
        }
    }
}

/// Tags of the current section by which the next game may begin without a blank line, and the text
/// after them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Section {
    /// Key of the first name; 0 before it.
    pub(crate) first: u64,
    /// Whether an `Event` tag follows another.
    pub(crate) has_event: bool,
    /// Whether the splitter has already reported the current tag pair as a possible beginning.
    pub(crate) is_reported: bool,
    /// Offset of the text after the last tag pair, unless a blank line precedes it.
    pub(crate) words: Option<u64>,
}

impl Section {
    /// Maximum length of a name with the blanks around it, in bytes.
    pub(crate) const LONGEST_NAME: usize = 30;

    const EVENT: u64 = u64::from_le_bytes(*b"Event \0\0");

    /// Adds a tag by the text between its bracket and its quote. Returns whether it may begin
    /// another section: it repeats the first tag, or `Event`.
    #[inline(always)]
    pub(crate) fn repeats(&mut self, name: &[u8]) -> bool {
        let is_other = name
            .first_chunk()
            .is_some_and(|&begin| !self.may_repeat(begin));
        if is_other || name.len() > Section::LONGEST_NAME {
            return false;
        }
        self.repeats_name(name)
    }

    /// Whether a name that begins like this may be the first of the section, or `Event`.
    #[inline(always)]
    fn may_repeat(&self, begin: [u8; 2]) -> bool {
        let begin = u64::from(u16::from_le_bytes(begin));
        self.first == 0 || [self.first & 0xffff, Section::EVENT & 0xffff].contains(&begin)
    }

    /// As [`Section::repeats`], for a name that may. Not inlined: few names need it.
    #[inline(never)]
    fn repeats_name(&mut self, name: &[u8]) -> bool {
        let key = key_of(name);
        if self.first == 0 {
            self.first = key;
            return false;
        }
        if key == Section::EVENT && key != self.first {
            return std::mem::replace(&mut self.has_event, true);
        }
        key == self.first
    }
}

/// First six bytes of a name and the blank after it.
fn key_of(name: &[u8]) -> u64 {
    match name.first_chunk::<6>() {
        Some(&[a, b, c, d, e, f]) => u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
        None => {
            let mut bytes = [0; 8];
            bytes[..name.len()].copy_from_slice(name);
            u64::from_le_bytes(bytes)
        }
    }
}
