//! From notation to the one legal move, and back.

use super::explain::SanError;
use super::{San, SanPlus, Suffix};
use crate::rules::attacks;
use crate::rules::bitboard::Bitboard;
use crate::rules::moves::{Move, MoveKind};
use crate::rules::piece::{Color, Role};
use crate::rules::position::Position;
use crate::rules::square::{File, Rank, Square};

impl San {
    /// The legal move of a position that the notation names.
    ///
    /// A missing or superfluous capture mark is forgiven where it leaves no doubt; a pawn capture needs the pawn's
    /// file. Moves that would be ambiguous but for a pin are not (PGN standard 8.2.3.4).
    ///
    /// # Errors
    ///
    /// Why there is no such move, or between which the notation does not decide.
    #[inline(always)]
    pub fn to_move(&self, position: &Position) -> Result<Move, SanError> {
        self.find(position).ok_or_else(|| self.why_not(position))
    }

    /// Why the notation names no single legal move of a position, where [`San::find`] finds none.
    #[cold]
    pub fn why_not(&self, position: &Position) -> SanError {
        SanError::explain(*self, position)
    }

    /// The legal move that the notation names, as [`San::to_move`] finds it; nothing if there is not exactly one.
    ///
    /// Only the candidates' legality is looked at, no move list is made.
    #[inline(always)]
    pub fn find(&self, position: &Position) -> Option<Move> {
        match *self {
            San::Piece {
                role: Role::Pawn,
                file,
                rank,
                capture,
                to,
                promotion,
            } => find_pawn(position, file, rank, capture, to, promotion),
            San::Piece {
                role,
                file,
                rank,
                to,
                promotion: None,
                ..
            } => {
                let reaching = pieces_reaching(position, role, file, rank, to);
                let from = match reaching.single() {
                    Some(from) => position.leaves_king_safe(role, from, to).then_some(from)?,
                    None => only_unpinned(position, role, reaching, to)?,
                };
                Some(Move {
                    role,
                    from,
                    to,
                    captured: position.board().role_on(to),
                    kind: MoveKind::Normal,
                })
            }
            San::Castle(side) => {
                let us = position.turn();
                let rook = position.castling_rook(us, side)?;
                position.is_castling_legal(rook).then(|| Move {
                    role: Role::King,
                    from: position.king(us),
                    to: rook,
                    captured: None,
                    kind: MoveKind::Castle,
                })
            }
            San::Piece { .. } | San::Drop { .. } | San::Null => None,
        }
    }

    /// The notation of a legal move: as short as the other legal moves allow, file before rank before both.
    pub fn of(position: &Position, mv: Move) -> San {
        if let Some(side) = mv.castling_side() {
            return San::Castle(side);
        }
        let (mut file, mut rank) = (None, None);
        if mv.role == Role::Pawn {
            if mv.captured.is_some() {
                file = Some(mv.from.file());
            }
        } else if mv.role != Role::King {
            let mut others = pieces_reaching(position, mv.role, None, None, mv.to)
                .without(Bitboard::of(mv.from));
            if others.any() {
                others = others
                    .into_iter()
                    .filter(|&from| position.leaves_king_safe(mv.role, from, mv.to))
                    .collect();
            }
            if others.any() {
                let on_file = (others & Bitboard::file(mv.from.file())).any();
                let on_rank = (others & Bitboard::rank(mv.from.rank())).any();
                if !on_file || on_rank {
                    file = Some(mv.from.file());
                }
                if on_file {
                    rank = Some(mv.from.rank());
                }
            }
        }
        San::Piece {
            role: mv.role,
            file,
            rank,
            capture: mv.captured.is_some(),
            to: mv.to,
            promotion: mv.promotion(),
        }
    }
}

impl SanPlus {
    /// The notation of a legal move with its check mark. `after` is the position the move leads to.
    pub fn of(before: &Position, mv: Move, after: &Position) -> SanPlus {
        let suffix = if after.is_check() {
            Some(if after.has_legal_move() {
                Suffix::Check
            } else {
                Suffix::Checkmate
            })
        } else {
            None
        };
        SanPlus {
            san: San::of(before, mv),
            suffix,
        }
    }
}

/// The pieces of the side to move, other than pawns, that the notation can mean and that attack the square; none if
/// their own side stands on it.
#[inline(always)]
pub(super) fn pieces_reaching(
    position: &Position,
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
) -> Bitboard {
    let board = position.board();
    let us = position.turn();
    let ours = board.color(us);
    if ours.has(to) {
        return Bitboard::EMPTY;
    }
    let meant = ours & board.role(role) & origin(file, rank);
    // Pieces other than pawns attack both ways alike, and what is between a knight or a king and its target is nothing:
    // one table serves all of them, and no guess which it is.
    let in_line = attacks::rays(role, to) & meant;
    let reaches = |from: Square| (attacks::between(from, to) & board.occupied()).is_empty();
    match in_line.single() {
        Some(from) if reaches(from) => in_line,
        Some(_) => Bitboard::EMPTY,
        None => in_line.into_iter().filter(|&from| reaches(from)).collect(),
    }
}

