//! The solver: cheap tests first, then searches with growing limits.

use std::mem;

use crate::chess::moves::Move;
use crate::chess::packed::PackedPosition;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::winnability::certificate::Certificate;
use crate::winnability::helpmates::Helpmates;
use crate::winnability::helpmates::search::SearchEnd;
use crate::winnability::helpmates::visited::Visited;
use crate::winnability::heuristic::open_for;
use crate::winnability::reachability::{self, follow_forced_moves};
use crate::winnability::walls::{self, Walls};
use crate::winnability::{Proof, SearchLimits, Unfinished, Winnability, Witness};

/// Solver that keeps its memory between questions. Each thread should have its own.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Color, Position};
/// # use chess_arbiter_core::winnability::{SearchLimits, Solver, Winnability};
/// let position: Position = "8/8/4k3/8/8/3NK3/8/8 w - - 0 1".parse()?;
/// let mut solver = Solver::new(SearchLimits::DEFAULT);
/// let answer = solver.can_win(&position, Color::White);
/// assert!(matches!(answer, Winnability::Unwinnable(_)));
/// # Ok::<(), chess_arbiter_core::chess::PositionError>(())
/// ```
pub struct Solver {
    helpmates: Helpmates,
    visited: Visited,
    walls: Walls,
    /// All positions reachable from the one last found dead by exhaustive search.
    pub(super) dead: Visited,
    limits: SearchLimits,
    /// Cost of the last question.
    pub(crate) spent: Unfinished,
}

impl Solver {
    /// A solver with limits, or with a limit of positions and the default limit of the memory.
    pub fn new(limits: impl Into<SearchLimits>) -> Solver {
        Solver {
            helpmates: Helpmates::default(),
            visited: Visited::default(),
            walls: Walls::default(),
            dead: Visited::default(),
            limits: limits.into(),
            spent: Unfinished::default(),
        }
    }

    /// Whether `side` can still mate by any series of legal moves.
    pub fn can_win(&mut self, position: &Position, side: Color) -> Winnability {
        self.ask(position, side, |position| {
            open_for(position, &[side])[side.index()]
        })
    }

    /// Whether White and whether Black can still mate by any series of legal moves.
    pub(crate) fn can_win_each(&mut self, position: &Position) -> [Winnability; 2] {
        let mut known = None;
        Color::ALL.map(|side| {
            self.ask(position, side, |position| {
                known.get_or_insert_with(|| open_for(position, &Color::ALL))[side.index()]
            })
        })
    }

    fn ask(
        &mut self,
        position: &Position,
        side: Color,
        is_open: impl FnOnce(&Position) -> bool,
    ) -> Winnability {
        self.spent.nodes = 0;
        let board = position.board();
        if board.has_insufficient_material(side) {
            return if position.turn() != side && position.is_checkmate() {
                Winnability::Winnable(Witness::Line(Vec::new()))
            } else {
                Winnability::Unwinnable(Proof::Material)
            };
        }
        // No game leads to more men, and nothing could confirm the heuristic there.
        let mut sides = Color::ALL.into_iter();
        let is_crowded = sides.any(|side| board.color(side).count() > 16);
        if !is_crowded && is_open(position) {
            return Winnability::Winnable(Witness::Heuristic);
        }
        if self.dead.begins_with(position) {
            let positions = self.dead.len() as u64;
            return Winnability::Unwinnable(Proof::Closure { positions, sets: 0 });
        }
        if let Some(answer) = follow_forced_moves(position, side) {
            return answer;
        }
        if !is_crowded && self.leads_to_open(position, side) {
            return Winnability::Winnable(Witness::Heuristic);
        }
        self.search(position, side)
    }

    /// Legal moves that end with mate by `side`, none if it is on the board; `None` if there is no
    /// such line or it was not found within the limits.
    pub fn mating_line(&mut self, position: &Position, side: Color) -> Option<Vec<Move>> {
        self.spent.nodes = 0;
        let answer = follow_forced_moves(position, side);
        match answer.unwrap_or_else(|| self.search(position, side)) {
            Winnability::Winnable(Witness::Line(line)) => Some(line),
            _ => None,
        }
    }

    /// Whether the heuristic accepts a position that can arise, by a short search.
    fn leads_to_open(&mut self, position: &Position, side: Color) -> bool {
        let is_open = |position: &Position| open_for(position, &[side])[side.index()];
        let nodes = self.nodes_left();
        let leads_to_open = self.helpmates.leads_to(position, side, nodes, is_open);
        self.spent.nodes += self.helpmates.nodes;
        leads_to_open
    }

    fn nodes_left(&self) -> u64 {
        self.limits.nodes.saturating_sub(self.spent.nodes)
    }

