//! Sets of pieces with which a game ends, or with which time cannot be won.

use std::fmt;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};

/// A set of pieces that are too few for the game to go on. Mate is not considered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MaterialSet {
    /// None is listed.
    None,
    /// K v K, K+B v K, K+N v K.
    LoneMinor,
    /// The same, and K+B v K+B with both bishops on squares of one colour.
    LoneMinorOrBishopEach,
    /// K+N v K+B.
    KnightAgainstBishop,
    /// K v K, K+N v K, and kings with bishops all on squares of one colour: exactly the material
    /// with which no position can be won.
    Exact,
    /// Each side has at most one bishop or knight.
    OneMinorEach,
    /// The same, and K+N+N v K.
    OneMinorEachOrTwoKnights,
}

/// Which pieces are too few to win with when the opponent's time is up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TooLittle {
    /// Exactly the material with which no position can be won: a bare king; one knight against
    /// queens or nothing; bishops of one square colour against neither another bishop nor knight
    /// nor pawn.
    Exact,
    /// A bare king, K+B, K+N.
    LoneMinor,
    /// The same, and K+N+N against a bare king.
    LoneMinorOrTwoKnightsAgainstKing,
    /// As [`TooLittle::LoneMinor`], and K+N+N if the opponent has no pawn.
    LoneMinorOrTwoKnightsWithoutPawns,
}

/// How many pieces of each kind a side has.
struct Men {
    pawns: usize,
    knights: usize,
    bishops: usize,
    rooks: usize,
    queens: usize,
}

impl Men {
    fn of(board: &Board, color: Color) -> Men {
        let count = |role| board.of(color, role).count();
        Men {
            pawns: count(Role::Pawn),
            knights: count(Role::Knight),
            bishops: count(Role::Bishop),
            rooks: count(Role::Rook),
            queens: count(Role::Queen),
        }
    }

    fn has_pawn_rook_or_queen(&self) -> bool {
        self.pawns + self.rooks + self.queens > 0
    }

    fn minors(&self) -> usize {
        self.knights + self.bishops
    }

    fn is_bare(&self) -> bool {
        !self.has_pawn_rook_or_queen() && self.minors() == 0
    }

    fn is_lone_minor_at_most(&self) -> bool {
        !self.has_pawn_rook_or_queen() && self.minors() <= 1
    }

    fn is_two_knights(&self) -> bool {
        !self.has_pawn_rook_or_queen() && self.bishops == 0 && self.knights == 2
    }
}

/// Whether all bishops, of both sides, stand on squares of one colour.
fn bishops_on_one_colour(board: &Board) -> bool {
    let bishops = board.role(Role::Bishop);
    (bishops & Bitboard::LIGHT_SQUARES).is_empty()
        || bishops.without(Bitboard::LIGHT_SQUARES).is_empty()
}

/// Amount of a side's material that is too little: a bare king, a bishop or knight, more.
pub(crate) fn amount(board: &Board, side: Color) -> usize {
    let men = Men::of(board, side);
    match (men.is_bare(), men.is_lone_minor_at_most()) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

/// Amount of both sides' material.
pub(crate) fn amount_on(board: &Board) -> usize {
    let both = Color::ALL.map(|side| amount(board, side));
    (both[0] + both[1]).min(2)
}

impl MaterialSet {
    /// Whether there is nothing on a board but kings, bishops and knights.
    pub(crate) fn has_only_minors(board: &Board) -> bool {
        (board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen)).is_empty()
    }

    /// Whether the pieces on a board are of the set.
    pub fn holds(self, board: &Board) -> bool {
        if self == MaterialSet::None || !MaterialSet::has_only_minors(board) {
            return false;
        }
        let [white, black] = Color::ALL.map(|color| Men::of(board, color));
        let minors = white.minors() + black.minors();
        match self {
            MaterialSet::None => false,
            MaterialSet::LoneMinor => minors <= 1,
            MaterialSet::LoneMinorOrBishopEach => {
                minors <= 1
                    || white.bishops == 1
                        && black.bishops == 1
                        && minors == 2
                        && bishops_on_one_colour(board)
            }
            MaterialSet::KnightAgainstBishop => {
                white.minors() == 1 && black.minors() == 1 && white.knights != black.knights
            }
            MaterialSet::Exact => {
                minors <= 1 || white.knights + black.knights == 0 && bishops_on_one_colour(board)
            }
            MaterialSet::OneMinorEach => white.minors() <= 1 && black.minors() <= 1,
            MaterialSet::OneMinorEachOrTwoKnights => {
                white.minors() <= 1 && black.minors() <= 1
                    || white.is_two_knights() && black.is_bare()
                    || black.is_two_knights() && white.is_bare()
            }
        }
    }
}

impl TooLittle {
    /// Whether a side's pieces, against those of the other, are too few to win.
    pub fn holds(self, board: &Board, side: Color) -> bool {
        let ours = Men::of(board, side);
        if ours.has_pawn_rook_or_queen() {
            return false;
        }
        let theirs = Men::of(board, !side);
        let lone = ours.is_lone_minor_at_most();
        match self {
            TooLittle::Exact => board.has_insufficient_material(side),
            TooLittle::LoneMinor => lone,
            TooLittle::LoneMinorOrTwoKnightsAgainstKing => {
                lone || ours.is_two_knights() && theirs.is_bare()
            }
            TooLittle::LoneMinorOrTwoKnightsWithoutPawns => {
                lone || ours.is_two_knights() && theirs.pawns == 0
            }
        }
    }
}

impl fmt::Display for MaterialSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MaterialSet::None => "none",
            MaterialSet::LoneMinor => "K v K, K+B v K, K+N v K",
            MaterialSet::LoneMinorOrBishopEach => {
                "K v K, K+B v K, K+N v K, K+B v K+B on one square colour"
            }
            MaterialSet::KnightAgainstBishop => "K+N v K+B",
            MaterialSet::Exact => "K v K, K+N v K, kings and bishops on one square colour",
            MaterialSet::OneMinorEach => "at most one bishop or knight each",
            MaterialSet::OneMinorEachOrTwoKnights => "at most one bishop or knight each, K+N+N v K",
        })
    }
}

impl fmt::Display for TooLittle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TooLittle::Exact => {
                "only a king, K+N against queens only, or bishops of one square colour against \
                neither knight nor pawn nor another bishop"
            }
            TooLittle::LoneMinor => "only K, K+B or K+N",
            TooLittle::LoneMinorOrTwoKnightsAgainstKing => "only K, K+B, K+N, or K+N+N against K",
            TooLittle::LoneMinorOrTwoKnightsWithoutPawns => {
                "only K, K+B, K+N, or K+N+N against no pawn"
            }
        })
    }
}
