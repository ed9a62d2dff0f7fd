//! Finding the reason why a notation names no legal move.

use crate::chess::attacks;
use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::Role;
use crate::chess::position::Position;
use crate::chess::san::resolve::{pieces_reaching, pushing_pawn, unpinned};
use crate::chess::san::syntax::{PieceMove, San};
use crate::chess::san::{CastlingObstacle, Man, SanError};
use crate::chess::setup::Setup;
use crate::chess::square::{File, Square};

impl San {
    /// The legal move of a position that the notation names.
    ///
    /// A missing or superfluous capture mark is accepted if there is no doubt; a pawn capture needs
    /// the pawn's file. A pinned piece makes no move ambiguous (PGN standard 8.2.3.4).
    ///
    /// # Errors
    ///
    /// The reason why there is no such move, or not exactly one.
    #[inline(always)]
    pub fn to_move(&self, position: &Position) -> Result<Move, SanError> {
        self.find(position).ok_or_else(|| self.why_not(position))
    }

    /// The reason why [`San::find`] finds no move.
    #[cold]
    pub fn why_not(&self, position: &Position) -> SanError {
        explain(*self, position)
    }

    /// The move that the notation names if the safety of the king and the right to castle do not
    /// count; `why` is [`San::why_not`].
    ///
    /// `None` unless exactly one piece can make it, if it captures a king or a king goes beside the
    /// other, and after mate or stalemate.
    #[cold]
    pub(crate) fn illegal_move(&self, position: &Position, why: &SanError) -> Option<Move> {
        let (us, board) = (position.turn(), position.board());
        let mv = match (*why, *self) {
            (SanError::Castling(_, CastlingObstacle::Blocked(_)), _) => return None,
            (SanError::Castling(side, _), _) => {
                let rook = position.castling_rook(us, side);
                let rook = rook.or_else(|| rook_at_home(position, side))?;
                Move::new(Role::King, position.king(us), rook, None, MoveKind::Castle)
            }
            (
                SanError::Pinned { .. }
                | SanError::StillInCheck(_)
                | SanError::IntoCheck(_)
                | SanError::EnPassantExposes(_),
                San::Piece(piece),
            ) => {
                let PieceMove { role, to, .. } = piece;
                let is_push = piece.file.is_none_or(|file| file == to.file());
                let from = match piece.file.zip(piece.rank) {
                    Some((file, rank)) => Square::at(file, rank),
                    None if role == Role::Pawn && is_push => pushing_pawn(position, to)?,
                    None => {
                        let reaching = attacks::piece(role, !us, to, board.occupied());
                        (reaching & board.of(us, role) & piece.origin()).single()?
                    }
                };
                // A move given by its squares names no role.
                let role = board.role_on(from)?;
                let (captured, kind) = match (why, piece.promotion) {
                    (SanError::EnPassantExposes(_), _) => (Some(Role::Pawn), MoveKind::EnPassant),
                    (_, Some(becomes)) if role == Role::Pawn => {
                        (board.role_on(to), MoveKind::Promotion(becomes))
                    }
                    _ => (board.role_on(to), MoveKind::Normal),
                };
                Move::new(role, from, to, captured, kind)
            }
            _ => return None,
        };
        let meets_king = mv.captured == Some(Role::King)
            || mv.role == Role::King && attacks::king(mv.to).has(position.king(!us));
        (!meets_king && position.has_legal_move()).then_some(mv)
    }
}

/// Rook that would castle to a side in standard chess if neither it nor the king had moved.
fn rook_at_home(position: &Position, side: CastlingSide) -> Option<Square> {
    let (us, board) = (position.turn(), position.board());
    let king = Square::at(File::E, us.back_rank());
    let rook = side.corner(us);
    let is_home = position.king(us) == king && board.of(us, Role::Rook).has(rook);
    let between = attacks::between(king, rook) & board.occupied();
    (is_home && between.is_empty()).then_some(rook)
}

fn explain(san: San, position: &Position) -> SanError {
    match san {
        San::Null => SanError::NullMove,
        San::Drop { .. } => SanError::Drop,
        San::Castle(side) => SanError::Castling(side, castling_obstacle(position, side)),
        San::Piece(pawn) if pawn.role == Role::Pawn => explain_pawn(position, pawn),
        San::Piece(piece) => explain_piece(position, piece),
    }
}

