//! Anything a FEN can say, and every reason why it cannot be played.

use std::fmt;

use super::attacks;
use super::bitboard::Bitboard;
use super::board::Board;
use super::castling::CastlingSide;
use super::piece::{Color, Role};
use super::square::{Rank, Square};

/// A position as it is written down, legal or not. `Position::new` turns it into one that can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Where the pieces stand.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The squares of the rooks said to have castling rights.
    pub castling: Bitboard,
    /// The square behind a pawn that has just made a double step, as written, whether or not a capture is possible.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move, without a cap.
    pub halfmoves: u32,
    /// The number of the coming move, from 1.
    pub fullmoves: u32,
}

/// One thing wrong with a setup.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PositionFault {
    /// White has no king.
    NoWhiteKing,
    /// Black has no king.
    NoBlackKing,
    /// White has several kings.
    ManyWhiteKings,
    /// Black has several kings.
    ManyBlackKings,
    /// The kings stand next to each other.
    AdjacentKings,
    /// The side that is not to move stands in check.
    OppositeCheck,
    /// A pawn stands on rank 1 or rank 8.
    PawnOnBackRank,
    /// A side has more than 16 men.
    TooManyPieces,
    /// A side has more than 8 pawns.
    TooManyPawns,
    /// A side has more promoted pieces than missing pawns.
    TooManyPromoted,
    /// A castling right without its king or rook in place.
    BadCastlingRight,
    /// The en passant square is not behind a pawn that can just have made a double step.
    BadEnPassant,
    /// An en passant square although the clock says that the last move was not a pawn's.
    EnPassantWithClock,
    /// The side to move is checked by three pieces or more.
    TooManyCheckers,
    /// The halfmove clock is larger than the number of plies the move number allows.
    ClockBeyondMoveNumber,
}

/// What a fault means for playing on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultLevel {
    /// The position can be played, but no game leads to it.
    Implausible,
    /// The rules cannot be applied to it.
    Unplayable,
}

impl PositionFault {
    /// Every fault, the worst first.
    pub const ALL: [PositionFault; 15] = [
        PositionFault::NoWhiteKing,
        PositionFault::NoBlackKing,
        PositionFault::ManyWhiteKings,
        PositionFault::ManyBlackKings,
        PositionFault::AdjacentKings,
        PositionFault::OppositeCheck,
        PositionFault::PawnOnBackRank,
        PositionFault::TooManyPieces,
        PositionFault::TooManyPawns,
        PositionFault::TooManyPromoted,
        PositionFault::BadCastlingRight,
        PositionFault::BadEnPassant,
        PositionFault::EnPassantWithClock,
        PositionFault::TooManyCheckers,
        PositionFault::ClockBeyondMoveNumber,
    ];

    /// Whether the rules can still be applied.
    pub fn level(self) -> FaultLevel {
        if self <= PositionFault::PawnOnBackRank {
            FaultLevel::Unplayable
        } else {
            FaultLevel::Implausible
        }
    }
}

impl fmt::Display for PositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PositionFault::NoWhiteKing => "White has no king",
            PositionFault::NoBlackKing => "Black has no king",
            PositionFault::ManyWhiteKings => "White has more than one king",
            PositionFault::ManyBlackKings => "Black has more than one king",
            PositionFault::AdjacentKings => "the kings stand next to each other",
            PositionFault::OppositeCheck => "the side that is not to move stands in check",
            PositionFault::PawnOnBackRank => "a pawn stands on the first or last rank",
            PositionFault::TooManyPieces => "a side has more than 16 men",
            PositionFault::TooManyPawns => "a side has more than 8 pawns",
            PositionFault::TooManyPromoted => "a side has more promoted pieces than missing pawns",
            PositionFault::BadCastlingRight => "a castling right without its king or rook in place",
            PositionFault::BadEnPassant => "no pawn can just have passed the en passant square",
            PositionFault::EnPassantWithClock => {
                "an en passant square, but a halfmove clock above 0"
            }
            PositionFault::TooManyCheckers => "the side to move is checked by three or more pieces",
            PositionFault::ClockBeyondMoveNumber => {
                "the halfmove clock is larger than the move number allows"
            }
        })
    }
}

/// A set of faults.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PositionFaults(u32);

impl PositionFaults {
    /// No fault at all.
    pub const NONE: PositionFaults = PositionFaults(0);

    /// Adds a fault.
    pub fn insert(&mut self, fault: PositionFault) {
        self.0 |= 1 << fault as u8;
    }

    /// Whether the set holds the fault.
    pub fn has(self, fault: PositionFault) -> bool {
        self.0 >> fault as u8 & 1 != 0
    }

    /// Whether the set holds nothing.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The faults, the worst first.
    pub fn iter(self) -> impl Iterator<Item = PositionFault> {
        PositionFault::ALL
            .into_iter()
            .filter(move |&fault| self.has(fault))
    }

