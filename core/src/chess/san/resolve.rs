//! From SAN to the legal move, and back. `inline(always)` here, in `syntax`, on
//! [`Position::play_unchecked`] and in the replay of games takes 6 to 10 % of the time off
//! `validate`, `adjudicate` and `replay`.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::san::syntax::{PieceMove, San, SanPlus, Suffix};
use crate::chess::square::{File, Square};

impl San {
    /// As [`San::to_move`], without a reason if there is not exactly one move.
    ///
    /// Tests the candidates only, without a move list.
    #[inline(always)]
    pub fn find(&self, position: &Position) -> Option<Move> {
        match *self {
            San::Piece(pawn) if pawn.role == Role::Pawn => match pawn.file {
                Some(file) if file != pawn.to.file() => find_capture(position, pawn, file),
                _ if pawn.capture => None,
                _ => find_push(position, pawn),
            },
            San::Piece(piece) if piece.promotion.is_none() => find_piece(position, piece),
            San::Castle(side) => find_castling(position, side),
            San::Piece(_) | San::Drop { .. } | San::Null => None,
        }
    }

    /// Whether it names the file or rank of the origin of a piece other than a pawn.
    #[inline]
    pub fn names_origin(&self) -> bool {
        match *self {
            San::Piece(piece) => {
                piece.role != Role::Pawn && (piece.file.is_some() || piece.rank.is_some())
            }
            _ => false,
        }
    }

    /// As [`San::of`] if no other piece of the same role can move to the square.
    #[inline]
    pub fn without_origin(mv: Move) -> San {
        if let Some(side) = mv.castling_side() {
            return San::Castle(side);
        }
        let captures = mv.captured.is_some();
        San::Piece(PieceMove {
            role: mv.role,
            // Pawn captures always name the file.
            file: (captures && mv.role == Role::Pawn).then(|| mv.from.file()),
            rank: None,
            capture: captures,
            to: mv.to,
            promotion: mv.promotion(),
        })
    }

    /// Shortest notation of a legal move; the file is preferred to the rank.
    pub fn of(position: &Position, mv: Move) -> San {
        let mut san = San::without_origin(mv);
        if let San::Piece(piece) = &mut san
            && !matches!(mv.role, Role::Pawn | Role::King)
        {
            let others = pieces_reaching(position, *piece).without(Bitboard::of(mv.from));
            let others = unpinned(position, *piece, others);
            let on_file = (others & Bitboard::file(mv.from.file())).any();
            let on_rank = (others & Bitboard::rank(mv.from.rank())).any();
            let names_file = others.any() && (!on_file || on_rank);
            piece.file = names_file.then(|| mv.from.file());
            piece.rank = on_file.then(|| mv.from.rank());
        }
        san
    }
}

impl SanPlus {
    /// Notation of a legal move with its check mark; `after` is the position after the move.
    pub fn of(before: &Position, mv: Move, after: &Position) -> SanPlus {
        San::of(before, mv).marked(after)
    }
}

impl San {
    /// Adds the check mark of a move that leads to a position.
    #[inline]
    pub fn marked(self, after: &Position) -> SanPlus {
        let suffix = after.is_check().then(|| match after.has_legal_move() {
            true => Suffix::Check,
            false => Suffix::Checkmate,
        });
        SanPlus { san: self, suffix }
    }
}

/// Pieces of the side to move, other than pawns, that the notation can mean and that attack the
/// square; none if it is occupied by their own side.
#[inline(always)]
pub(crate) fn pieces_reaching(position: &Position, piece: PieceMove) -> Bitboard {
    let PieceMove { role, to, .. } = piece;
    let board = position.board();
    let us = position.turn();
    let ours = board.color(us);
    if ours.has(to) {
        return Bitboard::EMPTY;
    }
    let mut meant = ours & board.role(role);
    if piece.file.is_some() || piece.rank.is_some() {
        meant &= piece.origin();
    }
    // Attacks of pieces other than pawns are symmetric, and there is nothing between a knight or
    // king and its target: one table serves all of them without a branch.
    let in_line = attacks::rays(role, to) & meant;
    let reaches = |from: Square| (attacks::between(from, to) & board.occupied()).is_empty();
    match in_line.single() {
        Some(from) if reaches(from) => in_line,
        Some(_) => Bitboard::EMPTY,
        None => in_line.into_iter().filter(|&from| reaches(from)).collect(),
    }
}

impl PieceMove {
    /// Squares on the file and rank of the origin, if given.
    #[inline]
    pub(crate) fn origin(self) -> Bitboard {
        let file = self.file.map_or(Bitboard::FULL, Bitboard::file);
        file & self.rank.map_or(Bitboard::FULL, Bitboard::rank)
    }
}

