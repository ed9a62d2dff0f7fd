//! Counting positions, to prove the rules right.
//!
//! There are two move generators. [`Position::legal_moves`] lists moves with all that notation and replay need; the lean
//! board here only counts, twice as fast as counting with the full one did. They share the attack tables, and the tests
//! hold both to the same known counts and to two other implementations.

mod kinds;
mod lean;
mod table;

use std::sync::atomic::AtomicBool;

use super::position::Position;

pub use kinds::{Kinds, kinds};
pub use table::Table;

/// The number of ways to play `depth` legal moves from a position; 1 at depth 0. The last ply is counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    Perft::default().count(position, depth).unwrap_or(0)
}

/// Perft with a table of positions seen before, and a way to stop it. Threads may share both.
#[derive(Clone, Copy, Default)]
pub struct Perft<'a> {
    /// Counts of positions seen before.
    pub table: Option<&'a Table>,
    /// Set from elsewhere, it ends the counting within some milliseconds.
    pub stop: Option<&'a AtomicBool>,
}

impl Perft<'_> {
    /// As [`perft`]; nothing if it was stopped.
    pub fn count(&self, position: &Position, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            _ => lean::count(
                position,
                depth,
                &lean::Run {
                    table: self.table,
                    stop: self.stop,
                },
            ),
        }
    }
}
