//! `--compare`: a divide against one that another engine has printed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;
use std::num::IntErrorKind;
use std::path::Path;

use strum::IntoStaticStr;

use crate::chess::{CastlingMode, Move, Position, Uci};
use crate::commands::output::Outcome;
use crate::commands::perft::{NoResult, PerftRun, read};
use crate::error::Error;

impl PerftRun<'_> {
    pub(crate) fn compare(
        &mut self,
        position: &Position,
        fen: &str,
        depth: u32,
        path: &Path,
    ) -> Result<Outcome, NoResult> {
        let name = path.display().to_string();
        let mode = position.castling_mode();
        let theirs = read_divide(&read(path)?)
            .map_err(|reason| Error::invalid("divide", name, None, reason))?;
        let (found, sum) = self.compare_divide(position, fen, depth, mode, &theirs)?;
        self.nodes += u128::from(sum);
        let mut text = found.text("the file");
        let _ = writeln!(text, "moves that agree: {}", found.agreeing);
        if let Some((mv, ..)) = found.different.first()
            && let Some(mv) = legal_move(position, mv)
            && depth > 1
        {
            let (next, depth) = (position.after(mv), depth - 1);
            let _ = writeln!(
                text,
                "one ply deeper: arbiter perft --depth {depth} --divide '{next}'"
            );
        }
        self.output.sink.write(text.as_bytes())?;
        Ok(if found.agrees() {
            Outcome::Done
        } else {
            Outcome::Reported
        })
    }

    /// Compares a divide with one by the moves of another program, and returns its sum too.
    pub(crate) fn compare_divide(
        &self,
        position: &Position,
        fen: &str,
        depth: u32,
        mode: CastlingMode,
        theirs: &[(String, u64)],
    ) -> Result<(Differences, u64), NoResult> {
        let named = theirs.iter();
        let named = named.map(|(mv, nodes)| (canonical(position, mode, mv), *nodes));
        let (ours, sum) = self.divide(position, fen, depth, mode)?;
        Ok((Differences::of(&ours, named), sum))
    }
}

/// The legal move of a name in UCI notation.
pub(crate) fn legal_move(position: &Position, name: &str) -> Option<Move> {
    Uci::from_ascii(name.as_bytes())
        .ok()?
        .to_move(position)
        .ok()
}

/// A move as [`Move::uci`] writes it: engines may write castling in another way.
pub(crate) fn canonical(position: &Position, mode: CastlingMode, text: &str) -> String {
    legal_move(position, text).map_or_else(|| text.to_owned(), |mv| mv.uci(mode).to_string())
}

/// Kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum DifferenceKind {
    /// A move is missing, extra or listed twice.
    Moves,
    /// The moves agree, but the engine counts more or less than one node after a move.
    Counts,
    /// The engine agrees after the move whose count differed one ply before.
    Unsteady,
}

/// Differences of two divides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Differences {
    /// Legal moves that the other divide does not list.
    pub(crate) missing: Vec<(String, u64)>,
    /// Moves of the other divide that are not legal.
    pub(crate) extra: Vec<(String, u64)>,
    /// Moves that the other divide lists once more.
    pub(crate) twice: Vec<(String, u64)>,
    /// Moves with different counts: ours, then that of the other divide.
    pub(crate) different: Vec<(String, u64, u64)>,
    /// Number of moves that agree.
    pub(crate) agreeing: usize,
}

impl Differences {
    pub(crate) fn of(
        ours: &BTreeMap<String, u64>,
        others: impl IntoIterator<Item = (String, u64)>,
    ) -> Differences {
        let mut comparison = Differences::default();
        let mut theirs = BTreeMap::new();
        for (mv, nodes) in others {
            match theirs.entry(mv) {
                Entry::Occupied(entry) => comparison.twice.push((entry.key().clone(), nodes)),
                Entry::Vacant(entry) => _ = entry.insert(nodes),
            }
        }
        for (mv, &nodes) in ours {
            match theirs.get(mv) {
                None => comparison.missing.push((mv.clone(), nodes)),
                Some(&other) if other != nodes => {
                    comparison.different.push((mv.clone(), nodes, other));
                }
                Some(_) => comparison.agreeing += 1,
            }
        }
        for (mv, nodes) in theirs {
            if !ours.contains_key(&mv) {
                comparison.extra.push((mv, nodes));
            }
        }
        comparison
    }

