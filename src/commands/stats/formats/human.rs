//! Statistics as tables for people.

use std::fmt::Write;

use crate::commands::stats::count::{
    Counts, CutPercent, DrawKinds, Group, GroupFilter, Key, Rate, Statistics, Tally,
};
use crate::commands::stats::formats::StatsFormat;
use crate::commands::stats::formats::table::{
    TextTable, bar, group_name, heading, percent, percents,
};
use crate::report::{Buffer, Format};

/// Tables.
pub(crate) struct Human {
    pub(crate) filter: GroupFilter,
    /// True for colours, and a bar for each group.
    pub(crate) paints: bool,
}

impl StatsFormat for Human {}

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
struct Table<'a> {
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
    let mut table = Table {
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

impl Table<'_> {
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
