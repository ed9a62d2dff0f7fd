//! Phrases that rulings on claims and on games share.

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