    pub(crate) fn agrees(&self) -> bool {
        self.same_moves() && self.different.is_empty()
    }

    pub(crate) fn same_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.twice.is_empty()
    }

    /// A line for each difference from the divide `other`.
    pub(crate) fn text(&self, other: &str) -> String {
        let mut out = String::new();
        for (mv, nodes) in &self.missing {
            let _ = writeln!(out, "missing: {mv}: legal, {nodes} nodes, not in {other}");
        }
        for (mv, nodes) in &self.extra {
            let _ = writeln!(out, "extra: {mv}: not legal, {nodes} nodes in {other}");
        }
        for (mv, nodes) in &self.twice {
            let _ = writeln!(out, "twice: {mv}: {nodes} nodes, once more in {other}");
        }
        for (mv, ours, theirs) in &self.different {
            let _ = writeln!(out, "different: {mv}: {ours} nodes, {theirs} in {other}");
        }
        if self.agreeing == 0 && !self.different.is_empty() {
            out += "the totals differ: is it the same depth?\n";
        }
        out
    }
}

/// Reads the divide of an engine, in the order of its lines. Other lines are ignored.
fn read_divide(text: &str) -> Result<Vec<(String, u64)>, String> {
    let moves: Vec<_> = text
        .lines()
        .filter_map(divided_move)
        .collect::<Result<_, _>>()?;
    if moves.is_empty() {
        return Err("no line is a move and its count, such as `e2e4: 20`".to_owned());
    }
    Ok(moves)
}

/// Reads a move in UCI notation and its count: `e2e4: 20`, `e2e4 20` or `e2e4 - 20`. `None` for
/// a line that begins with no move.
pub(crate) fn divided_move(line: &str) -> Option<Result<(String, u64), String>> {
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
    let mv = mv.to_ascii_lowercase();
    Uci::from_ascii(mv.as_bytes()).ok()?;
    let nodes = words.next().map(str::parse::<u64>);
    Some(match (nodes, words.next()) {
        (Some(Ok(nodes)), None) => Ok((mv, nodes)),
        (Some(Err(error)), None) if *error.kind() == IntErrorKind::PosOverflow => {
            Err(format!("the count of {mv} exceeds {}", u64::MAX))
        }
        _ => Err(format!("`{}` is not a move and its count", line.trim())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_of_several_engines_are_read() {
        let text = "info string NNUE\na2a3: 380\nb2b3 - 420\n3. c2c4 420\na7a8Q = 4\n\n\
                    Nodes searched: 1224\n";
        let moves = read_divide(text).unwrap();
        let expected = [("a2a3", 380), ("b2b3", 420), ("c2c4", 420), ("a7a8q", 4)];
        assert!(
            moves
                .iter()
                .map(|(mv, nodes)| (mv.as_str(), *nodes))
                .eq(expected)
        );
        let fault = read_divide("Nodes searched: 5").unwrap_err();
        assert!(fault.starts_with("no line is a move"), "{fault}");
        let text = format!("e2e4: {}0", u64::MAX);
        let fault = read_divide(&text).unwrap_err();
        assert!(fault.starts_with("the count of e2e4 exceeds"), "{fault}");
    }

    #[test]
    fn missing_extra_repeated_and_different_moves_are_distinguished() {
        let divide = |moves: &[(&str, u64)]| -> Vec<(String, u64)> {
            moves
                .iter()
                .map(|&(mv, nodes)| (mv.to_owned(), nodes))
                .collect()
        };
        let moves = divide(&[("a2a3", 1), ("b2b3", 2), ("c2c3", 3)]);
        let ours = moves.iter().cloned().collect();
        let theirs = divide(&[("a2a3", 1), ("c2c3", 4), ("e1g1", 5), ("a2a3", 6)]);
        let comparison = Differences::of(&ours, theirs);
        assert_eq!(comparison.missing, [("b2b3".to_owned(), 2)]);
        assert_eq!(comparison.extra, [("e1g1".to_owned(), 5)]);
        assert_eq!(comparison.different, [("c2c3".to_owned(), 3, 4)]);
        assert_eq!(comparison.twice, [("a2a3".to_owned(), 6)]);
        assert!(!comparison.agrees());
        assert!(Differences::of(&ours, moves).agrees());
    }
}
