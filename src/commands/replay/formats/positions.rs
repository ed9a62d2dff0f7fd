//! Positions and moves without anything else: FEN, EPD, UCI.

use crate::chess::fen::IncrementalFen;
use crate::chess::{Position, Uci};
use crate::commands::replay::rows::PlyRow;

/// Adds the FEN of a position, on a line.
pub fn fen(out: &mut Vec<u8>, position: &Position) {
    let mut text = [0; IncrementalFen::LONGEST];
    let length = IncrementalFen::new(position).write(position, &mut text);
    out.extend_from_slice(&text[..length]);
    out.push(b'\n');
}

/// Adds a position as EPD, on a line: the four fields, and the two clocks as operations (PGN standard 16.2.5.13 and
/// 16.2.5.14).
pub fn epd(out: &mut Vec<u8>, position: &Position) {
    let mut text = [0; IncrementalFen::LONGEST];
    let length = IncrementalFen::new(position).write_fields(position, &mut text);
    out.extend_from_slice(&text[..length]);
    let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
    out.extend(format!(" hmvc {halfmoves}; fmvn {fullmoves};\n").into_bytes());
}

/// Adds a move in UCI notation to a line of moves, the first of which begins where `line` is.
pub fn uci(out: &mut Vec<u8>, line: usize, row: &PlyRow<'_>) {
    if out.len() > line {
        out.push(b' ');
    }
    match row.uci {
        Some(uci) => {
            let mut text = [0; Uci::LONGEST];
            let length = uci.write(&mut text);
            out.extend_from_slice(&text[..length]);
        }
        None => out.extend_from_slice(b"0000"),
    }
}
