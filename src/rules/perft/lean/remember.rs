//! Counting with a memory.

use std::marker::PhantomData;

use arrayvec::ArrayVec;

use super::group::{self, Unit};
use super::leaves::leaves;
use super::visit::{Simple, Visit, visit};
use super::{ASK_DEPTH, Node, Run, Side};
use crate::rules::perft::table::{Exact, Table};

pub(super) struct Search<'a> {
    table: &'a Table,
    run: &'a Run<'a>,
    unit: Unit,
}

impl<'a> Search<'a> {
    pub(super) fn new(table: &'a Table, run: &'a Run<'a>) -> Search<'a> {
        Search { table, run, unit: Unit::new() }
    }

    pub(super) fn count<S: Side>(&mut self, node: &Node, depth: u32) -> u64 {
        if depth >= ASK_DEPTH && self.run.is_stopped() {
            return 0;
        }
        match depth {
            1 => leaves::<S>(node),
            2 => super::descend::<S>(node, 2, self.run),
            6 => self.count_six::<S>(node),
            _ => {
                self.ask::<S>(node, depth)
            }
        }
    }

    fn ask<S: Side>(&mut self, node: &Node, depth: u32) -> u64 {
        match depth {
            4 => self.unit.four(node),
            3 => self.unit.three(node),
            _ => {}
        }
        let mut ask = Ask::<S::Other> { search: self, depth: depth - 1, nodes: 0, waiting: Waiting::new(), side: PhantomData };
        visit::<S>(node, &mut ask);
        ask.look_up();
        ask.nodes
    }

    #[inline(never)]
    fn count_two<S: Side>(&mut self, node: &Node, simple: Simple) -> u64 {
        let Some(leaves) = self.unit.leaves(node, simple) else {
            return super::descend::<S>(node, 2, self.run);
        };
        let mut two = Two::<S::Other> { leaves, nodes: 0, side: PhantomData };
        visit::<S>(node, &mut two);
        two.nodes
    }

    #[inline(never)]
    fn count_six<S: Side>(&mut self, node: &Node) -> u64 {
        self.unit.begin();
        let mut children = List::<S::Other> { depth: 5, list: Vec::new(), first: Simple::NOT, child: 0, table: self.table, side: PhantomData };
        visit::<S>(node, &mut children);
        let children = children.list;
        let mut sums: Vec<u64> = Vec::new();
        let mut known = Vec::new();
        let mut grand = List::<S> { depth: 4, list: Vec::new(), first: Simple::NOT, child: 0, table: self.table, side: PhantomData };
        for child in &children {
            let nodes = self.table.find(&child.exact);
            known.push(nodes.is_some());
            if nodes.is_none() {
                grand.first = child.simple;
                grand.child = sums.len();
                visit::<S::Other>(&child.node, &mut grand);
            }
            sums.push(nodes.unwrap_or(0));
        }
        let mut list = grand.list;
        list.sort_by_key(|grand| grand.key);
        for ahead in list.chunks(16) {
            for grand in ahead {
                self.table.prefetch(&grand.exact);
            }
            for grand in ahead {
                let nodes = self.table.find(&grand.exact).unwrap_or_else(|| {
                    if self.run.is_stopped() {
                        return 0;
                    }
                    let nodes = self.ask::<S>(&grand.node, 4);
                    if !self.run.is_stopped() {
                        self.table.store(&grand.exact, nodes);
                    }
                    nodes
                });
                sums[grand.child] += nodes;
            }
        }
        if !self.run.is_stopped() {
            for ((child, known), nodes) in children.iter().zip(known).zip(&sums) {
                if !known {
                    self.table.store(&child.exact, *nodes);
                }
            }
        }
        sums.iter().sum()
    }

}

struct Listed {
    node: Node,
    exact: Exact,
    simple: Simple,
    first: Simple,
    key: usize,
    child: usize,
}

struct List<'a, S> {
    depth: u32,
    list: Vec<Listed>,
    first: Simple,
    child: usize,
    table: &'a Table,
    side: PhantomData<S>,
}

