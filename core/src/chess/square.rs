//! Squares, files and ranks: a1 = 0, b1 = 1, …, h8 = 63.

use std::fmt;
use std::str::FromStr;

/// File of the board.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{File, Rank, Square};
/// let files = File::ALL.map(|file| Square::at(file, Rank::First).to_string());
/// assert_eq!(files.join(" "), "a1 b1 c1 d1 e1 f1 g1 h1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

/// Rank of the board.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Rank, Square};
/// let square: Square = "e4".parse()?;
/// assert_eq!(square.rank(), Rank::Fourth);
/// assert_eq!(square.rank().index(), 3);
/// # Ok::<(), chess_arbiter_core::chess::square::SquareNameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

/// Square of the board, a1 = 0, b1 = 1, …, h8 = 63.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{File, Rank, Square};
/// let square: Square = "e4".parse()?;
/// assert_eq!((square.file(), square.rank()), (File::E, Rank::Fourth));
/// assert_eq!(square.index(), 28);
/// # Ok::<(), chess_arbiter_core::chess::square::SquareNameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl File {
    /// All files, from a to h.
    pub const ALL: [File; 8] = {
        use File::{A, B, C, D, E, F, G, H};
        [A, B, C, D, E, F, G, H]
    };

    /// The file with this index, 0 to 7; a larger index is taken modulo 8.
    #[inline]
    pub const fn new(index: usize) -> File {
        match index & 7 {
            0 => File::A,
            1 => File::B,
            2 => File::C,
            3 => File::D,
            4 => File::E,
            5 => File::F,
            6 => File::G,
            _ => File::H,
        }
    }

    /// The file of a letter `a` to `h`.
    #[inline]
    pub const fn from_ascii(letter: u8) -> Option<File> {
        match letter {
            b'a'..=b'h' => Some(File::new((letter - b'a') as usize)),
            _ => None,
        }
    }

    /// 0 to 7.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl Rank {
    /// The rank with this index, 0 (rank 1) to 7 (rank 8); a larger index is taken modulo 8.
    #[inline]
    pub const fn new(index: usize) -> Rank {
        match index & 7 {
            0 => Rank::First,
            1 => Rank::Second,
            2 => Rank::Third,
            3 => Rank::Fourth,
            4 => Rank::Fifth,
            5 => Rank::Sixth,
            6 => Rank::Seventh,
            _ => Rank::Eighth,
        }
    }

    /// The rank of a digit `1` to `8`.
    #[inline]
    pub const fn from_ascii(digit: u8) -> Option<Rank> {
        match digit {
            b'1'..=b'8' => Some(Rank::new((digit - b'1') as usize)),
            _ => None,
        }
    }

    /// 0 to 7.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }
}

impl Square {
    /// The square with this index, a1 = 0 to h8 = 63; a larger index is taken modulo 64.
    #[inline]
    pub const fn new(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// The square of a file and a rank.
    #[inline]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square((rank as u8) << 3 | file as u8)
    }

    /// The name in ASCII, such as `e4`.
    #[inline]
    pub const fn ascii(self) -> [u8; 2] {
        [b'a' + (self.0 & 7), b'1' + (self.0 >> 3)]
    }

    /// The square named by two ASCII characters such as `e4`.
    #[inline]
    pub const fn from_ascii(name: [u8; 2]) -> Option<Square> {
        match (File::from_ascii(name[0]), Rank::from_ascii(name[1])) {
            (Some(file), Some(rank)) => Some(Square::at(file, rank)),
            _ => None,
        }
    }

    /// 0 to 63. The mask tells the compiler the range, so that tables of 64 need no bounds check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// File of the square.
    #[inline]
    pub const fn file(self) -> File {
        File::new(self.0 as usize)
    }

    /// Rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::new(self.0 as usize >> 3)
    }

    /// All squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.digit(), f)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error of reading a text that is not the name of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square from `a1` to `h8`")]
pub struct SquareNameError;

impl FromStr for Square {
    type Err = SquareNameError;

    fn from_str(name: &str) -> Result<Square, SquareNameError> {
        <[u8; 2]>::try_from(name.as_bytes())
            .ok()
            .and_then(Square::from_ascii)
            .ok_or(SquareNameError)
    }
}
