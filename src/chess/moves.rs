//! Moves, and UCI notation for them.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::slice;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::chess::castling::{CastlingMode, CastlingSide};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::Square;

/// Special kinds of move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// Any other move.
    Normal,
    /// Promotion of a pawn to this role.
    Promotion(Role),
    /// En passant capture.
    EnPassant,
    /// Castling; [`Move::to`] is the square of the rook.
    Castle,
}

/// Move of a certain position, meaningless in any other.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::{CastlingMode, Position};
/// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// let castling = position.legal_moves().into_iter().find(|mv| mv.castling_side().is_some());
/// let uci = castling.map(|mv| mv.uci(CastlingMode::Standard).to_string());
/// assert_eq!(uci.as_deref(), Some("e1g1"));
/// # Ok::<(), arbiter::chess::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Role of the moving piece; the king for castling.
    pub role: Role,
    /// Origin.
    pub from: Square,
    /// Destination; for castling the square of the rook, which no other king move can have.
    pub to: Square,
    /// Role of the captured piece.
    pub captured: Option<Role>,
    /// Special kind of the move.
    pub kind: MoveKind,
}

/// Number of a move with the dots of its side: `12.` or `12...`.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::{MoveNumber, Position};
/// let first = MoveNumber::of(&Position::initial());
/// let numbers = [0, 1, 2].map(|plies| first.later(plies).to_string());
/// assert_eq!(numbers, ["1.", "1...", "2."]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveNumber {
    /// The number.
    pub number: u32,
    /// The side that moves.
    pub color: Color,
}

impl MoveNumber {
    /// The number of the next move of a position.
    pub fn of(position: &Position) -> MoveNumber {
        MoveNumber {
            number: position.fullmoves(),
            color: position.turn(),
        }
    }

    /// The number of the move some plies later.
    #[must_use]
    pub fn later(self, plies: u32) -> MoveNumber {
        let halves = plies + self.color as u32;
        MoveNumber {
            number: self.number.saturating_add(halves / 2),
            color: Color::ALL[halves as usize % 2],
        }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = match self.color {
            Color::White => ".",
            Color::Black => "...",
        };
        write!(f, "{}{dots}", self.number)
    }
}

/// Most moves of a position, by a bound for any board: a side with n men has at most 27n moves, and
/// at most 16 reach each of the other 64 - n squares (8 lines and 8 knights), with some more on the
/// last rank for promotions.
const CAPACITY: usize = 704;

/// Legal moves of a position, kept without allocation. It is used as a slice.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::Position;
/// let moves = Position::initial().legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.iter().all(|mv| mv.captured.is_none()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveList(ArrayVec<Move, CAPACITY>);

impl MoveList {
    /// An empty list.
    #[inline]
    pub(crate) fn new() -> MoveList {
        MoveList::default()
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Keeps the moves for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Move) -> bool) {
        self.0.retain(|mv| keep(mv));
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = IntoIter;

    #[inline]
    fn into_iter(self) -> IntoIter {
        IntoIter(self.0.into_iter())
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> slice::Iter<'a, Move> {
        self.iter()
    }
}

/// Iterator over the moves of a [`MoveList`].
#[derive(Clone, Debug)]
pub struct IntoIter(arrayvec::IntoIter<Move, CAPACITY>);

impl Iterator for IntoIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for IntoIter {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for IntoIter {}

impl Move {
    /// Role that a pawn is promoted to.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        match self.kind {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Side to which the move castles.
    #[inline]
    pub fn castling_side(self) -> Option<CastlingSide> {
        (self.kind == MoveKind::Castle).then(|| CastlingSide::of(self.from, self.to))
    }

    /// Whether the move resets the halfmove clock: pawn moves and captures (FIDE Laws 9.3).
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

/// Move in the notation of the Universal Chess Interface. It names squares and need not be legal.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::{Position, Uci};
/// let uci: Uci = "g1f3".parse()?;
/// let mv = uci.to_move(&Position::initial())?;
/// assert_eq!(mv.role.to_string(), "knight");
/// # Ok::<(), arbiter::chess::UciError>(())
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
}

impl Uci {
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
