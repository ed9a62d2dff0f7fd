//! Counting of positions (perft), to test the rules of chess.
//!
//! There are two move generators. [`Position::legal_moves`] lists moves with all that notation and
//! replay need; the counting board only counts. They share the attack tables, and the tests hold
//! both to the same known counts and to two other implementations.
//!
//! The last ply is counted from sets of squares, by `siblings` for all children of a node together.
//! `hashed` counts with a table of positions. Without `inline(always)` counting takes 4 to 13 %
//! longer.

mod board;
mod hashed;
mod kinds;
mod moves;
mod siblings;
mod table;

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::chess::moves::Move;
use crate::chess::piece::Color;
use crate::chess::position::Position;
use crate::commands::perft::counting::board::{Black, Node, Side, White, leaves};
use crate::commands::perft::counting::hashed::HashedSearch;
use crate::commands::perft::counting::moves::{MoveVisitor, for_each_move};
use crate::commands::perft::counting::siblings::Siblings;
use crate::error::Error;

pub use kinds::Kinds;
pub use table::CountTable;

/// Greatest depth in plies. It bounds the recursion, and a table entry has eight bits for it.
pub(crate) const MOST_DEPTH: u32 = 255;

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
/// If the depth exceeds `MOST_DEPTH`, or the number [`u64::MAX`].
pub fn perft(position: &Position, depth: u32) -> u64 {
    Perft::default()
        .count(position, depth)
        .expect("the count fits into 64 bits, and nothing stops it")
}

/// Reason why there is no count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountError {
    /// The count was stopped.
    Stopped,
    /// The count exceeds 64 bits.
    TooLarge,
}

/// Perft with a table of positions and a stop flag, which threads may share.
#[derive(Clone, Copy, Default)]
pub struct Perft<'a> {
    /// Table of counted positions.
    pub table: Option<&'a CountTable>,
    /// If set, ends the count within some milliseconds.
    pub stop: Option<&'a AtomicBool>,
    /// Progress: number of nodes counted so far, in steps.
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
    /// If the depth exceeds `MOST_DEPTH`.
    pub fn count(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        assert!(depth <= MOST_DEPTH, "depth {depth} exceeds {MOST_DEPTH}");
        if depth == 0 {
            return Ok(1);
        }
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
            None => descend::<S>(node, depth, self, &mut Siblings::new()),
            Some(mut search) => search.count::<S>(node, depth),
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn note(&self, nodes: u64) {
        if let Some(counted) = self.counted {
            counted.fetch_add(nodes, Ordering::Relaxed);
        }
    }
}

/// From this depth on, nodes test the stop flag and report progress: they take a tenth of a
/// millisecond or more.
pub(crate) const ASK_DEPTH: u32 = 4;

/// Counts without a table; `depth` is 1 or more. The count is arbitrary once the run is stopped.
///
/// The instructions of the machine are chosen at run time: a build for any processor has no vectors
/// wide enough for [`Siblings`] otherwise.
pub(crate) fn descend<S: Side>(
    node: &Node,
    depth: u32,
    run: &Perft<'_>,
    siblings: &mut Siblings,
) -> u64 {
    dispatch!(Level::new(), simd => descend_with::<S, _>(simd, node, depth, run, siblings))
}

#[inline(always)]
fn descend_with<S: Side, I: Simd>(
    simd: I,
    node: &Node,
    depth: u32,
    run: &Perft<'_>,
    siblings: &mut Siblings,
) -> u64 {
    if depth >= ASK_DEPTH && run.is_stopped() {
        return 0;
    }
    match depth {
        1 => leaves::<S>(node),
        2 => siblings.count::<S, I>(simd, node),
        _ => {
            let mut children = Children::<S::Other> {
                nodes: 0,
                depth: depth - 1,
                run,
                siblings,
                side: PhantomData,
            };
            for_each_move::<S>(node, &mut children);
            if depth == ASK_DEPTH {
                run.note(children.nodes);
            }
            children.nodes
        }
    }
}

/// Counts below a node of depth 3 or more.
struct Children<'r, S> {
    nodes: u64,
    /// Depth of the children.
    depth: u32,
    run: &'r Perft<'r>,
    siblings: &'r mut Siblings,
    side: PhantomData<S>,
}

impl<S: Side> MoveVisitor for Children<'_, S> {
    #[inline(always)]
    fn visit(&mut self, child: Node) {
        if self.nodes < u64::MAX {
            let nodes = descend::<S>(&child, self.depth, self.run, self.siblings);
            self.nodes = self.nodes.saturating_add(nodes);
        }
    }
}

/// A first move, and the nodes after it.
pub(crate) type Divided = (Move, u64);

/// Depths below this are counted by one thread, since sharing them takes longer.
const SHARED_DEPTH: u32 = 4;

/// Counts on all threads of the pool in which it runs.
impl Perft<'_> {
    /// As [`Perft::count`].
    pub(crate) fn par_count(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        if depth < SHARED_DEPTH {
            return self.count(position, depth);
        }
        sum(&self.divide(position, depth, |_| {})?)
    }

    /// Nodes after each first move, in unspecified order. `depth` is 1 or more; `done` is called
    /// with those of each first move when they are counted, on any thread.
    pub(crate) fn divide(
        &self,
        position: &Position,
        depth: u32,
        done: impl Fn(u64) + Sync,
    ) -> Result<Vec<Divided>, CountError> {
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| {
                let nodes = self.shared(&position.after(mv), depth.saturating_sub(1))?;
                done(nodes);
                Ok((mv, nodes))
            })
            .collect()
    }

    /// Shares the second moves too, since first moves differ much in size. One thread finds more in
    /// its caches without.
    fn shared(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        if depth < SHARED_DEPTH || rayon::current_num_threads() == 1 {
            return self.count(position, depth);
        }
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| self.count(&position.after(mv), depth - 1))
            .try_reduce(|| 0, add)
    }
}

/// Nodes after all first moves.
pub(crate) fn sum(moves: &[Divided]) -> Result<u64, CountError> {
    moves.iter().try_fold(0, |sum, &(_, nodes)| add(sum, nodes))
}

fn add(a: u64, b: u64) -> Result<u64, CountError> {
    a.checked_add(b).ok_or(CountError::TooLarge)
}

/// A pool of `threads` threads (at least 1), with stacks of `stack_bytes`.
pub(crate) fn thread_pool(threads: usize, stack_bytes: usize) -> Result<ThreadPool, Error> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("worker-{n}"))
        .stack_size(stack_bytes)
        .build()
        .map_err(|cause| Error::threads(threads, &cause))
}
