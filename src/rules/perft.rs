//! Counting positions, to prove the move generator right.

use super::moves::Move;
use super::position::Position;

/// The number of ways to play `depth` legal moves from a position; 1 at depth 0. The last ply is counted, not played.
///
/// Counts saturate at `u64::MAX`, which no known machine reaches.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => position
            .legal_moves()
            .into_iter()
            .map(|mv| after(position, mv, depth))
            .fold(0, u64::saturating_add),
    }
}

/// The part of `perft(position, depth)` that begins with one of the position's legal moves.
pub fn after(position: &Position, mv: Move, depth: u32) -> u64 {
    if depth <= 1 {
        return depth.into();
    }
    let mut next = position.clone();
    next.play_unkeyed(mv);
    perft(&next, depth - 1)
}
