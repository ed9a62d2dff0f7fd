//! Whether a side can force mate, whatever the other does: exact, for endings with few pieces.
//!
//! It answers a rule that asks for a forced win (US Chess 14E2, 14E3); it is no engine. Both answers are proofs. Repetition
//! and the counting of moves are left out of account, as they are in a dead position.
//!
//! The defender follows one plan: a move for each position. Every answer of the attacker is followed, but of the
//! defender's moves only the planned one; when a planned move turns out to lose, the next takes its place. If nothing
//! new can come up any more and the plan still stands, the defender is safe for ever; if the first position has no move
//! left to plan, mate is forced. (This is the local fixpoint of Liu and Smolka, 1998.)

mod state;

use std::collections::VecDeque;

use crate::chess::moves::{Move, MoveList};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::chess::zobrist::KeyMap;
use crate::winnability::forced_mate::state::State;
use crate::winnability::is_insufficient;

/// What is known of a forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forced {
    /// Mate is forced, for instance so; the line need not be the shortest.
    Mate(Vec<Move>),
    /// The other side can avoid it for good.
    Avoidable {
        /// How many positions the plan that avoids it needs.
        states: u64,
    },
    /// The budget ended first.
    Unknown {
        /// How many positions were looked at.
        states: u64,
    },
}

/// Finds out whether a side can force mate, with so many positions kept at most, mirrors of each other counted once. A
/// position takes some 170 bytes.
pub fn forced_mate(position: &Position, side: Color, states: u64) -> Forced {
    let mut search = Search {
        side,
        nodes: Vec::new(),
        edges: Vec::new(),
        found: KeyMap::default(),
        open: VecDeque::new(),
        mates: 0,
    };
    let root = search.node(position);
    while let Some(node) = search.open.pop_front() {
        if search.nodes.len() as u64 > states {
            break;
        }
        search.expand(node);
        if search.is_lost(root) {
            return Forced::Mate(search.line(position));
        }
        if search.open.is_empty() {
            return Forced::Avoidable {
                states: search.nodes.len() as u64,
            };
        }
    }
    Forced::Unknown {
        states: search.nodes.len() as u64,
    }
}

/// A place in [`Search::nodes`].
type NodeNo = u32;

/// No edge.
const NONE: u32 = u32::MAX;

struct Node {
    state: State,
    /// When it was found that mate is forced from here, counted from 1; 0 as long as that is not so.
    lost: u32,
    /// How many of the defender's moves have been planned so far.
    planned: u16,
    /// Where the planned move leads.
    plan: NodeNo,
    /// The first of the edges to the nodes from which a move leads here.
    first_edge: u32,
}

/// A node from which a move leads to another, and the next such node.
struct Edge {
    from: NodeNo,
    next: u32,
}

struct Search {
    side: Color,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Nodes by the hash of their state, or by what follows it where another state has the same.
    found: KeyMap<NodeNo>,
    open: VecDeque<NodeNo>,
    mates: u32,
}

impl Search {
    /// The node of a position, which is a new one to be expanded if the position has not been met.
    fn node(&mut self, position: &Position) -> NodeNo {
        let state = State::of(position);
        let key = match self.find(&state) {
            Ok(node) => return node,
            Err(key) => key,
        };
        let node = self.nodes.len() as NodeNo;
        self.found.insert(key, node);
        self.nodes.push(Node {
            state,
            lost: 0,
            planned: 0,
            plan: node,
            first_edge: NONE,
        });
        self.open.push_back(node);
        node
    }

    /// The node of a state, or the key under which there is room for it.
    fn find(&self, state: &State) -> Result<NodeNo, u64> {
        let mut key = state.hash();
        loop {
            match self.found.get(&key) {
                None => return Err(key),
                Some(&node) if self.nodes[node as usize].state == *state => return Ok(node),
                Some(_) => key = key.wrapping_add(1),
            }
        }
    }

    /// A position of a node.
    fn position(&self, node: NodeNo) -> Position {
        let state = &self.nodes[node as usize].state;
        state
            .position()
            .unwrap_or_else(|faults| unreachable!("a state is made of a position: {faults}"))
    }

    fn is_lost(&self, node: NodeNo) -> bool {
        self.nodes[node as usize].lost > 0
    }

