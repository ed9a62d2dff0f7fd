//! The solver: cheap tests first, then searches with growing limits.

use std::mem;

use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::winnability::chasolver::{Answer, ask_chasolver};
use crate::winnability::heuristic::open_for;
use crate::winnability::pattern::{MatingPattern, MatingPatterns, PawnBreak};
use crate::winnability::reachability::{self, ClosureProof, SearchEnd, Visited};
use crate::winnability::search::{
    ForcedEnd, ForcedLine, Frontier, Goal, MoveOrdering, best_first, follow_forced_moves,
};
use crate::winnability::{Proof, Winnability, Witness};

/// Solver that keeps its memory between questions. Each thread should have its own.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::{Color, Position};
/// # use arbiter::winnability::{Solver, Winnability};
/// let position: Position = "8/8/4k3/8/8/3NK3/8/8 w - - 0 1".parse()?;
/// let mut solver = Solver::new(Solver::DEFAULT_NODES);
/// let answer = solver.can_win(&position, Color::White);
/// assert!(matches!(answer, Winnability::Unwinnable(_)));
/// # Ok::<(), arbiter::chess::PositionError>(())
/// ```
pub struct Solver {
    visited: Visited,
    /// All positions reachable from the one last found dead by exhaustive search.
    dead: Visited,
    frontier: Frontier,
    budget: u64,
    nodes: u64,
}

impl Solver {
    /// Default node limit of a question.
    pub const DEFAULT_NODES: u64 = 1_000_000;

    /// A solver that visits about `nodes` positions per question at most.
    ///
    /// `chasolver`, which has no limit, runs only if half of them are left when its turn comes, and
    /// 500,000 at least.
    pub fn new(nodes: u64) -> Solver {
        Solver {
            visited: Visited::default(),
            dead: Visited::default(),
            frontier: Frontier::default(),
            budget: nodes,
            nodes: 0,
        }
    }

    /// Positions visited for the last question, without those of `chasolver`.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether `side` can still mate by any series of legal moves.
    pub fn can_win(&mut self, position: &Position, side: Color) -> Winnability {
        self.ask(position, side, |position| {
            open_for(position, None, &[side])[side.index()]
        })
    }

    /// Whether White and whether Black can still mate by any series of legal moves.
    pub(crate) fn can_win_each(&mut self, position: &Position) -> [Winnability; 2] {
        let mut known = None;
        Color::ALL.map(|side| {
            self.ask(position, side, |position| {
                known.get_or_insert_with(|| open_for(position, None, &Color::ALL))[side.index()]
            })
        })
    }

    fn ask(
        &mut self,
        position: &Position,
        side: Color,
        is_open: impl FnOnce(&Position) -> bool,
    ) -> Winnability {
        self.nodes = 0;
        if position.board().has_insufficient_material(side) {
            return if position.turn() != side && position.is_checkmate() {
                Winnability::Winnable(Witness::Line(Vec::new()))
            } else {
                Winnability::Unwinnable(Proof::Material)
            };
        }
        // No game leads to more men, and no other program could confirm the heuristic there.
        let is_crowded = Color::ALL
            .into_iter()
            .any(|color| position.board().color(color).count() > 16);
        if is_crowded {
            return self.solve(position, side, Goal::Mate);
        }
        if is_open(position) {
            return Winnability::Winnable(Witness::Heuristic);
        }
        if self.dead.begins_with(position) {
            return Winnability::Unwinnable(Proof::Closure {
                positions: self.dead.len() as u64,
            });
        }
        self.solve(position, side, Goal::Open)
    }

    /// Whether a position is reachable from the one last found dead, and so is dead itself.
    pub(crate) fn remembers_as_dead(&self, position: &Position) -> bool {
        self.dead.contains(position)
    }

    /// Legal moves that end with mate by `side`, none if it is on the board; `None` if there is no
    /// such line or it was not found within the node limit.
    pub fn mating_line(&mut self, position: &Position, side: Color) -> Option<Vec<Move>> {
        self.nodes = 0;
        match self.solve(position, side, Goal::Mate) {
            Winnability::Winnable(Witness::Line(line)) => Some(line),
            _ => None,
        }
    }

    /// Proof that `side` cannot win, to be checked independently; `None` if there is none within
    /// the node limit.
    pub fn closure_proof(&mut self, position: &Position, side: Color) -> Option<ClosureProof> {
        let limit = usize::try_from(self.budget).unwrap_or(usize::MAX);
        let found = reachability::search_all(&mut self.visited, position, side, limit);
        self.nodes = self.visited.len() as u64;
        matches!(found, SearchEnd::Nothing | SearchEnd::NothingForEither).then(|| ClosureProof {
            root: position.clone(),
            side,
            states: self.visited.all().collect(),
        })
    }

    /// Nodes that must be left for `chasolver` to run.
    fn chasolver_reserve(&self) -> usize {
        usize::try_from(self.budget / 2)
            .unwrap_or(usize::MAX)
            .max(500_000)
    }

    /// All tests but those of the root's material and openness. For [`Goal::Open`] a position that
    /// the heuristic accepts is as good as a mate.
    fn solve(&mut self, position: &Position, side: Color, goal: Goal) -> Winnability {
        match follow_forced_moves(position, side) {
            ForcedLine::Mate(line) => return Winnability::Winnable(Witness::Line(line)),
            ForcedLine::NoMate(moves, end) => {
                return Winnability::Unwinnable(if moves.is_empty() {
                    match end {
                        ForcedEnd::Mated => Proof::Mated,
                        ForcedEnd::Stalemate => Proof::Stalemate,
                        _ => Proof::Material,
                    }
                } else {
                    Proof::ForcedLine { moves, end }
                });
            }
            ForcedLine::Choice => {}
        }
        let question = Question {
            position,
            side,
            goal,
            patterns: MatingPattern::all(position, side),
        };
        for stage in STAGES {
            if let Some(answer) = self.run_stage(stage, &question) {
                return answer;
            }
        }
        Winnability::Unknown { nodes: self.nodes }
    }

