//! Reading and writing SAN.

use std::fmt;
use std::str::FromStr;

use crate::chess::castling::CastlingSide;
use crate::chess::piece::Role;
use crate::chess::square::{File, Rank, Square};

/// Move in SAN. Which legal move it is depends on the position.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Position, San};
/// let position = Position::initial();
/// let san: San = "Nf3".parse()?;
/// let mv = san.to_move(&position)?;
/// assert_eq!(San::of(&position, mv).to_string(), "Nf3");
///
/// let san: San = "Ke2".parse()?;
/// let error = san.to_move(&position).unwrap_err();
/// assert_eq!(error.to_string(), "e2 is taken by one's own pawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum San {
    /// Move of a piece to a square.
    Piece(PieceMove),
    /// Castling.
    Castle(CastlingSide),
    /// Drop of a piece, as in Crazyhouse: never legal.
    Drop {
        /// Role of the dropped piece.
        role: Role,
        /// Destination.
        to: Square,
    },
    /// A null move `--` or `Z0`: never legal.
    Null,
}

/// Move of a piece, as SAN writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PieceMove {
    /// Role of the moving piece.
    pub role: Role,
    /// File of the origin, if given.
    pub file: Option<File>,
    /// Rank of the origin, if given.
    pub rank: Option<Rank>,
    /// Whether a capture is marked.
    pub capture: bool,
    /// Destination.
    pub to: Square,
    /// Role of the promoted piece, if given.
    pub promotion: Option<Role>,
}

/// Check mark after a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suffix {
    /// `+`
    Check,
    /// `#`
    Checkmate,
}

/// Move in SAN with its check mark.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::san::{SanPlus, Suffix};
/// let plus: SanPlus = "Qxf7#".parse()?;
/// assert_eq!(plus.suffix, Some(Suffix::Checkmate));
/// assert_eq!(plus.to_string(), "Qxf7#");
/// # Ok::<(), chess_arbiter_core::chess::san::SanSyntaxError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SanPlus {
    /// The move.
    pub san: San,
    /// The check mark, if any.
    pub suffix: Option<Suffix>,
}

/// Error of reading a text that is not SAN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("not a move in standard algebraic notation")]
pub struct SanSyntaxError;

impl San {
    /// Reads a text that is one move; a check mark may follow. Castling may be written with zeros.
    ///
    /// # Errors
    ///
    /// If the text is anything else.
    #[inline]
    pub fn from_ascii(text: &[u8]) -> Result<San, SanSyntaxError> {
        SanPlus::from_ascii(text).map(|plus| plus.san)
    }
}

impl SanPlus {
    /// Reads a text that is one move, with its check mark. Castling may be written with zeros.
    ///
    /// # Errors
    ///
    /// If the text is anything else.
    #[inline]
    pub fn from_ascii(text: &[u8]) -> Result<SanPlus, SanSyntaxError> {
        let letters: arrayvec::ArrayVec<u8, 6>;
        let text = if text.starts_with(b"0-0") && text.len() <= 6 {
            let letter = |&byte: &u8| if byte == b'0' { b'O' } else { byte };
            letters = text.iter().map(letter).collect();
            &letters
        } else {
            text
        };
        match SanPlus::read(text) {
            Some((plus, length)) if length == text.len() => Ok(plus),
            _ => Err(SanSyntaxError),
        }
    }

    /// Reads a move at the beginning of a text and returns it with its length in bytes. The longest
    /// match decides: `Nf3=X` is no move.
    #[inline]
    pub fn read(text: &[u8]) -> Option<(SanPlus, usize)> {
        let mut reader = Reader { text, at: 0 };
        let san = reader.san()?;
        let suffix = match reader.peek() {
            Some(b'+') => Some(Suffix::Check),
            Some(b'#') => Some(Suffix::Checkmate),
            _ => None,
        };
        let length = reader.at + usize::from(suffix.is_some());
        Some((SanPlus { san, suffix }, length))
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline(always)]
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline(always)]
    fn file(&mut self) -> Option<File> {
        let file = File::from_ascii(self.peek()?)?;
        self.at += 1;
        Some(file)
    }

    #[inline(always)]
    fn rank(&mut self) -> Option<Rank> {
        let rank = Rank::from_ascii(self.peek()?)?;
        self.at += 1;
        Some(rank)
    }

    #[inline(always)]
    fn square(&mut self) -> Option<Square> {
        Some(Square::at(self.file()?, self.rank()?))
    }

    #[inline(always)]
    fn san(&mut self) -> Option<San> {
        let role = match self.peek()? {
            b'a'..=b'h' => Role::Pawn,
            b'N' => Role::Knight,
            b'B' => Role::Bishop,
            b'R' => Role::Rook,
            b'Q' => Role::Queen,
            b'K' => Role::King,
            b'P' => Role::Pawn,
            b'O' | b'-' | b'Z' => return self.wordy(),
            _ => return self.piece(Role::Pawn),
        };
        self.at += usize::from(!self.peek()?.is_ascii_lowercase());
        self.piece(role)
    }

    /// Reads castling and null moves.
    fn wordy(&mut self) -> Option<San> {
        match self.next()? {
            b'O' => {
                if !(self.eat(b'-') && self.eat(b'O')) {
                    None
                } else if !self.eat(b'-') {
                    Some(San::Castle(CastlingSide::King))
                } else if self.eat(b'O') {
                    Some(San::Castle(CastlingSide::Queen))
                } else {
                    None
                }
            }
            b'-' if self.eat(b'-') => Some(San::Null),
            b'Z' if self.eat(b'0') => Some(San::Null),
            _ => None,
        }
    }

    #[inline(always)]
    fn piece(&mut self, role: Role) -> Option<San> {
        if self.eat(b'@') {
            let to = self.square()?;
            return Some(San::Drop { role, to });
        }
        let file = self.file();
        let rank = self.rank();
        let (file, rank, capture, to) = if self.eat(b'x') {
            (file, rank, true, self.square()?)
        } else if let Some(to_file) = self.file() {
            (file, rank, false, Square::at(to_file, self.rank()?))
        } else {
            (None, None, false, Square::at(file?, rank?))
        };
        let promotion = if self.eat(b'=') {
            Some(Role::from_letter(self.next()?)?)
        } else {
            None
        };
        Some(San::Piece(PieceMove {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        }))
    }
}

