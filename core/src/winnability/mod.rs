//! Whether a side can still win: mate by any series of legal moves, however unlikely (FIDE Laws
//! 2023 art. 5.1.2, 5.2.2, 6.9, 7.5.5).
//!
//! Both sides play towards the mate. Clocks have no part in it: a move is legal by art. 3.10.1
//! however often a position was repeated and however long nothing was captured. Castling rights and
//! en passant captures do.
//!
//! [`Solver::can_win`] tests, in this order: whether there is
//! [material](crate::chess::Board::has_insufficient_material) to mate; whether the position is so
//! open that a [heuristic](Witness::Heuristic) accepts it; whether moves are forced; whether the
//! heuristic accepts a position that can arise soon; and then, with growing limits, searches for a
//! line, for walls that keep men apart, and through all positions that can still arise. For "no"
//! there is a [`Certificate`], which [`Certificate::verify`] checks on its own.
//! [`Solver::mating_line`] finds a line for "yes".

pub mod forced_mate;

mod certificate;
mod confinement;
mod helpmates;
mod heuristic;
mod reachability;
mod solver;
mod walls;

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;

pub use certificate::{Certificate, CertificateFault};
pub use helpmates::search::SearchLimits;
pub use reachability::ForcedEnd;
pub use solver::Solver;

/// Whether a side can still win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winnability {
    /// It can mate by some series of legal moves.
    Winnable(Witness),
    /// It cannot.
    Unwinnable(Proof),
    /// Undecided.
    Unknown(Unfinished),
}

/// A search that reached a limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Unfinished {
    /// Number of positions visited, of which a set of positions counts as 16.
    pub nodes: u64,
    /// Whether the limit was that of the memory.
    pub is_out_of_memory: bool,
}

/// Evidence that a side can win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Legal moves that end with mate; none if it is on the board.
    Line(Vec<Move>),
    /// The position, or one that can arise, is so open that no line was searched for. Not a proof;
    /// [`Solver::mating_line`] finds a line.
    Heuristic,
}

/// Proof that a side cannot win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It is mated.
    Mated,
    /// The game has ended in stalemate (FIDE Laws 5.2.1).
    Stalemate,
    /// It has insufficient material: with these men no position is a mate by it.
    Material,
    /// Every move is forced, and the line ends without a mate.
    ForcedLine {
        /// One or more moves.
        moves: Vec<Move>,
        /// End of the line.
        end: ForcedEnd,
    },
    /// None of the positions that can still arise is a mate by it.
    Closure {
        /// Number of positions visited one by one, including those with insufficient material but
        /// none that follow only from them.
        positions: u64,
        /// Number of sets of positions in which walls keep men apart.
        sets: u64,
    },
}

/// Whether the position is dead: neither side can win, so that the game has ended (FIDE Laws
/// 5.2.2). `None` if the solver reaches its node limit.
pub(crate) fn dead(solver: &mut Solver, position: &Position) -> Option<bool> {
    // Positions that can arise from a dead one are dead too.
    if solver.dead.contains(position) {
        return Some(true);
    }
    let mut known = true;
    for side in Color::ALL {
        match solver.can_win(position, side) {
            Winnability::Winnable(_) => return Some(false),
            Winnability::Unwinnable(_) => {}
            Winnability::Unknown(_) => known = false,
        }
    }
    known.then_some(true)
}
