//! Kings put on centre squares after the last move, which signal the result to an electronic board
//! and end up among the moves. If they agree with the recorded result, they are the end of the
//! moves.

use crate::chess::{Bitboard, Position, Role, San, Square, attacks};
use crate::pgn::{Game, ResultMark, Token, TokenKind};
use crate::replay::main_line;

/// d4, e4, d5, e5.
const CENTRE: Bitboard = Bitboard::new(0x0000_0018_1800_0000);
/// e4 and d5.
const LIGHT: Bitboard = Bitboard::new(0x0000_0008_1000_0000);

/// The centre square to which a king's move leads.
fn to_centre(token: &Token) -> Option<Square> {
    match token.kind {
        TokenKind::San(plus) => match plus.san {
            San::Piece(king) if king.role == Role::King && !king.capture && CENTRE.has(king.to) => {
                Some(king.to)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The king moves to centre squares after `plies` plies, if the game consists of one or two more.
fn king_signal(game: &Game, plies: u32) -> Option<(Square, Option<Square>)> {
    let mut moves = main_line(game).skip(plies as usize);
    let first = to_centre(moves.next()?)?;
    let second = match moves.next() {
        Some(token) => Some(to_centre(token)?),
        None => None,
    };
    moves.next().is_none().then_some((first, second))
}

/// Whether moves that cannot be played after `plies` plies signal the result on record.
pub(super) fn signals_result(game: &Game, text: &[u8], last: &Position, plies: u32) -> bool {
    let Some((first, second)) = king_signal(game, plies) else {
        return false;
    };
    // The other king may have been put there by a legal move.
    let there = Some(last.king(!last.turn())).filter(|&king| CENTRE.has(king));
    let signalled = |mark| match second.or(there) {
        // One king on a square of each colour.
        Some(second) if LIGHT.has(first) != LIGHT.has(second) => mark == ResultMark::Draw,
        Some(_) if LIGHT.has(first) => mark == ResultMark::White,
        Some(_) => mark == ResultMark::Black,
        // One king alone may be a slip if the square is next to it.
        None if attacks::king(last.king(last.turn())).has(first) => false,
        None => match mark {
            ResultMark::White => LIGHT.has(first),
            ResultMark::Black => !LIGHT.has(first),
            ResultMark::Draw => true,
            ResultMark::Unknown => false,
        },
    };
    let Ok(Some(mark)) = game.recorded_result(text) else {
        return false;
    };
    let of_moves = game.result.map_or(mark, |(mark, _)| mark);
    of_moves == mark && signalled(mark)
}