    fn expand(&mut self, node: NodeNo) {
        let position = self.position(node);
        let attacks = position.turn() == self.side;
        if !position.has_legal_move() {
            if !attacks && position.is_check() {
                self.lose(node);
            }
            return;
        }
        // What no series of moves can bring about cannot be forced either.
        if is_insufficient(position.board(), self.side) {
            return;
        }
        if !attacks {
            self.plan(node);
            return;
        }
        for mv in position.legal_moves() {
            let after = self.node(&position.after(mv));
            self.lead(node, after);
            if self.is_lost(after) {
                self.lose(node);
                return;
            }
        }
    }

    /// Plans the next of the defender's moves that is not known to lose; if there is none, mate is forced.
    fn plan(&mut self, node: NodeNo) {
        let position = self.position(node);
        let moves = defences(&position);
        loop {
            let planned = self.nodes[node as usize].planned;
            let Some(&mv) = moves.get(planned as usize) else {
                self.lose(node);
                return;
            };
            self.nodes[node as usize].planned += 1;
            let after = self.node(&position.after(mv));
            if !self.is_lost(after) {
                self.nodes[node as usize].plan = after;
                self.lead(node, after);
                return;
            }
        }
    }

    fn lead(&mut self, from: NodeNo, to: NodeNo) {
        let edge = self.edges.len() as u32;
        let next = std::mem::replace(&mut self.nodes[to as usize].first_edge, edge);
        self.edges.push(Edge { from, next });
    }

    /// Mate is forced from a node, and perhaps from others that lead there.
    fn lose(&mut self, node: NodeNo) {
        let mut lost = vec![node];
        while let Some(node) = lost.pop() {
            if self.is_lost(node) {
                continue;
            }
            self.mates += 1;
            self.nodes[node as usize].lost = self.mates;
            let mut edge = self.nodes[node as usize].first_edge;
            while edge != NONE {
                let Edge { from, next } = self.edges[edge as usize];
                edge = next;
                let before = &self.nodes[from as usize];
                if before.lost > 0 {
                    continue;
                }
                if before.state.turn() == self.side {
                    lost.push(from);
                } else if before.plan == node {
                    self.replan(from, &mut lost);
                }
            }
        }
    }

    /// As [`Search::plan`], with the loss left to the caller.
    fn replan(&mut self, node: NodeNo, lost: &mut Vec<NodeNo>) {
        let position = self.position(node);
        let moves = defences(&position);
        while let Some(&mv) = moves.get(self.nodes[node as usize].planned as usize) {
            self.nodes[node as usize].planned += 1;
            let after = self.node(&position.after(mv));
            if !self.is_lost(after) {
                self.nodes[node as usize].plan = after;
                self.lead(node, after);
                return;
            }
        }
        lost.push(node);
    }

    /// A line that ends in mate. Each move leads to a position from which mate was known to be forced before.
    fn line(&self, root: &Position) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = root.clone();
        let order = |position: &Position| {
            let node = self.find(&State::of(position)).ok()?;
            Some(self.nodes[node as usize].lost).filter(|&lost| lost > 0)
        };
        loop {
            let known = position
                .legal_moves()
                .into_iter()
                .filter_map(|mv| Some((order(&position.after(mv))?, mv)));
            // The attacker goes where mate was found first, the defender where it was found last.
            let next = if position.turn() == self.side {
                known.min_by_key(|&(order, _)| order)
            } else {
                known.max_by_key(|&(order, _)| order)
            };
            let Some((_, mv)) = next else {
                return line;
            };
            line.push(mv);
            position.play_unchecked(mv);
        }
    }
}

/// The defender's moves, the most promising first: captures, then the king towards the middle, pawns last.
fn defences(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_by_key(|mv| {
        let rank = match (mv.captured, mv.role) {
            (Some(_), _) => 0,
            (None, Role::King) => 1,
            (None, Role::Pawn) => 3,
            _ => 2,
        };
        (rank, from_the_middle(mv.to), mv.to, mv.from)
    });
    moves
}

/// How far a square is from the middle of the board, 0 to 6.
fn from_the_middle(square: Square) -> usize {
    let off = |line: usize| (2 * line).abs_diff(7) / 2;
    off(square.file().index()) + off(square.rank().index())
}

#[cfg(test)]
mod tests;
