//! The rule that each variant of notation breaks.

use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::notation::NotationVariant;

/// A deviation from standard notation.
pub(crate) struct Deviation {
    /// The rule.
    pub(crate) rule: &'static Rule,
    /// True for a slip at one move. Other variants are a style of the whole text.
    pub(crate) is_slip: bool,
    /// The fault in words that follow the move.
    pub(crate) fault: &'static str,
}

/// The deviation of each variant of notation.
pub(crate) fn deviation(variant: NotationVariant) -> Deviation {
    use NotationVariant as V;
    let slip = |rule, fault| Deviation {
        rule,
        is_slip: true,
        fault,
    };
    let style = |rule, fault| Deviation {
        rule,
        is_slip: false,
        fault,
    };
    match variant {
        V::MissingCheckMark => style(&codes::MISSING_CHECK_MARK, "gives check, but lacks `+`"),
        V::MissingMateMark => style(&codes::MISSING_MATE_MARK, "mates, but lacks `#`"),
        V::SpuriousCheckMark => slip(&codes::SPURIOUS_CHECK_MARK, "has `+`, but gives no check"),
        V::SpuriousMateMark => slip(&codes::SPURIOUS_MATE_MARK, "has `#`, but gives no check"),
        V::CheckMarkForMate => style(&codes::CHECK_MARK_FOR_MATE, "mates, but is marked with `+`"),
        V::MateMarkForCheck => slip(
            &codes::MATE_MARK_FOR_CHECK,
            "is marked with `#`, but the check can be answered",
        ),
        V::OddCheckMark => style(
            &codes::OTHER_CHECK_MARK,
            "marks check other than with `+` or `#` at the move",
        ),
        V::MissingCaptureMark => style(&codes::MISSING_CAPTURE_MARK, "captures, but lacks `x`"),
        V::SpuriousCaptureMark => slip(
            &codes::SPURIOUS_CAPTURE_MARK,
            "has `x`, but captures nothing",
        ),
        V::OddCaptureMark => style(
            &codes::OTHER_CAPTURE_MARK,
            "marks the capture other than with `x`",
        ),
        V::NeedlessFile => style(&codes::NEEDLESS_FILE, "has a needless file of origin"),
        V::NeedlessRank => style(&codes::NEEDLESS_RANK, "has a needless rank of origin"),
        V::NeedlessSquare => style(&codes::NEEDLESS_SQUARE, "has a needless square of origin"),
        V::RankForFile => style(
            &codes::RANK_FOR_FILE,
            "has a rank of origin where the file suffices",
        ),
        V::LongAlgebraic => style(&codes::LONG_ALGEBRAIC, "is long algebraic notation"),
        V::Uci => style(&codes::UCI_NOTATION, "is UCI notation"),
        V::CastlingWithZeros => style(&codes::CASTLING_WITH_ZEROS, "is castling with zeros"),
        V::OddCastling => style(
            &codes::OTHER_CASTLING,
            "is castling with characters other than `O`",
        ),
        V::PawnLetter => style(&codes::PAWN_LETTER, "has a letter for the pawn"),
        V::PromotionWithoutEquals => style(
            &codes::PROMOTION_WITHOUT_EQUALS,
            "is a promotion without `=`",
        ),
        V::LowerCasePromotion => style(
            &codes::LOWER_CASE_PROMOTION,
            "has a lower-case promotion letter",
        ),
        V::LowerCasePiece => style(&codes::LOWER_CASE_PIECE, "has a lower-case piece letter"),
        V::UpperCaseFile => style(&codes::UPPER_CASE_FILE, "has an upper-case file letter"),
        V::EnPassantMark => style(&codes::EN_PASSANT_MARK, "marks a capture en passant"),
        V::SpuriousEnPassantMark => slip(
            &codes::SPURIOUS_EN_PASSANT_MARK,
            "marks a capture en passant, but is not one",
        ),
        V::OddDash => style(&codes::OTHER_DASH, "has a dash other than the hyphen"),
        V::SignBehindMove => style(
            &codes::SIGN_BEHIND_MOVE,
            "ends with a character that is not part of a move",
        ),
        V::MarkInParentheses => style(&codes::MARK_IN_PARENTHESES, "has a mark in parentheses"),
        V::PawnOrBishop => slip(
            &codes::PAWN_OR_BISHOP,
            "is read as a pawn move, and may be a bishop's",
        ),
    }
}
