//! Set of visited positions.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::chess::moves::Move;
use crate::chess::packed::PackedPosition;
use crate::chess::position::Position;

/// Number of a visited position, in the order of the visits.
pub(crate) type NodeId = u32;

/// Visited position.
#[derive(Clone, Copy)]
pub(crate) struct Visit {
    state: PackedPosition,
    parent: NodeId,
    key: u64,
}

impl Visit {
    /// Node of a position reached from `parent`.
    #[inline]
    pub(crate) fn new(position: &Position, parent: NodeId) -> Visit {
        Visit {
            state: PackedPosition::of(position),
            parent,
            key: position.key(),
        }
    }

    /// Node of a position, or of a mirror of it, without a parent.
    pub(crate) fn up_to_symmetry(position: &Position) -> Visit {
        let state = PackedPosition::up_to_symmetry(position);
        Visit {
            state,
            parent: ROOT,
            key: state.hash(),
        }
    }
}

/// Set of visited positions, each with the one it was first reached from.
#[derive(Default)]
pub(crate) struct Visited {
    nodes: Vec<Visit>,
    /// The nodes by their keys.
    slots: HashTable<NodeId>,
}

/// Memory for a node and its slots, with room to grow.
const NODE_BYTES: usize = 88;

/// Parent of the root.
const ROOT: NodeId = NodeId::MAX;

impl Visited {
    /// Removes all positions; the memory is kept.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.slots.clear();
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
        let Visit { state, parent, .. } = self.nodes[index as usize];
        let before = self.nodes.get(parent as usize);
        before.is_none_or(|before| !state.has_same_men(&before.state))
    }

    /// Adds the root.
    pub(crate) fn insert_root(&mut self, position: &Position) -> Option<NodeId> {
        self.insert(Visit::new(position, ROOT)).ok()
    }

    /// Whether the position was visited.
    pub(crate) fn contains(&self, position: &Position) -> bool {
        self.find(&Visit::new(position, ROOT)).is_some()
    }

    /// Number of a node that was visited.
    pub(crate) fn find(&self, node: &Visit) -> Option<NodeId> {
        let is_same = |&id: &NodeId| self.nodes[id as usize].state == node.state;
        self.slots.find(node.key, is_same).copied()
    }

    /// Whether the position is the root.
    pub(crate) fn begins_with(&self, position: &Position) -> bool {
        let root = self.nodes.first();
        root.is_some_and(|root| root.state == PackedPosition::of(position))
    }

    /// Adds a position, and returns its number; the number that it has, if it is known.
    #[inline]
    pub(crate) fn insert(&mut self, node: Visit) -> Result<NodeId, NodeId> {
        let Visited { nodes, slots } = self;
        let is_same = |&id: &NodeId| nodes[id as usize].state == node.state;
        match slots.entry(node.key, is_same, |&id| nodes[id as usize].key) {
            Entry::Occupied(known) => Err(*known.get()),
            Entry::Vacant(free) => {
                let id = nodes.len() as NodeId;
                free.insert(id);
                nodes.push(node);
                Ok(id)
            }
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
