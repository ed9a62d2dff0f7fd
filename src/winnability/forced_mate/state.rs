//! Positions up to symmetry, in little memory.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::position::Position;
use crate::chess::setup::{PositionFaults, Setup};

/// A position without its clocks, exactly, and the same for those that mirrors turn into each other: with pawns, left and
/// right; without, also up and down and across the diagonals. Castling and en passant know no mirror.
///
/// The first three planes number the kinds of piece from 1; the seventh number is a rook that may castle. The fourth plane
/// holds Black's men, and a square where a pawn can be captured en passant, which is empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct State {
    planes: [u64; 4],
    turn: Color,
}

/// Every mirror but the one that changes nothing; for positions with pawns the first alone.
const MIRRORS: [fn(u64) -> u64; 7] = [
    left_right,
    u64::swap_bytes,
    |set| left_right(set.swap_bytes()),
    transposed,
    |set| transposed(left_right(set)),
    |set| transposed(set.swap_bytes()),
    |set| transposed(left_right(set.swap_bytes())),
];

impl State {
    /// The state of a position.
    pub(crate) fn of(position: &Position) -> State {
        let board = position.board();
        let role = |role| board.role(role).0;
        let castling = position.castling().0;
        let passed = position
            .en_passant()
            .map_or(0, |square| 1 << square.index());
        let planes = [
            role(Role::Pawn) | role(Role::Bishop) | role(Role::Queen) | castling,
            role(Role::Knight) | role(Role::Bishop) | role(Role::King) | castling,
            role(Role::Rook) | role(Role::Queen) | role(Role::King),
            board.color(Color::Black).0 | passed,
        ];
        let mirrors = if castling | passed != 0 {
            &MIRRORS[..0]
        } else if board.role(Role::Pawn).any() {
            &MIRRORS[..1]
        } else {
            &MIRRORS[..]
        };
        let mirrored = mirrors.iter().map(|mirror| planes.map(mirror));
        State {
            planes: mirrored.min().map_or(planes, |other| other.min(planes)),
            turn: position.turn(),
        }
    }

    /// Whose move it is.
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }

    /// A number that is the same for the same states.
    pub(crate) fn hash(&self) -> u64 {
        // The mixing of SplitMix64 for each plane.
        let mut mixed = self.turn as u64;
        for plane in self.planes {
            mixed = (mixed ^ plane).wrapping_add(0x9e37_79b9_7f4a_7c15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        }
        mixed
    }

    /// One of the positions that have this state.
    ///
    /// # Errors
    ///
    /// None for the state of a position.
    pub(crate) fn position(&self) -> Result<Position, PositionFaults> {
        let [one, two, four, black] = self.planes.map(Bitboard);
        let occupied = one | two | four;
        let mut board = Board::EMPTY;
        for square in occupied {
            let number = usize::from(one.has(square))
                + 2 * usize::from(two.has(square))
                + 4 * usize::from(four.has(square));
            let role = match number {
                7 => Role::Rook,
                number => Role::ALL[number - 1],
            };
            let color = match black.has(square) {
                true => Color::Black,
                false => Color::White,
            };
            board.put(square, Piece { color, role });
        }
        Position::new(&Setup {
            board,
            turn: self.turn,
            castling: one & two & four,
            en_passant: black.without(occupied).first(),
            halfmoves: 0,
            fullmoves: 1,
        })
    }
}

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
        let setup: Setup = fen.parse().unwrap();
        Position::new(&setup).unwrap()
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
        let state = |fen: &str| State::of(&position(fen));
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
    fn a_state_is_that_of_its_position() {
        for fen in [
            "r3k2r/pppq1ppp/2n5/3pP3/8/2N2B2/PPP2PPP/R3K2R w KQkq d6 0 12",
            "8/8/8/4k3/8/8/8/1N2K1N1 b - - 0 1",
            "4k3/p7/8/8/8/8/7Q/4K2R w K - 0 1",
        ] {
            let state = State::of(&position(fen));
            assert_eq!(State::of(&state.position().unwrap()), state, "{fen}");
        }
    }
}
