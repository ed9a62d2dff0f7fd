//! Attacks of whole sets of men, and flood fills.

use crate::chess::bitboard::Bitboard;
use crate::chess::piece::Color;
use crate::chess::square::{Rank, Square};

/// All files but the a-file.
pub const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
/// All files but the h-file.
pub const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// All files but the two nearest to the a-file.
pub const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
/// All files but the two nearest to the h-file.
pub const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// Squares that a colour's pawns attack.
#[inline]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    pawns_west(color, pawns) | pawns_east(color, pawns)
}

/// Squares that a colour's pawns attack towards the a-file.
#[inline]
pub fn pawns_west(color: Color, pawns: Bitboard) -> Bitboard {
    let pawns = pawns.0 & NOT_A;
    Bitboard(match color {
        Color::White => pawns << 7,
        Color::Black => pawns >> 9,
    })
}

/// Squares that a colour's pawns attack towards the h-file.
#[inline]
pub fn pawns_east(color: Color, pawns: Bitboard) -> Bitboard {
    let pawns = pawns.0 & NOT_H;
    Bitboard(match color {
        Color::White => pawns << 9,
        Color::Black => pawns >> 7,
    })
}

/// Squares that pawns can be pushed to: one step, or two from their initial squares (FIDE Laws
/// 3.7.1, 3.7.2).
#[inline]
pub fn pawn_pushes(color: Color, pawns: Bitboard, occupied: Bitboard) -> Bitboard {
    let passed = match color {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    };
    let one = pawns.ahead(color).without(occupied);
    let two = (one & Bitboard::rank(passed)).ahead(color);
    one | two.without(occupied)
}

/// Squares in front of a pawn, up to the last rank.
#[inline]
pub fn in_front(color: Color, pawn: Square) -> Bitboard {
    let file = Bitboard::file(pawn.file()).0;
    Bitboard(match color {
        Color::White => file & (!1 << pawn.index()),
        Color::Black => file & ((1 << pawn.index()) - 1),
    })
}

/// One step along ranks and files.
#[inline]
pub fn orthogonal_steps(from: Bitboard) -> Bitboard {
    let from = from.0;
    Bitboard(from << 8 | from >> 8 | (from & NOT_A) >> 1 | (from & NOT_H) << 1)
}

/// One step along diagonals.
#[inline]
pub fn diagonal_steps(from: Bitboard) -> Bitboard {
    let (west, east) = (from.0 & NOT_A, from.0 & NOT_H);
    Bitboard(west << 7 | west >> 9 | east << 9 | east >> 7)
}

/// One step of a king.
#[inline]
pub fn king_steps(from: Bitboard) -> Bitboard {
    let row = from.0 | (from.0 & NOT_A) >> 1 | (from.0 & NOT_H) << 1;
    Bitboard(row | row << 8 | row >> 8)
}

/// One leap of a knight.
#[inline]
pub fn knight_leaps(from: Bitboard) -> Bitboard {
    let from = from.0;
    let (one_west, one_east) = ((from & NOT_A) >> 1, (from & NOT_H) << 1);
    let (two_west, two_east) = ((from & NOT_AB) >> 2, (from & NOT_GH) << 2);
    let (near, far) = (one_west | one_east, two_west | two_east);
    Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// Flood fill: the squares that repeated steps over open squares lead to, with those they begin on.
#[inline]
pub fn fill(from: Bitboard, open: Bitboard, step: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    let mut reached = from;
    loop {
        let more = reached | step(reached) & open;
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// Whether repeated steps over open squares lead from one set to another.
#[inline]
pub fn reaches(
    from: Bitboard,
    open: Bitboard,
    goal: Bitboard,
    step: impl Fn(Bitboard) -> Bitboard,
) -> bool {
    let mut reached = from;
    loop {
        if (reached & goal).any() {
            return true;
        }
        let more = reached | step(reached) & open;
        if more == reached {
            return false;
        }
        reached = more;
    }
}
