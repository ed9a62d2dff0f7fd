//! Who can still win, asked in one place.

use crate::chess::{Color, Move, Position};
use crate::winnability;
use crate::winnability::forced_mate::{Forced, forced_mate};
use crate::winnability::{Solver, Winnability};

/// Whether a side can still mate by any series of legal moves (FIDE Laws 2023 art. 5.2.2, 6.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CanWin {
    /// It can.
    Yes,
    /// It cannot, and that is proven.
    No,
    /// Neither was found within the budget.
    Unknown,
}

impl CanWin {
    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            CanWin::Yes => "can",
            CanWin::No => "cannot",
            CanWin::Unknown => "unknown",
        }
    }
}

/// Answers who can still win, with memory to be used again.
pub(crate) struct Prospects {
    solver: Solver,
    nodes: u64,
}

impl Prospects {
    /// `nodes` bounds each search, in positions.
    pub fn new(nodes: u64) -> Prospects {
        Prospects {
            solver: Solver::new(nodes),
            nodes,
        }
    }

    /// Whether White and whether Black can still mate; a side that has mated already can.
    #[inline]
    pub fn of_each(&mut self, position: &Position) -> [CanWin; 2] {
        self.solver
            .can_win_each(position)
            .map(|answer| match answer {
                Winnability::Winnable(_) => CanWin::Yes,
                Winnability::Unwinnable(_) => CanWin::No,
                Winnability::Unknown { .. } => CanWin::Unknown,
            })
    }

    /// Whether it is proven that neither side can mate.
    pub fn is_dead(&mut self, position: &Position) -> bool {
        winnability::dead(&mut self.solver, position) == Some(true)
    }

    /// Whether a side can force mate, whatever the other does.
    pub fn can_force(&mut self, position: &Position, side: Color) -> CanWin {
        match forced_mate(position, side, self.nodes) {
            Forced::Mate(_) => CanWin::Yes,
            Forced::Avoidable { .. } => CanWin::No,
            Forced::Unknown { .. } => CanWin::Unknown,
        }
    }

    /// Moves that lead to a mate by a side, if they are found.
    pub fn mating_line(&mut self, position: &Position, side: Color) -> Option<Vec<Move>> {
        self.solver.mating_line(position, side)
    }

    /// Why a side cannot win, in a few words.
    pub fn ground(&mut self, position: &Position, side: Color) -> Option<String> {
        match self.solver.can_win(position, side) {
            Winnability::Unwinnable(ground) => Some(ground.to_string()),
            Winnability::Winnable(_) | Winnability::Unknown { .. } => None,
        }
    }
}
