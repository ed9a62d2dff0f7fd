//! Forsyth-Edwards Notation in and out (PGN standard section 16.1), with Shredder-FEN and X-FEN
//! castling rights.

mod error;
mod fields;
mod incremental;

use std::fmt;
use std::ops::Range;

use strum::VariantArray;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingSide;
use crate::chess::fen::fields::{Fields, characters, is_blank};
use crate::chess::piece::{Color, Piece};
use crate::chess::position::Position;
use crate::chess::setup::Setup;
use crate::chess::square::{File, Rank, Square};

pub use error::{FenError, FenErrors, FenField, FenProblem, PositionError};
pub(crate) use fields::first_character;
pub use incremental::{IncrementalFen, decimal};

/// The initial position of standard chess.
pub const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Reads a FEN.
///
/// Fields from the castling rights on may be missing and default to `-`, `-`, 0 and 1; either clock
/// may be `-`, and a setup knows which are given. `KQkq` mean the outermost rook on that side of
/// the king (X-FEN), a file letter the rook on that file (Shredder-FEN). [`Position::new`] tests
/// whether the position can be played.
///
/// # Errors
///
/// The first error in the text.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::fen;
/// let setup = fen::parse(b"4k3/8/8/8/8/8/8/4K2R w K")?;
/// assert_eq!(setup.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
///
/// let error = fen::parse(b"9/8/8/8/8/8/8/8 w").unwrap_err();
/// assert_eq!(error.to_string(), "unexpected `9` in the piece placement (column 1)");
/// # Ok::<(), fen::FenError>(())
/// ```
pub fn parse(text: &[u8]) -> Result<Setup, FenError> {
    let mut first = None;
    let setup = read(text, &mut |field, at, problem| {
        let error = FenError::new(field, at, problem);
        if first.is_none_or(|first: FenError| error.at < first.at) {
            first = Some(error);
        }
    });
    match first {
        None => Ok(setup),
        Some(error) => Err(error.in_text(text)),
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
    let setup = read(text, &mut |field, at, problem| {
        let error = FenError::new(field, at, problem);
        // `read` reports blanks outside ASCII before all other errors.
        let listed = &mut errors.listed;
        listed.insert(listed.partition_point(|it| it.at <= error.at), error);
        if listed.len() > MOST {
            listed.pop();
            errors.more += 1;
        }
    });
    for error in &mut errors.listed {
        *error = error.in_text(text);
    }
    match errors.listed.is_empty() {
        true => Ok(setup),
        false => Err(errors),
    }
}

/// Byte ranges of the fields of a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldRanges([Range<usize>; FenField::VARIANTS.len()]);

impl FieldRanges {
    /// Finds the fields of a text.
    pub fn of_text(text: &[u8]) -> FieldRanges {
        let end = text.trim_ascii_end().len();
        let mut fields = Fields { text, at: 0 };
        FieldRanges(std::array::from_fn(|_| match fields.next() {
            Some((at, word)) => at..at + word.len(),
            None => end..end,
        }))
    }

    /// Byte range of a field; empty at the end of the text if the field is missing.
    pub fn of(&self, field: FenField) -> Range<usize> {
        self.0[field as usize].clone()
    }
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

/// Takes the errors of a text: field, byte offset and problem.
type Fail<'f> = dyn FnMut(FenField, usize, FenProblem) + 'f;

/// Reads as much as possible, takes the rest as missing, and reports every error.
fn read(text: &[u8], fail: &mut Fail<'_>) -> Setup {
    if !text.is_ascii() {
        report_blanks(text, fail);
    }
    let mut fields = Fields { text, at: 0 };
    let board = match fields.next() {
        Some((at, word)) => placement(at, word, fail),
        None => {
            fail(FenField::Placement, text.len(), FenProblem::Missing);
            Board::EMPTY
        }
    };
    let mut turn = Color::White;
    match fields.next() {
        Some((_, b"w")) => {}
        Some((_, b"b")) => turn = Color::Black,
        Some((at, _)) => fail(FenField::Turn, at, FenProblem::NotUnderstood),
        None if board == Board::EMPTY && text.trim_ascii().is_empty() => {}
        None => fail(FenField::Turn, text.len(), FenProblem::Missing),
    }
    let castling = match fields.next() {
        Some((at, word)) => castling(at, word, &board, fail),
        None => Bitboard::EMPTY,
    };
    let en_passant = match fields.next() {
        None | Some((_, b"-")) => None,
        Some((at, word)) => {
            let square = <[u8; 2]>::try_from(word).ok().and_then(Square::from_ascii);
            if square.is_none() {
                fail(FenField::EnPassant, at, FenProblem::NotUnderstood);
            }
            square
        }
    };
    let halfmoves = number(FenField::Halfmoves, fields.next(), fail);
    let fullmoves = number(FenField::Fullmoves, fields.next(), fail);
    if let Some((at, word)) = fields.next() {
        let problem = FenProblem::Unexpected(first_character(word).0);
        fail(FenField::Rest, at, problem);
    }
    Setup {
        board,
        turn,
        castling,
        en_passant,
        halfmoves: halfmoves.unwrap_or(0),
        fullmoves: fullmoves.unwrap_or(1),
        knows_halfmoves: halfmoves.is_some(),
        knows_fullmoves: fullmoves.is_some(),
    }
}

/// Reports the blanks outside ASCII, such as no-break spaces.
fn report_blanks(text: &[u8], fail: &mut Fail<'_>) {
    let (mut fields, mut in_field) = (0_usize, false);
    for (at, character) in characters(text) {
        let blank = is_blank(character);
        if blank && !character.is_ascii() {
            let nth = fields.clamp(1, FenField::VARIANTS.len()) - 1;
            let problem = FenProblem::Unexpected(character);
            fail(FenField::VARIANTS[nth], at, problem);
        }
        fields += usize::from(!blank && !in_field);
        in_field = !blank;
    }
}

fn placement(start: usize, word: &[u8], fail: &mut Fail<'_>) -> Board {
    let mut board = Board::EMPTY;
    let (mut rank, mut file) = (7, 0);
    // The intended length of a rank with an error is unknown.
    let mut spoiled = false;
    // End of the last character outside ASCII.
    let mut passed = 0;
    for (nth, &byte) in word.iter().enumerate() {
        if nth < passed {
            continue;
        }
        let mut report = |problem| fail(FenField::Placement, start + nth, problem);
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
                    let square = Square::at(File::new(file), Rank::new(rank));
                    board.toggle(square, piece.color, piece.role);
                    1
                }
                Some(_) => 1,
                None => {
                    let (character, length) = first_character(&word[nth..]);
                    passed = nth + length;
                    report(FenProblem::Unexpected(character));
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
    let mut end = |problem| fail(FenField::Placement, start + word.len(), problem);
    if file < 8 && !spoiled {
        end(FenProblem::ShortRank(Rank::new(rank)));
    }
    if rank > 0 {
        end(FenProblem::TooFewRanks);
    }
    board
}

fn castling(start: usize, word: &[u8], board: &Board, fail: &mut Fail<'_>) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    if word == b"-" {
        return rights;
    }
    for (nth, character) in characters(word) {
        let color = Color::of_letter(word[nth]);
        rights |= Bitboard::of(match word[nth].to_ascii_lowercase() {
            b'k' => CastlingSide::King.outermost_rook(board, color),
            b'q' => CastlingSide::Queen.outermost_rook(board, color),
            letter @ b'a'..=b'h' => {
                Square::at(File::new(usize::from(letter - b'a')), color.back_rank())
            }
            _ => {
                let problem = FenProblem::Unexpected(character);
                fail(FenField::Castling, start + nth, problem);
                continue;
            }
        });
    }
    rights
}

fn number(field: FenField, word: Option<(usize, &[u8])>, fail: &mut Fail<'_>) -> Option<u32> {
    let (at, word) = word.filter(|(_, word)| *word != b"-")?;
    let is_number = word.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(word).ok().filter(|_| is_number);
    let number = text.and_then(|word| word.parse().ok());
    if number.is_none() {
        let problem = match is_number {
            true => FenProblem::TooLarge,
            false if is_negative(word) => FenProblem::Negative,
            false => FenProblem::NotANumber,
        };
        fail(field, at, problem);
    }
    number
}

/// Whether a word is a whole number below 0.
fn is_negative(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").unwrap_or_default();
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
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

impl fmt::Display for Setup {
    /// The FEN, with X-FEN castling rights: `KQkq` for the outermost rook, a file letter for an
    /// inner one. The alternate form `{:#}` writes Shredder-FEN, file letters only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fen(f, self)
    }
}

impl fmt::Display for Position {
    /// The FEN, as for [`Setup`]; the en passant square is given only if a capture is legal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fen(f, &self.setup())
    }
}

fn write_fen(f: &mut fmt::Formatter<'_>, setup: &Setup) -> fmt::Result {
    // A buffer needs one call of the formatter instead of some forty.
    let mut text = arrayvec::ArrayString::<112>::new();
    for rank in (0..8).rev().map(Rank::new) {
        let mut empty = 0;
        for file in File::ALL {
            match setup.board.piece_on(Square::at(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    push_digit(&mut text, empty);
                    empty = 0;
                    text.push(piece.letter());
                }
            }
        }
        push_digit(&mut text, empty);
        if rank != Rank::First {
            text.push('/');
        }
    }
    text.push(' ');
    text.push(setup.turn.letter());
    text.push(' ');
    text.push_str(&rights(&setup.board, setup.castling, f.alternate()));
    f.write_str(&text)?;
    match setup.en_passant {
        Some(square) => write!(f, " {square}")?,
        None => f.write_str(" -")?,
    }
    write!(f, " {} {}", setup.halfmoves, setup.fullmoves)
}

/// Field of castling rights: X-FEN, or file letters only (Shredder-FEN).
pub(crate) fn rights(
    board: &Board,
    castling: Bitboard,
    file_letters: bool,
) -> arrayvec::ArrayString<16> {
    let mut text = arrayvec::ArrayString::new();
    if castling.is_empty() {
        text.push('-');
    }
    for color in Color::ALL {
        let rights = castling & Bitboard::rank(color.back_rank());
        let mut rooks: arrayvec::ArrayVec<Square, 8> = rights.into_iter().collect();
        rooks.reverse();
        for rook in rooks {
            let side = CastlingSide::ALL
                .into_iter()
                .find(|&side| side.outermost_rook(board, color) == rook);
            let letter = match side {
                Some(CastlingSide::King) if !file_letters => 'k',
                Some(CastlingSide::Queen) if !file_letters => 'q',
                _ => rook.file().letter(),
            };
            text.push(match color {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            });
        }
    }
    text
}

fn push_digit(text: &mut arrayvec::ArrayString<112>, count: u8) {
    if count > 0 {
        text.push(char::from(b'0' + count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_setup_is_that_of_its_fen() {
        assert_eq!(INITIAL.parse(), Ok(Setup::initial()));
    }

    fn round_trip(fen: &str) {
        let setup: Setup = fen.parse().unwrap();
        assert_eq!(setup.to_string(), fen);
    }

    #[test]
    fn texts_come_back_as_they_were() {
        round_trip(INITIAL);
        round_trip("8/8/8/8/8/8/8/8 b - - 4294967295 4294967295");
        round_trip("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2");
        round_trip("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w KQkq - 0 9");
        round_trip("rkr5/8/8/8/8/8/8/RKR3R1 w CQkq - 0 1");
    }

    #[test]
    fn shredder_letters_name_the_rook_and_x_fen_the_outermost() {
        let setup: Setup = "rk2r3/8/8/8/8/8/8/1RK1R1R1 w EBea - 0 1".parse().unwrap();
        assert_eq!(setup.to_string(), "rk2r3/8/8/8/8/8/8/1RK1R1R1 w EQkq - 0 1");
        assert_eq!(
            format!("{setup:#}"),
            "rk2r3/8/8/8/8/8/8/1RK1R1R1 w EBea - 0 1"
        );
    }

    #[test]
    fn fields_from_the_castling_rights_on_may_be_missing() {
        let setup: Setup = "8/8/8/8/8/8/8/K1k5 w".parse().unwrap();
        assert_eq!(setup.to_string(), "8/8/8/8/8/8/8/K1k5 w - - 0 1");
    }

    #[test]
    fn all_errors_are_found_at_once() {
        let check = |fen: &str, expected: &[&str]| {
            let errors = parse_all(fen.as_bytes()).unwrap_err();
            let errors: Vec<_> = errors.listed.iter().map(ToString::to_string).collect();
            assert_eq!(errors, expected, "{fen}");
        };
        check("", &["the piece placement is missing (column 1)"]);
        check(
            "8/7/x8/44/98/8/8/ppppppppp W KxQ e9 -1 one more",
            &[
                "rank 7 has fewer than 8 squares (column 4)",
                "unexpected `x` in the piece placement (column 5)",
                "rank 5 has two numbers in a row (column 9)",
                "unexpected `9` in the piece placement (column 11)",
                "rank 1 has more than 8 squares (column 26)",
                "the side to move cannot be understood (column 28)",
                "unexpected `x` in the castling rights (column 31)",
                "the en passant square cannot be understood (column 34)",
                "the halfmove clock must not be negative (column 37)",
                "the move number is not a number (column 40)",
                "unexpected `m` in the text after the move number (column 44)",
            ],
        );
        check(
            "4k3/8/8/8/8/8/8/4K3\u{a0}w - - 0 1",
            &["unexpected U+00A0 in the piece placement (column 20)"],
        );
        check(
            "4\u{e9}3/8/8/8/8/8/8/4\u{2654}3 w K\u{3000}- 0",
            &[
                "unexpected `\u{e9}` in the piece placement (column 2)",
                "unexpected `\u{2654}` in the piece placement (column 18)",
                "unexpected U+3000 in the castling rights (column 24)",
            ],
        );
        check(
            "3Zk3/8/8/8/8/8/8/4K3 w - - 0 1\u{a0}x",
            &[
                "unexpected `Z` in the piece placement (column 2)",
                "unexpected U+00A0 in the move number (column 31)",
                "unexpected `x` in the text after the move number (column 32)",
            ],
        );
        let blanks = format!("3Zk3/8/8/8/8/8/8/4K3 w{}", "\u{a0}".repeat(100_000));
        let errors = parse_all(blanks.as_bytes()).unwrap_err();
        assert_eq!(
            (errors.listed[0].at, errors.listed.len(), errors.more),
            (1, 100, 99_901)
        );
        assert_eq!(
            FieldRanges::of_text("k\u{a0}white -".as_bytes()).of(FenField::Turn),
            3..8
        );
        let latin_1 = parse(b"4\xe93/8/8/8/8/8/8/4K3 w").unwrap_err();
        assert_eq!(latin_1.problem, FenProblem::Unexpected('\u{e9}'));
        check(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 4294967296",
            &["the move number is larger than 4294967295 (column 29)"],
        );
    }

    #[test]
    fn places_of_fields_and_pieces() {
        let text = b" 4k3/8/8/8/8/8/8/4K2R w K -";
        assert_eq!(FieldRanges::of_text(text).of(FenField::Castling), 24..25);
        assert_eq!(FieldRanges::of_text(text).of(FenField::Halfmoves), 27..27);
        let place = |square: &[u8; 2]| piece_place(text, Square::from_ascii(*square).unwrap());
        assert_eq!(place(b"e8"), Some(2));
        assert_eq!(place(b"h1"), Some(20));
        assert_eq!(place(b"e4"), None);
    }

    #[test]
    fn errors_name_field_and_place() {
        let check = |fen: &str, expected: &str| {
            assert_eq!(fen.parse::<Setup>().unwrap_err().to_string(), expected);
        };
        check("", "the piece placement is missing (column 1)");
        check("8/8/8/8/8/8/8/8", "the side to move is missing (column 16)");
        check(
            "8/8/8/9/8/8/8/8 w",
            "unexpected `9` in the piece placement (column 7)",
        );
        check(
            "8/8/pppp5/8/8/8/8/8 w",
            "rank 6 has more than 8 squares (column 9)",
        );
        check(
            "8/8/17/8/8/8/8/8 w",
            "rank 6 has two numbers in a row (column 6)",
        );
        check(
            "8/7/8/8/8/8/8/8 w",
            "rank 7 has fewer than 8 squares (column 4)",
        );
        check(
            "8/8/8/8/8/8/8 w",
            "the piece placement has fewer than 8 ranks (column 14)",
        );
        check(
            "8/8/8/8/8/8/8/8/8 w",
            "the piece placement has more than 8 ranks (column 16)",
        );
        check(
            "8/8/8/8/8/8/8/8 W",
            "the side to move cannot be understood (column 17)",
        );
        check(
            "8/8/8/8/8/8/8/8 w KX",
            "unexpected `X` in the castling rights (column 20)",
        );
        check(
            "8/8/8/8/8/8/8/8 w - e9",
            "the en passant square cannot be understood (column 21)",
        );
        check(
            "8/8/8/8/8/8/8/8 w - - -1 1",
            "the halfmove clock must not be negative (column 23)",
        );
        check(
            "8/8/8/8/8/8/8/8 w - - 0 1 x",
            "unexpected `x` in the text after the move number (column 27)",
        );
    }
}
