//! A playable position, and playing moves on it.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::{CastlingMode, CastlingSide};
use crate::chess::faults::PositionFaults;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Color, Role};
use crate::chess::setup::Setup;
use crate::chess::square::Square;
use crate::chess::zobrist;

/// Playable position: pieces, side to move, castling rights, en passant square, clocks and key.
///
/// The type guarantees that each side has one king, that the side not to move is not in check, and
/// that there is no pawn on a back rank. It does not guarantee that a game leads here.
///
/// # Examples
///
/// ```
/// # use chess_arbiter_core::chess::{Position, San};
/// let mut position = Position::initial();
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     let san: San = text.parse()?;
///     position.play(san.to_move(&position)?)?;
/// }
/// assert!(position.is_checkmate());
/// assert_eq!(position.fullmoves(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The rooks that may still castle have their king on the same rank, and the en passant square
    /// is set only if a pawn can legally capture there.
    setup: Setup,
    key: u64,
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

    /// The position of a setup. Drops castling rights and an en passant square that the pieces
    /// contradict, and an en passant square without a legal capture; a move number of 0 becomes 1.
    ///
    /// # Errors
    ///
    /// All faults of the setup if one of them is
    /// [unplayable](crate::chess::FaultLevel::Unplayable). [`Setup::faults`] lists the others.
    pub fn new(setup: &Setup) -> Result<Position, PositionFaults> {
        let faults = setup.faults();
        if !faults.is_playable() {
            return Err(faults);
        }
        let mut position = Position {
            setup: Setup {
                castling: setup.true_castling(),
                en_passant: None,
                fullmoves: setup.fullmoves.max(1),
                // A double step is a pawn move.
                knows_halfmoves: setup.knows_halfmoves || setup.true_en_passant().is_some(),
                ..*setup
            },
            key: 0,
        };
        position.setup.en_passant = setup.true_en_passant().filter(|&square| {
            position
                .en_passant_capturers(square)
                .into_iter()
                .any(|from| position.is_en_passant_legal(from, square))
        });
        position.key = position.recompute_key();
        Ok(position)
    }

    /// A position from the parts of an earlier one, with new clocks.
    #[inline]
    pub(crate) fn from_parts(
        board: Board,
        turn: Color,
        castling: Bitboard,
        en_passant: Option<Square>,
        key: u64,
    ) -> Position {
        let setup = Setup {
            board,
            turn,
            castling,
            en_passant,
            halfmoves: 0,
            fullmoves: 1,
            knows_halfmoves: true,
            knows_fullmoves: true,
        };
        Position { setup, key }
    }

    /// The setup of the position.
    pub fn setup(&self) -> Setup {
        self.setup.clone()
    }

    /// Placement of the pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.setup.turn
    }

    /// Rooks with castling rights, whether or not castling is legal now (FIDE Laws 3.8.2).
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.setup.castling
    }

    /// Rook with the right to castle on a side.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling() & Bitboard::rank(color.back_rank());
        let king = self.king(color);
        rooks
            .into_iter()
            .find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Notation of castling that the rights need.
    pub fn castling_mode(&self) -> CastlingMode {
        CastlingMode::of(self.board(), self.castling())
    }

    /// The square where a pawn can legally be captured en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.setup.en_passant
    }

    /// Plies since the last capture or pawn move, without a cap.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.setup.halfmoves
    }

    /// False if [`Position::halfmoves`] counts from a position whose FEN gives no clock.
    #[inline]
    pub fn knows_halfmoves(&self) -> bool {
        self.setup.knows_halfmoves
    }

    /// False if the FEN of the first position gives no move number.
    #[inline]
    pub fn knows_fullmoves(&self) -> bool {
        self.setup.knows_fullmoves
    }

    /// The number of the coming move, from 1.
    #[inline]
    pub fn fullmoves(&self) -> u32 {
        self.setup.fullmoves
    }

    /// Zobrist key: equal for positions that are the same by FIDE Laws (2023) art. 9.2.3, and for
    /// other pairs with a chance of 2⁻⁶⁴. Clock and move number have no part in it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // The type guarantees one king a side.
        self.board().of(color, Role::King).first_or_a1()
    }

    /// Pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let (us, board) = (self.turn(), self.board());
        board.attackers(self.king(us), !us, board.occupied())
    }

    /// Whether the side to move is in check.
    ///
    /// Called after every move and rarely true: the small tables of rays and of squares between
    /// stay in the L1 cache, unlike those of slider attacks.
    #[inline]
    pub fn is_check(&self) -> bool {
        let (us, board) = (self.turn(), self.board());
        let king = self.king(us);
        let near = attacks::knight(king) & board.role(Role::Knight)
            | attacks::pawn(us, king) & board.role(Role::Pawn);
        let snipers = attacks::rays(Role::Rook, king) & board.orthogonal_sliders()
            | attacks::rays(Role::Bishop, king) & board.diagonal_sliders();
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

    /// The key computed anew; always equal to [`Position::key`].
    pub fn recompute_key(&self) -> u64 {
        let mut key = zobrist::castling(self.setup.castling);
        for color in Color::ALL {
            for role in Role::ALL {
                for square in self.board().of(color, role) {
                    key ^= zobrist::piece(color, role, square);
                }
            }
        }
        if let Some(square) = self.setup.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        if self.setup.turn == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// Outcome of the game, if checkmate, stalemate or insufficient material has ended it.
    ///
    /// Insufficient material is exact for the material, whatever the squares. Other dead positions
    /// need a [solver](crate::winnability::Solver).
    pub fn outcome(&self) -> Option<GameOutcome> {
        if !self.has_legal_move() {
            let winner = !self.turn();
            return Some(match self.is_check() {
                true => GameOutcome::Checkmate { winner },
                false => GameOutcome::Stalemate,
            });
        }
        Color::ALL
            .into_iter()
            .all(|side| self.board().has_insufficient_material(side))
            .then_some(GameOutcome::InsufficientMaterial)
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// If the move is illegal; the position is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove);
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a legal move.
    ///
    /// Does not panic for an illegal move, but leaves a meaningless position.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        let us = self.turn();
        let them = !us;
        let (from, to) = (mv.from, mv.to);
        let mut key = self.key;
        let mut toggle_key = |color, role, square| key ^= zobrist::piece(color, role, square);

        match mv.kind {
            MoveKind::Normal | MoveKind::Promotion(_) => {
                if let Some(role) = mv.captured {
                    self.setup.board.toggle(to, them, role);
                    toggle_key(them, role, to);
                }
                toggle_key(us, mv.role, from);
                if let Some(becomes) = mv.promotion() {
                    self.setup.board.toggle(from, us, mv.role);
                    self.setup.board.toggle(to, us, becomes);
                    toggle_key(us, becomes, to);
                } else {
                    let both = Bitboard::of(from) | Bitboard::of(to);
                    self.setup.board.toggle_all(both, us, mv.role);
                    toggle_key(us, mv.role, to);
                }
            }
            MoveKind::EnPassant => {
                let captured = Square::at(to.file(), from.rank());
                self.setup.board.toggle(captured, them, Role::Pawn);
                toggle_key(them, Role::Pawn, captured);
                let both = Bitboard::of(from) | Bitboard::of(to);
                self.setup.board.toggle_all(both, us, Role::Pawn);
                toggle_key(us, Role::Pawn, from);
                toggle_key(us, Role::Pawn, to);
            }
            MoveKind::Castle => {
                let side = CastlingSide::of(from, to);
                // King and rook may land on each other's squares, so each pair is toggled on its
                // own.
                for (role, from, to) in [
                    (Role::King, from, side.king_to(us)),
                    (Role::Rook, to, side.rook_to(us)),
                ] {
                    self.setup.board.toggle(from, us, role);
                    self.setup.board.toggle(to, us, role);
                    toggle_key(us, role, from);
                    toggle_key(us, role, to);
                }
            }
        }

        if self.setup.castling.any() {
            let mut lost = self.setup.castling & (Bitboard::of(from) | Bitboard::of(to));
            if mv.role == Role::King {
                lost |= self.setup.castling & Bitboard::rank(us.back_rank());
            }
            if lost.any() {
                self.setup.castling ^= lost;
                key ^= zobrist::castling(lost);
            }
        }

        if mv.is_zeroing() {
            self.setup.halfmoves = 0;
            self.setup.knows_halfmoves = true;
        } else {
            self.setup.halfmoves = self.halfmoves().saturating_add(1);
        }
        self.setup.fullmoves = self.fullmoves().saturating_add(us as u32);
        self.setup.turn = them;
        if let Some(square) = self.setup.en_passant.take() {
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
                self.setup.en_passant = Some(passed);
                key ^= zobrist::en_passant(passed.file());
            }
        }
        self.key = key ^ zobrist::black_to_move();
    }

    /// The position after a legal move.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = self.clone();
        next.play_unchecked(mv);
        next
    }

    /// The position after a null move, as in analysis; `None` in check, since the king could then
    /// be captured.
    pub fn after_null_move(&self) -> Option<Position> {
        if self.is_check() {
            return None;
        }
        let mut setup = self.setup();
        setup.turn = !self.turn();
        setup.en_passant = None;
        setup.halfmoves = self.halfmoves().saturating_add(1);
        setup.fullmoves = self.fullmoves().saturating_add(self.turn() as u32);
        Position::new(&setup).ok()
    }

    /// Pawns of the side to move that attack the en passant square.
    #[inline]
    fn en_passant_capturers(&self, square: Square) -> Bitboard {
        attacks::pawn(!self.turn(), square) & self.board().of(self.turn(), Role::Pawn)
    }

    /// Whether an en passant capture leaves one's own king safe.
    #[inline]
    pub(crate) fn is_en_passant_legal(&self, from: Square, to: Square) -> bool {
        let captured = Bitboard::of(Square::at(to.file(), from.rank()));
        let occupied = (self.board().occupied() ^ captured ^ Bitboard::of(from)) | Bitboard::of(to);
        self.board()
            .attackers(self.king(self.turn()), !self.turn(), occupied)
            .without(captured)
            .is_empty()
    }

    /// Whether the side to move may castle with a rook that has the right: nothing is between (FIDE
    /// Laws 3.8.2.2), and the king is not in check and neither crosses nor reaches an attacked
    /// square.
    pub(crate) fn is_castling_legal(&self, rook: Square) -> bool {
        let us = self.turn();
        let king = self.king(us);
        let side = CastlingSide::of(king, rook);
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let own = Bitboard::of(king) | Bitboard::of(rook);
        let occupied = self.board().occupied();
        let king_way = attacks::between(king, king_to) | Bitboard::of(king_to);
        let rook_way = attacks::between(rook, rook_to) | Bitboard::of(rook_to);
        if ((king_way | rook_way) & occupied.without(own)).any() {
            return false;
        }
        let without_king = occupied ^ Bitboard::of(king);
        let crossed = king_way.without(Bitboard::of(king_to)) | Bitboard::of(king);
        // In Chess960 the rook may have shielded the king's destination, hence the occupancy
        // afterwards.
        let afterwards = occupied.without(own) | Bitboard::of(rook_to);
        crossed
            .into_iter()
            .all(|square| self.board().attackers(square, !us, without_king).is_empty())
            && self.board().attackers(king_to, !us, afterwards).is_empty()
    }
}

/// End of a game on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameOutcome {
    /// The side to move is mated (FIDE Laws 5.1.1).
    Checkmate {
        /// Side that has mated.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check (FIDE Laws 5.2.1).
    Stalemate,
    /// Neither side has the material to mate (FIDE Laws 5.2.2).
    InsufficientMaterial,
}

/// Error of playing a move that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a legal move of the position")]
pub struct IllegalMove;
