//! The counting board: nothing but what decides how many legal moves there are, its limits of
//! legal moves, and its packed key.
//!
//! [`Position`] has clocks, a key and roles for notation; counting needs none of them. Queens are
//! in both slider sets, so that a capture clears a square in every set without asking for the role.
//! A node is seen from the side to move, whose colour is a type. The attack tables are those of
//! [`attacks`](crate::chess::attacks).

use crate::chess::attacks;
use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::{Rank, Square};
use crate::commands::perft::counting::table::PackedKey;

/// One side's men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Men {
    pub(crate) pawns: Bitboard,
    pub(crate) knights: Bitboard,
    /// Bishops and queens.
    pub(crate) diagonal: Bitboard,
    /// Rooks and queens.
    pub(crate) orthogonal: Bitboard,
    pub(crate) king: Bitboard,
}

impl Men {
    pub(crate) fn of(board: &Board, color: Color) -> Men {
        Men {
            pawns: board.of(color, Role::Pawn),
            knights: board.of(color, Role::Knight),
            diagonal: board.color(color) & board.diagonal_sliders(),
            orthogonal: board.color(color) & board.orthogonal_sliders(),
            king: board.of(color, Role::King),
        }
    }

    #[inline]
    pub(crate) fn all(&self) -> Bitboard {
        self.pawns | self.knights | self.diagonal | self.orthogonal | self.king
    }

    /// The men left after a capture on a square.
    #[inline]
    pub(crate) fn without(mut self, square: Bitboard) -> Men {
        self.pawns = self.pawns.without(square);
        self.knights = self.knights.without(square);
        self.diagonal = self.diagonal.without(square);
        self.orthogonal = self.orthogonal.without(square);
        self
    }

    #[inline]
    pub(crate) fn king_square(&self) -> Square {
        self.king.first_or_a1()
    }
}

/// Color as a type, so that shifts and ranks are constants in the code for each side.
pub(crate) trait Side {
    type Other: Side;
    const COLOR: Color;
    /// Rank passed by a double step.
    const PASSED: Bitboard = Bitboard::rank(match Self::COLOR {
        Color::White => Rank::Third,
        Color::Black => Rank::Sixth,
    });
    const PROMOTION: Bitboard = Bitboard::rank(Self::COLOR.promotion_rank());
    const BACK_RANK: Bitboard = Bitboard::rank(Self::COLOR.back_rank());

    #[inline]
    fn ahead(squares: Bitboard) -> Bitboard {
        squares.ahead(Self::COLOR)
    }

    #[inline]
    fn back(squares: Bitboard) -> Bitboard {
        squares.back(Self::COLOR)
    }

    /// Squares that pawns attack towards the a-file.
    #[inline]
    fn west(pawns: Bitboard) -> Bitboard {
        setwise::pawns_west(Self::COLOR, pawns)
    }

    /// Squares that pawns attack towards the h-file.
    #[inline]
    fn east(pawns: Bitboard) -> Bitboard {
        setwise::pawns_east(Self::COLOR, pawns)
    }
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

/// Position seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node {
    pub(crate) us: Men,
    pub(crate) them: Men,
    /// Rooks of both sides that may still castle.
    pub(crate) castling: Bitboard,
    /// En passant square, if one of our pawns attacks it.
    pub(crate) passed: Bitboard,
}

impl Node {
    pub(crate) fn of(position: &Position) -> Node {
        let board = position.board();
        let turn = position.turn();
        Node {
            us: Men::of(board, turn),
            them: Men::of(board, !turn),
            castling: position.castling(),
            passed: position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of),
        }
    }
}

/// Limits of the legal moves of a node.
pub(crate) struct Limits {
    /// Squares the king may not go to.
    pub(crate) danger: Bitboard,
    /// Destinations of men other than the king: any but their own men, or those that meet a check.
    pub(crate) targets: Bitboard,
    /// Lines of pins along ranks and files, and along diagonals: from the king to the pinning
    /// piece, inclusive.
    pub(crate) pinned_orthogonal: Bitboard,
    pub(crate) pinned_diagonal: Bitboard,
    pub(crate) in_check: bool,
}

