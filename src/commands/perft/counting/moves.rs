//! Legal moves of a node, and the nodes they lead to.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;
use crate::commands::perft::counting::board::{Men, Node, Side};
use crate::commands::perft::counting::board::{
    castling, castling_rook, en_passant, limits, pawn_targets,
};

/// Move of one man to a square, with or without a capture there, and without other effects: it
/// always does the same to an arrangement of men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SimpleMove(u16);

impl SimpleMove {
    /// Any other move: castling, promotion, capture en passant, or a double step that allows one.
    pub(crate) const NONE: SimpleMove = SimpleMove(0);

    /// Exclusive bound of the indices.
    pub(crate) const INDICES: usize = 1 << 13;

    #[inline]
    fn new(from: Square, to: Square, capture: bool) -> SimpleMove {
        SimpleMove((usize::from(capture) << 12 | from.index() << 6 | to.index()) as u16)
    }

    #[inline]
    pub(crate) fn is_capture(self) -> bool {
        self.0 >> 12 != 0
    }

    /// Square of the captured man.
    pub(crate) fn captured(self) -> Option<Square> {
        self.is_capture()
            .then(|| Square::new(usize::from(self.0) & 63))
    }

    /// Index by squares and capture; 0 for other moves.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) % Self::INDICES
    }
}

/// Visitor of the legal moves of a node.
pub(crate) trait MoveVisitor {
    /// Visits a move. `child` makes the node it leads to, for visitors that do not know its count.
    fn visit(&mut self, mv: SimpleMove, child: impl FnOnce() -> Node);
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

/// Visits every legal move.
#[inline(always)]
pub(crate) fn for_each_move<S: Side>(node: &Node, visitor: &mut impl MoveVisitor) {
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
    let none = Bitboard::EMPTY;

    let steps = attacks::king(king).without(ours).without(limits.danger);
    for square in steps {
        let to = Bitboard::of(square);
        visitor.visit(SimpleMove::new(king, square, theirs.has(square)), || {
            let rights = rights.without(S::BACK_RANK).without(to);
            child(Men { king: to, ..us }, them.without(to), rights, none)
        });
    }
    if limits.targets.is_empty() {
        return;
    }

    let pawns = pawn_targets::<S>(node, theirs, occupied, &limits);
    for square in pawns.one.without(S::PROMOTION) {
        let to = Bitboard::of(square);
        let from = S::back(to);
        visitor.visit(SimpleMove::new(from.first_or_a1(), square, false), || {
            let pawns = us.pawns ^ from ^ to;
            child(Men { pawns, ..us }, them, rights, none)
        });
    }
    for square in pawns.two {
        let to = Bitboard::of(square);
        let passed = S::back(to);
        let from = S::back(passed);
        let capturers = (S::west(passed) | S::east(passed)) & them.pawns;
        let (mv, passed) = if capturers.any() {
            (SimpleMove::NONE, passed)
        } else {
            (SimpleMove::new(from.first_or_a1(), square, false), none)
        };
        visitor.visit(mv, || {
            let pawns = us.pawns ^ from ^ to;
            child(Men { pawns, ..us }, them, rights, passed)
        });
    }
    for square in pawns.west.without(S::PROMOTION) {
        let to = Bitboard::of(square);
        let from = S::Other::east(to);
        visitor.visit(SimpleMove::new(from.first_or_a1(), square, true), || {
            let pawns = us.pawns ^ from ^ to;
            child(Men { pawns, ..us }, them.without(to), rights, none)
        });
    }
    for square in pawns.east.without(S::PROMOTION) {
        let to = Bitboard::of(square);
        let from = S::Other::west(to);
        visitor.visit(SimpleMove::new(from.first_or_a1(), square, true), || {
            let pawns = us.pawns ^ from ^ to;
            child(Men { pawns, ..us }, them.without(to), rights, none)
        });
    }
    if ((pawns.one | pawns.west | pawns.east) & S::PROMOTION).any() {
        promote::<S>(node, pawns.one, S::back, visitor);
        promote::<S>(node, pawns.west, S::Other::east, visitor);
        promote::<S>(node, pawns.east, S::Other::west, visitor);
    }
    if node.passed.any() {
        en_passant::<S>(node, occupied, |from| {
            let captured = S::back(node.passed);
            let pawns = us.pawns ^ from ^ node.passed;
            let left = Men {
                pawns: them.pawns ^ captured,
                ..them
            };
            visitor.visit(SimpleMove::NONE, || {
                child(Men { pawns, ..us }, left, rights, none)
            });
        });
    }

    let pinned = limits.pinned_orthogonal | limits.pinned_diagonal;
    for from in us.knights.without(pinned) {
        let left = us.knights ^ Bitboard::of(from);
        for square in attacks::knight(from) & limits.targets {
            let to = Bitboard::of(square);
            visitor.visit(SimpleMove::new(from, square, theirs.has(square)), || {
                let knights = left | to;
                child(
                    Men { knights, ..us },
                    them.without(to),
                    rights.without(to),
                    none,
                )
            });
        }
    }
    let queens = us.diagonal & us.orthogonal;
    for from in us.diagonal.without(limits.pinned_orthogonal) {
        let mut targets = attacks::bishop(from, occupied) & limits.targets;
        if limits.pinned_diagonal.has(from) {
            targets &= limits.pinned_diagonal;
        }
        let queen = queens & Bitboard::of(from);
        slide(
            node,
            theirs,
            from,
            targets,
            Bitboard::of(from),
            queen,
            visitor,
        );
    }
    for from in us.orthogonal.without(limits.pinned_diagonal) {
        let mut targets = attacks::rook(from, occupied) & limits.targets;
        if limits.pinned_orthogonal.has(from) {
            targets &= limits.pinned_orthogonal;
        }
        let queen = queens & Bitboard::of(from);
        slide(
            node,
            theirs,
            from,
            targets,
            queen,
            Bitboard::of(from),
            visitor,
        );
    }
    if !limits.in_check {
        castling::<S>(node, occupied, limits.danger, |side| {
            let rook = castling_rook::<S>(node, side);
            let rook_to = Bitboard::of(side.rook_to(S::COLOR));
            let moved = Men {
                king: Bitboard::of(side.king_to(S::COLOR)),
                orthogonal: us.orthogonal ^ rook | rook_to,
                ..us
            };
            visitor.visit(SimpleMove::NONE, || {
                child(moved, them, rights.without(S::BACK_RANK), none)
            });
        });
    }
}

/// Visits the moves of a slider, given as its square in the sets `diagonal` and `orthogonal`.
#[inline(always)]
fn slide(
    node: &Node,
    theirs: Bitboard,
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
    for square in targets {
        let to = Bitboard::of(square);
        visitor.visit(SimpleMove::new(from, square, theirs.has(square)), || {
            let none = Bitboard::EMPTY;
            let moved = Men {
                diagonal: if diagonal.any() {
                    left.diagonal | to
                } else {
                    left.diagonal
                },
                orthogonal: if orthogonal.any() {
                    left.orthogonal | to
                } else {
                    left.orthogonal
                },
                ..left
            };
            child(moved, them.without(to), rights.without(to), none)
        });
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
            visitor.visit(SimpleMove::NONE, || {
                child(man, them.without(to), rights, Bitboard::EMPTY)
            });
        }
    }
}
