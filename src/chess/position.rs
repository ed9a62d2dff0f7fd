//! A position that can be played from, and playing moves on it.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::{CastlingMode, CastlingSide};
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::setup::{PositionFaults, Setup};
use crate::chess::square::Square;
use crate::chess::zobrist;

/// A position: pieces, side to move, castling rights, en passant, clocks and key.
///
/// The type says that each side has one king, that the side not to move is not in check, and that no pawn stands on a
/// back rank. It does not say that a game leads here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    /// The rooks that may still castle; each has its king on the same rank.
    castling: Bitboard,
    key: u64,
    halfmoves: u32,
    fullmoves: u32,
    turn: Color,
    /// Present only if a pawn can legally capture there.
    en_passant: Option<Square>,
}

impl Default for Position {
    fn default() -> Position {
        Position::initial()
    }
}

impl Position {
    /// The initial position of standard chess.
    pub fn initial() -> Position {
        Position::new(&Setup::initial())
            .unwrap_or_else(|faults| unreachable!("the initial position: {faults}"))
    }

    /// The position a setup describes. Castling rights and an en passant square that the pieces contradict are left
    /// out, as is an en passant square where no capture is legal; a move number of 0 becomes 1.
    ///
    /// # Errors
    ///
    /// All faults of the setup if one of them is [unplayable](crate::chess::setup::FaultLevel::Unplayable). The others do not
    /// keep a position from being played: ask [`Setup::faults`] for them.
    pub fn new(setup: &Setup) -> Result<Position, PositionFaults> {
        let faults = setup.faults();
        if !faults.is_playable() {
            return Err(faults);
        }
        let mut position = Position {
            board: setup.board,
            castling: setup.true_castling(),
            key: 0,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.max(1),
            turn: setup.turn,
            en_passant: None,
        };
        position.en_passant = setup.true_en_passant().filter(|&square| {
            position
                .en_passant_capturers(square)
                .into_iter()
                .any(|from| position.is_en_passant_legal(from, square))
        });
        position.key = position.recompute_key();
        Ok(position)
    }

    /// A position put together again from what was once taken from one; the clocks start anew.
    #[inline]
    pub(crate) fn from_parts(
        board: Board,
        turn: Color,
        castling: Bitboard,
        en_passant: Option<Square>,
        key: u64,
    ) -> Position {
        Position {
            board,
            castling,
            key,
            halfmoves: 0,
            fullmoves: 1,
            turn,
            en_passant,
        }
    }

    /// What a FEN would say of the position.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// Where the pieces stand.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The squares of the rooks that may still castle, whether or not they can do so now (FIDE Laws 3.8.2).
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The rook a side may still castle with on a wing.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling & Bitboard::rank(color.back_rank());
        let king = self.king(color);
        rooks
            .into_iter()
            .find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Whether the rights, as they are, need Chess960 notation.
    pub fn castling_mode(&self) -> CastlingMode {
        CastlingMode::of(&self.board, self.castling)
    }

