//! Games that occur twice, found among the entries of all games.

use std::collections::HashMap;

use crate::commands::validate::duplicates::bits::BitSet;
use crate::commands::validate::duplicates::entry::{GameEntry, StoredGame};
use crate::replay::LineHash;

/// How a game relates to an earlier one, the closest relation first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Relation {
    /// It is the same game.
    Repeated,
    /// The earlier game is the beginning of it.
    Continues,
    /// It is the beginning of the earlier game.
    Begins,
    /// Other players made the same moves.
    OtherPlayers,
    /// The same players made the same moves on another day.
    OtherDay,
    /// The same players made the same moves in another round.
    OtherRound,
    /// The same players made the same moves in a game with another address.
    OtherAddress,
}

/// A game that is like an earlier one, both by their indexes in the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Double {
    pub(crate) game: u32,
    pub(crate) earlier: u32,
    pub(crate) relation: Relation,
    /// Whether the results are known and differ.
    pub(crate) other_result: bool,
}

impl Double {
    fn new(game: &GameEntry, earlier: &GameEntry, relation: Relation) -> Double {
        Double {
            game: game.index,
            earlier: earlier.index,
            relation,
            other_result: game.differs_in_result(earlier),
        }
    }
}

// The limit of memory counts on it.
const _: () = assert!(size_of::<Double>() == 12);

/// Finds games with equal moves: for each game the first earlier one that is the same, or else the
/// first with the same moves.
pub(crate) fn equal_games(games: &[StoredGame]) -> EqualGames {
    let mut equal = repeated(games, |game| game.moves() as u32);
    equal.sort_unstable_by_key(|entry| (entry.moves, entry.opening, entry.index));
    let (doubles, repeats) = among_equal(&equal);
    let mut openings = repeated(games, StoredGame::opening);
    let is_repeat = |entry: &GameEntry| repeats.binary_search(&entry.index).is_ok();
    openings.retain(|entry| entry.is_long() && !is_repeat(entry));
    EqualGames {
        doubles,
        games: equal,
        openings: Openings::new(openings),
    }
}

/// Games with equal moves.
pub(crate) struct EqualGames {
    pub(crate) doubles: Vec<Double>,
    /// All games with moves that come up more than once, and some others.
    pub(crate) games: Vec<GameEntry>,
    /// The openings of all games that are not the same as an earlier one.
    pub(crate) openings: Openings,
}

/// The games with a key that comes up more than once, and some others.
fn repeated(games: &[StoredGame], key: impl Fn(&StoredGame) -> u32) -> Vec<GameEntry> {
    // Eight bits a game, so that one in eight others is kept.
    let mask = (games.len() as u32 * 8).next_power_of_two() - 1;
    let (mut seen, mut again) = (BitSet::up_to(mask), BitSet::up_to(mask));
    for game in games.iter().filter(|game| game.is_compared()) {
        let bit = key(game) & mask;
        match seen.has(bit) {
            true => again.insert(bit),
            false => seen.insert(bit),
        }
    }
    let kept = games.iter().enumerate();
    let kept = kept.filter(|(_, game)| game.is_compared() && again.has(key(game) & mask));
    kept.map(|(index, game)| game.entry(index as u32)).collect()
}

/// As [`equal_games`], among games in order of moves and opening. Returns also the indexes of those
/// that differ in nothing from an earlier one, sorted.
fn among_equal(entries: &[GameEntry]) -> (Vec<Double>, Vec<u32>) {
    let mut doubles = Vec::new();
    let mut repeats = Vec::new();
    // The first entry of each date of the same game.
    let mut known: Vec<&GameEntry> = Vec::new();
    for group in entries.chunk_by(|one, other| one.moves == other.moves) {
        let Some(first) = group.iter().min_by_key(|entry| entry.index) else {
            continue;
        };
        if group.len() == 1 {
            continue;
        }
        for same in group.chunk_by(|one, other| one.opening == other.opening) {
            known.clear();
            for entry in same {
                let found = match known.iter().find(|known| entry.when.may_be(known.when)) {
                    Some(&earlier) => Some((earlier, Relation::Repeated)),
                    None if entry.is_long() && first.index < entry.index => {
                        Some((first, other_game(entry, first)))
                    }
                    None => None,
                };
                doubles
                    .extend(found.map(|(earlier, relation)| Double::new(entry, earlier, relation)));
                if known.iter().any(|known| known.when == entry.when) {
                    repeats.push(entry.index);
                } else {
                    known.push(entry);
                }
            }
        }
    }
    repeats.sort_unstable();
    (doubles, repeats)
}

