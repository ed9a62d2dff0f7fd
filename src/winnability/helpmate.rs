//! Looking for a mate with the help of the other side.

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::winnability::closure::Found;
use crate::winnability::evident::evident;
use crate::winnability::material::is_insufficient;
use crate::winnability::states::{Index, States};

/// What ends a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    /// Mate on the board.
    Mate,
    /// That too, and any position but the first from which a mate is evident.
    Evident,
}

/// What is looked for, and which moves lead there.
pub(crate) trait Aim {
    /// Looks at a position before its moves are weighed.
    fn look(&mut self, position: &Position);

    /// What a move of the position last looked at is worth.
    fn weigh(&self, position: &Position, mv: Move) -> Gain;
}

/// How promising a move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Gain(i32);

impl Gain {
    /// More is better; below 0 it leads away from the aim.
    #[inline]
    pub(crate) fn of(worth: i32) -> Gain {
        Gain(worth)
    }

    /// What it costs to play a move that is not the most promising one.
    #[inline]
    fn cost(self) -> usize {
        match self.0 {
            1.. => 0,
            0 => 1,
            _ => 3,
        }
    }
}

/// Moves still to be tried, the most promising first.
#[derive(Default)]
pub(crate) struct Frontier {
    /// By what it has cost to come there. The newest move of the cheapest ones is tried first, so that a line goes on
    /// as long as it is promising.
    by_cost: Vec<Vec<(Index, Move)>>,
    cheapest: usize,
}

impl Frontier {
    fn clear(&mut self) {
        for moves in &mut self.by_cost {
            moves.clear();
        }
        self.cheapest = 0;
    }

    #[inline]
    fn push(&mut self, cost: usize, parent: Index, mv: Move) {
        while self.by_cost.len() <= cost {
            self.by_cost.push(Vec::new());
        }
        self.by_cost[cost].push((parent, mv));
        self.cheapest = self.cheapest.min(cost);
    }

    #[inline]
    fn pop(&mut self) -> Option<(usize, Index, Move)> {
        while let Some(moves) = self.by_cost.get_mut(self.cheapest) {
            if let Some((parent, mv)) = moves.pop() {
                return Some((self.cheapest, parent, mv));
            }
            self.cheapest += 1;
        }
        None
    }
}

/// Plays towards an aim until there is a leaf for `side` or `limit` positions have been reached.
///
/// The most promising move of each position is tried first and costs nothing; other moves cost the more, the less they
/// promise, and are tried in the order of what all moves of a line have cost (limited discrepancy search, Harvey and
/// Ginsberg 1995). Each position is looked at once, and in the end all of them are.
pub(crate) fn search(
    states: &mut States,
    frontier: &mut Frontier,
    root: &Position,
    side: Color,
    mut aim: impl Aim,
    leaf: Leaf,
    limit: usize,
) -> Found {
    states.clear();
    frontier.clear();
    let mut index = states.insert_root(root).unwrap_or_default();
    let mut position = root.clone();
    let mut spent = 0;
    loop {
        let moves = position.legal_moves();
        if moves.is_empty() {
            if position.turn() != side && position.is_check() {
                return Found::Mate(index);
            }
        } else if !is_insufficient(position.board(), side) {
            if leaf == Leaf::Evident
                && index > 0
                && evident(&position, Some(&moves), &[side])[side.index()]
            {
                return Found::Evident(index);
            }
            aim.look(&position);
            let mut best = 0;
            let mut best_gain = aim.weigh(&position, moves[0]);
            for (nth, &mv) in moves.iter().enumerate().skip(1) {
                let gain = aim.weigh(&position, mv);
                let behind = if gain > best_gain {
                    let behind = (moves[best], best_gain);
                    (best, best_gain) = (nth, gain);
                    behind
                } else {
                    (mv, gain)
                };
                frontier.push(spent + behind.1.cost(), index, behind.0);
            }
            frontier.push(spent, index, moves[best]);
        }
        if states.len() >= limit {
            return Found::Unfinished;
        }
        loop {
            let Some((cost, parent, mv)) = frontier.pop() else {
                return Found::Nothing;
            };
            let mut next = states.position(parent);
            next.play_unchecked(mv);
            if let Some(new) = states.insert(&next, parent) {
                (index, spent, position) = (new, cost, next);
                break;
            }
        }
    }
}