impl San {
    /// The longest notation, in bytes: `Qa1xb2=Q`.
    pub const LONGEST: usize = 8;

    /// Writes the notation in ASCII and returns its length. Bytes after it may change too.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`San::LONGEST`].
    #[inline]
    pub fn write(&self, to: &mut [u8]) -> usize {
        let text = &mut to[..San::LONGEST];
        match *self {
            San::Piece(PieceMove {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            }) => {
                // Absent parts are overwritten by the next, which avoids branches that would be
                // mispredicted.
                text[0] = role.letter() as u8;
                let mut at = usize::from(role != Role::Pawn);
                text[at] = file.map_or(0, |file| file.letter() as u8);
                at += usize::from(file.is_some());
                text[at] = rank.map_or(0, |rank| rank.digit() as u8);
                at += usize::from(rank.is_some());
                text[at] = b'x';
                at += usize::from(capture);
                text[at..at + 2].copy_from_slice(&to.ascii());
                at += 2;
                if let Some(role) = promotion {
                    text[at..at + 2].copy_from_slice(&[b'=', role.letter() as u8]);
                    at += 2;
                }
                at
            }
            San::Castle(side) => {
                let name = side.san().as_bytes();
                text[..name.len()].copy_from_slice(name);
                name.len()
            }
            San::Drop { role, to } => {
                text[..2].copy_from_slice(&[role.letter() as u8, b'@']);
                text[2..4].copy_from_slice(&to.ascii());
                4
            }
            San::Null => {
                text[..2].copy_from_slice(b"--");
                2
            }
        }
    }
}

impl SanPlus {
    /// The longest notation, in bytes.
    pub const LONGEST: usize = San::LONGEST + 1;

    /// Writes the notation with its check mark in ASCII and returns its length. Bytes after it may
    /// change too.
    ///
    /// # Panics
    ///
    /// If `to` is shorter than [`SanPlus::LONGEST`].
    #[inline]
    pub fn write(&self, to: &mut [u8]) -> usize {
        let text = &mut to[..SanPlus::LONGEST];
        let length = self.san.write(text);
        text[length] = self.suffix.map_or(b' ', |suffix| suffix.mark() as u8);
        length + usize::from(self.suffix.is_some())
    }
}

impl FromStr for San {
    type Err = SanSyntaxError;

    fn from_str(text: &str) -> Result<San, SanSyntaxError> {
        San::from_ascii(text.as_bytes())
    }
}

impl FromStr for SanPlus {
    type Err = SanSyntaxError;

    fn from_str(text: &str) -> Result<SanPlus, SanSyntaxError> {
        SanPlus::from_ascii(text.as_bytes())
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; San::LONGEST];
        let length = self.write(&mut text);
        // One call into the formatter.
        f.pad(std::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}

impl Suffix {
    /// `+` or `#`.
    pub const fn mark(self) -> char {
        match self {
            Suffix::Check => '+',
            Suffix::Checkmate => '#',
        }
    }
}

impl fmt::Display for SanPlus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; SanPlus::LONGEST];
        let length = self.write(&mut text);
        f.pad(std::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_comes_back_as_it_was() {
        for text in [
            "e4", "exd5", "Nf3", "Nbd7", "R1a3", "Qh4xe1", "e8=Q", "bxa1=N+", "O-O", "O-O-O#",
            "Kxe2", "--", "P@e4", "e2e4", "Ng1f3",
        ] {
            let plus = SanPlus::from_ascii(text.as_bytes()).unwrap();
            assert_eq!(plus.to_string().replace('P', ""), text.replace('P', ""));
        }
        assert_eq!(
            SanPlus::from_ascii(b"0-0-0+").unwrap().to_string(),
            "O-O-O+"
        );
        assert_eq!(San::from_ascii(b"e8=q").unwrap().to_string(), "e8=Q");
    }

    #[test]
    fn what_is_not_notation_is_refused() {
        for text in [
            "",
            "N",
            "Nf",
            "Nf9",
            "Qx9",
            "i4",
            "O-",
            "0-1",
            "e8=",
            "e8=X",
            "Nf3xyz",
            "dxe",
            "-",
            "Z",
            "e4++",
            "\u{2658}f3",
            "O-O-",
            "0-0-0-0",
        ] {
            assert_eq!(
                SanPlus::from_ascii(text.as_bytes()),
                Err(SanSyntaxError),
                "{text}"
            );
        }
    }
}
