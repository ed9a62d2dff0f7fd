//! Where men can come to, step by step, over squares that stay open.

use crate::chess::bitboard::Bitboard;
use crate::chess::piece::Color;
use crate::chess::square::Square;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// One step along ranks and files.
#[inline]
pub(crate) fn straight_steps(from: Bitboard) -> Bitboard {
    let from = from.0;
    Bitboard(from << 8 | from >> 8 | (from & NOT_A) >> 1 | (from & NOT_H) << 1)
}

/// One step along diagonals.
#[inline]
pub(crate) fn diagonal_steps(from: Bitboard) -> Bitboard {
    let (west, east) = (from.0 & NOT_A, from.0 & NOT_H);
    Bitboard(west << 7 | west >> 9 | east << 9 | east >> 7)
}

/// One step of a king.
#[inline]
pub(crate) fn king_steps(from: Bitboard) -> Bitboard {
    let row = from.0 | (from.0 & NOT_A) >> 1 | (from.0 & NOT_H) << 1;
    Bitboard(row | row << 8 | row >> 8)
}

/// One leap of a knight.
#[inline]
pub(crate) fn knight_leaps(from: Bitboard) -> Bitboard {
    let from = from.0;
    let (one_west, one_east) = ((from & NOT_A) >> 1, (from & NOT_H) << 1);
    let (two_west, two_east) = ((from & NOT_AB) >> 2, (from & NOT_GH) << 2);
    let (near, far) = (one_west | one_east, two_west | two_east);
    Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// All squares that repeated steps over open squares lead to, those they begin on included.
#[inline]
pub(crate) fn spread(
    from: Bitboard,
    open: Bitboard,
    step: impl Fn(Bitboard) -> Bitboard,
) -> Bitboard {
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
pub(crate) fn reaches(
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

/// What pawns attack.
#[inline]
pub(crate) fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let (west, east) = (pawns.0 & NOT_A, pawns.0 & NOT_H);
    Bitboard(match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}

/// The squares right before pawns.
#[inline]
pub(crate) fn one_ahead(color: Color, pawns: Bitboard) -> Bitboard {
    Bitboard(match color {
        Color::White => pawns.0 << 8,
        Color::Black => pawns.0 >> 8,
    })
}

/// The squares before a pawn, up to the last rank.
#[inline]
pub(crate) fn ahead(color: Color, pawn: Square) -> Bitboard {
    let file = Bitboard::file(pawn.file()).0;
    Bitboard(match color {
        Color::White => file & (!1 << pawn.index()),
        Color::Black => file & ((1 << pawn.index()) - 1),
    })
}
