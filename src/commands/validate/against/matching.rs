//! Which game of one database is which of the other.

use crate::commands::validate::against::entry::DiffEntry;

/// The games of two databases by their indexes: those of both, and those of one only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Matching {
    /// Games of both, by the index in the new one.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) gone: Vec<u32>,
    pub(crate) added: Vec<u32>,
}

/// A game of both databases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub(crate) old: u32,
    pub(crate) new: u32,
    /// Size of the old text, in bytes.
    pub(crate) size: u32,
    /// Whether tags, moves or text differ.
    pub(crate) is_changed: bool,
    /// Whether it has another place among the games of both.
    pub(crate) is_moved: bool,
}

/// A feature, and whether a game has it.
type Key = fn(&DiffEntry) -> (bool, [u64; 3]);

/// Features that two games must have in common, the strongest first.
const KEYS: [Key; 7] = [
    |game| (true, [game.identity, game.key.moves, game.content]),
    |game| (true, [game.identity, game.key.moves, 0]),
    |game| (game.key.is_long(), [game.identity, game.key.opening, 0]),
    |game| (game.key.has_players, [game.identity, 0, 0]),
    |game| (game.key.is_long(), [game.key.opening, game.key.moves, 0]),
    |game| (game.key.is_long(), [game.key.moves, 0, 0]),
    |game| (game.key.is_long(), [game.key.opening, 0, 0]),
];

impl Matching {
    /// Matches games by the strongest key that they have in common. If several games have one key,
    /// the first is matched with the first, and so on.
    pub(crate) fn new(mut old: Vec<DiffEntry>, mut new: Vec<DiffEntry>) -> Matching {
        let mut pairs = Vec::new();
        for (nth, key) in KEYS.into_iter().enumerate() {
            let order = |game: &DiffEntry| (key(game), game.index);
            old.sort_unstable_by_key(order);
            new.sort_unstable_by_key(order);
            let (mut at, mut with) = (0, 0);
            while let (Some(one), Some(other)) = (old.get(at), new.get(with)) {
                match key(one).cmp(&key(other)) {
                    std::cmp::Ordering::Less => at += 1,
                    std::cmp::Ordering::Greater => with += 1,
                    std::cmp::Ordering::Equal => {
                        if key(one).0 {
                            pairs.push(Pair {
                                old: one.index,
                                new: other.index,
                                size: one.size,
                                is_changed: nth > 0,
                                is_moved: false,
                            });
                            (old[at].index, new[with].index) = (MATCHED, MATCHED);
                        }
                        (at, with) = (at + 1, with + 1);
                    }
                }
            }
            old.retain(|game| game.index != MATCHED);
            new.retain(|game| game.index != MATCHED);
        }
        pairs.sort_unstable_by_key(|pair| pair.new);
        mark_moved(&mut pairs);
        let indexes = |games: Vec<DiffEntry>| {
            let mut indexes: Vec<u32> = games.iter().map(|game| game.index).collect();
            indexes.sort_unstable();
            indexes
        };
        Matching {
            pairs,
            gone: indexes(old),
            added: indexes(new),
        }
    }
}

/// Index of an entry that has been matched.
const MATCHED: u32 = u32::MAX;

/// Marks the least number of games without which the others are in the same order: those outside
/// of a longest increasing subsequence of the old indexes.
fn mark_moved(pairs: &mut [Pair]) {
    // For each length the pair that ends such a subsequence with the least index.
    let mut ends: Vec<u32> = Vec::new();
    let mut before = vec![u32::MAX; pairs.len()];
    for (nth, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end as usize].old < pair.old);
        if let Some(&previous) = length.checked_sub(1).and_then(|last| ends.get(last)) {
            before[nth] = previous;
        }
        match ends.get_mut(length) {
            Some(end) => *end = nth as u32,
            None => ends.push(nth as u32),
        }
    }
    let mut next = ends.last().copied().unwrap_or(u32::MAX);
    for (nth, pair) in pairs.iter_mut().enumerate().rev() {
        pair.is_moved = nth as u32 != next;
        if !pair.is_moved {
            next = before[nth];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::GameKey;

    /// A game by players, with a moves hash and tags.
    fn game(index: u32, identity: u64, moves: u64, tags: u64) -> DiffEntry {
        DiffEntry {
            key: GameKey {
                moves,
                opening: identity << 8 | moves,
                plies: 30,
                has_players: true,
                ..GameKey::default()
            },
            identity,
            content: moves << 32 | tags,
            index,
            size: 1,
        }
    }

    #[test]
    fn the_fewest_games_are_moved() {
        let old: Vec<_> = (0..6)
            .map(|nth| game(nth, nth.into(), nth.into(), 0))
            .collect();
        let order = [1, 2, 5, 0, 3, 4];
        let at = |(nth, &from): (usize, &u32)| game(nth as u32, from.into(), from.into(), 0);
        let new: Vec<_> = order.iter().enumerate().map(at).collect();
        let matching = Matching::new(old, new);
        let moved = matching.pairs.iter().filter(|pair| pair.is_moved);
        assert_eq!(moved.map(|pair| pair.old).collect::<Vec<_>>(), [5, 0]);
        assert!(matching.pairs.iter().all(|pair| !pair.is_changed));
    }

    #[test]
    fn equal_games_match_before_changed_ones() {
        let old = vec![
            game(0, 7, 1, 1),
            game(1, 7, 1, 2),
            game(2, 8, 5, 0),
            game(3, 9, 6, 0),
        ];
        let new = vec![
            game(0, 7, 1, 2),
            game(1, 7, 1, 3),
            game(2, 10, 5, 1),
            game(3, 11, 4, 0),
        ];
        let matching = Matching::new(old, new);
        let pairs: Vec<_> = matching
            .pairs
            .iter()
            .map(|pair| (pair.old, pair.new, pair.is_changed))
            .collect();
        assert_eq!(pairs, [(1, 0, false), (0, 1, true), (2, 2, true)]);
        assert_eq!((matching.gone, matching.added), (vec![3], vec![3]));
    }

    #[test]
    fn openings_decide_among_games_of_one_identity_or_of_equal_moves() {
        let with = |game: DiffEntry, opening| DiffEntry {
            key: GameKey {
                opening,
                ..game.key
            },
            ..game
        };
        let old = vec![
            with(game(0, 7, 1, 0), 20),
            with(game(1, 7, 2, 0), 21),
            with(game(2, 8, 5, 0), 22),
            with(game(3, 9, 5, 0), 23),
        ];
        let new = vec![
            with(game(0, 7, 3, 0), 21),
            with(game(1, 7, 4, 0), 20),
            with(game(2, 10, 5, 0), 23),
            with(game(3, 11, 5, 0), 22),
        ];
        let pairs = Matching::new(old, new).pairs;
        let pairs: Vec<_> = pairs.iter().map(|pair| (pair.old, pair.new)).collect();
        assert_eq!(pairs, [(1, 0), (0, 1), (3, 2), (2, 3)]);
    }
}
