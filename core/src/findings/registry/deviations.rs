//! The rule that each variant of notation breaks.

use crate::findings::registry as codes;
use crate::findings::registry::Rule;
use crate::notation::NotationVariant;

/// Whether a variant is a slip at one move. The others are a style of the whole text.
pub(crate) fn is_slip(variant: NotationVariant) -> bool {
    use NotationVariant as V;
    matches!(
        variant,
        V::SpuriousCheckMark
            | V::SpuriousMateMark
            | V::MateMarkForCheck
            | V::SpuriousCaptureMark
            | V::SpuriousEnPassantMark
            | V::PawnOrBishop
    )
}

/// The rule that a variant of notation breaks, and the fault in words that follow the move.
pub(crate) fn deviation(variant: NotationVariant) -> (&'static Rule, &'static str) {
    use NotationVariant as V;
    match variant {
        V::MissingCheckMark => (&codes::MISSING_CHECK_MARK, "gives check, but lacks `+`"),
        V::MissingMateMark => (&codes::MISSING_MATE_MARK, "mates, but lacks `#`"),
        V::SpuriousCheckMark => (&codes::SPURIOUS_CHECK_MARK, "has `+`, but gives no check"),
        V::SpuriousMateMark => (&codes::SPURIOUS_MATE_MARK, "has `#`, but gives no check"),
        V::CheckMarkForMate => (&codes::CHECK_MARK_FOR_MATE, "mates, but is marked with `+`"),
        V::MateMarkForCheck => (
            &codes::MATE_MARK_FOR_CHECK,
            "is marked with `#`, but the check can be answered",
        ),
        V::OddCheckMark => (
            &codes::OTHER_CHECK_MARK,
            "marks check other than with `+` or `#` at the move",
        ),
        V::MissingCaptureMark => (&codes::MISSING_CAPTURE_MARK, "captures, but lacks `x`"),
        V::SpuriousCaptureMark => (
            &codes::SPURIOUS_CAPTURE_MARK,
            "has `x`, but captures nothing",
        ),
        V::OddCaptureMark => (
            &codes::OTHER_CAPTURE_MARK,
            "marks the capture other than with `x`",
        ),
        V::NeedlessFile => (&codes::NEEDLESS_FILE, "has a needless file of origin"),
        V::NeedlessRank => (&codes::NEEDLESS_RANK, "has a needless rank of origin"),
        V::NeedlessSquare => (&codes::NEEDLESS_SQUARE, "has a needless square of origin"),
        V::RankForFile => (
            &codes::RANK_FOR_FILE,
            "has a rank of origin where the file suffices",
        ),
        V::LongAlgebraic => (&codes::LONG_ALGEBRAIC, "is long algebraic notation"),
        V::Uci => (&codes::UCI_NOTATION, "is UCI notation"),
        V::CastlingWithZeros => (&codes::CASTLING_WITH_ZEROS, "is castling with zeros"),
        V::OddCastling => (
            &codes::OTHER_CASTLING,
            "is castling with characters other than `O`",
        ),
        V::PawnLetter => (&codes::PAWN_LETTER, "has a letter for the pawn"),
        V::PromotionWithoutEquals => (
            &codes::PROMOTION_WITHOUT_EQUALS,
            "is a promotion without `=`",
        ),
        V::LowerCasePromotion => (
            &codes::LOWER_CASE_PROMOTION,
            "has a lower-case promotion letter",
        ),
        V::LowerCasePiece => (&codes::LOWER_CASE_PIECE, "has a lower-case piece letter"),
        V::UpperCaseFile => (&codes::UPPER_CASE_FILE, "has an upper-case file letter"),
        V::EnPassantMark => (&codes::EN_PASSANT_MARK, "marks a capture en passant"),
        V::SpuriousEnPassantMark => (
            &codes::SPURIOUS_EN_PASSANT_MARK,
            "marks a capture en passant, but is not one",
        ),
        V::OddDash => (&codes::OTHER_DASH, "has a dash other than the hyphen"),
        V::SignBehindMove => (
            &codes::SIGN_BEHIND_MOVE,
            "ends with a character that is not part of a move",
        ),
        V::MarkInParentheses => (&codes::MARK_IN_PARENTHESES, "has a mark in parentheses"),
        V::PawnOrBishop => (
            &codes::PAWN_OR_BISHOP,
            "is read as a pawn move, and may be a bishop's",
        ),
    }
}
