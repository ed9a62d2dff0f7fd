//! Result marks, in the PGN standard's spelling and in others.

use std::fmt;

use crate::chess::Color;
use crate::pgn::values::{Form, Parsed, ValueFault};

/// A result mark, in a tag or at the end of the movetext.
///
/// ```
/// use chess_arbiter_core::{Color, ResultMark};
///
/// assert_eq!(ResultMark::won_by(Color::White).to_string(), "1-0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResultMark {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl ResultMark {
    /// The result of a game that a side wins.
    pub const fn won_by(side: Color) -> ResultMark {
        match side {
            Color::White => ResultMark::White,
            Color::Black => ResultMark::Black,
        }
    }

    /// The side that won.
    pub const fn winner(self) -> Option<Color> {
        match self {
            ResultMark::White => Some(Color::White),
            ResultMark::Black => Some(Color::Black),
            ResultMark::Draw | ResultMark::Unknown => None,
        }
    }

    /// The mark as the PGN standard spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            ResultMark::White => "1-0",
            ResultMark::Black => "0-1",
            ResultMark::Draw => "1/2-1/2",
            ResultMark::Unknown => "*",
        }
    }
}

impl fmt::Display for ResultMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Reads a text that is a result as a whole, in any spelling. A result that is none of the four,
/// such as `0-0`, `1/2-0`, `1F-0F` or `+-`, has a form, but no value. Nothing is made of `?`, of an
/// empty text, or of words other than those for a draw.
#[inline]
pub fn read(text: &[u8]) -> Parsed<ResultMark> {
    let mark = match text {
        b"1-0" => ResultMark::White,
        b"0-1" => ResultMark::Black,
        b"1/2-1/2" => ResultMark::Draw,
        b"*" => ResultMark::Unknown,
        _ => return read_other(text),
    };
    Parsed::standard(Some(mark))
}

/// Draws that are no score of both sides.
pub(crate) const DRAWS: [&str; 9] = [
    "1/2", "draw", "drawn", "remis", "remise", "tablas", "empate", "nulle", "patta",
];

#[cold]
fn read_other(text: &[u8]) -> Parsed<ResultMark> {
    const LONGEST: usize = 32;
    let plain = match text.len() {
        ..=LONGEST => plain(text),
        _ => String::new(),
    };
    let value = match plain.as_str() {
        "1-0" | "1.0-0.0" | "1,0-0,0" => Some(ResultMark::White),
        "0-1" | "0.0-1.0" | "0,0-1,0" => Some(ResultMark::Black),
        "1/2-1/2" | "0.5-0.5" | ".5-.5" | "0,5-0,5" => Some(ResultMark::Draw),
        word if DRAWS.contains(&word) => Some(ResultMark::Draw),
        "*" => Some(ResultMark::Unknown),
        // Both have lost, one has got half a point, or a game was not played.
        "0.0-0.0" | "0,0-0,0" | "0-0" | "1/2-0" | "0-1/2" | "1/2-1" | "1-1/2" | "1-1" | "+-"
        | "-+" | "--" | "+--" | "--+" | "---" | "+/-" | "-/+" | "-/-" | "1-0f" | "0-1f"
        | "1-0ff" | "0-1ff" | "0-0ff" | "1f-0f" | "0f-1f" | "0f-0f" | "1x-0f" | "0f-1x" => None,
        _ => return Parsed::new(None, Form::Invalid(ValueFault::NotResult)),
    };
    Parsed::new(value, Form::InUse)
}

/// A result with hyphens for all dashes and colons, zeros for letters, `1/2` for `½`, and without
/// blanks.
fn plain(text: &[u8]) -> String {
    let text = crate::text::decode(text).trim().to_lowercase();
    // `O-0` may be castling.
    let has_letters = text.contains('1');
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            // Hyphens, dashes and the minus sign; windows-1252 has its dashes where Latin-1 has
            // controls.
            ':' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{96}' | '\u{97}' => plain.push('-'),
            '\u{bd}' => plain.push_str("1/2"),
            '\u{2044}' | '\u{2215}' => plain.push('/'),
            'o' if has_letters => plain.push('0'),
            ' ' | '\u{a0}' => {}
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_use(value: Option<ResultMark>) -> Parsed<ResultMark> {
        let form = Form::InUse;
        Parsed { value, form }
    }

    #[test]
    fn other_spellings_of_the_four_results() {
        for mark in [
            ResultMark::White,
            ResultMark::Black,
            ResultMark::Draw,
            ResultMark::Unknown,
        ] {
            let text = mark.as_str().as_bytes();
            assert_eq!(read(text), Parsed::standard(Some(mark)));
        }
        for (text, mark) in [
            ("1:0", ResultMark::White),
            ("1–0", ResultMark::White),
            ("1 - 0", ResultMark::White),
            ("1-O", ResultMark::White),
            ("1-0 ", ResultMark::White),
            ("0:1", ResultMark::Black),
            ("0—1", ResultMark::Black),
            ("O-1", ResultMark::Black),
            ("0−1", ResultMark::Black),
            ("1/2", ResultMark::Draw),
            ("½", ResultMark::Draw),
            ("½-½", ResultMark::Draw),
            ("½:½", ResultMark::Draw),
            ("1/2:1/2", ResultMark::Draw),
            ("1/2 - 1/2", ResultMark::Draw),
            ("1/2–½", ResultMark::Draw),
            ("0.5-0.5", ResultMark::Draw),
            ("0.5:0.5", ResultMark::Draw),
            ("1.0-0.0", ResultMark::White),
            ("0,0:1,0", ResultMark::Black),
            ("Draw", ResultMark::Draw),
            ("remis", ResultMark::Draw),
            (" *", ResultMark::Unknown),
        ] {
            let read = read(text.as_bytes());
            assert_eq!(read, in_use(Some(mark)), "{text}");
        }
        let latin_1 = read(b"\xbd-\xbd");
        assert_eq!(latin_1, in_use(Some(ResultMark::Draw)));
        let windows = read(b"1\x960");
        assert_eq!(windows, in_use(Some(ResultMark::White)));
    }

    #[test]
    fn what_is_no_result_of_the_four() {
        for text in [
            "0-0", "0:0", "1/2-0", "0-½", "1-1/2", "1-1", "+-", "-+", "+:-", "-:+", "-:-", "--",
            "+/-", "1-0ff", "0-1 FF", "1F-0F", "0F-0F",
        ] {
            assert_eq!(read(text.as_bytes()), in_use(None), "{text}");
        }
        for text in [
            "",
            "?",
            "1",
            "0",
            "2-0",
            "1-2",
            "10-0",
            "1-0-0",
            "0-0-0",
            "white",
            "loss",
            "o",
            "o-o-o",
            "1/2-1/2-1/2",
            "1.-0.",
            "1.0-0",
            "1.0-0-0",
            "e4",
            "1/4",
        ] {
            let form = Form::Invalid(ValueFault::NotResult);
            assert_eq!(read(text.as_bytes()).form, form, "{text}");
        }
    }
}
