//! How games were recorded to end, counted.

use std::ops::AddAssign;

use crate::pgn::{Reader, ResultMark};

/// Counts of recorded results. Adding tallies is commutative and associative, so that games can be counted in any
/// order and in any parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tally {
    /// White won.
    pub white: u64,
    /// Black won.
    pub black: u64,
    /// Drawn.
    pub draws: u64,
    /// No result: `*`, or none at all.
    pub unfinished: u64,
    /// A recorded result that is none of the four, such as `0-0`.
    pub other: u64,
    /// Nothing of a game could be read.
    pub unreadable: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.white += more.white;
        self.black += more.black;
        self.draws += more.draws;
        self.unfinished += more.unfinished;
        self.other += more.other;
        self.unreadable += more.unreadable;
    }
}

/// A share of a whole, such as `47.88 %`: hundredths of a percent, cut, not rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CutPercent(u64);

impl CutPercent {
    /// `part` of `whole`; 0 where the whole is 0.
    pub fn of(part: u64, whole: u64) -> CutPercent {
        let hundredths = u128::from(part) * 10_000;
        CutPercent(hundredths.checked_div(whole.into()).unwrap_or(0) as u64)
    }
}

impl std::fmt::Display for CutPercent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:02} %", self.0 / 100, self.0 % 100)
    }
}

impl Tally {
    /// Counts one game by its Result tag; where that is missing, empty or `?`, by the result mark that ends the movetext,
    /// which is read only then.
    pub fn count(&mut self, reader: &mut Reader, text: &[u8], unclosed_comment: Option<usize>) {
        let tags = reader.read_tags(text);
        let recorded = match tags.recorded_result(text) {
            Ok(None) => {
                let game = reader.read(text, unclosed_comment);
                if game.is_empty() {
                    self.unreadable += 1;
                    return;
                }
                game.recorded_result(text)
            }
            recorded => recorded,
        };
        match recorded {
            Ok(Some(ResultMark::White)) => self.white += 1,
            Ok(Some(ResultMark::Black)) => self.black += 1,
            Ok(Some(ResultMark::Draw)) => self.draws += 1,
            Ok(Some(ResultMark::Unknown) | None) => self.unfinished += 1,
            Err(_) => self.other += 1,
        }
    }

    /// Games with one of the three results; percentages are of these.
    pub fn decided(&self) -> u64 {
        self.white + self.black + self.draws
    }

    /// All games of which something could be read.
    pub fn games(&self) -> u64 {
        self.decided() + self.unfinished + self.other
    }

    /// White's points a game, a draw counting one half: 0 to 1. Nothing if no game has a result.
    pub fn white_score(&self) -> Option<f64> {
        self.share(self.white as f64 + self.draws as f64 / 2.0)
    }

    /// The share of draws, 0 to 1. Nothing if no game has a result.
    pub fn draw_rate(&self) -> Option<f64> {
        self.share(self.draws as f64)
    }

    fn share(&self, part: f64) -> Option<f64> {
        (self.decided() > 0).then(|| part / self.decided() as f64)
    }

    /// The 95 % confidence interval of White's score: 1.96 standard errors either way, from the variance of 1, ½ and 0
    /// points in these games, within 0 and 1.
    pub fn interval_95(&self) -> Option<[f64; 2]> {
        let games = self.decided() as f64;
        let score = self.white_score()?;
        let squares = (self.white as f64 + self.draws as f64 / 4.0) / games;
        let error = 1.96 * ((squares - score * score).max(0.0) / games).sqrt();
        Some([(score - error).max(0.0), (score + error).min(1.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_of_the_source_page_are_cut_not_rounded() {
        // The figures of BrainKing's chess page; rounding would give 47.89 and 46.84 and 5.27.
        let (white, black, draws) = (230_424, 225_400, 25_375);
        let whole = white + black + draws;
        let shown = [white, black, draws].map(|part| CutPercent::of(part, whole).to_string());
        assert_eq!(shown, ["47.88 %", "46.84 %", "5.27 %"]);
        assert_eq!(CutPercent::of(0, 0).to_string(), "0.00 %");
        assert_eq!(CutPercent::of(u64::MAX, u64::MAX).to_string(), "100.00 %");
    }

    #[test]
    fn tag_before_mark_and_mark_where_the_tag_says_nothing() {
        let check = |text: &str, expected: Tally| {
            let mut tally = Tally::default();
            tally.count(&mut Reader::new(), text.as_bytes(), None);
            assert_eq!(tally, expected, "{text}");
        };
        let tally = Tally::default();
        check(
            "[Result \"1-0\"]\n\n1. e4 0-1\n",
            Tally { white: 1, ..tally },
        );
        check("[Result \"?\"]\n\n1. e4 0-1\n", Tally { black: 1, ..tally });
        check("1. e4 1/2-1/2\n", Tally { draws: 1, ..tally });
        check("[Result \"0-0\"]\n\n1. e4\n", Tally { other: 1, ..tally });
        check(
            "[White \"x\"]\n\n1. e4\n",
            Tally {
                unfinished: 1,
                ..tally
            },
        );
        check(
            "[Result \"*\"]\n\n1. e4 *\n",
            Tally {
                unfinished: 1,
                ..tally
            },
        );
        check(
            "hello there\n",
            Tally {
                unreadable: 1,
                ..tally
            },
        );
    }
}
