//! Columns of plies that `--columns` alone adds: computed only if they are chosen.

use crate::chess::{Board, CastlingSide, Color, Move, Piece, Role};
use crate::commands::polyglot::{polyglot_hash, polyglot_hash_after};
use crate::commands::replay::rows::PlyRow;
use crate::report::rows::ColumnType::{Number, Text, Unique};
use crate::report::rows::{Cell, Row};

/// The columns in order, after all others.
#[inline(never)]
pub(super) fn columns(row: &PlyRow<'_>, fields: &mut Row<'_>) {
    let (mv, after) = (row.mv, row.after);
    let hash = |to: &mut [u8]| {
        let hash = mv.map_or_else(|| polyglot_hash(after), |it| polyglot_hash_after(it, after));
        to[..16].copy_from_slice(format!("{hash:016x}").as_bytes());
        16
    };
    fields.field("hash", Unique, Cell::InPlace(&hash));
    let position = |to: &mut [u8]| row.fen.write_fields(after, to);
    fields.field("position", Unique, Cell::InPlace(&position));
    let material = |to: &mut [u8]| write_material(after.board(), to);
    fields.field("material", Text, Cell::InPlace(&material));
    let (mut moved, mut promoted) = ([0; 1], [0; 1]);
    let piece = mv.map(|mv| &*mv.role.letter().encode_utf8(&mut moved));
    fields.word("piece", piece);
    let promotion = mv.and_then(Move::promotion);
    let promotion = promotion.map(|role| &*role.letter().encode_utf8(&mut promoted));
    fields.word("promotion", promotion);
    let side = mv.and_then(Move::castling_side);
    fields.word("castling", side.map(CastlingSide::san));
    fields.field("phase", Number, Cell::Number(phase(after.board())));
}

/// Writes the letters of the pieces, as `--where material=` reads them: `KRPkr`.
fn write_material(board: &Board, to: &mut [u8]) -> usize {
    let mut length = 0;
    for color in Color::ALL {
        for role in Role::ALL.into_iter().rev() {
            let count = board.of(color, role).count();
            to[length..length + count].fill(Piece { color, role }.letter() as u8);
            length += count;
        }
    }
    length
}

/// Phase of a game, from 24 in the initial position to 0 with kings and pawns alone: knights and
/// bishops count 1, rooks 2, queens 4 (Chess Programming Wiki, "Tapered Eval").
fn phase(board: &Board) -> u64 {
    let count = |role| board.role(role).count();
    let minor = count(Role::Knight) + count(Role::Bishop);
    let sum = minor + 2 * count(Role::Rook) + 4 * count(Role::Queen);
    sum.min(24) as u64
}
