//! The ways in which a move may be written otherwise.

/// One way in which a move may be written otherwise than the PGN standard's export format does (section 8.2.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Deviation {
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

impl Deviation {
    /// Every one, in the order of the declaration.
    pub const ALL: [Deviation; 28] = [
        Deviation::MissingCheckMark,
        Deviation::MissingMateMark,
        Deviation::SpuriousCheckMark,
        Deviation::SpuriousMateMark,
        Deviation::CheckMarkForMate,
        Deviation::MateMarkForCheck,
        Deviation::OddCheckMark,
        Deviation::MissingCaptureMark,
        Deviation::SpuriousCaptureMark,
        Deviation::OddCaptureMark,
        Deviation::NeedlessFile,
        Deviation::NeedlessRank,
        Deviation::NeedlessSquare,
        Deviation::RankForFile,
        Deviation::LongAlgebraic,
        Deviation::Uci,
        Deviation::CastlingWithZeros,
        Deviation::OddCastling,
        Deviation::PawnLetter,
        Deviation::PromotionWithoutEquals,
        Deviation::LowerCasePromotion,
        Deviation::LowerCasePiece,
        Deviation::UpperCaseFile,
        Deviation::EnPassantMark,
        Deviation::SpuriousEnPassantMark,
        Deviation::OddDash,
        Deviation::SignBehindMove,
        Deviation::MarkInParentheses,
    ];
}

/// A set of deviations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Deviations(u32);

impl Deviations {
    /// The standard is kept.
    pub const NONE: Deviations = Deviations(0);

    /// Whether the set has it.
    #[inline]
    pub fn has(self, deviation: Deviation) -> bool {
        self.0 >> deviation as u32 & 1 == 1
    }

    /// Whether the two have one in common.
    #[inline]
    pub fn meets(self, other: Deviations) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that both have.
    #[must_use]
    pub fn and(self, other: Deviations) -> Deviations {
        Deviations(self.0 & other.0)
    }

    /// Those that either has.
    #[must_use]
    pub(crate) fn or(self, other: Deviations) -> Deviations {
        Deviations(self.0 | other.0)
    }

    pub(crate) fn add(&mut self, deviation: Deviation) {
        self.0 |= 1 << deviation as u32;
    }

    pub(crate) fn add_if(&mut self, condition: bool, deviation: Deviation) {
        self.0 |= u32::from(condition) << deviation as u32;
    }

    pub(crate) fn without(self, deviation: Deviation) -> Deviations {
        Deviations(self.0 & !(1 << deviation as u32))
    }

    /// Each, in the order of the declaration.
    pub fn iter(self) -> impl Iterator<Item = Deviation> {
        Deviation::ALL.into_iter().filter(move |&one| self.has(one))
    }
}

impl FromIterator<Deviation> for Deviations {
    fn from_iter<T: IntoIterator<Item = Deviation>>(all: T) -> Deviations {
        let mut set = Deviations::NONE;
        for one in all {
            set.add(one);
        }
        set
    }
}
