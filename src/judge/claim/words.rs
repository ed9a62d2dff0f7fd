//! Words that rulings are made of.

use crate::pgn::ResultMark;
use crate::rules::san::SanPlus;
use crate::rules::{Color, End, Move, Position};

/// `White` or `Black`.
pub(in crate::judge) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `White's` or `Black's`.
pub(super) fn side_possessive(color: Color) -> &'static str {
    match color {
        Color::White => "White's",
        Color::Black => "Black's",
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(words: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for (nth, word) in words.iter().enumerate() {
        text.push_str(match nth {
            0 => "",
            _ if nth + 1 == words.len() => " and ",
            _ => ", ",
        });
        text.push_str(word.as_ref());
    }
    text
}

/// `first`, `second`, … `tenth`, `11th`.
pub(super) fn ordinal(number: u32) -> String {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let word = (number as usize)
        .checked_sub(1)
        .and_then(|nth| WORDS.get(nth));
    word.map_or_else(|| ordinal_in_digits(number), |word| (*word).to_owned())
}

fn ordinal_in_digits(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// The result of a game that a side wins.
pub(in crate::judge) fn won_by(color: Color) -> ResultMark {
    match color {
        Color::White => ResultMark::White,
        Color::Black => ResultMark::Black,
    }
}

/// How a game ended, as a sentence goes on behind `the game`.
pub(super) fn ended(end: End) -> &'static str {
    match end {
        End::Checkmate => "ended with checkmate",
        End::Stalemate => "was drawn by stalemate",
        End::DeadPosition => "was drawn: the position was dead",
        End::InsufficientMaterial => "was drawn: the material was too little",
        End::Fivefold => "was drawn: the position was there for the fifth time",
        End::SeventyFiveMoves => {
            "was drawn: 75 moves by each side without a capture or a pawn move were completed"
        }
        End::Threefold => "was drawn: the position was there for the third time",
        End::FiftyMoves => {
            "was drawn: 50 moves by each side without a capture or a pawn move were completed"
        }
    }
}

/// Moves with their numbers: `12...Kg8 13.Rf1 Kh8`.
pub(in crate::judge) fn numbered(position: &Position, line: &[Move]) -> String {
    let mut text = String::new();
    let mut before = position.clone();
    for (nth, &mv) in line.iter().enumerate() {
        let after = before.after(mv);
        if nth > 0 {
            text.push(' ');
        }
        match before.turn() {
            Color::White => text.push_str(&format!("{}.", before.fullmoves())),
            Color::Black if nth == 0 => text.push_str(&format!("{}...", before.fullmoves())),
            Color::Black => {}
        }
        text.push_str(&SanPlus::of(&before, mv, &after).to_string());
        before = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals() {
        let shown = [3, 10, 11, 13, 21, 22, 23, 24, 111].map(ordinal);
        assert_eq!(
            shown,
            [
                "third", "tenth", "11th", "13th", "21st", "22nd", "23rd", "24th", "111th"
            ]
        );
    }

    #[test]
    fn lists() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
