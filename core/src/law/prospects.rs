//! Who can still win, by the one place of the law that asks the solver, and what a fallen flag
//! means (FIDE Laws 2023 art. 6.9).

use std::cell::{OnceCell, RefCell};

use strum::IntoStaticStr;

use crate::chess::{Color, Move, Position};
use crate::law::rulesets::{FlagFall, TooLittle, amount};
use crate::law::{Loss, RuleSet};
use crate::winnability::forced_mate::{Forced, forced_mate};
use crate::winnability::{Proof, SearchLimits, Solver, Unfinished, Winnability, Witness, dead};

/// Whether a side can still mate by any series of legal moves (FIDE Laws 2023 art. 5.2.2, 6.9).
/// The names are those in CSV and JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
pub enum CanWin {
    /// It can.
    #[strum(serialize = "can")]
    Yes,
    /// It cannot, by proof.
    #[strum(serialize = "cannot")]
    No,
    /// Neither was found within the budget.
    #[strum(serialize = "unknown")]
    Unknown,
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
    /// Position whose prospects they are.
    pub position: &'a Position,
    solver: &'a RefCell<Solver>,
    answers: [OnceCell<Winnability>; 2],
    /// A line to mate, or the search that was in vain.
    lines: [OnceCell<Result<Vec<Move>, Unfinished>>; 2],
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

    fn answer(&self, side: Color) -> &Winnability {
        self.answers[side.index()]
            .get_or_init(|| self.solver.borrow_mut().can_win(self.position, side))
    }

    /// Whether White and whether Black can still mate, on the solver's word.
    #[inline]
    pub(crate) fn each(&self) -> [CanWin; 2] {
        if self.answers.iter().all(|answer| answer.get().is_none()) {
            let answers = self.solver.borrow_mut().can_win_each(self.position);
            for (cell, answer) in self.answers.iter().zip(answers) {
                let _ = cell.set(answer);
            }
        }
        Color::ALL.map(|side| self.can_win(side, Evidence::Word))
    }

    /// Whether a side can still mate.
    pub(crate) fn can_win(&self, side: Color, evidence: Evidence) -> CanWin {
        match self.answer(side) {
            Winnability::Winnable(_) if evidence == Evidence::Word => CanWin::Yes,
            Winnability::Winnable(_) if self.line(side).is_some() => CanWin::Yes,
            Winnability::Unwinnable(_) => CanWin::No,
            Winnability::Winnable(_) | Winnability::Unknown(_) => CanWin::Unknown,
        }
    }

    /// Whether neither side can mate, by proof.
    pub(crate) fn is_dead(&self) -> bool {
        Color::ALL.map(|side| self.proof(side).is_some()) == [true; 2]
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
                line.ok_or_else(|| solver.spent)
            }
        });
        line.as_deref().ok()
    }

    /// The proof that a side cannot win.
    pub(crate) fn proof(&self, side: Color) -> Option<&Proof> {
        match self.answer(side) {
            Winnability::Unwinnable(proof) => Some(proof),
            Winnability::Winnable(_) | Winnability::Unknown(_) => None,
        }
    }

    /// The search for a side without an answer.
    pub fn unfinished(&self, side: Color) -> Option<Unfinished> {
        match (self.answer(side), self.lines[side.index()].get()) {
            (Winnability::Unknown(search), _) | (_, Some(Err(search))) => Some(*search),
            _ => None,
        }
    }

    /// Whether another position is dead, by proof.
    pub(crate) fn is_dead_at(&self, position: &Position) -> bool {
        dead(&mut self.solver.borrow_mut(), position) == Some(true)
    }
}

/// Decision on a fallen flag, and its ground.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LossDecision {
    /// There is no such rule.
    NoRule,
    /// The source does not say.
    Undefined,
    /// Lost: there is no exception.
    NoException,
    /// Lost or drawn: whether the opponent can mate by some series of legal moves.
    Helpmate(CanWin),
    /// Lost: the opponent has more than this.
    EnoughMaterial(TooLittle),
    /// Drawn: the opponent has only this.
    TooLittleMaterial(TooLittle),
    /// Lost or drawn: the opponent has little material, and may mate by force.
    ForcedMate(Forced),
    /// Drawn unless a forced win is shown: two knights mate by force in few positions, most of them
    /// in few moves, and this search found no mate (US Chess 14E3).
    TwoKnights(Unfinished),
}

/// Whether a win stands that needs a winner who can mate; the best for the winner first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Win {
    /// The position does not change the claim.
    Stands,
    /// The game is drawn unless a forced win is shown, and none was found in this many positions.
    NotShown(u64),
    /// The proof was not found.
    Unknown,
    /// The rule set does not say.
    NotCovered,
    /// The game is drawn.
    Drawn,
}

impl LossDecision {
    /// Whether the opponent wins.
    pub(crate) fn win(&self) -> Win {
        match self {
            LossDecision::NoRule | LossDecision::Undefined => Win::NotCovered,
            LossDecision::NoException
            | LossDecision::EnoughMaterial(_)
            | LossDecision::Helpmate(CanWin::Yes)
            | LossDecision::ForcedMate(Forced::Mate(_)) => Win::Stands,
            LossDecision::TooLittleMaterial(_)
            | LossDecision::Helpmate(CanWin::No)
            | LossDecision::ForcedMate(Forced::Avoidable { .. }) => Win::Drawn,
            LossDecision::Helpmate(CanWin::Unknown)
            | LossDecision::ForcedMate(Forced::Unknown(_)) => Win::Unknown,
            LossDecision::TwoKnights(search) => Win::NotShown(search.nodes),
        }
    }
}

/// Decides the game of the side that has lost it, unless it was over otherwise. A search for a
/// forced mate keeps at most `states` positions.
pub fn judge_loss(
    rules: &RuleSet,
    loss: Loss,
    opponent: Color,
    prospects: &Prospects<'_>,
    evidence: Evidence,
    limits: SearchLimits,
) -> LossDecision {
    let board = prospects.position.board();
    let can_win = |evidence| prospects.can_win(opponent, evidence);
    match rules.result_of(loss) {
        FlagFall::Absent => LossDecision::NoRule,
        FlagFall::Undefined if loss == Loss::Resignation && can_win(evidence) == CanWin::Yes => {
            LossDecision::Helpmate(CanWin::Yes)
        }
        FlagFall::Undefined => LossDecision::Undefined,
        FlagFall::Loses => LossDecision::NoException,
        FlagFall::Helpmate => LossDecision::Helpmate(can_win(evidence)),
        FlagFall::Material(set) if set.holds(board, opponent) => {
            LossDecision::TooLittleMaterial(set)
        }
        FlagFall::Material(set) => LossDecision::EnoughMaterial(set),
        FlagFall::ForcedMate(set) if !set.holds(board, opponent) => match can_win(evidence) {
            CanWin::Yes => LossDecision::EnoughMaterial(set),
            other => LossDecision::Helpmate(other),
        },
        FlagFall::ForcedMate(_) if can_win(Evidence::Word) == CanWin::No => {
            LossDecision::Helpmate(CanWin::No)
        }
        FlagFall::ForcedMate(_) => match forced_mate(prospects.position, opponent, limits) {
            Forced::Unknown(search) if amount(board, opponent) > 1 => {
                LossDecision::TwoKnights(search)
            }
            forced => LossDecision::ForcedMate(forced),
        },
    }
}
