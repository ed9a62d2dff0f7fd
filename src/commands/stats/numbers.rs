//! Numbers of statistics: rates with confidence intervals of 95 %, Elo, and their texts.
//!
//! Both intervals are score intervals: the rates that a test at 5 % does not reject, given the
//! counts. Unlike intervals from standard errors they stay within 0 and 1 and hold for few games
//! and no draws.

use std::cell::RefCell;

use hashbrown::HashMap;

/// The 97.5 % point of the normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// Rate between 0 and 1, or difference of two independent rates, with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Rate {
    /// Observed rate or difference.
    pub value: f64,
    /// The limits of its 95 % confidence interval.
    pub interval: [f64; 2],
}

/// Logistic Elo of a score, if finite.
fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// Score of a logistic Elo.
pub(crate) fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Likelihood of superiority: the chance that the real value of a difference is above 0.
pub(crate) fn superiority(difference: f64, deviation: f64) -> f64 {
    libm::erfc(-difference / (deviation * std::f64::consts::SQRT_2)) / 2.0
}

/// Half of an interval.
pub(crate) fn error([low, high]: [f64; 2]) -> f64 {
    (high - low) / 2.0
}

/// Elo with its error, such as `+137.25 ± 188.60`, rounded to this many decimal places.
pub(crate) fn elo_text(elo: f64, error: Option<f64>, places: usize) -> String {
    let error = error.map_or(String::new(), |error| format!(" ± {error:.places$}"));
    format!("{elo:+.places$}{error}")
}

/// Rate as a percentage, rounded to this many decimal places.
pub(crate) fn percent(rate: f64, places: usize) -> String {
    format!("{:.places$} %", rate * 100.0)
}

