//! Verification of a proof, independent of the search that found it.
//!
//! Each position of the set is decoded square by square and validated like a FEN, and each of its
//! legal moves is looked up in the set. This is slow, but short enough to be reviewed.

use std::collections::HashSet;
use std::fmt;

use crate::chess::bitboard::Bitboard;
use crate::chess::moves::Move;
use crate::chess::packed::PackedPosition;
use crate::chess::piece::{Color, Piece, Role};
use crate::chess::position::Position;
use crate::chess::setup::Setup;
use crate::chess::square::Square;
use crate::winnability::reachability::ClosureProof;

/// Fault of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofFault {
    /// The position in question is not in the set.
    RootMissing,
    /// An element of the set is not a position.
    NotAPosition,
    /// A position of the set is mate by the side.
    Mate(Box<Position>),
    /// A legal move leads out of the set.
    Open(Box<Position>, Move),
}

impl fmt::Display for ProofFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofFault::RootMissing => f.write_str("the position is not in its own set"),
            ProofFault::NotAPosition => f.write_str("the set holds something that is no position"),
            ProofFault::Mate(position) => write!(f, "`{position}` is mate"),
            ProofFault::Open(position, mv) => write!(
                f,
                "`{}` in `{position}` leads out of the set",
                mv.uci(position.castling_mode())
            ),
        }
    }
}

impl std::error::Error for ProofFault {}

impl ClosureProof {
    /// Verifies the proof by the rules alone: no position of the set is a mate by the side, and
    /// every legal move leads to another position of the set, unless the side has insufficient
    /// material.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn verify(&self) -> Result<(), ProofFault> {
        let setups: Vec<Setup> = self.states.iter().map(setup).collect();
        let set: HashSet<String> = setups.iter().map(identity).collect();
        if !set.contains(&identity(&self.root.setup())) {
            return Err(ProofFault::RootMissing);
        }
        for setup in &setups {
            let position = Position::new(setup).map_err(|_| ProofFault::NotAPosition)?;
            if position.is_checkmate() && position.turn() != self.side {
                return Err(ProofFault::Mate(Box::new(position)));
            }
            if position.board().has_insufficient_material(self.side) {
                continue;
            }
            for mv in position.legal_moves() {
                let after = position.after(mv);
                if !set.contains(&identity(&after.setup())) {
                    return Err(ProofFault::Open(Box::new(position), mv));
                }
            }
        }
        Ok(())
    }
}

/// Identity of a position as text: its FEN without clocks.
fn identity(setup: &Setup) -> String {
    let bare = Setup {
        halfmoves: 0,
        fullmoves: 1,
        ..setup.clone()
    };
    format!("{bare:#}")
}

/// Decodes a position square by square.
fn setup(packed: &PackedPosition) -> Setup {
    const ROLES: [Role; 7] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
        Role::Rook,
    ];
    let mut setup = Setup {
        board: crate::chess::Board::EMPTY,
        turn: packed.turn(),
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
    };
    for square in Square::all() {
        let (number, black) = packed.on(square);
        let color = if black { Color::Black } else { Color::White };
        match number {
            0 if black => setup.en_passant = Some(square),
            0 => {}
            _ => {
                let role = ROLES[number - 1];
                setup.board.put(square, Piece { color, role });
                if number == 7 {
                    setup.castling |= Bitboard::of(square);
                }
            }
        }
    }
    setup
}
