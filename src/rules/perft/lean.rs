//! A lean board for counting: nothing but what decides how many legal moves there are.
//!
//! [`Position`] carries clocks, a key, and kinds of piece for notation; counting needs none of them. Here queens are in
//! both slider sets, so that a capture takes the square out of every set without asking what stood there, and a node is
//! seen from the side to move, whose colour is a type: shifts and ranks are constants in the code for each side. The last
//! ply is counted from sets of squares. The tables are those of [`attacks`], and the tests those of the full generator.

use std::sync::atomic::{AtomicBool, Ordering};

use arrayvec::ArrayVec;

use super::table::{Exact, Table};
use crate::rules::attacks;
use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::castling::CastlingSide;
use crate::rules::piece::{Color, Role};
use crate::rules::position::Position;
use crate::rules::square::Square;

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

/// From this depth on a node is worth asking whether to stop: it takes a thousandth of a second or more.
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

/// What a node's legal moves are limited by.
struct Limits {
    /// Squares the king may not go to.
    danger: Bitboard,
    /// Where a piece other than the king may go: anywhere but on its own men, or against a check.
    targets: Bitboard,
    /// Pinned along a rank or file, and along a diagonal: the lines from the king to the pinning piece, inclusive.
    pinned_straight: Bitboard,
    pinned_diagonal: Bitboard,
    in_check: bool,
}

#[inline(always)]
fn limits<S: Side>(node: &Node, ours: Bitboard, theirs: Bitboard) -> Limits {
    let Node { us, them, .. } = node;
    let occupied = ours | theirs;
    let king = us.king_square();

    let seen_through = occupied ^ us.king;
    let mut danger =
        attacks::king(them.king_square()) | S::Other::west(them.pawns) | S::Other::east(them.pawns);
    for knight in them.knights {
        danger |= attacks::knight(knight);
    }
    for slider in them.diagonal {
        danger |= attacks::bishop(slider, seen_through);
    }
    for slider in them.straight {
        danger |= attacks::rook(slider, seen_through);
    }

    let mut targets = !ours;
    let mut pinned_straight = Bitboard::EMPTY;
    let mut pinned_diagonal = Bitboard::EMPTY;
    // Their sliders that only our men can keep from the king.
    for sniper in attacks::rook(king, theirs) & them.straight {
        let way = attacks::between(king, sniper) | Bitboard::of(sniper);
        if (way & ours).any() && !(way & ours).many() {
            pinned_straight |= way;
        }
    }
    for sniper in attacks::bishop(king, theirs) & them.diagonal {
        let way = attacks::between(king, sniper) | Bitboard::of(sniper);
        if (way & ours).any() && !(way & ours).many() {
            pinned_diagonal |= way;
        }
    }

    let in_check = danger.has(king);
    if in_check {
        let checkers = them.straight & attacks::rook(king, occupied)
            | them.diagonal & attacks::bishop(king, occupied)
            | them.knights & attacks::knight(king)
            | them.pawns & attacks::pawn(S::COLOR, king);
        targets &= match checkers.single() {
            Some(checker) => attacks::between(king, checker) | checkers,
            None => Bitboard::EMPTY,
        };
    }
    Limits {
        danger,
        targets,
        pinned_straight,
        pinned_diagonal,
        in_check,
    }
}

/// Pawn moves as sets of squares they go to.
struct PawnTargets {
    one: Bitboard,
    two: Bitboard,
    west: Bitboard,
    east: Bitboard,
}

#[inline(always)]
fn pawn_targets<S: Side>(
    node: &Node,
    theirs: Bitboard,
    occupied: Bitboard,
    limits: &Limits,
) -> PawnTargets {
    let pawns = node.us.pawns;
    let walking = pawns.without(limits.pinned_diagonal);
    // A pawn pinned along its file may go on along it; one pinned along its rank may not move at all.
    let free = walking.without(limits.pinned_straight);
    let held = walking & limits.pinned_straight;
    let ahead = (S::ahead(free) | S::ahead(held) & limits.pinned_straight).without(occupied);
    let two = S::ahead(ahead & S::PASSED).without(occupied);

    let capturing = pawns.without(limits.pinned_straight);
    let free = capturing.without(limits.pinned_diagonal);
    let held = capturing & limits.pinned_diagonal;
    let captures = limits.targets & theirs;
    PawnTargets {
        one: ahead & limits.targets,
        two: two & limits.targets,
        west: (S::west(free) | S::west(held) & limits.pinned_diagonal) & captures,
        east: (S::east(free) | S::east(held) & limits.pinned_diagonal) & captures,
    }
}

