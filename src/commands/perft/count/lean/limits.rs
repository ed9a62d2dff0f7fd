//! What the rules allow a node to do, as sets of squares.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::commands::perft::count::lean::{Node, Side};

/// What a node's legal moves are limited by.
pub(crate) struct Limits {
    /// Squares the king may not go to.
    pub(crate) danger: Bitboard,
    /// Where a piece other than the king may go: anywhere but on its own men, or against a check.
    pub(crate) targets: Bitboard,
    /// Pinned along a rank or file, and along a diagonal: the lines from the king to the pinning piece, inclusive.
    pub(crate) pinned_straight: Bitboard,
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

/// Hands the square of each pawn that can legally capture en passant to `each`.
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
pub(crate) fn castling_rook<S: Side>(node: &Node, side: CastlingSide) -> Bitboard {
    let mine = node.castling & S::BACK_RANK;
    // The bits below the king's are the files towards a.
    let towards_a = Bitboard::new(node.us.king.bits() - 1);
    match side {
        CastlingSide::Queen => mine & towards_a,
        CastlingSide::King => mine.without(towards_a),
    }
}

/// Hands each side the king can legally castle to to `each`; he is not in check.
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
            if (attacks::rook(king_to, after) & node.them.straight).is_empty() {
                each(side);
            }
        }
    }
}
