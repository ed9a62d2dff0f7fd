//! Piece placement.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::square::Square;

/// Piece placement: a set of squares for each role and for each colour, with at most one piece on a
/// square.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Board, Color, Piece, Role, Square};
/// let e4: Square = "e4".parse()?;
/// let mut board = Board::EMPTY;
/// board.put(e4, Piece { color: Color::White, role: Role::Knight });
/// assert_eq!(board.role_on(e4), Some(Role::Knight));
/// assert!(board.attackers("f6".parse()?, Color::White, board.occupied()).has(e4));
/// # Ok::<(), chess_arbiter_core::chess::square::SquareNameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };

    /// A board of sets that must be consistent: each occupied square has one role and one colour.
    #[inline]
    pub(crate) const fn from_sets(roles: [Bitboard; 6], colors: [Bitboard; 2]) -> Board {
        Board { roles, colors }
    }

    /// Pieces of a colour.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Pieces of a role, of both colours.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// Pieces of a colour and a role.
    #[inline]
    pub fn of(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// All pieces.
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

    /// Whether a side has too little material: no position with these men, nor any that can follow,
    /// is a mate by it.
    ///
    /// True for a bare king; for a single knight against queens or nothing; and for bishops on one
    /// square colour, the other side's among them, if there is no knight and no pawn. With any
    /// other material some position is mate. A mate that is already on the board has to be tested
    /// first.
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

    /// Role of the piece on a square.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        if !self.occupied().has(square) {
            return None;
        }
        // Without branches, which would be mispredicted.
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
            color: Color::ALL[usize::from(self.color(Color::Black).has(square))],
        })
    }

    /// Puts a piece on a square, replacing any other.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.clear(square);
        self.toggle(square, piece.color, piece.role);
    }

    /// Removes the piece on a square, if any.
    pub fn clear(&mut self, square: Square) {
        let keep = !Bitboard::of(square);
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set &= keep;
        }
    }

    /// Adds a piece to an empty square, or removes the same piece.
    #[inline]
    pub(crate) fn toggle(&mut self, square: Square, color: Color, role: Role) {
        self.toggle_all(Bitboard::of(square), color, role);
    }

    /// Toggles a piece on each square of a set.
    #[inline]
    pub(crate) fn toggle_all(&mut self, squares: Bitboard, color: Color, role: Role) {
        self.roles[role.index()] ^= squares;
        self.colors[color.index()] ^= squares;
    }

    /// Pieces of `by` that attack a square, with sliders blocked by `occupied`. Pieces outside
    /// `occupied` still count as attackers.
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
