//! A position as it is written down, legal or not.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::{CastlingSide, chess960_rights};
use crate::chess::piece::{Color, Role};
use crate::chess::square::{File, Rank, Square};

/// A position as it is written down, legal or not. [`Position::new`](crate::chess::Position::new)
/// makes it playable.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Bitboard, Setup};
/// let setup: Setup = "8/8/8/8/8/8/8/K1k5 w - - 0 1".parse()?;
/// assert!(setup.faults().is_empty());
///
/// let mut setup = Setup::initial();
/// setup.castling = Bitboard::EMPTY;
/// setup.board.clear("e8".parse()?);
/// assert_eq!(setup.faults().to_string(), "Black has no king");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Placement of the pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The squares of the rooks said to have castling rights.
    pub castling: Bitboard,
    /// Square passed by a pawn that has just made a double step, whether or not a capture is
    /// possible.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move, without a cap.
    pub halfmoves: u32,
    /// The number of the coming move, from 1.
    pub fullmoves: u32,
    /// Whether `halfmoves` is given; otherwise there may have been more.
    pub knows_halfmoves: bool,
    /// Whether `fullmoves` is given; otherwise it may be any number.
    pub knows_fullmoves: bool,
}

impl Setup {
    /// The initial position of standard chess.
    pub fn initial() -> Setup {
        use Role::{Bishop, King, Knight, Queen, Rook};
        const ROLES: [Role; 8] = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        let mut board = Board::EMPTY;
        for color in Color::ALL {
            for (file, role) in File::ALL.into_iter().zip(ROLES) {
                let square = Square::at(file, color.back_rank());
                board.toggle(square, color, role);
                let pawn = Bitboard::of(square).ahead(color).first_or_a1();
                board.toggle(pawn, color, Role::Pawn);
            }
        }
        let corners = [File::A, File::H].map(Bitboard::file);
        Setup {
            board,
            turn: Color::White,
            castling: (corners[0] | corners[1]) & Bitboard::BACK_RANKS,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
            knows_halfmoves: true,
            knows_fullmoves: true,
        }
    }

    /// Castling rights that standard chess does not have, but Chess960 does.
    pub(crate) fn chess960_rights(&self) -> Bitboard {
        chess960_rights(&self.board, self.true_castling())
    }

    /// Castling rights whose king and rook are in place: on their back rank, with one rook a side.
    pub(crate) fn true_castling(&self) -> Bitboard {
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

    /// The en passant square if a pawn can just have passed it: the pawn is in place, and the
    /// square itself and the pawn's origin are empty.
    pub(crate) fn true_en_passant(&self) -> Option<Square> {
        let square = self.en_passant?;
        let (pawn, origin) = self.double_step(square)?;
        let occupied = self.board.occupied();
        (self.board.of(!self.turn, Role::Pawn).has(pawn)
            && !occupied.has(square)
            && !occupied.has(origin))
        .then_some(square)
    }

    /// Square and origin of the pawn that has just passed a square in a double step; `None` on any
    /// other rank.
    pub(crate) fn double_step(&self, passed: Square) -> Option<(Square, Square)> {
        let (rank, forward) = match self.turn {
            Color::White => (Rank::new(5), 8),
            Color::Black => (Rank::new(2), -8),
        };
        let beside = |by: i32| Square::new((passed.index() as i32 + by) as usize);
        (passed.rank() == rank).then(|| (beside(-forward), beside(forward)))
    }
}
