//! Positions so open that nobody doubts: a mate can be reached, and looking for one would only take time.

use super::material::DARK;
use crate::rules::attacks;
use crate::rules::bitboard::Bitboard;
use crate::rules::piece::{Color, Role};
use crate::rules::position::Position;
use crate::rules::square::Square;

/// Whether it is evident that `side` can mate with the other side's help, although no line is shown.
///
/// A position is unwinnable because moves are forced, because kings or pieces are shut in, or because too little is
/// left. So three things are asked for, in this position or, if its king is in check, after some move out of check:
/// both sides have moves to spare and kings that can move; nothing has to be captured at once; and `side` has a queen or
/// rook with a way to the other king, a pawn whose way is free, pieces enough without pawns to be walled in by, or
/// pawns on a board where no man is blocked. The sides then bring about any position they like.
///
/// "No" means only that the position has to be looked at. "Yes" is no proof but was never wrong: not on any position
/// that is known to be unwinnable, nor on millions that were derived from them or taken from games, each of which was
/// won by a line found afterwards.
pub(super) fn is_evident(position: &Position, side: Color) -> bool {
    if !position.is_check() {
        return is_open(position, side);
    }
    position.legal_moves().iter().any(|&mv| {
        let after = position.after(mv);
        !after.is_check() && is_open(&after, side)
    })
}

fn is_open(position: &Position, side: Color) -> bool {
    let winner = Freedom::of(position, side);
    let loser = Freedom::of(position, !side);
    let spare = winner.spare_moves(&loser).zip(loser.spare_moves(&winner));
    let Some((winner_king, loser_king)) = spare else {
        return false;
    };
    if winner.has_way_to(&loser) {
        return true;
    }
    // A pawn has to walk first, and bare minor pieces need a king: both take room.
    if winner_king + winner.free.count() < 3 || loser_king + loser.free.count() < 2 {
        return false;
    }
    if winner.has_runner(&loser) {
        return true;
    }
    winner_king >= 2
        && loser_king >= 2
        && (winner.has_two_minors() || winner.has_loose_pawns(&loser))
}

/// What one side's men can do at the moment.
struct Freedom<'a> {
    position: &'a Position,
    color: Color,
    /// Its men.
    ours: Bitboard,
    /// What they attack.
    attacks: Bitboard,
    /// What is attacked by men that cannot step aside: pawns, the king, and blocked pieces.
    fixed_attacks: Bitboard,
    /// Men other than the king that can move and are not pinned.
    free: Bitboard,
    /// Where queens and rooks can go.
    heavy_targets: Bitboard,
}

impl Freedom<'_> {
    fn of(position: &Position, color: Color) -> Freedom<'_> {
        let board = position.board();
        let occupied = board.occupied();
        let ours = board.color(color);
        let king = position.king(color);
        let pawns = ours & board.role(Role::Pawn);
        let king_attacks = attacks::king(king);
        let mut all = king_attacks | pawn_attacks(color, pawns);
        let mut fixed = all;
        let mut free = free_pawns(color, pawns, occupied, board.color(!color));
        let mut heavy_targets = Bitboard::EMPTY;
        let straight = board.straight_sliders();
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
            let targets = attacked.without(ours);
            if targets.is_empty() {
                fixed |= attacked;
            } else {
                free |= Bitboard::of(from);
            }
            if straight.has(from) {
                heavy_targets |= targets;
            }
        }
        Freedom {
            position,
            color,
            ours,
            attacks: all,
            fixed_attacks: fixed,
            free: free.without(position.pinned_men(color)),
            heavy_targets,
        }
    }

    fn men(&self, role: Role) -> Bitboard {
        self.ours & self.position.board().role(role)
    }

    /// The number of squares the king can go to, now or when a man of his own has stepped aside. Nothing if he is shut
    /// in, unless only by men that can go away, while there are others that can move.
    fn spare_moves(&self, other: &Freedom<'_>) -> Option<usize> {
        let near = attacks::king(self.position.king(self.color))
            .without(other.ours)
            .without(self.ours.without(self.free));
        let safe = near.without(other.attacks).count();
        let shut_in = near.without(other.fixed_attacks).is_empty() || self.free.count() < 3;
        (safe > 0 || !shut_in).then_some(safe)
    }

    /// Whether a queen or rook has safe squares to choose from and, step by step over squares that no man of its own
    /// bars for good, a way to the other king.
    fn has_way_to(&self, other: &Freedom<'_>) -> bool {
        let king = Bitboard::of(self.position.king(other.color));
        let safe = self.heavy_targets.without(other.attacks | king);
        if !safe.many() {
            return false;
        }
        let board = self.position.board();
        let heavy = self.ours & board.straight_sliders();
        let open = !self.ours | self.free | heavy | self.men(Role::King);
        let goal = king | attacks::king(self.position.king(other.color));
        reaches(heavy, open, goal)
    }

    /// Whether a pawn's way to promotion is free of its own men, of pawns, and of men that cannot step aside.
    fn has_runner(&self, other: &Freedom<'_>) -> bool {
        let pawns = self.position.board().role(Role::Pawn);
        let bars = self.ours | other.ours.without(other.free) | pawns;
        self.men(Role::Pawn)
            .into_iter()
            .any(|pawn| (ahead(self.color, pawn) & bars).is_empty())
    }

    /// Whether two minor pieces, not both bishops on squares of one colour, have no pawn of their own around.
    fn has_two_minors(&self) -> bool {
        let bishops = self.men(Role::Bishop);
        let colours =
            usize::from((bishops & DARK).any()) + usize::from(bishops.without(DARK).any());
        self.men(Role::Pawn).is_empty() && self.men(Role::Knight).count() + colours >= 2
    }

    /// Whether there are pawns to promote, and each man on the board can move.
    fn has_loose_pawns(&self, other: &Freedom<'_>) -> bool {
        let all_free = |side: &Freedom<'_>| side.free == side.ours.without(side.men(Role::King));
        self.men(Role::Pawn).any() && all_free(self) && all_free(other)
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let (west, east) = (pawns.0 & NOT_A, pawns.0 & NOT_H);
    Bitboard(match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}

/// Pawns that can go ahead or capture.
fn free_pawns(color: Color, pawns: Bitboard, occupied: Bitboard, theirs: Bitboard) -> Bitboard {
    let one_back = match color {
        Color::White => Bitboard(!occupied.0 >> 8),
        Color::Black => Bitboard(!occupied.0 << 8),
    };
    // A square a pawn attacks is one from which a pawn of the other colour would attack it.
    pawns & (one_back | pawn_attacks(!color, theirs))
}

/// The squares before a pawn, up to the last rank.
fn ahead(color: Color, pawn: Square) -> Bitboard {
    let file = Bitboard::file(pawn.file()).0;
    Bitboard(match color {
        Color::White => file & (!1 << pawn.index()),
        Color::Black => file & ((1 << pawn.index()) - 1),
    })
}

/// Whether steps along ranks and files over open squares lead from one set to another.
fn reaches(from: Bitboard, open: Bitboard, goal: Bitboard) -> bool {
    let mut reached = from.0;
    loop {
        if reached & goal.0 != 0 {
            return true;
        }
        let steps = reached << 8 | reached >> 8 | (reached & NOT_A) >> 1 | (reached & NOT_H) << 1;
        let more = reached | steps & open.0;
        if more == reached {
            return false;
        }
        reached = more;
    }
}
