//! Games that occur twice, found among the keys of all games.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use fixedbitset::FixedBitSet;

use crate::replay::{GameKey, LineHash};

/// How a game relates to an earlier one, the closest relation first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Relation {
    /// It is the same game.
    Repeated,
    /// The earlier game is the beginning of it.
    Continues,
    /// It is the beginning of the earlier game.
    Begins,
    /// It is an opening of a book that ends in the same position by other moves.
    SamePosition,
    /// Other players made the same moves.
    OtherPlayers,
    /// The same players made the same moves on another day.
    OtherDay,
    /// The same players made the same moves in another round.
    OtherRound,
    /// The same players made the same moves in a game with another address.
    OtherAddress,
}

/// Range of openings that are the beginning of a game.
pub(crate) type Beginning = Range<usize>;

/// Keys of the last positions of the openings of books, by their indexes.
pub(crate) type Endings = BTreeMap<u32, u64>;

/// A game that is like an earlier one, both by their indexes in the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Double {
    pub(crate) game: u32,
    pub(crate) earlier: u32,
    pub(crate) relation: Relation,
    /// Whether the results are known and differ.
    pub(crate) other_result: bool,
}

// The limit of memory counts on it.
const _: () = assert!(size_of::<Double>() == 12);

/// All games of a run, by their indexes.
#[derive(Clone, Copy)]
pub(crate) struct AllGames<'a>(pub(crate) &'a [GameKey]);

