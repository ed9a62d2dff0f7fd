//! From notation to the one legal move, and back.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::san::explain::SanError;
use crate::chess::san::{San, SanPlus, Suffix};
use crate::chess::square::{File, Rank, Square};

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
                file: Some(file),
                rank,
                to,
                promotion,
                ..
            } if file != to.file() => find_capture(position, file, rank, to, promotion),
            San::Piece {
                role: Role::Pawn,
                rank,
                capture: false,
                to,
                promotion,
                ..
            } => find_push(position, rank, to, promotion),
            San::Piece {
                role,
                file,
                rank,
                capture,
                to,
                promotion: None,
            } if role != Role::Pawn => find_piece(position, role, file, rank, capture, to),
            San::Castle(side) => find_castling(position, side),
            San::Piece { .. } | San::Drop { .. } | San::Null => None,
        }
    }

    /// Whether it says from which file or rank a piece other than a pawn comes.
    #[inline]
    pub fn names_origin(&self) -> bool {
        matches!(*self, San::Piece { role, file, rank, .. } if role != Role::Pawn && (file.is_some() || rank.is_some()))
    }

    /// The notation of a legal move, as [`San::of`] writes it where no other piece of the kind can go to the square.
    #[inline]
    pub fn without_origin(mv: Move) -> San {
        if let Some(side) = mv.castling_side() {
            return San::Castle(side);
        }
        let captures = mv.captured.is_some();
        San::Piece {
            role: mv.role,
            // That of a pawn is given whenever it captures.
            file: (captures && mv.role == Role::Pawn).then(|| mv.from.file()),
            rank: None,
            capture: captures,
            to: mv.to,
            promotion: mv.promotion(),
        }
    }

    /// The notation of a legal move: as short as the other legal moves allow, file before rank before both.
    pub fn of(position: &Position, mv: Move) -> San {
        let mut san = San::without_origin(mv);
        if matches!(mv.role, Role::Pawn | Role::King) {
            return san;
        }
        let mut others =
            pieces_reaching(position, mv.role, None, None, mv.to).without(Bitboard::of(mv.from));
        if others.any() {
            others = others
                .into_iter()
                .filter(|&from| position.leaves_king_safe(mv.role, from, mv.to))
                .collect();
        }
        if others.any()
            && let San::Piece { file, rank, .. } = &mut san
        {
            let on_file = (others & Bitboard::file(mv.from.file())).any();
            let on_rank = (others & Bitboard::rank(mv.from.rank())).any();
            *file = (!on_file || on_rank).then(|| mv.from.file());
            *rank = on_file.then(|| mv.from.rank());
        }
        san
    }
}

impl SanPlus {
    /// The notation of a legal move with its check mark. `after` is the position the move leads to.
    pub fn of(before: &Position, mv: Move, after: &Position) -> SanPlus {
        San::of(before, mv).marked(after)
    }
}

impl San {
    /// With the check mark that belongs to a move that leads to a position.
    #[inline]
    pub fn marked(self, after: &Position) -> SanPlus {
        let suffix = after.is_check().then(|| match after.has_legal_move() {
            true => Suffix::Check,
            false => Suffix::Checkmate,
        });
        SanPlus { san: self, suffix }
    }
}

