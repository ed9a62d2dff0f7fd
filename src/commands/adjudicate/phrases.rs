//! Phrases that rulings and labels share.

use crate::chess::san::SanPlus;
use crate::chess::{Color, Move, Position};
use crate::pgn::ResultMark;

/// `White` or `Black`.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `White's` or `Black's`.
pub(crate) fn side_possessive(color: Color) -> &'static str {
    match color {
        Color::White => "White's",
        Color::Black => "Black's",
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(words: &[impl AsRef<str>]) -> String {
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

/// A text with a capital, as it begins a sentence.
pub(crate) fn sentence_start(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// A sentence as it stands after a colon: names of sides keep their capital.
pub(crate) fn lower_start(sentence: &str) -> String {
    if sentence.starts_with("White") || sentence.starts_with("Black") {
        return sentence.to_owned();
    }
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// `first`, `second`, … `tenth`, `11th`.
pub(crate) fn ordinal(number: u32) -> String {
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
pub(crate) fn won_by(color: Color) -> ResultMark {
    match color {
        Color::White => ResultMark::White,
        Color::Black => ResultMark::Black,
    }
}

/// `1 position`, `2 positions`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {what}{s}")
}

/// Plies of a line that is shown whole.
const SHORT_LINE: usize = 16;
/// Plies shown of a longer one.
const FIRST_PLIES: usize = 8;

/// Moves with their numbers; a long line is cut: `5.a3 Na6 … 41 moves in all`.
pub(crate) fn shortened(position: &Position, line: &[Move]) -> String {
    if line.len() <= SHORT_LINE {
        return numbered(position, line);
    }
    let begun_by_black = usize::from(position.turn() == Color::Black);
    format!(
        "{} … {} moves in all",
        numbered(position, &line[..FIRST_PLIES]),
        (line.len() + begun_by_black).div_ceil(2)
    )
}

/// Moves with their numbers: `12...Kg8 13.Rf1 Kh8`.
pub(crate) fn numbered(position: &Position, line: &[Move]) -> String {
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
    fn long_lines_show_their_first_moves_and_their_length() {
        let shown = |turn: &str, plies: usize| {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 {turn} - - 0 5");
            let position = Position::new(&fen.parse().unwrap()).unwrap();
            let mut line = Vec::new();
            let mut at = position.clone();
            for _ in 0..plies {
                line.push(at.legal_moves()[0]);
                at.play_unchecked(line[line.len() - 1]);
            }
            shortened(&position, &line)
        };
        assert!(!shown("w", 16).contains('…'));
        let long = shown("w", 17);
        assert!(long.ends_with(" … 9 moves in all"), "{long}");
        assert!(long.starts_with("5.K"), "{long}");
        assert!(shown("b", 18).ends_with(" … 10 moves in all"));
    }

    #[test]
    fn lists() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