fn man(position: &Position, square: Square) -> Man {
    Man {
        role: position.board().role_on(square).unwrap_or(Role::Pawn),
        square,
    }
}

fn explain_piece(position: &Position, piece: PieceMove) -> SanError {
    let PieceMove { role, to, .. } = piece;
    let color = position.turn();
    let board = position.board();
    let meant = board.of(color, role) & piece.origin();
    if meant.is_empty() {
        return SanError::NoPiece(color, piece);
    }
    if piece.promotion.is_some() {
        return SanError::PromotionElsewhere;
    }
    if board.color(color).has(to) {
        return SanError::OwnPiece(man(position, to));
    }
    let reaching = pieces_reaching(position, piece);
    let safe = unpinned(position, piece, reaching);
    if safe.any() {
        return SanError::Ambiguous {
            role,
            to,
            from: safe,
        };
    }
    let none_reaches = SanError::NoneReaches(piece);
    if let Some(from) = reaching.first() {
        return explain_check(position, role, from, to).unwrap_or(none_reaches);
    }
    let through = attacks::piece(role, color, to, Bitboard::EMPTY) & meant;
    for from in through {
        let blockers = attacks::between(from, to) & board.occupied();
        if let Some(at) = nearest(from, to, blockers) {
            return SanError::Blocked {
                piece: man(position, from),
                to,
                at,
            };
        }
    }
    none_reaches
}

/// Check that keeps a piece from a square that it can reach.
fn explain_check(position: &Position, role: Role, from: Square, to: Square) -> Option<SanError> {
    let attackers = position.attackers_after(role, from, to);
    let by = man(position, attackers.first()?);
    Some(if role == Role::King {
        SanError::IntoCheck(by)
    } else if position.checkers().has(by.square) {
        SanError::StillInCheck(by)
    } else {
        SanError::Pinned {
            piece: man(position, from),
            king: position.king(position.turn()),
            by,
        }
    })
}

fn explain_pawn(position: &Position, pawn: PieceMove) -> SanError {
    let color = position.turn();
    let board = position.board();
    if pawn.capture && pawn.file.is_none() {
        return SanError::CaptureWithoutFile;
    }
    let captures = pawn.file.is_some_and(|file| file != pawn.to.file());
    // Without a file the pawn comes straight ahead.
    let pawn = PieceMove {
        file: pawn.file.or(Some(pawn.to.file())),
        ..pawn
    };
    let PieceMove { role, to, .. } = pawn;
    let meant = board.of(color, role) & pawn.origin();
    if meant.is_empty() {
        // A move given by its squares names no role.
        return match (pawn.file, pawn.rank) {
            (Some(file), Some(rank)) => explain_squares(position, Square::at(file, rank), pawn),
            _ => SanError::NoPiece(color, pawn),
        };
    }
    let none_reaches = SanError::NoneReaches(pawn);
    if pawn.capture && !board.occupied().has(to) && !captures {
        return SanError::NothingToCapture(to);
    }
    let from = if captures {
        let Some(from) = (attacks::pawn(!color, to) & meant).first() else {
            return none_reaches;
        };
        if board.color(color).has(to) {
            return SanError::OwnPiece(man(position, to));
        }
        if !board.color(!color).has(to) && position.en_passant() != Some(to) {
            return en_passant_exposes(position, from, to)
                .unwrap_or(SanError::NothingToCapture(to));
        }
        from
    } else {
        let Some(from) = pushing_pawn(position, to).filter(|&from| meant.has(from)) else {
            return explain_push(position, meant, to).unwrap_or(none_reaches);
        };
        from
    };
    match pawn.promotion {
        None if to.rank() == color.promotion_rank() => return SanError::PromotionMissing,
        Some(_) if to.rank() != color.promotion_rank() => return SanError::PromotionElsewhere,
        Some(role @ (Role::King | Role::Pawn)) => return SanError::BadPromotion(role),
        _ => {}
    }
    if captures && position.en_passant() == Some(to) {
        return en_passant_exposes(position, from, to).unwrap_or(none_reaches);
    }
    explain_check(position, role, from, to).unwrap_or(none_reaches)
}

