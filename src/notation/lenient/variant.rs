//! The ways in which a move may be written otherwise.

/// One way in which a move may be written otherwise than the PGN standard's export format does (section 8.2.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum NotationVariant {
    /// The move gives check and is not marked.
    MissingCheckMark,
    /// The move mates and is not marked.
    MissingMateMark,
    /// `+` at a move that does not give check.
    SpuriousCheckMark,
    /// `#` at a move that does not even give check.
    SpuriousMateMark,
    /// `+` at a move that mates.
    CheckMarkForMate,
    /// `#` at a move that only gives check.
    MateMarkForCheck,
    /// A mark of check or mate other than `+` and `#`, or one that stands apart: `++`, `ch`, `mate`.
    OddCheckMark,
    /// The move captures and has no `x`.
    MissingCaptureMark,
    /// `x` at a move that captures nothing.
    SpuriousCaptureMark,
    /// Another mark of capture than `x`: `:`, `X`, `×`.
    OddCaptureMark,
    /// The file the piece comes from, where the piece is plain without it.
    NeedlessFile,
    /// The rank, likewise.
    NeedlessRank,
    /// The square the piece comes from, where less would do.
    NeedlessSquare,
    /// The rank the piece comes from, where the file would do and goes first.
    RankForFile,
    /// Long algebraic notation: `Ng1-f3`, `e2-e4`.
    LongAlgebraic,
    /// The notation of engines: `g1f3`, `e7e8q`.
    Uci,
    /// Castling with zeros.
    CastlingWithZeros,
    /// Castling with small letters, or with letters and zeros mixed.
    OddCastling,
    /// `P` for a pawn.
    PawnLetter,
    /// A promotion without `=`: `e8Q`, `e8(Q)`, `e8/Q`.
    PromotionWithoutEquals,
    /// A small letter for what a pawn becomes.
    LowerCasePromotion,
    /// A small letter for the piece.
    LowerCasePiece,
    /// A capital letter for a file.
    UpperCaseFile,
    /// `e.p.` behind a capture en passant.
    EnPassantMark,
    /// `e.p.` behind a move that is none.
    SpuriousEnPassantMark,
    /// A dash other than the hyphen.
    OddDash,
    /// A comma or another sign that is no part of a move, directly behind it.
    SignBehindMove,
    /// A mark of check or en passant in parentheses: `exd6(e.p.)`, `Qh5(+)`.
    MarkInParentheses,
}

impl NotationVariant {
    /// Every one, in the order of the declaration.
    pub const ALL: [NotationVariant; 28] = [
        NotationVariant::MissingCheckMark,
        NotationVariant::MissingMateMark,
        NotationVariant::SpuriousCheckMark,
        NotationVariant::SpuriousMateMark,
        NotationVariant::CheckMarkForMate,
        NotationVariant::MateMarkForCheck,
        NotationVariant::OddCheckMark,
        NotationVariant::MissingCaptureMark,
        NotationVariant::SpuriousCaptureMark,
        NotationVariant::OddCaptureMark,
        NotationVariant::NeedlessFile,
        NotationVariant::NeedlessRank,
        NotationVariant::NeedlessSquare,
        NotationVariant::RankForFile,
        NotationVariant::LongAlgebraic,
        NotationVariant::Uci,
        NotationVariant::CastlingWithZeros,
        NotationVariant::OddCastling,
        NotationVariant::PawnLetter,
        NotationVariant::PromotionWithoutEquals,
        NotationVariant::LowerCasePromotion,
        NotationVariant::LowerCasePiece,
        NotationVariant::UpperCaseFile,
        NotationVariant::EnPassantMark,
        NotationVariant::SpuriousEnPassantMark,
        NotationVariant::OddDash,
        NotationVariant::SignBehindMove,
        NotationVariant::MarkInParentheses,
    ];
}

/// A set of variants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct NotationVariants(u32);

impl NotationVariants {
    /// The standard is kept.
    pub const NONE: NotationVariants = NotationVariants(0);

    /// Whether the set has it.
    #[inline]
    pub fn has(self, variant: NotationVariant) -> bool {
        self.0 >> variant as u32 & 1 == 1
    }

    /// Whether the two have one in common.
    #[inline]
    pub fn meets(self, other: NotationVariants) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that both have.
    #[must_use]
    pub fn and(self, other: NotationVariants) -> NotationVariants {
        NotationVariants(self.0 & other.0)
    }

    /// Those that either has.
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

    /// Each, in the order of the declaration.
    pub fn iter(self) -> impl Iterator<Item = NotationVariant> {
        NotationVariant::ALL
            .into_iter()
            .filter(move |&one| self.has(one))
    }
}

impl FromIterator<NotationVariant> for NotationVariants {
    fn from_iter<T: IntoIterator<Item = NotationVariant>>(all: T) -> NotationVariants {
        let mut set = NotationVariants::NONE;
        for one in all {
            set.add(one);
        }
        set
    }
}
