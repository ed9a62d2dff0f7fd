//! What one side's men can do at the moment, and which of them cannot do anything.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::winnability::reach;
use crate::winnability::reach::king_steps;

/// What one side's men can do at the moment.
pub(crate) struct Freedom<'a> {
    pub position: &'a Position,
    pub color: Color,
    /// Its men.
    pub ours: Bitboard,
    /// What they attack.
    pub attacks: Bitboard,
    /// What is attacked by men that cannot step aside: pawns and blocked pieces.
    pub held: Bitboard,
    /// Men other than the king that can move and are not pinned.
    pub free: Bitboard,
    /// Those of them that can do so without capturing.
    pub quiet: Bitboard,
    /// What queens and rooks attack.
    pub heavy_attacks: Bitboard,
}

impl Freedom<'_> {
    #[inline]
    pub(crate) fn of(position: &Position, color: Color) -> Freedom<'_> {
        let board = position.board();
        let occupied = board.occupied();
        let ours = board.color(color);
        let king = position.king(color);
        let pawns = ours & board.role(Role::Pawn);
        let mut held = reach::pawn_attacks(color, pawns);
        let mut all = held | attacks::king(king);
        let pushed = pawns & one_back(color, !occupied);
        let mut quiet = pushed;
        let mut free = pushed | capturing_pawns(color, pawns, board.color(!color));
        let mut heavy_attacks = Bitboard::EMPTY;
        let straight = board.orthogonal_sliders();
        let diagonal = board.diagonal_sliders();
        for from in ours.without(pawns | Bitboard::of(king)) {
            let attacked = if (straight & diagonal).has(from) {
                attacks::queen(from, occupied)
            } else if straight.has(from) {
                attacks::rook(from, occupied)
            } else if diagonal.has(from) {
                attacks::bishop(from, occupied)
            } else {
                attacks::knight(from)
            };
            all |= attacked;
            if attacked.without(ours).is_empty() {
                held |= attacked;
            } else {
                free |= Bitboard::of(from);
                if attacked.without(occupied).any() {
                    quiet |= Bitboard::of(from);
                }
            }
            if straight.has(from) {
                heavy_attacks |= attacked;
            }
        }
        let pinned = position.pinned_men(color);
        Freedom {
            position,
            color,
            ours,
            attacks: all,
            held,
            free: free.without(pinned),
            quiet: quiet.without(pinned),
            heavy_attacks,
        }
    }

    #[inline]
    pub(crate) fn men(&self, role: Role) -> Bitboard {
        self.ours & self.position.board().role(role)
    }

    #[inline]
    pub(crate) fn king(&self) -> Bitboard {
        Bitboard::of(self.position.king(self.color))
    }

    /// What is attacked by men that can hardly go elsewhere, when those squares are open: pawns, blocked pieces, and
    /// pieces that go to and fro in a cage.
    pub(crate) fn guarded(&self, open: Bitboard) -> Bitboard {
        let board = self.position.board();
        let pieces = self.free.without(board.role(Role::Pawn));
        let mut guarded = self.held;
        for piece in pieces {
            let step = match board.role_on(piece) {
                Some(Role::Bishop) => reach::diagonal_steps,
                Some(Role::Rook) => reach::straight_steps,
                Some(Role::Knight) => reach::knight_leaps,
                _ => king_steps,
            };
            let cage = reach::spread(Bitboard::of(piece), open, step);
            if cage.count() < ROOM {
                guarded |= step(cage);
            }
        }
        guarded
    }

    /// Whether a man can be moved without capturing and without uncovering a check, as far as a look at the squares can
    /// tell.
    #[inline]
    pub(crate) fn has_quiet_move(&self, other: &Freedom<'_>) -> bool {
        let taken = self.ours | other.ours | other.attacks;
        let king = self.king();
        let mut movable = self.quiet;
        if king_steps(king).without(taken).any() {
            movable |= king;
        }
        movable.without(self.discoverers()).any()
    }

    /// Men that stand alone between the other king and a piece that would give check.
    #[inline]
    fn discoverers(&self) -> Bitboard {
        let board = self.position.board();
        let king = self.position.king(!self.color);
        let theirs = board.color(!self.color);
        let lines = attacks::rook(king, theirs) & board.orthogonal_sliders()
            | attacks::bishop(king, theirs) & board.diagonal_sliders();
        (lines & self.ours)
            .into_iter()
            .fold(Bitboard::EMPTY, |found, piece| {
                let between = attacks::between(king, piece) & self.ours;
                if between.many() {
                    found
                } else {
                    found | between
                }
            })
    }

    /// Whether it is the side's turn.
    #[inline]
    pub(crate) fn is_to_move(&self) -> bool {
        self.position.turn() == self.color
    }

    /// The number of squares the king can go to, now or when a man of his own has stepped aside. Nothing if he is shut
    /// in, unless only by men that can go away, while there are others that can move.
    #[inline]
    pub(crate) fn spare_moves(&self, other: &Freedom<'_>) -> Option<usize> {
        let near = attacks::king(self.position.king(self.color))
            .without(other.ours)
            .without(self.ours.without(self.free));
        let safe = near.without(other.attacks).count();
        let fixed = other.held | attacks::king(self.position.king(other.color));
        let shut_in = near.without(fixed).is_empty() || self.free.count() < 3;
        (safe > 0 || !shut_in).then_some(safe)
    }
}

/// A piece that can come to fewer squares is caged.
const ROOM: usize = 6;

/// The squares from which pawns come to these by one step.
#[inline]
fn one_back(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(match color {
        Color::White => squares.0 >> 8,
        Color::Black => squares.0 << 8,
    })
}

#[inline]
fn capturing_pawns(color: Color, pawns: Bitboard, theirs: Bitboard) -> Bitboard {
    // A square a pawn attacks is one from which a pawn of the other colour would attack it.
    pawns & reach::pawn_attacks(!color, theirs)
}