    /// Runs one stage; `None` if it gives no answer.
    fn run_stage(&mut self, stage: Stage, question: &Question<'_>) -> Option<Winnability> {
        let &Question {
            position,
            side,
            goal,
            ref patterns,
        } = question;
        let left = self.budget.saturating_sub(self.nodes) as usize;
        match stage {
            Stage::LockedPawns(nodes) if has_locked_pawns_only(position) => {
                self.close(position, side, nodes.min(left))
            }
            Stage::LockedPawns(_) => None,
            Stage::Reachability(nodes) => self.close(position, side, nodes.min(left)),
            Stage::Patterns(nodes) => patterns
                .iter()
                .find_map(|pattern| self.search(question, *pattern, goal, nodes.min(left))),
            Stage::PawnBreak(nodes) if goal == Goal::Open => {
                self.search(question, PawnBreak::new(side), goal, nodes.min(left))
            }
            Stage::PawnBreak(nodes) => {
                self.through_open_position(question, PawnBreak::new(side), nodes.min(left))
            }
            Stage::ChaSolver if left < self.chasolver_reserve() => None,
            Stage::ChaSolver => match ask_chasolver(position, side)? {
                Answer::Unwinnable => Some(Winnability::Unwinnable(Proof::Solver)),
                Answer::Winnable(line) => Some(Winnability::Winnable(Witness::Line(line))),
            },
        }
    }

    /// Searches for a goal.
    fn search(
        &mut self,
        question: &Question<'_>,
        ordering: impl MoveOrdering,
        goal: Goal,
        nodes: usize,
    ) -> Option<Winnability> {
        let found = self.find(question, ordering, goal, nodes);
        self.answer(found)
    }

    /// Searches, and counts the nodes.
    fn find(
        &mut self,
        question: &Question<'_>,
        ordering: impl MoveOrdering,
        goal: Goal,
        nodes: usize,
    ) -> SearchEnd {
        let Solver {
            visited, frontier, ..
        } = self;
        let &Question { position, side, .. } = question;
        let found = best_first(visited, frontier, position, side, ordering, goal, nodes);
        self.nodes += self.visited.len() as u64;
        found
    }

    /// Searches for a position that the heuristic accepts, and for the mate from there.
    fn through_open_position(
        &mut self,
        question: &Question<'_>,
        ordering: impl MoveOrdering,
        nodes: usize,
    ) -> Option<Winnability> {
        let found = self.find(question, ordering, Goal::Open, nodes);
        let SearchEnd::Open(index) = found else {
            return self.answer(found);
        };
        let mut line = self.visited.line_to(index);
        let open = self.visited.position(index);
        let question = Question {
            position: &open,
            side: question.side,
            goal: Goal::Mate,
            patterns: MatingPattern::all(&open, question.side),
        };
        match self.run_stage(Stage::Patterns(2000), &question)? {
            Winnability::Winnable(Witness::Line(rest)) => {
                line.extend(rest);
                Some(Winnability::Winnable(Witness::Line(line)))
            }
            _ => None,
        }
    }

    /// Visits all positions that can arise.
    fn close(&mut self, position: &Position, side: Color, nodes: usize) -> Option<Winnability> {
        let found = reachability::search_all(&mut self.visited, position, side, nodes);
        self.nodes += self.visited.len() as u64;
        self.answer(found)
    }

    fn answer(&mut self, found: SearchEnd) -> Option<Winnability> {
        let closure = |visited: &Visited| {
            Winnability::Unwinnable(Proof::Closure {
                positions: visited.len() as u64,
            })
        };
        Some(match found {
            SearchEnd::Mate(index) => {
                Winnability::Winnable(Witness::Line(self.visited.line_to(index)))
            }
            SearchEnd::Open(_) => Winnability::Winnable(Witness::Heuristic),
            SearchEnd::Nothing => closure(&self.visited),
            SearchEnd::NothingForEither => {
                mem::swap(&mut self.visited, &mut self.dead);
                closure(&self.dead)
            }
            SearchEnd::Unfinished => return None,
        })
    }
}

/// Position and side, with the goal of the searches.
struct Question<'a> {
    position: &'a Position,
    side: Color,
    goal: Goal,
    patterns: MatingPatterns,
}

enum Stage {
    /// Visits all positions, if there are only kings and locked pawns.
    LockedPawns(usize),
    /// Searches for each mate in a corner.
    Patterns(usize),
    /// Searches for a pawn break.
    PawnBreak(usize),
    /// Visits all positions that can arise.
    Reachability(usize),
    /// Asks `chasolver`.
    ChaSolver,
}

/// The stages with their node limits.
const STAGES: [Stage; 8] = [
    Stage::LockedPawns(3000),
    Stage::Patterns(200),
    Stage::PawnBreak(1000),
    Stage::Reachability(3000),
    Stage::PawnBreak(10_000),
    Stage::Reachability(100_000),
    Stage::ChaSolver,
    Stage::Patterns(20_000),
];

/// Whether there are only kings and pawns that block one another.
fn has_locked_pawns_only(position: &Position) -> bool {
    let board = position.board();
    let pawns = board.role(Role::Pawn);
    let kings = board.role(Role::King);
    let stuck = |color: Color| {
        let ahead = board.of(color, Role::Pawn).ahead(color);
        ahead.without(pawns).is_empty()
    };
    board.occupied() == pawns | kings && Color::ALL.into_iter().all(stuck)
}
