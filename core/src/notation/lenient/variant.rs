//! Deviations of a move from export format.

use strum::VariantArray;

/// Deviation of a move from the export format of the PGN standard (section 8.2.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, VariantArray)]
#[repr(u8)]
pub enum NotationVariant {
    /// The move gives check and has no `+`.
    MissingCheckMark,
    /// The move mates and has no `#`.
    MissingMateMark,
    /// `+` without check.
    SpuriousCheckMark,
    /// `#` without check.
    SpuriousMateMark,
    /// `+` for mate.
    CheckMarkForMate,
    /// `#` for check.
    MateMarkForCheck,
    /// Check mark other than `+` and `#`, or separated from the move: `++`, `ch`, `mate`.
    OddCheckMark,
    /// Capture without `x`.
    MissingCaptureMark,
    /// `x` without capture.
    SpuriousCaptureMark,
    /// Capture mark other than `x`: `:`, `X`, `×`.
    OddCaptureMark,
    /// Needless file of the origin.
    NeedlessFile,
    /// Needless rank of the origin.
    NeedlessRank,
    /// Origin square where file or rank suffice.
    NeedlessSquare,
    /// Rank of the origin where the file suffices, which is preferred.
    RankForFile,
    /// Long algebraic notation: `Ng1-f3`, `e2-e4`.
    LongAlgebraic,
    /// UCI notation: `g1f3`, `e7e8q`.
    Uci,
    /// Castling with zeros.
    CastlingWithZeros,
    /// Castling with lower-case letters, or with letters and zeros mixed.
    OddCastling,
    /// `P` for a pawn.
    PawnLetter,
    /// Promotion without `=`: `e8Q`, `e8(Q)`, `e8/Q`.
    PromotionWithoutEquals,
    /// Lower-case letter of a promotion.
    LowerCasePromotion,
    /// Lower-case letter of a piece.
    LowerCasePiece,
    /// Upper-case letter of a file.
    UpperCaseFile,
    /// `e.p.` after an en passant capture.
    EnPassantMark,
    /// `e.p.` after any other move.
    SpuriousEnPassantMark,
    /// Dash other than the hyphen.
    OddDash,
    /// Comma or another stray character right after the move.
    SignBehindMove,
    /// Mark of check or en passant in parentheses: `exd6(e.p.)`, `Qh5(+)`.
    MarkInParentheses,
    /// Move of the b-pawn that may be a bishop's: `bb3`, `bc3`.
    PawnOrBishop,
}

impl NotationVariant {
    /// All deviations, in order of declaration.
    pub const ALL: &[NotationVariant] = NotationVariant::VARIANTS;
}

/// Set of deviations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct NotationVariants(u32);

impl NotationVariants {
    /// No deviation.
    pub(crate) const NONE: NotationVariants = NotationVariants(0);

    /// Whether the set has a deviation.
    #[inline]
    pub fn has(self, variant: NotationVariant) -> bool {
        self.0 >> variant as u32 & 1 == 1
    }

    /// Intersection.
    #[must_use]
    pub(crate) fn and(self, other: NotationVariants) -> NotationVariants {
        NotationVariants(self.0 & other.0)
    }

    /// Union.
    #[must_use]
    pub(crate) fn or(self, other: NotationVariants) -> NotationVariants {
        NotationVariants(self.0 | other.0)
    }

    pub(crate) fn add(&mut self, variant: NotationVariant) {
        self.0 |= 1 << variant as u32;
    }

    pub(crate) fn add_if(&mut self, condition: bool, variant: NotationVariant) {
        self.0 |= u32::from(condition) << variant as u32;
    }

    pub(crate) fn without(self, variant: NotationVariant) -> NotationVariants {
        NotationVariants(self.0 & !(1 << variant as u32))
    }

    /// Deviations of the set, in order of declaration.
    pub fn iter(self) -> impl Iterator<Item = NotationVariant> {
        let all = NotationVariant::ALL.iter().copied();
        all.filter(move |&one| self.has(one))
    }
}

impl FromIterator<NotationVariant> for NotationVariants {
    fn from_iter<T: IntoIterator<Item = NotationVariant>>(all: T) -> NotationVariants {
        let mut set = NotationVariants::NONE;
        all.into_iter().for_each(|one| set.add(one));
        set
    }
}
