//! Phrases that rulings on claims and on games share.

use crate::adjudication::ruling::grouped;
use crate::chess::Color;

/// `White's` or `Black's`.
pub(crate) fn side_possessive(color: Color) -> &'static str {
    match color {
        Color::White => "White's",
        Color::Black => "Black's",
    }
}

/// A text with a capital, as it begins a sentence.
pub(crate) fn sentence_start(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().to_string() + letters.as_str(),
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
        Some(first) => first.to_lowercase().to_string() + letters.as_str(),
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

/// `1 position`, `2,000 positions`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", grouped(number))
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
}
