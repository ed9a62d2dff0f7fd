//! Where a splitter stands in a text.

use crate::text::TagLine;

/// What has been read of the text, as far as it matters for what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// So many bytes of a byte order mark have been seen, and nothing else.
    Bom(u8),
    /// Before the first tag or move of a game.
    Before,
    /// There, behind so many bytes of a byte order mark.
    BeforeBom(u8),
    /// In a `%` line before a game.
    BeforeEscape,
    /// Behind `[`.
    Tag,
    /// Behind the quote that opens a tag's value.
    Value,
    /// Behind a backslash in a tag's value.
    ValueEscape,
    /// Behind a tag's value, `]` not seen.
    Quoted,
    /// There, where something else than `]` follows: the value goes on, or else this is movetext.
    Doubtful { line: TagLine, otherwise: Movetext },
    /// Where a tag pair has been or should have been, and a closing bracket may follow; on the next line already, or not.
    Ket { line_start: bool },
    /// Between tags; on a line of its own, where `%` counts, or not; and whether a line before it was blank.
    Between { line_start: bool, after_blank: bool },
    /// In a `%` line between tags.
    BetweenEscape,
    /// In movetext.
    Movetext,
    /// In movetext, directly behind `\n`.
    LineStart,
    /// In movetext, directly behind `\n\r`.
    LineStartCr,
    /// In movetext, at the beginning of a line, behind so many bytes of a byte order mark.
    LineStartBom(u8),
    /// In movetext, on a line that is blank so far.
    Indent,
    /// In movetext, after a `1` that begins a line after a result mark, and a point or not.
    FirstNumber { point: bool },
    /// In movetext, in what may be a tag pair.
    TagInLine(TagStart),
    /// In a comment to the end of the line, or a `%` line.
    RestOfLine,
    /// Behind `{`.
    Comment,
    /// In a comment, directly behind `\n`; the line before was blank or not.
    CommentLine { after_blank: bool },
    /// In a comment, on a line that is blank so far.
    CommentSpace,
    /// In a comment, behind `[` at the beginning of a line and so many characters of a name.
    CommentTag { name: u8, kind: TagKind },
    /// In a comment, behind what may be a tag's name and the white space that follows it.
    CommentTagSpace,
}

impl State {
    /// At the beginning of a line between tags, behind a line that is not blank.
    pub const LINE_BETWEEN: State = State::Between {
        line_start: true,
        after_blank: false,
    };
}

/// What a line is if it is movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movetext {
    Plain,
    Comment,
    RestOfLine,
}

/// What is known of what may be a tag pair in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagKind {
    /// It follows a blank line: any name will do.
    AfterBlank,
    /// It does not, and its name so far is the beginning of `Event`.
    Event,
}

/// The beginning of what may be a tag pair in movetext, up to the quote that opens its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagStart {
    /// How many characters the name has so far, as far as they can be counted.
    length: u8,
    /// Whether blanks follow the name.
    named: bool,
    /// Whether any name will do; otherwise it must be `Event`.
    any_name: bool,
}

impl TagStart {
    /// After the `[`.
    pub(crate) fn new(any_name: bool) -> TagStart {
        TagStart {
            length: 0,
            named: false,
            any_name,
        }
    }

    /// Whether the next byte shows that this is a tag pair, or that it is none.
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

    /// After a byte that has not decided it.
    pub(crate) fn after(self, byte: u8) -> TagStart {
        let named = self.named || byte == b' ' || byte == b'\t';
        TagStart {
            length: self.length.saturating_add(u8::from(!named)),
            named,
            ..self
        }
    }
}
