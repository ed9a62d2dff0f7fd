//! Comparison of a position with an engine, and its rows and sentences.

use std::fmt::{self, Write};

use crate::commands::perft::compare::{DifferenceKind, Differences};
use crate::input::LineNo;
use crate::report::Buffer;
use crate::report::escape::Escaped;
use crate::report::rows::{Row, Rows};

/// Place in a suite.
#[derive(Clone, Copy)]
pub(crate) struct SuitePlace<'a> {
    pub(crate) suite: &'a str,
    pub(crate) line: LineNo,
}

impl fmt::Display for SuitePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Escaped(self.suite), self.line)
    }
}

/// Comparison of a position with an engine.
#[derive(Default)]
pub(crate) struct Contest<'a> {
    /// The position, as it was given.
    pub(crate) fen: &'a str,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// Nodes counted by the engine.
    pub(crate) engine_nodes: u64,
    /// The first position that differs.
    pub(crate) fault: Option<WrongPosition>,
}

/// Position at which an engine is wrong.
pub(crate) struct WrongPosition {
    pub(crate) kind: DifferenceKind,
    /// Moves that lead to the position, in UCI notation.
    pub(crate) moves: Vec<String>,
    pub(crate) position: String,
    /// Legal moves of the position.
    pub(crate) legal: Vec<String>,
    pub(crate) comparison: Differences,
}

impl Contest<'_> {
    /// Appends the row, or sentences. Agreement with a position of a suite needs no words.
    pub(crate) fn write(
        &self,
        out: &mut Buffer,
        rows: Option<Rows>,
        place: Option<SuitePlace<'_>>,
        is_listed: bool,
    ) {
        if let Some(rows) = rows {
            return self.write_row(out, rows);
        }
        if let Some(place) = place {
            if self.fault.is_none() {
                return;
            }
            let _ = write!(out, "{place}: ");
        }
        self.write_sentences(out, is_listed);
    }

    fn write_sentences(&self, out: &mut Buffer, is_listed: bool) {
        let (depth, nodes, engine_nodes) = (self.depth, self.nodes, self.engine_nodes);
        let fen = Escaped(self.fen);
        let Some(fault) = &self.fault else {
            let _ = if is_listed {
                writeln!(out, "{nodes}  {fen}")
            } else {
                writeln!(out, "nodes: {nodes}, as the engine counts")
            };
            return;
        };
        let _ = write!(
            out,
            "depth {depth}: {nodes} nodes, {engine_nodes} by the engine"
        );
        let _ = if is_listed {
            writeln!(out, ": {fen}")
        } else {
            writeln!(out)
        };
        if fault.kind == DifferenceKind::Unsteady {
            out.push_str("the engine contradicts itself: its list agrees after the move\n");
        }
        let _ = writeln!(out, "position: {}", fault.position);
        let _ = match &fault.moves[..] {
            [] => writeln!(out, "moves to it: none"),
            moves => writeln!(out, "moves to it: {}", moves.join(" ")),
        };
        out.push_str(&fault.comparison.text("the engine's list"));
        let _ = writeln!(out, "legal moves: {}", fault.legal.join(" "));
    }

    /// Appends the row.
    pub(crate) fn write_row(&self, out: &mut Buffer, rows: Rows) {
        let fault = self.fault.as_ref();
        let mut row = Row::begin(out, rows);
        row.text("fen", self.fen);
        row.number("depth", u64::from(self.depth));
        row.number("nodes", self.nodes);
        row.number("engine_nodes", self.engine_nodes);
        row.word("verdict", fault.map_or("agrees", |fault| fault.kind.into()));
        row.text("position", fault.map(|fault| fault.position.as_str()));
        let names = |moves: &[(String, u64)]| -> Vec<String> {
            moves.iter().map(|(mv, _)| mv.clone()).collect()
        };
        let found = fault.map(|fault| &fault.comparison);
        let different = found.map(|found| {
            let moves = found.different.iter();
            moves.map(|(mv, ..)| mv.clone()).collect()
        });
        for (name, moves) in [
            ("moves", fault.map(|fault| fault.moves.clone())),
            ("missing", found.map(|found| names(&found.missing))),
            ("extra", found.map(|found| names(&found.extra))),
            ("twice", found.map(|found| names(&found.twice))),
            ("different", different),
            ("legal", fault.map(|fault| fault.legal.clone())),
        ] {
            row.list(name, " ", moves.as_deref());
        }
        row.end();
    }
}
