//! A ply of a game by its number, or by that of the move.

use std::str::FromStr;

use crate::chess::{Color, Position};

/// A ply of a game: `24`, `12w` or `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlyPoint {
    /// This ply, from 1; 0 is the initial position.
    Ply(u32),
    /// The move with this number of one side.
    Move(u32, Color),
    /// The last ply that could be played.
    End,
}

impl PlyPoint {
    /// Ply; negative for moves before the start of the game.
    pub fn ply(self, start: &Position, last: u32) -> i64 {
        match self {
            PlyPoint::Ply(ply) => ply.into(),
            PlyPoint::End => last.into(),
            PlyPoint::Move(number, color) => {
                let moves = i64::from(number) - i64::from(start.fullmoves());
                let half = |black: Color| i64::from(black == Color::Black);
                2 * moves + 1 + half(color) - half(start.turn())
            }
        }
    }

    /// True if it comes after another point in every game.
    pub fn is_surely_after(self, other: PlyPoint) -> bool {
        match (self, other) {
            (PlyPoint::Ply(ply), PlyPoint::Ply(other)) => ply > other,
            (PlyPoint::Move(number, color), PlyPoint::Move(other, other_color)) => {
                (number, color) > (other, other_color)
            }
            _ => false,
        }
    }
}

impl FromStr for PlyPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<PlyPoint, String> {
        if text.eq_ignore_ascii_case("end") {
            return Ok(PlyPoint::End);
        }
        let (digits, color) = match text.as_bytes().last() {
            Some(b'w' | b'W') => (&text[..text.len() - 1], Some(Color::White)),
            Some(b'b' | b'B') => (&text[..text.len() - 1], Some(Color::Black)),
            _ => (text, None),
        };
        let number = digits
            .parse()
            .ok()
            .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
        match (number, color) {
            (Some(ply), None) => Ok(PlyPoint::Ply(ply)),
            (Some(number @ 1..), Some(color)) => Ok(PlyPoint::Move(number, color)),
            _ => Err(format!(
                "`{text}` is not a ply such as `24`, `12w`, `12b` or `end`"
            )),
        }
    }
}
