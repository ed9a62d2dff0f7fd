//! Where the pieces stand.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::square::Square;

/// Piece placement: a set of squares for each kind and for each colour. At most one piece stands on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Board {
    /// No piece anywhere.
    pub const EMPTY: Board = Board {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };

    /// A board of sets that are known to fit: no square in two kinds or two colours, and each in one of both.
    #[inline]
    pub(crate) const fn from_sets(roles: [Bitboard; 6], colors: [Bitboard; 2]) -> Board {
        Board { roles, colors }
    }

    /// The squares of all pieces of a colour.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of all pieces of a kind, both colours.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The squares of a colour's pieces of a kind.
    #[inline]
    pub fn of(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// All squares where a piece stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Rooks and queens of both colours.
    #[inline]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.role(Role::Rook) | self.role(Role::Queen)
    }

    /// Bishops and queens of both colours.
    #[inline]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.role(Role::Bishop) | self.role(Role::Queen)
    }

    /// The colour's king; the lowest square if a setup has several.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.of(color, Role::King).first()
    }

    /// Whether a side has too little material: no position with these men, nor any that can follow, is a mate by it.
    ///
    /// True for a bare king; for a single knight against queens or nothing; and for bishops on one square colour, the
    /// other side's among them, if there is no knight and no pawn. With any other material some position is mate.
    /// A mate that is already on the board has to be tested first.
    #[inline]
    pub fn has_insufficient_material(&self, side: Color) -> bool {
        let ours = self.color(side);
        let heavy = self.role(Role::Pawn) | self.orthogonal_sliders();
        if (ours & heavy).any() {
            return false;
        }
        let men = ours.without(self.role(Role::King));
        if men.is_empty() {
            return true;
        }
        let theirs = self.color(!side);
        let knights = self.role(Role::Knight);
        if (men & knights).any() {
            let harmless = self.role(Role::King) | self.role(Role::Queen);
            return !men.many() && theirs.without(harmless).is_empty();
        }
        let dark = self.role(Role::Bishop) & Bitboard::DARK_SQUARES;
        let light = self.role(Role::Bishop) & Bitboard::LIGHT_SQUARES;
        (dark.is_empty() || light.is_empty())
            && (theirs & (knights | self.role(Role::Pawn))).is_empty()
    }

    /// The kind of the piece on a square.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        if !self.occupied().has(square) {
            return None;
        }
        // Adding up is faster than asking one kind after the other, of which the last cannot be guessed.
        let is = |role: Role| usize::from(self.role(role).has(square));
        let index = is(Role::Knight)
            + 2 * is(Role::Bishop)
            + 3 * is(Role::Rook)
            + 4 * is(Role::Queen)
            + 5 * is(Role::King);
        Some(Role::ALL[index.min(5)])
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Some(Piece {
            role: self.role_on(square)?,
            color: if self.color(Color::White).has(square) {
                Color::White
            } else {
                Color::Black
            },
        })
    }

    /// Puts a piece on a square, in the place of whatever stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.clear(square);
        self.toggle(square, piece.color, piece.role);
    }

    /// Takes away whatever stands on a square.
    pub fn clear(&mut self, square: Square) {
        let keep = !Bitboard::of(square);
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set &= keep;
        }
    }

    /// Adds a piece to an empty square, or takes away this very piece.
    #[inline]
    pub(crate) fn toggle(&mut self, square: Square, color: Color, role: Role) {
        self.toggle_all(Bitboard::of(square), color, role);
    }

    /// Flips the presence of this kind of piece on each square of the set.
    #[inline]
    pub(crate) fn toggle_all(&mut self, squares: Bitboard, color: Color, role: Role) {
        self.roles[role.index()] ^= squares;
        self.colors[color.index()] ^= squares;
    }

    /// The pieces of `by` that attack a square while `occupied` squares stop sliders. Pieces outside `occupied` still
    /// count as attackers: take them out of the answer where that matters.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.color(by)
            & (attacks::rook(square, occupied) & self.orthogonal_sliders()
                | attacks::bishop(square, occupied) & self.diagonal_sliders()
                | attacks::knight(square) & self.role(Role::Knight)
                | attacks::pawn(!by, square) & self.role(Role::Pawn)
                | attacks::king(square) & self.role(Role::King))
    }
}
