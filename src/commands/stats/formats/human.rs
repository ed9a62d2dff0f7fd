//! Statistics as tables for people: aligned columns of text, bars, and numbers as people read them.

use std::fmt::{Display, Write};
use std::ops::Range;

use crate::commands::stats::count::{Counts, DrawKinds, Group, Key, Plan, Statistics, Tally};
use crate::commands::stats::formats::FormatOptions;
use crate::commands::stats::numbers::{self, Rate, cut_percent, error};
use crate::report::escape::Escaped;
use crate::report::text_table::TextTable;

/// Tables.
pub(super) fn text(statistics: &Statistics, options: &FormatOptions) -> String {
    let counts = &statistics.whole.counts;
    let mut out = table(&statistics.tally());
    if statistics.is_by_rules() {
        out.push_str(&ruled(counts));
    }
    if statistics.plan.draws {
        out.push('\n');
        out.push_str(&draws(counts.draw_kinds()));
    }
    if !statistics.plan.keys.is_empty() && !statistics.plan.ratings {
        out.push('\n');
        out.push_str(&groups(statistics, options));
    }
    out
}

/// Table of BrainKing's chess page, followed by the games that its percentages leave out.
fn table(tally: &Tally) -> String {
    let mut out = String::from("Statistics of won games\n");
    let rows = [
        ("white", tally.white),
        ("black", tally.black),
        ("Draws", tally.draws),
    ];
    counted(&mut out, &rows, tally.decided());
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
fn draws(kinds: DrawKinds) -> String {
    let whole: u64 = kinds.iter().map(|(_, count)| count).sum();
    let mut counts: Vec<_> = kinds.iter().filter(|&(_, count)| count > 0).collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    if counts.is_empty() {
        return String::from("No draws\n");
    }
    let rows: Vec<_> = counts
        .iter()
        .map(|&(kind, count)| (kind.as_str(), count))
        .collect();
    let mut out = String::from("Draws by kind\n");
    counted(&mut out, &rows, whole);
    out
}

/// Aligned lines of counts with their share of the whole, truncated to two places.
fn counted(out: &mut String, rows: &[(&str, u64)], whole: u64) {
    let name_width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let most = rows.iter().map(|&(_, count)| count).max().unwrap_or(0);
    let width = most.to_string().len();
    for &(name, count) in rows {
        let percent = cut_percent(count, whole);
        // Writing to memory does not fail.
        let _ = writeln!(out, "{name:name_width$}  {count:>width$} ({percent})");
    }
}

/// Table of groups.
struct GroupTable<'a> {
    plan: &'a Plan,
    options: &'a FormatOptions,
    /// True if a key is `player`: columns are won and lost instead of White and Black.
    players: bool,
    /// Optional columns.
    extra: Vec<Extra>,
    table: TextTable,
}