/// Explains a move given by its squares, with no pawn on the origin.
fn explain_squares(position: &Position, from: Square, pawn: PieceMove) -> SanError {
    let to = pawn.to;
    let color = position.turn();
    let board = position.board();
    let Some(role) = board.role_on(from).filter(|_| board.color(color).has(from)) else {
        return SanError::EmptySquare(color, from);
    };
    let side = CastlingSide::ALL
        .into_iter()
        .find(|side| role == Role::King && side.king_to(color) == to);
    if let Some(side) = side
        && from.file().index().abs_diff(to.file().index()) > 1
    {
        return SanError::Castling(side, castling_obstacle(position, side));
    }
    let piece = PieceMove {
        role,
        promotion: None,
        ..pawn
    };
    match explain_piece(position, piece) {
        // The move is legal, so a pawn was named by its letter.
        SanError::Ambiguous { .. } => SanError::NoPiece(color, pawn),
        error => error,
    }
}

/// Whether an en passant capture fails because it would expose the king. The position has no en
/// passant square if no capture is legal, hence the test whether a pawn can just have passed the
/// square.
fn en_passant_exposes(position: &Position, from: Square, to: Square) -> Option<SanError> {
    let setup = Setup {
        en_passant: Some(to),
        ..position.setup()
    };
    setup.true_en_passant().filter(|_| setup.halfmoves == 0)?;
    let color = position.turn();
    let board = position.board();
    let captured = Bitboard::of(Square::at(to.file(), from.rank()));
    let occupied = (board.occupied() ^ Bitboard::of(from) ^ captured) | Bitboard::of(to);
    let attackers = board.attackers(position.king(color), !color, occupied);
    let by = attackers.without(captured).first()?;
    Some(SanError::EnPassantExposes(man(position, by)))
}

/// Explains a blocked pawn push.
fn explain_push(position: &Position, pawns: Bitboard, to: Square) -> Option<SanError> {
    let nothing = Bitboard::EMPTY;
    let from = pawns
        .into_iter()
        .filter(|&from| setwise::pawn_pushes(position.turn(), Bitboard::of(from), nothing).has(to))
        .min_by_key(|from| from.index().abs_diff(to.index()))?;
    let way = attacks::between(from, to) | Bitboard::of(to);
    Some(SanError::Blocked {
        piece: man(position, from),
        to,
        at: nearest(from, to, way & position.board().occupied())?,
    })
}

/// First square of a set on the way from a square to another.
fn nearest(from: Square, to: Square, squares: Bitboard) -> Option<Square> {
    if to > from {
        squares.first()
    } else {
        squares.last()
    }
}

fn castling_obstacle(position: &Position, side: CastlingSide) -> CastlingObstacle {
    let us = position.turn();
    let board = position.board();
    let Some(rook) = position.castling_rook(us, side) else {
        return CastlingObstacle::NoRight;
    };
    let king = position.king(us);
    let occupied = board.occupied();
    let own = Bitboard::of(king) | Bitboard::of(rook);
    let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
    let ways = attacks::between(king, king_to)
        | attacks::between(rook, rook_to)
        | Bitboard::of(king_to)
        | Bitboard::of(rook_to);
    if let Some(square) = (ways & occupied.without(own)).first() {
        return CastlingObstacle::Blocked(man(position, square));
    }
    if let Some(by) = position.checkers().first() {
        return CastlingObstacle::InCheck(man(position, by));
    }
    for square in attacks::between(king, king_to) {
        let attackers = board.attackers(square, !us, occupied ^ Bitboard::of(king));
        if let Some(by) = attackers.first() {
            return CastlingObstacle::Through(square, man(position, by));
        }
    }
    let afterwards = occupied.without(own) | Bitboard::of(rook_to);
    match board.attackers(king_to, !us, afterwards).first() {
        Some(by) => CastlingObstacle::Into(king_to, man(position, by)),
        None => CastlingObstacle::NoRight,
    }
}
