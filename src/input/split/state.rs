//! States of the splitter.

use crate::text::TagLine;

/// State of the splitter between two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// At the beginning of the text, after this number of bytes of a byte order mark.
    Bom(u8),
    /// Before the first tag or move of a game.
    Before,
    /// Before a game, after this number of bytes of a byte order mark.
    BeforeBom(u8),
    /// In a `%` line before a game.
    BeforeEscape,
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
    /// Between tags. `may_close` is set after a tag value or a broken tag pair, `line_start` while
    /// the line is blank (a `%` counts there), `after_blank` if the line before was.
    Between {
        may_close: bool,
        line_start: bool,
        after_blank: bool,
    },
    /// In a `%` line between tags.
    BetweenEscape,
    /// In movetext.
    Movetext,
    /// In movetext, directly after `\n`.
    LineStart,
    /// In movetext, directly after `\n\r`.
    LineStartCr,
    /// In movetext, at the start of a line, after this number of bytes of a byte order mark.
    LineStartBom(u8),
    /// In movetext, on a line that is blank so far.
    Indent,
    /// In movetext, after a `1` that starts a line after a result mark. `point` is set after `1.`.
    FirstNumber { point: bool },
    /// In movetext, in a possible tag pair.
    TagInLine(TagStart),
    /// In a comment to the end of the line, or in a `%` line.
    RestOfLine,
    /// After `{`.
    Comment,
    /// In a comment, directly after `\n`. `after_blank` is set if the line before was blank.
    CommentLine { after_blank: bool },
    /// In a comment, on a line that is blank so far.
    CommentSpace,
    /// In a comment, in a possible tag pair at the start of a line.
    CommentTag(TagStart),
}

impl State {
    /// At the start of a line between tags, after a line that is not blank.
    pub(crate) const LINE_BETWEEN: State = State::Between {
        may_close: false,
        line_start: true,
        after_blank: false,
    };

    /// After the bracket that closes a tag pair.
    pub(crate) const AFTER_BRACKET: State = State::Between {
        may_close: false,
        line_start: false,
        after_blank: false,
    };

    /// Before the bracket that may close a tag pair, on its line or at the start of the next.
    pub(crate) const fn before_bracket(line_start: bool) -> State {
        State::Between {
            may_close: true,
            line_start,
            after_blank: false,
        }
    }
}

/// Kind of movetext on a line that may be a tag pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movetext {
    Plain,
    Comment,
    RestOfLine,
}

/// Beginning of a possible tag pair in movetext or a comment, up to the quote that opens its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagStart {
    /// Length of the name so far, saturating.
    length: u8,
    /// Whether blanks follow the name.
    named: bool,
    /// Whether any name is accepted. If not, it must be `Event`.
    any_name: bool,
}

impl TagStart {
    /// Creates the state after `[`.
    pub(crate) fn new(any_name: bool) -> TagStart {
        TagStart {
            length: 0,
            named: false,
            any_name,
        }
    }

    /// Whether the next byte shows that this is a tag pair. `None` if it is undecided.
    pub(crate) fn feed(self, byte: u8) -> Option<bool> {
        let is_whole = match self.any_name {
            true => self.length > 0,
            false => self.length == 5,
        };
        match byte {
            b'"' => Some(self.named && is_whole),
            b' ' | b'\t' if is_whole => None,
            _ if self.named => Some(false),
            _ if self.any_name => (!byte.is_ascii_alphanumeric() && byte != b'_').then_some(false),
            _ => (b"Event".get(usize::from(self.length)) != Some(&byte)).then_some(false),
        }
    }

    /// State after a byte that left it undecided.
    pub(crate) fn after(self, byte: u8) -> TagStart {
        let named = self.named || byte == b' ' || byte == b'\t';
        TagStart {
            length: self.length.saturating_add(u8::from(!named)),
            named,
            ..self
        }
    }
}
