//! Generation of legal moves.

use crate::chess::attacks;
use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::moves::{Move, MoveKind, MoveList};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;

/// Legal moves of one piece, or a special move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Batch {
    /// Moves of a piece to some squares; a pawn on the last rank has four moves for each.
    Piece {
        role: Role,
        from: Square,
        to: Bitboard,
    },
    EnPassant {
        from: Square,
        to: Square,
    },
    Castle {
        king: Square,
        rook: Square,
    },
}

impl Position {
    /// Legal moves, in unspecified order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(|batch| {
            let mut push = |role, from, to, captured, kind| {
                moves.push(Move::new(role, from, to, captured, kind));
            };
            match batch {
                Batch::Piece { role, from, to } => {
                    for to in to {
                        let captured = self.board().role_on(to);
                        if role == Role::Pawn && Bitboard::BACK_RANKS.has(to) {
                            for becomes in Role::PROMOTIONS {
                                push(role, from, to, captured, MoveKind::Promotion(becomes));
                            }
                        } else {
                            push(role, from, to, captured, MoveKind::Normal);
                        }
                    }
                }
                Batch::EnPassant { from, to } => {
                    push(Role::Pawn, from, to, Some(Role::Pawn), MoveKind::EnPassant);
                }
                Batch::Castle { king, rook } => {
                    push(Role::King, king, rook, None, MoveKind::Castle);
                }
            }
        });
        moves
    }

    /// Number of legal moves, counted without listing them.
    pub fn count_legal_moves(&self) -> usize {
        let mut count = 0;
        self.generate(|batch| {
            count += match batch {
                Batch::Piece {
                    role: Role::Pawn,
                    to,
                    ..
                } => to.count() + 3 * (to & Bitboard::BACK_RANKS).count(),
                Batch::Piece { to, .. } => to.count(),
                Batch::EnPassant { .. } | Batch::Castle { .. } => 1,
            };
        });
        count
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        // The cheapest test nearly always succeeds.
        if self.has_free_pawn() && !self.is_check() {
            return true;
        }
        let (us, king) = (self.turn(), self.king(self.turn()));
        let steps = attacks::king(king).without(self.board().color(us));
        if steps
            .into_iter()
            .any(|to| self.leaves_king_safe(Role::King, king, to))
        {
            return true;
        }
        let mut any = false;
        self.generate(|batch| {
            any |= match batch {
                Batch::Piece { to, .. } => to.any(),
                Batch::EnPassant { .. } | Batch::Castle { .. } => true,
            };
        });
        any
    }

    /// Whether a pawn of the side to move that is not in line with its king, and so not pinned, can
    /// be pushed.
    fn has_free_pawn(&self) -> bool {
        let board = self.board();
        let (us, king) = (self.turn(), self.king(self.turn()));
        let in_line = attacks::rays(Role::Rook, king) | attacks::rays(Role::Bishop, king);
        let free = board.of(us, Role::Pawn).without(in_line);
        free.ahead(us).without(board.occupied()).any()
    }

    /// Pinned pieces of the side to move.
    pub(crate) fn pinned(&self) -> Bitboard {
        self.pinned_men(self.turn())
    }

    /// Pieces of a colour that are alone between their king and an enemy slider.
    #[inline]
    pub(crate) fn pinned_men(&self, us: Color) -> Bitboard {
        let board = self.board();
        let king = self.king(us);
        let theirs = board.color(!us);
        let snipers = theirs
            & (attacks::rook(king, theirs) & board.orthogonal_sliders()
                | attacks::bishop(king, theirs) & board.diagonal_sliders());
        let ours = board.color(us);
        snipers.into_iter().fold(Bitboard::EMPTY, |pinned, sniper| {
            let shields = attacks::between(king, sniper) & ours;
            if shields.many() {
                pinned
            } else {
                pinned | shields
            }
        })
    }

    /// Squares attacked by the side not to move, with the king of the side to move transparent to
    /// sliders.
    fn danger(&self) -> Bitboard {
        let board = self.board();
        let us = self.turn();
        let them = !us;
        let theirs = board.color(them);
        let occupied = board.occupied() ^ Bitboard::of(self.king(us));
        let mut danger = attacks::king(self.king(them));
        danger |= setwise::pawns(them, theirs & board.role(Role::Pawn));
        for knight in theirs & board.role(Role::Knight) {
            danger |= attacks::knight(knight);
        }
        for slider in theirs & board.orthogonal_sliders() {
            danger |= attacks::rook(slider, occupied);
        }
        for slider in theirs & board.diagonal_sliders() {
            danger |= attacks::bishop(slider, occupied);
        }
        danger
    }

    #[inline]
    fn generate(&self, mut sink: impl FnMut(Batch)) {
        let board = self.board();
        let us = self.turn();
        let king = self.king(us);
        let ours = board.color(us);
        let occupied = board.occupied();
        let danger = self.danger();

        let steps = attacks::king(king).without(ours).without(danger);
        if steps.any() {
            sink(Batch::Piece {
                role: Role::King,
                from: king,
                to: steps,
            });
        }

        let mut targets = !ours;
        if danger.has(king) {
            let checkers = self.checkers();
            let Some(checker) = checkers.single() else {
                return;
            };
            targets = attacks::between(king, checker) | checkers;
        } else {
            for rook in self.castling() & Bitboard::rank(us.back_rank()) {
                if self.is_castling_legal(rook) {
                    sink(Batch::Castle { king, rook });
                }
            }
        }

        let pinned = self.pinned();
        let mut piece = |role, from, to: Bitboard| {
            let mut to = to & targets;
            if pinned.has(from) {
                to &= attacks::line(king, from);
            }
            if to.any() {
                sink(Batch::Piece { role, from, to });
            }
        };
        for from in (ours & board.role(Role::Knight)).without(pinned) {
            piece(Role::Knight, from, attacks::knight(from));
        }
        for from in ours & board.role(Role::Bishop) {
            piece(Role::Bishop, from, attacks::bishop(from, occupied));
        }
        for from in ours & board.role(Role::Rook) {
            piece(Role::Rook, from, attacks::rook(from, occupied));
        }
        for from in ours & board.role(Role::Queen) {
            piece(Role::Queen, from, attacks::queen(from, occupied));
        }
        let theirs = board.color(!us);
        for from in ours & board.role(Role::Pawn) {
            let captures = attacks::pawn(us, from) & theirs;
            piece(
                Role::Pawn,
                from,
                captures | setwise::pawn_pushes(us, Bitboard::of(from), occupied),
            );
        }

        if let Some(to) = self.en_passant() {
            for from in attacks::pawn(!us, to) & board.of(us, Role::Pawn) {
                if self.is_en_passant_legal(from, to) {
                    sink(Batch::EnPassant { from, to });
                }
            }
        }
    }
}
