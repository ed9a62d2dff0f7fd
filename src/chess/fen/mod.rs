//! Forsyth-Edwards Notation in and out (PGN standard section 16.1), with Shredder-FEN and X-FEN castling rights.

mod incremental;
mod write;

use std::fmt;
use std::ops::Range;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::setup::Setup;
use crate::chess::square::{File, Rank, Square};

pub use incremental::{IncrementalFen, decimal};

/// The initial position of standard chess.
pub const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A field of a FEN, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// Piece placement, rank 8 first.
    Placement,
    /// `w` or `b`.
    Turn,
    /// `KQkq`, file letters, or `-`.
    Castling,
    /// A square or `-`.
    EnPassant,
    /// Plies since the last capture or pawn move.
    Halfmoves,
    /// The number of the coming move.
    Fullmoves,
    /// Anything after the sixth field.
    Rest,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Placement => "piece placement",
            FenField::Turn => "side to move",
            FenField::Castling => "castling rights",
            FenField::EnPassant => "en passant square",
            FenField::Halfmoves => "halfmove clock",
            FenField::Fullmoves => "move number",
            FenField::Rest => "text after the move number",
        })
    }
}

/// What is wrong in a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenProblem {
    /// The field is not there.
    Missing,
    /// A byte that has no meaning there.
    Unexpected(u8),
    /// The rank ends with fewer than eight squares.
    ShortRank(Rank),
    /// The rank goes on beyond eight squares.
    LongRank(Rank),
    /// A number of empty squares right after another: `17` is neither seventeen nor the one way to write eight.
    SplitNumber(Rank),
    /// The placement ends before rank 1.
    TooFewRanks,
    /// The placement goes on after rank 1.
    TooManyRanks,
    /// Not a whole number from 0 to 4294967295.
    NotANumber,
    /// The word does not fit the field.
    NotUnderstood,
}

/// A text is not a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FenError {
    /// The first field that cannot be read.
    pub field: FenField,
    /// The place in the text, a byte from 0.
    pub at: usize,
    /// What is wrong there.
    pub problem: FenProblem,
}

impl FenError {
    /// What is wrong, without the place.
    pub fn fault(self) -> impl fmt::Display {
        fmt::from_fn(move |f| self.write_fault(f))
    }

    fn write_fault(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match self.problem {
            FenProblem::Missing => write!(f, "the {field} is missing"),
            FenProblem::Unexpected(byte) => {
                write!(f, "unexpected `{}` in the {field}", byte.escape_ascii())
            }
            FenProblem::ShortRank(rank) => {
                write!(f, "rank {} has fewer than 8 squares", rank.digit())
            }
            FenProblem::LongRank(rank) => {
                write!(f, "rank {} has more than 8 squares", rank.digit())
            }
            FenProblem::SplitNumber(rank) => {
                write!(f, "rank {} has two numbers in a row", rank.digit())
            }
            FenProblem::TooFewRanks => f.write_str("the piece placement has fewer than 8 ranks"),
            FenProblem::TooManyRanks => f.write_str("the piece placement has more than 8 ranks"),
            FenProblem::NotANumber => write!(f, "the {field} is not a number"),
            FenProblem::NotUnderstood => write!(f, "the {field} cannot be understood"),
        }
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (column {})", self.fault(), self.at + 1)
    }
}

impl std::error::Error for FenError {}

/// Reads a FEN. Fields from the castling rights on may be left out; they are then `-`, `-`, 0 and 1, and either clock
/// may be `-`. `KQkq` means the outermost rook on that side of the king (X-FEN), a file letter the rook on that file
/// (Shredder-FEN). Whether the position can be played is for [`Position::new`](crate::chess::Position::new) to say.
///
/// # Errors
///
/// The first thing that cannot be read, with its place.
pub fn parse(text: &[u8]) -> Result<Setup, FenError> {
    let mut first = None;
    let setup = read(text, &mut |error| {
        first.get_or_insert(error);
    });
    match first {
        None => Ok(setup),
        Some(error) => Err(error),
    }
}