    /// Whether none of the faults keeps the position from being played.
    pub fn is_playable(self) -> bool {
        self.iter()
            .all(|fault| fault.level() < FaultLevel::Unplayable)
    }
}

impl fmt::Debug for PositionFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for PositionFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, fault) in self.iter().enumerate() {
            if nth > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PositionFaults {}

impl Setup {
    /// The initial position of standard chess.
    pub fn initial() -> Setup {
        super::fen::parse(super::fen::INITIAL.as_bytes())
            .unwrap_or_else(|error| unreachable!("the initial position: {error}"))
    }

    /// Everything that is wrong with the setup. An empty set does not say that a game leads to the position.
    pub fn faults(&self) -> PositionFaults {
        let mut faults = PositionFaults::NONE;
        let board = &self.board;
        for (color, none, many) in [
            (
                Color::White,
                PositionFault::NoWhiteKing,
                PositionFault::ManyWhiteKings,
            ),
            (
                Color::Black,
                PositionFault::NoBlackKing,
                PositionFault::ManyBlackKings,
            ),
        ] {
            match board.of(color, Role::King).count() {
                0 => faults.insert(none),
                1 => {}
                _ => faults.insert(many),
            }
            self.count_men(color, &mut faults);
        }
        if (board.role(Role::Pawn) & Bitboard::BACK_RANKS).any() {
            faults.insert(PositionFault::PawnOnBackRank);
        }
        let occupied = board.occupied();
        let kings = |color| board.of(color, Role::King);
        if kings(Color::White)
            .into_iter()
            .any(|king| (attacks::king(king) & kings(Color::Black)).any())
        {
            faults.insert(PositionFault::AdjacentKings);
        }
        let checked = |color: Color| {
            kings(color)
                .into_iter()
                .map(|king| {
                    board
                        .attackers(king, !color, occupied)
                        .without(board.role(Role::King))
                })
                .map(Bitboard::count)
                .max()
                .unwrap_or(0)
        };
        if checked(!self.turn) > 0 {
            faults.insert(PositionFault::OppositeCheck);
        }
        if checked(self.turn) > 2 {
            faults.insert(PositionFault::TooManyCheckers);
        }
        if self.castling != self.true_castling() {
            faults.insert(PositionFault::BadCastlingRight);
        }
        if self.en_passant != self.true_en_passant() {
            faults.insert(PositionFault::BadEnPassant);
        }
        if self.en_passant.is_some() && self.halfmoves > 0 {
            faults.insert(PositionFault::EnPassantWithClock);
        }
        let plies = 2 * (u64::from(self.fullmoves.max(1)) - 1) + self.turn as u64;
        if u64::from(self.halfmoves) > plies {
            faults.insert(PositionFault::ClockBeyondMoveNumber);
        }
        faults
    }

    fn count_men(&self, color: Color, faults: &mut PositionFaults) {
        let count = |role| self.board.of(color, role).count();
        if self.board.color(color).count() > 16 {
            faults.insert(PositionFault::TooManyPieces);
        }
        if count(Role::Pawn) > 8 {
            faults.insert(PositionFault::TooManyPawns);
        }
        let promoted = count(Role::Knight).saturating_sub(2)
            + count(Role::Bishop).saturating_sub(2)
            + count(Role::Rook).saturating_sub(2)
            + count(Role::Queen).saturating_sub(1);
        if promoted > 8_usize.saturating_sub(count(Role::Pawn)) {
            faults.insert(PositionFault::TooManyPromoted);
        }
    }

    /// The castling rights whose king and rook are in place: on their back rank, and one rook a side.
    pub(super) fn true_castling(&self) -> Bitboard {
        let mut rights = Bitboard::EMPTY;
        for color in Color::ALL {
            let rank = Bitboard::rank(color.back_rank());
            let Some(king) = (self.board.of(color, Role::King) & rank).single() else {
                continue;
            };
            let claimed = self.castling & rank & self.board.of(color, Role::Rook);
            for side in CastlingSide::ALL {
                let rooks: Bitboard = claimed
                    .into_iter()
                    .filter(|&rook| CastlingSide::of(king, rook) == side)
                    .collect();
                if let Some(rook) = rooks.single() {
                    rights |= Bitboard::of(rook);
                }
            }
        }
        rights
    }

    /// The en passant square if a pawn can just have passed it: the pawn stands before it, and it and the square
    /// the pawn came from are empty.
    pub(super) fn true_en_passant(&self) -> Option<Square> {
        let square = self.en_passant?;
        let (rank, forward) = match self.turn {
            Color::White => (Rank::new(5), 8),
            Color::Black => (Rank::new(2), -8),
        };
        if square.rank() != rank {
            return None;
        }
        let beyond = Square::new((square.index() as i32 + forward) as usize);
        let pawn = Square::new((square.index() as i32 - forward) as usize);
        let occupied = self.board.occupied();
        (self.board.of(!self.turn, Role::Pawn).has(pawn)
            && !occupied.has(square)
            && !occupied.has(beyond))
        .then_some(square)
    }
}
