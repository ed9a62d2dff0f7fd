//! The questions in their order, cheap ones first.

use super::closure::{self, ClosureProof, Found};
use super::forced::{self, Forced};
use super::helpmate::{self, Frontier};
use super::plan::Plan;
use super::states::States;
use super::{Ground, Winnability, Witness, cha, evident, is_insufficient};
use crate::rules::moves::Move;
use crate::rules::piece::Color;
use crate::rules::position::Position;

/// Answers who can still win. It keeps scratch memory from one question to the next; each thread should have its own.
pub struct Solver {
    states: States,
    frontier: Frontier,
    budget: u64,
    nodes: u64,
}

impl Solver {
    /// Positions a question may cost where nobody says otherwise.
    pub const DEFAULT_NODES: u64 = 1_000_000;

    /// A solver that looks at no more than about so many positions for each question. `chasolver`, which cannot be
    /// limited, is asked only if half of them are left when its turn comes, and 500,000 at least.
    pub fn new(nodes: u64) -> Solver {
        Solver {
            states: States::default(),
            frontier: Frontier::default(),
            budget: nodes,
            nodes: 0,
        }
    }

    /// Positions looked at for the last question, without those `chasolver` has seen.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether `side` can still mate by any series of legal moves.
    pub fn can_win(&mut self, position: &Position, side: Color) -> Winnability {
        self.nodes = 0;
        if is_insufficient(position.board(), side) {
            return if position.turn() != side && position.is_checkmate() {
                Winnability::Winnable(Witness::Line(Vec::new()))
            } else {
                Winnability::Unwinnable(Ground::Material)
            };
        }
        if evident::is_evident(position, side) {
            return Winnability::Winnable(Witness::Evident);
        }
        self.look_closely(position, side)
    }

    /// A line of legal moves that ends with mate by `side`, no moves if it stands on the board; nothing if there is none or the budget does not suffice to find it.
    pub fn mating_line(&mut self, position: &Position, side: Color) -> Option<Vec<Move>> {
        self.nodes = 0;
        match self.look_closely(position, side) {
            Winnability::Winnable(Witness::Line(line)) => Some(line),
            _ => None,
        }
    }

    /// A proof that `side` cannot win which can be checked independently; nothing if there is none within the budget.
    pub fn closure_proof(&mut self, position: &Position, side: Color) -> Option<ClosureProof> {
        let limit = usize::try_from(self.budget).unwrap_or(usize::MAX);
        let found = closure::close(&mut self.states, position, side, limit);
        self.nodes = self.states.len() as u64;
        (found == Found::Nothing).then(|| ClosureProof {
            root: position.clone(),
            side,
            states: self.states.all().collect(),
        })
    }

    /// What must be left of the budget for `chasolver` to be asked.
    fn cost_of_cha(&self) -> usize {
        usize::try_from(self.budget / 2)
            .unwrap_or(usize::MAX)
            .max(500_000)
    }

    /// Everything but what is evident.
    fn look_closely(&mut self, position: &Position, side: Color) -> Winnability {
        match forced::follow(position, side) {
            Forced::Mate(line) => return Winnability::Winnable(Witness::Line(line)),
            Forced::NoMate(moves, end) => {
                return Winnability::Unwinnable(if moves.is_empty() {
                    match end {
                        forced::ForcedEnd::Mated => Ground::Mated,
                        forced::ForcedEnd::Stalemate => Ground::Stalemate,
                        _ => Ground::Material,
                    }
                } else {
                    Ground::ForcedLine { moves, end }
                });
            }
            Forced::Choice => {}
        }
        let plans = Plan::all(position, side);
        for step in STEPS {
            let left = self.budget.saturating_sub(self.nodes) as usize;
            let found = match step {
                Step::Plans(nodes) => {
                    let mut found = Found::Unfinished;
                    for plan in &plans {
                        let limit = nodes.min(left);
                        found = helpmate::search(
                            &mut self.states,
                            &mut self.frontier,
                            position,
                            side,
                            *plan,
                            limit,
                        );
                        self.nodes += self.states.len() as u64;
                        if found != Found::Unfinished {
                            break;
                        }
                    }
                    found
                }
                Step::Closure(nodes) => {
                    let found = closure::close(&mut self.states, position, side, nodes.min(left));
                    self.nodes += self.states.len() as u64;
                    found
                }
                Step::Cha if left < self.cost_of_cha() => Found::Unfinished,
                Step::Cha => {
                    match cha::ask(position, side) {
                        Some(cha::Answer::Unwinnable) => {
                            return Winnability::Unwinnable(Ground::Solver);
                        }
                        Some(cha::Answer::Winnable(line)) => {
                            return Winnability::Winnable(Witness::Line(line));
                        }
                        None => {}
                    }
                    Found::Unfinished
                }
            };
            match found {
                Found::Mate(index) => {
                    return Winnability::Winnable(Witness::Line(self.states.line_to(index)));
                }
                Found::Nothing => {
                    return Winnability::Unwinnable(Ground::Closure {
                        states: self.states.len() as u64,
                    });
                }
                Found::Unfinished => {}
            }
        }
        Winnability::Unknown { nodes: self.nodes }
    }
}

enum Step {
    Plans(usize),
    Closure(usize),
    Cha,
}

const STEPS: [Step; 5] = [
    Step::Plans(200),
    Step::Closure(3000),
    Step::Plans(2000),
    Step::Closure(100_000),
    Step::Cha,
];
