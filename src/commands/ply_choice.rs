//! Choice of plies: `24`, `12w`, `12b`, `end`, and ranges of them.

use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::chess::Position;
use crate::commands::ranges::ranges;
use crate::replay::PlyPoint;

/// A choice of plies, as in `12w,20b-30w,end`.
///
/// A number is a ply and its position; 0 is the start position. `12w` is White's twelfth move by
/// the game's move numbers, `12b` Black's, and `end` the last ply that could be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlyChoice(Vec<(PlyPoint, PlyPoint)>);

/// Chosen plies of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlySet(Vec<RangeInclusive<u32>>);

impl PlyChoice {
    /// The last ply only.
    pub(crate) fn end() -> PlyChoice {
        PlyChoice(vec![(PlyPoint::End, PlyPoint::End)])
    }

    /// True if only the last ply is chosen.
    pub(crate) fn is_end(&self) -> bool {
        self.0 == [(PlyPoint::End, PlyPoint::End)]
    }

    /// The whole game.
    pub(crate) fn all() -> PlyChoice {
        PlyChoice(vec![(PlyPoint::Ply(0), PlyPoint::End)])
    }

    /// True if one range or one ply is chosen.
    pub(crate) fn is_range(&self) -> bool {
        self.0.len() == 1
    }

    /// True if only the start position is chosen.
    pub(crate) fn is_start(&self) -> bool {
        self.0 == [(PlyPoint::Ply(0), PlyPoint::Ply(0))]
    }

    /// Chosen plies of a game, from its start position and the number of its last ply.
    pub(crate) fn of_game(&self, start: &Position, last: u32) -> PlySet {
        let ranges = self.0.iter().filter_map(|(first, end)| {
            let first = first.ply(start, last).max(0);
            let end = end.ply(start, last).min(last.into());
            Some(u32::try_from(first).ok()?..=u32::try_from(end).ok()?)
        });
        PlySet(ranges.filter(|range| !range.is_empty()).collect())
    }
}

impl PlySet {
    /// True if a ply is chosen.
    pub(crate) fn has(&self, ply: u32) -> bool {
        self.0.iter().any(|range| range.contains(&ply))
    }

    /// The first range of plies.
    pub(crate) fn range(&self) -> Option<RangeInclusive<u32>> {
        self.0.first().cloned()
    }

    /// True if the game has none of the plies.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for PlyChoice {
    type Err = String;

    /// Parses plies and ranges separated by commas; a range may be open (`20-`, `-20`).
    fn from_str(text: &str) -> Result<PlyChoice, String> {
        let check = |from: PlyPoint, to: PlyPoint, item: &str| {
            if from == PlyPoint::End && to != PlyPoint::End {
                return Err(format!(
                    "no ply of `{item}` comes after `end`; plies are counted from the start"
                ));
            }
            match from.is_surely_after(to) {
                true => Err(format!("the range `{item}` is empty")),
                false => Ok(()),
            }
        };
        let all = [PlyPoint::Ply(0), PlyPoint::End];
        ranges(text, |point| point.trim().parse(), all, check).map(PlyChoice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Setup;

    fn plies(at: &str, start: &str, last: u32) -> Vec<u32> {
        let setup: Setup = start.parse().unwrap();
        let start = Position::new(&setup).unwrap();
        let plies = at.parse::<PlyChoice>().unwrap().of_game(&start, last);
        (0..=last + 2).filter(|&ply| plies.has(ply)).collect()
    }

    #[test]
    fn moves_are_counted_from_the_first() {
        let start = crate::chess::fen::INITIAL;
        assert_eq!(plies("1w", start, 9), [1]);
        assert_eq!(plies("1b", start, 9), [2]);
        assert_eq!(plies("2b,4w", start, 9), [4, 7]);
        assert_eq!(plies("3, 5", start, 9), [3, 5]);
        assert_eq!(plies("end", start, 9), [9]);
        assert_eq!(plies("0", start, 9), [0]);
        assert_eq!(plies("2w-3w", start, 9), [3, 4, 5]);
        assert_eq!(plies("4b-", start, 9), [8, 9]);
        assert_eq!(plies("-2", start, 9), [0, 1, 2]);
        assert_eq!(plies("7-end", start, 9), [7, 8, 9]);
        assert_eq!(plies("10,40w,12-20", start, 9), [0; 0]);
        assert_eq!(plies("8-99", start, 9), [8, 9]);
    }

    #[test]
    fn moves_are_counted_by_the_numbers_of_the_position() {
        let white = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 23";
        assert_eq!(plies("23w,24b", white, 9), [1, 4]);
        assert_eq!(plies("22b", white, 9), [0]);
        assert_eq!(plies("22w,1b", white, 9), [0; 0]);
        assert_eq!(plies("1w-23w", white, 9), [0, 1]);
        let black = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 23";
        assert_eq!(plies("23w,23b,24w", black, 9), [0, 1, 2]);
    }

    #[test]
    fn what_is_no_choice_of_plies() {
        for text in [
            "",
            "x",
            "12x",
            "w",
            "0w",
            "1,,2",
            "-",
            "+3",
            "5-3",
            "3b-3w",
            "end-x",
            "end-3",
            "end-3b",
            "1-2-3",
            "99999999999",
        ] {
            assert!(text.parse::<PlyChoice>().is_err(), "{text}");
        }
    }
}