/// What cannot be read of a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FenErrors {
    /// The first errors, in order of place; at least one, and a hundred at most.
    pub listed: Vec<FenError>,
    /// How many more there are.
    pub more: u64,
}

/// Reads a FEN as [`parse`] does, and finds everything in it that cannot be read, in order of place.
///
/// # Errors
///
/// At least one error.
pub fn parse_all(text: &[u8]) -> Result<Setup, FenErrors> {
    const MOST: usize = 100;
    let mut errors = FenErrors::default();
    let setup = read(text, &mut |error| {
        if errors.listed.len() < MOST {
            errors.listed.push(error);
        } else {
            errors.more += 1;
        }
    });
    if errors.listed.is_empty() {
        Ok(setup)
    } else {
        Err(errors)
    }
}

/// Where a field stands in a FEN, in bytes from 0; an empty range at the end if it is not there.
pub fn field_range(text: &[u8], field: FenField) -> Range<usize> {
    let nth = match field {
        FenField::Placement => 0,
        FenField::Turn => 1,
        FenField::Castling => 2,
        FenField::EnPassant => 3,
        FenField::Halfmoves => 4,
        FenField::Fullmoves => 5,
        FenField::Rest => 6,
    };
    let end = text.trim_ascii_end().len();
    Fields { text, at: 0 }
        .nth(nth)
        .map_or(end..end, |(at, word)| at..at + word.len())
}

/// Where the letter of the piece on a square stands in a readable FEN, in bytes from 0; nothing if the square is empty.
pub fn piece_place(text: &[u8], square: Square) -> Option<usize> {
    let (start, word) = Fields { text, at: 0 }.next()?;
    let mut at = Square::at(File::new(0), Rank::new(7)).index() as i32;
    for (nth, &byte) in word.iter().enumerate() {
        match byte {
            b'/' => at -= 16,
            b'1'..=b'8' => at += i32::from(byte - b'0'),
            _ if at == square.index() as i32 => return Some(start + nth),
            _ => at += 1,
        }
    }
    None
}

/// Reads what can be read, takes the rest for missing, and tells every error in order of place.
fn read(text: &[u8], error: &mut dyn FnMut(FenError)) -> Setup {
    let mut fields = Fields { text, at: 0 };
    let missing = |field| FenError {
        field,
        at: text.len(),
        problem: FenProblem::Missing,
    };
    let board = match fields.next() {
        Some((at, word)) => placement(at, word, error),
        None => {
            error(missing(FenField::Placement));
            Board::EMPTY
        }
    };
    let mut turn = Color::White;
    match fields.next() {
        Some((_, b"w")) => {}
        Some((_, b"b")) => turn = Color::Black,
        Some((at, _)) => error(FenError::new(FenField::Turn, at)),
        None if board == Board::EMPTY && text.trim_ascii().is_empty() => {}
        None => error(missing(FenField::Turn)),
    }
    let castling = match fields.next() {
        Some((at, word)) => castling(at, word, &board, error),
        None => Bitboard::EMPTY,
    };
    let en_passant = match fields.next() {
        None | Some((_, b"-")) => None,
        Some((at, word)) => {
            let square = <[u8; 2]>::try_from(word).ok().and_then(Square::from_ascii);
            if square.is_none() {
                error(FenError::new(FenField::EnPassant, at));
            }
            square
        }
    };
    let halfmoves = number(FenField::Halfmoves, fields.next(), 0, error);
    let fullmoves = number(FenField::Fullmoves, fields.next(), 1, error);
    if let Some((at, word)) = fields.next() {
        error(FenError {
            field: FenField::Rest,
            at,
            problem: FenProblem::Unexpected(word[0]),
        });
    }
    Setup {
        board,
        turn,
        castling,
        en_passant,
        halfmoves,
        fullmoves,
    }
}

impl FenError {
    fn new(field: FenField, at: usize) -> FenError {
        FenError {
            field,
            at,
            problem: FenProblem::NotUnderstood,
        }
    }
}

