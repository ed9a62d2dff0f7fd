//! Notation of the Universal Chess Interface.

use std::fmt;
use std::str::FromStr;

use crate::chess::castling::CastlingMode;
use crate::chess::moves::Move;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;

impl Move {
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

/// Move in the notation of the Universal Chess Interface. It names squares and need not be legal.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Position, Uci};
/// let uci: Uci = "g1f3".parse()?;
/// let mv = uci.to_move(&Position::initial())?;
/// assert_eq!(mv.role.to_string(), "knight");
/// # Ok::<(), chess_arbiter_core::chess::UciError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Uci {
    /// Origin.
    pub from: Square,
    /// Destination.
    pub to: Square,
    /// Role that a pawn is promoted to.
    pub promotion: Option<Role>,
}

/// Error of reading or resolving UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum UciError {
    /// The text is not two squares and perhaps one of `q`, `r`, `b`, `n`.
    #[error("not a move in UCI notation such as `e2e4` or `e7e8q`")]
    Syntax,
    /// The position has no such move.
    #[error("not a legal move of the position")]
    Illegal,
}

impl Uci {
    /// Reads `e2e4` or `e7e8q`.
    ///
    /// # Errors
    ///
    /// `UciError::Syntax` for any other text, the null move `0000` included.
    pub fn from_ascii(text: &[u8]) -> Result<Uci, UciError> {
        let (squares, promotion) = match *text {
            [a, b, c, d] => ([[a, b], [c, d]], None),
            [a, b, c, d, letter @ b'a'..=b'z'] => {
                let role = Role::from_letter(letter);
                let role = role.filter(|role| Role::PROMOTIONS.contains(role));
                ([[a, b], [c, d]], Some(role.ok_or(UciError::Syntax)?))
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

    /// The legal move that this names. Castling may be written `e1g1` or `e1h1`; if a king's step
    /// and castling are written alike (Chess960), the step is meant.
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

    /// The longest notation, in bytes: `e7e8q`.
    pub const LONGEST: usize = 5;

    /// Writes the notation in ASCII and returns its length. A byte after it may change too.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`Uci::LONGEST`].
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

impl FromStr for Uci {
    type Err = UciError;

    fn from_str(text: &str) -> Result<Uci, UciError> {
        Uci::from_ascii(text.as_bytes())
    }
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; Uci::LONGEST];
        let length = self.write(&mut text);
        f.write_str(std::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}
