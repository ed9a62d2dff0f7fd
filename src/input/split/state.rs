//! Where a splitter stands in a text.

use crate::input::tag_line::TagLine;

/// What has been read of the text, as far as it matters for what comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
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
    /// Between tags, behind a blank line, `[` and so many letters of `Event`.
    BetweenEvent { name: u8 },
    /// There, behind `[Event` and white space.
    BetweenEventSpace,
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
pub(super) enum Movetext {
    Plain,
    Comment,
    RestOfLine,
}

/// What is known of what may be a tag pair in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    /// It follows a blank line: any name will do.
    AfterBlank,
    /// It does not, and its name so far is the beginning of `Event`.
    Event,
}
