//! Tokens of a game's text, and its faults.

use std::ops::Range;

use crate::chess::san::SanPlus;
use crate::pgn::values::result::ResultMark;

/// A range of bytes of a game's text, counted from 0 where the text begins.
///
/// Games are far below 4 GiB, so 32 bits are enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to but not including `end`.
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The range for indexing.
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of the range.
    #[inline]
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.range()]
    }
}

/// Kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A move.
    San(SanPlus),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A result mark, in the standard's spelling or with other dashes, or `½-½`.
    Result(ResultMark),
    /// A result in a spelling that only this program knows; nothing if it is none of the four.
    NonstandardResult(Option<ResultMark>),
    /// A word that cannot be read as a move.
    Unreadable,
}

/// A piece of movetext that matters to replay. Move numbers, comments and annotation glyphs are
/// left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// Its position.
    pub span: Span,
}

/// Something wrong with the text itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The position.
    pub span: Span,
}

/// Kind of a fault of a game's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// A line in brackets that is no tag pair, or not one of the standard's form.
    MalformedTag,
    /// A tag pair whose value has no closing quote.
    UnclosedTag,
    /// A quote inside a tag's value without a backslash before it; the span is the first of the
    /// value.
    UnescapedQuote,
    /// A word in the movetext that is neither move nor anything else known.
    UnreadableToken,
    /// A sign of annotation that is not in the PGN standard, such as `+-`; nothing depends on it.
    UnknownSymbol,
    /// A `{` that is never closed; the span is the brace.
    UnclosedComment,
    /// A line of a comment that looks like a tag pair; the span is `[` and the name.
    TagInComment,
    /// A `(` that is never closed; the span is the parenthesis.
    UnclosedVariation,
    /// A `)` that closes nothing.
    StrayParenthesis,
    /// A `}` that closes nothing.
    StrayBrace,
    /// A `}` that closes nothing because an inner `}` has ended its comment; words between the two
    /// are left out.
    NestedComment,
    /// A `{` inside a comment; the span is the first such brace of the comment.
    BraceInComment,
    /// A `$` without a number from 0 to 255.
    NagOutOfRange,
    /// A result mark directly after a move.
    GluedResult,
    /// A move or another result after the result mark.
    AfterResult,
    /// A blank line between two moves, or between a move and the result; the span is what follows
    /// it.
    BlankLine,
    /// A comment that stands alone before the tag pairs or after the result; the span is its first
    /// character.
    CommentAlone,
    /// More variations, stray words or tags than are kept of one game; the span is where the first
    /// is left out.
    TooLong,
    /// The two readers of movetext do not agree on the token. This is a defect of the program, and
    /// is reported rather than passed over.
    ReadersDisagree,
}

impl FaultKind {
    /// All kinds, in their order.
    pub(crate) const ALL: [FaultKind; 19] = [
        FaultKind::MalformedTag,
        FaultKind::UnclosedTag,
        FaultKind::UnescapedQuote,
        FaultKind::UnreadableToken,
        FaultKind::UnknownSymbol,
        FaultKind::UnclosedComment,
        FaultKind::TagInComment,
        FaultKind::UnclosedVariation,
        FaultKind::StrayParenthesis,
        FaultKind::StrayBrace,
        FaultKind::NestedComment,
        FaultKind::BraceInComment,
        FaultKind::NagOutOfRange,
        FaultKind::GluedResult,
        FaultKind::AfterResult,
        FaultKind::BlankLine,
        FaultKind::CommentAlone,
        FaultKind::TooLong,
        FaultKind::ReadersDisagree,
    ];
}

// Every kind has its place in an array by its number.
const _: () = assert!(FaultKind::ReadersDisagree as usize + 1 == FaultKind::ALL.len());
