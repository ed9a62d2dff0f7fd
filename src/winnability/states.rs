//! Positions met on the way, each of them once.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;

/// A position without its clocks, exactly: which of sixteen things each square holds, in four planes, and whose move
/// it is. Two positions have the same state if and only if the same games can follow from both.
///
/// The first three planes number the six kinds of piece from 1; the seventh number is a rook that may castle. The
/// fourth plane holds Black's men, and a square where a pawn can be captured en passant, which is empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    planes: [u64; 4],
    turn: Color,
}

impl State {
    #[inline]
    pub(crate) fn of(position: &Position) -> State {
        let board = position.board();
        let role = |role| board.role(role).0;
        let castling = position.castling().0;
        let passed = position
            .en_passant()
            .map_or(0, |square| 1 << square.index());
        State {
            planes: [
                role(Role::Pawn) | role(Role::Bishop) | role(Role::Queen) | castling,
                role(Role::Knight) | role(Role::Bishop) | role(Role::King) | castling,
                role(Role::Rook) | role(Role::Queen) | role(Role::King),
                board.color(Color::Black).0 | passed,
            ],
            turn: position.turn(),
        }
    }

    /// The board, the rooks that may castle, and the square a pawn has just passed.
    pub(crate) fn parts(&self) -> (Board, Bitboard, Option<Square>) {
        let [one, two, four, black] = self.planes.map(Bitboard);
        let castling = one & two & four;
        let occupied = one | two | four;
        let roles = [
            one.without(two | four),
            two.without(one | four),
            (one & two).without(four),
            four.without(one | two) | castling,
            (one & four).without(two),
            (two & four).without(one),
        ];
        let colors = [occupied.without(black), occupied & black];
        (
            Board::from_sets(roles, colors),
            castling,
            black.without(occupied).first(),
        )
    }

    /// The number of what stands on a square, 0 for nothing, and whether the fourth plane holds the square.
    pub(crate) fn on(&self, square: Square) -> (usize, bool) {
        let [one, two, four, black] = self
            .planes
            .map(|plane| (plane >> square.index() & 1) as usize);
        (one + 2 * two + 4 * four, black == 1)
    }

    /// Whose move it is.
    pub(crate) fn turn(&self) -> Color {
        self.turn
    }
}

/// The number of a state, in the order in which they were met.
pub(crate) type Index = u32;

#[derive(Clone, Copy)]
pub(crate) struct Node {
    state: State,
    parent: Index,
    key: u64,
}

impl Node {
    /// A position reached from another.
    #[inline]
    pub(crate) fn new(position: &Position, parent: Index) -> Node {
        Node {
            state: State::of(position),
            parent,
            key: position.key(),
        }
    }
}

/// A set of states that remembers where each was first met.
#[derive(Default)]
pub(crate) struct States {
    nodes: Vec<Node>,
    /// Open addressing: the upper half of a key, and below it the number of the state plus one; 0 where there is none.
    slots: Vec<u64>,
}

/// The parent of a state that was not reached from another.
const ROOT: Index = Index::MAX;

impl States {
    /// Forgets all states; the memory is kept.
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

    /// Adds a position nobody led to.
    pub(crate) fn insert_root(&mut self, position: &Position) -> Option<Index> {
        self.insert(position, ROOT)
    }

    /// Whether the position has been met.
    pub(crate) fn contains(&self, position: &Position) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let (state, key) = (State::of(position), position.key());
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

    /// Whether the position is the one nobody led to.
    pub(crate) fn begins_with(&self, position: &Position) -> bool {
        let root = self.nodes.first();
        root.is_some_and(|root| root.state == State::of(position))
    }

    /// The number of the position's state if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, position: &Position, parent: Index) -> Option<Index> {
        if self.nodes.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let state = State::of(position);
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
        let index = self.nodes.len() as Index;
        self.nodes.push(Node { state, parent, key });
        self.slots[slot] = tag | u64::from(index + 1);
        Some(index)
    }

    /// Adds those of many positions that are new.
    pub(crate) fn insert_all(&mut self, batch: &[Node]) {
        while (self.nodes.len() + batch.len()) * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        // What is looked up is seldom in a cache. Looking at everything beforehand lets memory answer many requests at once.
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

    /// The position of a state; its clocks start anew.
    #[inline]
    pub(crate) fn position(&self, index: Index) -> Position {
        let node = &self.nodes[index as usize];
        let (board, castling, en_passant) = node.state.parts();
        Position::from_parts(board, node.state.turn, castling, en_passant, node.key)
    }

    /// The moves that lead from the root to a state.
    pub(crate) fn line_to(&self, mut index: Index) -> Vec<Move> {
        let mut line = Vec::new();
        while self.nodes[index as usize].parent != ROOT {
            let parent = self.nodes[index as usize].parent;
            let before = self.position(parent);
            let target = self.nodes[index as usize].state;
            let mv = before
                .legal_moves()
                .into_iter()
                .find(|&mv| State::of(&before.after(mv)) == target)
                .unwrap_or_else(|| unreachable!("a state is reached from its parent"));
            line.push(mv);
            index = parent;
        }
        line.reverse();
        line
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = State> {
        self.nodes.iter().map(|node| node.state)
    }
}
