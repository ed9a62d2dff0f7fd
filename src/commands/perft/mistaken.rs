//! Divides of another depth or another position than those that they are compared with.

use std::collections::{BTreeMap, BTreeSet};

use crate::chess::{CastlingMode, Position};
use crate::commands::perft::compare::{Comparison, FaultKind, canonical};
use crate::commands::perft::counting::MOST_DEPTH;
use crate::commands::perft::{PerftRun, Stop};

/// Largest divide that is counted to find its depth, in nodes.
const MOST_NODES: u64 = 1 << 32;

impl PerftRun<'_> {
    /// Compares a divide with one by the moves of another program, and returns its sum too.
    pub(crate) fn compare_divide(
        &self,
        position: &Position,
        fen: &str,
        depth: u32,
        mode: CastlingMode,
        theirs: &[(String, u64)],
    ) -> Result<(Comparison, u64), Stop> {
        let named = theirs.iter();
        let named = named.map(|(mv, nodes)| (canonical(position, mode, mv), *nodes));
        let named: Vec<_> = named.collect();
        let is_most = |found: &Comparison| 2 * found.agreeing > named.len();
        let (ours, sum) = self.divide(position, fen, depth, mode)?;
        let mut found = Comparison::of(&ours, named.iter().cloned());
        if !found.same_moves() {
            let illegal = 2 * found.extra.len() > named.len();
            let is_unknown = illegal && 2 * found.missing.len() > ours.len();
            let what = other_position(position, theirs).map(|name| format!("the moves are {name}"));
            let what = what.or(is_unknown.then(|| "most moves are not legal here".to_owned()));
            found.mistaken = what.map(|what| (FaultKind::Position, what));
        }
        let total: u128 = named.iter().map(|(_, nodes)| u128::from(*nodes)).sum();
        if found.mistaken.is_some() || is_most(&found) || total > sum.max(MOST_NODES).into() {
            return Ok((found, sum));
        }
        let mut before = 1;
        for other in 1..=MOST_DEPTH {
            let (divided, nodes) = match other == depth {
                true => (BTreeMap::new(), sum),
                false => self.divide(position, fen, other, mode)?,
            };
            if is_most(&Comparison::of(&divided, named.iter().cloned())) {
                let what = format!("the counts are those of depth {other}, not {depth}");
                found.mistaken = Some((FaultKind::Depth, what));
            }
            // The nodes of the next depth, by the growth since the last one.
            let next = u128::from(nodes) * u128::from(nodes) / u128::from(before);
            if found.mistaken.is_some() || nodes == 0 || next > 4 * total {
                break;
            }
            before = nodes;
        }
        Ok((found, sum))
    }
}

/// Position near this one that has exactly these moves, as the end of a sentence.
fn other_position(position: &Position, theirs: &[(String, u64)]) -> Option<String> {
    let lists = theirs.len();
    let has_moves = |other: &Position| {
        let mode = other.castling_mode();
        let legal = other.legal_moves();
        let names = || legal.iter().map(|mv| mv.uci(mode).to_string());
        let theirs = || theirs.iter().map(|(mv, _)| canonical(other, mode, mv));
        let is_as_long = !legal.is_empty() && legal.len() == lists;
        is_as_long && names().collect::<BTreeSet<_>>() == theirs().collect::<BTreeSet<_>>()
    };
    if has_moves(&Position::initial()) {
        return Some("those of the start position".to_owned());
    }
    let other_side = position.after_null_move();
    if other_side.is_some_and(|other| has_moves(&other)) {
        return Some("those of the other side".to_owned());
    }
    let mut reached = vec![(String::new(), position.clone())];
    for _ in 0..2 {
        for (line, before) in std::mem::take(&mut reached) {
            for &mv in before.legal_moves().iter() {
                let line = format!("{line} {}", mv.uci(before.castling_mode()));
                let after = before.after(mv);
                if has_moves(&after) {
                    return Some(format!("those of a later position, such as after{line}"));
                }
                reached.push((line, after));
            }
        }
    }
    None
}
