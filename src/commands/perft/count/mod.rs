//! Counting positions, to prove the rules right.
//!
//! There are two move generators. [`Position::legal_moves`] lists moves with all that notation and replay need; the lean
//! board here only counts, twice as fast as counting with the full one did. They share the attack tables, and the tests
//! hold both to the same known counts and to two other implementations.

mod kinds;
mod lean;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::chess::position::Position;

pub use kinds::{Kinds, kinds};
pub use table::{Table, TableTooLarge};

/// The greatest depth, in plies. It bounds the recursion, and a table's entry has eight bits for
/// it.
pub const MOST_DEPTH: u32 = 255;

/// The number of ways to play `depth` legal moves from a position; 1 at depth 0. The last ply is counted, not played.
///
/// # Panics
///
/// If the depth exceeds [`MOST_DEPTH`], or the number [`u64::MAX`].
pub fn perft(position: &Position, depth: u32) -> u64 {
    Perft::default()
        .count(position, depth)
        .expect("the count fits into 64 bits, and nothing stops it")
}

/// Why there is no count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uncounted {
    /// It was stopped.
    Stopped,
    /// It exceeds 64 bits.
    TooLarge,
}

/// Perft with a table of positions seen before, and a way to stop it. Threads may share both.
#[derive(Clone, Copy, Default)]
pub struct Perft<'a> {
    /// Counts of positions seen before.
    pub table: Option<&'a Table>,
    /// Set from elsewhere, it ends the counting within some milliseconds.
    pub stop: Option<&'a AtomicBool>,
    /// Grows by the nodes as they are counted.
    pub counted: Option<&'a AtomicU64>,
}

impl Perft<'_> {
    /// As [`perft`].
    ///
    /// # Errors
    ///
    /// If it was stopped, or the number exceeds 64 bits.
    ///
    /// # Panics
    ///
    /// If the depth exceeds [`MOST_DEPTH`].
    pub fn count(&self, position: &Position, depth: u32) -> Result<u64, Uncounted> {
        assert!(depth <= MOST_DEPTH, "depth {depth} exceeds {MOST_DEPTH}");
        match depth {
            0 => Ok(1),
            _ => lean::count(
                position,
                depth,
                &lean::Run {
                    table: self.table,
                    stop: self.stop,
                    counted: self.counted,
                },
            ),
        }
    }
}