/// Difference between two games with the same moves.
fn other_game(game: &GameEntry, other: &GameEntry) -> Relation {
    if game.opening != other.opening {
        Relation::OtherPlayers
    } else if !game.when.may_be_day_of(other.when) {
        Relation::OtherDay
    } else if game.when.is_address() {
        Relation::OtherAddress
    } else {
        Relation::OtherRound
    }
}

/// Games that may be the beginning of each other: they have players and first moves in common, and
/// dates and rounds that may be the same.
#[derive(Debug, Default)]
pub(crate) struct Openings {
    /// By opening, number of moves and moves.
    pub(crate) entries: Vec<GameEntry>,
    /// Indexes of the games that are longer than another one, sorted.
    pub(crate) longer: Vec<u32>,
}

impl Openings {
    /// Games of larger groups are read again whatever their dates.
    const MOST_COMPARED: usize = 256;

    fn new(mut entries: Vec<GameEntry>) -> Openings {
        entries.sort_unstable_by_key(|entry| (entry.opening, entry.plies()));
        let mut longer = Vec::new();
        let mut compared = Vec::new();
        for group in entries.chunk_by(|one, other| one.opening == other.opening) {
            let [least, most] = [group[0].plies(), group[group.len() - 1].plies()];
            let are_compared = group.len() <= Openings::MOST_COMPARED;
            let may_begin = |short: &GameEntry, long: &GameEntry| {
                short.plies() < long.plies() && short.when.may_be(long.when)
            };
            for entry in group {
                let [is_longer, is_shorter] = match are_compared {
                    true => [
                        group.iter().any(|other| may_begin(other, entry)),
                        group.iter().any(|other| may_begin(entry, other)),
                    ],
                    false => [least < entry.plies(), entry.plies() < most],
                };
                if is_longer {
                    longer.push(entry.index);
                }
                if is_longer || is_shorter {
                    compared.push(*entry);
                }
            }
        }
        compared.sort_unstable_by_key(|entry| (entry.opening, entry.plies(), entry.moves));
        longer.sort_unstable();
        Openings {
            entries: compared,
            longer,
        }
    }

    /// Adds the games that are the beginning of `game`, whose moves are hashed one after the other.
    pub(crate) fn beginnings(
        &self,
        game: &GameEntry,
        lines: &[LineHash],
        doubles: &mut Vec<Double>,
    ) {
        let with_opening = |after: bool| {
            let is_before = |entry: &GameEntry| {
                entry.opening < game.opening || after && entry.opening == game.opening
            };
            self.entries.partition_point(is_before)
        };
        let entries = &self.entries[with_opening(false)..with_opening(true)];
        let key = |entry: &GameEntry| (entry.plies(), entry.moves);
        let shorter = lines.split_last().map_or(&[][..], |(_, shorter)| shorter);
        for line in shorter.iter().skip(LineHash::OPENING as usize - 1) {
            let line = (line.plies, line.value);
            let from = entries.partition_point(|entry| key(entry) < line);
            let equal = entries[from..]
                .iter()
                .take_while(|entry| key(entry) == line);
            for entry in equal.filter(|entry| entry.when.may_be(game.when)) {
                let (relation, later, earlier) = match entry.index < game.index {
                    true => (Relation::Continues, game, entry),
                    false => (Relation::Begins, entry, game),
                };
                doubles.push(Double::new(later, earlier, relation));
            }
        }
    }
}

/// Adds `beginnings` to the games with equal moves. Returns one double of each game, in order: the
/// same game counts before beginnings, and these before other games with the same moves.
pub(crate) fn merge(equal: Vec<Double>, beginnings: Vec<Double>) -> Vec<Double> {
    let mut first: HashMap<u32, Double> = HashMap::new();
    for double in beginnings {
        let known = first.entry(double.game).or_insert(double);
        *known = double.min(*known);
    }
    let mut merged = equal;
    for double in &mut merged {
        if double.relation != Relation::Repeated {
            *double = first.remove(&double.game).unwrap_or(*double);
        } else {
            first.remove(&double.game);
        }
    }
    merged.extend(first.into_values());
    merged.sort_unstable();
    merged
}
