//! Forced mates: exact answers, for endings with few pieces.
//!
//! For rules that ask for a forced win (US Chess 14E2, 14E3). Both answers are proofs. Repetition
//! and the fifty-move rule are ignored, as they are in a dead position.
//!
//! The search keeps one planned move of the defender for each position and follows every answer of
//! the attacker, the fewest plies from the root first, so that short mates are found before the
//! graph is large. If a planned move turns out to lose, the next one replaces it. If no position is
//! left to expand, the plan avoids mate for good; if the root has no move left to plan, mate is
//! forced. (Local fixpoint of Liu and Smolka, 1998.)

use std::collections::VecDeque;

use crate::chess::moves::{Move, MoveList};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::winnability::helpmates::search::Buckets;
use crate::winnability::helpmates::visited::{NodeId, Visit, Visited};
use crate::winnability::{SearchLimits, Unfinished};

/// Result of the search for a forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forced {
    /// Mate is forced; the line need not be the shortest.
    Mate(Vec<Move>),
    /// The other side can avoid mate for good.
    Avoidable {
        /// Number of positions visited.
        states: u64,
    },
    /// A limit was reached.
    Unknown(Unfinished),
}

/// Searches for a forced mate within limits. Mirrored positions are counted once.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Color, Position};
/// # use chess_arbiter_core::winnability::forced_mate::{Forced, forced_mate};
/// let position: Position = "k1K5/p7/8/1N6/8/8/8/8 w - - 0 1".parse()?;
/// let found = forced_mate(&position, Color::White, 1_000.into());
/// assert!(matches!(found, Forced::Mate(line) if line.len() == 1));
/// # Ok::<(), chess_arbiter_core::chess::PositionError>(())
/// ```
pub fn forced_mate(position: &Position, side: Color, limits: SearchLimits) -> Forced {
    let fitting = (limits.memory / STATE_BYTES) as u64;
    let most = limits.nodes.min(fitting);
    let mut search = MateSearch {
        side,
        visited: Visited::default(),
        nodes: Vec::new(),
        edges: Vec::new(),
        open: Buckets::default(),
        mates: 0,
    };
    let root = search.node(position, 0);
    while search.nodes.len() as u64 <= most {
        let Some(node) = search.next() else {
            return Forced::Avoidable {
                states: search.nodes.len() as u64,
            };
        };
        search.expand(node);
        if search.is_lost(root) {
            return Forced::Mate(search.line(position));
        }
    }
    Forced::Unknown(Unfinished {
        nodes: search.nodes.len() as u64,
        is_out_of_memory: fitting < limits.nodes,
    })
}

/// Memory for a position, in bytes.
pub const STATE_BYTES: usize = 170;

/// No edge.
const NONE: u32 = u32::MAX;

/// State of a visited position in the search.
struct Node {
    /// Order in which mate was found to be forced from here, from 1; 0 if it was not.
    lost: u32,
    /// Number of the defender's moves planned so far.
    planned: u16,
    /// Fewest plies from the root on any path found before the node was expanded.
    depth: u16,
    is_expanded: bool,
    /// Node after the planned move.
    plan: NodeId,
    /// First of the edges from predecessors.
    first_edge: u32,
}

/// Edge from a predecessor, in a linked list.
struct Edge {
    from: NodeId,
    next: u32,
}

struct MateSearch {
    side: Color,
    visited: Visited,
    /// By number of the visited position.
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Nodes to expand by depth, some of them twice.
    open: Buckets<NodeId>,
    mates: u32,
}

impl MateSearch {
    /// Node of a position; a new one is queued for expansion.
    fn node(&mut self, position: &Position, depth: u16) -> NodeId {
        match self.visited.insert(Visit::up_to_symmetry(position)) {
            Ok(new) => {
                self.nodes.push(Node {
                    lost: 0,
                    planned: 0,
                    depth,
                    is_expanded: false,
                    plan: new,
                    first_edge: NONE,
                });
                self.open.push(usize::from(depth), new);
                new
            }
            Err(node) => {
                let known = &mut self.nodes[node as usize];
                if !known.is_expanded && depth < known.depth {
                    known.depth = depth;
                    self.open.push(usize::from(depth), node);
                }
                node
            }
        }
    }

    /// The next node to expand.
    fn next(&mut self) -> Option<NodeId> {
        loop {
            let (_, node) = self.open.pop(VecDeque::pop_front)?;
            if !self.nodes[node as usize].is_expanded {
                return Some(node);
            }
        }
    }