/// The number of legal moves.
#[inline]
fn leaves<S: Side>(node: &Node) -> u64 {
    let Node { us, them, .. } = node;
    let ours = us.all();
    let theirs = them.all();
    let occupied = ours | theirs;
    let limits = limits::<S>(node, ours, theirs);
    let king = us.king_square();
    let mut count = attacks::king(king)
        .without(ours)
        .without(limits.danger)
        .count();
    if limits.targets.is_empty() {
        return count as u64;
    }

    let pawns = pawn_targets::<S>(node, theirs, occupied, &limits);
    count += pawns.one.count() + pawns.two.count() + pawns.west.count() + pawns.east.count();
    let promoting = (pawns.one & S::PROMOTION).count()
        + (pawns.west & S::PROMOTION).count()
        + (pawns.east & S::PROMOTION).count();
    count += 3 * promoting;
    if node.passed.any() {
        en_passant::<S>(node, occupied, |_| count += 1);
    }

    let pinned = limits.pinned_straight | limits.pinned_diagonal;
    for from in us.knights.without(pinned) {
        count += (attacks::knight(from) & limits.targets).count();
    }
    for from in us.diagonal.without(pinned) {
        count += (attacks::bishop(from, occupied) & limits.targets).count();
    }
    for from in us.straight.without(pinned) {
        count += (attacks::rook(from, occupied) & limits.targets).count();
    }
    for from in us.diagonal & limits.pinned_diagonal {
        count +=
            (attacks::bishop(from, occupied) & limits.targets & limits.pinned_diagonal).count();
    }
    for from in us.straight & limits.pinned_straight {
        count += (attacks::rook(from, occupied) & limits.targets & limits.pinned_straight).count();
    }
    if !limits.in_check {
        castling::<S>(node, occupied, limits.danger, |_| count += 1);
    }
    count as u64
}

/// Hands every child to `each`, seen from the other side.
#[inline(always)]
fn visit<S: Side>(node: &Node, mut each: impl FnMut(&Node)) {
    let Node {
        us,
        them,
        castling: rights,
        ..
    } = *node;
    let ours = us.all();
    let theirs = them.all();
    let occupied = ours | theirs;
    let limits = limits::<S>(node, ours, theirs);
    let king = us.king_square();

    let mut play = |us: Men, them: Men, castling: Bitboard, passed: Bitboard| {
        each(&Node {
            us: them,
            them: us,
            castling,
            passed,
        });
    };
    let none = Bitboard::EMPTY;

    let steps = attacks::king(king).without(ours).without(limits.danger);
    for to in steps {
        let to = Bitboard::of(to);
        let rights = rights.without(S::BACK_RANK).without(to);
        play(Men { king: to, ..us }, them.without(to), rights, none);
    }
    if limits.targets.is_empty() {
        return;
    }

    let pawns = pawn_targets::<S>(node, theirs, occupied, &limits);
    let mut advance = |from: Bitboard, to: Bitboard, them: Men, passed: Bitboard| {
        let rights = rights.without(to);
        let left = Men {
            pawns: us.pawns ^ from,
            ..us
        };
        if (to & S::PROMOTION).any() {
            let (diagonal, straight) = (left.diagonal | to, left.straight | to);
            play(
                Men {
                    diagonal,
                    straight,
                    ..left
                },
                them,
                rights,
                passed,
            );
            play(Men { straight, ..left }, them, rights, passed);
            play(Men { diagonal, ..left }, them, rights, passed);
            let knights = left.knights | to;
            play(Men { knights, ..left }, them, rights, passed);
        } else {
            let pawns = left.pawns | to;
            play(Men { pawns, ..left }, them, rights, passed);
        }
    };
    for to in pawns.one {
        let to = Bitboard::of(to);
        advance(S::back(to), to, them, none);
    }
    for to in pawns.two {
        let to = Bitboard::of(to);
        let passed = S::back(to);
        let capturers = (S::west(passed) | S::east(passed)) & them.pawns;
        let passed = if capturers.any() { passed } else { none };
        advance(S::back(S::back(to)), to, them, passed);
    }
    for to in pawns.west {
        let to = Bitboard::of(to);
        advance(S::Other::east(to), to, them.without(to), none);
    }
    for to in pawns.east {
        let to = Bitboard::of(to);
        advance(S::Other::west(to), to, them.without(to), none);
    }
    if node.passed.any() {
        en_passant::<S>(node, occupied, |from| {
            let captured = S::back(node.passed);
            let pawns = us.pawns ^ from ^ node.passed;
            let left = Men {
                pawns: them.pawns ^ captured,
                ..them
            };
            play(Men { pawns, ..us }, left, rights, none);
        });
    }

    let pinned = limits.pinned_straight | limits.pinned_diagonal;
    for from in us.knights.without(pinned) {
        let left = us.knights ^ Bitboard::of(from);
        for to in attacks::knight(from) & limits.targets {
            let to = Bitboard::of(to);
            let knights = left | to;
            play(
                Men { knights, ..us },
                them.without(to),
                rights.without(to),
                none,
            );
        }
    }
    let queens = us.diagonal & us.straight;
    let mut slide = |from: Square, targets: Bitboard, diagonal: bool, straight: bool| {
        let from = Bitboard::of(from);
        let rights = rights.without(from);
        for to in targets {
            let to = Bitboard::of(to);
            let moved = Men {
                diagonal: if diagonal {
                    us.diagonal ^ from ^ to
                } else {
                    us.diagonal
                },
                straight: if straight {
                    us.straight ^ from ^ to
                } else {
                    us.straight
                },
                ..us
            };
            play(moved, them.without(to), rights.without(to), none);
        }
    };
    for from in us.diagonal.without(limits.pinned_straight) {
        let mut targets = attacks::bishop(from, occupied) & limits.targets;
        if limits.pinned_diagonal.has(from) {
            targets &= limits.pinned_diagonal;
        }
        slide(from, targets, true, queens.has(from));
    }
    for from in us.straight.without(limits.pinned_diagonal) {
        let mut targets = attacks::rook(from, occupied) & limits.targets;
        if limits.pinned_straight.has(from) {
            targets &= limits.pinned_straight;
        }
        slide(from, targets, queens.has(from), true);
    }
    if !limits.in_check {
        castling::<S>(node, occupied, limits.danger, |side| {
            let rook = castling_rook::<S>(node, side);
            let rook_to = Bitboard::of(side.rook_to(S::COLOR));
            let moved = Men {
                king: Bitboard::of(side.king_to(S::COLOR)),
                straight: us.straight ^ rook | rook_to,
                ..us
            };
            play(moved, them, rights.without(S::BACK_RANK), none);
        });
    }
}

