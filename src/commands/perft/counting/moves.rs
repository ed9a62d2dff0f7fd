//! Legal moves of a node, and the nodes they lead to.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;
use crate::commands::perft::counting::board::{
    Limits, Men, Node, Side, castling, en_passant, limits, pawn_targets,
};

/// Visitor of the legal moves of a node.
pub(crate) trait MoveVisitor {
    /// Visits the node that a move leads to.
    fn visit(&mut self, child: Node);
}

#[inline]
fn child(us: Men, them: Men, castling: Bitboard, passed: Bitboard) -> Node {
    Node {
        us: them,
        them: us,
        castling,
        passed,
    }
}

/// Visits the node after every legal move.
#[inline(always)]
pub(crate) fn for_each_move<S: Side>(node: &Node, visitor: &mut impl MoveVisitor) {
    let (us, them, rights) = (node.us, node.them, node.castling);
    let ours = us.all();
    let theirs = them.all();
    let occupied = ours | theirs;
    let limits = limits::<S>(node, ours, theirs);
    let king = us.king_square();
    let none = Bitboard::EMPTY;

    for to in attacks::king(king).without(ours).without(limits.danger) {
        let king = Bitboard::of(to);
        let rights = rights.without(S::BACK_RANK).without(king);
        visitor.visit(child(Men { king, ..us }, them.without(king), rights, none));
    }
    if limits.targets.is_empty() {
        return;
    }

    let targets = pawn_targets::<S>(node, theirs, occupied, &limits);
    for to in targets.one.without(S::PROMOTION) {
        let to = Bitboard::of(to);
        let pawns = us.pawns ^ S::back(to) ^ to;
        visitor.visit(child(Men { pawns, ..us }, them, rights, none));
    }
    for to in targets.two {
        let to = Bitboard::of(to);
        let passed = S::back(to);
        let pawns = us.pawns ^ S::back(passed) ^ to;
        let capturers = (S::west(passed) | S::east(passed)) & them.pawns;
        let passed = if capturers.any() { passed } else { none };
        visitor.visit(child(Men { pawns, ..us }, them, rights, passed));
    }
    for to in targets.west.without(S::PROMOTION) {
        let to = Bitboard::of(to);
        let pawns = us.pawns ^ S::Other::east(to) ^ to;
        visitor.visit(child(Men { pawns, ..us }, them.without(to), rights, none));
    }
    for to in targets.east.without(S::PROMOTION) {
        let to = Bitboard::of(to);
        let pawns = us.pawns ^ S::Other::west(to) ^ to;
        visitor.visit(child(Men { pawns, ..us }, them.without(to), rights, none));
    }
    if ((targets.one | targets.west | targets.east) & S::PROMOTION).any() {
        promote::<S>(node, targets.one, S::back, visitor);
        promote::<S>(node, targets.west, S::Other::east, visitor);
        promote::<S>(node, targets.east, S::Other::west, visitor);
    }
    if node.passed.any() {
        en_passant::<S>(node, occupied, |from| {
            let us = Men {
                pawns: us.pawns ^ from ^ node.passed,
                ..us
            };
            let them = them.without(S::back(node.passed));
            visitor.visit(child(us, them, rights, none));
        });
    }

    let pinned = limits.pinned_orthogonal | limits.pinned_diagonal;
    for from in us.knights.without(pinned) {
        let left = us.knights ^ Bitboard::of(from);
        for to in attacks::knight(from) & limits.targets {
            let to = Bitboard::of(to);
            let knights = left | to;
            let rights = rights.without(to);
            visitor.visit(child(Men { knights, ..us }, them.without(to), rights, none));
        }
    }
    slider_moves(node, occupied, &limits, visitor);
    if !limits.in_check {
        castling::<S>(node, occupied, limits.danger, |side, rook| {
            let rook_to = Bitboard::of(side.rook_to(S::COLOR));
            let us = Men {
                king: Bitboard::of(side.king_to(S::COLOR)),
                orthogonal: us.orthogonal ^ Bitboard::of(rook) | rook_to,
                ..us
            };
            visitor.visit(child(us, them, rights.without(S::BACK_RANK), none));
        });
    }
}

/// Visits the moves of the sliders.
#[inline(always)]
fn slider_moves(node: &Node, occupied: Bitboard, limits: &Limits, visitor: &mut impl MoveVisitor) {
    let us = &node.us;
    let queens = us.diagonal & us.orthogonal;
    for from in us.diagonal.without(limits.pinned_orthogonal) {
        let mut targets = attacks::bishop(from, occupied) & limits.targets;
        if limits.pinned_diagonal.has(from) {
            targets &= limits.pinned_diagonal;
        }
        let queen = queens & Bitboard::of(from);
        slide(node, from, targets, Bitboard::of(from), queen, visitor);
    }
    for from in us.orthogonal.without(limits.pinned_diagonal) {
        let mut targets = attacks::rook(from, occupied) & limits.targets;
        if limits.pinned_orthogonal.has(from) {
            targets &= limits.pinned_orthogonal;
        }
        let queen = queens & Bitboard::of(from);
        slide(node, from, targets, queen, Bitboard::of(from), visitor);
    }
}

/// Visits the moves of a slider, given as its square in the sets `diagonal` and `orthogonal`.
#[inline(always)]
fn slide(
    node: &Node,
    from: Square,
    targets: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    visitor: &mut impl MoveVisitor,
) {
    let Node { us, them, .. } = *node;
    let left = Men {
        diagonal: us.diagonal ^ diagonal,
        orthogonal: us.orthogonal ^ orthogonal,
        ..us
    };
    let rights = node.castling.without(Bitboard::of(from));
    for to in targets {
        let to = Bitboard::of(to);
        let mut us = left;
        if diagonal.any() {
            us.diagonal |= to;
        }
        if orthogonal.any() {
            us.orthogonal |= to;
        }
        visitor.visit(child(
            us,
            them.without(to),
            rights.without(to),
            Bitboard::EMPTY,
        ));
    }
}

/// Visits promotions on some squares.
#[cold]
#[inline(never)]
fn promote<S: Side>(
    node: &Node,
    targets: Bitboard,
    back: impl Fn(Bitboard) -> Bitboard,
    visitor: &mut impl MoveVisitor,
) {
    let Node { us, them, .. } = *node;
    for to in targets & S::PROMOTION {
        let to = Bitboard::of(to);
        let pawns = us.pawns ^ back(to);
        let left = Men { pawns, ..us };
        let knights = us.knights | to;
        let diagonal = us.diagonal | to;
        let orthogonal = us.orthogonal | to;
        for man in [
            Men { knights, ..left },
            Men { diagonal, ..left },
            Men { orthogonal, ..left },
            Men {
                diagonal,
                orthogonal,
                ..left
            },
        ] {
            let rights = node.castling.without(to);
            visitor.visit(child(man, them.without(to), rights, Bitboard::EMPTY));
        }
    }
}
