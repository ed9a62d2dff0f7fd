//! How near the notation of a move is to what is written.

use strum::VariantArray;

use crate::chess::san::{SanPlus, Suffix};
use crate::chess::{Move, Position, Role};

/// The likeness of two notations, the greatest first. Case and signs that do not tell moves apart
/// are left out of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, VariantArray)]
pub(crate) enum Nearness {
    Same,
    /// The same letters in another order.
    OtherOrder,
    /// One letter replaced, left out, added or exchanged with its neighbour.
    OneEdit,
    TwoEdits,
}

impl Nearness {
    fn of(written: &str, notation: &str) -> Option<Nearness> {
        // Longer words are no moves, and take long to compare.
        const LONGEST: usize = 16;
        if written.len() > LONGEST {
            return None;
        }
        if sorted(written) == sorted(notation) {
            return Some(match written == notation {
                true => Nearness::Same,
                false => Nearness::OtherOrder,
            });
        }
        match strsim::osa_distance(written, notation) {
            1 => Some(Nearness::OneEdit),
            2 => Some(Nearness::TwoEdits),
            _ => None,
        }
    }
}

/// A legal move compared with a word.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub san: String,
    /// Nothing if the two are too far from each other.
    pub nearness: Option<Nearness>,
    /// How much else differs: marks of capture, check and mate, and the case of letters.
    pub mismatches: u32,
    /// How far letters of the same place are from each other in the alphabet.
    pub steps: u32,
}

/// A word of movetext that may stand for another move.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Without what does not tell moves apart.
    plain: String,
    capture: bool,
    suffix: Option<Suffix>,
}

impl Written {
    pub(crate) fn new(word: &[u8]) -> Written {
        let has = |sign| word.contains(&sign);
        Written {
            plain: plain(&String::from_utf8_lossy(word)),
            capture: has(b'x') || has(b':'),
            suffix: match () {
                () if has(b'#') => Some(Suffix::Checkmate),
                () if has(b'+') => Some(Suffix::Check),
                () => None,
            },
        }
    }

    /// Compares the word with the notations of a legal move.
    pub(crate) fn compare(&self, before: &Position, mv: Move) -> Candidate {
        let plus = SanPlus::of(before, mv, &before.after(mv));
        let san = plus.to_string();
        let mut notation = plain(&san);
        let lower = self.plain.to_ascii_lowercase();
        let mut nearness = Nearness::of(&lower, &notation.to_ascii_lowercase());
        // A longer word may name both squares.
        if lower.len() > 3 && mv.castling_side().is_none() {
            let promotion = mv.promotion().map(|role| role.letter().to_string());
            let squares = format!("{}{}{}", mv.from, mv.to, promotion.unwrap_or_default());
            let named = format!("{}{squares}", mv.role.letter());
            for long in [squares, named] {
                let found = Nearness::of(&lower, &long.to_ascii_lowercase());
                if found.is_some() && nearness.is_none_or(|nearness| found < Some(nearness)) {
                    (nearness, notation) = (found, long);
                }
            }
        }
        let cases = self.plain.chars().zip(notation.chars());
        let differs = |(a, b): (char, char)| a != b && a.eq_ignore_ascii_case(&b);
        let other_case = cases.clone().any(differs);
        let is_underpromotion = mv
            .promotion()
            .is_some_and(|role| role != Role::Queen && !self.plain.contains(role.letter()));
        let mismatches = [
            (self.capture != mv.captured.is_some(), 1),
            (self.suffix != plus.suffix, 1),
            (other_case, 1),
            (is_underpromotion, 2),
            (!adds_origin(&lower, &notation.to_ascii_lowercase()), 1),
        ];
        let steps = cases.map(|(a, b)| u32::from(a).abs_diff(u32::from(b)));
        Candidate {
            nearness,
            mismatches: mismatches.iter().filter(|one| one.0).map(|one| one.1).sum(),
            steps: steps.sum(),
            san,
        }
    }
}

/// Whether a notation is the written text with a disambiguating file or rank.
fn adds_origin(written: &str, notation: &str) -> bool {
    let ends = |text: &str| match *text.as_bytes() {
        [first, .., file, rank] => Some([first, file, rank]),
        _ => None,
    };
    let is_one_longer = notation.len() == written.len() + 1;
    is_one_longer && ends(written).is_some_and(|found| ends(notation) == Some(found))
}

/// A move's notation without what does not tell moves apart.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|sign| !"+#!?=x-:.() ".contains(*sign))
        .map(|letter| if letter == '0' { 'O' } else { letter })
        .collect()
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<_> = text.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_near_words_are() {
        for (a, b, expected) in [
            ("Nf3", "Nf3", Some(Nearness::Same)),
            ("Bcx6", "Bxc6", Some(Nearness::Same)),
            ("OO", "O-O", Some(Nearness::Same)),
            ("Qax6", "Qxa6+", Some(Nearness::Same)),
            ("nF3", "Nf3", Some(Nearness::Same)),
            ("N3f", "Nf3", Some(Nearness::OtherOrder)),
            ("Q8=e", "e8=Q", Some(Nearness::OtherOrder)),
            ("Nf3", "Nf6", Some(Nearness::OneEdit)),
            ("Ne7", "Nge7", Some(Nearness::OneEdit)),
            ("OO", "O-O-O", Some(Nearness::OneEdit)),
            ("Ne7", "Nbd7", Some(Nearness::TwoEdits)),
            ("e4", "Nc6", None),
        ] {
            let (a, b) = (plain(a).to_ascii_lowercase(), plain(b).to_ascii_lowercase());
            assert_eq!(Nearness::of(&a, &b), expected, "{a} {b}");
        }
    }
}
