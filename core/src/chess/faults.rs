//! Every reason why a setup cannot be played, or why no game leads to it.

use std::fmt;

use strum::{Display, VariantArray};

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::last_move::LastMove;
use crate::chess::piece::{Color, Role};
use crate::chess::setup::Setup;
use crate::chess::square::Square;

/// Fault of a setup.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, VariantArray, Display)]
#[repr(u8)]
pub enum PositionFault {
    /// White has no king.
    #[strum(to_string = "White has no king")]
    NoWhiteKing,
    /// Black has no king.
    #[strum(to_string = "Black has no king")]
    NoBlackKing,
    /// White has several kings.
    #[strum(to_string = "White has more than one king")]
    ManyWhiteKings,
    /// Black has several kings.
    #[strum(to_string = "Black has more than one king")]
    ManyBlackKings,
    /// The kings stand next to each other.
    #[strum(to_string = "the kings stand next to each other")]
    AdjacentKings,
    /// The side that is not to move stands in check.
    #[strum(to_string = "the side that is not to move stands in check")]
    OppositeCheck,
    /// A pawn stands on rank 1 or rank 8.
    #[strum(to_string = "a pawn stands on the first or last rank")]
    PawnOnBackRank,
    /// A side has more than 16 men.
    #[strum(to_string = "a side has more than 16 men")]
    TooManyPieces,
    /// A side has more than 8 pawns.
    #[strum(to_string = "a side has more than 8 pawns")]
    TooManyPawns,
    /// A side has more promoted pieces than missing pawns.
    #[strum(to_string = "a side has more promoted pieces than missing pawns")]
    TooManyPromoted,
    /// A castling right of a side whose king is not on its back rank.
    #[strum(to_string = "a castling right of a side whose king is not on its back rank")]
    CastlingWithoutKing,
    /// A castling right without a rook of that side on its square.
    #[strum(to_string = "a castling right without its rook")]
    CastlingWithoutRook,
    /// Two castling rights on the same wing.
    #[strum(to_string = "two castling rights on the same wing")]
    CastlingWithTwoRooks,
    /// A castling right of a king in the corner, where no initial position has it.
    #[strum(to_string = "a castling right of a king in the corner")]
    CastlingFromCorner,
    /// A castling right of Chess960 in a game of standard chess.
    #[strum(to_string = "a castling right that exists in Chess960 only")]
    CastlingAgainstVariant,
    /// A castling right of Chess960 in a game whose variant is not known.
    #[strum(to_string = "a castling right that exists in Chess960 only")]
    CastlingOfChess960,
    /// The en passant square is not on the rank that pawns of the side that has moved pass in a
    /// double step.
    #[strum(to_string = "the en passant square is on the wrong rank for the side to move")]
    EnPassantOnWrongRank,
    /// No pawn of the side that has moved stands before the en passant square.
    #[strum(to_string = "no pawn stands before the en passant square")]
    EnPassantWithoutPawn,
    /// The en passant square or the square the pawn came from is occupied.
    #[strum(to_string = "the en passant square or the square behind it is occupied")]
    EnPassantWayBlocked,
    /// An en passant square although the clock says that the last move was not a pawn's.
    #[strum(to_string = "an en passant square, but a halfmove clock above 0")]
    EnPassantWithClock,
    /// The side to move is checked by three pieces or more.
    #[strum(to_string = "the side to move is checked by three or more pieces")]
    TooManyCheckers,
    /// No last move can have given both checks.
    #[strum(to_string = "no last move can have given both checks")]
    ImpossibleDoubleCheck,
    /// No last move can have given the check.
    #[strum(to_string = "no last move can have given the check")]
    ImpossibleCheck,
    /// The king was attacked already before the double step over the en passant square.
    #[strum(
        to_string = "the king was in check already before the double step over \
                     the en passant square"
    )]
    CheckBeforeDoubleStep,
    /// Only a capture or a pawn move can have given the check, but the clock says that the last
    /// move was neither.
    #[strum(to_string = "only a capture or a pawn can have given the check, \
                     but the halfmove clock is above 0")]
    CheckAgainstClock,
    /// The halfmove clock is larger than the number of plies the move number allows.
    #[strum(to_string = "the halfmove clock is larger than the move number allows")]
    ClockBeyondMoveNumber,
}