/// The pieces of the side to move, other than pawns, that the notation can mean and that attack the square; none if
/// their own side stands on it.
#[inline(always)]
pub(crate) fn pieces_reaching(
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
    let mut meant = ours & board.role(role);
    if file.is_some() || rank.is_some() {
        meant &= origin(file, rank);
    }
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
pub(crate) fn origin(file: Option<File>, rank: Option<Rank>) -> Bitboard {
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

/// The move of a piece other than a pawn. The mark of a capture is only what is expected.
#[inline(always)]
fn find_piece(
    position: &Position,
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    to: Square,
) -> Option<Move> {
    let reaching = pieces_reaching(position, role, file, rank, to);
    let from = match reaching.single() {
        Some(from) => position.leaves_king_safe(role, from, to).then_some(from)?,
        None => only_unpinned(position, role, reaching, to)?,
    };
    // What the notation says is known long before the position is: a guess by it, if it fails, fails early.
    let board = position.board();
    let captured = match capture {
        true => board.role_on(to),
        false if board.occupied().has(to) => unmarked_capture(position, to),
        false => None,
    };
    Some(Move {
        role,
        from,
        to,
        captured,
        kind: MoveKind::Normal,
    })
}

#[cold]
#[inline(never)]
fn unmarked_capture(position: &Position, to: Square) -> Option<Role> {
    position.board().role_on(to)
}

#[inline(always)]
fn find_castling(position: &Position, side: CastlingSide) -> Option<Move> {
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

/// A move of a pawn to a square, or none if a promotion is missing or wrong.
#[inline(always)]
fn pawn_kind(position: &Position, to: Square, promotion: Option<Role>) -> Option<MoveKind> {
    let last = to.rank() == position.turn().promotion_rank();
    match promotion {
        None if !last => Some(MoveKind::Normal),
        Some(role @ (Role::Queen | Role::Rook | Role::Bishop | Role::Knight)) if last => {
            Some(MoveKind::Promotion(role))
        }
        _ => None,
    }
}

/// The capture by a pawn that comes from a file.
#[inline(always)]
fn find_capture(
    position: &Position,
    file: File,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let us = position.turn();
    let board = position.board();
    let kind = pawn_kind(position, to, promotion)?;
    let pawn = attacks::pawn(!us, to) & board.of(us, Role::Pawn) & Bitboard::file(file);
    let from = pawn.first()?;
    if rank.is_some_and(|rank| rank != from.rank()) {
        return None;
    }
    let (captured, kind) = if board.color(!us).has(to) {
        if !position.leaves_king_safe(Role::Pawn, from, to) {
            return None;
        }
        (board.role_on(to), kind)
    } else {
        if position.en_passant() != Some(to) || !position.is_en_passant_legal(from, to) {
            return None;
        }
        (Some(Role::Pawn), MoveKind::EnPassant)
    };
    Some(Move {
        role: Role::Pawn,
        from,
        to,
        captured,
        kind,
    })
}

/// The move of a pawn straight ahead.
#[inline(always)]
fn find_push(
    position: &Position,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let kind = pawn_kind(position, to, promotion)?;
    let from = pushing_pawn(position, to)?;
    let meant = rank.is_none_or(|rank| rank == from.rank());
    (meant && position.leaves_king_safe(Role::Pawn, from, to)).then_some(Move {
        role: Role::Pawn,
        from,
        to,
        captured: None,
        kind,
    })
}

impl Position {
    /// Plays the legal move that a notation names and [`San::find`] finds, and says whether the notation marks a capture where
    /// there is one and nowhere else; nothing is played if there is no such move.
    ///
    /// The same as finding it and playing it, but that each kind of move goes its own way to the end.
    #[inline(always)]
    pub fn play_san(&mut self, san: &San) -> Option<(Move, bool)> {
        match *san {
            San::Piece {
                role: Role::Pawn,
                file,
                rank,
                capture,
                to,
                promotion: None,
            } => match file {
                Some(file) if file != to.file() => {
                    let mv = find_capture(self, file, rank, to, None)?;
                    self.play_unchecked(mv);
                    Some((mv, capture))
                }
                _ if capture => None,
                _ => {
                    let mv = find_push(self, rank, to, None)?;
                    self.play_unchecked(mv);
                    Some((mv, true))
                }
            },
            San::Piece {
                role,
                file,
                rank,
                capture,
                to,
                promotion: None,
            } => {
                let mv = find_piece(self, role, file, rank, capture, to)?;
                self.play_unchecked(mv);
                Some((mv, capture == mv.captured.is_some()))
            }
            _ => self.play_rare(san),
        }
    }

    /// Plays castling or a promotion.
    #[inline(never)]
    fn play_rare(&mut self, san: &San) -> Option<(Move, bool)> {
        let mv = san.find(self)?;
        self.play_unchecked(mv);
        let marked = matches!(san, San::Piece { capture: true, .. });
        Some((mv, marked == mv.captured.is_some()))
    }
}

/// The pawn of the side to move that can go straight to a square.
#[inline]
pub(crate) fn pushing_pawn(position: &Position, to: Square) -> Option<Square> {
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
    pub(crate) fn leaves_king_safe(&self, role: Role, from: Square, to: Square) -> bool {
        let us = self.turn();
        let board = self.board();
        let theirs = board.color(!us).without(Bitboard::of(to));
        let (king, occupied, kings) = if role == Role::King {
            let without = board.occupied() ^ Bitboard::of(from);
            (to, without, attacks::king(to) & board.role(Role::King))
        } else {
            let occupied = board.occupied() ^ Bitboard::of(from) | Bitboard::of(to);
            (self.king(us), occupied, Bitboard::EMPTY)
        };
        let near = attacks::knight(king) & board.role(Role::Knight)
            | attacks::pawn(us, king) & board.role(Role::Pawn)
            | kings;
        let snipers = theirs
            & (attacks::rook_rays(king) & board.orthogonal_sliders()
                | attacks::bishop_rays(king) & board.diagonal_sliders());
        (near & theirs).is_empty()
            && snipers
                .into_iter()
                .all(|sniper| (attacks::between(king, sniper) & occupied).any())
    }

    /// The enemy pieces that would attack the king of the side to move after such a move.
    pub(crate) fn attackers_after(&self, role: Role, from: Square, to: Square) -> Bitboard {
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
