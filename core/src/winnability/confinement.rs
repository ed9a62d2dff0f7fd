//! Sets of positions in which walls keep men apart.

use arrayvec::ArrayVec;

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::position::Position;
use crate::chess::square::{Rank, Square};

/// Most men beside the kings in a confinement. Larger positions are not confined.
pub(crate) const MOST_MEN: usize = 30;

/// Set of positions: the kings stand on one of the listed pairs of squares, some men stand still,
/// and each other man stands in its region or was captured, unless it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Confinement {
    /// Men other than the kings.
    pub(crate) men: ArrayVec<ConfinedMan, MOST_MEN>,
    pub(crate) kings: KingPairs,
    /// Rooks that may have the right to castle, but never come to do so.
    pub(crate) castling: Bitboard,
}

/// Man of a [`Confinement`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ConfinedMan {
    pub(crate) piece: Piece,
    /// Squares on which it may stand.
    pub(crate) region: Bitboard,
    /// Whether it stands on the one square of its region in every position. Pawns do; another man
    /// does until it has moved.
    pub(crate) still: bool,
    /// Whether it is on the board in every position. Men that stand still are.
    pub(crate) kept: bool,
}

/// For each side to move and each square of White's king, the squares of Black's king.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KingPairs(pub(crate) [[Bitboard; 64]; 2]);

impl KingPairs {
    pub(crate) const NONE: KingPairs = KingPairs([[Bitboard::EMPTY; 64]; 2]);

    /// Whether the kings may stand on these squares, White's first.
    pub(crate) fn has(&self, turn: Color, kings: [Square; 2]) -> bool {
        self.0[turn.index()][kings[0].index()].has(kings[1])
    }

    pub(crate) fn add(&mut self, turn: Color, kings: [Square; 2]) {
        self.0[turn.index()][kings[0].index()] |= Bitboard::of(kings[1]);
    }

    /// Pairs with a side to move, White's king first.
    pub(crate) fn pairs(&self, turn: Color) -> impl Iterator<Item = [Square; 2]> {
        let by_white = Square::all().zip(&self.0[turn.index()]);
        by_white.flat_map(|(white, blacks)| blacks.into_iter().map(move |black| [white, black]))
    }

    /// Removes the pairs with a king on a square.
    pub(crate) fn clear(&mut self, square: Square) {
        for by_white in &mut self.0 {
            by_white[square.index()] = Bitboard::EMPTY;
            for blacks in by_white {
                *blacks = blacks.without(Bitboard::of(square));
            }
        }
    }

    pub(crate) fn is_subset(&self, other: &KingPairs) -> bool {
        let pairs = self.0.iter().flatten().zip(other.0.iter().flatten());
        pairs
            .into_iter()
            .all(|(ours, theirs)| ours.without(*theirs).is_empty())
    }
}

impl Confinement {
    /// Pawns of both colours.
    pub(crate) fn pawns(&self) -> [Bitboard; 2] {
        Color::ALL.map(|color| {
            let mut pawns = Bitboard::EMPTY;
            for man in &self.men {
                if man.is_pawn_of(color) {
                    pawns |= man.region;
                }
            }
            pawns
        })
    }

    /// Squares on which men of a colour stand still.
    pub(crate) fn still(&self, color: Color) -> Bitboard {
        let men = self
            .men
            .iter()
            .filter(|man| man.still && man.piece.color == color);
        men.fold(Bitboard::EMPTY, |all, man| all | man.region)
    }

