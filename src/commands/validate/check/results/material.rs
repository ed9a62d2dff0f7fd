//! Pieces in words.

use crate::chess::{Board, Color, Role};

/// The pieces in words: `king and bishop against king`.
pub(crate) fn in_words(board: &Board) -> String {
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
    use crate::chess::fen;

    #[test]
    fn both_sides_are_told() {
        let board = |placement: &str| {
            fen::parse(format!("{placement} w - - 0 1").as_bytes())
                .unwrap()
                .board
        };
        assert_eq!(
            in_words(&board("2b1k3/8/8/8/8/8/4B3/4KB2")),
            "king and bishop and bishop against king and bishop"
        );
        assert_eq!(
            in_words(&board("4k3/8/8/8/8/8/8/4KN2")),
            "king and knight against king"
        );
    }
}
