//! Adapter of the crate `chasolver` by Miguel Ambrona, which reasons about walls and cages without
//! visiting all positions.
//!
//! Its board has no Chess960 castling, keeps at most 18 groups of moves, and takes an en passant
//! capture for an answer to any check by a knight or pawn. Positions that it could get wrong for
//! one of these reasons are not passed to it.

use chess::{Board, BoardBuilder, CastleRights, ChessMove, Color as Their};

use crate::chess::bitboard::Bitboard;
use crate::chess::castling::{CastlingMode, CastlingSide};
use crate::chess::moves::{Move, Uci};
use crate::chess::piece::{Color, Role};
use crate::chess::position::Position;
use crate::chess::square::{Rank, Square};

/// Answer of the solver.
pub(crate) enum Answer {
    /// A line to mate, replayed with our own rules.
    Winnable(Vec<Move>),
    /// There is none.
    Unwinnable,
}

/// The solver's answer; `None` if it has none or the position cannot be passed to it.
pub(crate) fn ask_chasolver(position: &Position, side: Color) -> Option<Answer> {
    let board = their_board(position)?;
    match chasolver::winnability(&board, their_color(side))? {
        chasolver::Winnability::Unwinnable => Some(Answer::Unwinnable),
        chasolver::Winnability::Winnable { helpmate } => {
            replay(position, side, &helpmate).map(Answer::Winnable)
        }
    }
}

/// The line in our moves, if it is legal and ends with mate by the side.
fn replay(position: &Position, side: Color, line: &[ChessMove]) -> Option<Vec<Move>> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for theirs in line {
        let uci = Uci {
            from: Square::new(theirs.get_source().to_index()),
            to: Square::new(theirs.get_dest().to_index()),
            promotion: theirs.get_promotion().map(|piece| match piece {
                chess::Piece::Knight => Role::Knight,
                chess::Piece::Bishop => Role::Bishop,
                chess::Piece::Rook => Role::Rook,
                _ => Role::Queen,
            }),
        };
        let mv = uci.to_move(&position).ok()?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    (position.turn() != side && position.is_checkmate()).then_some(moves)
}

fn their_color(color: Color) -> Their {
    match color {
        Color::White => Their::White,
        Color::Black => Their::Black,
    }
}

fn their_board(position: &Position) -> Option<Board> {
    let board = position.board();
    let crowded = Color::ALL
        .iter()
        .any(|&color| board.color(color).count() > 16);
    if crowded || position.castling_mode() == CastlingMode::Chess960 {
        return None;
    }
    let mut builder = BoardBuilder::new();
    if let Some(passed) = position.en_passant() {
        let leapers = board.role(Role::Knight) | board.role(Role::Pawn);
        let pawn = Square::at(
            passed.file(),
            Rank::new(if position.turn() == Color::White {
                4
            } else {
                3
            }),
        );
        if (position.checkers() & leapers)
            .without(Bitboard::of(pawn))
            .any()
        {
            return None;
        }
        builder.en_passant(Some(chess::File::from_index(passed.file().index())));
    }
    for square in board.occupied() {
        let piece = board.piece_on(square)?;
        let role = match piece.role {
            Role::Pawn => chess::Piece::Pawn,
            Role::Knight => chess::Piece::Knight,
            Role::Bishop => chess::Piece::Bishop,
            Role::Rook => chess::Piece::Rook,
            Role::Queen => chess::Piece::Queen,
            Role::King => chess::Piece::King,
        };
        let their_square = chess::ALL_SQUARES[square.index()];
        builder.piece(their_square, role, their_color(piece.color));
    }
    builder.side_to_move(their_color(position.turn()));
    for color in Color::ALL {
        let has = |side| position.castling_rook(color, side).is_some();
        let rights = match (has(CastlingSide::King), has(CastlingSide::Queen)) {
            (true, true) => CastleRights::Both,
            (true, false) => CastleRights::KingSide,
            (false, true) => CastleRights::QueenSide,
            (false, false) => CastleRights::NoRights,
        };
        builder.castle_rights(their_color(color), rights);
    }
    Board::try_from(builder).ok()
}
