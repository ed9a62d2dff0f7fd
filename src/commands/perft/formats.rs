//! Output formats of `perft`.

use std::fmt::Write;

use clap::ValueEnum;

use crate::chess::PositionFaults;
use crate::commands::perft::contest::Contest;
use crate::commands::perft::counting::Kinds;
use crate::error::Error;
use crate::input::LineNo;
use crate::report::escape::{Cells, Escaped};
use crate::report::rows::{Row, Rows};
use crate::report::text_table::TextTable;
use crate::report::{Buffer, Format, Sink};

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatName {
    /// Counts and sentences
    Human,
    /// A header and a row for each count
    Csv,
    /// One JSON object for each count
    Jsonl,
}

/// Columns of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Columns {
    /// A count, and the count that a suite expects.
    Counts,
    /// A count and those of each kind of move.
    Kinds,
    /// The count after a first move.
    Divide,
    /// A comparison with an engine.
    Contest,
}

/// A format of counts.
pub(crate) type CountFormat = dyn for<'a> Format<CountItem<'a>> + Send;

impl FormatName {
    /// `width` is that of the terminal, if the output is one.
    pub(crate) fn with(
        self,
        columns: Columns,
        cells: Cells,
        width: Option<usize>,
    ) -> Box<CountFormat> {
        match self {
            FormatName::Human => Box::new(Human { width }),
            FormatName::Csv => Box::new(Table {
                rows: Rows::Csv(cells),
                columns,
            }),
            FormatName::Jsonl => Box::new(Table {
                rows: Rows::Jsonl,
                columns,
            }),
        }
    }
}

/// Item of the output.
pub(crate) enum CountItem<'a> {
    /// The count of a position, one of several if `is_listed`.
    Position { count: Count<'a>, is_listed: bool },
    /// The counts of a position by kind of move, at each depth from 1.
    Kinds {
        counts: &'a [(Count<'a>, Kinds)],
        fen: &'a str,
        is_listed: bool,
    },
    /// The count of a position, one of several if `is_listed`, and those after each first move, in
    /// UCI notation.
    Divide {
        count: Count<'a>,
        moves: &'a [(String, u64)],
        is_listed: bool,
    },
    /// A count of a suite.
    Checked { place: Place<'a>, count: Count<'a> },
    /// A position of a suite that cannot be played.
    Unplayable {
        place: Place<'a>,
        fen: &'a str,
        faults: &'a PositionFaults,
    },
    /// The end of a suite.
    Verdict {
        positions: usize,
        checked: u64,
        listed: usize,
        nodes: u128,
        wrong: u64,
    },
    /// A comparison with an engine; one of several if `is_listed`.
    Contest {
        place: Option<Place<'a>>,
        contest: &'a Contest<'a>,
        is_listed: bool,
    },
    /// The end of a suite that was compared with an engine.
    Contested {
        positions: u64,
        nodes: u128,
        wrong: u64,
    },
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

/// Place in a suite.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) suite: &'a str,
    pub(crate) line: LineNo,
}

struct Human {
    width: Option<usize>,
}

impl Format<CountItem<'_>> for Human {
    fn item(&self, text: &mut Buffer, item: CountItem<'_>) {
        let _ = match item {
            CountItem::Position { count, is_listed } => match is_listed {
                true => writeln!(text, "{}  {}", count.nodes, Escaped(count.fen)),
                false => writeln!(text, "nodes: {}", count.nodes),
            },
            CountItem::Kinds {
                counts,
                fen,
                is_listed,
            } => {
                if is_listed {
                    let _ = writeln!(text, "{}", Escaped(fen));
                }
                text.write_str(&kinds_table(counts, self.width))
            }
            CountItem::Divide {
                count,
                moves,
                is_listed,
            } => {
                if is_listed {
                    let _ = writeln!(text, "{}", Escaped(count.fen));
                }
                for (mv, nodes) in moves {
                    let _ = writeln!(text, "{mv}: {nodes}");
                }
                writeln!(text, "\nnodes: {}", count.nodes)
            }
            CountItem::Checked { count, .. } if Some(count.nodes) == count.expected => Ok(()),
            CountItem::Checked { place, count } => writeln!(
                text,
                "{}:{}: depth {}: {} nodes, expected {}: {}",
                Escaped(place.suite),
                place.line,
                count.depth,
                count.nodes,
                count.expected.unwrap_or_default(),
                Escaped(count.fen)
            ),
            CountItem::Unplayable { place, fen, faults } => {
                writeln!(text, "{}", unplayable(place, fen, faults))
            }
            CountItem::Verdict {
                positions,
                checked,
                listed,
                nodes,
                wrong,
            } => {
                let verdict = verdict(wrong);
                writeln!(
                    text,
                    "{positions} positions, {checked} of {listed} counts, {nodes} nodes: {verdict}"
                )
            }
            CountItem::Contest {
                place,
                contest,
                is_listed,
            } => {
                // Agreement with a position of a suite needs no words.
                if let Some(place) = place {
                    if contest.fault.is_none() {
                        return;
                    }
                    let _ = write!(text, "{}:{}: ", Escaped(place.suite), place.line);
                }
                contest.write_sentences(text, is_listed);
                Ok(())
            }
            CountItem::Contested {
                positions,
                nodes,
                wrong,
            } => {
                let verdict = verdict(wrong);
                writeln!(text, "{positions} positions, {nodes} nodes: {verdict}")
            }
        };
    }
}

fn verdict(wrong: u64) -> String {
    match wrong {
        0 => "all agree".to_owned(),
        _ => format!("{wrong} wrong"),
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
fn kinds_table(counts: &[(Count<'_>, Kinds)], width: Option<usize>) -> String {
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

/// Sentence on a position of a suite that cannot be played.
pub(crate) fn unplayable(place: Place<'_>, fen: &str, faults: &PositionFaults) -> String {
    format!(
        "{}:{}: cannot be played: {faults}: {}",
        Escaped(place.suite),
        place.line,
        Escaped(fen)
    )
}

/// CSV or JSONL.
struct Table {
    rows: Rows,
    columns: Columns,
}

impl Format<CountItem<'_>> for Table {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        if self.rows == Rows::Jsonl {
            return Ok(());
        }
        let mut header = Buffer::default();
        let count = Count::default();
        match self.columns {
            Columns::Divide => count.write_move(&mut header, Rows::Header, "", 0),
            Columns::Kinds => count.write(&mut header, Rows::Header, Some(&Kinds::default())),
            Columns::Counts => count.write(&mut header, Rows::Header, None),
            Columns::Contest => Contest::default().write_row(&mut header, Rows::Header),
        }
        sink.write(header.as_bytes())
    }

    fn item(&self, out: &mut Buffer, item: CountItem<'_>) {
        match item {
            CountItem::Position { count, .. } | CountItem::Checked { count, .. } => {
                count.write(out, self.rows, None);
            }
            CountItem::Kinds { counts, .. } => {
                for (count, kinds) in counts {
                    count.write(out, self.rows, Some(kinds));
                }
            }
            CountItem::Divide { count, moves, .. } => {
                for (mv, nodes) in moves {
                    count.write_move(out, self.rows, mv, *nodes);
                }
            }
            CountItem::Contest { contest, .. } => contest.write_row(out, self.rows),
            CountItem::Unplayable { .. }
            | CountItem::Verdict { .. }
            | CountItem::Contested { .. } => {}
        }
    }
}

impl Count<'_> {
    /// Appends the row, with the counts by kind if there are any.
    fn write(&self, out: &mut Buffer, rows: Rows, kinds: Option<&Kinds>) {
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
