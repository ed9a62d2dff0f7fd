//! Whether a side can still mate: the one place that asks the solver.

use std::collections::HashSet;

use crate::rules::ruleset::TooLittle;
use crate::rules::{Color, Move, Position};

/// Whether a side can still mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chances {
    /// It can, by these moves.
    Can(Vec<Move>),
    /// It cannot, on this ground: `closure of 1,152 positions`.
    Cannot(String),
    /// The budget ended first: so many positions.
    Unknown(u64),
}

/// Whether a side can still mate from a position, by any series of legal moves.
pub fn chances(position: &Position, side: Color, nodes: u64) -> Chances {
    if position.is_checkmate() {
        return match position.turn() == side {
            true => Chances::Cannot("mated".to_owned()),
            false => Chances::Can(Vec::new()),
        };
    }
    if TooLittle::Exact.holds(position.board(), side) {
        return Chances::Cannot("material".to_owned());
    }
    let mut seen = HashSet::new();
    let mut queue = std::collections::VecDeque::from([(position.clone(), Vec::new())]);
    while let Some((position, line)) = queue.pop_front() {
        for mv in position.legal_moves() {
            let after = position.after(mv);
            if TooLittle::Exact.holds(after.board(), side) && !after.is_checkmate() {
                continue;
            }
            let key = (
                *after.board(),
                after.turn(),
                after.castling(),
                after.en_passant(),
            );
            if !seen.insert(key) {
                continue;
            }
            let mut line = line.clone();
            line.push(mv);
            if after.is_checkmate() && after.turn() != side {
                return Chances::Can(line);
            }
            if seen.len() as u64 > nodes {
                return Chances::Unknown(nodes);
            }
            queue.push_back((after, line));
        }
    }
    Chances::Cannot(format!("closure of {} positions", seen.len()))
}