/// The squares a given file and rank leave.
#[inline]
pub(super) fn origin(file: Option<File>, rank: Option<Rank>) -> Bitboard {
    file.map_or(Bitboard::FULL, Bitboard::file) & rank.map_or(Bitboard::FULL, Bitboard::rank)
}

/// The only one of several pieces that may go to the square, if there is just one.
fn only_unpinned(
    position: &Position,
    role: Role,
    reaching: Bitboard,
    to: Square,
) -> Option<Square> {
    reaching
        .into_iter()
        .filter(|&from| position.leaves_king_safe(role, from, to))
        .collect::<Bitboard>()
        .single()
}

#[inline]
fn find_pawn(
    position: &Position,
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let us = position.turn();
    let board = position.board();
    let kind = match promotion {
        None if to.rank() != us.promotion_rank() => MoveKind::Normal,
        Some(role @ (Role::Queen | Role::Rook | Role::Bishop | Role::Knight))
            if to.rank() == us.promotion_rank() =>
        {
            MoveKind::Promotion(role)
        }
        _ => return None,
    };
    let (from, captured, kind) = match file {
        Some(file) if file != to.file() => {
            let pawn = attacks::pawn(!us, to) & board.of(us, Role::Pawn) & Bitboard::file(file);
            let from = pawn.first()?;
            if position.en_passant() == Some(to) {
                if !position.is_en_passant_legal(from, to) {
                    return None;
                }
                (from, Some(Role::Pawn), MoveKind::EnPassant)
            } else {
                if !board.color(!us).has(to) {
                    return None;
                }
                (from, board.role_on(to), kind)
            }
        }
        _ if capture => return None,
        _ => (pushing_pawn(position, to)?, None, kind),
    };
    if rank.is_some_and(|rank| rank != from.rank())
        || kind != MoveKind::EnPassant && !position.leaves_king_safe(Role::Pawn, from, to)
    {
        return None;
    }
    Some(Move {
        role: Role::Pawn,
        from,
        to,
        captured,
        kind,
    })
}

/// The pawn of the side to move that can go straight to a square.
#[inline]
pub(super) fn pushing_pawn(position: &Position, to: Square) -> Option<Square> {
    let us = position.turn();
    let occupied = position.board().occupied();
    let pawns = position.board().of(us, Role::Pawn);
    if occupied.has(to) {
        return None;
    }
    let (back, double_rank) = match us {
        Color::White => (-8, 3),
        Color::Black => (8, 4),
    };
    let behind = |square: Square| {
        let index = square.index() as i32 + back;
        (0..64)
            .contains(&index)
            .then(|| Square::new(index as usize))
    };
    let one = behind(to)?;
    if pawns.has(one) {
        return Some(one);
    }
    let two = behind(one)?;
    (to.rank().index() == double_rank && !occupied.has(one) && pawns.has(two)).then_some(two)
}

impl Position {
    /// Whether a piece that can reach a square may go there without leaving its king in check. Not for castling or
    /// en passant.
    ///
    /// Looks at the enemy sliders in line with the king one by one: there are none or one as a rule, and the small tables
    /// of rays and of squares between stay in the nearest cache, which those of slider attacks do not.
    #[inline]
    pub(super) fn leaves_king_safe(&self, role: Role, from: Square, to: Square) -> bool {
        let us = self.turn();
        let board = self.board();
        let (king, occupied) = if role == Role::King {
            (to, board.occupied() ^ Bitboard::of(from))
        } else {
            let occupied = board.occupied() ^ Bitboard::of(from) | Bitboard::of(to);
            (self.king(us), occupied)
        };
        let theirs = board.color(!us).without(Bitboard::of(to));
        let near = attacks::knight(king) & board.role(Role::Knight)
            | attacks::pawn(us, king) & board.role(Role::Pawn)
            | attacks::king(king) & board.role(Role::King);
        let snipers = theirs
            & (attacks::rook_rays(king) & board.straight_sliders()
                | attacks::bishop_rays(king) & board.diagonal_sliders());
        (near & theirs).is_empty()
            && snipers
                .into_iter()
                .all(|sniper| (attacks::between(king, sniper) & occupied).any())
    }

    /// The enemy pieces that would attack the king of the side to move after such a move.
    pub(super) fn attackers_after(&self, role: Role, from: Square, to: Square) -> Bitboard {
        let us = self.turn();
        let board = self.board();
        let occupied = board.occupied() ^ Bitboard::of(from);
        if role == Role::King {
            return board.attackers(to, !us, occupied);
        }
        board
            .attackers(self.king(us), !us, occupied | Bitboard::of(to))
            .without(Bitboard::of(to))
    }
}
