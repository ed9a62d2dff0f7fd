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

    /// Node of a position, or of a mirror of it, without a parent.
    pub(crate) fn up_to_symmetry(position: &Position) -> Node {
        let state = PackedPosition::up_to_symmetry(position);
        Node {
            state,
            parent: ROOT,
            key: state.hash(),
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

/// Upper half of a key.
const TAG: u64 = 0xffff_ffff_0000_0000;

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
        self.insert(Node::new(position, ROOT)).ok()
    }

    /// Whether the position was visited.
    pub(crate) fn contains(&self, position: &Position) -> bool {
        self.find(&Node::new(position, ROOT)).is_some()
    }

    /// Number of a node that was visited.
    pub(crate) fn find(&self, node: &Node) -> Option<NodeId> {
        match self.slots[..] {
            [] => None,
            _ => self.probe(node).ok(),
        }
    }

    /// Number of a node, or the free slot for it.
    #[inline]
    fn probe(&self, node: &Node) -> Result<NodeId, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = node.key as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return Err(slot);
            }
            let index = found as u32 - 1;
            if found & TAG == node.key & TAG && self.nodes[index as usize].state == node.state {
                return Ok(index);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Whether the position is the root.
    pub(crate) fn begins_with(&self, position: &Position) -> bool {
        let root = self.nodes.first();
        root.is_some_and(|root| root.state == PackedPosition::of(position))
    }

    /// Adds a position, and returns its number; the number that it has, if it is known.
    #[inline]
    pub(crate) fn insert(&mut self, node: Node) -> Result<NodeId, NodeId> {
        if self.nodes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        match self.probe(&node) {
            Ok(known) => Err(known),
            Err(slot) => {
                let index = self.nodes.len() as NodeId;
                self.nodes.push(node);
                self.slots[slot] = node.key & TAG | u64::from(index + 1);
                Ok(index)
            }
        }
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
        for node in batch {
            let _ = self.insert(*node);
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
            self.slots[slot] = node.key & TAG | (index as u64 + 1);
        }
    }

    pub(crate) fn state(&self, index: NodeId) -> PackedPosition {
        self.nodes[index as usize].state
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
