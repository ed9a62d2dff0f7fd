//! Repetition keys: the parts of two positions that must be equal for them to count as the same.

use std::fmt;

use strum::IntoStaticStr;

/// The parts of two positions that must be equal for them to count as the same, besides the pieces
/// on their squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RepetitionKey {
    /// Whether the same side must be to move.
    pub turn: bool,
    /// The part of castling.
    pub castling: CastlingPart,
    /// The part of capturing en passant.
    pub en_passant: EnPassantPart,
}

/// The part of castling that belongs to a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum CastlingPart {
    /// Nothing.
    Ignored,
    /// The castling rights, whether or not they can be used now (FIDE Laws 2023 art. 9.2.3.2).
    Rights,
    /// The castling moves that the side to move can make now.
    Ability,
}

/// The part of capturing en passant that belongs to a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum EnPassantPart {
    /// Nothing.
    Ignored,
    /// The square passed by any double step, as many programs write it into a FEN.
    Raw,
    /// That square if an enemy pawn stands beside the pawn, whether or not it may capture.
    PseudoLegal,
    /// That square if a capture there is legal (FIDE Laws 2023 art. 9.2.3.1).
    Legal,
}

impl RepetitionKey {
    /// The reading of FIDE: side to move, castling rights, legal captures en passant.
    pub const FIDE: RepetitionKey = RepetitionKey {
        turn: true,
        castling: CastlingPart::Rights,
        en_passant: EnPassantPart::Legal,
    };
    /// The pieces on their squares only.
    pub(crate) const BOARD: RepetitionKey = RepetitionKey {
        turn: false,
        castling: CastlingPart::Ignored,
        en_passant: EnPassantPart::Ignored,
    };
    /// The pieces on their squares, and the side to move.
    pub const BOARD_AND_TURN: RepetitionKey = RepetitionKey {
        turn: true,
        ..RepetitionKey::BOARD
    };
    /// The legal moves of the side to move: castling counts only while it is possible.
    pub(crate) const LEGAL_MOVES: RepetitionKey = RepetitionKey {
        castling: CastlingPart::Ability,
        ..RepetitionKey::FIDE
    };
    /// As FIDE's, but every double step makes a position of its own.
    pub(crate) const RAW_EN_PASSANT: RepetitionKey = RepetitionKey {
        en_passant: EnPassantPart::Raw,
        ..RepetitionKey::FIDE
    };
    /// As FIDE's, but a pawn beside one that has just passed it counts even if it may not capture.
    pub(crate) const PSEUDO_LEGAL_EN_PASSANT: RepetitionKey = RepetitionKey {
        en_passant: EnPassantPart::PseudoLegal,
        ..RepetitionKey::FIDE
    };

    /// Whether positions that are the same under the key are the same in FIDE's reading, by which
    /// positions are hashed.
    pub(crate) fn is_as_fine_as_fide(self) -> bool {
        let sees_castling = self.castling == CastlingPart::Rights;
        self.turn && sees_castling && self.en_passant != EnPassantPart::Ignored
    }
}

impl fmt::Display for RepetitionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("board")?;
        if self.turn {
            f.write_str(", turn")?;
        }
        f.write_str(match self.castling {
            CastlingPart::Ignored => "",
            CastlingPart::Rights => ", castling rights",
            CastlingPart::Ability => ", castling moves possible now",
        })?;
        f.write_str(match self.en_passant {
            EnPassantPart::Ignored => "",
            EnPassantPart::Raw => ", every en passant square",
            EnPassantPart::PseudoLegal => ", en passant if a pawn stands beside",
            EnPassantPart::Legal => ", en passant if legal",
        })
    }
}
