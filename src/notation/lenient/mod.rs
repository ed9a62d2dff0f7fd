//! Moves written otherwise than the standard asks, where it is plain which move is meant.
//!
//! [`LenientSan::read`] takes everything that [`SanPlus::read`] takes and reads it alike; beyond that it understands long
//! algebraic notation, the notation of engines, and what handwriting, other traditions and careless programs make of
//! SAN. What is unusual about a word is a set of [`NotationVariants`]. What a word alone cannot show (a check mark without
//! check) is added once the move is known, by [`LenientSan::variants`].

mod fallback;

mod read;
mod variant;

use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::Role;
use crate::chess::position::Position;
use crate::chess::san::{San, SanPlus, Suffix};

pub(crate) use fallback::pawn_move_length;
pub use fallback::{Fallback, fallback_move};
pub use variant::{NotationVariant, NotationVariants};

/// A move read from a word, with what is unusual about the word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LenientSan {
    /// The move.
    pub plus: SanPlus,
    /// What the word alone shows.
    pub variants: NotationVariants,
}

/// Whether a byte ends a word of movetext: blanks, brackets and the signs that may stand behind a move.
pub(crate) fn is_word_end(byte: u8) -> bool {
    b" \t\n\r{}()!?$;.*".contains(&byte)
}

impl LenientSan {
    /// Everything unusual about the word, now that it is known which move it is and where it leads. `wanted` are the
    /// variants of interest; others may be left out, which saves time.
    pub fn variants(
        &self,
        before: &Position,
        mv: Move,
        after: &Position,
        wanted: NotationVariants,
    ) -> NotationVariants {
        use NotationVariant as V;
        let mut found = self.variants;
        found = found.or(self.check_marks(after, wanted));
        if found.has(V::EnPassantMark) && mv.kind != MoveKind::EnPassant {
            found = found.without(V::EnPassantMark);
            found.add(V::SpuriousEnPassantMark);
        }
        if found.has(V::MarkInParentheses) {
            found = found.without(V::EnPassantMark).without(V::OddCheckMark);
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
        let is_uci = by_squares && !found.has(V::LongAlgebraic) && !found.has(V::PawnLetter);
        found.add_if(
            role == Role::Pawn && square_given && capture && mv.role != Role::Pawn,
            V::LongAlgebraic,
        );
        if is_uci {
            found.add(V::Uci);
            found = found
                .without(V::PromotionWithoutEquals)
                .without(V::LowerCasePromotion);
        } else {
            found.add_if(self.is_small_bishop(mv), V::LowerCasePiece);
        }
        if !found.has(V::Uci) && !found.has(V::LongAlgebraic) {
            let captures = mv.captured.is_some();
            found.add_if(captures && !capture, V::MissingCaptureMark);
            found.add_if(!captures && capture, V::SpuriousCaptureMark);
            found = found.or(self.origin(before, mv));
        } else if mv.captured.is_none() {
            found.add_if(capture, V::SpuriousCaptureMark);
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
    fn origin(&self, before: &Position, mv: Move) -> NotationVariants {
        use NotationVariant as V;
        let mut found = NotationVariants::NONE;
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
                found.add_if(!(needs_file && needs_rank), V::NeedlessSquare);
            }
            (true, false, needs_file, _) => found.add_if(!needs_file, V::NeedlessFile),
            (false, true, true, false) => found.add(V::RankForFile),
            (false, true, _, needs_rank) => found.add_if(!needs_rank, V::NeedlessRank),
            (false, false, ..) => {}
        }
        found
    }

    fn check_marks(&self, after: &Position, wanted: NotationVariants) -> NotationVariants {
        use NotationVariant as V;
        let mut found = NotationVariants::NONE;
        let suffix = self.plus.suffix;
        let missing = NotationVariants::from_iter([V::MissingCheckMark, V::MissingMateMark]);
        if suffix.is_none() && !wanted.meets(missing) {
            return found;
        }
        if !after.is_check() {
            match suffix {
                None => {}
                Some(Suffix::Check) => found.add(V::SpuriousCheckMark),
                Some(Suffix::Checkmate) => found.add(V::SpuriousMateMark),
            }
            return found;
        }
        // `++` stands for mate in one tradition, and for a double check in another.
        let double = self.variants.has(V::OddCheckMark) && after.checkers().count() > 1;
        match (suffix, after.has_legal_move()) {
            (None, true) => found.add(V::MissingCheckMark),
            (None, false) => found.add(V::MissingMateMark),
            (Some(Suffix::Check), false) => found.add(V::CheckMarkForMate),
            (Some(Suffix::Checkmate), true) if !double => found.add(V::MateMarkForCheck),
            _ => {}
        }
        found
    }
}
