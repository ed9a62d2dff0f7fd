//! Forsyth-Edwards Notation in and out (PGN standard section 16.1), with Shredder-FEN and X-FEN
//! castling rights.

mod error;
mod incremental;
mod write;

use std::ops::Range;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::{Color, Piece};
use crate::chess::position::Position;
use crate::chess::setup::Setup;
use crate::chess::square::{File, Rank, Square};

pub use error::{FenError, FenErrors, FenField, FenProblem, PositionError};
pub use incremental::{IncrementalFen, decimal};

/// The initial position of standard chess.
pub const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Reads a FEN.
///
/// Fields from the castling rights on may be missing and default to `-`, `-`, 0 and 1; either clock
/// may be `-`. `KQkq` mean the outermost rook on that side of the king (X-FEN), a file letter the
/// rook on that file (Shredder-FEN). [`Position::new`] tests whether the position can be played.
///
/// # Errors
///
/// The first error in the text.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::fen;
/// let setup = fen::parse(b"4k3/8/8/8/8/8/8/4K2R w K")?;
/// assert_eq!(setup.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
///
/// let error = fen::parse(b"9/8/8/8/8/8/8/8 w").unwrap_err();
/// assert_eq!(error.to_string(), "unexpected `9` in the piece placement (column 1)");
/// # Ok::<(), fen::FenError>(())
/// ```
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

/// Reads a FEN as [`parse`] does, and finds all errors in it.
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

/// Byte range of a field of a FEN; empty at the end of the text if the field is missing.
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

/// Byte offset of the letter of the piece on a square, in a readable FEN; `None` if the square is
/// empty.
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

/// Reads as much as possible, takes the rest as missing, and reports every error in text order.
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

/// Words between white space, each with its byte offset.
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
    // The intended length of a rank with an error is unknown.
    let mut spoiled = false;
    for (nth, &byte) in word.iter().enumerate() {
        let mut report = |problem| {
            error(FenError {
                field: FenField::Placement,
                at: start + nth,
                problem,
            });
        };
        let width = match byte {
            b'/' => {
                if file < 8 && !spoiled {
                    report(FenProblem::ShortRank(Rank::new(rank)));
                }
                if rank == 0 {
                    report(FenProblem::TooManyRanks);
                    return board;
                }
                (rank, file, spoiled) = (rank - 1, 0, false);
                continue;
            }
            b'1'..=b'8' => {
                if nth > 0 && word[nth - 1].is_ascii_digit() && !spoiled {
                    report(FenProblem::SplitNumber(Rank::new(rank)));
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
                    report(FenProblem::Unexpected(byte));
                    spoiled = true;
                    1
                }
            },
        };
        file += width;
        if file > 8 && !spoiled {
            report(FenProblem::LongRank(Rank::new(rank)));
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
            b'k' => CastlingSide::King.outermost_rook(board, color),
            b'q' => CastlingSide::Queen.outermost_rook(board, color),
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

impl std::str::FromStr for Position {
    type Err = PositionError;

    /// Reads a FEN as [`parse`] does, and makes it playable as [`Position::new`] does.
    fn from_str(text: &str) -> Result<Position, PositionError> {
        Ok(Position::new(&parse(text.as_bytes())?)?)
    }
}

#[cfg(test)]
mod tests;
