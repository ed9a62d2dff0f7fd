//! Perft runs: first moves and suites on all threads, and divides compared with another engine's.

use std::collections::BTreeMap;
use std::fmt;
use std::num::IntErrorKind;

use rayon::prelude::*;

use crate::chess::{Move, Position, PositionFaults};
use crate::commands::perft::count::{Kinds, Perft, Uncounted};
use crate::commands::perft::suite::SuiteEntry;

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

/// Counting by kind starts one task per move sequence of this length.
const SHARED_PLIES: u32 = 2;

impl Count<'_> {
    /// The nodes at a depth.
    ///
    /// # Errors
    ///
    /// As for [`Perft::count`].
    pub fn nodes(&self, position: &Position, depth: u32) -> Result<u64, Uncounted> {
        if depth < SHARED_DEPTH {
            return self.perft.count(position, depth);
        }
        sum(&self.divide(position, depth)?)
    }

    /// The nodes after each first move, in no promised order. `depth` is 1 or more.
    ///
    /// # Errors
    ///
    /// As for [`Perft::count`].
    pub fn divide(&self, position: &Position, depth: u32) -> Result<Vec<Divided>, Uncounted> {
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| {
                let next = position.after(mv);
                let nodes = self.shared(&next, depth.saturating_sub(1))?;
                let divided = Divided { mv, nodes };
                (self.done)(divided);
                Ok(divided)
            })
            .collect()
    }

    /// Split once more: first moves differ much in their weight. A thread alone finds more in its memory without that.
    fn shared(&self, position: &Position, depth: u32) -> Result<u64, Uncounted> {
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
            .try_reduce(|| 0, add)
    }

    /// The moves at a ply by kind.
    ///
    /// # Errors
    ///
    /// As for [`Perft::kinds`].
    pub fn kinds(&self, position: &Position, depth: u32) -> Result<Kinds, Uncounted> {
        self.shared_kinds(position, depth, SHARED_PLIES)
    }

    /// Split at the first `plies` plies: further down, waiting threads would pile up work on their
    /// stacks.
    fn shared_kinds(
        &self,
        position: &Position,
        depth: u32,
        plies: u32,
    ) -> Result<Kinds, Uncounted> {
        if plies == 0 || depth < SHARED_DEPTH {
            return self.perft.kinds(position, depth);
        }
        position
            .legal_moves()
            .par_iter()
            .map(|&mv| self.shared_kinds(&position.after(mv), depth - 1, plies - 1))
            .try_reduce(Kinds::default, |mut a, b| {
                a += b;
                Ok(a)
            })
    }
}

/// The nodes after all first moves.
///
/// # Errors
///
/// If there are more than 64 bits can count.
pub fn sum(moves: &[Divided]) -> Result<u64, Uncounted> {
    moves
        .iter()
        .try_fold(0, |sum, divided| add(sum, divided.nodes))
}

fn add(a: u64, b: u64) -> Result<u64, Uncounted> {
    a.checked_add(b).ok_or(Uncounted::TooLarge)
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
pub enum DivideError {
    /// It lists no move.
    NoMove,
    /// The count of this move exceeds 64 bits.
    TooLarge(String),
}

impl fmt::Display for DivideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DivideError::NoMove => {
                f.write_str("no line is a move and its count, such as `e2e4: 20`")
            }
            DivideError::TooLarge(mv) => write!(f, "the count of {mv} exceeds {}", u64::MAX),
        }
    }
}

impl std::error::Error for DivideError {}

/// Reads what engines print for a divide: lines with a move in UCI notation and its count, `e2e4: 20`, `e2e4 20` or
/// `e2e4 - 20`; other lines are passed over.
///
/// # Errors
///
/// If no line is such a one, or a count exceeds 64 bits.
pub fn read_divide(text: &str) -> Result<BTreeMap<String, u64>, DivideError> {
    let moves = text
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
            let nodes = words.next()?.parse::<u64>();
            let mv = mv.to_ascii_lowercase();
            crate::chess::Uci::from_ascii(mv.as_bytes()).ok()?;
            if words.next().is_some() {
                return None;
            }
            match nodes {
                Ok(nodes) => Some(Ok((mv, nodes))),
                Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
                    Some(Err(DivideError::TooLarge(mv)))
                }
                Err(_) => None,
            }
        })
        .collect::<Result<BTreeMap<String, u64>, DivideError>>()?;
    if moves.is_empty() {
        Err(DivideError::NoMove)
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
        assert_eq!(read_divide("Nodes searched: 5"), Err(DivideError::NoMove));
        let text = format!("e2e4: {}0", u64::MAX);
        assert_eq!(
            read_divide(&text),
            Err(DivideError::TooLarge("e2e4".to_owned()))
        );
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
