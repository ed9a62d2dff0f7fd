//! A lean board for counting: nothing but what decides how many legal moves there are.
//!
//! [`Position`] carries clocks, a key, and kinds of piece for notation; counting needs none of them. Here queens are in
//! both slider sets, so that a capture takes the square out of every set without asking what stood there, and a node is
//! seen from the side to move, whose colour is a type: shifts and ranks are constants in the code for each side. The last
//! ply is counted from sets of squares. The tables are those of [`attacks`], and the tests those of the full generator.

mod generate;

use std::sync::atomic::{AtomicBool, Ordering};

use arrayvec::ArrayVec;

use super::table::{Exact, Table};
use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::piece::{Color, Role};
use crate::rules::position::Position;
use crate::rules::square::Square;
use generate::{leaves, visit};

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
            straight: board.color(color) & board.straight_sliders(),
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
        Square::new(self.king.0.trailing_zeros() as usize)
    }
}

/// A side as a type.
trait Side {
    type Other: Side;
    const COLOR: Color;

    /// One step ahead.
    fn ahead(squares: Bitboard) -> Bitboard;
    /// One step back.
    fn back(squares: Bitboard) -> Bitboard;
    /// What pawns attack towards the a-file.
    fn west(pawns: Bitboard) -> Bitboard;
    /// What pawns attack towards the h-file.
    fn east(pawns: Bitboard) -> Bitboard;
    /// The rank a double step passes.
    const PASSED: Bitboard;
    const PROMOTION: Bitboard;
    const BACK_RANK: Bitboard;
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

struct White;
struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
    const PASSED: Bitboard = Bitboard(0xff << 16);
    const PROMOTION: Bitboard = Bitboard(0xff << 56);
    const BACK_RANK: Bitboard = Bitboard(0xff);

    #[inline(always)]
    fn ahead(squares: Bitboard) -> Bitboard {
        Bitboard(squares.0 << 8)
    }

    #[inline(always)]
    fn back(squares: Bitboard) -> Bitboard {
        Bitboard(squares.0 >> 8)
    }

    #[inline(always)]
    fn west(pawns: Bitboard) -> Bitboard {
        Bitboard((pawns.0 & NOT_A) << 7)
    }

    #[inline(always)]
    fn east(pawns: Bitboard) -> Bitboard {
        Bitboard((pawns.0 & NOT_H) << 9)
    }
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
    const PASSED: Bitboard = Bitboard(0xff << 40);
    const PROMOTION: Bitboard = Bitboard(0xff);
    const BACK_RANK: Bitboard = Bitboard(0xff << 56);

    #[inline(always)]
    fn ahead(squares: Bitboard) -> Bitboard {
        Bitboard(squares.0 >> 8)
    }

    #[inline(always)]
    fn back(squares: Bitboard) -> Bitboard {
        Bitboard(squares.0 << 8)
    }

    #[inline(always)]
    fn west(pawns: Bitboard) -> Bitboard {
        Bitboard((pawns.0 & NOT_A) >> 9)
    }

    #[inline(always)]
    fn east(pawns: Bitboard) -> Bitboard {
        Bitboard((pawns.0 & NOT_H) >> 7)
    }
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

/// The number of ways to play `depth` legal moves; `depth` is 1 or more. `None` if `stop` was set meanwhile.
pub(super) fn count(position: &Position, depth: u32, run: &Run<'_>) -> Option<u64> {
    let board = position.board();
    let turn = position.turn();
    let node = Node {
        us: Men::of(board, turn),
        them: Men::of(board, !turn),
        castling: position.castling(),
        passed: position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of),
    };
    let nodes = match turn {
        Color::White => descend::<White>(&node, depth, run),
        Color::Black => descend::<Black>(&node, depth, run),
    };
    (!run.is_stopped()).then_some(nodes)
}

/// What goes down the tree unchanged.
#[derive(Clone, Copy, Default)]
pub(super) struct Run<'a> {
    pub(super) table: Option<&'a Table>,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl Run<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// From this depth on a node is worth asking whether to stop: it takes a tenth of a millisecond or more.
const ASK_DEPTH: u32 = 4;

fn descend<S: Side>(node: &Node, depth: u32, run: &Run<'_>) -> u64 {
    if depth >= ASK_DEPTH && run.is_stopped() {
        return 0;
    }
    let mut nodes = 0;
    match (depth, run.table) {
        (1, _) => return leaves::<S>(node),
        (2, _) => visit::<S>(node, |child| nodes += leaves::<S::Other>(child)),
        (_, None) => visit::<S>(node, |child| {
            nodes += descend::<S::Other>(child, depth - 1, run);
        }),
        (_, Some(table)) => {
            // Entries are asked for some children ahead: memory answers many requests in the time of one.
            let mut waiting = Waiting::new();
            visit::<S>(node, |child| {
                let exact = child.exact::<S::Other>(depth - 1);
                table.prefetch(&exact);
                waiting.push((*child, exact));
                if waiting.is_full() {
                    nodes += look_up::<S::Other>(&mut waiting, depth - 1, table, run);
                }
            });
            nodes += look_up::<S::Other>(&mut waiting, depth - 1, table, run);
        }
    }
    nodes
}

/// Children whose entries have been asked for.
type Waiting = ArrayVec<(Node, Exact), 16>;

/// The nodes below some children, from the table where it has them.
fn look_up<S: Side>(waiting: &mut Waiting, depth: u32, table: &Table, run: &Run<'_>) -> u64 {
    let mut sum = 0;
    for (node, exact) in waiting.drain(..) {
        sum += table.find(&exact).unwrap_or_else(|| {
            let nodes = descend::<S>(&node, depth, run);
            if !run.is_stopped() {
                table.store(&exact, nodes);
            }
            nodes
        });
    }
    sum
}

impl Node {
    /// The node without loss: which of sixteen things stands on each square, in four planes.
    #[inline]
    fn exact<S: Side>(&self, depth: u32) -> Exact {
        // Seven things a side, queens being in both slider sets: nothing and pawn share no code with the others, and
        // a rook that may castle is a kind of its own.
        let code = |men: &Men| {
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
        Exact {
            planes,
            rest: passed << 9 | u64::from(depth.min(255)) << 1 | S::COLOR as u64,
        }
    }
}
