//! `--compare`: a divide against one that another engine has printed.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::num::IntErrorKind;
use std::path::Path;

use crate::chess::{Position, Uci};
use crate::commands::Outcome;
use crate::commands::perft::{PerftRun, read};
use crate::error::Error;
use crate::text::decode;

impl PerftRun<'_> {
    pub(crate) fn compare(
        &mut self,
        position: &Position,
        fen: &str,
        depth: u32,
        path: &Path,
    ) -> Result<Outcome, Error> {
        let name = path.display().to_string();
        let mode = position.castling_mode();
        let theirs = read_divide(&decode(&read(path)?))
            .map_err(|error| Error::invalid("divide", name, error.to_string()))?;
        // Castling may be written in another way than ours.
        let canonical = |text: &str| {
            Uci::from_ascii(text.as_bytes())
                .and_then(|uci| uci.to_move(position))
                .map_or_else(|_| text.to_owned(), |mv| mv.uci(mode).to_string())
        };
        let theirs: BTreeMap<String, u64> = theirs
            .into_iter()
            .map(|(mv, nodes)| (canonical(&mv), nodes))
            .collect();
        let Ok((moves, sum)) = self.divide(position, fen, depth.max(1)) else {
            return Ok(Outcome::NotDone);
        };
        self.nodes += u128::from(sum);
        let ours = moves
            .iter()
            .map(|divided| (divided.mv.uci(mode).to_string(), divided.nodes))
            .collect();
        let found = Comparison::of(&ours, &theirs);
        let text = text(&found, |mv| {
            let mv = Uci::from_ascii(mv.as_bytes())
                .ok()?
                .to_move(position)
                .ok()?;
            let next = position.after(mv);
            (depth > 1).then(|| format!("arbiter perft --depth {} --divide '{next}'", depth - 1))
        });
        self.output.sink.write(text.as_bytes())?;
        Ok(if found.agrees() {
            Outcome::Done
        } else {
            Outcome::Reported
        })
    }
}

/// Differences of two divides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Comparison {
    /// Legal moves that the file does not list.
    missing: Vec<(String, u64)>,
    /// Moves of the file that are not legal.
    extra: Vec<(String, u64)>,
    /// Moves with different counts: ours, then that of the file.
    different: Vec<(String, u64, u64)>,
    /// Number of moves that agree.
    agreeing: usize,
}

impl Comparison {
    fn of(ours: &BTreeMap<String, u64>, theirs: &BTreeMap<String, u64>) -> Comparison {
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

    fn agrees(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.different.is_empty()
    }
}

/// Error of reading a divide.
#[derive(Clone, PartialEq, Eq, Debug)]
enum DivideError {
    /// No line is a move and its count.
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

/// Reads the divide of an engine: lines of a move in UCI notation and its count, `e2e4: 20`,
/// `e2e4 20` or `e2e4 - 20`. Other lines are ignored.
fn read_divide(text: &str) -> Result<BTreeMap<String, u64>, DivideError> {
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
            Uci::from_ascii(mv.as_bytes()).ok()?;
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

/// Text of a comparison. `deeper` makes the command that divides one move further.
fn text(comparison: &Comparison, deeper: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    for (mv, nodes) in &comparison.missing {
        let _ = writeln!(out, "missing: {mv}: legal, {nodes} nodes, not in the file");
    }
    for (mv, nodes) in &comparison.extra {
        let _ = writeln!(out, "extra: {mv}: not legal, {nodes} nodes in the file");
    }
    for (mv, ours, theirs) in &comparison.different {
        let _ = writeln!(out, "different: {mv}: {ours} nodes, {theirs} in the file");
    }
    let _ = writeln!(out, "moves that agree: {}", comparison.agreeing);
    let next = comparison.different.first().and_then(|(mv, ..)| deeper(mv));
    if let Some(command) = next {
        let _ = writeln!(out, "one ply deeper: {command}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_of_several_engines_are_read() {
        let text = "info string NNUE\na2a3: 380\nb2b3 - 420\n3. c2c4 420\na7a8Q = 4\n\n\
                    Nodes searched: 1224\n";
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
    fn missing_extra_and_different_moves_are_distinguished() {
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
