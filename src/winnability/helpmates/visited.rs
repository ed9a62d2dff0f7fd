//! Set of visited positions.

use crate::chess::moves::Move;
use crate::chess::packed::PackedPosition;
use crate::chess::position::Position;

/// Number of a visited position, in the order of the visits.
pub(crate) type NodeId = u32;

/// Visited position.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    state: PackedPosition,
    parent: NodeId,
    key: u64,
}

impl Node {
    /// Node of a position reached from `parent`.
    #[inline]
    pub(crate) fn new(position: &Position, parent: NodeId) -> Node {
        Node {
            state: PackedPosition::of(position),
            parent,
            key: position.key(),
        }
    }
}

/// Set of visited positions, each with the one it was first reached from.
#[derive(Default)]
pub(crate) struct Visited {
    nodes: Vec<Node>,
    /// Open addressing: the upper half of a key, and below it the node's number plus one; 0 if
    /// empty.
    slots: Vec<u64>,
}

/// Memory for a node and its slots, with room to grow.
const NODE_BYTES: usize = 88;

/// Parent of the root.
const ROOT: NodeId = NodeId::MAX;

impl Visited {
    /// Removes all positions; the memory is kept.
    pub(crate) fn clear(&mut self) {
        let mask = self.slots.len().wrapping_sub(1);
        for node in self.nodes.drain(..) {
            let mut slot = node.key as usize & mask;
            while self.slots[slot] != 0 {
                self.slots[slot] = 0;
                slot = (slot + 1) & mask;
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Memory of the positions, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.nodes.len() * NODE_BYTES
    }

    /// Whether a capture or a move of a pawn led to a node, or nothing did.
    pub(crate) fn is_after_event(&self, index: NodeId) -> bool {
        let Node { state, parent, .. } = self.nodes[index as usize];
        let before = self.nodes.get(parent as usize);
        before.is_none_or(|before| !state.has_same_men(&before.state))
    }

    /// Adds the root.
    pub(crate) fn insert_root(&mut self, position: &Position) -> Option<NodeId> {
        self.insert(position, ROOT)
    }

    /// Whether the position was visited.
    pub(crate) fn contains(&self, position: &Position) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let (state, key) = (PackedPosition::of(position), position.key());
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != 0 {
            if self.nodes[self.slots[slot] as u32 as usize - 1].state == state {
                return true;
            }
            slot = (slot + 1) & mask;
        }
        false
    }

    /// Whether the position is the root.
    pub(crate) fn begins_with(&self, position: &Position) -> bool {
        let root = self.nodes.first();
        root.is_some_and(|root| root.state == PackedPosition::of(position))
    }

    /// Adds a position; returns its number if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, position: &Position, parent: NodeId) -> Option<NodeId> {
        if self.nodes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let state = PackedPosition::of(position);
        let key = position.key();
        let mask = self.slots.len() - 1;
        let tag = key & 0xffff_ffff_0000_0000;
        let mut slot = key as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                break;
            }
            if found & 0xffff_ffff_0000_0000 == tag
                && self.nodes[found as u32 as usize - 1].state == state
            {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        let index = self.nodes.len() as NodeId;
        self.nodes.push(Node { state, parent, key });
        self.slots[slot] = tag | u64::from(index + 1);
        Some(index)
    }

    /// Adds the new ones among many positions.
    pub(crate) fn insert_all(&mut self, batch: &[Node]) {
        while (self.nodes.len() + batch.len()) * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        // Most lookups miss the caches. Touching all slots first lets the misses overlap.
        let mut touched = 0;
        for node in batch {
            touched ^= self.slots[node.key as usize & mask];
        }
        std::hint::black_box(touched);
        let mut touched = 0;
        for node in batch {
            let found = self.slots[node.key as usize & mask];
            if let Some(node) = self.nodes.get((found as u32 as usize).wrapping_sub(1)) {
                touched ^= node.key;
            }
        }
        std::hint::black_box(touched);
        'next: for node in batch {
            let tag = node.key & 0xffff_ffff_0000_0000;
            let mut slot = node.key as usize & mask;
            loop {
                let found = self.slots[slot];
                if found == 0 {
                    break;
                }
                if found & 0xffff_ffff_0000_0000 == tag
                    && self.nodes[found as u32 as usize - 1].state == node.state
                {
                    continue 'next;
                }
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = tag | (self.nodes.len() as u64 + 1);
            self.nodes.push(*node);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1 << 10);
        self.slots.clear();
        self.slots.resize(size, 0);
        let mask = size - 1;
        for (index, node) in self.nodes.iter().enumerate() {
            let mut slot = node.key as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = node.key & 0xffff_ffff_0000_0000 | (index as u64 + 1);
        }
    }

    /// Position of a node, with new clocks.
    #[inline]
    pub(crate) fn position(&self, index: NodeId) -> Position {
        let node = &self.nodes[index as usize];
        node.state.unpack_with_key(node.key)
    }

    /// Moves that lead from the root to a node.
    pub(crate) fn line_to(&self, mut index: NodeId) -> Vec<Move> {
        let mut line = Vec::new();
        while self.nodes[index as usize].parent != ROOT {
            let parent = self.nodes[index as usize].parent;
            let before = self.position(parent);
            let target = self.nodes[index as usize].state;
            let mv = before
                .legal_moves()
                .into_iter()
                .find(|&mv| PackedPosition::of(&before.after(mv)) == target)
                .unwrap_or_else(|| unreachable!("a node is reached from its parent"));
            line.push(mv);
            index = parent;
        }
        line.reverse();
        line
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = PackedPosition> {
        self.nodes.iter().map(|node| node.state)
    }
}
