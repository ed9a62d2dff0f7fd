//! Aligned columns of text, bars, and numbers as people read them.

use crate::commands::stats::count::{Counts, Key};
use crate::report::escape::{Escaped, width};

/// Lines of cells. The first cell of a line is text, aligned left; numbers are aligned right.
#[derive(Default)]
pub(crate) struct TextTable {
    lines: Vec<Line>,
}

struct Line {
    cells: Vec<String>,
    /// Text after the cells, of any width.
    rest: String,
}

/// Maximum width of the text column, so that one long name does not push the numbers away.
const WIDEST: usize = 40;

impl TextTable {
    /// Adds a line. Text without numbers is not cut.
    pub(crate) fn push(&mut self, cells: Vec<String>) {
        self.push_with(cells, String::new());
    }

    /// Adds a line with text after its cells.
    pub(crate) fn push_with(&mut self, cells: Vec<String>, rest: String) {
        self.lines.push(Line { cells, rest });
    }

    /// Formats the lines without trailing blanks. Cells must be escaped.
    pub(crate) fn show(&self) -> String {
        let mut widths: Vec<usize> = Vec::new();
        for line in self.lines.iter().filter(|line| line.cells.len() > 1) {
            widths.resize(widths.len().max(line.cells.len()), 0);
            for (widest, cell) in widths.iter_mut().zip(&line.cells) {
                *widest = (*widest).max(width(cell));
            }
        }
        if let Some(first) = widths.first_mut() {
            *first = (*first).min(WIDEST);
        }
        let mut out = String::new();
        for line in &self.lines {
            let start = out.len();
            for (nth, (cell, &wide)) in line.cells.iter().zip(&widths).enumerate() {
                if nth > 0 {
                    out.push_str("  ");
                    fill(&mut out, wide.saturating_sub(width(cell)));
                    out.push_str(cell);
                } else if line.cells.len() > 1 {
                    let text = shortened(cell, wide);
                    out.push_str(&text);
                    fill(&mut out, wide - width(&text));
                } else {
                    out.push_str(cell);
                }
            }
            if !line.rest.is_empty() {
                out.push_str("  ");
                out.push_str(&line.rest);
            }
            out.truncate(start + out[start..].trim_end_matches(' ').len());
            out.push('\n');
        }
        out
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

/// Keys above the column of groups.
pub(crate) fn heading(keys: &[Key]) -> String {
    let keys = keys.iter().map(|key| Escaped(&key.to_string()).to_string());
    keys.collect::<Vec<_>>().join(" / ")
}

/// Value of a key as the name of its group.
pub(crate) fn group_name(value: &str) -> String {
    match value {
        "" => "unknown".to_owned(),
        value => Escaped(value).to_string(),
    }
}

/// Rate as a percentage, rounded to one decimal place; a dash if missing.
pub(crate) fn percent(rate: Option<f64>) -> String {
    rate.map_or_else(|| "–".to_owned(), |rate| format!("{:.1} %", rate * 100.0))
}

/// Interval of rates as percentages.
pub(crate) fn percents(interval: Option<[f64; 2]>) -> String {
    interval.map_or_else(String::new, |[low, high]| {
        format!("{:.1}–{:.1}", low * 100.0, high * 100.0)
    })
}

/// Difference of rates in percentage points, with its sign.
pub(crate) fn points(difference: f64) -> String {
    let tenths = (difference * 1000.0).round() / 10.0;
    match tenths == 0.0 {
        true => "0.0".to_owned(),
        false => format!("{tenths:+.1}").replace('-', "−"),
    }
}

/// Length of a bar, in blocks.
const BLOCKS: u64 = 30;

/// Bar of games won, drawn and lost: white full, grey half and dark light blocks, which differ
/// without colours too.
pub(crate) fn bar(counts: &Counts) -> String {
    let parts = shares(counts.record(), BLOCKS);
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
        let mut columns = TextTable::default();
        columns.push(["year", "games"].map(str::to_owned).to_vec());
        columns.push(["1972", "5"].map(str::to_owned).to_vec());
        columns.push(vec!["and one that is longer than the column".to_owned()]);
        columns.push_with(
            ["羽生", "12345"].map(str::to_owned).to_vec(),
            "bar".to_owned(),
        );
        assert_eq!(
            columns.show(),
            "year  games\n1972      5\nand one that is longer than the column\n羽生  12345  bar\n"
        );
    }

    #[test]
    fn a_long_name_is_cut_short() {
        assert_eq!(shortened("Nepomniachtchi", 6), "Nepom…");
        assert_eq!(shortened("Nepo", 4), "Nepo");
        assert_eq!(shortened("羽生善治", 5), "羽生…");
    }

    #[test]
    fn points_have_a_sign() {
        assert_eq!(points(0.0123), "+1.2");
        assert_eq!(points(-0.0123), "−1.2");
        assert_eq!(points(-0.0001), "0.0");
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