    /// Squares of a king.
    pub(crate) fn king(&self, color: Color) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for (white, blacks) in Square::all().zip(self.kings.0[0].iter().zip(&self.kings.0[1])) {
            let blacks = *blacks.0 | *blacks.1;
            squares |= match color {
                Color::White if blacks.any() => Bitboard::of(white),
                Color::White => Bitboard::EMPTY,
                Color::Black => blacks,
            };
        }
        squares
    }

    /// Squares that are occupied in every position: those of still men, and of a king that has only
    /// one.
    pub(crate) fn occupied(&self) -> Bitboard {
        let kings = Color::ALL.map(|color| self.king(color));
        let single = kings.into_iter().filter(|king| !king.many());
        single.fold(
            self.still(Color::White) | self.still(Color::Black),
            |all, king| all | king,
        )
    }

    /// Squares that are attacked in every position by the men of a colour that stand still, or by
    /// those that fill a region. Rays end at the first square on which a man may stand.
    pub(crate) fn guarded(&self, color: Color) -> Bitboard {
        let kings = self.king(Color::White) | self.king(Color::Black);
        let anywhere = self.men.iter().fold(kings, |all, man| all | man.region);
        let ours = self.men.iter().filter(|man| man.piece.color == color);
        ours.fold(Bitboard::EMPTY, |guarded, man| {
            guarded
                | match man {
                    ConfinedMan { still: true, .. } => man.attacks(anywhere),
                    ConfinedMan { kept: true, .. } => self.guarded_by_all(man, kings),
                    _ => Bitboard::EMPTY,
                }
        })
    }

    /// Squares that all men like this one attack in every position, if they leave at most one
    /// square of their region empty, and no other man may stand there.
    fn guarded_by_all(&self, like: &ConfinedMan, kings: Bitboard) -> Bitboard {
        let region = like.region;
        let count = self.men.iter().filter(|man| *man == like).count();
        let others = self.men.iter().filter(|man| *man != like);
        let elsewhere = others.fold(kings, |all, man| all | man.region);
        if region.count() > count + 1 || (region & elsewhere).any() {
            return Bitboard::EMPTY;
        }
        region.into_iter().fold(Bitboard::FULL, |guarded, hole| {
            let region = region.without(Bitboard::of(hole));
            guarded & ConfinedMan { region, ..*like }.attacks(elsewhere | region)
        })
    }

    /// Removes the man that stands still on a square; men of this colour that may stand there are
    /// no longer kept.
    pub(crate) fn capture(&mut self, square: Square, color: Color) {
        self.men.retain(|man| !man.still || !man.region.has(square));
        for man in &mut self.men {
            man.kept &= man.piece.color != color || !man.region.has(square);
        }
    }

    /// Whether neither the other king nor a man that may have moved can capture this man.
    pub(crate) fn is_safe(&self, man: &ConfinedMan) -> bool {
        let takers = self
            .men
            .iter()
            .filter(|other| !other.still && other.piece.color != man.piece.color);
        let reach = takers.fold(self.king(!man.piece.color), |all, other| all | other.region);
        (man.region & reach).is_empty()
    }

    /// Whether a side has a man other than the king that may move.
    pub(crate) fn can_pass(&self, color: Color) -> bool {
        self.men
            .iter()
            .any(|man| !man.still && man.piece.color == color)
    }

    /// Whether the set holds the position.
    pub(crate) fn contains(&self, position: &Position) -> bool {
        let kings = Color::ALL.map(|color| position.king(color));
        if position.en_passant().is_some()
            || position.castling().without(self.castling).any()
            || !self.kings.has(position.turn(), kings)
        {
            return false;
        }
        let board = position.board();
        let mut pieces = board.occupied().without(board.role(Role::King));
        for man in self.men.iter().filter(|man| man.still) {
            let stands = |square| board.piece_on(square) == Some(man.piece);
            if !man.region.into_iter().all(stands) {
                return false;
            }
            pieces = pieces.without(man.region);
        }
        let movable = self.men.iter().filter(|man| !man.still);
        if movable.clone().any(|man| man.kept) && pieces.count() != movable.count() {
            return false;
        }
        can_place(pieces, |square| {
            self.movable(square, |man| board.piece_on(square) == Some(man.piece))
        })
    }

    /// Whether each position of `other` is in this set. "No" may be wrong.
    pub(crate) fn includes(&self, other: &Confinement) -> bool {
        let men = self.men.iter().zip(&other.men);
        self.men.len() == other.men.len()
            && men.into_iter().all(|(man, other)| {
                man.piece == other.piece
                    && other.region.without(man.region).is_empty()
                    && (other.still || !man.still)
                    && (other.kept || !man.kept)
            })
            && other.castling.without(self.castling).is_empty()
            && other.kings.is_subset(&self.kings)
    }

    /// Whether `side` has insufficient material in every position of the set.
    pub(crate) fn has_insufficient_material(&self, side: Color) -> bool {
        let mut most = Board::EMPTY;
        for man in &self.men {
            // A bishop stays on its square colour; other pieces may stand anywhere for the test.
            let mut places = man.region.without(most.occupied());
            if places.is_empty() && man.piece.role != Role::Bishop {
                places = !most.occupied();
            }
            let Some(square) = places.first() else {
                return false;
            };
            most.put(square, man.piece);
        }
        most.has_insufficient_material(side)
    }

    /// Whether a man that stands still keeps each king from its rook with a right to castle.
    pub(crate) fn bars_castling(&self) -> bool {
        let still = self.still(Color::White) | self.still(Color::Black);
        self.castling.into_iter().all(|rook| {
            let color = if rook.rank() == Rank::First {
                Color::White
            } else {
                Color::Black
            };
            let mut kings = (self.king(color) & Bitboard::rank(rook.rank())).into_iter();
            kings.all(|king| (attacks::between(king, rook) & still).any())
        })
    }

    /// Whether a position of the set may be a mate by `side`. "No" is certain, if the set is closed
    /// and was entered by other moves than mates.
    ///
    /// A mate needs a check by a man other than the king, each square beside the mated king must be
    /// attacked, or occupied by a man of his own, and a move must have led there. It is assumed
    /// that men attack from all squares of their regions at once, through all but still men.
    pub(crate) fn may_be_mate(&self, side: Color) -> bool {
        let can_pass = self.can_pass(side);
        self.mates(side)
            .any(|kings| can_pass && self.kings.has(side, kings) || self.may_discover(side, kings))
    }

    /// Whether `after`, which follows by a move from this set, may be a mate by `side` at once.
    pub(crate) fn may_mate_with(&self, after: &After, side: Color) -> bool {
        let mut mates = after.set.mates(side);
        mates.any(|kings| !after.by_king || self.may_discover(side, kings))
    }

    /// Whether the last move may have been one of the king that opened a line to the other king.
    fn may_discover(&self, side: Color, kings: [Square; 2]) -> bool {
        let mated = kings[(!side).index()];
        let still = self.still(side) | self.still(!side);
        attacks::king(kings[side.index()]).into_iter().any(|from| {
            let mut before = kings;
            before[side.index()] = from;
            let is_open = (attacks::between(mated, from) & still).is_empty();
            let along = |role| {
                if is_open && attacks::rays(role, mated).has(from) {
                    attacks::line(mated, from)
                } else {
                    Bitboard::EMPTY
                }
            };
            let (straight, diagonal) = (along(Role::Rook), along(Role::Bishop));
            self.kings.has(side, before)
                && self.men.iter().any(|man| {
                    let line = match man.piece.role {
                        Role::Bishop => diagonal,
                        Role::Rook => straight,
                        Role::Queen => straight | diagonal,
                        _ => Bitboard::EMPTY,
                    };
                    man.piece.color == side && (man.region & line).any()
                })
        })
    }

    /// Whether every reply captures a man, the only one beside its king, that moves to a square
    /// beside the other king: it gives check there and can be captured, and the king has no other
    /// square.
    pub(crate) fn is_lost_on(&self, man: &ConfinedMan, to: Square) -> bool {
        let Piece { role, color } = man.piece;
        if role == Role::Pawn || !self.is_alone(color) {
            return false;
        }
        let checked = attacks::piece(role, color, to, Bitboard::FULL);
        let is_guarded = self.guarded(!color).has(to);
        let barred = self.still(!color) | Bitboard::of(to);
        self.kings.pairs(color).all(|kings| {
            let near = attacks::king(kings[color.index()]);
            let theirs = kings[(!color).index()];
            let steps = attacks::king(theirs);
            steps.has(to)
                && checked.has(theirs)
                && (is_guarded || !near.has(to))
                && steps.without(barred | near).is_empty()
        })
    }

    /// Whether a side has one man beside the king.
    pub(crate) fn is_alone(&self, color: Color) -> bool {
        let ours = self.men.iter().filter(|man| man.piece.color == color);
        ours.count() == 1
    }

    /// Whether the move of a man that stands still, which leads to `after`, mates `side` from every
    /// position: it gives check, nothing can capture it or come between, and the king has no other
    /// square.
    pub(crate) fn mates_side(
        &self,
        side: Color,
        man: &ConfinedMan,
        to: Square,
        after: &Confinement,
    ) -> bool {
        let Piece { role, color } = man.piece;
        let checked = attacks::piece(role, color, to, Bitboard::FULL);
        let occupied = self.occupied().without(man.region);
        let theirs = self.men.iter().filter(|man| man.piece.color != color);
        let is_safe = !theirs.into_iter().any(|man| man.attacks(occupied).has(to));
        let barred = after.still(!color) | after.guarded(color);
        color != side
            && man.still
            && is_safe
            && self.kings.pairs(color).all(|kings| {
                let near = attacks::king(kings[color.index()]);
                let mated = kings[(!color).index()];
                checked.has(mated) && attacks::king(mated).without(barred | near).is_empty()
            })
    }

    /// Squares of the kings, White's first, at which a position of the set may be a mate by `side`.
    pub(crate) fn mates(&self, side: Color) -> impl Iterator<Item = [Square; 2]> {
        let king = self.king(side);
        let still = self.still(!side) | self.still(side);
        let occupied = if king.many() { still } else { still | king };
        let ours = self.men.iter().filter(move |man| man.piece.color == side);
        let attacked = ours.fold(Bitboard::EMPTY, |all, man| all | man.attacks(occupied));
        let own = self.still(!side);
        self.kings.pairs(!side).filter(move |kings| {
            let mated = kings[(!side).index()];
            attacked.has(mated) && {
                let covered = attacked | own | attacks::king(kings[side.index()]);
                can_place(attacks::king(mated).without(covered), |square| {
                    self.movable(square, |man| man.piece.color != side)
                })
            }
        })
    }

    /// Numbers of the men that may stand on a square, but need not, as a set of bits.
    fn movable(&self, square: Square, is_wanted: impl Fn(&ConfinedMan) -> bool) -> u32 {
        let men = self.men.iter().enumerate();
        let fits = men.filter(|(_, man)| !man.still && man.region.has(square) && is_wanted(man));
        fits.fold(0, |set, (nth, _)| set | 1 << nth)
    }
}

