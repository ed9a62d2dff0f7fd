//! Comparison of a position with an engine, and its rows and sentences.

use std::fmt::Write;

use strum::IntoStaticStr;

use crate::commands::perft::compare::Comparison;
use crate::report::Buffer;
use crate::report::escape::Escaped;
use crate::report::rows::{Row, Rows};

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
    pub(crate) fault: Option<Fault>,
}

/// Position at which an engine is wrong.
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// Moves that lead to the position, in UCI notation.
    pub(crate) moves: Vec<String>,
    pub(crate) position: String,
    /// Legal moves of the position.
    pub(crate) legal: Vec<String>,
    pub(crate) comparison: Comparison,
}

impl Contest<'_> {
    /// Appends sentences.
    pub(crate) fn write_sentences(&self, out: &mut Buffer, is_listed: bool) {
        let (depth, nodes, engine_nodes) = (self.depth, self.nodes, self.engine_nodes);
        let fen = Escaped(self.fen);
        let Some(fault) = &self.fault else {
            let _ = match is_listed {
                true => writeln!(out, "{nodes}  {fen}"),
                false => writeln!(out, "nodes: {nodes}, as the engine counts"),
            };
            return;
        };
        let _ = write!(
            out,
            "depth {depth}: {nodes} nodes, {engine_nodes} by the engine"
        );
        let _ = match is_listed {
            true => writeln!(out, ": {fen}"),
            false => writeln!(out),
        };
        if fault.kind == FaultKind::Unsteady {
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
        let mut list = |name: &str, moves: Option<&[String]>| row.list(name, " ", moves);
        list("moves", fault.map(|fault| &fault.moves[..]));
        let names = |moves: &[(String, u64)]| -> Vec<String> {
            moves.iter().map(|(mv, _)| mv.clone()).collect()
        };
        let of = |moves: fn(&Comparison) -> &[(String, u64)]| {
            fault.map(|fault| names(moves(&fault.comparison)))
        };
        list("missing", of(|found| &found.missing).as_deref());
        list("extra", of(|found| &found.extra).as_deref());
        list("twice", of(|found| &found.twice).as_deref());
        let different = fault.map(|fault| {
            let different = fault.comparison.different.iter();
            different.map(|(mv, ..)| mv.clone()).collect::<Vec<_>>()
        });
        list("different", different.as_deref());
        list("legal", fault.map(|fault| &fault.legal[..]));
        row.end();
    }
}

/// Kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum FaultKind {
    /// A move is missing, extra or listed twice.
    Moves,
    /// The moves agree, but the engine counts more or less than one node after a move.
    Counts,
    /// The engine agrees after the move whose count differed one ply before.
    Unsteady,
}