    /// Node after a move, for the expansion of the node before it.
    fn after(&mut self, node: NodeId, position: &Position, mv: Move) -> NodeId {
        let depth = self.nodes[node as usize].depth.saturating_add(1);
        self.node(&position.after(mv), depth)
    }

    /// Position of a node, or a mirror of it.
    fn position(&self, node: NodeId) -> Position {
        self.visited.state(node).unpack()
    }

    fn is_lost(&self, node: NodeId) -> bool {
        self.nodes[node as usize].lost > 0
    }

    fn expand(&mut self, node: NodeId) {
        self.nodes[node as usize].is_expanded = true;
        let position = self.position(node);
        let attacks = position.turn() == self.side;
        if !position.has_legal_move() {
            if !attacks && position.is_check() {
                self.lose(node);
            }
            return;
        }
        // A mate that no series of moves can reach cannot be forced either.
        if position.board().has_insufficient_material(self.side) {
            return;
        }
        if !attacks {
            if !self.plan(node) {
                self.lose(node);
            }
            return;
        }
        for mv in position.legal_moves() {
            let after = self.after(node, &position, mv);
            self.lead(node, after);
            if self.is_lost(after) {
                self.lose(node);
                return;
            }
        }
    }

    /// Plans the next move of the defender that is not known to lose; false if there is none, so
    /// that mate is forced.
    fn plan(&mut self, node: NodeId) -> bool {
        let position = self.position(node);
        let moves = defences(&position);
        while let Some(&mv) = moves.get(self.nodes[node as usize].planned as usize) {
            self.nodes[node as usize].planned += 1;
            let after = self.after(node, &position, mv);
            if !self.is_lost(after) {
                self.nodes[node as usize].plan = after;
                self.lead(node, after);
                return true;
            }
        }
        false
    }

    fn lead(&mut self, from: NodeId, to: NodeId) {
        let edge = self.edges.len() as u32;
        let next = std::mem::replace(&mut self.nodes[to as usize].first_edge, edge);
        self.edges.push(Edge { from, next });
    }

