//! Output formats of `perft`.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use clap::ValueEnum;

use crate::chess::PositionFaults;
use crate::commands::output::Outcome;
use crate::commands::perft::contest::{Contest, SuitePlace};
use crate::commands::perft::counting::Kinds;
use crate::commands::perft::{NoResult, PerftRun};
use crate::error::Error;
use crate::report::Buffer;
use crate::report::escape::{Cells, Escaped};
use crate::report::rows::{Row, Rows};
use crate::report::text_table::TextTable;

/// Value of `--format`.
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
    /// Syntax of the rows; none for sentences.
    pub(crate) fn rows(self, cells: Cells) -> Option<Rows> {
        match self {
            PerftFormat::Human => None,
            PerftFormat::Csv => Some(Rows::Csv(cells)),
            PerftFormat::Jsonl => Some(Rows::Jsonl),
        }
    }
}

/// Count of a position at a depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count<'a> {
    pub(crate) fen: &'a str,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// Count given by a suite.
    pub(crate) expected: Option<u64>,
    pub(crate) seconds: f64,
}

impl PerftRun<'_> {
    /// Writes the header of CSV.
    pub(crate) fn write_header(&mut self) -> Result<(), Error> {
        let flags = self.flags;
        let count = Count::default();
        self.write(|out, rows| {
            let header = Rows::Header;
            if !matches!(rows, Some(Rows::Csv(_))) {
            } else if flags.divide {
                count.write_move(out, header, "", 0);
            } else if flags.kinds {
                count.write_row(out, header, Some(&Kinds::default()));
            } else if flags.against.is_some() {
                Contest::default().write(out, Some(header), None, false);
            } else {
                count.write_row(out, header, None);
            }
        })
    }

    /// Writes what `item` appends, as rows or as sentences.
    pub(crate) fn write(
        &mut self,
        item: impl FnOnce(&mut Buffer, Option<Rows>),
    ) -> Result<(), Error> {
        let mut text = Buffer::default();
        item(&mut text, self.rows);
        self.output.sink.write(text.as_bytes())
    }

    /// Writes that a position of a suite cannot be played; beside rows it is an error.
    pub(crate) fn write_unplayable(
        &mut self,
        place: SuitePlace<'_>,
        fen: &str,
        faults: &PositionFaults,
    ) -> Result<(), Error> {
        let fen = Escaped(fen);
        let mut text = format!("{place}: cannot be played: {faults}: {fen}");
        if self.rows.is_some() {
            self.output.log.error(&text);
            return Ok(());
        }
        text.push('\n');
        self.output.sink.write(text.as_bytes())
    }

    /// Writes the last sentence on a suite.
    pub(crate) fn write_verdict(
        &mut self,
        done: fmt::Arguments<'_>,
        wrong: u64,
    ) -> Result<Outcome, NoResult> {
        self.write(|text, rows| {
            let _ = match (rows, wrong) {
                (Some(_), _) => Ok(()),
                (None, 0) => writeln!(text, "{done}: all agree"),
                (None, _) => writeln!(text, "{done}: {wrong} wrong"),
            };
        })?;
        Ok(match wrong {
            0 => Outcome::Done,
            _ => Outcome::Reported,
        })
    }
}

/// Columns of [`kinds_table`] left out of a narrow terminal, in this order.
const OPTIONAL: [(usize, &str); 8] = [
    (7, "discovered checks"),
    (8, "double checks"),
    (5, "promotions"),
    (4, "castles"),
    (3, "en passant"),
    (9, "mates"),
    (6, "checks"),
    (2, "captures"),
];

/// Table of counts by kind, with a line for each depth.
pub(crate) fn kinds_table(counts: &[(Count<'_>, Kinds)], width: Option<usize>) -> String {
    let optional = OPTIONAL.map(|(nth, name)| (nth..nth + 1, name));
    let mut table = TextTable::new(optional.to_vec());
    let names = Kinds::default().columns();
    let names = names.map(|(name, _)| name.replace('_', " "));
    table.push(["depth".to_owned()].into_iter().chain(names));
    for (count, kinds) in counts {
        let depth = format!("{:>5}", count.depth);
        let numbers = kinds.columns().map(|(_, number)| number.to_string());
        table.push([depth].into_iter().chain(numbers));
    }
    table.show(width)
}

impl Count<'_> {
    /// Appends the count; one of several if `is_listed`.
    pub(crate) fn write(&self, out: &mut Buffer, rows: Option<Rows>, is_listed: bool) {
        let _ = match rows {
            Some(rows) => return self.write_row(out, rows, None),
            None if is_listed => writeln!(out, "{}  {}", self.nodes, Escaped(self.fen)),
            None => writeln!(out, "nodes: {}", self.nodes),
        };
    }

    /// Appends the row, or a sentence if the count is not that of the suite.
    pub(crate) fn write_checked(
        &self,
        out: &mut Buffer,
        rows: Option<Rows>,
        place: SuitePlace<'_>,
    ) {
        let Count {
            fen, depth, nodes, ..
        } = *self;
        match (rows, self.expected) {
            (Some(rows), _) => self.write_row(out, rows, None),
            (None, Some(expected)) if nodes != expected => {
                let fen = Escaped(fen);
                let _ = writeln!(
                    out,
                    "{place}: depth {depth}: {nodes} nodes, expected {expected}: {fen}"
                );
            }
            (None, _) => {}
        }
    }

    /// Appends the counts after each first move, by its name, and their sum.
    pub(crate) fn write_divide(
        &self,
        out: &mut Buffer,
        rows: Option<Rows>,
        moves: &BTreeMap<String, u64>,
        is_listed: bool,
    ) {
        if rows.is_none() && is_listed {
            let _ = writeln!(out, "{}", Escaped(self.fen));
        }
        for (mv, nodes) in moves {
            match rows {
                Some(rows) => self.write_move(out, rows, mv, *nodes),
                None => _ = writeln!(out, "{mv}: {nodes}"),
            }
        }
        if rows.is_none() {
            let _ = writeln!(out, "\nnodes: {}", self.nodes);
        }
    }

    /// Appends the row, with the counts by kind if there are any.
    pub(crate) fn write_row(&self, out: &mut Buffer, rows: Rows, kinds: Option<&Kinds>) {
        let mut row = Row::begin(out, rows);
        row.text("fen", self.fen);
        row.number("depth", u64::from(self.depth));
        row.number("nodes", self.nodes);
        row.number("expected", self.expected);
        row.fraction("seconds", self.seconds);
        row.number(
            "nodes_per_second",
            (self.nodes as f64 / self.seconds.max(1e-9)) as u64,
        );
        for (name, count) in kinds.iter().flat_map(|kinds| kinds.columns()).skip(1) {
            row.number(name, count);
        }
        row.end();
    }

    /// Appends the row of a first move, after which there are `nodes`.
    fn write_move(&self, out: &mut Buffer, rows: Rows, mv: &str, nodes: u64) {
        let mut row = Row::begin(out, rows);
        row.word("move", mv);
        row.number("nodes", nodes);
        row.text("fen", self.fen);
        row.number("depth", u64::from(self.depth));
        row.end();
    }
}
