//! Standard Algebraic Notation (PGN standard section 8.2.3; FIDE Laws appendix C), and why one
//! names no legal move.

mod explain;
mod resolve;
mod syntax;

use std::fmt;

use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::display::display;
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Rank, Square};

pub use syntax::{PieceMove, San, SanPlus, SanSyntaxError, Suffix};

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, strum::IntoStaticStr)]
pub enum CastlingObstacle {
    /// There is no right: king or rook has moved, or the rook is gone (FIDE Laws 3.8.2.1).
    #[strum(serialize = "no-castling-right")]
    NoRight,
    /// A piece stands between.
    #[strum(serialize = "castling-blocked")]
    Blocked(Man),
    /// The king is in check.
    #[strum(serialize = "castling-in-check")]
    InCheck(Man),
    /// The king would cross this square, which the piece attacks.
    #[strum(serialize = "castling-through-check")]
    Through(Square, Man),
    /// The king would reach this square, which the piece attacks.
    #[strum(serialize = "castling-into-check")]
    Into(Square, Man),
}

/// Reason why a notation names no single legal move of a position.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Position, San, SanError};
/// let san: San = "Nd4".parse()?;
/// let error = san.to_move(&Position::initial()).unwrap_err();
/// assert!(matches!(error, SanError::NoneReaches(_)));
/// # Ok::<(), chess_arbiter_core::chess::san::SanSyntaxError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum SanError {
    /// The side has no such piece where the notation expects it.
    #[error("{} has no {}{}", .0, .1.role, Origin(.1.file, .1.rank))]
    #[strum(serialize = "no-such-piece")]
    NoPiece(Color, PieceMove),
    /// The side has no piece on the origin that the notation names.
    #[error("{0} has no piece on {1}")]
    #[strum(serialize = "no-such-piece")]
    EmptySquare(Color, Square),
    /// None of the pieces meant can reach the destination.
    #[error("{} reach {}", none_can(*.0), .0.to)]
    #[strum(serialize = "unreachable")]
    NoneReaches(PieceMove),
    /// Another piece blocks the way.
    #[error("{piece} cannot get to {to}: its way is blocked on {at}")]
    Blocked {
        /// The piece that should move.
        piece: Man,
        /// Destination.
        to: Square,
        /// Square of the blocking piece.
        at: Square,
    },
    /// A piece of the same side stands on the square.
    #[error("{} is taken by one's own {}", .0.square, .0.role)]
    OwnPiece(Man),
    /// The piece is pinned.
    #[error("{piece} is pinned to the king on {king} by {by}")]
    Pinned {
        /// The piece that should move.
        piece: Man,
        /// Its king.
        king: Square,
        /// The pinning piece.
        by: Man,
    },
    /// The king is in check and would still be.
    #[error("the king would still be in check from {0}")]
    #[strum(serialize = "king-in-check")]
    StillInCheck(Man),
    /// The king would move to a square that this piece attacks.
    #[error("the king would be in check from {0}")]
    #[strum(serialize = "king-into-check")]
    IntoCheck(Man),
    /// The en passant capture would expose the king to this piece.
    #[error("the en passant capture would leave the king in check from {0}")]
    #[strum(serialize = "king-into-check")]
    EnPassantExposes(Man),
    /// Several pieces can move there.
    #[error("{} {role}s can go to {to}: {}", number(from.count()), in_words(*from))]
    Ambiguous {
        /// Their role.
        role: Role,
        /// Destination.
        to: Square,
        /// Their squares.
        from: Bitboard,
    },
    /// A pawn capture to a square with nothing to capture.
    #[error("there is nothing to capture on {0}")]
    NothingToCapture(Square),
    /// A pawn capture without the file of the pawn.
    #[error("a pawn capture must name the file the pawn comes from")]
    CaptureWithoutFile,
    /// A pawn reaches the last rank without a promotion.
    #[error("it does not say what the pawn becomes")]
    PromotionMissing,
    /// A pawn cannot be promoted to this role.
    #[error("a pawn cannot become a {0}")]
    BadPromotion(Role),
    /// A promotion of anything but a pawn that reaches the last rank.
    #[error("only a pawn that reaches the last rank is promoted")]
    PromotionElsewhere,
    /// Castling is impossible.
    #[error("{}", .1.of_castling(*.0))]
    Castling(CastlingSide, CastlingObstacle),
    /// Capture of the king that an illegal move has left in check.
    #[error("a king is not captured")]
    KingCapture,
    /// Null move.
    #[error("a null move is not a legal move")]
    NullMove,
    /// Drop.
    #[error("pieces are not dropped in chess")]
    Drop,
}

impl SanError {
    /// The reason in one word, such as `pinned`, for columns of tables.
    pub fn word(&self) -> &'static str {
        match self {
            SanError::Castling(_, obstacle) => obstacle.into(),
            error => error.into(),
        }
    }
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

/// Beginning of the sentence that no piece can reach a square.
fn none_can(piece: PieceMove) -> impl fmt::Display {
    display(move |f| match piece.role {
        Role::King => f.write_str("the king cannot"),
        role => write!(f, "no {role}{} can", Origin(piece.file, piece.rank)),
    })
}

impl CastlingObstacle {
    /// Why castling to a side is impossible.
    fn of_castling(self, side: CastlingSide) -> impl fmt::Display {
        let side = side.san();
        display(move |f| match self {
            CastlingObstacle::NoRight => write!(f, "there is no right to castle {side}"),
            CastlingObstacle::Blocked(by) => write!(f, "{by} is in the way of {side}"),
            CastlingObstacle::InCheck(by) => write!(f, "no castling out of check from {by}"),
            CastlingObstacle::Through(square, by) => {
                write!(f, "castling through {square}, which {by} attacks")
            }
            CastlingObstacle::Into(square, by) => {
                write!(f, "castling to {square}, which {by} attacks")
            }
        })
    }
}

/// Squares in words, sorted by file: `b1, d2 and f3`.
fn in_words(squares: Bitboard) -> impl fmt::Display {
    display(move |f| {
        let mut sorted: arrayvec::ArrayVec<Square, 64> = squares.into_iter().collect();
        sorted.sort_unstable_by_key(|square| (square.file(), square.rank()));
        for (nth, square) in sorted.into_iter().enumerate() {
            match nth {
                0 => {}
                _ if nth + 1 == squares.count() => f.write_str(" and ")?,
                _ => f.write_str(", ")?,
            }
            write!(f, "{square}")?;
        }
        Ok(())
    })
}

/// A number as a word if it is small.
fn number(count: usize) -> impl fmt::Display {
    display(move |f| match NUMBERS.get(count) {
        Some(number) => f.write_str(number),
        None => write!(f, "{count}"),
    })
}

/// Numbers as words.
const NUMBERS: [&str; 11] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];