/// Share of a whole, such as `47.88 %`: cut, not rounded; 0 if the whole is 0.
pub(crate) fn cut_percent(part: u64, whole: u64) -> String {
    let hundredths = u128::from(part) * 10_000;
    let hundredths = hundredths.checked_div(whole.into()).unwrap_or(0);
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// Difference of rates in percentage points, with its sign.
pub(crate) fn percentage_points(difference: f64) -> String {
    let tenths = (difference * 1000.0).round() / 10.0;
    match tenths == 0.0 {
        true => "0.0".to_owned(),
        false => format!("{tenths:+.1}").replace('-', "−"),
    }
}

impl Rate {
    /// A share of games, with Wilson's score interval (E. B. Wilson, Journal of the American
    /// Statistical Association 22, 1927). Nothing of no game.
    pub(crate) fn share(part: u64, whole: u64) -> Option<Rate> {
        if whole == 0 {
            return None;
        }
        let n = whole as f64;
        let value = part as f64 / n;
        let square = Z * Z / n;
        let centre = value + square / 2.0;
        let reach = (square * (value * (1.0 - value) + square / 4.0)).sqrt();
        let limits = [centre - reach, centre + reach].map(|limit| limit / (1.0 + square));
        Some(Rate::within(value, limits, part == 0, part == whole))
    }

    /// Points a game, a draw counting one half, with the score interval for three outcomes: that of
    /// Tango (Statistics in Medicine 17, 1998) for the difference of the chances to win and to
    /// lose. Nothing of no game.
    pub(crate) fn points(won: u64, drawn: u64, lost: u64) -> Option<Rate> {
        let value = Rate::value_of_points(won, drawn, lost)?;
        // Most of many thousand players have played few games and share their results: memoise.
        KNOWN.with_borrow_mut(|known| {
            if known.len() == MOST_KNOWN {
                known.clear();
            }
            let counts = [won, drawn, lost];
            let rate = known
                .entry(counts)
                .or_insert_with(|| Rate::found(counts, value));
            Some(*rate)
        })
    }

    /// [`Rate::points`] without the interval.
    pub(crate) fn value_of_points(won: u64, drawn: u64, lost: u64) -> Option<f64> {
        let games = won + drawn + lost;
        (games > 0).then(|| (won as f64 + drawn as f64 / 2.0) / games as f64)
    }

    /// As [`Rate::points`], by trying.
    fn found([won, drawn, lost]: [u64; 3], value: f64) -> Rate {
        let games = won + drawn + lost;
        let (won_f, lost_f, n) = (won as f64, lost as f64, games as f64);
        let found = (won_f - lost_f) / n;
        // How far the difference found is above the one supposed and `z` standard errors.
        let above = |supposed: f64, z: f64| {
            let variance = n * variance(supposed, won_f, lost_f, n);
            won_f - lost_f - n * supposed - z * variance.sqrt()
        };
        let limits = [
            root(-1.0, found, |supposed| above(supposed, Z)),
            root(found, 1.0, |supposed| above(supposed, -Z)),
        ];
        let limits = limits.map(|limit| f64::midpoint(1.0, limit));
        Rate::within(value, limits, lost == games, won == games)
    }

    /// A rate with limits that arithmetic has not pushed to the wrong side of anything.
    fn within(value: f64, [low, high]: [f64; 2], is_least: bool, is_most: bool) -> Rate {
        Rate {
            value,
            interval: [
                if is_least { 0.0 } else { low.clamp(0.0, value) },
                if is_most { 1.0 } else { high.clamp(value, 1.0) },
            ],
        }
    }

    /// How much more this rate is than another one, counted in other games, with the interval made
    /// of both (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10; G. Y. Zou and A.
    /// Donner, the same journal 27, 2008, for rates of any kind).
    pub(crate) fn beyond(self, other: Rate) -> Rate {
        let value = self.value - other.value;
        let [low, high] = self.interval;
        let [other_low, other_high] = other.interval;
        let below = (self.value - low).hypot(other_high - other.value);
        let above = (high - self.value).hypot(other.value - other_low);
        Rate {
            value,
            interval: [value - below, value + above],
        }
    }

    /// Logistic Elo of a score, if finite.
    pub(crate) fn elo(self) -> Option<f64> {
        elo(self.value)
    }

    /// Logistic Elo at both ends of the interval of a score, if both are finite.
    pub(crate) fn elo_interval(self) -> Option<[f64; 2]> {
        let [low, high] = self.interval.map(elo);
        Some([low?, high?])
    }

    /// Whether a difference may be none at all.
    pub(crate) fn may_be_chance(self) -> bool {
        self.interval[0] <= 0.0 && self.interval[1] >= 0.0
    }
}

thread_local! {
    /// The rates of points that have been found by what was won, drawn and lost.
    static KNOWN: RefCell<HashMap<[u64; 3], Rate>> = RefCell::default();
}

/// Size of the memo, some 1 MB.
const MOST_KNOWN: usize = 1 << 14;

/// The variance of one game's outcome (1, 0 or -1) if the chance to win is `supposed` more than
/// that to lose and both are as likely as can be by what was counted.
fn variance(supposed: f64, won: f64, lost: f64, n: f64) -> f64 {
    let b = -won - lost + (2.0 * n - won + lost) * supposed;
    let c = -lost * supposed * (1.0 - supposed);
    let losing = ((b * b - 8.0 * n * c).max(0.0).sqrt() - b) / (4.0 * n);
    (2.0 * losing + supposed * (1.0 - supposed)).max(0.0)
}

/// Zero of a falling function, by false position with the Illinois rule, in a quarter of the steps
/// of bisection; the same bits on every machine, as it uses IEEE 754 arithmetic only.
fn root(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (value(low), value(high));
    let mut raised = None;
    for _ in 0..100 {
        if high - low < 1e-15 {
            break;
        }
        let mut middle = (low * at_high - high * at_low) / (at_high - at_low);
        if !(low < middle && middle < high) {
            middle = f64::midpoint(low, high);
        }
        let found = value(middle);
        let raises = found > 0.0;
        // An end that has stayed twice weighs half.
        let weight = if raised == Some(raises) { 0.5 } else { 1.0 };
        if raises {
            (low, at_low, at_high) = (middle, found, at_high * weight);
        } else {
            (high, at_high, at_low) = (middle, found, at_low * weight);
        }
        raised = Some(raises);
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentage_points_have_a_sign() {
        assert_eq!(percentage_points(0.0123), "+1.2");
        assert_eq!(percentage_points(-0.0123), "−1.2");
        assert_eq!(percentage_points(-0.0001), "0.0");
    }

    #[test]
    fn percentages_of_the_source_page_are_cut_not_rounded() {
        // The figures of BrainKing's chess page; rounding would give 47.89 and 46.84 and 5.27.
        let (white, black, draws) = (230_424, 225_400, 25_375);
        let whole = white + black + draws;
        let shown = [white, black, draws].map(|part| cut_percent(part, whole));
        assert_eq!(shown, ["47.88 %", "46.84 %", "5.27 %"]);
        assert_eq!(cut_percent(0, 0), "0.00 %");
        assert_eq!(cut_percent(u64::MAX, u64::MAX), "100.00 %");
    }

    fn close(found: [f64; 2], expected: [f64; 2]) -> bool {
        found
            .iter()
            .zip(expected)
            .all(|(found, expected)| (found - expected).abs() < 5e-5)
    }

    #[test]
    fn wilson_s_interval_as_newcombe_tabulates_it() {
        // R. G. Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I,
        // method 3.
        for (part, whole, expected) in [
            (81, 263, [0.2553, 0.3662]),
            (15, 148, [0.0624, 0.1605]),
            (0, 20, [0.0000, 0.1611]),
            (1, 29, [0.0061, 0.1718]),
        ] {
            let rate = Rate::share(part, whole).unwrap();
            assert!(close(rate.interval, expected), "{part}/{whole}: {rate:?}");
        }
        assert_eq!(Rate::share(0, 0), None);
    }

    #[test]
    fn newcombe_s_interval_of_a_difference() {
        // R. G. Newcombe, Interval estimation for the difference between independent proportions,
        // 1998, table II, method 10.
        for ((a, m), (b, n), expected) in [
            ((56, 70), (48, 80), [0.0524, 0.3339]),
            ((9, 10), (3, 10), [0.1705, 0.8090]),
            ((0, 10), (0, 10), [-0.2775, 0.2775]),
            ((10, 10), (0, 20), [0.6791, 1.0000]),
        ] {
            let difference = Rate::share(a, m)
                .unwrap()
                .beyond(Rate::share(b, n).unwrap());
            assert!(close(difference.interval, expected), "{difference:?}");
        }
    }

    /// The most likely chances given their difference, found by trying them all; then the test's
    /// statistic, squared.
    fn statistic(supposed: f64, won: u64, drawn: u64, lost: u64) -> f64 {
        let term = |count: u64, chance: f64| match count {
            0 => 0.0,
            _ => count as f64 * chance.ln(),
        };
        let (least, most) = ((-supposed).max(0.0), (1.0 - supposed) / 2.0);
        let likelihood = |losing: f64| {
            let winning = losing + supposed;
            term(won, winning) + term(lost, losing) + term(drawn, (1.0 - winning - losing).max(0.0))
        };
        // The likelihood has one top: thirds.
        let (mut low, mut high) = (least, most);
        for _ in 0..300 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if likelihood(a) < likelihood(b) {
                low = a;
            } else {
                high = b;
            }
        }
        let losing = f64::midpoint(low, high);
        let n = (won + drawn + lost) as f64;
        let variance = 2.0 * losing + supposed - supposed * supposed;
        (won as f64 - lost as f64 - n * supposed).powi(2) / (n * variance)
    }

    #[test]
    fn the_interval_of_points_ends_where_the_test_rejects() {
        for (won, drawn, lost) in [
            (3, 1, 1),
            (40, 20, 30),
            (1, 50, 2),
            (7, 0, 3),
            (5, 5, 0),
            (0, 9, 1),
        ] {
            let rate = Rate::points(won, drawn, lost).unwrap();
            for limit in rate.interval {
                if limit > 0.0 && limit < 1.0 {
                    let found = statistic(2.0 * limit - 1.0, won, drawn, lost);
                    assert!(
                        (found - Z * Z).abs() < 1e-3,
                        "{won} {drawn} {lost}: {limit} {found}"
                    );
                }
            }
        }
    }

    #[test]
    fn without_draws_points_are_a_share() {
        for (won, lost) in [(7, 3), (1, 1), (90, 10), (1, 30)] {
            let points = Rate::points(won, 0, lost).unwrap();
            let share = Rate::share(won, won + lost).unwrap();
            assert!(
                close(points.interval, share.interval),
                "{points:?} {share:?}"
            );
        }
    }

    #[test]
    fn both_sides_see_the_same_interval() {
        for (won, drawn, lost) in [(3, 1, 1), (0, 5, 0), (10, 0, 0), (123, 456, 78)] {
            let [low, high] = Rate::points(won, drawn, lost).unwrap().interval;
            let [other_low, other_high] = Rate::points(lost, drawn, won).unwrap().interval;
            assert!((low + other_high - 1.0).abs() < 1e-9 && (high + other_low - 1.0).abs() < 1e-9);
            assert!(low < high && (0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
        }
        assert_eq!(Rate::points(10, 0, 0).unwrap().interval[1], 1.0);
        assert_eq!(Rate::points(0, 0, 10).unwrap().interval[0], 0.0);
        assert_eq!(Rate::points(0, 0, 0), None);
    }

    /// Coverage: probability that the interval of 40 games contains the true rate.
    fn coverage(win: f64, loss: f64) -> f64 {
        let games = 40_u64;
        let factorial = |n: u64| (1..=n).map(|k| (k as f64).ln()).sum::<f64>();
        let mut covered = 0.0;
        for won in 0..=games {
            for lost in 0..=games - won {
                let drawn = games - won - lost;
                let chance = factorial(games) - factorial(won) - factorial(drawn) - factorial(lost)
                    + won as f64 * win.ln()
                    + lost as f64 * loss.ln()
                    + drawn as f64 * (1.0 - win - loss).ln();
                let [low, high] = Rate::points(won, drawn, lost).unwrap().interval;
                let truth = win + (1.0 - win - loss) / 2.0;
                if (low..=high).contains(&truth) {
                    covered += chance.exp();
                }
            }
        }
        covered
    }

    #[test]
    fn nineteen_of_twenty_intervals_hold_the_truth() {
        for (win, loss) in [(0.4, 0.3), (0.3, 0.1), (0.05, 0.05), (0.6, 0.2)] {
            let covered = coverage(win, loss);
            assert!((0.93..0.98).contains(&covered), "{win} {loss}: {covered}");
        }
    }
}
