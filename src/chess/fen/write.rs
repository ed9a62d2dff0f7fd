//! Writing FEN.

use std::fmt;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::chess::setup::Setup;
use crate::chess::square::{File, Rank, Square};

impl fmt::Display for Setup {
    /// The FEN, with X-FEN castling rights: `KQkq` for the outermost rook, a file letter for an
    /// inner one. The alternate form `{:#}` writes Shredder-FEN, file letters only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fen(f, self)
    }
}

impl fmt::Display for Position {
    /// The FEN, as for [`Setup`]; the en passant square is given only if a capture is legal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fen(f, &self.setup())
    }
}

fn write_fen(f: &mut fmt::Formatter<'_>, setup: &Setup) -> fmt::Result {
    // A buffer needs one call of the formatter instead of some forty.
    let mut text = arrayvec::ArrayString::<112>::new();
    for rank in (0..8).rev().map(Rank::new) {
        let mut empty = 0;
        for file in File::ALL {
            match setup.board.piece_on(Square::at(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    push_digit(&mut text, empty);
                    empty = 0;
                    text.push(piece.letter());
                }
            }
        }
        push_digit(&mut text, empty);
        if rank != Rank::First {
            text.push('/');
        }
    }
    text.push(' ');
    text.push(setup.turn.letter());
    text.push(' ');
    text.push_str(&rights(&setup.board, setup.castling, f.alternate()));
    f.write_str(&text)?;
    match setup.en_passant {
        Some(square) => write!(f, " {square}")?,
        None => f.write_str(" -")?,
    }
    write!(f, " {} {}", setup.halfmoves, setup.fullmoves)
}

/// Field of castling rights: X-FEN, or file letters only (Shredder-FEN).
pub(crate) fn rights(
    board: &Board,
    castling: Bitboard,
    file_letters: bool,
) -> arrayvec::ArrayString<16> {
    let mut text = arrayvec::ArrayString::new();
    if castling.is_empty() {
        text.push('-');
    }
    for color in Color::ALL {
        let rights = castling & Bitboard::rank(color.back_rank());
        let mut rooks: arrayvec::ArrayVec<Square, 8> = rights.into_iter().collect();
        rooks.reverse();
        for rook in rooks {
            let side = CastlingSide::ALL
                .into_iter()
                .find(|&side| side.outermost_rook(board, color) == rook);
            let letter = match side {
                Some(CastlingSide::King) if !file_letters => 'k',
                Some(CastlingSide::Queen) if !file_letters => 'q',
                _ => rook.file().letter(),
            };
            text.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    text
}

fn push_digit(text: &mut arrayvec::ArrayString<112>, count: u8) {
    if count > 0 {
        text.push(char::from(b'0' + count));
    }
}
