//! Output of counts: text, CSV and JSON lines.

use std::fmt::Write;

use clap::ValueEnum;

use crate::commands::perft::counting::Kinds;
use crate::report::Buffer;
use crate::report::escape::Cells;
use crate::report::rows::{Row, Rows};

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PerftFormat {
    /// Counts and sentences
    Human,
    /// A header and a row for each count
    Csv,
    /// One JSON object for each count
    Jsonl,
}

impl PerftFormat {
    /// Syntax of rows; `None` for text.
    pub(crate) fn rows(self, cells: Cells) -> Option<Rows> {
        match self {
            PerftFormat::Human => None,
            PerftFormat::Csv => Some(Rows::Csv(cells)),
            PerftFormat::Jsonl => Some(Rows::Jsonl),
        }
    }
}

/// Row of a counted position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountRow<'a> {
    fen: &'a str,
    depth: u32,
    nodes: u64,
    /// Count given by a suite.
    pub(crate) expected: Option<u64>,
    seconds: f64,
}

impl<'a> CountRow<'a> {
    /// A row without an expected count.
    pub(crate) fn new(fen: &'a str, depth: u32, nodes: u64, seconds: f64) -> CountRow<'a> {
        CountRow {
            fen,
            depth,
            nodes,
            expected: None,
            seconds,
        }
    }

    /// Appends the row, with the counts by kind if there are any.
    pub(crate) fn write(&self, out: &mut Buffer, rows: Rows, kinds: Option<&Kinds>) {
        let mut row = Row::begin(out, rows);
        row.text("fen", self.fen);
        row.number("depth", u64::from(self.depth));
        row.number("nodes", self.nodes);
        row.number("expected", self.expected);
        row.fraction("seconds", (self.seconds * 1e6).round() / 1e6);
        row.number(
            "nodes_per_second",
            (self.nodes as f64 / self.seconds.max(1e-9)) as u64,
        );
        for (name, count) in kinds.iter().flat_map(|kinds| columns(kinds)).skip(1) {
            row.number(name, count);
        }
        row.end();
    }
}

/// Appends the row of a first move, given in UCI notation.
pub(crate) fn write_move(out: &mut Buffer, rows: Rows, mv: &str, nodes: u64) {
    let mut row = Row::begin(out, rows);
    row.word("move", mv);
    row.number("nodes", nodes);
    row.end();
}

/// Counts by kind with their names, the nodes first.
fn columns(kinds: &Kinds) -> [(&'static str, u64); 9] {
    [
        ("nodes", kinds.nodes),
        ("captures", kinds.captures),
        ("en_passant", kinds.en_passant),
        ("castles", kinds.castles),
        ("promotions", kinds.promotions),
        ("checks", kinds.checks),
        ("discovered_checks", kinds.discovered_checks),
        ("double_checks", kinds.double_checks),
        ("mates", kinds.mates),
    ]
}

/// Table of counts by kind, with a line for each depth from 1.
pub(crate) fn kinds_table(rows: &[Kinds]) -> String {
    let names = columns(&Kinds::default()).map(|(name, _)| name.replace('_', " "));
    let widths: Vec<usize> = (0..names.len())
        .map(|nth| {
            let longest = rows
                .iter()
                .map(|row| columns(row)[nth].1.to_string().len())
                .max();
            longest.unwrap_or(0).max(names[nth].len())
        })
        .collect();
    let mut out = String::from("depth");
    for (name, width) in names.iter().zip(&widths) {
        let _ = write!(out, "  {name:>width$}");
    }
    out.push('\n');
    for (nth, row) in rows.iter().enumerate() {
        let _ = write!(out, "{:>5}", nth + 1);
        for ((_, count), width) in columns(row).into_iter().zip(&widths) {
            let _ = write!(out, "  {count:>width$}");
        }
        out.push('\n');
    }
    out
}
