//! The questions in their order, cheap ones first.

use std::mem;

use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::winnability::closure;
use crate::winnability::closure::{ClosureProof, Found};
use crate::winnability::evident::evident;
use crate::winnability::forced;
use crate::winnability::forced::Forced;
use crate::winnability::helpmate;
use crate::winnability::helpmate::{Aim, Frontier, Leaf};
use crate::winnability::lever::Lever;
use crate::winnability::plan::{Plan, Plans};
use crate::winnability::states::States;
use crate::winnability::{Ground, Winnability, Witness, cha, is_insufficient, reach};

/// Answers who can still win. It keeps scratch memory from one question to the next; each thread should have its own.
pub struct Solver {
    states: States,
    /// All positions that could arise from the one that was last found dead by going through them.
    dead: States,
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
            dead: States::default(),
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
        self.ask(position, side, |position| {
            evident(position, None, &[side])[side.index()]
        })
    }

    /// Whether White and whether Black can still mate by any series of legal moves.
    pub fn can_win_each(&mut self, position: &Position) -> [Winnability; 2] {
        let mut known = None;
        Color::ALL.map(|side| {
            self.ask(position, side, |position| {
                known.get_or_insert_with(|| evident(position, None, &Color::ALL))[side.index()]
            })
        })
    }

    fn ask(
        &mut self,
        position: &Position,
        side: Color,
        is_evident: impl FnOnce(&Position) -> bool,
    ) -> Winnability {
        self.nodes = 0;
        if is_insufficient(position.board(), side) {
            return if position.turn() != side && position.is_checkmate() {
                Winnability::Winnable(Witness::Line(Vec::new()))
            } else {
                Winnability::Unwinnable(Ground::Material)
            };
        }
        // No game leads to a greater crowd, and what would be evident there, no other program could confirm.
        let is_crowded = Color::ALL
            .into_iter()
            .any(|color| position.board().color(color).count() > 16);
        if is_crowded {
            return self.look_closely(position, side, Leaf::Mate);
        }
        if is_evident(position) {
            return Winnability::Winnable(Witness::Evident);
        }
        if self.dead.begins_with(position) {
            return Winnability::Unwinnable(Ground::Closure {
                states: self.dead.len() as u64,
            });
        }
        self.look_closely(position, side, Leaf::Evident)
    }

    /// Whether a position has been met on the way to another's being dead, and so is dead itself.
    pub(crate) fn remembers_as_dead(&self, position: &Position) -> bool {
        self.dead.contains(position)
    }

    /// A line of legal moves that ends with mate by `side`, no moves if it stands on the board; nothing if there is none or the budget does not suffice to find it.
    pub fn mating_line(&mut self, position: &Position, side: Color) -> Option<Vec<Move>> {
        self.nodes = 0;
        match self.look_closely(position, side, Leaf::Mate) {
            Winnability::Winnable(Witness::Line(line)) => Some(line),
            _ => None,
        }
    }

    /// A proof that `side` cannot win which can be checked independently; nothing if there is none within the budget.
    pub fn closure_proof(&mut self, position: &Position, side: Color) -> Option<ClosureProof> {
        let limit = usize::try_from(self.budget).unwrap_or(usize::MAX);
        let found = closure::close(&mut self.states, position, side, limit);
        self.nodes = self.states.len() as u64;
        matches!(found, Found::Nothing | Found::NothingForEither).then(|| ClosureProof {
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

    /// Everything but what is evident at once. Under the aim of [`Leaf::Evident`] a position found on the way will do
    /// from which a mate is evident.
    fn look_closely(&mut self, position: &Position, side: Color, leaf: Leaf) -> Winnability {
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
        let question = Question {
            position,
            side,
            leaf,
            plans: Plan::all(position, side),
        };
        for step in STEPS {
            if let Some(answer) = self.take(step, &question) {
                return answer;
            }
        }
        Winnability::Unknown { nodes: self.nodes }
    }

    /// Takes one step; nothing if that gives no answer.
    fn take(&mut self, step: Step, question: &Question<'_>) -> Option<Winnability> {
        let &Question {
            position,
            side,
            leaf,
            ref plans,
        } = question;
        let left = self.budget.saturating_sub(self.nodes) as usize;
        match step {
            Step::Walls(nodes) if is_wall(position) => self.close(position, side, nodes.min(left)),
            Step::Walls(_) => None,
            Step::Closure(nodes) => self.close(position, side, nodes.min(left)),
            Step::Plans(nodes) => plans
                .iter()
                .find_map(|plan| self.search(question, *plan, leaf, nodes.min(left))),
            Step::Lever(nodes) if leaf == Leaf::Evident => {
                self.search(question, Lever::new(side), leaf, nodes.min(left))
            }
            Step::Lever(nodes) => {
                self.by_way_of_the_evident(question, Lever::new(side), nodes.min(left))
            }
            Step::Cha if left < self.cost_of_cha() => None,
            Step::Cha => match cha::ask(position, side)? {
                cha::Answer::Unwinnable => Some(Winnability::Unwinnable(Ground::Solver)),
                cha::Answer::Winnable(line) => Some(Winnability::Winnable(Witness::Line(line))),
            },
        }
    }

    /// Looks for a mate, or what else serves as a leaf.
    fn search(
        &mut self,
        question: &Question<'_>,
        aim: impl Aim,
        leaf: Leaf,
        nodes: usize,
    ) -> Option<Winnability> {
        let found = self.find(question, aim, leaf, nodes);
        self.answer(found)
    }

    /// Searches, and counts what that took.
    fn find(&mut self, question: &Question<'_>, aim: impl Aim, leaf: Leaf, nodes: usize) -> Found {
        let Solver {
            states, frontier, ..
        } = self;
        let &Question { position, side, .. } = question;
        let found = helpmate::search(states, frontier, position, side, aim, leaf, nodes);
        self.nodes += self.states.len() as u64;
        found
    }

    /// Looks for a position from which a mate is evident, and for the mate from there.
    fn by_way_of_the_evident(
        &mut self,
        question: &Question<'_>,
        aim: impl Aim,
        nodes: usize,
    ) -> Option<Winnability> {
        let found = self.find(question, aim, Leaf::Evident, nodes);
        let Found::Evident(index) = found else {
            return self.answer(found);
        };
        let mut line = self.states.line_to(index);
        let open = self.states.position(index);
        let question = Question {
            position: &open,
            side: question.side,
            leaf: Leaf::Mate,
            plans: Plan::all(&open, question.side),
        };
        match self.take(Step::Plans(2000), &question)? {
            Winnability::Winnable(Witness::Line(rest)) => {
                line.extend(rest);
                Some(Winnability::Winnable(Witness::Line(line)))
            }
            _ => None,
        }
    }

    /// Goes through all positions that can arise.
    fn close(&mut self, position: &Position, side: Color, nodes: usize) -> Option<Winnability> {
        let found = closure::close(&mut self.states, position, side, nodes);
        self.nodes += self.states.len() as u64;
        self.answer(found)
    }

    fn answer(&mut self, found: Found) -> Option<Winnability> {
        let closure = |states: &States| {
            Winnability::Unwinnable(Ground::Closure {
                states: states.len() as u64,
            })
        };
        Some(match found {
            Found::Mate(index) => Winnability::Winnable(Witness::Line(self.states.line_to(index))),
            Found::Evident(_) => Winnability::Winnable(Witness::Evident),
            Found::Nothing => closure(&self.states),
            Found::NothingForEither => {
                mem::swap(&mut self.states, &mut self.dead);
                closure(&self.dead)
            }
            Found::Unfinished => return None,
        })
    }
}

/// What is to be found out.
struct Question<'a> {
    position: &'a Position,
    side: Color,
    leaf: Leaf,
    plans: Plans,
}

enum Step {
    /// All positions that can arise, where little can move.
    Walls(usize),
    /// A mate in a corner, by each plan.
    Plans(usize),
    /// A way for a pawn, so that a mate is evident.
    Lever(usize),
    /// All positions that can arise.
    Closure(usize),
    /// Another program.
    Cha,
}

/// With about how many positions for each.
const STEPS: [Step; 8] = [
    Step::Walls(3000),
    Step::Plans(200),
    Step::Lever(1000),
    Step::Closure(3000),
    Step::Lever(10_000),
    Step::Closure(100_000),
    Step::Cha,
    Step::Plans(20_000),
];

/// Whether there is nothing but kings, and pawns that stand before one another.
fn is_wall(position: &Position) -> bool {
    let board = position.board();
    let pawns = board.role(Role::Pawn);
    let kings = board.role(Role::King);
    let stuck = |color: Color| {
        let one_ahead = reach::one_ahead(color, board.of(color, Role::Pawn));
        one_ahead.without(pawns).is_empty()
    };
    board.occupied() == pawns | kings && Color::ALL.into_iter().all(stuck)
}