    /// Marks a node as lost, and its predecessors where mate follows.
    fn lose(&mut self, node: NodeId) {
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
                let attacks = self.visited.state(from).turn() == self.side;
                if attacks || before.plan == node && !self.plan(from) {
                    lost.push(from);
                }
            }
        }
    }

    /// Line that ends with mate, along positions known to be lost.
    fn line(&self, root: &Position) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = root.clone();
        let order = |position: &Position| {
            let node = Visit::up_to_symmetry(position);
            let node = self.visited.find(&node)?;
            Some(self.nodes[node as usize].lost).filter(|&lost| lost > 0)
        };
        loop {
            let known = position
                .legal_moves()
                .into_iter()
                .filter_map(|mv| Some((order(&position.after(mv))?, mv)));
            // The attacker prefers mates found first, the defender those found last.
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

/// Moves of the defender, the most promising first: captures, then king moves, pawn moves last,
/// each towards the centre.
fn defences(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_by_key(|mv| {
        let rank = match (mv.captured, mv.role) {
            (Some(_), _) => 0,
            (None, Role::King) => 1,
            (None, Role::Pawn) => 3,
            _ => 2,
        };
        (rank, from_the_centre(mv.to), mv.to, mv.from)
    });
    moves
}

/// Distance of a square from the centre of the board, 0 to 6.
fn from_the_centre(square: Square) -> usize {
    let off = |line: usize| (2 * line).abs_diff(7) / 2;
    off(square.file().index()) + off(square.rank().index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Piece, San, Setup};

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    fn look(fen: &str, side: Color) -> Forced {
        forced_mate(&position(fen), side, 400_000.into())
    }

    /// Whether a side can force mate within some plies, by brute force.
    fn mates_within(position: &Position, side: Color, plies: u32) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.turn() != side && position.is_check();
        }
        if plies == 0 {
            return false;
        }
        let mut after = moves.iter().map(|&mv| position.after(mv));
        if position.turn() == side {
            after.any(|after| mates_within(&after, side, plies - 1))
        } else {
            after.all(|after| mates_within(&after, side, plies - 1))
        }
    }

    /// Checks that a line is legal and ends in mate by a side; returns it as notation.
    fn mate(from: &Position, line: &[Move], side: Color) -> String {
        let mut position = from.clone();
        let mut text = Vec::new();
        for &mv in line {
            assert!(position.legal_moves().contains(&mv));
            text.push(San::of(&position, mv).to_string());
            position.play_unchecked(mv);
        }
        assert!(position.is_checkmate() && position.turn() != side, "{from}");
        text.join(" ")
    }

    #[test]
    fn a_knight_mates_a_king_who_stands_in_his_own_way() {
        let check = |fen: &str, expected: &str| match look(fen, Color::White) {
            Forced::Mate(line) => assert_eq!(mate(&position(fen), &line, Color::White), expected),
            other => panic!("{fen}: {other:?}"),
        };
        check("k1K5/p7/8/1N6/8/8/8/8 w - - 0 1", "Nc7");
        check("3N2nk/4p3/5pKp/8/6p1/8/8/8 w - - 0 1", "Nf7");
        // Mated already.
        check("k1K5/p1N5/8/8/8/8/8/8 b - - 0 1", "");
    }

    #[test]
    fn the_king_who_has_to_wait_for_his_pawn() {
        // Given as an example in a discussion of US Chess rule 14E: Black to move wins, White to
        // move draws.
        let fen = "5k1K/8/8/7P/8/5n2/8/8";
        let black = position(&format!("{fen} b - - 0 1"));
        match forced_mate(&black, Color::Black, 400_000.into()) {
            Forced::Mate(line) => drop(mate(&black, &line, Color::Black)),
            other => panic!("{other:?}"),
        }
        let white = look(&format!("{fen} w - - 0 1"), Color::Black);
        assert!(matches!(white, Forced::Avoidable { .. }), "{white:?}");
    }

    #[test]
    fn the_last_piece_can_be_taken() {
        for fen in [
            "8/8/8/8/8/1k6/1N6/3K4 b - - 0 1",
            "8/8/8/8/8/p7/kN6/3K4 b - - 0 1",
        ] {
            let found = look(fen, Color::White);
            assert!(
                matches!(found, Forced::Avoidable { states: 1..=2 }),
                "{fen}: {found:?}"
            );
        }
    }

    #[test]
    fn stalemate_and_being_mated_are_no_mate() {
        let stalemate = "7k/8/6K1/8/8/8/8/5B2 b - - 0 1";
        assert!(matches!(
            look(stalemate, Color::White),
            Forced::Avoidable { .. }
        ));
        let mated = "k1K5/p1N5/8/8/8/8/8/8 b - - 0 1";
        assert!(matches!(
            look(mated, Color::Black),
            Forced::Avoidable { .. }
        ));
    }

    #[test]
    fn a_budget_that_is_too_small() {
        let fen = "8/8/4k3/8/8/4KB2/8/b7 w - - 0 1";
        let found = forced_mate(&position(fen), Color::White, 1_000.into());
        assert!(matches!(found, Forced::Unknown(search) if search.nodes > 1_000));
    }

    /// White's king beside the corner and his knight somewhere, against a king in the corner beside
    /// a piece of his own: some of these positions are won, most are not.
    fn cornered() -> Vec<Position> {
        let mut positions = Vec::new();
        for piece in ["b", "n"] {
            for king in ["1K6", "K7"] {
                for square in (0..64).step_by(3) {
                    let fen = format!("k{piece}6/8/{king}/8/8/8/8/8 w - - 0 1");
                    let mut setup: Setup = fen.parse().unwrap();
                    let square = Square::new(square);
                    if setup.board.role_on(square).is_some() {
                        continue;
                    }
                    let knight = Piece {
                        color: Color::White,
                        role: Role::Knight,
                    };
                    setup.board.put(square, knight);
                    positions.extend(Position::new(&setup));
                }
            }
        }
        positions
    }

    #[test]
    fn cornered_kings_as_trying_everything_has_them() {
        let (mut mates, mut draws) = (0, 0);
        for position in cornered() {
            let soon = mates_within(&position, Color::White, 3);
            match forced_mate(&position, Color::White, 60_000.into()) {
                Forced::Mate(line) => {
                    mates += 1;
                    mate(&position, &line, Color::White);
                    assert!(soon || line.len() > 1, "{position}");
                }
                Forced::Avoidable { .. } => {
                    draws += 1;
                    assert!(!soon, "{position}");
                }
                Forced::Unknown { .. } => assert!(!soon, "{position}"),
            }
        }
        assert!(mates >= 2 && draws >= 20, "{mates} mates, {draws} draws");
    }
}
