//! Comparison of two statistics.

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::commands::stats::count::{Counts, Group, GroupFilter, Key, Statistics};
use crate::commands::stats::formats::add_interval;
use crate::commands::stats::formats::human::{group_name, heading, percent};
use crate::commands::stats::formats::rows::column;
use crate::commands::stats::numbers::{Rate, percentage_points};
use crate::error::Error;
use crate::report::rows::{GAMES_IN_GROUP, Row, Rows};
use crate::report::text_table::TextTable;
use crate::report::{Buffer, Sink, json};

/// Comparison of two statistics.
pub(crate) struct Comparison<'a> {
    keys: &'a [Key],
    /// All games, then the groups that are shown.
    pub rows: Vec<ComparedGroup>,
}

/// Limits of the differences that are accepted; a difference beyond all of them is a failure.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Compare")]
pub(crate) struct DifferenceLimits {
    /// With --compare: exit code 1 for changes above this
    ///
    /// A score or draw rate has changed by more than this, in percentage points.
    #[arg(long, value_name = "POINTS", value_parser = limit)]
    pub(crate) fail_above: Option<f64>,

    /// With --compare: exit code 1 for changes beyond chance
    ///
    /// The interval of the difference of a score or draw rate does not include 0. With --fail-above
    /// both must hold.
    #[arg(long)]
    pub(crate) fail_significant: bool,
}

fn limit(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number: &f64| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "not a number of percentage points from 0 to 100".to_owned())
}

impl DifferenceLimits {
    fn exclude(self, difference: Rate) -> bool {
        let above = |limit| difference.value.abs() * 100.0 > limit;
        let may_be_chance = self.fail_significant && difference.may_be_chance();
        self.fail_above.is_none_or(above) && !may_be_chance
    }
}

/// One group in both.
#[derive(Serialize)]
pub(crate) struct ComparedGroup {
    /// The values of the keys; none for all games.
    #[serde(serialize_with = "known_values")]
    values: Vec<String>,
    games: [u64; 2],
    /// White's score, or a player's.
    score: Change,
    draw_rate: Change,
}

/// A rate before and after.
#[derive(Serialize)]
struct Change {
    before: Option<f64>,
    after: Option<f64>,
    difference: Option<f64>,
    interval_95: Option<[f64; 2]>,
}

impl Change {
    fn new(rates: [Option<Rate>; 2]) -> Change {
        let found = match rates {
            [Some(before), Some(after)] => Some(after.beyond(before)),
            _ => None,
        };
        let [before, after] = rates.map(|rate| rate.map(|rate| rate.value));
        Change {
            before,
            after,
            difference: found.map(|found| found.value),
            interval_95: found.map(|found| found.interval),
        }
    }

    fn rate(&self) -> Option<Rate> {
        let (value, interval) = (self.difference?, self.interval_95?);
        Some(Rate { value, interval })
    }

    /// Both values and the difference in words, if it is beyond the limits.
    fn exceeding(&self, name: &str, limits: DifferenceLimits) -> Option<String> {
        let difference = self.rate().filter(|&found| limits.exclude(found))?;
        let [before, after] = [self.before, self.after].map(percent);
        let [low, high] = difference.interval.map(percentage_points);
        let limit = limits.fail_above.map(|limit| format!("limit {limit}; "));
        Some(format!(
            "{name} changed from {before} to {after}, by {} points ({}95 %: {low} to {high})",
            percentage_points(difference.value),
            limit.unwrap_or_default(),
        ))
    }
}

impl ComparedGroup {
    fn new(values: Vec<String>, both: [&Counts; 2]) -> ComparedGroup {
        ComparedGroup {
            values,
            games: both.map(|counts| counts.tally().games()),
            score: Change::new(both.map(Counts::points)),
            draw_rate: Change::new(both.map(|counts| counts.tally().draw_rate())),
        }
    }

    /// Messages for the rates whose differences are beyond the limits.
    pub(crate) fn exceeding(&self, limits: DifferenceLimits) -> impl Iterator<Item = String> {
        let score = self.score.exceeding("score", limits);
        let draw_rate = self.draw_rate.exceeding("draw rate", limits);
        [score, draw_rate].into_iter().flatten()
    }

    /// Name for people.
    pub(crate) fn name(&self) -> String {
        if self.values.is_empty() {
            return "all games".to_owned();
        }
        let names = self.values.iter().map(|value| group_name(value));
        names.collect::<Vec<_>>().join(" / ")
    }
}

/// Compares statistics that count the same things. A group of only one of them has no games in the
/// other.
pub(crate) fn compare<'a>(
    before: &'a Statistics,
    after: &Statistics,
    choice: GroupFilter,
) -> Comparison<'a> {
    let keys = &before.plan.keys;
    let rows = Vec::new();
    let mut comparison = Comparison { keys, rows };
    let mut both = before.whole.clone();
    both += after.whole.clone();
    let groups = [&before.whole, &after.whole];
    comparison.add(keys, choice, &both, groups, &mut Vec::new());
    comparison
}

