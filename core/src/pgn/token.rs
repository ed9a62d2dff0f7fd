//! Tokens of a game's text, and its faults.

use std::ops::Range;

use strum::VariantArray;

use crate::chess::san::SanPlus;
use crate::pgn::values::result::ResultMark;

/// Byte range in a game's text. Games are far below 4 GiB, so 32 bits are enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Range from `start` to `end`, exclusive.
    #[inline]
    pub fn new(start: usize, end: usize) -> Span {
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
    /// A PGN result, also with other dashes or as `½-½`.
    Result(ResultMark),
    /// A result in another spelling; `None` if it is not one of the four.
    NonstandardResult(Option<ResultMark>),
    /// A word that cannot be read as a move.
    Unreadable,
}

/// Token of the movetext. Move numbers, comments and NAGs have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// Its position.
    pub span: Span,
}

/// Fault of a game's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The position.
    pub span: Span,
}

/// Kind of a fault of a game's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub enum FaultKind {
    /// A line in brackets that is not a tag pair in the standard's form.
    MalformedTag,
    /// A tag pair whose value has no closing quote.
    UnclosedTag,
    /// A quote in a tag's value that is not escaped; the span is the first of them.
    UnescapedQuote,
    /// A word in the movetext that cannot be read.
    UnreadableToken,
    /// An annotation symbol that is not in the PGN standard, such as `+-`; it is ignored.
    UnknownSymbol,
    /// A word for a draw with moves after it; it is ignored.
    DrawOffer,
    /// A blank outside ASCII in the movetext; it is read as a space.
    WideBlank,
    /// Text beside a tag pair that is no comment, or the `>` of a quoted line; it is ignored.
    StrayText,
    /// A `{` that is never closed; the span is the brace.
    UnclosedComment,
    /// A line of a comment that looks like a tag pair; the span is `[` and the name.
    TagInComment,
    /// A `(` that is never closed; the span is the parenthesis.
    UnclosedVariation,
    /// A `)` without a `(`.
    StrayParenthesis,
    /// A `}` without a `{`.
    StrayBrace,
    /// A `}` after an inner `}` has closed its comment; words between the two are skipped.
    NestedComment,
    /// A `{` inside a comment; the span is the first such brace of the comment.
    BraceInComment,
    /// A NAG outside 0–255.
    NagOutOfRange,
    /// A result mark directly after a move.
    GluedResult,
    /// A move or another result after the result mark.
    AfterResult,
    /// A blank line between two moves, or between a move and the result; the span is the token
    /// after it.
    BlankLine,
    /// A comment before the tag pairs or after the result; the span is its first character.
    CommentAlone,
    /// More variations, stray words or tags than are kept of one game; the span is the first one
    /// dropped.
    TooLong,
}

impl FaultKind {
    /// All kinds, in order.
    pub(crate) const ALL: &[FaultKind] = FaultKind::VARIANTS;
}
