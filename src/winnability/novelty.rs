//! Move ordering towards what was not on the board yet.

use crate::chess::bitboard::Bitboard;
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::zobrist::{self, KeyMap};
use crate::winnability::search::{MoveOrdering, Score};

/// Prefers moves that bring a man to a square where none of its kind stood before, as long as the
/// pawns and the numbers of men were the same and the same side was to move.
///
/// Width-based search (Lipovetzky and Geffner 2012): the ways of single men are searched, not all
/// their combinations.
#[derive(Default)]
pub(crate) struct Novelty {
    /// By pawns and numbers of men, side to move, colour and role.
    seen: KeyMap<[[[Bitboard; 6]; 2]; 2]>,
    /// Squares seen with the position's pawns and men, and the other side to move.
    known: [Bitboard; 6],
}

impl MoveOrdering for Novelty {
    fn prepare(&mut self, position: &Position) {
        let board = position.board();
        let mut key =
            board.role(Role::Pawn).bits() ^ zobrist::mix(board.of(Color::White, Role::Pawn).bits());
        let mut men = 0;
        for color in Color::ALL {
            for role in Role::ALL {
                men = 16 * men + board.of(color, role).count() as u64;
            }
        }
        key = zobrist::mix(key) ^ men;
        let turn = position.turn();
        let seen = self.seen.entry(key).or_default();
        for color in Color::ALL {
            for role in Role::ALL {
                seen[turn.index()][color.index()][role.index()] |= board.of(color, role);
            }
        }
        self.known = seen[(!turn).index()][turn.index()];
    }

    #[inline]
    fn score(&self, _: &Position, mv: Move) -> Score {
        Score::of(if mv.is_zeroing() {
            0
        } else if self.known[mv.role.index()].has(mv.to) {
            -1
        } else {
            1
        })
    }
}
