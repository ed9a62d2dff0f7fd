//! Search for lines to mate with the other side's help.
//!
//! A question is answered by a plan for a mate that can be read off the board, or by searches in
//! several orders, with growing limits, for a position with such a plan. A line is always played to
//! the mate before it is returned.

pub(crate) mod search;
pub(crate) mod visited;

mod mating_plan;
mod orderings;
mod plan;
mod route;

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::winnability::helpmates::mating_plan::{TRIES, plan_mate};
use crate::winnability::helpmates::orderings::{MatingPattern, Novelty, PawnBreak};
use crate::winnability::helpmates::plan::Mating;
use crate::winnability::helpmates::search::{
    Frontier, MoveOrdering, SearchEnd, SearchLimits, best_first,
};
use crate::winnability::helpmates::visited::{NodeId, Visited};

/// Search that keeps its memory between questions.
#[derive(Default)]
pub(crate) struct Helpmates {
    visited: Visited,
    frontier: Frontier,
    /// Memory for plans on trial, and for their moves.
    plan: Mating,
    line: Vec<Move>,
    /// Positions visited for the last question.
    pub(crate) nodes: u64,
}

/// Plans to try in a position of a search.
const FEW_TRIES: usize = 3;

/// Limit of the first searches, and by how much it grows.
const FIRST_LIMIT: u64 = 40;
const GROWTH: u64 = 4;

impl Helpmates {
    /// Legal moves that end with mate by `side`; `None` if none were found within the limits.
    ///
    /// The side must have material to mate, and the game must not have ended.
    pub(crate) fn find_line(
        &mut self,
        position: &Position,
        side: Color,
        limits: SearchLimits,
    ) -> Option<Vec<Move>> {
        self.nodes = 0;
        if plan_mate(position, side, &mut self.plan, &mut self.line, TRIES) {
            return Some(self.line.clone());
        }
        let patterns = MatingPattern::all(position, side);
        let mut patterns = patterns.iter().cycle();
        let mut limit = FIRST_LIMIT;
        loop {
            let mut pattern = patterns.next().copied();
            let orderings: [Option<&mut dyn MoveOrdering>; 3] = [
                Some(&mut PawnBreak::new(side)),
                Some(&mut Novelty::default()),
                pattern.as_mut().map(|pattern| pattern as _),
            ];
            for ordering in orderings.into_iter().flatten() {
                let most = SearchLimits {
                    nodes: limit.min(limits.nodes.saturating_sub(self.nodes)),
                    ..limits
                };
                if let Some(end) = self.search(position, side, ordering, most) {
                    return end;
                }
            }
            let memory = self.visited.memory() + self.frontier.memory();
            if self.nodes >= limits.nodes || memory > limits.memory {
                return None;
            }
            limit *= GROWTH;
        }
    }

    /// Frees the memory of the searches.
    pub(crate) fn release(&mut self) {
        self.visited = Visited::default();
        self.frontier = Frontier::default();
    }

    /// Whether a mate, or a position in which `is_won` holds, is found in a few positions, and in
    /// `nodes` at most.
    pub(crate) fn leads_to(
        &mut self,
        position: &Position,
        side: Color,
        nodes: u64,
        mut is_won: impl FnMut(&Position) -> bool,
    ) -> bool {
        self.nodes = 0;
        let mut finds = |ordering: &mut dyn MoveOrdering| {
            let (visited, frontier) = (&mut self.visited, &mut self.frontier);
            let goal = |position: &Position, _: NodeId| is_won(position);
            let limits = SearchLimits {
                nodes: FIRST_LIMIT.min(nodes.saturating_sub(self.nodes)),
                memory: usize::MAX,
            };
            let end = best_first(visited, frontier, position, side, ordering, goal, limits);
            self.nodes += visited.len() as u64;
            matches!(end, SearchEnd::Open(_) | SearchEnd::Mate(_))
        };
        finds(&mut PawnBreak::new(side)) || finds(&mut Novelty::default())
    }

