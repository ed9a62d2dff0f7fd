//! A lean board for counting: nothing but what decides how many legal moves there are.
//!
//! [`Position`] carries clocks, a key, and kinds of piece for notation; counting needs none of them. Here queens are in
//! both slider sets, so that a capture takes the square out of every set without asking what stood there, and a node is
//! seen from the side to move, whose colour is a type: shifts and ranks are constants in the code for each side. The last
//! ply is counted from sets of squares. The tables are those of [`attacks`], and the tests those of the full generator.
//!
//! [`remember`] counts with a table of positions, and by [`arrangements`] knows most of what the table does not.

mod arrangements;
mod exact;
mod leaves;
mod limits;
mod remember;
mod visit;

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::{Rank, Square};
use crate::commands::perft::count::Uncounted;
use crate::commands::perft::count::lean::leaves::leaves;
use crate::commands::perft::count::lean::remember::Search;
use crate::commands::perft::count::lean::visit::{Plain, Visit, visit};
use crate::commands::perft::count::table::Table;

/// One side's men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Men {
    pawns: Bitboard,
    knights: Bitboard,
    /// Bishops and queens.
    diagonal: Bitboard,
    /// Rooks and queens.
    straight: Bitboard,
    king: Bitboard,
}

impl Men {
    fn of(board: &Board, color: Color) -> Men {
        Men {
            pawns: board.of(color, Role::Pawn),
            knights: board.of(color, Role::Knight),
            diagonal: board.color(color) & board.diagonal_sliders(),
            straight: board.color(color) & board.orthogonal_sliders(),
            king: board.of(color, Role::King),
        }
    }

    #[inline]
    fn all(&self) -> Bitboard {
        self.pawns | self.knights | self.diagonal | self.straight | self.king
    }

    /// The men that are left when one is captured.
    #[inline]
    fn without(mut self, square: Bitboard) -> Men {
        self.pawns = self.pawns.without(square);
        self.knights = self.knights.without(square);
        self.diagonal = self.diagonal.without(square);
        self.straight = self.straight.without(square);
        self
    }

    #[inline]
    fn king_square(&self) -> Square {
        self.king.first_or_a1()
    }
}

/// Color as a type, so that shifts and ranks are constants in the code for each side.
trait Side {
    type Other: Side;
    const COLOR: Color;
    /// The rank a double step passes.
    const PASSED: Bitboard = Bitboard::rank(match Self::COLOR {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    });
    const PROMOTION: Bitboard = Bitboard::rank(Self::COLOR.promotion_rank());
    const BACK_RANK: Bitboard = Bitboard::rank(Self::COLOR.back_rank());

    #[inline(always)]
    fn ahead(squares: Bitboard) -> Bitboard {
        squares.ahead(Self::COLOR)
    }

    #[inline(always)]
    fn back(squares: Bitboard) -> Bitboard {
        squares.back(Self::COLOR)
    }

    /// Squares that pawns attack towards the a-file.
    #[inline(always)]
    fn west(pawns: Bitboard) -> Bitboard {
        setwise::pawns_west(Self::COLOR, pawns)
    }

    /// Squares that pawns attack towards the h-file.
    #[inline(always)]
    fn east(pawns: Bitboard) -> Bitboard {
        setwise::pawns_east(Self::COLOR, pawns)
    }
}

struct White;
struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

/// A position, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    us: Men,
    them: Men,
    /// The rooks of both sides that may still castle.
    castling: Bitboard,
    /// The square a pawn of theirs has just passed, if one of ours stands beside that pawn.
    passed: Bitboard,
}

/// The number of ways to play `depth` legal moves; `depth` is 1 or more.
pub(crate) fn count(position: &Position, depth: u32, run: &Run<'_>) -> Result<u64, Uncounted> {
    let board = position.board();
    let turn = position.turn();
    let node = Node {
        us: Men::of(board, turn),
        them: Men::of(board, !turn),
        castling: position.castling(),
        passed: position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of),
    };
    let nodes = match turn {
        Color::White => count_node::<White>(&node, depth, run),
        Color::Black => count_node::<Black>(&node, depth, run),
    };
    if run.is_stopped() {
        return Err(Uncounted::Stopped);
    }
    if depth < ASK_DEPTH {
        run.note(nodes);
    }
    // Sums stop here instead of wrapping.
    match nodes {
        u64::MAX => Err(Uncounted::TooLarge),
        nodes => Ok(nodes),
    }
}

fn count_node<S: Side>(node: &Node, depth: u32, run: &Run<'_>) -> u64 {
    match run.table.and_then(|table| Search::new(table, run, node)) {
        None => descend::<S>(node, depth, run),
        Some(mut search) => search.count::<S>(node, depth),
    }
}

/// What goes down the tree unchanged.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run<'a> {
    pub(crate) table: Option<&'a Table>,
    pub(crate) stop: Option<&'a AtomicBool>,
    /// Grows by the nodes of each depth of [`ASK_DEPTH`], or of more where a table knew them.
    pub(crate) counted: Option<&'a AtomicU64>,
}

impl Run<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    #[inline]
    fn note(&self, nodes: u64) {
        if let Some(counted) = self.counted {
            counted.fetch_add(nodes, Ordering::Relaxed);
        }
    }
}

/// From this depth on a node is worth asking whether to stop: it takes a tenth of a millisecond or more.
const ASK_DEPTH: u32 = 4;

/// The number of ways to play `depth` legal moves, 1 or more, without a table; anything once the run is stopped.
fn descend<S: Side>(node: &Node, depth: u32, run: &Run<'_>) -> u64 {
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
            visit::<S>(node, &mut leaves);
            leaves.nodes
        }
        _ => {
            let mut children = Children::<S::Other> {
                nodes: 0,
                depth: depth - 1,
                run,
                side: PhantomData,
            };
            visit::<S>(node, &mut children);
            if depth == ASK_DEPTH {
                run.note(children.nodes);
            }
            children.nodes
        }
    }
}

/// Counts the children of a node of depth 2.
struct Leaves<S> {
    nodes: u64,
    side: PhantomData<S>,
}

impl<S: Side> Visit for Leaves<S> {
    #[inline(always)]
    fn step(&mut self, _: Plain, child: impl FnOnce() -> Node) {
        self.nodes += leaves::<S>(&child());
    }
}

/// Counts the children of a node of depth 3 or more.
struct Children<'r, S> {
    nodes: u64,
    /// Of the children.
    depth: u32,
    run: &'r Run<'r>,
    side: PhantomData<S>,
}

impl<S: Side> Visit for Children<'_, S> {
    #[inline(always)]
    fn step(&mut self, _: Plain, child: impl FnOnce() -> Node) {
        if self.nodes < u64::MAX {
            let nodes = descend::<S>(&child(), self.depth, self.run);
            self.nodes = self.nodes.saturating_add(nodes);
        }
    }
}
