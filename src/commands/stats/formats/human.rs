//! Statistics as tables for people: aligned columns of text, bars, and numbers as people read them.

use std::fmt::{self, Write};

use crate::commands::stats::count::{
    Counts, DrawKinds, Group, GroupFilter, Key, Rate, Statistics, Tally,
};
use crate::report::escape::{Escaped, width};
use crate::report::{Buffer, Format};

/// Tables.
pub(crate) struct Human {
    pub(crate) filter: GroupFilter,
    /// True for colours, and a bar for each group.
    pub(crate) paints: bool,
}

impl Format<&Statistics> for Human {
    fn item(&self, out: &mut Buffer, statistics: &Statistics) {
        let counts = &statistics.whole.counts;
        out.push_str(&table(statistics.tally()));
        if statistics.is_by_rules() {
            out.push_str(&ruled(counts));
        }
        if let Some(kinds) = &counts.draw_kinds {
            out.push(b'\n');
            out.push_str(&draws(kinds));
        }
        if !statistics.plan.keys.is_empty() {
            out.push(b'\n');
            out.push_str(&groups(statistics, self.filter, self.paints));
        }
    }
}

/// Table of BrainKing's chess page, followed by the games that its percentages leave out.
fn table(tally: &Tally) -> String {
    let mut out = String::from("Statistics of won games\n");
    let rows = [
        ("white", tally.white),
        ("black", tally.black),
        ("Draws", tally.draws),
    ];
    let width = rows
        .iter()
        .map(|(_, count)| count.to_string().len())
        .max()
        .unwrap_or(0);
    for (label, count) in rows {
        let percent = CutPercent::of(count, tally.decided());
        let _ = writeln!(out, "{label}  {count:>width$} ({percent})");
    }
    let apart = [
        ("without result", tally.unfinished),
        ("other results", tally.other),
        ("unreadable", tally.unreadable),
    ];
    if apart.iter().any(|&(_, count)| count > 0) {
        out.push('\n');
        for (label, count) in apart.into_iter().filter(|&(_, count)| count > 0) {
            let _ = writeln!(out, "{label}: {count}");
        }
    }
    out
}

/// Numbers of results that the rules change or leave open.
fn ruled(counts: &Counts) -> String {
    let mut out = format!("\nchanged by the rules: {}\n", counts.changed);
    if counts.undecided > 0 {
        let _ = writeln!(out, "undecided, as recorded: {}", counts.undecided);
    }
    out
}

/// Table of draws by kind, the most frequent first, with their share truncated to two places.
fn draws(kinds: &DrawKinds) -> String {
    let whole: u64 = kinds.iter().map(|(_, count)| count).sum();
    let mut counts: Vec<_> = kinds.iter().filter(|&(_, count)| count > 0).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let name_width = widest(&mut counts.iter().map(|(kind, _)| kind.as_str().len()));
    let count_width = widest(&mut counts.iter().map(|(_, count)| count.to_string().len()));
    if counts.is_empty() {
        return String::from("No draws\n");
    }
    let mut out = String::from("Draws by kind\n");
    for (kind, count) in counts {
        let percent = CutPercent::of(count, whole);
        let name = kind.as_str();
        // Writing to memory does not fail.
        let _ = writeln!(out, "{name:name_width$}  {count:>count_width$} ({percent})");
    }
    out
}

/// Table of groups.
struct GroupTable<'a> {
    keys: &'a [Key],
    choice: GroupFilter,
    /// True for a bar after each row.
    bars: bool,
    /// True if a key is `player`: columns are won and lost instead of White and Black.
    players: bool,
    draws: bool,
    /// Optional columns.
    extra: Vec<Extra>,
    columns: TextTable,
}

