//! Aligned columns of text, in the width of a terminal.

use std::fmt::{Display, Write};
use std::ops::Range;

use crate::report::escape::width;
use crate::report::wrap;

/// Lines of cells. The first cell of a line is text, aligned left; numbers are aligned right.
#[derive(Default)]
pub(crate) struct TextTable {
    /// The texts of all cells.
    text: String,
    cells: Vec<Cell>,
    lines: Vec<Line>,
    /// Columns left out of a narrow terminal, in this order, with their names.
    optional: Vec<(Range<usize>, &'static str)>,
}

struct Cell {
    text: Range<usize>,
    width: usize,
}

struct Line {
    cells: Range<usize>,
    /// Parts of the bar after the cells; all 0 for none.
    bar: [u64; 3],
}

/// Maximum width of the text column, so that one long name does not push the numbers away.
const WIDEST: usize = 40;

/// Maximum length of a bar, in blocks.
const BLOCKS: usize = 30;

/// Minimum length of a bar, in blocks.
const FEWEST_BLOCKS: usize = 8;

impl TextTable {
    /// Table whose `optional` columns are left out if the terminal is too narrow.
    pub(crate) fn new(optional: Vec<(Range<usize>, &'static str)>) -> TextTable {
        TextTable {
            optional,
            ..TextTable::default()
        }
    }

    /// Adds a line. Text without numbers is not cut.
    pub(crate) fn push<C: Display>(&mut self, cells: impl IntoIterator<Item = C>) {
        for cell in cells {
            self.cell(cell);
        }
        self.end_line([0; 3]);
    }

    /// Adds a cell to the line that ends next. It must be escaped.
    pub(crate) fn cell(&mut self, cell: impl Display) {
        let start = self.text.len();
        // Writing to memory does not fail.
        let _ = write!(self.text, "{cell}");
        self.cells.push(Cell {
            text: start..self.text.len(),
            width: width(&self.text[start..]),
        });
    }

    /// Ends a line with a bar after its cells.
    pub(crate) fn end_line(&mut self, bar: [u64; 3]) {
        let start = self.lines.last().map_or(0, |line| line.cells.end);
        let cells = start..self.cells.len();
        self.lines.push(Line { cells, bar });
    }

    /// Formats the lines without trailing blanks.
    ///
    /// In a terminal of this many `columns` the bar is shortened first, then columns are left out,
    /// which the last line names, and names get a third of the width or what the rest leaves.
    pub(crate) fn show(&self, columns: Option<usize>) -> String {
        let room = columns.unwrap_or(usize::MAX);
        let mut widths = self.widths();
        let numbers = |widths: &[Option<usize>]| -> usize {
            let shown = widths.iter().skip(1).flatten();
            shown.map(|wide| 2 + wide).sum()
        };
        let name = widths.first().copied().flatten().unwrap_or(0);
        let mut left_out = Vec::new();
        for (range, label) in &self.optional {
            if name.min(room / 3) + numbers(&widths) <= room {
                break;
            }
            widths[range.clone()].fill(None);
            left_out.push((range.start, *label));
        }
        let rest = numbers(&widths);
        let name = name.min(room.saturating_sub(rest)).max(1);
        if let Some(first) = widths.first_mut() {
            *first = Some(name);
        }
        let blocks = match room.saturating_sub(name + rest + 2).min(BLOCKS) {
            ..FEWEST_BLOCKS => 0,
            blocks => blocks,
        };
        let mut out = String::new();
        for line in &self.lines {
            self.show_line(&mut out, line, &widths, blocks);
        }
        if let Some(columns) = columns
            && !left_out.is_empty()
        {
            left_out.sort_unstable();
            let names: Vec<_> = left_out.into_iter().map(|(_, label)| label).collect();
            let note = format!(
                "(columns left out: {}; a wider terminal or a pipe shows them)",
                names.join(", ")
            );
            wrap(&mut out, &note, ["", " "], columns);
        }
        out
    }

    /// Widths of the columns that all cells need.
    fn widths(&self) -> Vec<Option<usize>> {
        let mut widths: Vec<usize> = Vec::new();
        for line in self.lines.iter().filter(|line| line.cells.len() > 1) {
            widths.resize(widths.len().max(line.cells.len()), 0);
            for (widest, cell) in widths.iter_mut().zip(&self.cells[line.cells.clone()]) {
                *widest = (*widest).max(cell.width);
            }
        }
        if let Some(first) = widths.first_mut() {
            *first = (*first).min(WIDEST);
        }
        widths.into_iter().map(Some).collect()
    }

    /// Appends a line; columns without a width are left out.
    fn show_line(&self, out: &mut String, line: &Line, widths: &[Option<usize>], blocks: usize) {
        let start = out.len();
        let cells = &self.cells[line.cells.clone()];
        for (nth, (cell, wide)) in cells.iter().zip(widths).enumerate() {
            let Some(wide) = *wide else {
                continue;
            };
            let text = &self.text[cell.text.clone()];
            if nth > 0 {
                out.push_str("  ");
                fill(out, wide.saturating_sub(cell.width));
                out.push_str(text);
            } else if cells.len() > 1 && cell.width > wide {
                let text = shortened(text, wide);
                out.push_str(&text);
                fill(out, wide - width(&text));
            } else {
                out.push_str(text);
                fill(out, wide.saturating_sub(cell.width));
            }
        }
        out.push_str("  ");
        out.push_str(&bar(line.bar, blocks));
        out.truncate(start + out[start..].trim_end_matches(' ').len());
        out.push('\n');
    }
}

fn fill(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// Text, cut with an ellipsis.
pub(crate) fn shortened(text: &str, wide: usize) -> String {
    if width(text) <= wide {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 1;
    for character in text.chars() {
        used += width(character.encode_utf8(&mut [0; 4]));
        if used > wide {
            break;
        }
        short.push(character);
    }
    short.push('…');
    short
}

/// Bar of games won, drawn and lost: white full, grey half and dark light blocks, which differ
/// without colours too.
fn bar(record: [u64; 3], blocks: usize) -> String {
    let parts = shares(record, blocks as u64);
    let looks = [('█', "97"), ('▒', "37"), ('░', "90")];
    let mut bar = String::new();
    for (count, (block, color)) in parts.into_iter().zip(looks).filter(|&(count, _)| count > 0) {
        bar.push_str(&format!("\u{1b}[{color}m"));
        bar.extend(std::iter::repeat_n(block, count as usize));
    }
    if !bar.is_empty() {
        bar.push_str("\u{1b}[0m");
    }
    bar
}

/// Shares of a whole as integers that add up to it (largest remainder method); zeros if all parts
/// are 0.
pub(crate) fn shares<const N: usize>(parts: [u64; N], whole: u64) -> [u64; N] {
    let sum: u128 = parts.iter().map(|&part| u128::from(part)).sum();
    if sum == 0 {
        return [0; N];
    }
    let exact = parts.map(|part| u128::from(part) * u128::from(whole));
    let mut shares = exact.map(|exact| (exact / sum) as u64);
    let mut order: [usize; N] = std::array::from_fn(|nth| nth);
    order.sort_by_key(|&nth| std::cmp::Reverse(exact[nth] % sum));
    let left = whole - shares.iter().sum::<u64>();
    for &nth in order.iter().take(left as usize) {
        shares[nth] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right_and_texts_to_the_left() {
        let mut table = TextTable::default();
        table.push(["year", "games"]);
        table.push(["1972", "5"]);
        table.push(["and one that is longer than the column"]);
        table.cell("羽生");
        table.cell(12345);
        table.end_line([1, 0, 0]);
        let bar = "█".repeat(BLOCKS);
        assert_eq!(
            table.show(None),
            format!(
                "year  games\n1972      5\nand one that is longer than the column\n\
                 羽生  12345  \u{1b}[97m{bar}\u{1b}[0m\n"
            )
        );
    }

    #[test]
    fn the_bar_is_shortened_before_columns_go_and_names_last() {
        let mut table = TextTable::new(vec![(2..3, "interval"), (3..4, "draws")]);
        table.push(["player", "games", "95 %", "draws"]);
        for cell in ["Nepomniachtchi", "5", "12.0–50.0", "20.0 %"] {
            table.cell(cell);
        }
        table.end_line([2, 1, 1]);
        let blocks = |columns| {
            let text = table.show(columns);
            text.chars().filter(|c| "█▒░".contains(*c)).count()
        };
        // 14 columns for the name and 7, 11 and 8 for the numbers, with the blanks before them.
        assert_eq!(
            [None, Some(200), Some(72), Some(71)].map(blocks),
            [30, 30, 30, 29]
        );
        assert_eq!([50, 49].map(|columns| blocks(Some(columns))), [8, 0]);
        let show = |columns| -> String {
            let text = table.show(Some(columns));
            text.split_inclusive('\n').skip(1).collect()
        };
        assert_eq!(show(40), "Nepomniachtchi      5  12.0–50.0  20.0 %\n");
        // A third of the width is left for names.
        assert_eq!(show(39), "Nepomniachtc…      5  12.0–50.0  20.0 %\n");
        assert_eq!(
            show(37),
            "Nepomniachtchi      5  20.0 %\n\
             (columns left out: interval; a wider\n terminal or a pipe shows them)\n"
        );
        let narrow = show(20);
        assert!(
            narrow.starts_with("Nepomniachtc…      5\n(columns left"),
            "{narrow}"
        );
        assert!(narrow.contains("\n interval, draws; a\n"), "{narrow}");
        assert!(show(10).starts_with("Ne…      5\n"));
        assert!(show(1).starts_with("…      5\n"));
    }

    #[test]
    fn a_long_name_is_cut_short() {
        assert_eq!(shortened("Nepomniachtchi", 6), "Nepom…");
        assert_eq!(shortened("Nepo", 4), "Nepo");
        assert_eq!(shortened("羽生善治", 5), "羽生…");
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(shares([1, 1, 1], 10), [4, 3, 3]);
        assert_eq!(shares([2, 1, 0], 30), [20, 10, 0]);
        assert_eq!(shares([999, 1, 0], 30), [30, 0, 0]);
        assert_eq!(shares([0, 0, 0], 30), [0, 0, 0]);
        assert_eq!(shares([u64::MAX / 4; 3], 30), [10, 10, 10]);
    }
}
