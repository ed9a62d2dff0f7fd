//! Counting positions, to prove the move generator right.

mod lean;

use super::moves::Move;
use super::position::Position;

/// The number of ways to play `depth` legal moves from a position; 1 at depth 0. The last ply is counted, not played.
///
/// Counts saturate at `u64::MAX`, which no known machine reaches.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => lean::count(position, depth),
    }
}

/// The part of `perft(position, depth)` that begins with one of the position's legal moves.
pub fn after(position: &Position, mv: Move, depth: u32) -> u64 {
    if depth <= 1 {
        return depth.into();
    }
    let mut next = position.clone();
    next.play(mv);
    perft(&next, depth - 1)
}
