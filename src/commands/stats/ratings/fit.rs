//! Maximum likelihood of ratings: the model of Bradley and Terry with White's advantage, a draw
//! being half a win and half a loss, and Davidson's model of draws. It is the model of ordo, whose
//! manual has the formulas, <https://github.com/michiguel/Ordo/blob/master/manual.tex>.

use std::collections::BTreeMap;
use std::mem;

use crate::commands::stats::numbers::Z;

/// Rating of a difference of one natural unit, 202 / ln(0.76 / 0.24): on the scale of ordo a score
/// of 76 percent is a difference of 202.
const ELO: f64 = 175.243_854_218_244_54;

/// Limit for the product of the numbers of players and encounters with which the errors of all are
/// calculated, which takes some seconds.
const MOST_WORK: usize = 50_000_000;

/// Games of two players with one distribution of colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encounter {
    pub(super) white: usize,
    pub(super) black: usize,
    pub(super) games: f64,
    /// Points of White.
    pub(super) points: f64,
    pub(super) draws: f64,
}

impl Encounter {
    /// Each player with the opponent and the player's points.
    pub(super) fn sides(&self) -> [(usize, usize, f64); 2] {
        let lost = self.games - self.points;
        [
            (self.white, self.black, self.points),
            (self.black, self.white, lost),
        ]
    }
}

/// Ratings of players within groups that the results compare.
#[derive(Default)]
pub(super) struct Fit {
    pub(super) encounters: Vec<Encounter>,
    /// True if the games determine White's advantage.
    has_advantage: bool,
    /// Strengths of the players in natural units, then White's advantage.
    strengths: Vec<f64>,
    /// Expected score of White in each encounter.
    scores: Vec<f64>,
    elimination: Elimination,
    /// Variance of White's points in each encounter.
    variances: Vec<f64>,
    /// False if no strengths were found that are likelier than all others.
    pub(super) has_converged: bool,
    /// Share of draws in games of equal players.
    pub(super) draw_rate: f64,
}

impl Fit {
    /// Ratings of players by encounters within groups.
    pub(super) fn new(players: usize, encounters: Vec<Encounter>) -> Fit {
        let mut fit = Fit {
            strengths: vec![0.0; players + 1],
            encounters,
            ..Fit::default()
        };
        fit.set_scores();
        if fit.can_tell_advantage() {
            fit.has_advantage = true;
            fit.has_converged = fit.fit_strengths();
            fit.has_advantage = false;
        }
        // An advantage that explains all results is infinite: then it is left out.
        fit.has_advantage = fit.has_converged && fit.can_tell_advantage();
        if !fit.has_advantage {
            fit.has_converged = fit.fit_strengths();
        }
        fit.fit_draws();
        let variances = fit.weights().zip(fit.draws());
        let variances = variances.map(|(weight, draws)| weight - draws / 4.0);
        fit.variances = variances.collect();
        fit
    }

    /// Whether strengths alone, without an advantage, cannot give each White the same advantage in
    /// the games whose results are not certain. Otherwise the games do not tell it.
    fn can_tell_advantage(&self) -> bool {
        let even = self.solve(&self.sums(self.weights()));
        let rests = self.margins(&even).zip(self.weights());
        let rests = rests.map(|(margin, weight)| (1.0 - margin).powi(2) * weight);
        rests.sum::<f64>() > 1e-9 * self.weights().sum::<f64>()
    }

    /// Finds the likeliest strengths by Newton's method, with steps that cannot overshoot by much.
    /// Returns false if they are infinite, or cannot be found.
    fn fit_strengths(&mut self) -> bool {
        // An infinite margin grows by about 1 in each step, a finite one to less than 40.
        const MOST_STEPS: usize = 100;
        const LONGEST_STEP: f64 = 1.0;
        // The error after a step is about its square.
        const PRECISION: f64 = 1e-6;
        self.strengths.fill(0.0);
        self.set_scores();
        for _ in 0..MOST_STEPS {
            let rests = self.encounters.iter().zip(&self.scores);
            let rests = rests.map(|(games, score)| games.points - games.games * score);
            let step = self.solve(&self.sums(rests));
            // Scores that are nearly certain do not change, however large the step.
            let changes = self.margins(&step).zip(&self.scores);
            let changes = changes.map(|(margin, score)| margin * (score * (1.0 - score)).sqrt());
            let longest = changes.map(f64::abs).fold(0.0, f64::max);
            for (strength, part) in self.strengths.iter_mut().zip(&step) {
                *strength += part * (LONGEST_STEP / longest).min(1.0);
            }
            self.set_scores();
            if step.iter().all(|part| part.abs() < PRECISION) {
                return true;
            }
        }
        false
    }

