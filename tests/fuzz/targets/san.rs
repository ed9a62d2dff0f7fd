//! SAN: the first line is a move in a position that the bytes after it choose.

#![no_main]

use arbiter::chess::san::PieceMove;
use arbiter::chess::san::SanPlus;
use arbiter::chess::{Move, MoveKind, Position, Role, San};
use fuzz::{check, line_and_rest, walk};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (text, seed) = line_and_rest(data);
    let read = SanPlus::read(text);
    let whole = SanPlus::from_ascii(text);
    if let Some((plus, length)) = read {
        assert!(length <= text.len());
        comes_back(plus);
        if length == text.len() {
            assert_eq!(whole, Ok(plus));
        }
    }
    if let Ok(plus) = whole {
        comes_back(plus);
    }

    let position = walk(seed);
    let moves = check(&position);
    for &mv in &moves {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let plus = SanPlus::of(&position, mv, &after);
        comes_back(plus);
        assert_eq!(
            plus.san.to_move(&position),
            Ok(mv),
            "{plus} in `{position}`"
        );
        if let San::Piece(piece) = plus.san
            && piece.role != Role::Pawn
        {
            // Nothing in it is superfluous.
            for (file, rank) in [(None, piece.rank), (piece.file, None)] {
                let shorter = San::Piece(PieceMove {
                    file,
                    rank,
                    ..piece
                });
                assert_eq!(shorter == plus.san, shorter.to_move(&position).is_ok());
            }
        }
    }
    if let Ok(plus) = whole {
        means_one_move(plus.san, &position, &moves);
    }
    if let Some((plus, _)) = read {
        means_one_move(plus.san, &position, &moves);
    }
});

/// The notation, written out, is read as the same.
fn comes_back(plus: SanPlus) {
    let text = plus.to_string();
    let bytes = text.as_bytes();
    assert_eq!(SanPlus::from_ascii(bytes), Ok(plus), "`{text}`");
    assert_eq!(SanPlus::read(bytes), Some((plus, bytes.len())), "`{text}`");
}

/// The notation is accepted just if it fits one legal move, and then that is the move.
fn means_one_move(san: San, position: &Position, moves: &[Move]) {
    let mut fitting = moves.iter().filter(|&&mv| fits(san, mv));
    let fits_one = fitting.next().filter(|_| fitting.next().is_none());
    match san.to_move(position) {
        Ok(mv) => {
            assert_eq!(fits_one, Some(&mv), "{san} in `{position}`");
            assert_eq!(San::of(position, mv).to_move(position), Ok(mv));
        }
        Err(error) => {
            assert_eq!(fits_one, None, "{san} in `{position}`: {error}");
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Whether the notation can mean the move. A pawn's capture needs its file and a capture mark is
/// forgiven, as `San::to_move` says.
fn fits(san: San, mv: Move) -> bool {
    match san {
        San::Castle(side) => mv.castling_side() == Some(side),
        San::Piece(PieceMove {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        }) => {
            let pawn_capture = role == Role::Pawn && mv.captured.is_some();
            mv.kind != MoveKind::Castle
                && (mv.role, mv.to, mv.promotion()) == (role, to, promotion)
                && file.is_none_or(|file| file == mv.from.file())
                && rank.is_none_or(|rank| rank == mv.from.rank())
                && (!pawn_capture || file.is_some())
                && (role != Role::Pawn || pawn_capture || !capture)
        }
        San::Drop { .. } | San::Null => false,
    }
}
