//! `--keep`: which of several duplicates stays.

use std::cmp::Reverse;
use std::collections::HashMap;

use clap::ValueEnum;

use crate::commands::validate::duplicates::entry::{GameEntry, When};
use crate::commands::validate::duplicates::find::Double;

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
    /// Sorts the game that is kept first to the beginning, and those that are rejected anyway to
    /// the end.
    fn order(self, games: &mut [GameEntry]) {
        games.sort_unstable_by_key(|game| {
            let (plies, tags) = (game.plies(), game.tags());
            let [first, second] = match self {
                Keep::Longest => [plies, tags],
                Keep::First => [0, 0],
                Keep::MostTags => [tags, plies],
            };
            (Reverse((game.is_clean(), first, second)), game.index)
        });
    }

    /// The indexes of the games that are not kept, sorted: those that are the same as a kept game,
    /// or of which one is the beginning of the other. `games` are all that may be, `beginnings` the
    /// pairs of them of which one is the beginning of the other.
    pub(crate) fn removed(self, mut games: Vec<GameEntry>, beginnings: &[Double]) -> Vec<u32> {
        games.sort_unstable_by_key(|game| game.index);
        games.dedup_by_key(|game| game.index);
        let known = |index: u32| {
            let nth = games.binary_search_by_key(&index, |game| game.index);
            nth.ok().map(|nth| Version::of(&games[nth]))
        };
        let mut neighbours: HashMap<Version, Vec<Version>> = HashMap::new();
        for double in beginnings {
            if let (Some(one), Some(other)) = (known(double.game), known(double.earlier)) {
                neighbours.entry(one).or_default().push(other);
                neighbours.entry(other).or_default().push(one);
            }
        }
        self.order(&mut games);
        // For each line the dates of the games that are kept.
        let mut kept: HashMap<(u64, u32), Vec<When>> = HashMap::new();
        let mut removed = Vec::new();
        for game in &games {
            let version = Version::of(game);
            let whens = kept.get(&version.line());
            let is_same = whens.is_some_and(|kept| kept.iter().any(|when| when.may_be(game.when)));
            let is_kept = |other: &Version| {
                let whens = kept.get(&other.line());
                whens.is_some_and(|kept| kept.contains(&other.when))
            };
            if is_same
                || neighbours
                    .get(&version)
                    .is_some_and(|them| them.iter().any(is_kept))
            {
                removed.push(game.index);
            } else {
                kept.entry(version.line()).or_default().push(game.when);
            }
        }
        removed.sort_unstable();
        removed
    }
}

/// Games that differ in nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Version {
    moves: u64,
    opening: u32,
    when: When,
}

impl Version {
    fn of(game: &GameEntry) -> Version {
        let &GameEntry {
            moves,
            opening,
            when,
            ..
        } = game;
        Version {
            moves,
            opening,
            when,
        }
    }

    fn line(&self) -> (u64, u32) {
        (self.moves, self.opening)
    }
}
