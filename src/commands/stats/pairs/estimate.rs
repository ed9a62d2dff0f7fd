//! Elo, normalized Elo, LOS and the LLR of SPRT from pairs of games, or from single games.
//!
//! A pair is one sample with a score of 0, ¼, ½, ¾ or 1 (pentanomial), a single game one with a
//! score of 0, ½ or 1 (trinomial). Sources:
//!
//! - M. Van den Bergh, "Comments on Normalized Elo",
//!   <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>: normalized Elo, and the
//!   maximum likelihood under a given normalized Elo (section 4.1).
//! - M. Van den Bergh, <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>: the maximum
//!   likelihood under a given score (proposition 1.1).
//! - <https://disservin.github.io/stockfish-docs/fishtest-wiki/Fishtest-mathematics.html>: the
//!   generalized SPRT on pentanomial counts.
//! - fastchess, <https://github.com/Disservin/fastchess>: Elo with its error, and LOS.

use std::ops::AddAssign;
use std::str::FromStr;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::commands::stats::numbers::{self, Rate, Z, error, superiority};
use crate::report::json::rounded;

/// Normalized Elo of a score that exceeds ½ by one standard deviation of a game.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// Count of a result that no sample has, in the LLR.
const PRIOR: f64 = 1e-3;

/// Scores of a sample of `N` possible results.
fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|points| points as f64 / (N - 1) as f64)
}

/// Games of a sample of `N` possible results.
const fn games_of_sample<const N: usize>() -> f64 {
    (N - 1) as f64 / 2.0
}

/// Counts of pairs by the points of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Pentanomial {
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    #[serde(rename = "pentanomial")]
    pub(crate) counts: [u64; 5],
    /// Pairs with 1 point of which a game was won and a game lost.
    pub(crate) won_and_lost: u64,
}

impl Pentanomial {
    /// Adds a pair by the half points of its games, from 0 to 2.
    pub(crate) fn add(&mut self, games: [u8; 2]) {
        let [first, second] = games.map(usize::from);
        self.counts[first + second] += 1;
        self.won_and_lost += u64::from(first.abs_diff(second) == 2);
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, more: Pentanomial) {
        for (sum, more) in self.counts.iter_mut().zip(more.counts) {
            *sum += more;
        }
        self.won_and_lost += more.won_and_lost;
    }
}

/// Estimates of the first player's strength. Numbers that are infinite or undefined are missing.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Estimate {
    /// Points a game.
    pub(crate) score: Option<f64>,
    /// Share of the pairs with one point each.
    pub(crate) pair_draw_rate: Option<f64>,
    /// Logistic Elo, its interval of 95 %, and half of that.
    pub(crate) elo: Option<f64>,
    pub(crate) elo_interval_95: Option<[f64; 2]>,
    pub(crate) elo_error_95: Option<f64>,
    pub(crate) normalized_elo: Option<f64>,
    pub(crate) normalized_elo_interval_95: Option<[f64; 2]>,
    pub(crate) normalized_elo_error_95: Option<f64>,
    /// Likelihood of superiority, from 0 to 1.
    pub(crate) los: Option<f64>,
}

impl Estimate {
    /// Estimates from the counts of samples by points; none without samples.
    pub(crate) fn new<const N: usize>(counts: [u64; N]) -> Option<Estimate> {
        let samples = counts.iter().sum::<u64>() as f64;
        if samples == 0.0 {
            return None;
        }
        let (score, variance) = moments(&counts.map(|count| count as f64 / samples));
        let deviation = (variance / samples).sqrt();
        // Samples that are all alike say nothing of the variance.
        let limits = match variance > 0.0 {
            true => [score - Z * deviation, score + Z * deviation],
            false => [f64::NAN; 2],
        };
        let per_game = (games_of_sample::<N>() * variance).sqrt();
        let normalized = |score: f64| NORMALIZED * (score - 0.5) / per_game;
        let los = superiority(score - 0.5, deviation);
        let rate = Rate {
            value: score,
            interval: limits,
        };
        let elo_interval_95 = rate.elo_interval();
        let normalized_elo_interval_95 = (variance > 0.0).then(|| limits.map(normalized));
        Some(Estimate {
            score: Some(score),
            pair_draw_rate: (N == 5).then(|| counts[N / 2] as f64 / samples),
            elo: rate.elo(),
            elo_interval_95,
            elo_error_95: elo_interval_95.map(error),
            normalized_elo: (variance > 0.0).then(|| normalized(score)),
            normalized_elo_interval_95,
            normalized_elo_error_95: normalized_elo_interval_95.map(error),
            los: (variance > 0.0).then_some(los),
        })
    }
}