/// Name and values of a column.
type Extra = (&'static str, fn(&Counts) -> u64);

/// Table of groups, inner groups indented below their parents; `bars` adds a coloured bar to each.
fn groups(statistics: &Statistics, choice: GroupFilter, bars: bool) -> String {
    let plan = &statistics.plan;
    let whole = &statistics.whole.counts;
    let mut extra: Vec<Extra> = Vec::new();
    if whole.tally.unfinished > 0 {
        extra.push(("no result", |counts| counts.tally.unfinished));
    }
    if whole.tally.other > 0 {
        extra.push(("other", |counts| counts.tally.other));
    }
    if statistics.is_by_rules() {
        extra.push(("changed", |counts| counts.changed));
        extra.push(("undecided", |counts| counts.undecided));
    }
    let mut table = GroupTable {
        keys: &plan.keys,
        choice,
        bars,
        players: plan.keys.contains(&Key::Player),
        draws: plan.draws,
        extra,
        columns: TextTable::default(),
    };
    table.header();
    table.level(&statistics.whole, 0);
    table.columns.show()
}

impl GroupTable<'_> {
    fn header(&mut self) {
        let mut cells = vec![heading(self.keys)];
        cells.push("games".to_owned());
        let results = match self.players {
            true => ["won", "drawn", "lost"],
            false => ["white", "draws", "black"],
        };
        cells.extend(results.map(str::to_owned));
        cells.extend(["score", "95 %", "draws", "95 %"].map(str::to_owned));
        if self.players {
            cells.extend(
                ["as white", "score", "draws", "as black", "score", "draws"].map(str::to_owned),
            );
        }
        cells.extend(self.extra.iter().map(|(name, _)| (*name).to_owned()));
        self.columns.push(cells);
    }

    fn level(&mut self, group: &Group, depth: usize) {
        let Some(key) = self.keys.get(depth) else {
            return;
        };
        let chosen = self.choice.of(key, group);
        let indent = "  ".repeat(depth);
        for (value, group) in chosen.groups {
            let name = group_name(value);
            self.row(format!("{indent}{name}"), &group.counts);
            self.level(group, depth + 1);
            if self.draws && depth + 1 == self.keys.len() {
                self.kinds(&group.counts, depth + 1);
            }
        }
        if chosen.left_out > 0 {
            let plural = if chosen.left_out == 1 { "" } else { "s" };
            self.columns.push(vec![format!(
                "{indent}({} group{plural} left out)",
                chosen.left_out
            )]);
        }
    }

    fn row(&mut self, name: String, counts: &Counts) {
        let [won, drawn, lost] = counts.record();
        let mut cells = vec![name];
        cells.extend([counts.tally.games(), won, drawn, lost].map(|count| count.to_string()));
        cells.extend(rate(counts.points()));
        cells.extend(rate(counts.tally.draw_rate()));
        if self.players {
            match counts.sides.as_deref() {
                Some([white, black]) => {
                    cells.extend(side(white, white.white, white.black));
                    cells.extend(side(black, black.black, black.white));
                }
                None => cells.extend(std::iter::repeat_n(String::new(), 6)),
            }
        }
        cells.extend(
            self.extra
                .iter()
                .map(|(_, count)| count(counts).to_string()),
        );
        let rest = match self.bars {
            true => bar(counts),
            false => String::new(),
        };
        self.columns.push_with(cells, rest);
    }

    /// Adds the draws of a group by kind, one line each.
    fn kinds(&mut self, counts: &Counts, depth: usize) {
        let indent = "  ".repeat(depth);
        let kinds = counts.draw_kinds.as_deref().copied().unwrap_or_default();
        for (kind, count) in kinds.iter().filter(|&(_, count)| count > 0) {
            let blank = String::new;
            self.columns.push(vec![
                format!("{indent}{}", kind.as_str()),
                blank(),
                blank(),
                count.to_string(),
            ]);
        }
    }
}

fn rate(rate: Option<Rate>) -> [String; 2] {
    [
        percent(rate.map(|rate| rate.value)),
        percents(rate.map(|rate| rate.interval)),
    ]
}

/// Cells of a player's games with one colour.
fn side(tally: &Tally, wins: u64, losses: u64) -> [String; 3] {
    let points = Rate::points(wins, tally.draws, losses);
    [
        tally.games().to_string(),
        percent(points.map(|rate| rate.value)),
        percent(tally.draw_rate().map(|rate| rate.value)),
    ]
}

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

/// Share of a whole, such as `47.88 %`: hundredths of a percent, cut, not rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CutPercent(u64);

impl CutPercent {
    /// `part` of `whole`; 0 if the whole is 0.
    pub(crate) fn of(part: u64, whole: u64) -> CutPercent {
        let hundredths = u128::from(part) * 10_000;
        CutPercent(hundredths.checked_div(whole.into()).unwrap_or(0) as u64)
    }
}

impl fmt::Display for CutPercent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02} %", self.0 / 100, self.0 % 100)
    }
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

    #[test]
    fn percentages_of_the_source_page_are_cut_not_rounded() {
        // The figures of BrainKing's chess page; rounding would give 47.89 and 46.84 and 5.27.
        let (white, black, draws) = (230_424, 225_400, 25_375);
        let whole = white + black + draws;
        let shown = [white, black, draws].map(|part| CutPercent::of(part, whole).to_string());
        assert_eq!(shown, ["47.88 %", "46.84 %", "5.27 %"]);
        assert_eq!(CutPercent::of(0, 0).to_string(), "0.00 %");
        assert_eq!(CutPercent::of(u64::MAX, u64::MAX).to_string(), "100.00 %");
    }
}
