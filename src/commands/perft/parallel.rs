//! Counting on all threads of a pool.

use rayon::prelude::*;

use crate::chess::{Move, Position};
use crate::commands::perft::counting::{CountError, Kinds, Perft};

/// Count after one first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divided {
    /// The first move.
    pub mv: Move,
    /// Nodes after the move.
    pub nodes: u64,
}

/// Counts on all threads of the pool in which it runs.
#[derive(Clone, Copy)]
pub struct ParallelPerft<'a> {
    /// Table and stop flag.
    pub perft: Perft<'a>,
    /// Called for each first move when it is done, on any thread.
    pub done: &'a (dyn Fn(Divided) + Sync),
}

/// Depths below this are counted by one thread, since sharing them takes longer.
const SHARED_DEPTH: u32 = 4;

/// Counting by kind starts one task per move sequence of this length.
const SHARED_PLIES: u32 = 2;

impl ParallelPerft<'_> {
    /// Nodes at a depth.
    ///
    /// # Errors
    ///
    /// As for [`Perft::count`].
    pub fn nodes(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        if depth < SHARED_DEPTH {
            return self.perft.count(position, depth);
        }
        sum(&self.divide(position, depth)?)
    }

    /// Nodes after each first move, in unspecified order. `depth` is 1 or more.
    ///
    /// # Errors
    ///
    /// As for [`Perft::count`].
    pub fn divide(&self, position: &Position, depth: u32) -> Result<Vec<Divided>, CountError> {
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| {
                let next = position.after(mv);
                let nodes = self.shared(&next, depth.saturating_sub(1))?;
                let divided = Divided { mv, nodes };
                (self.done)(divided);
                Ok(divided)
            })
            .collect()
    }

    /// Shares the second moves too, since first moves differ much in size. One thread finds more in
    /// its caches without.
    fn shared(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        if depth < SHARED_DEPTH || rayon::current_num_threads() == 1 {
            return self.perft.count(position, depth);
        }
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| {
                let next = position.after(mv);
                self.perft.count(&next, depth - 1)
            })
            .try_reduce(|| 0, add)
    }

    /// Moves at a ply by kind.
    ///
    /// # Errors
    ///
    /// As for [`Perft::kinds`].
    pub fn kinds(&self, position: &Position, depth: u32) -> Result<Kinds, CountError> {
        self.shared_kinds(position, depth, SHARED_PLIES)
    }

    /// Shares the first `plies` plies only, since waiting threads pile up work on their stacks.
    fn shared_kinds(
        &self,
        position: &Position,
        depth: u32,
        plies: u32,
    ) -> Result<Kinds, CountError> {
        if plies == 0 || depth < SHARED_DEPTH {
            return self.perft.kinds(position, depth);
        }
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| self.shared_kinds(&position.after(mv), depth - 1, plies - 1))
            .try_reduce(Kinds::default, |mut a, b| {
                a += b;
                Ok(a)
            })
    }
}

/// Nodes after all first moves.
///
/// # Errors
///
/// If the sum exceeds 64 bits.
pub fn sum(moves: &[Divided]) -> Result<u64, CountError> {
    moves
        .iter()
        .try_fold(0, |sum, divided| add(sum, divided.nodes))
}

fn add(a: u64, b: u64) -> Result<u64, CountError> {
    a.checked_add(b).ok_or(CountError::TooLarge)
}
