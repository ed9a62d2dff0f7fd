//! The legal moves of a node: their number, and the nodes they lead to.

use super::{Men, Node, Side};
use crate::rules::attacks;
use crate::rules::bitboard::Bitboard;
use crate::rules::castling::CastlingSide;
use crate::rules::square::Square;

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
pub(super) fn leaves<S: Side>(node: &Node) -> u64 {
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
pub(super) fn visit<S: Side>(node: &Node, mut each: impl FnMut(&Node)) {
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
