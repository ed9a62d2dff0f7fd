//! Counting with a table of positions (hashed perft).

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use fearless_simd::{Level, Simd, dispatch};

use crate::commands::perft::counting::board::MOST_MEN;
use crate::commands::perft::counting::board::leaves;
use crate::commands::perft::counting::board::{Node, Side};
use crate::commands::perft::counting::leaf_cache::{KnownCounts, LeafCache};
use crate::commands::perft::counting::moves::{MoveVisitor, SimpleMove, for_each_move};
use crate::commands::perft::counting::table::{PackedKey, Table};
use crate::commands::perft::counting::{ASK_DEPTH, Perft, descend};

/// Count with a table.
pub(crate) struct HashedSearch<'a> {
    table: &'a Table,
    run: &'a Perft<'a>,
    leaf_cache: LeafCache,
}

impl<'a> HashedSearch<'a> {
    /// `None` if the node has too many men for the table.
    pub(crate) fn new(
        table: &'a Table,
        run: &'a Perft<'a>,
        node: &Node,
    ) -> Option<HashedSearch<'a>> {
        let men = (node.us.all() | node.them.all()).count();
        (men as u32 <= MOST_MEN).then(|| HashedSearch {
            table,
            run,
            leaf_cache: LeafCache::new(),
        })
    }

    /// Counts to a depth of 1 or more. The count is arbitrary once the run is stopped.
    pub(crate) fn count<S: Side>(&mut self, node: &Node, depth: u32) -> u64 {
        if depth >= ASK_DEPTH && self.run.is_stopped() {
            return 0;
        }
        match depth {
            1 | 2 => descend::<S>(node, depth, self.run),
            6 => dispatch!(Level::new(), _ => self.count_six::<S>(node)),
            _ => dispatch!(Level::new(), machine => self.sum_children::<S>(machine, node, depth)),
        }
    }

    #[inline(always)]
    fn sum_children<S: Side>(&mut self, machine: impl Simd, node: &Node, depth: u32) -> u64 {
        match depth {
            3 => self.leaf_cache.begin_three(node),
            4 => self.leaf_cache.begin_four(node),
            _ => {}
        }
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

    /// As [`count`](HashedSearch::count) for depth 6.
    ///
    /// Nodes of depth 4 with a common base are counted one after another, without which a perft of
    /// depth 7 from the start position takes 15 % longer. (It gains nothing in positions with many
    /// captures.)
    #[inline(always)]
    fn count_six<S: Side>(&mut self, node: &Node) -> u64 {
        let mut children = Listing::<S::Other>::new(5);
        for_each_move::<S>(node, &mut children);
        let mut children = children.list;
        for child in &children {
            self.table.prefetch(&child.key);
        }
        let mut nodes = 0;
        children.retain(|child| match self.table.find(&child.key) {
            Some(known) => {
                self.run.note(known);
                nodes += known;
                false
            }
            None => true,
        });

        let mut below = Listing::<S>::new(4);
        for (place, child) in children.iter().enumerate() {
            below.parent = place;
            for_each_move::<S::Other>(&child.node, &mut below);
        }
        let mut below = below.list;
        // The reply, and the man captured by the first move, determine the base.
        below.sort_by_key(|grandchild| {
            let first = children[grandchild.parent].mv;
            (grandchild.mv.index(), first.captured())
        });
        for some in below.chunks(AHEAD) {
            for grandchild in some {
                self.table.prefetch(&grandchild.key);
            }
            for Listed {
                node,
                key,
                mv,
                parent,
                ..
            } in some
            {
                children[*parent].nodes += self.look_up::<S>(node, key, 4, *mv);
            }
        }

        for child in &children {
            if !self.run.is_stopped() {
                self.table.store(&child.key, child.nodes);
            }
            nodes += child.nodes;
        }
        nodes
    }

    /// Count of a node reached by `mv`, from the table or stored in it.
    #[inline(always)]
    fn look_up<S: Side>(
        &mut self,
        node: &Node,
        key: &PackedKey,
        depth: u32,
        mv: SimpleMove,
    ) -> u64 {
        if let Some(nodes) = self.table.find(key) {
            if depth >= ASK_DEPTH {
                self.run.note(nodes);
            }
            return nodes;
        }
        let nodes = match depth {
            2 => dispatch!(Level::new(), machine => self.count_two::<S>(machine, node, mv)),
            _ => self.count::<S>(node, depth),
        };
        if !self.run.is_stopped() {
            self.table.store(key, nodes);
        }
        nodes
    }

    /// As [`count`](HashedSearch::count) for a node of depth 2, reached by `reply`.
    #[inline(always)]
    fn count_two<S: Side>(&mut self, machine: impl Simd, node: &Node, reply: SimpleMove) -> u64 {
        let Some(known) = self.leaf_cache.below(reply) else {
            return descend::<S>(node, 2, self.run);
        };
        let mut leaves = KnownLeaves::<S::Other, _> {
            machine,
            known,
            nodes: 0,
            side: PhantomData,
        };
        for_each_move::<S>(node, &mut leaves);
        leaves.nodes
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
    /// Children with prefetched entries, and the moves that lead to them.
    waiting: ArrayVec<(Node, PackedKey, SimpleMove), AHEAD>,
    side: PhantomData<S>,
}

impl<S: Side, M: Simd> MoveVisitor for Children<'_, '_, S, M> {
    #[inline(always)]
    fn visit(&mut self, mv: SimpleMove, child: impl FnOnce() -> Node) {
        let child = child();
        self.machine.vectorize(
            #[inline(always)]
            || self.take(child, mv),
        );
    }
}

impl<S: Side, M: Simd> Children<'_, '_, S, M> {
    #[inline(always)]
    fn take(&mut self, child: Node, mv: SimpleMove) {
        let key = child.packed_key::<S>(self.depth);
        self.search.table.prefetch(&key);
        self.waiting.push((child, key, mv));
        if self.waiting.is_full() {
            self.count_waiting();
        }
    }

    #[inline(always)]
    fn count_waiting(&mut self) {
        for (node, key, mv) in self.waiting.drain(..) {
            if self.nodes == u64::MAX {
                break;
            }
            let nodes = self.search.look_up::<S>(&node, &key, self.depth, mv);
            self.nodes = self.nodes.saturating_add(nodes);
        }
    }
}

/// Counts below a node of depth 2.
struct KnownLeaves<'a, S, M> {
    machine: M,
    known: KnownCounts<'a>,
    nodes: u64,
    side: PhantomData<S>,
}

