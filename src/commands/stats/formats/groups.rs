//! Groups of games as a table for people.

use crate::commands::stats::formats::bar::bar;
use crate::commands::stats::formats::columns::{Columns, percent, percents};
use crate::commands::stats::tally::{Choice, Counts, Group, Key, Rate, Statistics, Tally};
use crate::report::escape::Escaped;

/// What a table of groups has to show.
struct Table<'a> {
    keys: &'a [Key],
    choice: Choice,
    /// Whether a bar stands beside each row.
    bars: bool,
    /// Whether there are players, for whom games are won and lost rather than by White and Black.
    players: bool,
    draws: bool,
    /// Which of the columns are there that only some statistics have.
    extra: Vec<Extra>,
    columns: Columns,
}

/// A column's name, and what stands in it.
type Extra = (&'static str, fn(&Counts) -> u64);

/// A line for each group, groups within a group indented below it. `bars`: with a bar of coloured blocks beside each.
pub fn groups(statistics: &Statistics, choice: Choice, bars: bool) -> String {
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
        columns: Columns::default(),
    };
    table.header();
    table.level(&statistics.whole, 0);
    table.columns.show()
}

impl Table<'_> {
    fn header(&mut self) {
        let keys: Vec<_> = self
            .keys
            .iter()
            .map(|key| Escaped(&key.to_string()).to_string())
            .collect();
        let mut cells = vec![keys.join(" / ")];
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
            let value = match value {
                "" => "unknown".to_owned(),
                value => Escaped(value).to_string(),
            };
            self.row(format!("{indent}{value}"), &group.counts);
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

    /// The kinds of a group's draws, each on a line below it.
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

/// A player's games with one colour.
fn side(tally: &Tally, wins: u64, losses: u64) -> [String; 3] {
    let points = Rate::points(wins, tally.draws, losses);
    [
        tally.games().to_string(),
        percent(points.map(|rate| rate.value)),
        percent(tally.draw_rate().map(|rate| rate.value)),
    ]
}
