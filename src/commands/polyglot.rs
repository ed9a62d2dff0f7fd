//! Zobrist hash of a position as Polyglot has it, by which opening books and databases find
//! positions.

use shakmaty::zobrist::{Zobrist64, ZobristValue};

use crate::chess::{Bitboard, CastlingSide, Color, File, Move, Position, Role, Square, attacks};

/// Hash of a position, with the file of an en passant capture that is legal.
pub(crate) fn polyglot_hash(position: &Position) -> u64 {
    hash(position, position.en_passant().map(Square::file))
}

/// Hash of the position after a move. A pawn that stands next to one that has made a double step
/// counts even if it is pinned, which only the move tells.
pub(crate) fn polyglot_hash_after(mv: Move, after: &Position) -> u64 {
    let is_double = mv.role == Role::Pawn && mv.from.index().abs_diff(mv.to.index()) == 16;
    let beside = attacks::king(mv.to) & Bitboard::rank(mv.to.rank());
    let pawns = after.board().of(after.turn(), Role::Pawn);
    let counts = is_double && (pawns & beside).any();
    hash(after, counts.then(|| mv.to.file()))
}

fn hash(position: &Position, en_passant: Option<File>) -> u64 {
    let mut hash = Zobrist64::default();
    for color in Color::ALL {
        let theirs = shakmaty::Color::from_white(color == Color::White);
        for (role, their_role) in Role::ALL.into_iter().zip(shakmaty::Role::ALL) {
            for square in position.board().of(color, role) {
                let square = shakmaty::Square::new(square.index() as u32);
                hash ^= Zobrist64::zobrist_for_piece(square, their_role.of(theirs));
            }
        }
        for (side, their_side) in CastlingSide::ALL
            .into_iter()
            .zip(shakmaty::CastlingSide::ALL)
        {
            if position.castling_rook(color, side).is_some() {
                hash ^= Zobrist64::zobrist_for_castling_right(theirs, their_side);
            }
        }
    }
    if let Some(file) = en_passant {
        let file = shakmaty::File::new(file.index() as u32);
        hash ^= Zobrist64::zobrist_for_en_passant_file(file);
    }
    if position.turn() == Color::White {
        hash ^= Zobrist64::zobrist_for_white_turn();
    }
    hash.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::CastlingMode;

    /// Plays moves in UCI notation; the hashes of the last position, by both functions.
    fn hashes(mut position: Position, moves: &str) -> [u64; 2] {
        let mut hashes = [polyglot_hash(&position); 2];
        for name in moves.split_whitespace() {
            let legal = position.legal_moves();
            let is_named = |mv: &&Move| mv.uci(CastlingMode::Standard).to_string() == name;
            let mv = *legal.iter().find(is_named).unwrap();
            position.play_unchecked(mv);
            hashes = [polyglot_hash(&position), polyglot_hash_after(mv, &position)];
        }
        hashes
    }

    /// Positions of the description of the format, with their hashes.
    #[test]
    fn the_published_hashes() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(hashes(Position::initial(), moves), [expected; 2], "{moves}");
        }
    }

    #[test]
    fn a_pinned_pawn_counts_after_the_double_step() {
        let position: Position = "4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1".parse().unwrap();
        let [plain, after] = hashes(position, "d7d5");
        let file = Zobrist64::zobrist_for_en_passant_file(shakmaty::File::D);
        assert_eq!(plain ^ after, u64::from(file));
    }
}
