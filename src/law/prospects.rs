//! Who can still win: the one place of the law that asks the solver.

use std::cell::{OnceCell, RefCell};

use crate::chess::{Color, Move, Position};
use crate::winnability::forced_mate::{Forced, forced_mate};
use crate::winnability::{Solver, Winnability, Witness, dead};

/// Whether a side can still mate by any series of legal moves (FIDE Laws 2023 art. 5.2.2, 6.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CanWin {
    /// It can.
    Yes,
    /// It cannot, by proof.
    No,
    /// Neither was found within the budget.
    Unknown,
}

impl CanWin {
    /// Name in CSV and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            CanWin::Yes => "can",
            CanWin::No => "cannot",
            CanWin::Unknown => "unknown",
        }
    }
}

/// The evidence that a "yes" needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The solver's word, be it that the position is evidently open.
    Word,
    /// Legal moves that end with mate.
    Line,
}

/// The chances of both sides in one position. The solver is asked each question once.
pub struct Prospects<'a> {
    position: &'a Position,
    solver: &'a RefCell<Solver>,
    answers: [OnceCell<Winnability>; 2],
    /// A line to mate, or the positions searched in vain.
    lines: [OnceCell<Result<Vec<Move>, u64>>; 2],
}

impl<'a> Prospects<'a> {
    /// Asks nothing yet.
    pub fn new(position: &'a Position, solver: &'a RefCell<Solver>) -> Prospects<'a> {
        Prospects {
            position,
            solver,
            answers: Default::default(),
            lines: Default::default(),
        }
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    fn answer(&self, side: Color) -> &Winnability {
        self.answers[side.index()]
            .get_or_init(|| self.solver.borrow_mut().can_win(self.position, side))
    }

    /// Whether White and whether Black can still mate, on the solver's word.
    #[inline]
    pub fn each(&self) -> [CanWin; 2] {
        if self.answers.iter().all(|answer| answer.get().is_none()) {
            let answers = self.solver.borrow_mut().can_win_each(self.position);
            for (cell, answer) in self.answers.iter().zip(answers) {
                let _ = cell.set(answer);
            }
        }
        Color::ALL.map(|side| self.can_win(side, Evidence::Word))
    }

    /// Whether a side can still mate.
    pub fn can_win(&self, side: Color, evidence: Evidence) -> CanWin {
        match self.answer(side) {
            Winnability::Winnable(_) if evidence == Evidence::Word => CanWin::Yes,
            Winnability::Winnable(_) => match self.line(side) {
                Some(_) => CanWin::Yes,
                None => CanWin::Unknown,
            },
            Winnability::Unwinnable(_) => CanWin::No,
            Winnability::Unknown { .. } => CanWin::Unknown,
        }
    }

    /// Whether neither side can mate, by proof.
    pub fn is_dead(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|side| matches!(self.answer(side), Winnability::Unwinnable(_)))
    }

    /// Legal moves that end with mate by a side, if they are found.
    pub fn line(&self, side: Color) -> Option<&[Move]> {
        let Winnability::Winnable(witness) = self.answer(side) else {
            return None;
        };
        let line = self.lines[side.index()].get_or_init(|| match witness {
            Witness::Line(line) => Ok(line.clone()),
            Witness::Heuristic => {
                let mut solver = self.solver.borrow_mut();
                let line = solver.mating_line(self.position, side);
                line.ok_or_else(|| solver.nodes())
            }
        });
        line.as_deref().ok()
    }

    /// The proof that a side cannot win, in a few words: `closure of 1,152 positions`.
    pub fn proof(&self, side: Color) -> Option<String> {
        match self.answer(side) {
            Winnability::Unwinnable(ground) => Some(ground.to_string()),
            Winnability::Winnable(_) | Winnability::Unknown { .. } => None,
        }
    }

    /// Positions searched for a side without an answer.
    pub fn searched(&self, side: Color) -> Option<u64> {
        match (self.answer(side), self.lines[side.index()].get()) {
            (Winnability::Unknown { nodes }, _) | (_, Some(Err(nodes))) => Some(*nodes),
            _ => None,
        }
    }

    /// Whether a side can force mate, with this many positions kept at most.
    pub fn forced_mate(&self, side: Color, states: u64) -> Forced {
        forced_mate(self.position, side, states)
    }

    /// Whether another position is dead, by proof.
    pub fn is_dead_at(&self, position: &Position) -> bool {
        dead(&mut self.solver.borrow_mut(), position) == Some(true)
    }
}
