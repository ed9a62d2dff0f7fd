//! Positions packed into 33 bytes, exactly or up to symmetry.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::chess::zobrist;

/// Position without clocks: the content of each square in four bit planes, and the side to move.
///
/// Two positions pack alike if and only if the same games can follow from both. The first three
/// planes number the six kinds of piece from 1; 7 is a rook that may castle. The fourth plane holds
/// Black's men, and the en passant square, which is empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PackedPosition {
    planes: [u64; 4],
    turn: Color,
}

impl PackedPosition {
    /// Packs a position.
    #[inline]
    pub(crate) fn of(position: &Position) -> PackedPosition {
        let board = position.board();
        let role = |role| board.role(role).0;
        let castling = position.castling().0;
        let passed = position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        PackedPosition {
            planes: [
                role(Role::Pawn) | role(Role::Bishop) | role(Role::Queen) | castling,
                role(Role::Knight) | role(Role::Bishop) | role(Role::King) | castling,
                role(Role::Rook) | role(Role::Queen) | role(Role::King),
                board.color(Color::Black).0 | passed.0,
            ],
            turn: position.turn(),
        }
    }

    /// Packs the least of a position's mirrors, so that all of them pack alike.
    ///
    /// With pawns there is one mirror, left to right; without, also up and down and across the
    /// diagonals. Positions with castling rights or en passant have none.
    pub(crate) fn up_to_symmetry(position: &Position) -> PackedPosition {
        let PackedPosition { planes, turn } = PackedPosition::of(position);
        let mirrors = if position.castling().any() || position.en_passant().is_some() {
            &MIRRORS[..0]
        } else if position.board().role(Role::Pawn).any() {
            &MIRRORS[..1]
        } else {
            &MIRRORS[..]
        };
        let mirrored = mirrors.iter().map(|mirror| planes.map(mirror));
        PackedPosition {
            planes: mirrored.min().map_or(planes, |other| other.min(planes)),
            turn,
        }
    }

    /// Whether the positions have as many men, and the same pawns.
    pub(crate) fn has_same_men(&self, other: &PackedPosition) -> bool {
        let [one, two, four, _] = self.planes;
        let [other_one, other_two, other_four, _] = other.planes;
        one & !two & !four == other_one & !other_two & !other_four
            && (one | two | four).count_ones() == (other_one | other_two | other_four).count_ones()
    }

    /// The side to move.
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    /// Hash of 64 bits.
    pub(crate) fn hash(&self) -> u64 {
        self.planes
            .into_iter()
            .fold(self.turn as u64, |hash, plane| zobrist::mix(hash ^ plane))
    }

    /// The number of the piece on a square, 0 for none, and whether the fourth plane holds the
    /// square.
    pub(crate) fn on(&self, square: Square) -> (usize, bool) {
        let [one, two, four, black] = self
            .planes
            .map(|plane| (plane >> square.index() & 1) as usize);
        (one + 2 * two + 4 * four, black == 1)
    }

    /// The position with new clocks; `key` must be its key.
    #[inline]
    pub(crate) fn unpack_with_key(&self, key: u64) -> Position {
        let [one, two, four, black] = self.planes.map(Bitboard);
        let castling = one & two & four;
        let occupied = one | two | four;
        let roles = [
            one.without(two | four),
            two.without(one | four),
            (one & two).without(four),
            four.without(one | two) | castling,
            (one & four).without(two),
            (two & four).without(one),
        ];
        let colors = [occupied.without(black), occupied & black];
        let board = Board::from_sets(roles, colors);
        let en_passant = black.without(occupied).first();
        Position::from_parts(board, self.turn, castling, en_passant, key)
    }

    /// The position with new clocks.
    pub(crate) fn unpack(&self) -> Position {
        self.unpack_with_key(self.unpack_with_key(0).recompute_key())
    }
}

/// Every mirror but the identity; for positions with pawns the first alone.
const MIRRORS: [fn(u64) -> u64; 7] = [
    left_right,
    u64::swap_bytes,
    |set| left_right(set.swap_bytes()),
    transposed,
    |set| transposed(left_right(set)),
    |set| transposed(set.swap_bytes()),
    |set| transposed(left_right(set.swap_bytes())),
];

/// Files from right to left.
fn left_right(set: u64) -> u64 {
    set.swap_bytes().reverse_bits()
}

/// Files become ranks.
fn transposed(mut set: u64) -> u64 {
    // Across the diagonal single squares change places, then blocks of four, then of sixteen.
    for (mask, shift) in [
        (0x00aa_00aa_00aa_00aa, 7),
        (0x0000_cccc_0000_cccc, 14),
        (0x0000_0000_f0f0_f0f0, 28),
    ] {
        let moved = (set ^ (set >> shift)) & mask;
        set ^= moved ^ (moved << shift);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn mirrors_are_mirrors() {
        for square in 0..64_u64 {
            let (file, rank) = (square % 8, square / 8);
            assert_eq!(left_right(1 << square), 1 << (rank * 8 + 7 - file));
            assert_eq!(transposed(1 << square), 1 << (file * 8 + rank));
        }
    }

    #[test]
    fn what_mirrors_make_of_a_position_is_the_same() {
        let state = |fen: &str| PackedPosition::up_to_symmetry(&position(fen));
        let knights = state("8/8/8/4k3/8/8/8/1N2K1N1 w - - 0 1");
        assert_eq!(knights, state("8/8/8/3k4/8/8/8/1N1K2N1 w - - 5 9"));
        assert_eq!(knights, state("1N2K1N1/8/8/8/4k3/8/8/8 w - - 0 1"));
        assert_eq!(knights, state("8/N7/8/8/K3k3/8/N7/8 w - - 0 1"));
        assert_ne!(knights, state("8/N7/8/8/K2k4/8/N7/8 w - - 0 1"));
        assert_ne!(knights, state("8/8/8/4k3/8/8/8/1N2K1N1 b - - 0 1"));
        let pawn = state("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
        assert_eq!(pawn, state("3k4/8/8/8/8/8/7P/3K4 w - - 0 1"));
        assert_ne!(pawn, state("4k3/p7/8/8/8/8/8/4K3 w - - 0 1"));
        let castling = state("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert_ne!(castling, state("4k3/8/8/8/8/8/8/R3K2R w K - 0 1"));
    }

    #[test]
    fn unpacking_and_packing_changes_nothing() {
        for fen in [
            "r3k2r/pppq1ppp/2n5/3pP3/8/2N2B2/PPP2PPP/R3K2R w KQkq d6 0 12",
            "8/8/8/4k3/8/8/8/1N2K1N1 b - - 0 1",
            "4k3/p7/8/8/8/8/7Q/4K2R w K - 0 1",
        ] {
            let state = PackedPosition::up_to_symmetry(&position(fen));
            assert_eq!(
                PackedPosition::up_to_symmetry(&state.unpack()),
                state,
                "{fen}"
            );
        }
    }
}
