//! `--keep`: which of several duplicates stays.

use std::cmp::Reverse;
use std::collections::HashMap;

use clap::ValueEnum;

use crate::commands::validate::duplicates::find::{AllGames, Double, Endings};
use crate::replay::{GameKey, When};

/// Value of `--keep`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Keep {
    /// The game with the most moves; of several the one with the most tags
    Longest,
    /// The first game in the inputs
    First,
    /// The game with the most tags; of several the one with the most moves
    MostTags,
}

impl Keep {
    /// The games that are not kept, sorted: those that are the same as a kept game, or of which one
    /// is the beginning of the other. `games` are all that may be, `beginnings` the pairs of them
    /// of which one is the beginning of the other. An opening is not kept either if one with other
    /// moves and the same of these `ends` is. A faulty game is kept only if all are faulty.
    pub(crate) fn removed(
        self,
        all: AllGames<'_>,
        mut games: Vec<u32>,
        beginnings: &[Double],
        ends: &Endings,
    ) -> Vec<u32> {
        let mut neighbours: HashMap<Version, Vec<Version>> = HashMap::new();
        for double in beginnings {
            let [one, other] = [double.game, double.earlier].map(|index| version(all.key(index)));
            neighbours.entry(one).or_default().push(other);
            neighbours.entry(other).or_default().push(one);
        }
        games.sort_by_cached_key(|&index| {
            let (plies, tags) = (all.key(index).plies, u16::from(all.key(index).tags));
            let best = match self {
                Keep::Longest => [plies, tags],
                Keep::First => [0, 0],
                Keep::MostTags => [tags, plies],
            };
            (all.key(index).is_faulty, Reverse(best), index)
        });
        // For each line the dates of the games that are kept.
        let mut kept: HashMap<(u64, u64), Vec<When>> = HashMap::new();
        let mut removed = Vec::new();
        let mut kept_ends = HashMap::new();
        for index in games {
            let (line, when) = version(all.key(index));
            let kept_with = |line| kept.get(&line).into_iter().flatten();
            let mut neighbours = neighbours.get(&(line, when)).into_iter().flatten();
            if kept_with(line).any(|kept| kept.may_be(when))
                || neighbours.any(|(line, when)| kept_with(*line).any(|kept| kept == when))
                || ends
                    .get(&index)
                    .is_some_and(|end| kept_ends.entry(end).or_insert(line.0) != &line.0)
            {
                removed.push(index);
            } else {
                kept.entry(line).or_default().push(when);
            }
        }
        removed.sort_unstable();
        removed
    }
}

/// Moves with the opening, and date: those of games that differ in nothing.
type Version = ((u64, u64), When);

fn version(key: &GameKey) -> Version {
    ((key.moves, key.opening), key.when)
}
