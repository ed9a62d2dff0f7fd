//! The counts of draws by repetition and by counting moves, in words.

use crate::adjudication::phrases::sentence_start;
use crate::chess::Color;
use crate::claim::game::name;
use crate::claim::mismatch::whens;
use crate::law::GameRecord;

/// The count in the last position of a game: `The same position is on the board …`.
pub(super) fn counted(is: &str, record: &GameRecord, is_repetition: bool, plies: &[u32]) -> String {
    if is_repetition {
        format!("The {}", on_the_board(is, record, plies))
    } else {
        sentence_start(&moves_made(record))
    }
}

/// `same position is on the board for the third time: …`
pub(super) fn on_the_board(is: &str, record: &GameRecord, plies: &[u32]) -> String {
    let which = if plies.len() < 2 { "" } else { "same " };
    let nth = for_the_nth_time(record, plies);
    format!("{which}position {is} on the board {nth}")
}

/// `for the second time only: after 24.Nb5 and 26.Nb5`
pub(super) fn for_the_nth_time(record: &GameRecord, plies: &[u32]) -> String {
    match plies.len() {
        0 | 1 => "for the first time".to_owned(),
        2 => format!("for the second time only: {}", whens(record, plies)),
        count => format!("for the {} time: {}", ordinal(count), whens(record, plies)),
    }
}

/// `third`, … `tenth`, `11th`.
fn ordinal(number: usize) -> String {
    const FROM_THIRD: [&str; 8] = [
        "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ];
    if let Some(word) = number.checked_sub(3).and_then(|nth| FROM_THIRD.get(nth)) {
        return (*word).to_owned();
    }
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// The moves of each side without a capture or a pawn move at the end of a game, and since when.
pub(super) fn moves_made(record: &GameRecord) -> String {
    let ply = record.plies();
    let position = record.after(ply);
    let plies = position.halfmoves();
    // The side that has moved last has made one more if the number is odd.
    let [white, black] = Color::ALL.map(|color| (plies + u32::from(color != position.turn())) / 2);
    let since = match ply.checked_sub(plies) {
        Some(0) if !record.start.knows_halfmoves() => "since the given position".to_owned(),
        Some(0) if record.start.halfmoves() == 0 => "since the beginning".to_owned(),
        None | Some(0) => "the clock of the given position included".to_owned(),
        Some(since) => format!("since {}", name(record, since)),
    };
    let by_white = match white {
        0 => "no move".to_owned(),
        1 => "1 move".to_owned(),
        _ => format!("{white} moves"),
    };
    let made = match black {
        _ if black == white => format!("each side has made {by_white}"),
        0 => format!("White has made {by_white} and Black none"),
        _ => format!("White has made {by_white} and Black {black}"),
    };
    format!("{made} without a capture or a pawn move, {since}")
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