/// Whether a different man can stand on each square; `fitting` has those that may stand on one, as
/// a set of bits. (Maximum bipartite matching by augmenting paths.)
fn can_place(squares: Bitboard, fitting: impl Fn(Square) -> u32) -> bool {
    fn place(
        square: Square,
        fitting: &impl Fn(Square) -> u32,
        taken: &mut [Option<Square>; 32],
        tried: &mut u32,
    ) -> bool {
        let mut men = fitting(square) & !*tried;
        while men != 0 {
            let man = men.trailing_zeros() as usize;
            men &= men - 1;
            *tried |= 1 << man;
            if taken[man].is_none_or(|other| place(other, fitting, taken, tried)) {
                taken[man] = Some(square);
                return true;
            }
            men &= !*tried;
        }
        false
    }
    let mut taken = [None; 32];
    squares
        .into_iter()
        .all(|square| place(square, &fitting, &mut taken, &mut 0))
}

/// Set of positions that follow by a move from another.
pub(crate) struct After {
    pub(crate) set: Confinement,
    /// Whether a king moved.
    pub(crate) by_king: bool,
}

impl After {
    /// Follows by a move of a man other than a king.
    pub(crate) fn by_man(set: Confinement) -> After {
        After {
            set,
            by_king: false,
        }
    }
}

impl ConfinedMan {
    /// A man that stands still.
    pub(crate) fn still(piece: Piece, square: Square) -> ConfinedMan {
        ConfinedMan {
            piece,
            region: Bitboard::of(square),
            still: true,
            kept: true,
        }
    }

    pub(crate) fn is_pawn_of(&self, color: Color) -> bool {
        self.piece.role == Role::Pawn && self.piece.color == color
    }

    /// Squares attacked from any square of the region.
    pub(crate) fn attacks(&self, occupied: Bitboard) -> Bitboard {
        let Piece { role, color } = self.piece;
        let attacked = self
            .region
            .into_iter()
            .map(|at| attacks::piece(role, color, at, occupied));
        attacked.fold(Bitboard::EMPTY, |all, each| all | each)
    }

    /// The same piece after a move to a square of its region or another.
    pub(crate) fn moved(&self, to: Square) -> ConfinedMan {
        ConfinedMan {
            region: self.region | Bitboard::of(to),
            still: false,
            ..*self
        }
    }
}
