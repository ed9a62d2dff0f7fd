//! Whether a side can still mate: the one place that asks the solver.

use std::cell::{OnceCell, RefCell};

use crate::rules::winnability::{Solver, Winnability, Witness};
use crate::rules::{Color, Move, Position};

/// Whether a side can still mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Chances {
    /// It can.
    Can,
    /// It cannot, on this ground: `closure of 1,152 positions`.
    Cannot(String),
    /// The budget ended first: so many positions.
    Unknown(u64),
}

/// What is known of the chances of both sides in one position. Each question is asked once.
pub(super) struct Prospects<'a> {
    position: &'a Position,
    solver: RefCell<Solver>,
    /// White's answer and Black's.
    answers: [OnceCell<Winnability>; 2],
    lines: [OnceCell<Option<Vec<Move>>>; 2],
}

impl<'a> Prospects<'a> {
    /// Nothing is asked yet; a question may cost so many positions.
    pub(super) fn new(position: &'a Position, nodes: u64) -> Prospects<'a> {
        Prospects {
            position,
            solver: RefCell::new(Solver::new(nodes)),
            answers: Default::default(),
            lines: Default::default(),
        }
    }

    /// Whether a side can still mate, by any series of legal moves.
    pub(super) fn of(&self, side: Color) -> Chances {
        match self.answer(side) {
            Winnability::Winnable(_) => Chances::Can,
            Winnability::Unwinnable(ground) => Chances::Cannot(ground.to_string()),
            Winnability::Unknown { nodes } => Chances::Unknown(*nodes),
        }
    }

    /// Moves by which a side can still mate; nothing if it cannot, or if the budget does not suffice to find them.
    pub(super) fn mating_line(&self, side: Color) -> Option<&[Move]> {
        self.lines[side.index()]
            .get_or_init(|| match self.answer(side) {
                Winnability::Winnable(Witness::Line(line)) => Some(line.clone()),
                Winnability::Winnable(Witness::Evident) => {
                    self.solver.borrow_mut().mating_line(self.position, side)
                }
                _ => None,
            })
            .as_deref()
    }

    fn answer(&self, side: Color) -> &Winnability {
        self.answers[side.index()]
            .get_or_init(|| self.solver.borrow_mut().can_win(self.position, side))
    }
}