/// Words between white space, each with its place.
struct Fields<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let blank = |byte: &u8| byte.is_ascii_whitespace();
        let rest = &self.text[self.at..];
        let start = self.at + rest.iter().position(|byte| !blank(byte))?;
        let word = &self.text[start..];
        let word = &word[..word.iter().position(blank).unwrap_or(word.len())];
        self.at = start + word.len();
        Some((start, word))
    }
}

fn placement(start: usize, word: &[u8], error: &mut dyn FnMut(FenError)) -> Board {
    let mut board = Board::EMPTY;
    let (mut rank, mut file) = (7, 0);
    // Of a rank with an error nobody can say how long it was meant to be.
    let mut spoiled = false;
    for (nth, &byte) in word.iter().enumerate() {
        let mut tell = |problem| {
            error(FenError {
                field: FenField::Placement,
                at: start + nth,
                problem,
            });
        };
        let width = match byte {
            b'/' => {
                if file < 8 && !spoiled {
                    tell(FenProblem::ShortRank(Rank::new(rank)));
                }
                if rank == 0 {
                    tell(FenProblem::TooManyRanks);
                    return board;
                }
                (rank, file, spoiled) = (rank - 1, 0, false);
                continue;
            }
            b'1'..=b'8' => {
                if nth > 0 && word[nth - 1].is_ascii_digit() && !spoiled {
                    tell(FenProblem::SplitNumber(Rank::new(rank)));
                    spoiled = true;
                }
                usize::from(byte - b'0')
            }
            _ => match Piece::from_letter(byte) {
                Some(piece) if file < 8 => {
                    board.put(Square::at(File::new(file), Rank::new(rank)), piece);
                    1
                }
                Some(_) => 1,
                None => {
                    tell(FenProblem::Unexpected(byte));
                    spoiled = true;
                    1
                }
            },
        };
        file += width;
        if file > 8 && !spoiled {
            tell(FenProblem::LongRank(Rank::new(rank)));
            spoiled = true;
        }
    }
    let mut end = |problem| {
        error(FenError {
            field: FenField::Placement,
            at: start + word.len(),
            problem,
        });
    };
    if file < 8 && !spoiled {
        end(FenProblem::ShortRank(Rank::new(rank)));
    }
    if rank > 0 {
        end(FenProblem::TooFewRanks);
    }
    board
}

fn castling(start: usize, word: &[u8], board: &Board, error: &mut dyn FnMut(FenError)) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    if word == b"-" {
        return rights;
    }
    for (nth, &byte) in word.iter().enumerate() {
        let color = if byte.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        rights |= Bitboard::of(match byte.to_ascii_lowercase() {
            b'k' => outermost_rook(board, color, CastlingSide::King),
            b'q' => outermost_rook(board, color, CastlingSide::Queen),
            letter @ b'a'..=b'h' => {
                Square::at(File::new(usize::from(letter - b'a')), color.back_rank())
            }
            _ => {
                error(FenError {
                    field: FenField::Castling,
                    at: start + nth,
                    problem: FenProblem::Unexpected(byte),
                });
                continue;
            }
        });
    }
    rights
}

/// The rook a `K` or `Q` means: the outermost one on that side of the king, or the corner where there is none.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Square {
    let rank = Bitboard::rank(color.back_rank());
    let rooks = board.of(color, Role::Rook) & rank;
    let outermost = match side {
        CastlingSide::King => rooks.last(),
        CastlingSide::Queen => rooks.first(),
    };
    let king = (board.of(color, Role::King) & rank).first();
    match (king, outermost) {
        (Some(king), Some(rook)) if CastlingSide::of(king, rook) == side => rook,
        _ => side.corner(color),
    }
}

fn number(
    field: FenField,
    word: Option<(usize, &[u8])>,
    missing: u32,
    error: &mut dyn FnMut(FenError),
) -> u32 {
    let Some((at, word)) = word else {
        return missing;
    };
    if word == b"-" {
        return missing;
    }
    let number = std::str::from_utf8(word)
        .ok()
        .filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| {
        error(FenError {
            field,
            at,
            problem: FenProblem::NotANumber,
        });
        missing
    })
}

impl std::str::FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        parse(text.as_bytes())
    }
}

#[cfg(test)]
mod tests;