/// Mean and variance of a distribution over [`scores`].
fn moments<const N: usize>(shares: &[f64; N]) -> (f64, f64) {
    let weighed = |weight: &dyn Fn(f64) -> f64| -> f64 {
        let terms = scores::<N>().into_iter().zip(shares);
        terms.map(|(score, share)| share * weight(score)).sum()
    };
    let mean = weighed(&|score| score);
    (mean, weighed(&|score| (score - mean).powi(2)))
}

/// Scale of the Elo bounds of SPRT.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum SprtModel {
    /// Normalized Elo, which does not depend on the draw rate
    #[default]
    Normalized,
    /// Logistic Elo
    Logistic,
}

/// Sequential probability ratio test of H1, the Elo is `elo1`, against H0, it is `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Sprt {
    pub(crate) model: SprtModel,
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// Probability of accepting H1 if H0 holds, and the reverse.
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `0,2` or `0,2,0.05,0.05`.
    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers: Option<Vec<f64>> = text
            .split(',')
            .map(|number| {
                let number = number.trim().parse().ok().map(rounded);
                number.filter(|number: &f64| number.is_finite())
            })
            .collect();
        let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
            Some(&[elo0, elo1]) => (elo0, elo1, 0.05, 0.05),
            Some(&[elo0, elo1, alpha, beta]) => (elo0, elo1, alpha, beta),
            _ => return Err("not `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`".to_owned()),
        };
        let sprt = Sprt {
            model: SprtModel::default(),
            elo0,
            elo1,
            alpha,
            beta,
        };
        sprt.checked()
    }
}

/// Hypothesis that a test accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, IntoStaticStr)]
pub(crate) enum SprtVerdict {
    H0,
    H1,
    /// The test goes on.
    #[serde(rename = "neither")]
    #[strum(serialize = "neither")]
    Neither,
}

impl Sprt {
    /// The test itself, if it can be run with its numbers.
    pub(crate) fn checked(self) -> Result<Sprt, String> {
        let Sprt { alpha, beta, .. } = self;
        if self.elo0 >= self.elo1 {
            return Err("ELO0 is not less than ELO1".to_owned());
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err("ALPHA and BETA are above 0, and their sum is below 1".to_owned());
        }
        Ok(self)
    }

    /// Log-likelihood ratios at which the test ends.
    pub(crate) fn bounds(&self) -> [f64; 2] {
        [
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        ]
    }

    pub(crate) fn verdict(&self, llr: f64) -> SprtVerdict {
        let [low, high] = self.bounds();
        match llr {
            _ if llr <= low => SprtVerdict::H0,
            _ if llr >= high => SprtVerdict::H1,
            _ => SprtVerdict::Neither,
        }
    }

    /// Generalized log-likelihood ratio of H1 to H0 from the counts of samples by points. Nothing
    /// without samples, or if a hypothesis cannot hold.
    pub(crate) fn llr<const N: usize>(&self, counts: [u64; N]) -> Option<f64> {
        if counts == [0; N] {
            return None;
        }
        let counts = counts.map(|count| match count {
            0 => PRIOR,
            count => count as f64,
        });
        let sum: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / sum);
        let likeliest = |elo: f64| match self.model {
            SprtModel::Logistic => {
                let score = numbers::score(elo);
                tilted(&shares, &scores().map(|other| other - score))
            }
            // The variance of a game is twice that of a pair.
            SprtModel::Normalized => {
                let per_sample = elo / NORMALIZED * games_of_sample::<N>().sqrt();
                likeliest_normalized(&shares, per_sample)
            }
        };
        let [h0, h1] = [likeliest(self.elo0)?, likeliest(self.elo1)?];
        let terms = h0.iter().zip(h1).zip(counts);
        let llr: f64 = terms.map(|((h0, h1), count)| count * (h1 / h0).ln()).sum();
        Some(llr).filter(|llr| llr.is_finite())
    }
}