/// Hands the square of each pawn that can legally capture en passant to `each`.
#[cold]
fn en_passant<S: Side>(node: &Node, occupied: Bitboard, mut each: impl FnMut(Bitboard)) {
    let Node {
        us, them, passed, ..
    } = node;
    let captured = S::back(*passed);
    let from = (S::Other::west(*passed) | S::Other::east(*passed)) & us.pawns;
    let king = us.king_square();
    for from in from {
        let from = Bitboard::of(from);
        let after = (occupied ^ from ^ captured) | *passed;
        let attackers = attacks::rook(king, after) & them.straight
            | attacks::bishop(king, after) & them.diagonal
            | attacks::knight(king) & them.knights
            | attacks::pawn(S::COLOR, king) & them.pawns.without(captured);
        if attackers.is_empty() {
            each(from);
        }
    }
}

/// The rook that may still castle to a side.
fn castling_rook<S: Side>(node: &Node, side: CastlingSide) -> Bitboard {
    let mine = node.castling & S::BACK_RANK;
    // The bits below the king's are the files towards a.
    let towards_a = Bitboard(node.us.king.0 - 1);
    match side {
        CastlingSide::Queen => mine & towards_a,
        CastlingSide::King => mine.without(towards_a),
    }
}

/// Hands each side the king can legally castle to to `each`; he is not in check.
#[inline(always)]
fn castling<S: Side>(
    node: &Node,
    occupied: Bitboard,
    danger: Bitboard,
    mut each: impl FnMut(CastlingSide),
) {
    if (node.castling & S::BACK_RANK).is_empty() {
        return;
    }
    let king = node.us.king_square();
    for side in CastlingSide::ALL {
        let Some(rook) = castling_rook::<S>(node, side).first() else {
            continue;
        };
        let (king_to, rook_to) = (side.king_to(S::COLOR), side.rook_to(S::COLOR));
        let king_way = attacks::between(king, king_to) | Bitboard::of(king_to);
        let rook_way = attacks::between(rook, rook_to) | Bitboard::of(rook_to);
        let own = node.us.king | Bitboard::of(rook);
        let free = ((king_way | rook_way) & occupied.without(own)).is_empty();
        if free && (king_way & danger).is_empty() {
            // In Chess960 the rook may have shielded the king's new square from the rank.
            let after = occupied.without(own) | Bitboard::of(rook_to) | Bitboard::of(king_to);
            if (attacks::rook(king_to, after) & node.them.straight).is_empty() {
                each(side);
            }
        }
    }
}