/// Name and values of a column.
type Extra = (&'static str, fn(&Counts) -> u64);

/// Table of groups, inner groups indented below their parents.
fn groups(statistics: &Statistics, options: &FormatOptions) -> String {
    let plan = &statistics.plan;
    let whole = &statistics.whole.counts;
    let mut extra: Vec<Extra> = Vec::new();
    if whole.tally().unfinished > 0 {
        extra.push(("no result", |counts| counts.tally().unfinished));
    }
    if whole.tally().other > 0 {
        extra.push(("other", |counts| counts.tally().other));
    }
    if statistics.is_by_rules() {
        extra.push(("changed", |counts| counts.changed));
        extra.push(("undecided", |counts| counts.undecided));
    }
    let players = plan.keys.contains(&Key::Player);
    let mut groups = GroupTable {
        plan,
        options,
        players,
        table: TextTable::new(optional(players, plan.draws, &extra)),
        extra,
    };
    groups.header();
    groups.level(&statistics.whole, 0);
    groups.table.show(options.columns)
}

/// Columns of [`GroupTable`] left out of a narrow terminal, in this order. The column of draws
/// stays if they are counted by kind.
fn optional(players: bool, draws: bool, extra: &[Extra]) -> Vec<(Range<usize>, &'static str)> {
    let first_extra = if players { 15 } else { 9 };
    let mut optional = vec![(8..9, "95 % of draws")];
    if players {
        let elo = first_extra + extra.len();
        optional.extend([(9..15, "as white and as black"), (elo..elo + 1, "Elo")]);
    }
    optional.push((6..7, "95 % of score"));
    let extra = extra.iter().enumerate().rev();
    optional
        .extend(extra.map(|(nth, (name, _))| (first_extra + nth..first_extra + nth + 1, *name)));
    optional.extend(match (draws, players) {
        (true, true) => vec![(4..5, "lost"), (2..3, "won")],
        (true, false) => vec![(4..5, "black"), (2..3, "white")],
        (false, true) => vec![(2..5, "won, drawn and lost")],
        (false, false) => vec![(2..5, "white, draws and black")],
    });
    optional.extend([(7..8, "share of draws"), (5..6, "score")]);
    optional
}

impl GroupTable<'_> {
    fn header(&mut self) {
        let results = match self.players {
            true => ["won", "drawn", "lost"],
            false => ["white", "draws", "black"],
        };
        let rates = ["score", "95 %", "draws", "95 %"];
        let sides = ["as white", "score", "draws", "as black", "score", "draws"];
        let sides = if self.players { &sides[..] } else { &[] };
        let extra = self.extra.iter().map(|(name, _)| name);
        let elo = self.players.then_some(&"Elo");
        let names = results.iter().chain(&rates).chain(sides).chain(extra);
        let names = names.chain(elo);
        let keys = heading(&self.plan.keys);
        let first = [keys.as_str(), "games"];
        self.table.push(first.into_iter().chain(names.copied()));
    }

    fn level(&mut self, group: &Group, depth: usize) {
        let Some(key) = self.plan.keys.get(depth) else {
            return;
        };
        let chosen = self.options.filter.of(key, group);
        let indent = "  ".repeat(depth);
        for (value, group) in chosen.groups {
            self.row(format_args!("{indent}{}", group_name(value)), &group.counts);
            self.level(group, depth + 1);
            if self.plan.draws && depth + 1 == self.plan.keys.len() {
                self.kinds(&group.counts, depth + 1);
            }
        }
        if chosen.left_out > 0 {
            let plural = if chosen.left_out == 1 { "" } else { "s" };
            self.table.push([format_args!(
                "{indent}({} group{plural} left out)",
                chosen.left_out
            )]);
        }
    }

    fn row(&mut self, name: impl Display, counts: &Counts) {
        let table = &mut self.table;
        let record = counts.record();
        table.cell(name);
        table.cell(counts.tally().games());
        for count in record {
            table.cell(count);
        }
        for rate in [counts.points(), counts.tally().draw_rate()] {
            table.cell(percent(rate.map(|rate| rate.value)));
            table.cell(percents(rate.map(|rate| rate.interval)));
        }
        if self.players {
            match counts.sides() {
                Some([white, black]) => {
                    side(table, &white, white.white, white.black);
                    side(table, &black, black.black, black.white);
                }
                None => (0..6).for_each(|_| table.cell("")),
            }
        }
        for (_, count) in &self.extra {
            table.cell(count(counts));
        }
        if self.players {
            table.cell(elo_text(counts.points()));
        }
        table.end_line(if self.options.paints { record } else { [0; 3] });
    }

    /// Adds the draws of a group by kind, one line each.
    fn kinds(&mut self, counts: &Counts, depth: usize) {
        let indent = "  ".repeat(depth);
        for (kind, count) in counts.draw_kinds().iter().filter(|&(_, count)| count > 0) {
            let name = format!("{indent}{}", kind.as_str());
            self.table.push([name.as_str(), "", "", &count.to_string()]);
        }
    }
}

/// Adds the cells of a player's games with one colour.
fn side(table: &mut TextTable, tally: &Tally, wins: u64, losses: u64) {
    table.cell(tally.games());
    table.cell(percent(Rate::value_of_points(wins, tally.draws, losses)));
    table.cell(percent(tally.draw_rate().map(|rate| rate.value)));
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

/// Rate as a percentage; a dash if missing.
pub(crate) fn percent(rate: Option<f64>) -> String {
    rate.map_or("–".to_owned(), |rate| numbers::percent(rate, 1))
}

/// Interval of rates as percentages; nothing if missing.
fn percents(interval: Option<[f64; 2]>) -> String {
    let percents = |[low, high]: [f64; 2]| format!("{:.1}–{:.1}", low * 100.0, high * 100.0);
    interval.map_or(String::new(), percents)
}

/// Elo of a score with its error, such as `+137 ± 188`; a dash if infinite.
fn elo_text(score: Option<Rate>) -> String {
    let error = score.and_then(Rate::elo_interval).map(error);
    // The sum has no negative zero.
    let elo = score.and_then(Rate::elo).map(|elo| elo.round() + 0.0);
    let text = elo.map_or("–".to_owned(), |elo| numbers::elo_text(elo, error, 0));
    text.replace('-', "−")
}