    /// Sets the scores that the strengths make likely, and what depends on them.
    fn set_scores(&mut self) {
        let score = |margin: f64| 1.0 / (1.0 + (-margin).exp());
        self.scores = self.margins(&self.strengths).map(score).collect();
        self.elimination = Elimination::new(self);
    }

    /// Finds the share of draws at which as many draws are expected as there are.
    fn fit_draws(&mut self) {
        let found: f64 = self.encounters.iter().map(|games| games.draws).sum();
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > 1e-12 {
            let middle = f64::midpoint(low, high);
            self.draw_rate = middle;
            if self.draws().sum::<f64>() < found {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    /// Elo of a player, without a common reference.
    pub(super) fn elo(&self, player: usize) -> f64 {
        ELO * self.strengths[player]
    }

    /// Elo of White's advantage with its error, if the games determine it.
    pub(super) fn advantage(&self) -> Option<(f64, Option<f64>)> {
        let place = self.strengths.len() - 1;
        (self.has_advantage && self.has_converged)
            .then(|| (self.elo(place), self.error(place, &[])))
    }

    /// Error of 95 % of a player's Elo to the mean of a group, from the covariance of the
    /// strengths. `None` if all games were drawn, or there are too many players.
    pub(super) fn error(&self, player: usize, group: &[usize]) -> Option<f64> {
        let contrast = self.contrast(player, group)?;
        Some(Z * self.deviation(&contrast))
    }

    /// The inverse of the information matrix times a player's strength less the mean of a group.
    /// Linear, so that the difference of two players' contrasts is that of their strengths.
    pub(super) fn contrast(&self, player: usize, group: &[usize]) -> Option<Vec<f64>> {
        let is_too_much = self.strengths.len() * self.encounters.len() > MOST_WORK;
        if self.draw_rate > 1.0 - 1e-6 || is_too_much && !group.is_empty() {
            return None;
        }
        let mut factors = vec![0.0; self.strengths.len()];
        for &other in group {
            factors[other] = -1.0 / group.len() as f64;
        }
        factors[player] += 1.0;
        Some(self.solve(&factors))
    }

    /// Standard deviation of the Elo of a contrast.
    pub(super) fn deviation(&self, contrast: &[f64]) -> f64 {
        let terms = self.margins(contrast).zip(&self.variances);
        let terms = terms.map(|(margin, variance)| margin * margin * variance);
        ELO * terms.sum::<f64>().sqrt()
    }

    /// Expected draws in each encounter, by Davidson's model.
    fn draws(&self) -> impl Iterator<Item = f64> {
        let phi = (1.0 - self.draw_rate) / (2.0 * self.draw_rate);
        let games = self.encounters.iter().zip(&self.scores);
        games.map(move |(games, score)| {
            let product = 4.0 * score * (1.0 - score);
            games.games * product / (1.0 + (1.0 + product * (4.0 * phi * phi - 1.0)).sqrt())
        })
    }

    /// Variance of White's points in each encounter without draws: the derivative of the expected
    /// points by the margin.
    fn weights(&self) -> impl Iterator<Item = f64> {
        let games = self.encounters.iter().zip(&self.scores);
        games.map(|(games, score)| games.games * score * (1.0 - score))
    }

    /// White's strength and advantage less Black's strength, for each encounter.
    fn margins(&self, strengths: &[f64]) -> impl Iterator<Item = f64> {
        let advantage = strengths[strengths.len() - 1];
        let games = self.encounters.iter();
        games.map(move |games| strengths[games.white] - strengths[games.black] + advantage)
    }

    /// Sums of values of the encounters by player, with a minus for Black, and in all.
    fn sums(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.strengths.len() - 1];
        let mut whole = 0.0;
        for (games, value) in self.encounters.iter().zip(values) {
            sums[games.white] += value;
            sums[games.black] -= value;
            whole += value;
        }
        sums.push(if self.has_advantage { whole } else { 0.0 });
        sums
    }

    /// Strengths whose margins, weighted, have the sums `wanted`: by conjugate gradients,
    /// preconditioned by elimination.
    fn solve(&self, wanted: &[f64]) -> Vec<f64> {
        const PRECISION: f64 = 1e-16;
        // The sums of a group are 0 but for rounding, which no strengths can reach.
        const ROUNDING: f64 = 1e-24;
        let weights: Vec<f64> = self.weights().collect();
        let mut solved = vec![0.0; wanted.len()];
        let mut rest = wanted.to_vec();
        let mut direction = self.elimination.solve(&rest);
        let mut size = product(&rest, &direction);
        let enough = (size * PRECISION).max(ROUNDING);
        for _ in 0..4 * wanted.len() {
            if size <= enough {
                break;
            }
            let margins = self.margins(&direction).zip(&weights);
            let image = self.sums(margins.map(|(margin, weight)| margin * weight));
            let length = size / product(&direction, &image);
            for nth in 0..rest.len() {
                solved[nth] += length * direction[nth];
                rest[nth] -= length * image[nth];
            }
            let next = self.elimination.solve(&rest);
            let before = std::mem::replace(&mut size, product(&rest, &next));
            for (direction, next) in direction.iter_mut().zip(next) {
                *direction = next + size / before * *direction;
            }
        }
        solved
    }
}

/// Cholesky factors of the weights, as far as they stay sparse: players with few opponents are
/// eliminated one after the other, and of the others there is the diagonal. For a chain of players
/// they are exact, where the diagonal alone needs as many iterations as there are players.
#[derive(Default)]
struct Elimination {
    /// Eliminated players, with their opponents' shares of the weight.
    steps: Vec<(usize, Vec<(usize, f64)>)>,
    diagonal: Vec<f64>,
}

impl Elimination {
    const MOST_OPPONENTS: usize = 8;

    fn new(fit: &Fit) -> Elimination {
        let mut near = vec![BTreeMap::new(); fit.strengths.len() - 1];
        for (games, weight) in fit.encounters.iter().zip(fit.weights()) {
            for (player, opponent, _) in games.sides() {
                *near[player].entry(opponent).or_insert(0.0) += weight;
            }
        }
        let sum = |near: &BTreeMap<usize, f64>| near.values().sum::<f64>();
        let mut players: Vec<usize> = (0..near.len()).collect();
        players.sort_by_key(|&player| near[player].len());
        let mut diagonal: Vec<f64> = near.iter().map(sum).collect();
        let mut steps = Vec::new();
        for player in players {
            if near[player].len() > Elimination::MOST_OPPONENTS {
                continue;
            }
            let opponents = mem::take(&mut near[player]);
            let whole = sum(&opponents);
            for (&one, weight) in &opponents {
                near[one].remove(&player);
                for (&other, part) in opponents.iter().filter(|(other, _)| **other != one) {
                    *near[one].entry(other).or_insert(0.0) += weight * part / whole;
                }
                diagonal[one] = sum(&near[one]);
            }
            let shares = opponents.into_iter();
            let shares = shares.map(|(opponent, weight)| (opponent, weight / whole));
            steps.push((player, shares.collect()));
        }
        diagonal.push(fit.weights().sum());
        Elimination { steps, diagonal }
    }

    /// Strengths whose weighted margins have nearly these sums. The last player of a chain, without
    /// a weight, has 0.
    fn solve(&self, sums: &[f64]) -> Vec<f64> {
        let mut solved = sums.to_vec();
        for (player, shares) in &self.steps {
            for (opponent, share) in shares {
                solved[*opponent] += share * solved[*player];
            }
        }
        for (solved, diagonal) in solved.iter_mut().zip(&self.diagonal) {
            *solved = if *diagonal > 0.0 {
                *solved / diagonal
            } else {
                0.0
            };
        }
        for (player, shares) in self.steps.iter().rev() {
            let parts = shares
                .iter()
                .map(|(opponent, share)| share * solved[*opponent]);
            solved[*player] += parts.sum::<f64>();
        }
        solved
    }
}

fn product(first: &[f64], second: &[f64]) -> f64 {
    first.iter().zip(second).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Won, drawn and lost games of Zevra 1.8.6 and 1.8.5 against five engines, 700 each, as
    /// published with the table of ordo on <https://github.com/sovaz1997/Zevra>. The colours are
    /// not published: they are chosen so that White has its advantage of 26.71.
    const RESULTS: [[[f64; 3]; 5]; 2] = [
        [
            [12.0, 48.0, 640.0],
            [162.0, 155.0, 383.0],
            [313.0, 142.0, 245.0],
            [319.0, 157.0, 224.0],
            [368.0, 180.0, 152.0],
        ],
        [
            [12.0, 38.0, 650.0],
            [127.0, 134.0, 439.0],
            [256.0, 162.0, 282.0],
            [274.0, 149.0, 277.0],
            [312.0, 163.0, 225.0],
        ],
    ];

    fn published() -> Fit {
        let mut encounters = Vec::new();
        for (zevra, results) in RESULTS.iter().enumerate() {
            for (nth, &[won, drawn, lost]) in results.iter().enumerate() {
                let draws = (drawn / 2.0).floor();
                let wins = (won / 2.0 + 0.0625 * won.min(lost)).round();
                let of_black = lost - (350.0 - draws - wins);
                let opponent = nth + 2;
                let games = |white, black, points, draws| Encounter {
                    white,
                    black,
                    games: 350.0,
                    points,
                    draws,
                };
                encounters.push(games(zevra, opponent, wins + draws / 2.0, draws));
                let draws = drawn - draws;
                encounters.push(games(opponent, zevra, of_black + draws / 2.0, draws));
            }
        }
        Fit::new(7, encounters)
    }

    #[test]
    fn ratings_agree_with_a_published_table_of_ordo() {
        let fit = published();
        let (advantage, error) = fit.advantage().unwrap();
        assert!((advantage - 26.71).abs() < 0.05, "{advantage}");
        // The error of the advantage is one standard deviation in ordo's table.
        assert!((error.unwrap() / Z - 4.10).abs() < 0.05, "{error:?}");
        assert!((fit.draw_rate - 0.2295).abs() < 5e-5, "{}", fit.draw_rate);
        // Ratings and errors against Zevra 1.8.5, the errors by a simulation.
        for (player, rating, error) in [
            (2, 2804.4, 36.6),
            (3, 2418.8, 19.0),
            (0, 2303.4, 16.2),
            (4, 2266.1, 17.6),
            (5, 2253.4, 18.7),
            (6, 2198.8, 18.9),
        ] {
            let found = 2250.0 + fit.elo(player) - fit.elo(1);
            assert!((found - rating).abs() < 0.06, "{player}: {found} {rating}");
            let found = fit.error(player, &[1]).unwrap();
            assert!(
                (found / error - 1.0).abs() < 0.05,
                "{player}: {found} {error}"
            );
        }
    }

    #[test]
    fn one_match_has_the_ratings_of_its_score() {
        let games = |white, black, points| Encounter {
            white,
            black,
            games: 100.0,
            points,
            draws: 40.0,
        };
        // With both colours alike, the score of 76 % is a difference of about 202.
        let fit = Fit::new(2, vec![games(0, 1, 76.0), games(1, 0, 24.0)]);
        assert!((fit.elo(0) - fit.elo(1) - 202.0).abs() < 1e-6);
        assert!(fit.advantage().unwrap().0.abs() < 1e-6);
        let error = fit.error(0, &[1]).unwrap();
        let points = 200.0 * 0.76 * 0.24_f64;
        let naive = Z * ELO * (points - 0.4 * 200.0 / 4.0).sqrt() / points;
        assert!((error / naive - 1.0).abs() < 1e-6, "{error} {naive}");
        // The advantage of White cannot be distinguished from that of the player.
        let fit = Fit::new(2, vec![games(0, 1, 76.0)]);
        assert!((fit.elo(0) - fit.elo(1) - 202.0).abs() < 1e-6 && fit.advantage().is_none());
        let drawn = Encounter {
            points: 50.0,
            draws: 100.0,
            ..games(0, 1, 0.0)
        };
        let fit = Fit::new(2, vec![drawn]);
        assert!((fit.draw_rate - 1.0).abs() < 1e-6);
        assert_eq!(fit.error(0, &[1]), None);
    }
}
