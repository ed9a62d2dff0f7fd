//! Perft runs: first moves and suites on all threads, and divides compared with another engine's.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::input::SuiteEntry;
use crate::rules::perft::{Kinds, Perft, kinds};
use crate::rules::{Move, Position, PositionFaults};

/// The count after one first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divided {
    /// The move.
    pub mv: Move,
    /// The nodes after it.
    pub nodes: u64,
}

/// Counts on all threads of the pool it runs in.
#[derive(Clone, Copy)]
pub struct Count<'a> {
    /// The table and the stop sign.
    pub perft: Perft<'a>,
    /// Told of each first move that is done, by whichever thread did it.
    pub done: &'a (dyn Fn(Divided) + Sync),
}

/// Depths below this are counted by one thread: handing them out would take longer.
const SHARED_DEPTH: u32 = 4;

impl Count<'_> {
    /// The nodes at a depth; nothing if it was stopped.
    pub fn nodes(&self, position: &Position, depth: u32) -> Option<u64> {
        if depth < SHARED_DEPTH {
            return self.perft.count(position, depth);
        }
        self.divide(position, depth)
            .map(|moves| moves.iter().map(|divided| divided.nodes).sum())
    }

    /// The nodes after each first move, in no promised order; nothing if it was stopped. `depth` is 1 or more.
    pub fn divide(&self, position: &Position, depth: u32) -> Option<Vec<Divided>> {
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| {
                let next = position.after(mv);
                let nodes = self.shared(&next, depth.saturating_sub(1))?;
                let divided = Divided { mv, nodes };
                (self.done)(divided);
                Some(divided)
            })
            .collect()
    }

    /// Split once more: first moves differ much in their weight. A thread alone finds more in its memory without that.
    fn shared(&self, position: &Position, depth: u32) -> Option<u64> {
        if depth < SHARED_DEPTH || rayon::current_num_threads() == 1 {
            return self.perft.count(position, depth);
        }
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| {
                let next = position.after(mv);
                self.perft.count(&next, depth - 1)
            })
            .try_reduce(|| 0, |a, b| Some(a + b))
    }
}

/// The moves at a ply by kind, on all threads of the pool it runs in.
pub fn shared_kinds(position: &Position, depth: u32, stop: &AtomicBool) -> Option<Kinds> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth < 3 {
        return Some(kinds(position, depth));
    }
    position
        .legal_moves()
        .par_iter()
        .map(|&mv| {
            let next = position.after(mv);
            shared_kinds(&next, depth - 1, stop)
        })
        .try_reduce(Kinds::default, |mut a, b| {
            a += b;
            Some(a)
        })
}

/// One count of a suite, checked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Checked {
    /// Plies.
    pub depth: u32,
    /// What the suite says.
    pub expected: u64,
    /// What was counted.
    pub nodes: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// A position of a suite, checked.
#[derive(Clone, Debug)]
pub struct CheckedEntry<'a> {
    /// The position.
    pub entry: &'a SuiteEntry,
    /// Its counts, or why it cannot be played.
    pub outcome: Result<Vec<Checked>, PositionFaults>,
}

/// What of a divide and of another engine's does not agree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    /// Legal moves the other does not list.
    pub missing: Vec<(String, u64)>,
    /// Moves the other lists that are not legal.
    pub extra: Vec<(String, u64)>,
    /// Moves with another count: ours, then the other's.
    pub different: Vec<(String, u64, u64)>,
    /// How many moves agree.
    pub agreeing: usize,
}

impl Comparison {
    /// Compares two divides, moves in UCI notation.
    pub fn of(ours: &BTreeMap<String, u64>, theirs: &BTreeMap<String, u64>) -> Comparison {
        let mut comparison = Comparison::default();
        for (mv, &nodes) in ours {
            match theirs.get(mv) {
                None => comparison.missing.push((mv.clone(), nodes)),
                Some(&other) if other != nodes => {
                    comparison.different.push((mv.clone(), nodes, other));
                }
                Some(_) => comparison.agreeing += 1,
            }
        }
        for (mv, &nodes) in theirs {
            if !ours.contains_key(mv) {
                comparison.extra.push((mv.clone(), nodes));
            }
        }
        comparison
    }

    /// Whether the two agree.
    pub fn agrees(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.different.is_empty()
    }
}

/// A divide of another engine cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DivideError;

impl fmt::Display for DivideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no line is a move and its count, such as `e2e4: 20`")
    }
}

impl std::error::Error for DivideError {}

/// Reads what engines print for a divide: lines with a move in UCI notation and its count, `e2e4: 20`, `e2e4 20` or
/// `e2e4 - 20`; other lines are passed over.
///
/// # Errors
///
/// If no line is such a one.
pub fn read_divide(text: &str) -> Result<BTreeMap<String, u64>, DivideError> {
    let moves: BTreeMap<String, u64> = text
        .lines()
        .filter_map(|line| {
            let mut words = line
                .split(|c: char| c.is_whitespace() || matches!(c, ':' | '-' | '=' | ','))
                .filter(|word| !word.is_empty());
            // Some engines number the lines: `1. e2e4 20`.
            let first = words.next()?;
            let mv = if first.ends_with('.') {
                words.next()?
            } else {
                first
            };
            let nodes = words.next()?.parse().ok()?;
            let mv = mv.to_ascii_lowercase();
            crate::rules::Uci::from_ascii(mv.as_bytes()).ok()?;
            words.next().is_none().then_some((mv, nodes))
        })
        .collect();
    if moves.is_empty() {
        Err(DivideError)
    } else {
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_of_several_engines_are_read() {
        let text = "info string NNUE\na2a3: 380\nb2b3 - 420\n3. c2c4 420\na7a8Q = 4\n\nNodes searched: 1224\n";
        let moves = read_divide(text).unwrap();
        let expected = [("a2a3", 380), ("a7a8q", 4), ("b2b3", 420), ("c2c4", 420)];
        assert!(
            moves
                .iter()
                .map(|(mv, &nodes)| (mv.as_str(), nodes))
                .eq(expected)
        );
        assert_eq!(read_divide("Nodes searched: 5"), Err(DivideError));
    }

    #[test]
    fn missing_extra_and_different_moves_are_told_apart() {
        let divide = |moves: &[(&str, u64)]| -> BTreeMap<String, u64> {
            moves
                .iter()
                .map(|&(mv, nodes)| (mv.to_owned(), nodes))
                .collect()
        };
        let ours = divide(&[("a2a3", 1), ("b2b3", 2), ("c2c3", 3)]);
        let theirs = divide(&[("a2a3", 1), ("c2c3", 4), ("e1g1", 5)]);
        let comparison = Comparison::of(&ours, &theirs);
        assert_eq!(comparison.missing, [("b2b3".to_owned(), 2)]);
        assert_eq!(comparison.extra, [("e1g1".to_owned(), 5)]);
        assert_eq!(comparison.different, [("c2c3".to_owned(), 3, 4)]);
        assert!(!comparison.agrees());
        assert!(Comparison::of(&ours, &ours).agrees());
    }
}
