//! Counting with a table of positions (hashed perft).

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use fearless_simd::{Level, Simd, dispatch};

use crate::commands::perft::counting::board::{MOST_MEN, Node, Side};
use crate::commands::perft::counting::moves::{MoveVisitor, for_each_move};
use crate::commands::perft::counting::siblings::Siblings;
use crate::commands::perft::counting::table::{CountTable, PackedKey};
use crate::commands::perft::counting::{ASK_DEPTH, Perft, descend};

/// Count with a table.
pub(crate) struct HashedSearch<'a> {
    table: &'a CountTable,
    run: &'a Perft<'a>,
    siblings: Box<Siblings>,
}

impl<'a> HashedSearch<'a> {
    /// `None` if the node has too many men for the table.
    pub(crate) fn new(
        table: &'a CountTable,
        run: &'a Perft<'a>,
        node: &Node,
    ) -> Option<HashedSearch<'a>> {
        let men = (node.us.all() | node.them.all()).count();
        (men as u32 <= MOST_MEN).then(|| HashedSearch {
            table,
            run,
            siblings: Siblings::new(),
        })
    }

    /// Counts to a depth of 1 or more. The count is arbitrary once the run is stopped.
    pub(crate) fn count<S: Side>(&mut self, node: &Node, depth: u32) -> u64 {
        if depth >= ASK_DEPTH && self.run.is_stopped() {
            return 0;
        }
        match depth {
            1 | 2 => descend::<S>(node, depth, self.run, &mut self.siblings),
            _ => dispatch!(Level::new(), machine => self.sum_children::<S>(machine, node, depth)),
        }
    }

    #[inline(always)]
    fn sum_children<S: Side>(&mut self, machine: impl Simd, node: &Node, depth: u32) -> u64 {
        let mut children = Children::<S::Other, _> {
            machine,
            search: self,
            depth: depth - 1,
            nodes: 0,
            waiting: ArrayVec::new(),
            side: PhantomData,
        };
        for_each_move::<S>(node, &mut children);
        children.count_waiting();
        let nodes = children.nodes;
        if depth == ASK_DEPTH {
            self.run.note(nodes);
        }
        nodes
    }

    /// Count of a node, from the table or stored in it.
    #[inline(always)]
    fn look_up<S: Side>(&mut self, node: &Node, key: &PackedKey, depth: u32) -> u64 {
        if let Some(nodes) = self.table.find(key) {
            if depth >= ASK_DEPTH {
                self.run.note(nodes);
            }
            return nodes;
        }
        let nodes = self.count::<S>(node, depth);
        if !self.run.is_stopped() {
            self.table.store(key, nodes);
        }
        nodes
    }
}

/// Number of entries prefetched together, so that their cache misses overlap.
const AHEAD: usize = 16;

/// Counts below a node of depth 3 or more.
struct Children<'s, 'a, S, M> {
    machine: M,
    search: &'s mut HashedSearch<'a>,
    /// Depth of the children.
    depth: u32,
    nodes: u64,
    /// Children with prefetched entries.
    waiting: ArrayVec<(Node, PackedKey), AHEAD>,
    side: PhantomData<S>,
}

impl<S: Side, M: Simd> MoveVisitor for Children<'_, '_, S, M> {
    #[inline(always)]
    fn visit(&mut self, child: Node) {
        self.machine.vectorize(
            #[inline(always)]
            || self.take(child),
        );
    }
}

impl<S: Side, M: Simd> Children<'_, '_, S, M> {
    #[inline(always)]
    fn take(&mut self, child: Node) {
        let key = child.packed_key::<S>(self.depth);
        self.search.table.prefetch(&key);
        self.waiting.push((child, key));
        if self.waiting.is_full() {
            self.count_waiting();
        }
    }

    #[inline(always)]
    fn count_waiting(&mut self) {
        for (node, key) in self.waiting.drain(..) {
            if self.nodes == u64::MAX {
                break;
            }
            let nodes = self.search.look_up::<S>(&node, &key, self.depth);
            self.nodes = self.nodes.saturating_add(nodes);
        }
    }
}
