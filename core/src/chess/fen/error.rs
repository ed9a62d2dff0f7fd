//! Errors of reading FEN.

use std::fmt;

use strum::{Display, VariantArray};

use crate::chess::display::display;
use crate::chess::faults::{PositionFault, PositionFaults};
use crate::chess::fen::fields::characters;
use crate::chess::square::Rank;

/// Field of a FEN, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, VariantArray, Display)]
pub enum FenField {
    /// Piece placement, rank 8 first.
    #[strum(to_string = "piece placement")]
    Placement,
    /// `w` or `b`.
    #[strum(to_string = "side to move")]
    Turn,
    /// `KQkq`, file letters, or `-`.
    #[strum(to_string = "castling rights")]
    Castling,
    /// A square or `-`.
    #[strum(to_string = "en passant square")]
    EnPassant,
    /// Plies since the last capture or pawn move.
    #[strum(to_string = "halfmove clock")]
    Halfmoves,
    /// The number of the coming move.
    #[strum(to_string = "move number")]
    Fullmoves,
    /// Anything after the sixth field.
    #[strum(to_string = "text after the move number")]
    Rest,
}

impl PositionFault {
    /// Field of a FEN that shows the fault, or the most likely one if several do.
    pub fn field(self) -> FenField {
        match self {
            PositionFault::OppositeCheck => FenField::Turn,
            PositionFault::CastlingWithoutKing
            | PositionFault::CastlingWithoutRook
            | PositionFault::CastlingWithTwoRooks
            | PositionFault::CastlingFromCorner
            | PositionFault::CastlingAgainstVariant
            | PositionFault::CastlingOfChess960 => FenField::Castling,
            PositionFault::EnPassantOnWrongRank
            | PositionFault::EnPassantWithoutPawn
            | PositionFault::EnPassantWayBlocked
            | PositionFault::EnPassantWithClock
            | PositionFault::CheckBeforeDoubleStep => FenField::EnPassant,
            PositionFault::CheckAgainstClock | PositionFault::ClockBeyondMoveNumber => {
                FenField::Halfmoves
            }
            _ => FenField::Placement,
        }
    }
}

/// Problem of a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenProblem {
    /// The field is missing.
    Missing,
    /// A character that has no meaning in the field.
    Unexpected(char),
    /// A rank of fewer than eight squares.
    ShortRank(Rank),
    /// A rank of more than eight squares.
    LongRank(Rank),
    /// A number of empty squares right after another, such as `17`.
    SplitNumber(Rank),
    /// Fewer than eight ranks.
    TooFewRanks,
    /// More than eight ranks.
    TooManyRanks,
    /// Not a whole number, such as `x`.
    NotANumber,
    /// A number below 0, such as `-1`.
    Negative,
    /// A number above 4294967295.
    TooLarge,
    /// A word that the field cannot have.
    NotUnderstood,
}

/// Error of reading a text that is not a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("{} (column {column})", self.fault())]
pub struct FenError {
    /// Field that cannot be read.
    pub field: FenField,
    /// Byte offset in the text, from 0.
    pub at: usize,
    /// Column in the text, in characters from 1.
    pub column: usize,
    /// Problem of the field.
    pub problem: FenProblem,
}

impl FenError {
    /// The message without the column.
    pub fn fault(self) -> impl fmt::Display {
        display(move |f| self.write_fault(f))
    }

    fn write_fault(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field;
        match self.problem {
            FenProblem::Missing => write!(f, "the {field} is missing"),
            FenProblem::Unexpected(character) => {
                // Invisible characters are named by their number, such as `U+00A0`.
                let is_visible =
                    !character.is_whitespace() && character.escape_debug().count() <= 2;
                if is_visible {
                    return write!(f, "unexpected `{character}` in the {field}");
                }
                let number = u32::from(character);
                write!(f, "unexpected U+{number:04X} in the {field}")
            }
            FenProblem::ShortRank(rank) => {
                write!(f, "rank {rank} has fewer than 8 squares")
            }
            FenProblem::LongRank(rank) => {
                write!(f, "rank {rank} has more than 8 squares")
            }
            FenProblem::SplitNumber(rank) => {
                write!(f, "rank {rank} has two numbers in a row")
            }
            FenProblem::TooFewRanks => f.write_str("the piece placement has fewer than 8 ranks"),
            FenProblem::TooManyRanks => f.write_str("the piece placement has more than 8 ranks"),
            FenProblem::NotANumber => write!(f, "the {field} is not a number"),
            FenProblem::Negative => write!(f, "the {field} must not be negative"),
            FenProblem::TooLarge => write!(f, "the {field} is larger than {}", u32::MAX),
            FenProblem::NotUnderstood => write!(f, "the {field} cannot be understood"),
        }
    }
}

impl FenError {
    /// Error at a byte offset of a text in ASCII.
    pub(super) fn new(field: FenField, at: usize, problem: FenProblem) -> FenError {
        FenError {
            field,
            at,
            column: at + 1,
            problem,
        }
    }

    /// The same error, with the column in `text`.
    pub(super) fn in_text(self, text: &[u8]) -> FenError {
        FenError {
            column: characters(&text[..self.at]).count() + 1,
            ..self
        }
    }
}

/// Errors of a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FenErrors {
    /// The first errors, in text order; one to a hundred.
    pub listed: Vec<FenError>,
    /// Number of further errors.
    pub more: u64,
}

/// Why a FEN is not a playable position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(transparent)]
pub enum PositionError {
    /// The text is not a FEN.
    Fen(#[from] FenError),
    /// The position has faults, one of them [unplayable](crate::chess::FaultLevel::Unplayable).
    Unplayable(#[from] PositionFaults),
}
