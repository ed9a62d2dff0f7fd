//! Colours, roles and pieces.

use std::fmt;
use std::ops::Not;

use strum::Display;

use crate::chess::square::Rank;

/// Colour of a side.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::Color;
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::White.to_string(), "White");
/// assert_eq!(Color::White.name(), "white");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[repr(u8)]
pub enum Color {
    /// White, who moves first in the initial position.
    White = 0,
    /// Black.
    Black = 1,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// White = 0, Black = 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Initial rank of king and rooks: 1 for White, 8 for Black.
    #[inline]
    pub const fn back_rank(self) -> Rank {
        match self {
            Color::White => Rank::First,
            Color::Black => Rank::Eighth,
        }
    }

    /// Rank on which pawns promote: 8 for White, 1 for Black.
    #[inline]
    pub const fn promotion_rank(self) -> Rank {
        match self {
            Color::White => Rank::Eighth,
            Color::Black => Rank::First,
        }
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// The side whose FEN letter this is: upper case for White, lower case for Black.
    pub(crate) const fn of_letter(letter: u8) -> Color {
        match letter.is_ascii_uppercase() {
            true => Color::White,
            false => Color::Black,
        }
    }

    /// `w` or `b`, as in a FEN.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// Kind of piece, without colour.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::Role;
/// assert_eq!(Role::from_letter(b'N'), Some(Role::Knight));
/// assert_eq!(Role::Knight.to_string(), "knight");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[repr(u8)]
#[strum(serialize_all = "lowercase")]
#[allow(missing_docs)]
pub enum Role {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
}

impl Role {
    /// All roles, from pawn to king.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];

    /// Roles to which a pawn can be promoted, the queen first (FIDE Laws 3.7.3.3).
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// Pawn = 0 to king = 5.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter, upper case; `P` for a pawn.
    pub const fn letter(self) -> char {
        b"PNBRQK"[self.index()] as char
    }

    /// The role of an English letter of either case.
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            b'P' => Role::Pawn,
            b'N' => Role::Knight,
            b'B' => Role::Bishop,
            b'R' => Role::Rook,
            b'Q' => Role::Queen,
            b'K' => Role::King,
            _ => return None,
        })
    }
}

/// Piece of a colour and a role.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Color, Piece, Role};
/// let piece = Piece { color: Color::Black, role: Role::Queen };
/// assert_eq!(piece.letter(), 'q');
/// assert_eq!(piece.to_string(), "black queen");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Colour of the piece.
    pub color: Color,
    /// Role of the piece.
    pub role: Role,
}

impl Piece {
    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        match Role::from_letter(letter) {
            Some(role) => Some(Piece {
                color: Color::of_letter(letter),
                role,
            }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color.name(), self.role)
    }
}
