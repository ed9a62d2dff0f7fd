//! Counts of positions: for people, CSV, and JSON lines.

use std::fmt::Write;

use serde::Serialize;

use crate::commands::perft::count::Kinds;
use crate::commands::perft::divide::Comparison;
use crate::report::escape::Cells;
use crate::report::json;

/// A counted position.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Row<'a> {
    /// The position.
    pub fen: &'a str,
    /// Plies.
    pub depth: u32,
    /// Positions at that depth.
    pub nodes: u64,
    /// What a suite says they should be.
    pub expected: Option<u64>,
    /// How long it took.
    pub seconds: f64,
    /// `nodes / seconds`, rounded.
    pub nodes_per_second: u64,
}

impl<'a> Row<'a> {
    /// A row without an expected count.
    pub fn new(fen: &'a str, depth: u32, nodes: u64, seconds: f64) -> Row<'a> {
        Row {
            fen,
            depth,
            nodes,
            expected: None,
            seconds: (seconds * 1e6).round() / 1e6,
            nodes_per_second: (nodes as f64 / seconds.max(1e-9)) as u64,
        }
    }
}

/// A first move and the count after it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveRow {
    /// In UCI notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Positions after it.
    pub nodes: u64,
}

/// One object, one line. With kinds, their counts follow.
pub fn jsonl(out: &mut String, row: &Row<'_>, kinds: Option<&Kinds>) {
    let object = json::of(row);
    out.push_str(object.trim_end_matches('}'));
    for (name, count) in kinds
        .iter()
        .flat_map(|kinds| columns(kinds).into_iter().skip(1))
    {
        let _ = write!(out, ",\"{name}\":{count}");
    }
    out.push_str("}\n");
}

/// One object, one line.
pub fn move_jsonl(out: &mut String, row: &MoveRow) {
    let _ = writeln!(out, "{}", json::of(row));
}

/// The header of [`csv_row`].
pub fn csv_header(kinds: bool) -> String {
    let mut header = String::from("fen,depth,nodes,expected,seconds,nodes_per_second");
    if kinds {
        for (name, _) in columns(&Kinds::default()).into_iter().skip(1) {
            let _ = write!(header, ",{name}");
        }
    }
    header.push('\n');
    header
}

/// The fields of [`csv_header`].
pub fn csv_row(out: &mut String, row: &Row<'_>, kinds: Option<&Kinds>, cells: Cells) {
    let expected = row
        .expected
        .map_or_else(String::new, |count| count.to_string());
    let _ = write!(
        out,
        "{},{},{},{expected},{},{}",
        cells.field(row.fen),
        row.depth,
        row.nodes,
        row.seconds,
        row.nodes_per_second
    );
    for (_, count) in kinds
        .iter()
        .flat_map(|kinds| columns(kinds).into_iter().skip(1))
    {
        let _ = write!(out, ",{count}");
    }
    out.push('\n');
}

/// Kinds of moves with their names, the nodes first.
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

/// Kinds for people: a line a depth, from depth 1.
pub fn kinds_table(rows: &[Kinds]) -> String {
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

/// What two divides do not agree on. `deeper` makes the command that looks at one move more closely.
pub fn comparison(comparison: &Comparison, deeper: impl Fn(&str) -> Option<String>) -> String {
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