impl<S: Side> Visit for List<'_, S> {
    #[inline(always)]
    fn step(&mut self, simple: Simple, child: impl FnOnce() -> Node) {
        let node = child();
        let exact = node.exact::<S>(self.depth);
        if self.depth == 5 {
            self.table.prefetch(&exact);
        }
        let key = simple.index() << 8 | self.first.captured();
        self.list.push(Listed { node, exact, simple, first: self.first, key, child: self.child });
    }
}

struct Two<'b, S> {
    leaves: group::Leaves<'b>,
    nodes: u64,
    side: PhantomData<S>,
}

impl<S: Side> Visit for Two<'_, S> {
    #[inline(always)]
    fn step(&mut self, simple: Simple, child: impl FnOnce() -> Node) {
        let (edge, known) = self.leaves.known(simple);
        if known != 0 {
            self.nodes += known as u64 - 1;
            return;
        }
        let child = child();
        let nodes = leaves::<S>(&child);
        self.nodes += nodes;
        self.leaves.learn(edge, simple, &child, nodes);
    }
}

struct Ask<'s, 'a, S> {
    search: &'s mut Search<'a>,
    depth: u32,
    nodes: u64,
    waiting: Waiting,
    side: PhantomData<S>,
}

/// Children whose entries have been asked for.
type Waiting = ArrayVec<(Node, Exact, Simple), 16>;

impl<S: Side> Visit for Ask<'_, '_, S> {
    #[inline(always)]
    fn step(&mut self, simple: Simple, child: impl FnOnce() -> Node) {
        self.ask(child(), simple);
    }
}

impl<S: Side> Ask<'_, '_, S> {
    #[inline(never)]
    fn ask(&mut self, child: Node, simple: Simple) {
        let exact = child.exact::<S>(self.depth);
        self.search.table.prefetch(&exact);
        self.waiting.push((child, exact, simple));
        if self.waiting.is_full() {
            self.look_up();
        }
    }

    /// The nodes below some children, from the table where it has them.
    fn look_up(&mut self) {
        let Search { table, run, .. } = *self.search;
        for (node, exact, simple) in self.waiting.drain(..) {
            let nodes = table.find(&exact).unwrap_or_else(|| {
                let nodes = match self.depth {
                    2 => self.search.count_two::<S>(&node, simple),
                    _ => self.search.count::<S>(&node, self.depth),
                };
                if !run.is_stopped() {
                    table.store(&exact, nodes);
                }
                nodes
            });
            self.nodes += nodes;
        }
    }
}

impl Node {
    /// The node without loss.
    #[inline(always)]
    #[allow(unsafe_code)]
    fn exact<S: Side>(&self, depth: u32) -> Exact {
        // Seven things a side, queens being in both slider sets: nothing and pawn share no code with the others, and
        // a rook that may castle is a kind of its own.
        let code = |men: &super::Men| {
            let queens = men.diagonal & men.straight;
            let may_castle = self.castling & men.straight;
            let rooks = men.straight.without(queens).without(may_castle);
            let bishops = men.diagonal.without(queens);
            [
                men.pawns | bishops | queens | may_castle,
                men.knights | bishops | men.king | may_castle,
                rooks | queens | men.king | may_castle,
            ]
        };
        let (us, them) = (code(&self.us), code(&self.them));
        let planes = [
            (us[0] | them[0]).0,
            (us[1] | them[1]).0,
            (us[2] | them[2]).0,
            self.us.all().0,
        ];
        let passed = self
            .passed
            .first()
            .map_or(0, |square| square.index() as u64);
        let occupied = (self.us.all() | self.them.all()).0;
        let [a, b, c, d] = planes.map(|plane| unsafe { core::arch::x86_64::_pext_u64(plane, occupied) });
        Exact {
            occupied,
            men: [a | b << 32, c | d << 32],
            rest: passed << 9 | u64::from(depth.min(255)) << 1 | S::COLOR as u64,
        }
    }
}
