//! Who has too little to mate with, whatever the squares.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};

/// The squares of a1's colour.
pub(crate) const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// Whether no position with these pieces is a mate given by `side`, nor can become one: a bare king; a single knight
/// against queens or nothing; bishops all of one square colour, the other side's among them, against no knight and no
/// pawn.
///
/// The three are exact: with any other material some position is mate. They hold for what can still be played, so a mate
/// that stands on the board already has to be looked for first.
#[inline]
pub fn is_insufficient(board: &Board, side: Color) -> bool {
    let ours = board.color(side);
    let heavy = board.role(Role::Pawn) | board.orthogonal_sliders();
    if (ours & heavy).any() {
        return false;
    }
    let men = ours.without(board.role(Role::King));
    if men.is_empty() {
        return true;
    }
    let theirs = board.color(!side);
    let knights = board.role(Role::Knight);
    if (men & knights).any() {
        let harmless = board.role(Role::King) | board.role(Role::Queen);
        return !men.many() && theirs.without(harmless).is_empty();
    }
    let bishops = board.role(Role::Bishop);
    let one_colour = (bishops & DARK).is_empty() || bishops.without(DARK).is_empty();
    one_colour && (theirs & (knights | board.role(Role::Pawn))).is_empty()
}