impl<S: Side, M: Simd> MoveVisitor for KnownLeaves<'_, S, M> {
    #[inline(always)]
    fn visit(&mut self, mv: SimpleMove, child: impl FnOnce() -> Node) {
        let (number, known) = self.known.find(mv);
        self.nodes += match known {
            Some(nodes) => nodes,
            None => {
                let child = child();
                let nodes = self.machine.vectorize(
                    #[inline(always)]
                    || leaves::<S>(&child),
                );
                self.known.learn(mv, number, &child, nodes);
                nodes
            }
        };
    }
}

/// Lists children.
struct Listing<S> {
    list: Vec<Listed>,
    /// Depth of the children.
    depth: u32,
    /// Index of the parent in its list.
    parent: usize,
    side: PhantomData<S>,
}

struct Listed {
    node: Node,
    key: PackedKey,
    /// Move that leads to the node.
    mv: SimpleMove,
    parent: usize,
    nodes: u64,
}

impl<S> Listing<S> {
    fn new(depth: u32) -> Self {
        Listing {
            list: Vec::new(),
            depth,
            parent: 0,
            side: PhantomData,
        }
    }
}

impl<S: Side> MoveVisitor for Listing<S> {
    #[inline(always)]
    fn visit(&mut self, mv: SimpleMove, child: impl FnOnce() -> Node) {
        let node = child();
        self.list.push(Listed {
            key: node.packed_key::<S>(self.depth),
            node,
            mv,
            parent: self.parent,
            nodes: 0,
        });
    }
}
