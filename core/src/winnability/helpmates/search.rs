//! Best-first search for a mate with the other side's help.

use std::collections::VecDeque;

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::winnability::helpmates::visited::{NodeId, Visit, Visited};

/// Result of a search through positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchEnd {
    /// Found a mate by the side.
    Mate(NodeId),
    /// Found a position from which a mate is planned.
    Open(NodeId),
    /// Visited every position; none is a mate by the side.
    Nothing,
    /// Visited every position; none is a mate by either side.
    NothingForEither,
    /// Reached the limit.
    Unfinished,
}

/// Order in which a search tries the moves of a position.
pub(crate) trait MoveOrdering {
    /// Prepares for the moves of a position.
    fn prepare(&mut self, position: &Position);

    /// Promise of a move of the position that was prepared for: more is better, and a move below 0
    /// leads away from the goal.
    fn score(&self, position: &Position, mv: Move) -> i32;
}

/// Cost of a move that is not the best of its position.
#[inline]
fn cost(score: i32) -> usize {
    match score {
        1.. => 0,
        0 => 1,
        _ => 3,
    }
}

/// Moves to try, the newest of the cheapest first, so that a line goes on while it is promising.
pub(crate) type Frontier = Buckets<(NodeId, Move)>;

/// Queue of items by cost (a bucket queue).
pub(crate) struct Buckets<T> {
    by_cost: Vec<VecDeque<T>>,
    cheapest: usize,
    /// Number of items added since the queue was cleared.
    added: usize,
}

/// Memory for a move to try.
const MOVE_BYTES: usize = 18;

impl Frontier {
    /// Memory of the moves, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.added * MOVE_BYTES
    }
}

impl<T> Default for Buckets<T> {
    fn default() -> Buckets<T> {
        Buckets {
            by_cost: Vec::new(),
            cheapest: 0,
            added: 0,
        }
    }
}

impl<T> Buckets<T> {
    fn clear(&mut self) {
        for items in &mut self.by_cost {
            items.clear();
        }
        self.cheapest = 0;
        self.added = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, cost: usize, item: T) {
        while self.by_cost.len() <= cost {
            self.by_cost.push(VecDeque::new());
        }
        self.by_cost[cost].push_back(item);
        self.added += 1;
        self.cheapest = self.cheapest.min(cost);
    }

    /// The newest or oldest item of the cheapest, by `pop`, with its cost.
    #[inline]
    pub(crate) fn pop(&mut self, pop: fn(&mut VecDeque<T>) -> Option<T>) -> Option<(usize, T)> {
        while let Some(items) = self.by_cost.get_mut(self.cheapest) {
            if let Some(item) = pop(items) {
                return Some((self.cheapest, item));
            }
            self.cheapest += 1;
        }
        None
    }
}

/// Limits of a search, or of all searches for one answer.
///
/// ```
/// use chess_arbiter_core::{Adjudicator, RuleChoice, SearchLimits};
///
/// let limits = SearchLimits { nodes: 10_000, ..SearchLimits::DEFAULT };
/// let adjudicator = Adjudicator::new(&[RuleChoice::FIDE], limits);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Number of positions to visit, about. A set of positions counts as 16 of them.
    pub nodes: u64,
    /// Memory for positions and sets of positions, in bytes.
    pub memory: usize,
}

impl SearchLimits {
    /// Three million positions, and 256 MiB.
    pub const DEFAULT: SearchLimits = SearchLimits {
        nodes: 3_000_000,
        memory: 256 << 20,
    };
}

/// A number of positions, and the default limit of the memory.
impl From<u64> for SearchLimits {
    fn from(nodes: u64) -> SearchLimits {
        SearchLimits {
            nodes,
            ..SearchLimits::DEFAULT
        }
    }
}

/// Searches for a mate by `side`, or a position that is as good by `goal`, until a limit is
/// reached.
///
/// Limited discrepancy search (Harvey and Ginsberg 1995): the best move of each position is free,
/// the others cost more the less they promise, and lines are tried in the order of their cost. Each
/// position is visited once, and without a limit all of them are.
pub(crate) fn best_first(
    visited: &mut Visited,
    frontier: &mut Frontier,
    root: &Position,
    side: Color,
    ordering: &mut dyn MoveOrdering,
    mut goal: impl FnMut(&Position, NodeId) -> bool,
    limits: SearchLimits,
) -> SearchEnd {
    visited.clear();
    frontier.clear();
    let mut index = visited.insert_root(root).unwrap_or_default();
    let mut position = root.clone();
    let mut spent = 0;
    loop {
        let moves = position.legal_moves();
        if moves.is_empty() {
            if position.turn() != side && position.is_check() {
                return SearchEnd::Mate(index);
            }
        } else if !position.board().has_insufficient_material(side) {
            if goal(&position, index) {
                return SearchEnd::Open(index);
            }
            ordering.prepare(&position);
            let mut best = 0;
            let mut best_score = ordering.score(&position, moves[0]);
            for (nth, &mv) in moves.iter().enumerate().skip(1) {
                let score = ordering.score(&position, mv);
                let (worse, score) = if score > best_score {
                    let worse = (moves[best], best_score);
                    (best, best_score) = (nth, score);
                    worse
                } else {
                    (mv, score)
                };
                frontier.push(spent + cost(score), (index, worse));
            }
            frontier.push(spent, (index, moves[best]));
        }
        let memory = visited.memory() + frontier.memory();
        if visited.len() as u64 >= limits.nodes || memory > limits.memory {
            return SearchEnd::Unfinished;
        }
        loop {
            let Some((cost, (parent, mv))) = frontier.pop(VecDeque::pop_back) else {
                return SearchEnd::Nothing;
            };
            let mut next = visited.position(parent);
            next.play_unchecked(mv);
            if let Ok(new) = visited.insert(Visit::new(&next, parent)) {
                (index, spent, position) = (new, cost, next);
                break;
            }
        }
    }
}