impl AllGames<'_> {
    pub(crate) fn key(&self, index: u32) -> &GameKey {
        &self.0[index as usize]
    }

    fn double(&self, game: u32, earlier: u32, relation: Relation) -> Double {
        Double {
            game,
            earlier,
            relation,
            other_result: self.key(game).differs_in_result(self.key(earlier)),
        }
    }

    /// Finds games with equal moves: for each game the first earlier one that is the same, or else
    /// the first with the same moves. Returns also the games that differ in nothing from an earlier
    /// one, all games with moves that come up more than once, and the
    /// [openings](AllGames::openings).
    pub(crate) fn equal(&self) -> (Vec<Double>, [Vec<u32>; 3]) {
        let mut equal = self.repeated(|game| game.moves);
        equal.sort_unstable_by_key(|&index| {
            let game = self.key(index);
            (game.moves, game.opening, index)
        });
        let (doubles, repeats) = self.among_equal(&equal);
        let moves = |index: &u32| self.key(*index).moves;
        let groups = equal.chunk_by(|one, other| moves(one) == moves(other));
        let equal = groups.filter(|group| group.len() > 1).flatten();
        let mut games = self.repeated(|game| game.opening);
        games.retain(|index| self.key(*index).is_long());
        let equal = equal.copied().collect();
        (doubles, [repeats, equal, self.openings(games)])
    }

    /// The games with a hash that comes up more than once, and some others.
    fn repeated(&self, hash: impl Fn(&GameKey) -> u64) -> Vec<u32> {
        // Eight bits a game, so that one in eight others is kept.
        let bits = (self.0.len() * 8).next_power_of_two();
        let bit = |game: &GameKey| (hash(game) >> 32) as usize & (bits - 1);
        let mut seen = FixedBitSet::with_capacity(bits);
        let mut again = seen.clone();
        for game in self.0.iter().filter(|game| game.is_compared()) {
            if seen.put(bit(game)) {
                again.insert(bit(game));
            }
        }
        let games = (0..).zip(self.0);
        let kept = games.filter(|(_, game)| game.is_compared() && again.contains(bit(game)));
        kept.map(|(index, _)| index).collect()
    }

    /// Games that may be the beginning of each other, by opening, number of moves and moves: they
    /// have players and first moves in common, and dates and rounds that may be the same.
    fn openings(&self, mut games: Vec<u32>) -> Vec<u32> {
        /// Larger groups are read again whatever the dates.
        const MOST_COMPARED: usize = 256;
        games.sort_unstable_by_key(|index| self.order(index));
        let opening = |index: &u32| self.key(*index).opening;
        let groups = games.chunk_by(|one, other| opening(one) == opening(other));
        let may_begin = |group: &&[u32]| {
            let is_longer = |long: &GameKey| {
                let shorter = group.iter().map(|short| self.key(*short));
                let mut shorter = shorter.take_while(|short| short.plies < long.plies);
                shorter.any(|short| short.when.may_be(long.when))
            };
            group.len() > MOST_COMPARED || group.iter().any(|long| is_longer(self.key(*long)))
        };
        groups.filter(may_begin).flatten().copied().collect()
    }

    fn order(&self, index: &u32) -> (u64, u32, u64) {
        let key = self.key(*index);
        (key.opening, key.plies.into(), key.moves)
    }

    /// The openings that are the beginning of the game at `index`, by the hashes after each of
    /// its moves.
    pub(crate) fn beginnings(
        &self,
        openings: &[u32],
        index: u32,
        lines: &[LineHash],
    ) -> Vec<Beginning> {
        let opening = self.key(index).opening;
        let shorter = lines.iter().take(lines.len().saturating_sub(1));
        let shorter = shorter.skip(LineHash::OPENING as usize - 1);
        let beginnings = shorter.map(|line| {
            let line = (opening, line.plies, line.value);
            let first = openings.partition_point(|other| self.order(other) < line);
            let equal = openings[first..].iter();
            let equal = equal.take_while(|other| self.order(other) == line);
            first..first + equal.count()
        });
        beginnings.filter(|equal| !equal.is_empty()).collect()
    }

    /// Adds the games that are the beginning of the one at `index`, but for repeats.
    pub(crate) fn add_begun(
        &self,
        index: u32,
        beginnings: &[Beginning],
        (openings, repeats): (&[u32], &[u32]),
        doubles: &mut Vec<Double>,
    ) {
        let game = self.key(index);
        for equal in beginnings {
            for &other in &openings[equal.clone()] {
                let short = self.key(other);
                if short.when.may_be(game.when) && repeats.binary_search(&other).is_err() {
                    doubles.push(match other < index {
                        true => self.double(index, other, Relation::Continues),
                        false => self.double(other, index, Relation::Begins),
                    });
                }
            }
        }
    }

    /// Adds the openings that end in the position of an earlier one by other moves, among the
    /// `ends` of all.
    pub(crate) fn same_positions(&self, ends: &Endings, doubles: &mut Vec<Double>) {
        let mut first: HashMap<u64, u32> = HashMap::new();
        for (&game, &position) in ends {
            let earlier = *first.entry(position).or_insert(game);
            if self.key(earlier).moves != self.key(game).moves {
                doubles.push(self.double(game, earlier, Relation::SamePosition));
            }
        }
    }

    /// As [`AllGames::equal`], among games in order of moves and opening. Returns also the indexes
    /// of those that differ in nothing from an earlier one, sorted.
    fn among_equal(&self, games: &[u32]) -> (Vec<Double>, Vec<u32>) {
        let mut doubles = Vec::new();
        let mut repeats = Vec::new();
        // The first of the same games of each date.
        let mut known: Vec<u32> = Vec::new();
        let moves = |index: &u32| self.key(*index).moves;
        let opening = |index: &u32| self.key(*index).opening;
        for group in games.chunk_by(|one, other| moves(one) == moves(other)) {
            let Some(&first) = group.iter().min().filter(|_| group.len() > 1) else {
                continue;
            };
            for same in group.chunk_by(|one, other| opening(one) == opening(other)) {
                known.clear();
                for &index in same {
                    let game = self.key(index);
                    let may_be = |known: &&u32| game.when.may_be(self.key(**known).when);
                    match known.iter().find(may_be) {
                        Some(&earlier) => {
                            doubles.push(self.double(index, earlier, Relation::Repeated));
                        }
                        None if game.is_long() && first < index => {
                            let relation = other_game(game, self.key(first));
                            doubles.push(self.double(index, first, relation));
                        }
                        None => {}
                    }
                    if known.iter().any(|&known| self.key(known).when == game.when) {
                        repeats.push(index);
                    } else {
                        known.push(index);
                    }
                }
            }
        }
        repeats.sort_unstable();
        (doubles, repeats)
    }
}

/// Difference between two games with the same moves.
fn other_game(game: &GameKey, other: &GameKey) -> Relation {
    if game.opening != other.opening {
        Relation::OtherPlayers
    } else if !game.when.may_be_day_of(other.when) {
        Relation::OtherDay
    } else if game.when.is_address {
        Relation::OtherAddress
    } else {
        Relation::OtherRound
    }
}

/// One double of each game, in order: the same game counts before beginnings, these before one with
/// the same last position, and this before other games with the same moves.
pub(crate) fn merge(mut doubles: Vec<Double>) -> Vec<Double> {
    doubles.sort_unstable_by_key(|double| {
        let rank = match double.relation {
            Relation::Repeated => 0,
            Relation::Continues | Relation::Begins => 1,
            Relation::SamePosition => 2,
            _ => 3,
        };
        (double.game, rank, *double)
    });
    doubles.dedup_by_key(|double| double.game);
    doubles
}
