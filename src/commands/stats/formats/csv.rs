//! Statistics as CSV: a header and a row for each innermost group.

use crate::commands::stats::count::{
    Counts, DrawKind, Group, GroupFilter, Key, Rate, Statistics, Tally,
};
use crate::commands::stats::formats::{Comparison, StatsFormat, rounded, rounded_interval};
use crate::report::escape::{Cells, in_table};
use crate::report::rows::{Row, Rows};
use crate::report::{Buffer, Format};

/// CSV.
pub(crate) struct Csv {
    pub(crate) filter: GroupFilter,
    pub(crate) cells: Cells,
}

impl StatsFormat for Csv {}

impl Format<&Statistics> for Csv {
    /// Appends a header and a row for each innermost group. The columns of the keys come first;
    /// intervals take two columns; unknown values are empty.
    fn item(&self, out: &mut Buffer, statistics: &Statistics) {
        let plan = &statistics.plan;
        let names: Vec<String> = plan.keys.iter().map(column).collect();
        let columns = Columns {
            player: plan.keys.contains(&Key::Player),
            draws: plan.draws,
            rules: statistics.is_by_rules(),
            names: &names,
        };
        let mut header = Vec::new();
        header.resize(names.len(), "");
        columns.row(out, Rows::Header, &header, &Counts::default());
        self.rows(
            out,
            &columns,
            &statistics.whole,
            &plan.keys,
            &mut Vec::new(),
        );
    }
}

impl Format<&Comparison<'_>> for Csv {
    fn item(&self, out: &mut Buffer, comparison: &Comparison<'_>) {
        comparison.csv(out, self.cells);
    }
}

impl Csv {
    fn rows<'a>(
        &self,
        out: &mut Buffer,
        columns: &Columns<'_>,
        group: &'a Group,
        keys: &[Key],
        values: &mut Vec<&'a str>,
    ) {
        let Some((key, rest)) = keys.split_first() else {
            return columns.row(out, Rows::Csv(self.cells), values, &group.counts);
        };
        for (value, group) in self.filter.of(key, group).groups {
            values.push(value);
            self.rows(out, columns, group, rest, values);
            values.pop();
        }
    }
}

/// Name of a key's column: `by_elo_diff`, `by_tag_Round`. Columns of counts have names such as
/// `white` themselves.
fn column(key: &Key) -> String {
    match key {
        Key::Tag(tag) => format!("by_tag_{}", in_table(tag)),
        key => format!("by_{}", key.to_string().replace('-', "_")),
    }
}

/// Set of columns.
struct Columns<'a> {
    player: bool,
    draws: bool,
    rules: bool,
    /// Names of the columns of the keys.
    names: &'a [String],
}

impl Columns<'_> {
    fn row(&self, out: &mut Buffer, rows: Rows, values: &[&str], counts: &Counts) {
        let tally = &counts.tally;
        let mut row = Row::begin(out, rows);
        for (name, &value) in self.names.iter().zip(values) {
            row.text(name, value);
        }
        for (name, count) in [
            ("games", tally.games()),
            ("white", tally.white),
            ("black", tally.black),
            ("draws", tally.draws),
            ("unfinished", tally.unfinished),
            ("other", tally.other),
            ("unreadable", tally.unreadable),
        ] {
            row.number(name, count);
        }
        let (points, drawn) = (tally.white_score(), tally.draw_rate());
        rate(&mut row, "white_score", points);
        rate(&mut row, "draw_rate", drawn);
        interval(&mut row, "interval_95", points);
        interval(&mut row, "draw_interval_95", drawn);
        if self.player {
            let [wins, _, losses] = counts.record();
            row.number("wins", wins);
            row.number("losses", losses);
            rate(&mut row, "score", counts.points());
            interval(&mut row, "score_interval_95", counts.points());
            let [white, black] = counts.sides.as_deref().copied().unwrap_or_default();
            side(&mut row, "as_white", &white, white.white, white.black);
            side(&mut row, "as_black", &black, black.black, black.white);
        }
        if self.draws {
            let kinds = counts.draw_kinds.as_deref().copied().unwrap_or_default();
            for kind in DrawKind::ALL {
                let name = kind.as_str().replace('-', "_");
                row.number(&format!("draws_{name}"), kinds.count(kind));
            }
        }
        if self.rules {
            row.number("changed", counts.changed);
            row.number("undecided", counts.undecided);
        }
        row.end();
    }
}

fn rate(row: &mut Row<'_>, name: &str, rate: Option<Rate>) {
    row.fraction(name, rate.map(|rate| rounded(rate.value)));
}

fn interval(row: &mut Row<'_>, name: &str, rate: Option<Rate>) {
    let interval = rate.map(rounded_interval);
    row.fraction(&format!("{name}_low"), interval.map(|[low, _]| low));
    row.fraction(&format!("{name}_high"), interval.map(|[_, high]| high));
}

/// Adds the columns of a player's games with one colour.
fn side(row: &mut Row<'_>, name: &str, tally: &Tally, wins: u64, losses: u64) {
    row.number(&format!("{name}_games"), tally.games());
    row.number(&format!("{name}_wins"), wins);
    row.number(&format!("{name}_draws"), tally.draws);
    row.number(&format!("{name}_losses"), losses);
    let points = Rate::points(wins, tally.draws, losses);
    rate(row, &format!("{name}_score"), points);
    rate(row, &format!("{name}_draw_rate"), tally.draw_rate());
}
