//! Recursion without a table, and what all of a run's threads share.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::commands::perft::counting::board::{Node, Side};
use crate::commands::perft::counting::limits::leaves;
use crate::commands::perft::counting::moves::{MoveVisitor, SimpleMove, for_each_move};
use crate::commands::perft::counting::table::Table;

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
    pub table: Option<&'a Table>,
    /// If set, ends the count within some milliseconds.
    pub stop: Option<&'a AtomicBool>,
    /// Progress: number of nodes counted so far, in steps.
    pub counted: Option<&'a AtomicU64>,
}

impl Perft<'_> {
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
pub(crate) fn descend<S: Side>(node: &Node, depth: u32, run: &Perft<'_>) -> u64 {
    if depth >= ASK_DEPTH && run.is_stopped() {
        return 0;
    }
    match depth {
        1 => leaves::<S>(node),
        2 => {
            let mut leaves = Leaves::<S::Other> {
                nodes: 0,
                side: PhantomData,
            };
            for_each_move::<S>(node, &mut leaves);
            leaves.nodes
        }
        _ => {
            let mut children = Children::<S::Other> {
                nodes: 0,
                depth: depth - 1,
                run,
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

/// Counts below a node of depth 2.
struct Leaves<S> {
    nodes: u64,
    side: PhantomData<S>,
}

impl<S: Side> MoveVisitor for Leaves<S> {
    #[inline(always)]
    fn visit(&mut self, _: SimpleMove, child: impl FnOnce() -> Node) {
        self.nodes += leaves::<S>(&child());
    }
}

/// Counts below a node of depth 3 or more.
struct Children<'r, S> {
    nodes: u64,
    /// Depth of the children.
    depth: u32,
    run: &'r Perft<'r>,
    side: PhantomData<S>,
}

impl<S: Side> MoveVisitor for Children<'_, S> {
    #[inline(always)]
    fn visit(&mut self, _: SimpleMove, child: impl FnOnce() -> Node) {
        if self.nodes < u64::MAX {
            let nodes = descend::<S>(&child(), self.depth, self.run);
            self.nodes = self.nodes.saturating_add(nodes);
        }
    }
}
