//! Shares of a whole, as they are shown.

use std::fmt;

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

impl fmt::Display for CutPercent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02} %", self.0 / 100, self.0 % 100)
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
}
