//! Legal moves, and UCI notation for them.

use std::fmt;

use arrayvec::ArrayVec;

use crate::chess::castling::{CastlingMode, CastlingSide};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// Nothing.
    Normal,
    /// A pawn that reaches the last rank becomes this.
    Promotion(Role),
    /// A pawn captures one that has just passed it.
    EnPassant,
    /// The king castles; `Move::to` is the square of the rook.
    Castle,
}

/// One move of one position. Moves come from a position that can play them and mean nothing elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The kind of the piece that moves; the king if it castles.
    pub role: Role,
    /// Where it comes from.
    pub from: Square,
    /// Where it goes to; for castling the square of the rook, which no other move of a king can name.
    pub to: Square,
    /// The kind of the captured piece.
    pub captured: Option<Role>,
    /// What is special about it.
    pub kind: MoveKind,
}

/// The legal moves of a position.
///
/// The capacity is beyond what any board allows: a side with n men has at most 27n moves, and at most 16 reach each of
/// the other 64 - n squares (8 lines and 8 knights), with some more on the last rank for promotions.
pub type MoveList = ArrayVec<Move, 704>;

impl Move {
    /// What a pawn becomes by the move.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        match self.kind {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// The wing the move castles to.
    #[inline]
    pub fn castling_side(self) -> Option<CastlingSide> {
        (self.kind == MoveKind::Castle).then(|| CastlingSide::of(self.from, self.to))
    }

    /// Whether the halfmove clock starts anew: pawn moves and captures (FIDE Laws 9.3).
    #[inline]
    pub fn is_zeroing(self) -> bool {
        self.role == Role::Pawn || self.captured.is_some()
    }

    /// The move in UCI notation, such as `e2e4`, `e7e8q` or `e1g1`.
    pub fn uci(self, mode: CastlingMode) -> Uci {
        let to = match (self.castling_side(), mode) {
            (Some(side), CastlingMode::Standard) => {
                let color = if self.from.rank() == Color::White.back_rank() {
                    Color::White
                } else {
                    Color::Black
                };
                side.king_to(color)
            }
            _ => self.to,
        };
        Uci {
            from: self.from,
            to,
            promotion: self.promotion(),
        }
    }
}

/// A move as the Universal Chess Interface writes it. It names squares only and says nothing about legality.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Uci {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it goes to.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

/// Why a text is not a legal move in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UciError {
    /// The text is not two squares and perhaps one of `q`, `r`, `b`, `n`.
    Syntax,
    /// The position has no such move.
    Illegal,
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UciError::Syntax => "not a move in UCI notation such as `e2e4` or `e7e8q`",
            UciError::Illegal => "not a legal move of the position",
        })
    }
}

impl std::error::Error for UciError {}

impl Uci {
    /// Reads `e2e4` or `e7e8q`.
    ///
    /// # Errors
    ///
    /// `UciError::Syntax` for any other text, the null move `0000` included.
    pub fn from_ascii(text: &[u8]) -> Result<Uci, UciError> {
        let (squares, promotion) = match *text {
            [a, b, c, d] => ([[a, b], [c, d]], None),
            [a, b, c, d, letter] => {
                let role = match letter {
                    b'q' => Role::Queen,
                    b'r' => Role::Rook,
                    b'b' => Role::Bishop,
                    b'n' => Role::Knight,
                    _ => return Err(UciError::Syntax),
                };
                ([[a, b], [c, d]], Some(role))
            }
            _ => return Err(UciError::Syntax),
        };
        match squares.map(Square::from_ascii) {
            [Some(from), Some(to)] => Ok(Uci {
                from,
                to,
                promotion,
            }),
            _ => Err(UciError::Syntax),
        }
    }

    /// The legal move this names. Castling may be written both ways, `e1g1` and `e1h1`; where a king's step and
    /// castling would be written alike (Chess960), the step is meant.
    ///
    /// # Errors
    ///
    /// `UciError::Illegal` if there is no such move.
    pub fn to_move(self, position: &Position) -> Result<Move, UciError> {
        let moves = position.legal_moves();
        [CastlingMode::Chess960, CastlingMode::Standard]
            .into_iter()
            .find_map(|mode| moves.iter().copied().find(|mv| mv.uci(mode) == self))
            .ok_or(UciError::Illegal)
    }
}

impl Uci {
    /// The longest notation, in bytes: `e7e8q`.
    pub const LONGEST: usize = 5;

    /// Writes the notation in ASCII; returns its length. A byte behind it may change too.
    ///
    /// # Panics
    ///
    /// If there is less room than [`Uci::LONGEST`].
    #[inline]
    pub fn write(self, to: &mut [u8]) -> usize {
        let text = &mut to[..Uci::LONGEST];
        text[..2].copy_from_slice(&self.from.ascii());
        text[2..4].copy_from_slice(&self.to.ascii());
        text[4] = self
            .promotion
            .map_or(b' ', |role| (role.letter() as u8).to_ascii_lowercase());
        4 + usize::from(self.promotion.is_some())
    }
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; Uci::LONGEST];
        let length = self.write(&mut text);
        f.write_str(std::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}