/// Likeliest distribution, given observed shares, whose mean of `deviations` is 0: each share is
/// divided by 1 + x · deviation.
fn tilted<const N: usize>(shares: &[f64; N], deviations: &[f64; N]) -> Option<[f64; N]> {
    let least = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    let most = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let mean = |x: f64| -> f64 {
        let terms = shares.iter().zip(deviations);
        terms.map(|(share, by)| share * by / (1.0 + x * by)).sum()
    };
    // The mean falls from infinity to minus infinity between the poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        match mean(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    let mut likeliest = *shares;
    for (share, by) in likeliest.iter_mut().zip(deviations) {
        *share /= 1.0 + low * by;
    }
    Some(likeliest)
}

/// Likeliest distribution whose mean exceeds ½ by `wanted` standard deviations, found by iteration
/// from the uniform one.
fn likeliest_normalized<const N: usize>(shares: &[f64; N], wanted: f64) -> Option<[f64; N]> {
    const MOST_STEPS: usize = 1_000;
    const PRECISION: f64 = 1e-12;
    let mut likeliest = [1.0 / N as f64; N];
    for _ in 0..MOST_STEPS {
        let (mean, variance) = moments(&likeliest);
        let deviation = variance.sqrt();
        let linear = |score: f64| {
            let square = ((mean - score) / deviation).powi(2);
            score - 0.5 - wanted * deviation * (1.0 + square) / 2.0
        };
        let next = tilted(shares, &scores().map(linear))?;
        let pairs = next.iter().zip(&likeliest);
        let change = pairs
            .map(|(next, last)| (next - last).abs())
            .fold(0.0, f64::max);
        likeliest = next;
        if change < PRECISION {
            return Some(likeliest);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: Option<f64>, published: f64, places: i32) {
        let found = found.unwrap();
        // Half a unit of the last place, and some for sums in another order.
        let tolerance = 0.501 * 10_f64.powi(-places);
        assert!(
            (found - published).abs() <= tolerance,
            "{found} {published}"
        );
    }

    /// Cases of `app/tests/elo_test.cpp` of fastchess: LL, LD, WL and DD, WD, WW.
    #[test]
    fn elo_agrees_with_the_tests_of_fastchess() {
        for (counts, normalized, normalized_error, logistic, logistic_error) in [
            ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65),
            ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33),
            ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95),
        ] {
            let estimate = Estimate::new(counts).unwrap();
            check(estimate.normalized_elo, normalized, 2);
            check(
                estimate.normalized_elo_interval_95.map(error),
                normalized_error,
                2,
            );
            check(estimate.elo, logistic, 2);
            check(estimate.elo_interval_95.map(error), logistic_error, 2);
        }
        let los = |counts| Estimate::new(counts).unwrap().los;
        check(los([34, 54, 63, 64, 75]), 1.0, 4);
        check(los([332, 433, 498, 333, 334]), 0.0505, 4);
    }

    /// Outputs of fastchess, the first on <https://chess.stackexchange.com/questions/45881>.
    #[test]
    fn elo_agrees_with_outputs_of_fastchess() {
        let estimate = Estimate::new([4, 3, 34, 42, 117]).unwrap();
        check(estimate.elo, 277.00, 2);
        check(estimate.elo_interval_95.map(error), 40.90, 2);
        check(estimate.normalized_elo, 345.17, 2);
        check(estimate.normalized_elo_interval_95.map(error), 34.05, 2);
        check(estimate.los, 1.0, 4);
        check(estimate.pair_draw_rate, 0.17, 4);
        check(estimate.score, 0.831_25, 5);
        // `semester-5/thunfisch/SPRT.md` of <https://github.com/heofthetea/dhbw>; the error of the
        // Elo is `nan` there.
        let counts = [0, 0, 2, 0, 37];
        let estimate = Estimate::new(counts).unwrap();
        check(estimate.elo, 631.91, 2);
        assert_eq!(estimate.elo_interval_95, None);
        check(estimate.normalized_elo, 1056.68, 2);
        check(estimate.normalized_elo_interval_95.map(error), 77.10, 2);
        check(estimate.pair_draw_rate, 0.0513, 4);
        check(llr(SprtModel::Normalized, "0,20", counts), 2.96, 2);
    }

    /// Tests with a fixed number of games on <https://tests.stockfishchess.org>, as quoted in the
    /// pull requests of Stockfish 4160 and 6255. No pair of the second was won by 2 to 0.
    #[test]
    fn elo_agrees_with_fishtest() {
        for (counts, logistic, logistic_error, los, normalized, normalized_error) in [
            ([39, 5_335, 18_992, 5_622, 12], 1.35, 1.2, 0.986, 3.13, 2.8),
            ([1, 137, 4_659, 203, 0], 2.22, 1.3, 1.0, 12.00, 6.8),
        ] {
            let estimate = Estimate::new(counts).unwrap();
            check(estimate.elo, logistic, 2);
            check(estimate.elo_interval_95.map(error), logistic_error, 1);
            check(estimate.los, los, 3);
            check(estimate.normalized_elo, normalized, 2);
            check(
                estimate.normalized_elo_interval_95.map(error),
                normalized_error,
                1,
            );
        }
    }

    fn llr<const N: usize>(model: SprtModel, bounds: &str, counts: [u64; N]) -> Option<f64> {
        let sprt = Sprt {
            model,
            ..bounds.parse().unwrap()
        };
        sprt.llr(counts)
    }

    /// Cases of `app/tests/sprt_test.cpp` of fastchess, which hold to 1 %.
    #[test]
    fn llr_agrees_with_the_tests_of_fastchess() {
        use SprtModel::{Logistic, Normalized};
        for (model, bounds, counts, published) in [
            (Normalized, "0,2", [365, 16_618, 36_229, 16_974, 390], 2.25),
            (
                Normalized,
                "-1.75,0.25",
                [127, 4_883, 10_712, 5_150, 104],
                3.01,
            ),
            (
                Logistic,
                "0.5,2.5",
                [223, 9_863, 21_279, 10_037, 246],
                -3.07,
            ),
            (Logistic, "0,2", [871, 26_175, 55_983, 26_678, 821], -4.98),
        ] {
            check(llr(model, bounds, counts), published, 2);
        }
        let won = llr(Normalized, "0,5", [0, 0, 0, 0, 5_550]).unwrap();
        assert!((won / 111.82 - 1.0).abs() < 0.01, "{won}");
    }

    /// Tests that passed on <https://tests.stockfishchess.org>, as quoted in the pull requests of
    /// Stockfish 6019, 6285, 6036 and 4194.
    #[test]
    fn llr_agrees_with_fishtest() {
        for (bounds, counts, published) in [
            ("0,2", [320, 12_431, 27_275, 12_858, 316], 2.95),
            ("0.5,2.5", [197, 45_541, 117_722, 46_579, 228], 2.96),
            ("-1.75,0.25", [289, 26_459, 62_934, 26_379, 331], 2.94),
            ("-1.75,0.25", [118, 38_575, 109_888, 38_432, 122], 2.95),
            ("0.5,2.5", [1, 1_098, 3_954, 1_346, 1], 2.94),
            ("0,2", [0, 1_236, 4_490, 1_474, 1], 2.94),
            ("0.5,2.5", [4, 2_290, 7_932, 2_562, 4], 2.95),
            ("0,2", [371, 10_263, 24_989, 10_642, 379], 2.95),
            ("0.5,2.5", [47, 8_181, 25_234, 8_575, 47], 2.94),
        ] {
            check(llr(SprtModel::Normalized, bounds, counts), published, 2);
        }
    }

    /// Raw statistics of a test on a server that runs fishtest,
    /// <https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712>.
    #[test]
    fn a_page_of_raw_statistics_is_reproduced() {
        let counts = [13, 37, 50, 25, 3];
        check(llr(SprtModel::Normalized, "0,4", counts), -0.549_12, 5);
        // The page rounds the logistic bound to 2.716.
        check(llr(SprtModel::Logistic, "0,2.716", counts), -0.537_72, 4);
        let estimate = Estimate::new(counts).unwrap();
        check(estimate.normalized_elo, -63.97, 2);
        check(estimate.score, 0.4375, 5);
        check(estimate.pair_draw_rate, 0.390_62, 4);
        let [low, high] = "0,4".parse::<Sprt>().unwrap().bounds();
        check(Some(low), -2.9444, 4);
        check(Some(high), 2.9444, 4);
    }

    /// Naive formulas on one number a pair, and the approximation of the LLR in section 4.2 of
    /// "Comments on Normalized Elo".
    #[test]
    fn estimates_agree_with_naive_formulas() {
        for seed in 1..200_u64 {
            let counts = [3, 5, 7, 11, 13].map(|factor| (seed * factor) % 97 + 40);
            let scores: Vec<f64> = counts
                .iter()
                .zip(scores::<5>())
                .flat_map(|(&count, score)| vec![score; count as usize])
                .collect();
            let n = scores.len() as f64;
            let mean = scores.iter().sum::<f64>() / n;
            let variance = scores
                .iter()
                .map(|score| (score - mean).powi(2))
                .sum::<f64>()
                / n;
            let estimate = Estimate::new(counts).unwrap();
            check(estimate.score, mean, 9);
            check(estimate.elo, 400.0 * (mean / (1.0 - mean)).log10(), 6);
            let nt = (mean - 0.5) / (2.0 * variance).sqrt();
            check(estimate.normalized_elo, 347.435_585_522_601_46 * nt, 6);
            let [low, high] = estimate.normalized_elo_interval_95.unwrap();
            check(Some(low + high), 2.0 * 347.435_585_522_601_46 * nt, 6);
            let [nt0, nt1] = [0.0, 5.0 / 347.435_585_522_601_46];
            let ratio = (1.0 + (nt - nt0).powi(2)) / (1.0 + (nt - nt1).powi(2));
            let approximate = n * ratio.ln();
            let exact = llr(SprtModel::Normalized, "0,5", counts).unwrap();
            assert!(
                (exact - approximate).abs() < 0.05 + 0.1 * exact.abs(),
                "{exact} {approximate}"
            );
            let mut reversed = counts;
            reversed.reverse();
            let sprt: Sprt = "-5,0".parse().unwrap();
            check(sprt.llr(reversed), -exact, 9);
        }
    }

    /// Cases of `app/tests/elo_test.cpp` of fastchess: losses, draws and wins. It rounds to 1 %.
    #[test]
    fn elo_of_games_agrees_with_the_tests_of_fastchess() {
        for (counts, normalized, normalized_error, los) in [
            ([89, 123, 76], -20.76, 40.13, Some(0.1553)),
            ([96, 111, 136], 49.77, 36.77, Some(0.9960)),
            ([356, 0, 34], -508.44, 34.48, None),
        ] {
            let estimate = Estimate::new(counts).unwrap();
            check(estimate.normalized_elo, normalized, 2);
            let found = estimate.normalized_elo_interval_95.map(error);
            check(found, normalized_error, 2);
            check(estimate.los, los.unwrap_or(0.0), 4);
            assert_eq!(estimate.pair_draw_rate, None);
        }
        let estimate = Estimate::new([96, 111, 136]).unwrap();
        check(estimate.elo, 40.70, 2);
        check(estimate.elo_interval_95.map(error), 30.43, 2);
    }

    /// Matches of cutechess: wins, losses and draws, then Elo with its error and LOS, as published
    /// by the authors of Blunder 8 and of `OopsMate`.
    #[test]
    fn elo_of_games_agrees_with_outputs_of_cutechess() {
        for ([wins, losses, draws], elo, elo_error, los) in [
            ([649, 515, 836], 23.3, 11.6, 1.0),
            ([625, 562, 813], 10.9, 11.7, 0.966),
            ([578, 391, 435], 46.6, 15.2, 1.0),
            ([99, 97, 104], 2.3, 31.8, 0.557),
            ([92, 112, 96], -23.2, 32.5, 0.081),
        ] {
            let estimate = Estimate::new([losses, draws, wins]).unwrap();
            check(estimate.elo, elo, 1);
            // Its quantile of the normal distribution is an approximation, slightly too small.
            let found = estimate.elo_interval_95.map(error).unwrap();
            assert!(
                (found / elo_error - 1.0).abs() < 0.005,
                "{found} {elo_error}"
            );
            check(estimate.los, los, 2);
        }
    }

    /// Numbers of `get_elo` of fishtest for 30 games lost, 40 drawn and 50 won.
    #[test]
    fn elo_of_games_agrees_with_fishtest() {
        let estimate = Estimate::new([30, 40, 50]).unwrap();
        check(estimate.elo, 58.451_214_271, 8);
        check(estimate.elo_interval_95.map(error), 51.512_405_992, 8);
        check(estimate.los, 0.988_818_963_6, 9);
    }

    /// Cases of `app/tests/sprt_test.cpp` of fastchess: losses, draws and wins. The one of draws
    /// only is left out: H0, an Elo of 0, is then the likeliest, and the ratio cannot be positive.
    #[test]
    fn llr_of_games_agrees_with_the_tests_of_fastchess() {
        use SprtModel::{Logistic, Normalized};
        for (model, bounds, counts, published) in [
            (Normalized, "0,2", [36_027, 68_692, 36_433], 0.92),
            (Normalized, "-1.75,0.25", [10_650, 20_431, 10_871], 2.30),
            (Logistic, "0.5,2.5", [21_184, 40_708, 21_404], -1.57),
            (Logistic, "0,2", [57_030, 106_593, 57_433], -2.59),
        ] {
            check(llr(model, bounds, counts), published, 2);
        }
    }

    /// The likelihood of three results has one free number under a hypothesis: the search of its
    /// greatest value is another way to the LLR.
    #[test]
    fn llr_of_games_agrees_with_a_search() {
        let greatest = |value: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64| {
            for _ in 0..200 {
                let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                match value(a) < value(b) {
                    true => low = a,
                    false => high = b,
                }
            }
            value(low)
        };
        for seed in 1..100_u64 {
            let counts = [3, 5, 7].map(|factor| (seed * factor) % 97 + 40);
            let [lost, drawn, won] = counts.map(|count| count as f64);
            let likelihood = |win: f64, draw: f64| {
                lost * (1.0 - win - draw).ln() + drawn * draw.ln() + won * win.ln()
            };
            let logistic = |elo: f64| {
                let mean = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
                let of_draws = |draw: f64| likelihood(mean - draw / 2.0, draw);
                greatest(&of_draws, 1e-9, 2.0 * mean.min(1.0 - mean) - 1e-9)
            };
            // With the mean and its distance from ½ in deviations, the variance is given too.
            let normalized = |elo: f64| {
                let of_mean = |mean: f64| {
                    let variance = ((mean - 0.5) * 800.0 / std::f64::consts::LN_10 / elo).powi(2);
                    let draw = 4.0 * (mean - mean * mean - variance);
                    likelihood(mean - draw / 2.0, draw)
                };
                let widest = 0.5 * elo / (800.0 / std::f64::consts::LN_10);
                greatest(&of_mean, 0.5 + widest * 0.2, 0.5 + widest * 0.9999)
            };
            check(
                llr(SprtModel::Logistic, "3,9", counts),
                logistic(9.0) - logistic(3.0),
                6,
            );
            check(
                llr(SprtModel::Normalized, "3,9", counts),
                normalized(9.0) - normalized(3.0),
                5,
            );
        }
    }

    #[test]
    fn numbers_that_are_infinite_or_undefined_are_missing() {
        assert_eq!(Estimate::new([0; 5]), None);
        assert_eq!(llr(SprtModel::Normalized, "0,5", [0; 5]), None);
        let won = Estimate::new([0, 0, 0, 0, 7]).unwrap();
        assert_eq!(
            (won.elo, won.elo_interval_95, won.normalized_elo),
            (None, None, None)
        );
        assert_eq!(won.los, None);
        assert_eq!(Estimate::new([0; 3]), None);
        let drawn = Estimate::new([0, 0, 7, 0, 0]).unwrap();
        assert_eq!(drawn.elo_interval_95, None);
        assert_eq!(
            (drawn.elo, drawn.normalized_elo, drawn.los),
            (Some(0.0), None, None)
        );
        for bounds in [
            "",
            "1",
            "2,1",
            "0,5,0.5,0.5",
            "0,5,0,0.1",
            "0,x",
            "0,inf",
            "1,2,3",
        ] {
            assert!(bounds.parse::<Sprt>().is_err(), "{bounds}");
        }
    }
}