    /// Searches for a mate, or a position with a plan for one. `Some(None)` if there is none,
    /// however long one searches; `None` if the limit was reached.
    fn search(
        &mut self,
        position: &Position,
        side: Color,
        ordering: &mut dyn MoveOrdering,
        limits: SearchLimits,
    ) -> Option<Option<Vec<Move>>> {
        let (plan, line) = (&mut self.plan, &mut self.line);
        let has_plan = |position: &Position, node: NodeId| {
            is_promising(position, node) && plan_mate(position, side, plan, line, FEW_TRIES)
        };
        let (visited, frontier) = (&mut self.visited, &mut self.frontier);
        let end = best_first(
            visited, frontier, position, side, ordering, has_plan, limits,
        );
        self.nodes += self.visited.len() as u64;
        match end {
            SearchEnd::Mate(node) => Some(Some(self.visited.line_to(node))),
            SearchEnd::Open(node) => {
                let mut whole = self.visited.line_to(node);
                whole.extend(&self.line);
                Some(Some(whole))
            }
            SearchEnd::Unfinished => None,
            SearchEnd::Nothing | SearchEnd::NothingForEither => Some(None),
        }
    }
}

/// Whether to look for a plan: it costs as much as visiting ten positions.
fn is_promising(position: &Position, node: NodeId) -> bool {
    match node {
        0 => false,
        1..8 => true,
        8..64 => node.is_multiple_of(2),
        // Captures and pawn moves change more than others.
        _ if position.halfmoves() == 0 => node.is_multiple_of(4),
        _ => node.is_multiple_of(16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Color = Color::White;
    const BLACK: Color = Color::Black;

    fn limits(nodes: u64) -> SearchLimits {
        SearchLimits {
            nodes,
            memory: 1 << 28,
        }
    }

    /// Finds a line and plays it to the mate.
    fn check(search: &mut Helpmates, position: &Position, side: Color) {
        let line = search.find_line(position, side, limits(1_000_000));
        let line = line.unwrap_or_else(|| panic!("no line for {side:?}: {position}"));
        let mut position = position.clone();
        for mv in line {
            position.play(mv).unwrap();
        }
        assert!(position.is_checkmate() && position.turn() != side);
    }

    #[test]
    fn lines_of_many_kinds() {
        let mut search = Helpmates::default();
        for (fen, sides) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &Color::ALL[..],
            ),
            // The rooks castle from files that no game of standard chess has them on.
            (
                "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1",
                &Color::ALL,
            ),
            // En passant is the only way through the wall.
            (
                "8/2k5/4p2p/3pP2P/1p1Pp1K1/1P2P3/8/8 w - d6 0 1",
                &Color::ALL,
            ),
            // A bishop on the other colour than the pawns, and a king that is walled in.
            ("1k6/pPp5/BpP4b/1P6/8/3B2b1/8/3B2K1 w - - 0 1", &[BLACK]),
            ("8/8/8/8/6p1/6Pk/8/6K1 w - - 0 1", &[WHITE]),
            ("1K6/8/k1p3p1/1pPp1pP1/1P1P1P2/8/8/8 w - - 0 1", &[WHITE]),
            ("7k/8/5PpK/6P1/8/8/8/8 b - - 0 1", &[BLACK]),
            // Each side needs a man of the other that blocks its king.
            ("8/8/4K3/8/1n6/8/5k1N/8 w - - 0 1", &Color::ALL),
            ("1n6/8/8/2k1K3/8/8/8/5B2 w - - 0 1", &Color::ALL),
            ("8/8/4k3/8/8/2p5/2P5/4K3 w - - 0 1", &Color::ALL),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[WHITE]),
        ] {
            let position = fen.parse().unwrap();
            for &side in sides {
                check(&mut search, &position, side);
            }
        }
    }

    #[test]
    fn no_line_where_there_is_none() {
        let mut search = Helpmates::default();
        for fen in [
            "8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 1",
            "8/8/8/2p1p1p1/2P1PkP1/4Q1RB/3PPpPp/3n1Kbr b - - 0 1",
        ] {
            let position = fen.parse().unwrap();
            for side in Color::ALL {
                assert_eq!(
                    search.find_line(&position, side, limits(20_000)),
                    None,
                    "{fen}"
                );
            }
        }
    }
}
