//! Counting of positions (perft), to test the rules of chess.
//!
//! There are two move generators. [`Position::legal_moves`] lists moves with all that notation and
//! replay need; the counting board only counts, and takes half the time. They share the
//! attack tables, and the tests hold both to the same known counts and to two other
//! implementations.
//!
//! The last ply is counted from sets of squares. `hashed` counts with a table of positions, and
//! takes from its `leaf_cache` most counts that the table does not have.

mod board;
mod hashed;
mod kinds;
mod leaf_cache;
mod limits;
mod moves;
mod packed_key;
mod recursion;
mod table;

use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::commands::perft::counting::board::{Black, Node, Side, White};
use crate::commands::perft::counting::hashed::HashedSearch;
use crate::commands::perft::counting::recursion::{ASK_DEPTH, descend};

pub use kinds::{Kinds, kinds};
pub use recursion::{CountError, Perft};
pub use table::{Table, TableTooLarge};

/// Greatest depth in plies. It bounds the recursion, and a table entry has eight bits for it.
pub const MOST_DEPTH: u32 = 255;

/// Number of ways to play `depth` legal moves from a position; 1 at depth 0.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::Position;
/// # use arbiter::commands::perft::counting::perft;
/// assert_eq!(perft(&Position::initial(), 3), 8_902);
/// ```
///
/// # Panics
///
/// If the depth exceeds [`MOST_DEPTH`], or the number [`u64::MAX`].
pub fn perft(position: &Position, depth: u32) -> u64 {
    Perft::default()
        .count(position, depth)
        .expect("the count fits into 64 bits, and nothing stops it")
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
    pub fn count(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        assert!(depth <= MOST_DEPTH, "depth {depth} exceeds {MOST_DEPTH}");
        match depth {
            0 => Ok(1),
            _ => self.count_plies(position, depth),
        }
    }

    fn count_plies(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        let node = Node::of(position);
        let nodes = match position.turn() {
            Color::White => self.count_node::<White>(&node, depth),
            Color::Black => self.count_node::<Black>(&node, depth),
        };
        if self.is_stopped() {
            return Err(CountError::Stopped);
        }
        if depth < ASK_DEPTH {
            self.note(nodes);
        }
        // Sums stop here instead of wrapping.
        match nodes {
            u64::MAX => Err(CountError::TooLarge),
            nodes => Ok(nodes),
        }
    }

    fn count_node<S: Side>(&self, node: &Node, depth: u32) -> u64 {
        let hashed = self
            .table
            .and_then(|table| HashedSearch::new(table, self, node));
        match hashed {
            None => descend::<S>(node, depth, self),
            Some(mut search) => search.count::<S>(node, depth),
        }
    }
}
