//! Legal destinations of a node as sets of squares, and their number.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::commands::perft::counting::board::{Node, Side};

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

/// Rook that may still castle to a side.
pub(crate) fn castling_rook<S: Side>(node: &Node, side: CastlingSide) -> Bitboard {
    let mine = node.castling & S::BACK_RANK;
    // The bits below the king are the files towards a.
    let towards_a = Bitboard::new(node.us.king.bits() - 1);
    match side {
        CastlingSide::Queen => mine & towards_a,
        CastlingSide::King => mine.without(towards_a),
    }
}

/// Calls `each` with each side to which castling is legal. The king must not be in check.
#[inline(always)]
pub(crate) fn castling<S: Side>(
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
            if (attacks::rook(king_to, after) & node.them.orthogonal).is_empty() {
                each(side);
            }
        }
    }
}

/// Number of legal moves of a node.
#[inline]
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
        castling::<S>(node, occupied, limits.danger, |_| count += 1);
    }
    count as u64
}
