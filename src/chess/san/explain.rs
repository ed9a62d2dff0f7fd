//! Why a notation names no move, in the words of the board.

use std::fmt;

use crate::chess::attacks;
use crate::chess::attacks::setwise;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::san::San;
use crate::chess::san::resolve::{origin, pieces_reaching, pushing_pawn};
use crate::chess::setup::Setup;
use crate::chess::square::{File, Rank, Square};

/// A piece and where it stands, whichever side's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Man {
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub square: Square,
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.role, self.square)
    }
}

/// What stands in the way of castling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingObstacle {
    /// The right is lost or never was: king or rook has moved, or the rook is gone (FIDE Laws 3.8.2.1).
    NoRight,
    /// A piece stands between.
    Blocked(Man),
    /// The king is in check.
    InCheck(Man),
    /// The king would cross this square, which the piece attacks.
    Through(Square, Man),
    /// The king would reach this square, which the piece attacks.
    Into(Square, Man),
}

/// Why a notation names no single legal move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SanError {
    /// The side has no such piece, there where the notation looks for it.
    NoPiece {
        /// The side to move.
        color: Color,
        /// What is looked for.
        role: Role,
        /// The file it should stand on.
        file: Option<File>,
        /// The rank it should stand on.
        rank: Option<Rank>,
    },
    /// The side has no piece on the square that a move names as its first.
    EmptySquare {
        /// The side to move.
        color: Color,
        /// Where a piece of this side should stand.
        square: Square,
    },
    /// None of the pieces meant can go there.
    NoneReaches {
        /// What is looked for.
        role: Role,
        /// The file it should come from.
        file: Option<File>,
        /// The rank it should come from.
        rank: Option<Rank>,
        /// Where it should go.
        to: Square,
    },
    /// The piece would get there but for one in its way.
    Blocked {
        /// The piece that should move.
        piece: Man,
        /// Where it should go.
        to: Square,
        /// Where its way is blocked.
        at: Square,
    },
    /// A piece of the same side stands on the square.
    OwnPiece(Man),
    /// The piece is pinned.
    Pinned {
        /// The piece that should move.
        piece: Man,
        /// Its king.
        king: Square,
        /// The piece that would give check.
        by: Man,
    },
    /// The king is in check and would still be.
    StillInCheck(Man),
    /// The king would go to a square this piece attacks.
    IntoCheck(Man),
    /// The en passant capture would lay the king open to this piece.
    EnPassantExposes(Man),
    /// Several pieces can go there.
    Ambiguous {
        /// What they are.
        role: Role,
        /// Where they can go.
        to: Square,
        /// Where they stand.
        from: Bitboard,
    },
    /// A pawn should capture where nothing is to be captured.
    NothingToCapture(Square),
    /// A pawn capture that does not say from which file.
    CaptureWithoutFile,
    /// A pawn reaches the last rank and nothing says what it becomes.
    PromotionMissing,
    /// A pawn cannot become this.
    BadPromotion(Role),
    /// Something is promoted that is no pawn reaching the last rank.
    PromotionElsewhere,
    /// Castling is not possible.
    Castling(CastlingSide, CastlingObstacle),
    /// A null move.
    NullMove,
    /// A dropped piece.
    Drop,
}

impl SanError {
    /// The reason. Called only for notations that name no move of the position.
    pub(crate) fn explain(san: San, position: &Position) -> SanError {
        match san {
            San::Null => SanError::NullMove,
            San::Drop { .. } => SanError::Drop,
            San::Castle(side) => SanError::Castling(side, castling_obstacle(position, side)),
            San::Piece {
                role: Role::Pawn,
                file,
                rank,
                capture,
                to,
                promotion,
            } => explain_pawn(position, file, rank, capture, to, promotion),
            San::Piece {
                role,
                file,
                rank,
                to,
                promotion,
                ..
            } => explain_piece(position, role, file, rank, to, promotion),
        }
    }
}

fn man(position: &Position, square: Square) -> Man {
    Man {
        role: position.board().role_on(square).unwrap_or(Role::Pawn),
        square,
    }
}

