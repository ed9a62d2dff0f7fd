//! Who can still win: whether a side can mate by any series of legal moves, however unlikely (FIDE Laws 2023 art. 5.1.2,
//! 5.2.2, 6.9, 7.5.5).
//!
//! Both sides play towards the mate. Clocks have no part in it: a move is legal by art. 3.10.1 whatever has been repeated
//! and however long nothing was captured. Castling rights and en passant captures do.
//!
//! [`Solver::can_win`] asks, in this order: is the game over; is there material to mate with ([`is_insufficient`]); is a
//! mate evident; where do forced moves lead; does a search find a mate, or a position from which one is evident, on the
//! way to a corner or through a wall of pawns; do all positions that can still arise contain a mate ([`ClosureProof`]); and
//! last the crate `chasolver`. "No" is never said without one of the grounds of [`Ground`], and whoever asks for the line
//! behind a "yes" gets one that our own rules have replayed ([`Solver::mating_line`]).

pub mod forced_mate;

mod cha;
mod closure;
mod evident;
mod forced;
mod freedom;
mod helpmate;
mod lever;
mod material;
mod plan;
mod reach;
mod solver;
mod states;
mod verify;

use std::fmt;

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;

pub use closure::ClosureProof;
pub use forced::ForcedEnd;
pub use material::is_insufficient;
pub use solver::Solver;
pub use verify::ProofFault;

/// Whether a side can still win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winnability {
    /// It can mate by some series of legal moves.
    Winnable(Witness),
    /// It cannot, and this is why.
    Unwinnable(Ground),
    /// Nobody knows: so many positions were looked at in vain.
    Unknown {
        /// Positions looked at.
        nodes: u64,
    },
}

/// What stands behind a "yes".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Legal moves that end with mate; none if it stands on the board.
    Line(Vec<Move>),
    /// The position, or one that was found on the way, is so open that no line to mate was looked for;
    /// [`Solver::mating_line`] finds one.
    Evident,
}

/// Why a side cannot win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// It is mated.
    Mated,
    /// The game has ended in stalemate (FIDE Laws 5.2.1).
    Stalemate,
    /// With these pieces no position is mate, whatever the squares.
    Material,
    /// Every move is forced, and they lead to no mate.
    ForcedLine {
        /// The moves, one or more.
        moves: Vec<Move>,
        /// What they lead to.
        end: ForcedEnd,
    },
    /// None of the positions that can still arise is mate.
    Closure {
        /// How many there are, those in which the side has too little material included, but not what follows from them.
        states: u64,
    },
    /// The crate `chasolver` has proved it.
    Solver,
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ground::Mated => f.write_str("checkmate"),
            Ground::Stalemate => f.write_str("stalemate"),
            Ground::Material => f.write_str("insufficient material"),
            Ground::ForcedLine { moves, end } => {
                let plies = moves.len();
                let s = if plies == 1 { "" } else { "s" };
                write!(f, "forced line of {plies} move{s} to {end}")
            }
            Ground::Closure { states } => {
                let s = if *states == 1 { "" } else { "s" };
                write!(f, "closure of {} position{s}", Grouped(*states))
            }
            Ground::Solver => f.write_str("proof by chasolver"),
        }
    }
}

/// A number with commas between thousands.
struct Grouped(u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (nth, digit) in digits.chars().enumerate() {
            if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// Whether neither side can win, so that the game has ended (FIDE Laws 5.2.2); nothing if the solver's budget does not
/// suffice to tell.
pub fn dead(solver: &mut Solver, position: &Position) -> Option<bool> {
    if solver.remembers_as_dead(position) {
        return Some(true);
    }
    let mut known = true;
    for side in Color::ALL {
        match solver.can_win(position, side) {
            Winnability::Winnable(_) => return Some(false),
            Winnability::Unwinnable(_) => {}
            Winnability::Unknown { .. } => known = false,
        }
    }
    known.then_some(true)
}
