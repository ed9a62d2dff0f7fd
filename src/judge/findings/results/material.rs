//! Positions that are dead by their pieces alone (FIDE Laws 2023 art. 5.2.2).

use crate::rules::{Bitboard, Board, Color, Role};

/// Whether no series of legal moves can mate, whatever stands where: K v K, K+N v K, and kings with bishops that are all on
/// squares of one colour.
#[inline]
pub(super) fn is_dead(board: &Board) -> bool {
    let heavy = board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen);
    heavy.is_empty() && are_too_few(board)
}

#[cold]
fn are_too_few(board: &Board) -> bool {
    let dark = Bitboard(0xaa55_aa55_aa55_aa55);
    let (knights, bishops) = (board.role(Role::Knight), board.role(Role::Bishop));
    let of_one_colour = (bishops & dark).is_empty() || bishops.without(dark).is_empty();
    match knights.count() {
        0 => of_one_colour,
        1 => bishops.is_empty(),
        _ => false,
    }
}

/// The pieces in words: `king and bishop against king`.
pub(super) fn in_words(board: &Board) -> String {
    let side = |color| {
        let mut words = vec!["king"];
        for (role, word) in [(Role::Bishop, "bishop"), (Role::Knight, "knight")] {
            words.extend((0..board.of(color, role).count()).map(|_| word));
        }
        words.join(" and ")
    };
    format!("{} against {}", side(Color::White), side(Color::Black))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fen;

    #[test]
    fn which_pieces_are_too_few() {
        let board = |placement: &str| {
            fen::parse(format!("{placement} w - - 0 1").as_bytes())
                .unwrap()
                .board
        };
        for dead in [
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4KN2",
            "4k1n1/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4KB2",
            "4k3/8/8/8/8/8/4B3/4KB2",
            "2b1k3/8/8/8/8/8/8/4KB2",
            "B1B1k3/8/8/8/8/8/8/4KB2",
        ] {
            assert!(is_dead(&board(dead)), "{dead}");
        }
        for alive in [
            "4k3/8/8/8/8/8/4P3/4K3",
            "4k3/8/8/8/8/8/8/4K1NN",
            "4k1n1/8/8/8/8/8/8/4K1N1",
            "4k1n1/8/8/8/8/8/8/4KB2",
            "4kb2/8/8/8/8/8/8/4KB2",
            "4k3/8/8/8/8/8/8/2B1KB2",
            "4k3/8/8/8/8/8/8/4K2R",
            "4k3/8/8/8/8/8/8/4K2Q",
        ] {
            assert!(!is_dead(&board(alive)), "{alive}");
        }
        let bishops = board("2b1k3/8/8/8/8/8/4B3/4KB2");
        assert_eq!(
            in_words(&bishops),
            "king and bishop and bishop against king and bishop"
        );
    }
}