    /// The square where a pawn can legally be captured en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move, without a cap.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The number of the coming move, from 1.
    #[inline]
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// The Zobrist key: equal for positions that are the same by FIDE Laws (2023) art. 9.2.3, and for other pairs with
    /// a chance of 2⁻⁶⁴. Clocks and move numbers have no part in it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // The type promises one king a side; an empty set would give a1 rather than a panic.
        self.board.of(color, Role::King).first_or_a1()
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.board
            .attackers(self.king(self.turn), !self.turn, self.board.occupied())
    }

    /// Whether the side to move is in check.
    ///
    /// Asked after every move, and mostly answered with no: the small tables of rays and of squares between stay in the
    /// nearest cache, which those of slider attacks do not.
    #[inline]
    pub fn is_check(&self) -> bool {
        let (us, board) = (self.turn, &self.board);
        let king = self.king(us);
        let near = attacks::knight(king) & board.role(Role::Knight)
            | attacks::pawn(us, king) & board.role(Role::Pawn);
        let snipers = attacks::rook_rays(king) & board.orthogonal_sliders()
            | attacks::bishop_rays(king) & board.diagonal_sliders();
        let theirs = board.color(!us);
        let occupied = board.occupied();
        (near & theirs).any()
            || (snipers & theirs)
                .into_iter()
                .any(|sniper| (attacks::between(king, sniper) & occupied).is_empty())
    }

    /// Whether the side to move is mated (FIDE Laws 5.1.1).
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move is not in check and has no legal move (FIDE Laws 5.2.1).
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// The key computed from nothing; `key` must always equal it.
    pub fn recompute_key(&self) -> u64 {
        let mut key = zobrist::castling(self.castling);
        for color in Color::ALL {
            for role in Role::ALL {
                for square in self.board.of(color, role) {
                    key ^= zobrist::piece(color, role, square);
                }
            }
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        if self.turn == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// Plays a legal move of this position.
    ///
    /// A move of another position makes nonsense of this one, but does not panic.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        let us = self.turn;
        let them = !us;
        let (from, to) = (mv.from, mv.to);
        let mut key = self.key;
        let mut toggle_key = |color, role, square| key ^= zobrist::piece(color, role, square);

        match mv.kind {
            MoveKind::Normal | MoveKind::Promotion(_) => {
                if let Some(role) = mv.captured {
                    self.board.toggle(to, them, role);
                    toggle_key(them, role, to);
                }
                toggle_key(us, mv.role, from);
                if let Some(becomes) = mv.promotion() {
                    self.board.toggle(from, us, mv.role);
                    self.board.toggle(to, us, becomes);
                    toggle_key(us, becomes, to);
                } else {
                    let both = Bitboard::of(from) | Bitboard::of(to);
                    self.board.toggle_all(both, us, mv.role);
                    toggle_key(us, mv.role, to);
                }
            }
            MoveKind::EnPassant => {
                let captured = Square::at(to.file(), from.rank());
                self.board.toggle(captured, them, Role::Pawn);
                toggle_key(them, Role::Pawn, captured);
                let both = Bitboard::of(from) | Bitboard::of(to);
                self.board.toggle_all(both, us, Role::Pawn);
                toggle_key(us, Role::Pawn, from);
                toggle_key(us, Role::Pawn, to);
            }
            MoveKind::Castle => {
                let side = CastlingSide::of(from, to);
                // King and rook may land on each other's squares, so each pair is toggled on its own.
                for (role, from, to) in [
                    (Role::King, from, side.king_to(us)),
                    (Role::Rook, to, side.rook_to(us)),
                ] {
                    self.board.toggle(from, us, role);
                    self.board.toggle(to, us, role);
                    toggle_key(us, role, from);
                    toggle_key(us, role, to);
                }
            }
        }

        if self.castling.any() {
            let mut lost = self.castling & (Bitboard::of(from) | Bitboard::of(to));
            if mv.role == Role::King {
                lost |= self.castling & Bitboard::rank(us.back_rank());
            }
            if lost.any() {
                self.castling ^= lost;
                key ^= zobrist::castling(lost);
            }
        }

        if mv.is_zeroing() {
            self.halfmoves = 0;
        } else {
            self.halfmoves = self.halfmoves.saturating_add(1);
        }
        self.fullmoves = self.fullmoves.saturating_add(us as u32);
        self.turn = them;
        if let Some(square) = self.en_passant.take() {
            key ^= zobrist::en_passant(square.file());
        }
        if mv.role == Role::Pawn && from.index().abs_diff(to.index()) == 16 {
            let passed = Square::new((from.index() + to.index()) / 2);
            let capturers = self.en_passant_capturers(passed);
            if capturers.any()
                && capturers
                    .into_iter()
                    .any(|capturer| self.is_en_passant_legal(capturer, passed))
            {
                self.en_passant = Some(passed);
                key ^= zobrist::en_passant(passed.file());
            }
        }
        self.key = key ^ zobrist::black_to_move();
    }

    /// The position a legal move leads to.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = self.clone();
        next.play_unchecked(mv);
        next
    }

    /// The position after the side to move has passed, which no rule allows and analysis does; nothing if it is in
    /// check, since the other side could then capture a king.
    pub fn after_null_move(&self) -> Option<Position> {
        if self.is_check() {
            return None;
        }
        let mut setup = self.setup();
        setup.turn = !self.turn;
        setup.en_passant = None;
        setup.halfmoves = self.halfmoves.saturating_add(1);
        setup.fullmoves = self.fullmoves.saturating_add(self.turn as u32);
        Position::new(&setup).ok()
    }

    /// Pawns of the side to move that stand beside a pawn that has just passed `square`.
    #[inline]
    fn en_passant_capturers(&self, square: Square) -> Bitboard {
        attacks::pawn(!self.turn, square) & self.board.of(self.turn, Role::Pawn)
    }

    /// Whether capturing en passant from a square leaves one's own king safe.
    #[inline]
    pub(crate) fn is_en_passant_legal(&self, from: Square, to: Square) -> bool {
        let captured = Bitboard::of(Square::at(to.file(), from.rank()));
        let occupied = (self.board.occupied() ^ captured ^ Bitboard::of(from)) | Bitboard::of(to);
        self.board
            .attackers(self.king(self.turn), !self.turn, occupied)
            .without(captured)
            .is_empty()
    }

    /// Whether the side to move may castle with a rook that has the right: nothing stands between (FIDE Laws 3.8.2.2),
    /// and the king neither stands in check nor crosses nor reaches an attacked square.
    pub(crate) fn is_castling_legal(&self, rook: Square) -> bool {
        let us = self.turn;
        let king = self.king(us);
        let side = CastlingSide::of(king, rook);
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let own = Bitboard::of(king) | Bitboard::of(rook);
        let occupied = self.board.occupied();
        let king_way = attacks::between(king, king_to) | Bitboard::of(king_to);
        let rook_way = attacks::between(rook, rook_to) | Bitboard::of(rook_to);
        if ((king_way | rook_way) & occupied.without(own)).any() {
            return false;
        }
        let without_king = occupied ^ Bitboard::of(king);
        let crossed = king_way.without(Bitboard::of(king_to)) | Bitboard::of(king);
        // In Chess960 the rook may have shielded the king's new square, hence it is looked at as it is afterwards.
        let afterwards = occupied.without(own) | Bitboard::of(rook_to);
        crossed
            .into_iter()
            .all(|square| self.board.attackers(square, !us, without_king).is_empty())
            && self.board.attackers(king_to, !us, afterwards).is_empty()
    }
}
