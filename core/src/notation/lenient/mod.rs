//! Lenient SAN: moves that deviate from the standard without ambiguity.
//!
//! [`LenientSan::read`] reads everything that [`SanPlus::read`] reads, in the same way; beyond that
//! it accepts long algebraic notation, UCI notation, and variants of SAN from handwriting, other
//! traditions and careless programs. The deviations of a word are a set of [`NotationVariants`].
//! [`LenientSan::variants`] adds those that depend on the move, such as a check mark without check.

mod read;
mod variant;

use crate::chess::castling::CastlingSide;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::Role;
use crate::chess::position::Position;
use crate::chess::san::{PieceMove, San, SanPlus, Suffix};
use crate::chess::square::{File, Square};

pub(crate) use read::begins_sign;
pub use variant::{NotationVariant, NotationVariants};

/// Move read leniently.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::notation::{LenientSan, LetterSet, NotationVariant};
/// let (lenient, length) = LenientSan::read(b"0-0 Nf6", LetterSet::english()).unwrap();
/// assert_eq!((lenient.plus.to_string().as_str(), length), ("O-O", 3));
/// assert!(lenient.variants.has(NotationVariant::CastlingWithZeros));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LenientSan {
    /// The move.
    pub plus: SanPlus,
    /// Deviations of the word itself.
    pub variants: NotationVariants,
}

/// Whether a byte ends a word of movetext: white space, brackets, and suffixes of moves.
pub(crate) fn is_word_end(byte: u8) -> bool {
    b" \t\n\r{}()!?$;.*".contains(&byte)
}

impl LenientSan {
    /// All deviations of the word, for the move that it names and the position after it. Deviations
    /// that are not `wanted` may be missing, which saves time.
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
        let San::Piece(PieceMove {
            role,
            file,
            rank,
            capture,
            ..
        }) = self.plus.san
        else {
            return found.and(wanted);
        };
        found.add_if(
            mv.role == Role::Pawn && self.bishop_instead(before).is_some(),
            V::PawnOrBishop,
        );
        let square_given = file.is_some() && rank.is_some();
        // `g1f3` and `e1g1` were read as pawn moves; `e2e4` is one, in UCI notation.
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

    /// The bishop's move that `bb3` or `bc3` may mean, even if it can be read as a pawn move. SAN
    /// names the file of a pawn only in captures, with `x`.
    pub fn bishop_instead(&self, before: &Position) -> Option<Move> {
        match self.plus.san {
            San::Piece(PieceMove {
                role: Role::Pawn,
                file: Some(File::B),
                rank: None,
                capture: false,
                to,
                promotion: None,
            }) => bishop(false, to).find(before),
            _ => None,
        }
    }

    /// Whether the word was read as a move of the b-pawn, and is one of a bishop.
    fn is_small_bishop(&self, mv: Move) -> bool {
        let San::Piece(piece) = self.plus.san else {
            return false;
        };
        piece.role == Role::Pawn && piece.rank.is_none() && mv.role == Role::Bishop
    }

    /// Needless file or rank, or rank instead of file.
    fn origin(&self, before: &Position, mv: Move) -> NotationVariants {
        use NotationVariant as V;
        let mut found = NotationVariants::NONE;
        let names = |san| match san {
            San::Piece(piece) => Some((piece.file.is_some(), piece.rank.is_some())),
            _ => None,
        };
        let Some(named @ ((true, _) | (_, true))) = names(self.plus.san) else {
            return found;
        };
        if self.is_small_bishop(mv) {
            return found;
        }
        let Some(needed) = names(San::of(before, mv)) else {
            return found;
        };
        match (named, needed) {
            ((true, true), needed) => found.add_if(needed != (true, true), V::NeedlessSquare),
            ((true, false), (needs_file, _)) => found.add_if(!needs_file, V::NeedlessFile),
            ((false, _), (true, false)) => found.add(V::RankForFile),
            ((false, _), (_, needs_rank)) => found.add_if(!needs_rank, V::NeedlessRank),
        }
        found
    }

    fn check_marks(&self, after: &Position, wanted: NotationVariants) -> NotationVariants {
        use NotationVariant as V;
        let mut found = NotationVariants::NONE;
        let suffix = self.plus.suffix;
        let missing = NotationVariants::from_iter([V::MissingCheckMark, V::MissingMateMark]);
        if suffix.is_none() && wanted.and(missing) == NotationVariants::NONE {
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
        // `++` means mate in one tradition and double check in another.
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

/// When a text whose reading as a pawn move is illegal is read as another piece's move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fallback {
    /// Never: the letters are not English.
    Never,
    /// Only if the move is written as short as possible; a longer one may name the pawn by its
    /// letter.
    ShortestOnly,
    /// Always: no pawn is named by its letter.
    Always,
}

/// Move meant by a text in English letters whose reading as a pawn move is illegal: `bc4` the
/// bishop's move `Bc4`, `g1f3`, `g1-f3` and `d6xe5` the move of whatever piece stands on the first
/// square, `e1g1` castling.
pub fn fallback_move(san: San, position: &Position) -> Option<Move> {
    let San::Piece(PieceMove {
        role: Role::Pawn,
        file: Some(file),
        rank,
        capture,
        to,
        promotion: None,
    }) = san
    else {
        return None;
    };
    if let Some(rank) = rank
        && let Some(mv) = by_squares(position, Square::at(file, rank), capture, to)
    {
        return Some(mv);
    }
    match (file, rank) {
        (File::B, None) => bishop(capture, to).find(position),
        _ => None,
    }
}

fn bishop(capture: bool, to: Square) -> San {
    San::Piece(PieceMove {
        role: Role::Bishop,
        file: None,
        rank: None,
        capture,
        to,
        promotion: None,
    })
}

/// Length of a pawn move in bytes, without dash, check mark and pawn letter; 0 for other moves.
pub(crate) fn pawn_move_length(san: San) -> usize {
    let San::Piece(piece) = san else {
        return 0;
    };
    let origin = usize::from(piece.file.is_some()) + usize::from(piece.rank.is_some());
    2 + origin + usize::from(piece.capture)
}

/// The move from a square to another, if it is not that of a pawn. Castling is written by the
/// king's squares, or, in Chess960, by those of king and rook.
fn by_squares(position: &Position, from: Square, capture: bool, to: Square) -> Option<Move> {
    let us = position.turn();
    let board = position.board();
    let role = board.role_on(from).filter(|_| board.color(us).has(from))?;
    if role == Role::Pawn {
        return None;
    }
    let san = San::Piece(PieceMove {
        role,
        file: Some(from.file()),
        rank: Some(from.rank()),
        capture,
        to,
        promotion: None,
    });
    let step = san.find(position);
    if step.is_some() || role != Role::King || capture {
        return step;
    }
    [CastlingSide::King, CastlingSide::Queen]
        .into_iter()
        .filter(|side| {
            position.castling_rook(us, *side) == Some(to)
                || side.king_to(us) == to && from.file().index().abs_diff(to.file().index()) > 1
        })
        .find_map(|side| San::Castle(side).find(position))
}