/// Severity of a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultLevel {
    /// The position can be played, but no game leads to it.
    Implausible,
    /// The rules cannot be applied to it.
    Unplayable,
}

impl PositionFault {
    /// Every fault, the worst first.
    pub const ALL: &[PositionFault] = PositionFault::VARIANTS;

    /// Whether the rules can still be applied.
    pub fn level(self) -> FaultLevel {
        if self <= PositionFault::PawnOnBackRank {
            FaultLevel::Unplayable
        } else {
            FaultLevel::Implausible
        }
    }
}

/// A set of faults.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{PositionFault, Setup};
/// let setup: Setup = "8/8/8/8/8/8/8/4K3 w - - 0 1".parse()?;
/// let faults = setup.faults();
/// assert!(faults.has(PositionFault::NoBlackKing));
/// assert!(!faults.is_playable());
/// # Ok::<(), chess_arbiter_core::chess::fen::FenError>(())
/// ```
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
            .iter()
            .copied()
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
    /// All faults of the setup. Faults that depend on the variant are not among them.
    ///
    /// A fault is a proof: if one is [unplayable](FaultLevel::Unplayable), the rules of chess
    /// cannot be applied, and if one is [implausible](FaultLevel::Implausible), no game from an
    /// initial position of standard chess or Chess960 leads to the setup, clocks included. An empty
    /// set proves nothing: pieces are counted, and the last move is tested if there is a check or
    /// an en passant square, but not the moves before it, nor the pawn structure.
    pub fn faults(&self) -> PositionFaults {
        let mut faults = PositionFaults::NONE;
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
            match self.board.of(color, Role::King).count() {
                0 => faults.insert(none),
                1 => {}
                _ => faults.insert(many),
            }
            self.count_men(color, &mut faults);
            self.check_castling(color, &mut faults);
        }
        if (self.board.role(Role::Pawn) & Bitboard::BACK_RANKS).any() {
            faults.insert(PositionFault::PawnOnBackRank);
        }
        if self.castling.without(Bitboard::BACK_RANKS).any() {
            faults.insert(PositionFault::CastlingWithoutRook);
        }
        if let Some(square) = self.en_passant {
            self.check_en_passant(square, &mut faults);
        }
        self.check_checks(&mut faults);
        let plies = 2 * (u64::from(self.fullmoves.max(1)) - 1) + self.turn as u64;
        if self.knows_fullmoves && u64::from(self.halfmoves) > plies {
            faults.insert(PositionFault::ClockBeyondMoveNumber);
        }
        faults
    }

    /// Pieces that a fault is about; empty for faults that single out none.
    pub fn culprits(&self, fault: PositionFault) -> Bitboard {
        let kings = |color| self.board.of(color, Role::King);
        match fault {
            PositionFault::ManyWhiteKings => kings(Color::White),
            PositionFault::ManyBlackKings => kings(Color::Black),
            PositionFault::AdjacentKings => kings(Color::White) | kings(Color::Black),
            PositionFault::PawnOnBackRank => self.board.role(Role::Pawn) & Bitboard::BACK_RANKS,
            _ => Bitboard::EMPTY,
        }
    }

    fn count_men(&self, color: Color, faults: &mut PositionFaults) {
        let count = |role| self.board.of(color, role).count();
        if self.board.color(color).count() > 16 {
            faults.insert(PositionFault::TooManyPieces);
        }
        if count(Role::Pawn) > 8 {
            faults.insert(PositionFault::TooManyPawns);
        }
        // A side begins with one bishop on squares of each colour, in Chess960 too.
        let bishops = self.board.of(color, Role::Bishop);
        let light = (bishops & Bitboard::LIGHT_SQUARES).count();
        let promoted = count(Role::Knight).saturating_sub(2)
            + light.saturating_sub(1)
            + (bishops.count() - light).saturating_sub(1)
            + count(Role::Rook).saturating_sub(2)
            + count(Role::Queen).saturating_sub(1);
        if promoted > 8_usize.saturating_sub(count(Role::Pawn)) {
            faults.insert(PositionFault::TooManyPromoted);
        }
    }

    fn check_castling(&self, color: Color, faults: &mut PositionFaults) {
        let rank = Bitboard::rank(color.back_rank());
        let claimed = self.castling & rank;
        if claimed.is_empty() {
            return;
        }
        let rooks = claimed & self.board.of(color, Role::Rook);
        if rooks != claimed {
            faults.insert(PositionFault::CastlingWithoutRook);
        }
        let kings = self.board.of(color, Role::King) & rank;
        if kings.is_empty() {
            faults.insert(PositionFault::CastlingWithoutKing);
        }
        // Several kings are a fault of their own.
        if let Some(king) = kings.single() {
            let on_king_side = |&rook: &Square| CastlingSide::of(king, rook) == CastlingSide::King;
            let king_side = rooks.into_iter().filter(on_king_side).count();
            if king_side > 1 || rooks.count() - king_side > 1 {
                faults.insert(PositionFault::CastlingWithTwoRooks);
            }
            if matches!(king.file().index(), 0 | 7) {
                faults.insert(PositionFault::CastlingFromCorner);
            }
        }
    }

    fn check_en_passant(&self, square: Square, faults: &mut PositionFaults) {
        if self.halfmoves > 0 {
            faults.insert(PositionFault::EnPassantWithClock);
        }
        let Some((pawn, origin)) = self.double_step(square) else {
            faults.insert(PositionFault::EnPassantOnWrongRank);
            return;
        };
        if !self.board.of(!self.turn, Role::Pawn).has(pawn) {
            faults.insert(PositionFault::EnPassantWithoutPawn);
        }
        let occupied = self.board.occupied();
        if occupied.has(square) || occupied.has(origin) {
            faults.insert(PositionFault::EnPassantWayBlocked);
        }
    }

    /// Adjacent kings are a fault of their own and do not count as checks.
    fn check_checks(&self, faults: &mut PositionFaults) {
        let board = &self.board;
        let kings = |color| board.of(color, Role::King);
        if kings(Color::White)
            .into_iter()
            .any(|king| (attacks::king(king) & kings(Color::Black)).any())
        {
            faults.insert(PositionFault::AdjacentKings);
        }
        let checkers = |color: Color| {
            kings(color)
                .into_iter()
                .map(|king| board.attackers(king, !color, board.occupied()))
                .map(|attackers| attackers.without(board.role(Role::King)).count())
                .max()
                .unwrap_or(0)
        };
        if checkers(!self.turn) > 0 {
            faults.insert(PositionFault::OppositeCheck);
        }
        let checkers = checkers(self.turn);
        if checkers > 2 {
            faults.insert(PositionFault::TooManyCheckers);
        }
        // With several kings, or adjacent ones, there is no last move to look for.
        let Some(king) = kings(self.turn).single() else {
            return;
        };
        if faults.has(PositionFault::AdjacentKings) {
            return;
        }
        if let Some(passed) = self.true_en_passant() {
            if !LastMove::new(self, king, true).can_be_double_step(passed) {
                faults.insert(PositionFault::CheckBeforeDoubleStep);
            }
        } else if matches!(checkers, 1 | 2) {
            if !LastMove::new(self, king, true).exists() {
                faults.insert(if checkers == 2 {
                    PositionFault::ImpossibleDoubleCheck
                } else {
                    PositionFault::ImpossibleCheck
                });
            } else if self.halfmoves > 0 && !LastMove::new(self, king, false).exists() {
                faults.insert(PositionFault::CheckAgainstClock);
            }
        }
    }
}