#[inline(always)]
pub(crate) fn limits<S: Side>(node: &Node, ours: Bitboard, theirs: Bitboard) -> Limits {
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
    for slider in them.orthogonal {
        danger |= attacks::rook(slider, seen_through);
    }

    let mut targets = !ours;
    let mut pinned_orthogonal = Bitboard::EMPTY;
    let mut pinned_diagonal = Bitboard::EMPTY;
    // Sliders that only our men keep from the king.
    for sniper in attacks::rook(king, theirs) & them.orthogonal {
        let way = attacks::between(king, sniper) | Bitboard::of(sniper);
        if (way & ours).any() && !(way & ours).many() {
            pinned_orthogonal |= way;
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
        let checkers = them.orthogonal & attacks::rook(king, occupied)
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
        pinned_orthogonal,
        pinned_diagonal,
        in_check,
    }
}

/// Destinations of pawn moves.
pub(crate) struct PawnTargets {
    pub(crate) one: Bitboard,
    pub(crate) two: Bitboard,
    pub(crate) west: Bitboard,
    pub(crate) east: Bitboard,
}

#[inline(always)]
pub(crate) fn pawn_targets<S: Side>(
    node: &Node,
    theirs: Bitboard,
    occupied: Bitboard,
    limits: &Limits,
) -> PawnTargets {
    let pawns = node.us.pawns;
    let walking = pawns.without(limits.pinned_diagonal);
    // A pawn pinned along its file may advance; one pinned along its rank may not move at all.
    let free = walking.without(limits.pinned_orthogonal);
    let held = walking & limits.pinned_orthogonal;
    let ahead = (S::ahead(free) | S::ahead(held) & limits.pinned_orthogonal).without(occupied);
    let two = S::ahead(ahead & S::PASSED).without(occupied);

    let capturing = pawns.without(limits.pinned_orthogonal);
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

/// Calls `each` with the square of each pawn that can legally capture en passant.
#[cold]
pub(crate) fn en_passant<S: Side>(node: &Node, occupied: Bitboard, mut each: impl FnMut(Bitboard)) {
    let Node {
        us, them, passed, ..
    } = node;
    let captured = S::back(*passed);
    let from = (S::Other::west(*passed) | S::Other::east(*passed)) & us.pawns;
    let king = us.king_square();
    for from in from {
        let from = Bitboard::of(from);
        let after = (occupied ^ from ^ captured) | *passed;
        let attackers = attacks::rook(king, after) & them.orthogonal
            | attacks::bishop(king, after) & them.diagonal
            | attacks::knight(king) & them.knights
            | attacks::pawn(S::COLOR, king) & them.pawns.without(captured);
        if attackers.is_empty() {
            each(from);
        }
    }
}

/// Conditions of castling to a side.
pub(crate) struct CastlingWays {
    pub(crate) rook: Square,
    /// Squares that must be empty.
    pub(crate) empty: Bitboard,
    /// Squares that must not be attacked.
    pub(crate) safe: Bitboard,
}

/// Conditions of castling to a side, if its rook may still castle.
#[inline(always)]
pub(crate) fn castling_ways<S: Side>(
    us: &Men,
    castling: Bitboard,
    side: CastlingSide,
) -> Option<CastlingWays> {
    let mine = castling & S::BACK_RANK;
    // The bits below the king are the files towards a.
    let towards_a = Bitboard::new(us.king.bits() - 1);
    let rook = match side {
        CastlingSide::Queen => mine & towards_a,
        CastlingSide::King => mine.without(towards_a),
    };
    let rook = rook.first()?;
    let (king_to, rook_to) = (side.king_to(S::COLOR), side.rook_to(S::COLOR));
    let king_way = attacks::between(us.king_square(), king_to) | Bitboard::of(king_to);
    let rook_way = attacks::between(rook, rook_to) | Bitboard::of(rook_to);
    let own = us.king | Bitboard::of(rook);
    Some(CastlingWays {
        rook,
        empty: (king_way | rook_way).without(own),
        safe: king_way,
    })
}

/// Calls `each` with each side to which castling is legal, and its rook. The king must not be in
/// check.
#[inline(always)]
pub(crate) fn castling<S: Side>(
    node: &Node,
    occupied: Bitboard,
    danger: Bitboard,
    mut each: impl FnMut(CastlingSide, Square),
) {
    if (node.castling & S::BACK_RANK).is_empty() {
        return;
    }
    for side in CastlingSide::ALL {
        let Some(ways) = castling_ways::<S>(&node.us, node.castling, side) else {
            continue;
        };
        if (ways.empty & occupied).is_empty() && (ways.safe & danger).is_empty() {
            // In Chess960 the rook may have shielded the king's new square from the rank.
            let (king_to, rook_to) = (side.king_to(S::COLOR), side.rook_to(S::COLOR));
            let own = node.us.king | Bitboard::of(ways.rook);
            let after = occupied.without(own) | Bitboard::of(rook_to) | Bitboard::of(king_to);
            if (attacks::rook(king_to, after) & node.them.orthogonal).is_empty() {
                each(side, ways.rook);
            }
        }
    }
}

/// Number of legal moves of a node.
#[inline(always)]
pub(crate) fn leaves<S: Side>(node: &Node) -> u64 {
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

    let pinned = limits.pinned_orthogonal | limits.pinned_diagonal;
    for from in us.knights.without(pinned) {
        count += (attacks::knight(from) & limits.targets).count();
    }
    for from in us.diagonal.without(pinned) {
        count += (attacks::bishop(from, occupied) & limits.targets).count();
    }
    for from in us.orthogonal.without(pinned) {
        count += (attacks::rook(from, occupied) & limits.targets).count();
    }
    for from in us.diagonal & limits.pinned_diagonal {
        count +=
            (attacks::bishop(from, occupied) & limits.targets & limits.pinned_diagonal).count();
    }
    for from in us.orthogonal & limits.pinned_orthogonal {
        count +=
            (attacks::rook(from, occupied) & limits.targets & limits.pinned_orthogonal).count();
    }
    if !limits.in_check {
        castling::<S>(node, occupied, limits.danger, |_, _| count += 1);
    }
    count as u64
}

/// Most men of a packed node. Positions that no game leads to may have more.
pub(crate) const MOST_MEN: u32 = 32;

impl Node {
    /// Packs a node of at most [`MOST_MEN`] men with its depth: the occupied squares, four bits for
    /// each man, and the rest.
    #[inline(always)]
    pub(crate) fn packed_key<S: Side>(&self, depth: u32) -> PackedKey {
        // Six roles, and a seventh for rooks that may castle. Queens are in both slider sets.
        let code = |men: &Men| {
            let queens = men.diagonal & men.orthogonal;
            let may_castle = self.castling & men.orthogonal;
            let rooks = men.orthogonal.without(queens).without(may_castle);
            let bishops = men.diagonal.without(queens);
            [
                men.pawns | bishops | queens | may_castle,
                men.knights | bishops | men.king | may_castle,
                rooks | queens | men.king | may_castle,
            ]
        };
        let (us, them) = (code(&self.us), code(&self.them));
        let ours = self.us.all();
        let occupied = (ours | self.them.all()).bits();
        let planes = [us[0] | them[0], us[1] | them[1], us[2] | them[2], ours];
        let [a, b, c, d] = gather(planes.map(Bitboard::bits), occupied);
        let passed = self
            .passed
            .first()
            .map_or(0, |square| square.index() as u64);
        PackedKey {
            occupied,
            men: [a | b << 32, c | d << 32],
            rest: passed << 9 | u64::from(depth) << 1 | S::COLOR as u64,
        }
    }
}

/// The bits of each plane that are in `mask`, next to each other.
#[inline]
fn gather(planes: [u64; 4], mask: u64) -> [u64; 4] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        #[allow(unsafe_code)]
        // SAFETY: the processor has `bmi2`.
        return unsafe { gather_by_pext(planes, mask) };
    }
    gather_one_by_one(planes, mask)
}

/// [`gather`] by `pext`. Without it a perft with a table, of depth 7 from the start position, takes
/// 30 % longer.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn gather_by_pext(planes: [u64; 4], mask: u64) -> [u64; 4] {
    planes.map(|plane| core::arch::x86_64::_pext_u64(plane, mask))
}

/// [`gather`] on any processor.
fn gather_one_by_one(planes: [u64; 4], mask: u64) -> [u64; 4] {
    let mut gathered = [0; 4];
    for (place, square) in Bitboard::new(mask).into_iter().enumerate() {
        for (to, from) in gathered.iter_mut().zip(planes) {
            *to |= (from >> square.index() & 1) << place;
        }
    }
    gathered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_gathered_alike_with_and_without_the_instruction() {
        let mut word = 1_u64;
        for _ in 0..1_000 {
            let [a, b, c, d, mask] = std::array::from_fn(|_| {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                word ^ word >> 29
            });
            let planes = [a, b, c, d];
            let gathered = gather(planes, mask);
            assert_eq!(gathered, gather_one_by_one(planes, mask));
            assert_eq!(
                gathered.map(u64::count_ones),
                planes.map(|plane| (plane & mask).count_ones())
            );
        }
    }
}