    /// Searches in stages until one gives an answer.
    fn search(&mut self, position: &Position, side: Color) -> Winnability {
        self.walls.clear();
        self.spent.is_out_of_memory = false;
        for stage in STAGES {
            if let Some(answer) = self.run_stage(stage, position, side) {
                return answer;
            }
        }
        Winnability::Unknown(self.spent)
    }

    /// Proof that `side` cannot win, to be checked independently; `None` if there is none within
    /// the limits.
    pub fn certificate(&mut self, position: &Position, side: Color) -> Option<Certificate> {
        self.dead.clear();
        self.walls.clear();
        let Winnability::Unwinnable(proof) = self.can_win(position, side) else {
            return None;
        };
        let mut positions = Vec::new();
        match proof {
            Proof::Closure { .. } => {
                let visited = match self.dead.len() {
                    0 => &self.visited,
                    _ => &self.dead,
                };
                let is_single = |position: &PackedPosition| !self.walls.contain(&position.unpack());
                positions.extend(visited.all().filter(is_single));
            }
            Proof::ForcedLine { moves, .. } => {
                let mut position = position.clone();
                positions.push(PackedPosition::of(&position));
                for mv in moves {
                    position.play_unchecked(mv);
                    positions.push(PackedPosition::of(&position));
                }
            }
            Proof::Mated | Proof::Stalemate | Proof::Material => {
                positions.push(PackedPosition::of(position));
            }
        }
        Some(Certificate {
            root: position.clone(),
            side,
            positions,
            confinements: self.walls.list.to_vec(),
        })
    }

    /// Runs one stage; `None` if it gives no answer.
    fn run_stage(&mut self, stage: Stage, position: &Position, side: Color) -> Option<Winnability> {
        let left = self.nodes_left();
        match stage {
            _ if left == 0 => None,
            Stage::Lines(nodes) => {
                let nodes = nodes.min(left);
                if nodes > LARGE {
                    self.visited = Visited::default();
                    self.dead = Visited::default();
                }
                let limits = SearchLimits {
                    nodes,
                    ..self.limits
                };
                let line = self.helpmates.find_line(position, side, limits);
                self.spent.nodes += self.helpmates.nodes;
                if nodes > LARGE {
                    self.helpmates.release();
                }
                line.map(|line| Winnability::Winnable(Witness::Line(line)))
            }
            Stage::Walls(sets) => {
                let affordable = usize::try_from(left / walls::SET_NODES).unwrap_or(usize::MAX);
                let sets = sets
                    .min(affordable)
                    .min(self.limits.memory / walls::SET_BYTES);
                let before = self.walls.nodes();
                let proved = self.walls.prove(position, side, sets);
                self.spent.nodes += self.walls.nodes() - before;
                self.visited.clear();
                proved.then(|| self.closure())
            }
            Stage::Closure(nodes) => {
                let is_last = nodes == u64::MAX;
                let limits = SearchLimits {
                    nodes: nodes.min(left),
                    ..self.limits
                };
                let (visited, walls) = (&mut self.visited, &mut self.walls);
                let before = walls.nodes();
                let reached =
                    reachability::search_all(visited, walls, position, side, limits, is_last);
                let nodes = self.visited.len() as u64 + self.walls.nodes() - before;
                self.spent.nodes += nodes;
                match reached {
                    SearchEnd::Mate(index) => Some(Winnability::Winnable(Witness::Line(
                        self.visited.line_to(index),
                    ))),
                    SearchEnd::Nothing => Some(self.closure()),
                    SearchEnd::NothingForEither => {
                        let answer = self.closure();
                        mem::swap(&mut self.visited, &mut self.dead);
                        Some(answer)
                    }
                    SearchEnd::Open(_) | SearchEnd::Unfinished => {
                        self.spent.is_out_of_memory = is_last && nodes < limits.nodes;
                        None
                    }
                }
            }
        }
    }

    fn closure(&self) -> Winnability {
        Winnability::Unwinnable(Proof::Closure {
            positions: self.visited.len() as u64,
            sets: self.walls.list.len() as u64,
        })
    }
}

#[derive(Clone, Copy)]
enum Stage {
    /// Searches for a line to mate, in about this many positions.
    Lines(u64),
    /// Looks for walls, in this many sets of positions.
    Walls(usize),
    /// Visits all positions that can arise, and this many at most.
    Closure(u64),
}

/// The stages with their limits. The last one takes all nodes that are left.
const STAGES: [Stage; 10] = [
    Stage::Lines(100),
    Stage::Walls(64),
    Stage::Lines(3000),
    Stage::Closure(3000),
    Stage::Walls(1000),
    Stage::Lines(30_000),
    Stage::Closure(300_000),
    Stage::Lines(300_000),
    Stage::Walls(60_000),
    Stage::Closure(u64::MAX),
];

/// A search for a line in more positions has the memory for itself.
const LARGE: u64 = 100_000;
