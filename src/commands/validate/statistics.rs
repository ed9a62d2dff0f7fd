//! Statistics of the findings after a run: a table by code, and the files with the most findings.

use crate::commands::validate::tally::{BySeverity, CodeTally, RunTally};
use crate::input::Source;
use crate::report::append;
use crate::report::escape::{Escaped, character_width, width};
use crate::report::text_table::TextTable;

/// Minimum width of a column of places, in columns of a terminal.
const NARROWEST: usize = 20;

/// Appends both tables, if anything was found. `unit` is that of the inputs, `game` or `position`.
pub(crate) fn push_tables(out: &mut String, tally: &RunTally, unit: &str, columns: Option<usize>) {
    let codes = tally.codes();
    if codes.is_empty() {
        return;
    }
    out.push_str(&by_code(&codes, unit, columns));
    let (worst, more) = tally.worst();
    if worst.len() > 1 {
        out.push_str("files with the most findings:\n");
        out.push_str(&by_file(&worst, columns));
        match more {
            0 => {}
            1 => out.push_str("and 1 more file\n"),
            more => append!(out, "and {more} more files\n"),
        }
    }
}

fn by_code(codes: &[&CodeTally], unit: &str, columns: Option<usize>) -> String {
    let units = if unit == "game" { "games" } else { "positions" };
    let lines = codes.iter().map(|code| {
        let games = if code.rule.is_once_per_file {
            "-".to_owned()
        } else {
            code.games.to_string()
        };
        let (source, (_, line, column)) = &code.first;
        [
            format!("{} {}", code.code(), code.rule.name),
            code.count.to_string(),
            games,
            code.files.to_string(),
            format!("{}:{line}:{column}", Escaped(source.name())),
        ]
    });
    let optional = vec![(3..4, "files"), (2..3, units), (4..5, "first")];
    let heads = ["code", "findings", units, "files", "first"];
    table(heads, lines, optional, columns)
}

fn by_file(worst: &[(&Source, BySeverity)], columns: Option<usize>) -> String {
    let lines = worst.iter().map(|(source, counts)| {
        let [notes, warnings, errors] = counts.map(|count| count.to_string());
        let all: u64 = counts.iter().sum();
        let name = Escaped(source.name()).to_string();
        [all.to_string(), errors, warnings, notes, name]
    });
    let optional = vec![(3..4, "notes"), (2..3, "warnings"), (1..2, "errors")];
    let heads = ["findings", "errors", "warnings", "notes", "file"];
    table(heads, lines, optional, columns)
}

/// Table of lines whose last cell is a text of which the end matters.
fn table(
    heads: [&str; 5],
    lines: impl Iterator<Item = [String; 5]>,
    optional: Vec<(std::ops::Range<usize>, &'static str)>,
    columns: Option<usize>,
) -> String {
    let mut lines: Vec<_> = lines.collect();
    lines.insert(0, heads.map(str::to_owned));
    let widest = |column: usize| {
        let widths = lines.iter().map(|line| width(&line[column]));
        widths.max().unwrap_or(0)
    };
    let before: usize = (0..4).map(|column| widest(column) + "  ".len()).sum();
    let room = columns.map_or(usize::MAX, |columns| {
        columns.saturating_sub(before).max(NARROWEST)
    });
    let last = widest(4).min(room);
    let mut table = TextTable::new(optional);
    for mut line in lines {
        let mut end = end_of(&line[4], last);
        end.extend(std::iter::repeat_n(' ', last - width(&end)));
        line[4] = end;
        table.push(line);
    }
    table.show(columns)
}

/// The end of a text, after an ellipsis if it is cut.
fn end_of(text: &str, wide: usize) -> String {
    if width(text) <= wide {
        return text.to_owned();
    }
    let mut used = 1;
    let kept = text.chars().rev().take_while(|&character| {
        used += character_width(character);
        used <= wide
    });
    let kept: usize = kept.map(char::len_utf8).sum();
    format!("…{}", &text[text.len() - kept..])
}