impl Comparison<'_> {
    /// Whether both have games with a result.
    pub(crate) fn has_scores(&self) -> bool {
        self.rows
            .first()
            .is_some_and(|all| all.score.difference.is_some())
    }

    /// Adds a group and the groups within it by `keys`.
    fn add(
        &mut self,
        keys: &[Key],
        choice: GroupFilter,
        both: &Group,
        groups: [&Group; 2],
        values: &mut Vec<String>,
    ) {
        let counts = groups.map(|group| &group.counts);
        self.rows.push(ComparedGroup::new(values.clone(), counts));
        let Some((key, rest)) = keys.split_first() else {
            return;
        };
        let none = Group::default();
        for (value, both) in choice.of(key, both).groups {
            let groups = groups.map(|group| group.by.get(value).map_or(&none, |group| &**group));
            // Each side must have enough games.
            if groups
                .iter()
                .all(|group| group.counts.tally().games() >= choice.min_games)
            {
                values.push(value.to_owned());
                self.add(rest, choice, both, groups, values);
                values.pop();
            }
        }
    }

    /// A table for people. A star marks what is beyond chance: intervals that do not hold 0.
    pub(super) fn table(&self, columns: Option<usize>) -> String {
        let mut table = TextTable::new(vec![
            (11..12, "95 % of the change in draws"),
            (6..7, "95 % of the change in score"),
            (1..3, "games"),
            (8..13, "draws"),
        ]);
        let change = ["score", "now", "change", "95 %", ""];
        let draws = ["draws", "now", "change", "95 %", ""];
        let keys = heading(self.keys);
        let first = [keys.as_str(), "games", "now"];
        table.push(first.iter().chain(&change).chain(&draws));
        for row in &self.rows {
            let indent = "  ".repeat(row.values.len().saturating_sub(1));
            let name = row
                .values
                .last()
                .map_or("all games".to_owned(), |value| group_name(value));
            table.cell(format_args!("{indent}{name}"));
            for games in row.games {
                table.cell(games);
            }
            for change in [&row.score, &row.draw_rate] {
                for rate in [change.before, change.after] {
                    table.cell(percent(rate));
                }
                match change.rate() {
                    None => (0..3).for_each(|_| table.cell("")),
                    Some(difference) => {
                        let [low, high] = difference.interval.map(percentage_points);
                        table.cell(percentage_points(difference.value));
                        table.cell(format_args!("{low} to {high}"));
                        table.cell(if difference.may_be_chance() { "" } else { "*" });
                    }
                }
            }
            table.end_line([0; 3]);
        }
        table.show(columns)
    }

    /// A row for all games, whose key columns are missing, and one for each group. Differences are
    /// of rates from 0 to 1.
    pub(super) fn write(&self, sink: &mut Sink, rows: Rows) -> Result<(), Error> {
        let mut out = Buffer::default();
        if let Some(first) = self.rows.first() {
            sink.begin_rows(rows, GAMES_IN_GROUP, |row| self.fill(row, first))?;
        }
        for group in &self.rows {
            self.fill(Row::begin(&mut out, rows), group);
        }
        sink.write(out.as_bytes())
    }

    fn fill(&self, mut row: Row<'_>, group: &ComparedGroup) {
        row.number("level", group.values.len() as u64);
        let values = group.values.iter().map(String::as_str);
        for (key, value) in self.keys.iter().zip(values.chain(std::iter::repeat(""))) {
            row.text(&column(key), Some(value).filter(|value| !value.is_empty()));
        }
        let [before, after] = group.games;
        row.number("games_before", before);
        row.number("games_after", after);
        for (name, change) in [("score", &group.score), ("draw_rate", &group.draw_rate)] {
            for (part, number) in [
                ("before", change.before),
                ("after", change.after),
                ("difference", change.difference),
            ] {
                row.fraction(&format!("{name}_{part}"), number);
            }
            let name = format!("{name}_difference");
            add_interval(&mut row, &name, change.interval_95);
        }
        row.end();
    }

    /// One object: `all`, and `groups` with the values of the keys.
    pub(super) fn json(&self) -> String {
        let mut rows = self.rows.iter();
        json::pretty(&json!({
            "keys": self.keys.iter().map(Key::to_string).collect::<Vec<_>>(),
            "all": rows.next(),
            "groups": rows.collect::<Vec<_>>(),
        })) + "\n"
    }
}

/// Writes unknown values as null.
fn known_values<S: Serializer>(values: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(
        values
            .iter()
            .map(|value| Some(value).filter(|value| !value.is_empty())),
    )
}
