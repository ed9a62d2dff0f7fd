//! The legal moves of a node, and the nodes they lead to.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;
use crate::commands::perft::count::lean::limits::{
    castling, castling_rook, en_passant, limits, pawn_targets,
};
use crate::commands::perft::count::lean::{Men, Node, Side};

/// A move that takes one man from a square to another, and perhaps away the man that stands there, and changes nothing
/// else: between two arrangements of men it always does the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plain(u16);

impl Plain {
    /// Any other move: castling, promotion, capture en passant, or a double step that allows one.
    pub(crate) const NOT: Plain = Plain(0);

    /// Indices are below this.
    pub(crate) const INDICES: usize = 1 << 13;

    #[inline(always)]
    fn new(from: Square, to: Square, capture: bool) -> Plain {
        Plain((usize::from(capture) << 12 | from.index() << 6 | to.index()) as u16)
    }

    #[inline(always)]
    pub(crate) fn is_capture(self) -> bool {
        self.0 >> 12 != 0
    }

    /// The square of the man it captures.
    pub(crate) fn captured(self) -> Option<Square> {
        self.is_capture()
            .then(|| Square::new(usize::from(self.0) & 63))
    }

    /// Another for each two squares, with and without a capture; 0 for moves that are not plain.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) % Self::INDICES
    }
}

/// What is done with the legal moves of a node.
pub(crate) trait Visit {
    /// Takes one move, and the child it leads to, seen from the other side: a function, since a visitor that knows the
    /// child's count needs no child.
    fn step(&mut self, mv: Plain, child: impl FnOnce() -> Node);
}

#[inline(always)]
fn child(us: Men, them: Men, castling: Bitboard, passed: Bitboard) -> Node {
    Node {
        us: them,
        them: us,
        castling,
        passed,
    }
}

/// Hands every legal move to `visitor`.
#[inline(always)]
pub(crate) fn visit<S: Side>(node: &Node, visitor: &mut impl Visit) {
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
        visitor.step(Plain::new(king, square, theirs.has(square)), || {
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
        visitor.step(Plain::new(from.first_or_a1(), square, false), || {
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
            (Plain::NOT, passed)
        } else {
            (Plain::new(from.first_or_a1(), square, false), none)
        };
        visitor.step(mv, || {
            let pawns = us.pawns ^ from ^ to;
            child(Men { pawns, ..us }, them, rights, passed)
        });
    }
    for square in pawns.west.without(S::PROMOTION) {
        let to = Bitboard::of(square);
        let from = S::Other::east(to);
        visitor.step(Plain::new(from.first_or_a1(), square, true), || {
            let pawns = us.pawns ^ from ^ to;
            child(Men { pawns, ..us }, them.without(to), rights, none)
        });
    }
    for square in pawns.east.without(S::PROMOTION) {
        let to = Bitboard::of(square);
        let from = S::Other::west(to);
        visitor.step(Plain::new(from.first_or_a1(), square, true), || {
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
            visitor.step(Plain::NOT, || {
                child(Men { pawns, ..us }, left, rights, none)
            });
        });
    }

    let pinned = limits.pinned_straight | limits.pinned_diagonal;
    for from in us.knights.without(pinned) {
        let left = us.knights ^ Bitboard::of(from);
        for square in attacks::knight(from) & limits.targets {
            let to = Bitboard::of(square);
            visitor.step(Plain::new(from, square, theirs.has(square)), || {
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
    let queens = us.diagonal & us.straight;
    for from in us.diagonal.without(limits.pinned_straight) {
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
    for from in us.straight.without(limits.pinned_diagonal) {
        let mut targets = attacks::rook(from, occupied) & limits.targets;
        if limits.pinned_straight.has(from) {
            targets &= limits.pinned_straight;
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
                straight: us.straight ^ rook | rook_to,
                ..us
            };
            visitor.step(Plain::NOT, || {
                child(moved, them, rights.without(S::BACK_RANK), none)
            });
        });
    }
}

/// Moves a slider that stands in the sets `diagonal` and `straight`.
#[inline(always)]
fn slide(
    node: &Node,
    theirs: Bitboard,
    from: Square,
    targets: Bitboard,
    diagonal: Bitboard,
    straight: Bitboard,
    visitor: &mut impl Visit,
) {
    let Node { us, them, .. } = *node;
    let left = Men {
        diagonal: us.diagonal ^ diagonal,
        straight: us.straight ^ straight,
        ..us
    };
    let rights = node.castling.without(Bitboard::of(from));
    for square in targets {
        let to = Bitboard::of(square);
        visitor.step(Plain::new(from, square, theirs.has(square)), || {
            let none = Bitboard::EMPTY;
            let moved = Men {
                diagonal: if diagonal.any() {
                    left.diagonal | to
                } else {
                    left.diagonal
                },
                straight: if straight.any() {
                    left.straight | to
                } else {
                    left.straight
                },
                ..left
            };
            child(moved, them.without(to), rights.without(to), none)
        });
    }
}

/// Promotes on some squares, from the squares behind them.
#[cold]
#[inline(never)]
fn promote<S: Side>(
    node: &Node,
    targets: Bitboard,
    back: impl Fn(Bitboard) -> Bitboard,
    visitor: &mut impl Visit,
) {
    let Node { us, them, .. } = *node;
    for to in targets & S::PROMOTION {
        let to = Bitboard::of(to);
        let pawns = us.pawns ^ back(to);
        let left = Men { pawns, ..us };
        let knights = us.knights | to;
        let diagonal = us.diagonal | to;
        let straight = us.straight | to;
        for man in [
            Men { knights, ..left },
            Men { diagonal, ..left },
            Men { straight, ..left },
            Men {
                diagonal,
                straight,
                ..left
            },
        ] {
            let rights = node.castling.without(to);
            visitor.step(Plain::NOT, || {
                child(man, them.without(to), rights, Bitboard::EMPTY)
            });
        }
    }
}