fn explain_piece(
    position: &Position,
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> SanError {
    let color = position.turn();
    let board = position.board();
    let meant = board.of(color, role) & origin(file, rank);
    if meant.is_empty() {
        return SanError::NoPiece {
            color,
            role,
            file,
            rank,
        };
    }
    if promotion.is_some() {
        return SanError::PromotionElsewhere;
    }
    if board.color(color).has(to) {
        return SanError::OwnPiece(man(position, to));
    }
    let reaching = pieces_reaching(position, role, file, rank, to);
    let safe: Bitboard = reaching
        .into_iter()
        .filter(|&from| position.leaves_king_safe(role, from, to))
        .collect();
    if safe.any() {
        return SanError::Ambiguous {
            role,
            to,
            from: safe,
        };
    }
    let none_reaches = SanError::NoneReaches {
        role,
        file,
        rank,
        to,
    };
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

/// Why a piece that can reach the square may not go there.
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

fn explain_pawn(
    position: &Position,
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    to: Square,
    promotion: Option<Role>,
) -> SanError {
    let role = Role::Pawn;
    let color = position.turn();
    let board = position.board();
    if capture && file.is_none() {
        return SanError::CaptureWithoutFile;
    }
    let captures = file.is_some_and(|file| file != to.file());
    // Without a file the pawn comes straight ahead.
    let file = file.or(Some(to.file()));
    let meant = board.of(color, role) & origin(file, rank);
    if meant.is_empty() {
        // A move by its squares names no kind of piece.
        return match (file, rank) {
            (Some(file), Some(rank)) => explain_squares(position, Square::at(file, rank), to),
            _ => SanError::NoPiece {
                color,
                role,
                file,
                rank,
            },
        };
    }
    let none_reaches = SanError::NoneReaches {
        role,
        file,
        rank,
        to,
    };
    if capture && !board.occupied().has(to) && !captures {
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
    match promotion {
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

/// Why a move from one square to another, where no pawn stands on the first, cannot be made.
fn explain_squares(position: &Position, from: Square, to: Square) -> SanError {
    let color = position.turn();
    let board = position.board();
    let (file, rank) = (Some(from.file()), Some(from.rank()));
    let Some(role) = board.role_on(from).filter(|_| board.color(color).has(from)) else {
        return SanError::EmptySquare {
            color,
            square: from,
        };
    };
    let side = [CastlingSide::King, CastlingSide::Queen]
        .into_iter()
        .find(|side| role == Role::King && side.king_to(color) == to);
    if let Some(side) = side
        && from.file().index().abs_diff(to.file().index()) > 1
    {
        return SanError::Castling(side, castling_obstacle(position, side));
    }
    match explain_piece(position, role, file, rank, to, None) {
        // The move is legal, so a pawn was named by its letter.
        SanError::Ambiguous { .. } => SanError::NoPiece {
            color,
            role: Role::Pawn,
            file,
            rank,
        },
        error => error,
    }
}

/// Whether an en passant capture fails because it would lay the king open. A position knows no en passant square where
/// no capture is legal, hence it is asked here whether a pawn can just have passed the square.
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

/// What stands before the pawns that would otherwise go straight to a square.
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

/// The square of a set that is first met on the way from a square to another.
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

/// Where a piece should stand, in words that follow its name.
struct Origin(Option<File>, Option<Rank>);

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(file), Some(rank)) => write!(f, " on {}", Square::at(file, rank)),
            (Some(file), None) => write!(f, " on the {}-file", file.letter()),
            (None, Some(rank)) => write!(f, " on rank {}", rank.digit()),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SanError::NoPiece {
                color,
                role,
                file,
                rank,
            } => {
                write!(f, "{color} has no {role}{}", Origin(file, rank))
            }
            SanError::EmptySquare { color, square } => {
                write!(f, "{color} has no piece on {square}")
            }
            SanError::NoneReaches {
                role: Role::King,
                to,
                ..
            } => write!(f, "the king cannot reach {to}"),
            SanError::NoneReaches {
                role,
                file,
                rank,
                to,
            } => write!(f, "no {role}{} can reach {to}", Origin(file, rank)),
            SanError::Blocked { piece, to, at } => {
                write!(f, "{piece} cannot get to {to}: its way is blocked on {at}")
            }
            SanError::OwnPiece(Man { role, square }) => {
                write!(f, "{square} is taken by one's own {role}")
            }
            SanError::Pinned { piece, king, by } => {
                write!(f, "{piece} is pinned to the king on {king} by {by}")
            }
            SanError::StillInCheck(by) => write!(f, "the king would still be in check from {by}"),
            SanError::IntoCheck(by) => write!(f, "the king would be in check from {by}"),
            SanError::EnPassantExposes(by) => {
                write!(
                    f,
                    "the en passant capture would leave the king in check from {by}"
                )
            }
            SanError::Ambiguous { role, to, from } => {
                match NUMBERS.get(from.count()) {
                    Some(number) => write!(f, "{number} {role}s can go to {to}: ")?,
                    None => write!(f, "{} {role}s can go to {to}: ", from.count())?,
                }
                let mut squares: arrayvec::ArrayVec<Square, 64> = from.into_iter().collect();
                squares.sort_unstable_by_key(|square| (square.file(), square.rank()));
                for (nth, square) in squares.into_iter().enumerate() {
                    match nth {
                        0 => {}
                        _ if nth + 1 == from.count() => f.write_str(" and ")?,
                        _ => f.write_str(", ")?,
                    }
                    write!(f, "{square}")?;
                }
                Ok(())
            }
            SanError::NothingToCapture(to) => write!(f, "there is nothing to capture on {to}"),
            SanError::CaptureWithoutFile => {
                f.write_str("a pawn capture must name the file the pawn comes from")
            }
            SanError::PromotionMissing => f.write_str("it does not say what the pawn becomes"),
            SanError::BadPromotion(role) => write!(f, "a pawn cannot become a {role}"),
            SanError::PromotionElsewhere => {
                f.write_str("only a pawn that reaches the last rank is promoted")
            }
            SanError::Castling(side, obstacle) => {
                let side = side.san();
                match obstacle {
                    CastlingObstacle::NoRight => write!(f, "there is no right to castle {side}"),
                    CastlingObstacle::Blocked(by) => write!(f, "{by} is in the way of {side}"),
                    CastlingObstacle::InCheck(by) => {
                        write!(f, "no castling out of check from {by}")
                    }
                    CastlingObstacle::Through(square, by) => {
                        write!(f, "castling through {square}, which {by} attacks")
                    }
                    CastlingObstacle::Into(square, by) => {
                        write!(f, "castling to {square}, which {by} attacks")
                    }
                }
            }
            SanError::NullMove => f.write_str("a null move is not a legal move"),
            SanError::Drop => f.write_str("pieces are not dropped in chess"),
        }
    }
}

impl std::error::Error for SanError {}

/// Numbers that are written as words.
const NUMBERS: [&str; 11] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];
