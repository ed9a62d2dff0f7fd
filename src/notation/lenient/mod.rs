//! Moves written otherwise than the standard asks, where it is plain which move is meant.
//!
//! [`Loose::read`] takes everything that [`SanPlus::read`] takes and reads it alike; beyond that it understands long
//! algebraic notation, the notation of engines, and what handwriting, other traditions and careless programs make of
//! SAN. What is unusual about a word is a set of [`Deviations`]. What a word alone cannot show (a check mark without
//! check) is added once the move is known, by [`Loose::deviations`].

pub(crate) mod fallback;

mod deviation;
mod read;

use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::Role;
use crate::chess::position::Position;
use crate::chess::san::{San, SanPlus, Suffix};

pub use deviation::{Deviation, Deviations};
pub use fallback::SecondReadings;

/// A move read from a word, with what is unusual about the word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loose {
    /// The move.
    pub plus: SanPlus,
    /// What the word alone shows.
    pub deviations: Deviations,
}

/// Whether a byte ends a word of movetext: blanks, brackets and the signs that may stand behind a move.
pub(crate) fn is_word_end(byte: u8) -> bool {
    b" \t\n\r{}()!?$;.*".contains(&byte)
}

impl Loose {
    /// Everything unusual about the word, now that it is known which move it is and where it leads. `wanted` are the
    /// deviations of interest; others may be left out, which saves time.
    pub fn deviations(
        &self,
        before: &Position,
        mv: Move,
        after: &Position,
        wanted: Deviations,
    ) -> Deviations {
        use Deviation as D;
        let mut found = self.deviations;
        found = found.or(self.check_marks(after, wanted));
        if found.has(D::EnPassantMark) && mv.kind != MoveKind::EnPassant {
            found = found.without(D::EnPassantMark);
            found.add(D::SpuriousEnPassantMark);
        }
        if found.has(D::MarkInParentheses) {
            found = found.without(D::EnPassantMark).without(D::OddCheckMark);
        }
        let San::Piece {
            role,
            file,
            rank,
            capture,
            ..
        } = self.plus.san
        else {
            return found.and(wanted);
        };
        let square_given = file.is_some() && rank.is_some();
        // `g1f3` and `e1g1` were read as moves of a pawn; `e2e4` is one, and is written as engines do.
        let by_squares = role == Role::Pawn && square_given && !capture;
        let is_uci = by_squares && !found.has(D::LongAlgebraic) && !found.has(D::PawnLetter);
        found.add_if(
            role == Role::Pawn && square_given && capture && mv.role != Role::Pawn,
            D::LongAlgebraic,
        );
        if is_uci {
            found.add(D::Uci);
            found = found
                .without(D::PromotionWithoutEquals)
                .without(D::LowerCasePromotion);
        } else {
            found.add_if(self.is_small_bishop(mv), D::LowerCasePiece);
        }
        if !found.has(D::Uci) && !found.has(D::LongAlgebraic) {
            let captures = mv.captured.is_some();
            found.add_if(captures && !capture, D::MissingCaptureMark);
            found.add_if(!captures && capture, D::SpuriousCaptureMark);
            found = found.or(self.origin(before, mv));
        } else if mv.captured.is_none() {
            found.add_if(capture, D::SpuriousCaptureMark);
        }
        found.and(wanted)
    }

    /// Whether the word was read as a move of a pawn from the b-file, and is one of a bishop.
    fn is_small_bishop(&self, mv: Move) -> bool {
        match self.plus.san {
            San::Piece {
                role: Role::Pawn,
                rank: None,
                ..
            } => mv.role == Role::Bishop,
            _ => false,
        }
    }

    /// File or rank that the move does not need, or not in this order.
    fn origin(&self, before: &Position, mv: Move) -> Deviations {
        use Deviation as D;
        let mut found = Deviations::NONE;
        let (file, rank) = match self.plus.san {
            San::Piece { .. } if self.is_small_bishop(mv) => return found,
            San::Piece { file, rank, .. } => (file, rank),
            _ => (None, None),
        };
        if file.is_none() && rank.is_none() {
            return found;
        }
        let San::Piece {
            file: needed_file,
            rank: needed_rank,
            ..
        } = San::of(before, mv)
        else {
            return found;
        };
        match (
            file.is_some(),
            rank.is_some(),
            needed_file.is_some(),
            needed_rank.is_some(),
        ) {
            (true, true, needs_file, needs_rank) => {
                found.add_if(!(needs_file && needs_rank), D::NeedlessSquare);
            }
            (true, false, needs_file, _) => found.add_if(!needs_file, D::NeedlessFile),
            (false, true, true, false) => found.add(D::RankForFile),
            (false, true, _, needs_rank) => found.add_if(!needs_rank, D::NeedlessRank),
            (false, false, ..) => {}
        }
        found
    }

    fn check_marks(&self, after: &Position, wanted: Deviations) -> Deviations {
        use Deviation as D;
        let mut found = Deviations::NONE;
        let suffix = self.plus.suffix;
        let missing = Deviations::from_iter([D::MissingCheckMark, D::MissingMateMark]);
        if suffix.is_none() && !wanted.meets(missing) {
            return found;
        }
        if !after.is_check() {
            match suffix {
                None => {}
                Some(Suffix::Check) => found.add(D::SpuriousCheckMark),
                Some(Suffix::Checkmate) => found.add(D::SpuriousMateMark),
            }
            return found;
        }
        // `++` stands for mate in one tradition, and for a double check in another.
        let double = self.deviations.has(D::OddCheckMark) && after.checkers().count() > 1;
        match (suffix, after.has_legal_move()) {
            (None, true) => found.add(D::MissingCheckMark),
            (None, false) => found.add(D::MissingMateMark),
            (Some(Suffix::Check), false) => found.add(D::CheckMarkForMate),
            (Some(Suffix::Checkmate), true) if !double => found.add(D::MateMarkForCheck),
            _ => {}
        }
        found
    }
}
