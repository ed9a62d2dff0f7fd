//! Exhaustive reachability: a side cannot win if no position that can still arise is a mate by it.
//!
//! If all moves are forced, the positions that can arise are a line.

use crate::chess::packed::PackedPosition;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::winnability::helpmates::search::{SearchEnd, SearchLimits};
use crate::winnability::helpmates::visited::{Visit, Visited};
use crate::winnability::walls::Walls;
use crate::winnability::{Proof, Winnability, Witness};

/// End of a line of forced moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ForcedEnd {
    /// The side that was to win is mated itself.
    Mated,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The side has insufficient material.
    Material,
    /// A position of the line repeats.
    Repetition,
}

/// Plays on while there is a single legal move. `None` if that leads to a choice.
pub(crate) fn follow_forced_moves(position: &Position, side: Color) -> Option<Winnability> {
    let mut moves = Vec::new();
    let mut seen = Vec::new();
    let mut position = position.clone();
    let end = loop {
        let legal = position.legal_moves();
        if legal.is_empty() {
            match (position.is_check(), position.turn() == side) {
                (true, false) => return Some(Winnability::Winnable(Witness::Line(moves))),
                (true, true) => break ForcedEnd::Mated,
                (false, _) => break ForcedEnd::Stalemate,
            }
        }
        if position.board().has_insufficient_material(side) {
            break ForcedEnd::Material;
        }
        let [mv] = legal[..] else {
            return None;
        };
        let state = PackedPosition::of(&position);
        if seen.contains(&state) {
            break ForcedEnd::Repetition;
        }
        seen.push(state);
        moves.push(mv);
        position.play_unchecked(mv);
    };
    Some(Winnability::Unwinnable(match end {
        ForcedEnd::Mated if moves.is_empty() => Proof::Mated,
        ForcedEnd::Stalemate if moves.is_empty() => Proof::Stalemate,
        ForcedEnd::Material if moves.is_empty() => Proof::Material,
        _ => Proof::ForcedLine { moves, end },
    }))
}

/// Visits all positions that can arise from `root`, breadth first, until one is mate by `side` or
/// the limits are reached. Unless it `is_last`, the search also ends when its queue grows too long.
///
/// Moves are not followed from positions in which the side has insufficient material, nor from
/// those in `walls`. Walls are searched after captures and moves of pawns, with at most as many
/// nodes as positions have been visited; these nodes count against the limit.
pub(crate) fn search_all(
    visited: &mut Visited,
    walls: &mut Walls,
    root: &Position,
    side: Color,
    limits: SearchLimits,
    is_last: bool,
) -> SearchEnd {
    visited.clear();
    visited.insert_root(root);
    let mut batch = Vec::with_capacity(BATCH + 256);
    let mut next = 0;
    let mut either = true;
    let before = walls.nodes();
    while (next as usize) < visited.len() {
        let position = visited.position(next);
        let moves = position.legal_moves();
        if moves.is_empty() {
            if position.is_check() {
                if position.turn() != side {
                    return SearchEnd::Mate(next);
                }
                either = false;
            }
        } else if position.board().has_insufficient_material(side)
            || walls.contain(&position)
            || visited.is_after_event(next)
                && walls.nodes() - before <= u64::from(next) + HEAD_START
                && walls.prove(&position, side, CONFINED)
        {
            either = false;
        } else {
            either &= !position.board().has_insufficient_material(!side);
            for &mv in &moves {
                batch.push(Visit::new(&position.after(mv), next));
            }
        }
        next += 1;
        if batch.len() >= BATCH || next as usize == visited.len() {
            for node in batch.drain(..) {
                let _ = visited.insert(node);
            }
            let is_hopeless = !is_last && is_endless(visited.len(), next as usize);
            let memory = visited.memory() + walls.memory();
            let nodes = visited.len() as u64 + walls.nodes() - before;
            if nodes > limits.nodes || memory > limits.memory || is_hopeless {
                return SearchEnd::Unfinished;
            }
        }
    }
    if either {
        SearchEnd::NothingForEither
    } else {
        SearchEnd::Nothing
    }
}

/// Most sets of positions in one attempt to find walls.
const CONFINED: usize = 32;

/// Nodes that the first attempts to find walls may take.
const HEAD_START: u64 = 2000;

/// Whether the queue is too long for the search to end soon.
///
/// If few men can move, new positions become rare; the rates were measured on unwinnable positions.
fn is_endless(found: usize, expanded: usize) -> bool {
    let ahead = 100 * (found - expanded) / found;
    match found {
        ..20_000 => false,
        20_000..40_000 => ahead > 60,
        40_000..80_000 => ahead > 45,
        _ => ahead > 30,
    }
}

/// Positions after which the limits are checked.
const BATCH: usize = 256;
