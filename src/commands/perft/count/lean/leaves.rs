//! The number of legal moves of a node.

use crate::chess::attacks;
use crate::commands::perft::count::lean::limits::{castling, en_passant, limits, pawn_targets};
use crate::commands::perft::count::lean::{Node, Side};

/// The number of legal moves.
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
