//! Whether a side can still mate: the one place that asks the solver.

use std::cell::{OnceCell, RefCell};

use crate::chess::{Color, Move, Position};
use crate::winnability::{Solver, Winnability, Witness};

/// Whether a side can still mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Chances<'a> {
    /// It can, by these legal moves.
    Can(&'a [Move]),
    /// It cannot, on this ground: `closure of 1,152 positions`.
    Cannot(String),
    /// Neither a line nor a proof was found in this number of positions.
    Unknown(u64),
}

/// What is known of the chances of both sides in one position. Each question is asked once.
pub(crate) struct Prospects<'a> {
    position: &'a Position,
    solver: RefCell<Solver>,
    /// White's answer and Black's.
    answers: [OnceCell<Winnability>; 2],
    /// A line to mate, or how many positions were searched in vain.
    lines: [OnceCell<Result<Vec<Move>, u64>>; 2],
}

impl<'a> Prospects<'a> {
    /// Nothing is asked yet; a question may cost so many positions.
    pub(crate) fn new(position: &'a Position, nodes: u64) -> Prospects<'a> {
        Prospects {
            position,
            solver: RefCell::new(Solver::new(nodes)),
            answers: Default::default(),
            lines: Default::default(),
        }
    }

    /// Whether a side can still mate, by any series of legal moves. Without a line the answer is not yes.
    pub(crate) fn of(&self, side: Color) -> Chances<'_> {
        match self.answer(side) {
            Winnability::Winnable(witness) => match self.line(side, witness) {
                Ok(line) => Chances::Can(line),
                Err(nodes) => Chances::Unknown(*nodes),
            },
            Winnability::Unwinnable(ground) => Chances::Cannot(ground.to_string()),
            Winnability::Unknown { nodes } => Chances::Unknown(*nodes),
        }
    }

    /// Whether it is proven that a side cannot mate. No line is searched for.
    pub(crate) fn cannot_mate(&self, side: Color) -> bool {
        matches!(self.answer(side), Winnability::Unwinnable(_))
    }

    fn line(&self, side: Color, witness: &Witness) -> &Result<Vec<Move>, u64> {
        self.lines[side.index()].get_or_init(|| match witness {
            Witness::Line(line) => Ok(line.clone()),
            Witness::Heuristic => {
                let mut solver = self.solver.borrow_mut();
                let line = solver.mating_line(self.position, side);
                line.ok_or_else(|| solver.nodes())
            }
        })
    }

    fn answer(&self, side: Color) -> &Winnability {
        self.answers[side.index()]
            .get_or_init(|| self.solver.borrow_mut().can_win(self.position, side))
    }
}
