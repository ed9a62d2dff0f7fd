//! Standard Algebraic Notation (PGN standard section 8.2.3; FIDE Laws appendix C), and why one
//! names no legal move.

mod explain;
mod resolve;
mod syntax;

use std::fmt;

use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Rank, Square};

pub use syntax::{San, SanPlus, SanSyntaxError, Suffix};

/// Piece of either side on its square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Man {
    /// Role of the piece.
    pub role: Role,
    /// Square of the piece.
    pub square: Square,
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.role, self.square)
    }
}

/// Reason why castling is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingObstacle {
    /// There is no right: king or rook has moved, or the rook is gone (FIDE Laws 3.8.2.1).
    NoRight,
    /// A piece stands between.
    Blocked(Man),
    /// The king is in check.
    InCheck(Man),
    /// The king would cross this square, which the piece attacks.
    Through(Square, Man),
    /// The king would reach this square, which the piece attacks.
    Into(Square, Man),
}

/// Reason why a notation names no single legal move of a position.
///
/// # Examples
///
/// ```
/// # use arbiter::chess::{Position, San, SanError};
/// let san: San = "Nd4".parse()?;
/// let error = san.to_move(&Position::initial()).unwrap_err();
/// assert!(matches!(error, SanError::NoneReaches { .. }));
/// # Ok::<(), arbiter::chess::san::SanSyntaxError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanError {
    /// The side has no such piece where the notation expects it.
    NoPiece {
        /// The side to move.
        color: Color,
        /// Expected role.
        role: Role,
        /// Expected file.
        file: Option<File>,
        /// Expected rank.
        rank: Option<Rank>,
    },
    /// The side has no piece on the origin that the notation names.
    EmptySquare {
        /// The side to move.
        color: Color,
        /// The origin.
        square: Square,
    },
    /// None of the pieces meant can reach the destination.
    NoneReaches {
        /// Expected role.
        role: Role,
        /// Expected file of the origin.
        file: Option<File>,
        /// Expected rank of the origin.
        rank: Option<Rank>,
        /// Destination.
        to: Square,
    },
    /// Another piece blocks the way.
    Blocked {
        /// The piece that should move.
        piece: Man,
        /// Destination.
        to: Square,
        /// Square of the blocking piece.
        at: Square,
    },
    /// A piece of the same side stands on the square.
    OwnPiece(Man),
    /// The piece is pinned.
    Pinned {
        /// The piece that should move.
        piece: Man,
        /// Its king.
        king: Square,
        /// The pinning piece.
        by: Man,
    },
    /// The king is in check and would still be.
    StillInCheck(Man),
    /// The king would move to a square that this piece attacks.
    IntoCheck(Man),
    /// The en passant capture would expose the king to this piece.
    EnPassantExposes(Man),
    /// Several pieces can move there.
    Ambiguous {
        /// Their role.
        role: Role,
        /// Destination.
        to: Square,
        /// Their squares.
        from: Bitboard,
    },
    /// A pawn capture to a square with nothing to capture.
    NothingToCapture(Square),
    /// A pawn capture without the file of the pawn.
    CaptureWithoutFile,
    /// A pawn reaches the last rank without a promotion.
    PromotionMissing,
    /// A pawn cannot be promoted to this role.
    BadPromotion(Role),
    /// A promotion of anything but a pawn that reaches the last rank.
    PromotionElsewhere,
    /// Castling is impossible.
    Castling(CastlingSide, CastlingObstacle),
    /// Null move.
    NullMove,
    /// Drop.
    Drop,
}

/// Expected origin, as a phrase after the name of the piece.
struct Origin(Option<File>, Option<Rank>);

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(file), Some(rank)) => write!(f, " on {}", Square::at(file, rank)),
            (Some(file), None) => write!(f, " on the {file}-file"),
            (None, Some(rank)) => write!(f, " on rank {rank}"),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SanError::NoPiece {
                color,
                role,
                file,
                rank,
            } => {
                write!(f, "{color} has no {role}{}", Origin(file, rank))
            }
            SanError::EmptySquare { color, square } => {
                write!(f, "{color} has no piece on {square}")
            }
            SanError::NoneReaches {
                role: Role::King,
                to,
                ..
            } => write!(f, "the king cannot reach {to}"),
            SanError::NoneReaches {
                role,
                file,
                rank,
                to,
            } => write!(f, "no {role}{} can reach {to}", Origin(file, rank)),
            SanError::Blocked { piece, to, at } => {
                write!(f, "{piece} cannot get to {to}: its way is blocked on {at}")
            }
            SanError::OwnPiece(Man { role, square }) => {
                write!(f, "{square} is taken by one's own {role}")
            }
            SanError::Pinned { piece, king, by } => {
                write!(f, "{piece} is pinned to the king on {king} by {by}")
            }
            SanError::StillInCheck(by) => write!(f, "the king would still be in check from {by}"),
            SanError::IntoCheck(by) => write!(f, "the king would be in check from {by}"),
            SanError::EnPassantExposes(by) => {
                write!(
                    f,
                    "the en passant capture would leave the king in check from {by}"
                )
            }
            SanError::Ambiguous { role, to, from } => {
                match NUMBERS.get(from.count()) {
                    Some(number) => write!(f, "{number} {role}s can go to {to}: ")?,
                    None => write!(f, "{} {role}s can go to {to}: ", from.count())?,
                }
                let mut squares: arrayvec::ArrayVec<Square, 64> = from.into_iter().collect();
                squares.sort_unstable_by_key(|square| (square.file(), square.rank()));
                for (nth, square) in squares.into_iter().enumerate() {
                    match nth {
                        0 => {}
                        _ if nth + 1 == from.count() => f.write_str(" and ")?,
                        _ => f.write_str(", ")?,
                    }
                    write!(f, "{square}")?;
                }
                Ok(())
            }
            SanError::NothingToCapture(to) => write!(f, "there is nothing to capture on {to}"),
            SanError::CaptureWithoutFile => {
                f.write_str("a pawn capture must name the file the pawn comes from")
            }
            SanError::PromotionMissing => f.write_str("it does not say what the pawn becomes"),
            SanError::BadPromotion(role) => write!(f, "a pawn cannot become a {role}"),
            SanError::PromotionElsewhere => {
                f.write_str("only a pawn that reaches the last rank is promoted")
            }
            SanError::Castling(side, obstacle) => {
                let side = side.san();
                match obstacle {
                    CastlingObstacle::NoRight => write!(f, "there is no right to castle {side}"),
                    CastlingObstacle::Blocked(by) => write!(f, "{by} is in the way of {side}"),
                    CastlingObstacle::InCheck(by) => {
                        write!(f, "no castling out of check from {by}")
                    }
                    CastlingObstacle::Through(square, by) => {
                        write!(f, "castling through {square}, which {by} attacks")
                    }
                    CastlingObstacle::Into(square, by) => {
                        write!(f, "castling to {square}, which {by} attacks")
                    }
                }
            }
            SanError::NullMove => f.write_str("a null move is not a legal move"),
            SanError::Drop => f.write_str("pieces are not dropped in chess"),
        }
    }
}

impl std::error::Error for SanError {}

/// Numbers as words.
const NUMBERS: [&str; 11] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];
