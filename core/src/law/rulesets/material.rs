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
    /// The same, and K+2N v K.
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
    /// The same, and K+2N against a bare king.
    LoneMinorOrTwoKnightsAgainstKing,
    /// As [`TooLittle::LoneMinor`], and K+2N if the opponent has no pawn.
    LoneMinorOrTwoKnightsWithoutPawns,
}

/// Numbers of knights and bishops of a side that has no pawn, rook or queen.
pub(crate) fn minors(board: &Board, side: Color) -> Option<(usize, usize)> {
    let count = |role| board.of(side, role).count();
    let has_others = [Role::Pawn, Role::Rook, Role::Queen].map(count) != [0; 3];
    (!has_others).then(|| (count(Role::Knight), count(Role::Bishop)))
}

/// Whether all bishops, of both sides, stand on squares of one colour.
fn bishops_on_one_colour(board: &Board) -> bool {
    let bishops = board.role(Role::Bishop);
    (bishops & Bitboard::LIGHT_SQUARES).is_empty()
        || bishops.without(Bitboard::LIGHT_SQUARES).is_empty()
}

/// Amount of a side's material that is too little: a bare king, a bishop or knight, more.
pub(crate) fn amount(board: &Board, side: Color) -> usize {
    minors(board, side).map_or(2, |(knights, bishops)| (knights + bishops).min(2))
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
        let [Some(white), Some(black)] = Color::ALL.map(|side| minors(board, side)) else {
            return false;
        };
        let is_lone_minor = amount_on(board) <= 1;
        let is_one_each = Color::ALL.iter().all(|&side| amount(board, side) <= 1);
        match self {
            MaterialSet::None => false,
            MaterialSet::LoneMinor => is_lone_minor,
            MaterialSet::LoneMinorOrBishopEach => {
                is_lone_minor || [white, black] == [(0, 1); 2] && bishops_on_one_colour(board)
            }
            MaterialSet::KnightAgainstBishop => {
                matches!((white, black), ((1, 0), (0, 1)) | ((0, 1), (1, 0)))
            }
            MaterialSet::Exact => {
                is_lone_minor || white.0 + black.0 == 0 && bishops_on_one_colour(board)
            }
            MaterialSet::OneMinorEach => is_one_each,
            MaterialSet::OneMinorEachOrTwoKnights => {
                is_one_each || matches!((white, black), ((2, 0), (0, 0)) | ((0, 0), (2, 0)))
            }
        }
    }
}

impl TooLittle {
    /// Whether a side's pieces, against those of the other, are too few to win.
    pub fn holds(self, board: &Board, side: Color) -> bool {
        let is_lone_minor = amount(board, side) <= 1;
        let is_two_knights = minors(board, side) == Some((2, 0));
        match self {
            TooLittle::Exact => board.has_insufficient_material(side),
            TooLittle::LoneMinor => is_lone_minor,
            TooLittle::LoneMinorOrTwoKnightsAgainstKing => {
                is_lone_minor || is_two_knights && amount(board, !side) == 0
            }
            TooLittle::LoneMinorOrTwoKnightsWithoutPawns => {
                is_lone_minor || is_two_knights && board.of(!side, Role::Pawn).is_empty()
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
            MaterialSet::OneMinorEachOrTwoKnights => "at most one bishop or knight each, K+2N v K",
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
            TooLittle::LoneMinorOrTwoKnightsAgainstKing => "only K, K+B, K+N, or K+2N against K",
            TooLittle::LoneMinorOrTwoKnightsWithoutPawns => {
                "only K, K+B, K+N, or K+2N against no pawn"
            }
        })
    }
}