/// The pieces of a set whose move leaves their king safe.
#[inline]
pub(crate) fn unpinned(position: &Position, piece: PieceMove, reaching: Bitboard) -> Bitboard {
    let is_safe = |&from: &Square| position.leaves_king_safe(piece.role, from, piece.to);
    reaching.into_iter().filter(is_safe).collect()
}

/// Move of a piece other than a pawn. The capture mark need not be right.
#[inline(always)]
fn find_piece(position: &Position, piece: PieceMove) -> Option<Move> {
    let PieceMove { role, to, .. } = piece;
    let reaching = pieces_reaching(position, piece);
    let from = match reaching.single() {
        Some(from) => position.leaves_king_safe(role, from, to).then_some(from)?,
        None => unpinned(position, piece, reaching).single()?,
    };
    // Branching on the notation, which is known early, makes a misprediction cheap.
    let board = position.board();
    let captured = match piece.capture {
        true => board.role_on(to),
        false if board.occupied().has(to) => unmarked_capture(position, to),
        false => None,
    };
    Some(Move::new(role, from, to, captured, MoveKind::Normal))
}

#[cold]
#[inline(never)]
fn unmarked_capture(position: &Position, to: Square) -> Option<Role> {
    position.board().role_on(to)
}

#[inline]
fn find_castling(position: &Position, side: CastlingSide) -> Option<Move> {
    let us = position.turn();
    let rook = position.castling_rook(us, side)?;
    let king = position.king(us);
    let castle = || Move::new(Role::King, king, rook, None, MoveKind::Castle);
    position.is_castling_legal(rook).then(castle)
}

/// Kind of a pawn move; `None` if the promotion is missing or wrong.
#[inline]
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

/// Capture by a pawn of a file.
#[inline(always)]
fn find_capture(position: &Position, pawn: PieceMove, file: File) -> Option<Move> {
    let PieceMove { rank, to, .. } = pawn;
    let us = position.turn();
    let board = position.board();
    let kind = pawn_kind(position, to, pawn.promotion)?;
    let pawns = attacks::pawn(!us, to) & board.of(us, Role::Pawn) & Bitboard::file(file);
    let from = pawns.first()?;
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
    Some(Move::new(Role::Pawn, from, to, captured, kind))
}

/// Push of a pawn.
#[inline(always)]
fn find_push(position: &Position, pawn: PieceMove) -> Option<Move> {
    let PieceMove { rank, to, .. } = pawn;
    let kind = pawn_kind(position, to, pawn.promotion)?;
    let from = pushing_pawn(position, to)?;
    let meant = rank.is_none_or(|rank| rank == from.rank());
    let push = Move::new(Role::Pawn, from, to, None, kind);
    (meant && position.leaves_king_safe(Role::Pawn, from, to)).then_some(push)
}

impl Position {
    /// Plays the legal move that [`San::find`] finds, if any. Returns it, and whether it is marked
    /// as what it is: a capture by `x`, and a pawn's push by no file alone.
    ///
    /// Equivalent to finding and playing the move, with a path of its own for each kind of move.
    #[inline(always)]
    pub fn play_san(&mut self, san: &San) -> Option<(Move, bool)> {
        match *san {
            San::Piece(piece) if piece.promotion.is_none() => match piece.file {
                _ if piece.role != Role::Pawn => {
                    let mv = find_piece(self, piece)?;
                    self.play_unchecked(mv);
                    Some((mv, piece.capture == mv.captured.is_some()))
                }
                Some(file) if file != piece.to.file() => {
                    let mv = find_capture(self, piece, file)?;
                    self.play_unchecked(mv);
                    Some((mv, piece.capture))
                }
                _ if piece.capture => None,
                file => {
                    let mv = find_push(self, piece)?;
                    self.play_unchecked(mv);
                    Some((mv, file.is_none() || piece.rank.is_some()))
                }
            },
            _ => self.play_rare(san),
        }
    }

    /// Plays castling or a promotion.
    #[inline(never)]
    fn play_rare(&mut self, san: &San) -> Option<(Move, bool)> {
        let mv = san.find(self)?;
        self.play_unchecked(mv);
        let marked = matches!(san, San::Piece(piece) if piece.capture);
        Some((mv, marked == mv.captured.is_some()))
    }
}

/// Pawn of the side to move that can be pushed to a square.
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
    /// Whether a piece that can reach a square may move there without leaving its king in check.
    /// Not for castling or en passant.
    ///
    /// Tests the enemy sliders in line with the king one by one: there is rarely more than one, and
    /// the small tables of rays and of squares between stay in the L1 cache, unlike those of slider
    /// attacks.
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
            & (attacks::rays(Role::Rook, king) & board.orthogonal_sliders()
                | attacks::rays(Role::Bishop, king) & board.diagonal_sliders());
        (near & theirs).is_empty()
            && snipers
                .into_iter()
                .all(|sniper| (attacks::between(king, sniper) & occupied).any())
    }

    /// Enemy pieces that would attack the king of the side to move after such a move.
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
