//! Two statistics side by side, and what has changed.

use serde::Serialize;

use crate::commands::stats::formats::columns::{Columns, percent, points};
use crate::commands::stats::formats::rounded;
use crate::commands::stats::tally::{Choice, Counts, Difference, Group, Key, Rate, Statistics};
use crate::report::escape::{Cells, Escaped};
use crate::report::json;

/// Two statistics side by side.
pub struct Comparison<'a> {
    keys: &'a [Key],
    /// All games, then the groups that are shown.
    pub rows: Vec<Row>,
}

/// One group in both.
pub struct Row {
    /// The values of the keys; none for all games.
    values: Vec<String>,
    games: [u64; 2],
    /// White's score, or a player's.
    score: Change,
    draw_rate: Change,
}

/// A rate before and after.
struct Change {
    rates: [Option<Rate>; 2],
    difference: Option<Difference>,
}

impl Change {
    fn new(rates: [Option<Rate>; 2]) -> Change {
        let difference = match rates {
            [Some(before), Some(after)] => Some(after.beyond(before)),
            _ => None,
        };
        Change { rates, difference }
    }

    /// Both values in words, if they differ by more than the limit in percentage points.
    fn exceeding(&self, name: &str, limit: f64) -> Option<String> {
        self.difference
            .filter(|difference| difference.value.abs() * 100.0 > limit)?;
        let [before, after] = self.rates.map(|rate| percent(rate.map(|rate| rate.value)));
        Some(format!("{name} changed from {before} to {after}"))
    }
}

impl Row {
    fn new(values: Vec<String>, before: &Counts, after: &Counts) -> Row {
        let both = [before, after];
        Row {
            values,
            games: both.map(|counts| counts.tally.games()),
            score: Change::new(both.map(Counts::points)),
            draw_rate: Change::new(both.map(|counts| counts.tally.draw_rate())),
        }
    }

    /// Which of the two rates differ by more than so many percentage points, in words.
    pub fn exceeding(&self, limit: f64) -> impl Iterator<Item = String> {
        let score = self.score.exceeding("score", limit);
        score
            .into_iter()
            .chain(self.draw_rate.exceeding("draw rate", limit))
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match self.values.is_empty() {
            true => "all games".to_owned(),
            false => self
                .values
                .iter()
                .map(|value| shown(value))
                .collect::<Vec<_>>()
                .join(" / "),
        }
    }
}

fn shown(value: &str) -> String {
    match value {
        "" => "unknown".to_owned(),
        value => Escaped(value).to_string(),
    }
}

/// Compares statistics that count the same things. A group that only one of them has is there with no games in the other.
pub fn compare<'a>(before: &'a Statistics, after: &Statistics, choice: Choice) -> Comparison<'a> {
    let mut comparison = Comparison {
        keys: &before.plan.keys,
        rows: vec![Row::new(
            Vec::new(),
            &before.whole.counts,
            &after.whole.counts,
        )],
    };
    let mut both = before.whole.clone();
    both += after.whole.clone();
    let keys = &before.plan.keys;
    let groups = [Some(&before.whole), Some(&after.whole)];
    comparison.level(keys, choice, &both, groups, &mut Vec::new());
    comparison
}

impl Comparison<'_> {
    fn level(
        &mut self,
        keys: &[Key],
        choice: Choice,
        both: &Group,
        groups: [Option<&Group>; 2],
        values: &mut Vec<String>,
    ) {
        let Some((key, rest)) = keys.split_first() else {
            return;
        };
        for (value, both) in choice.of(key, both).groups {
            let groups = groups.map(|group| group.and_then(|group| group.by.get(value)));
            // Each of them must have enough games by itself.
            let enough = groups.iter().all(|group| {
                group.map_or(0, |group| group.counts.tally.games()) >= choice.min_games
            });
            if !enough {
                continue;
            }
            values.push(value.to_owned());
            let [before, after] =
                groups.map(|group| group.map_or(Counts::default(), |group| group.counts.clone()));
            self.rows.push(Row::new(values.clone(), &before, &after));
            self.level(rest, choice, both, groups, values);
            values.pop();
        }
    }

    /// A table for people. A star marks what is beyond chance: intervals that do not hold 0.
    pub fn human(&self) -> String {
        let mut columns = Columns::default();
        let keys: Vec<_> = self
            .keys
            .iter()
            .map(|key| Escaped(&key.to_string()).to_string())
            .collect();
        columns.push(
            [
                &*keys.join(" / "),
                "games",
                "now",
                "score",
                "now",
                "change",
                "95 %",
                "",
                "draws",
                "now",
                "change",
                "95 %",
                "",
            ]
            .map(str::to_owned)
            .to_vec(),
        );
        for row in &self.rows {
            let indent = "  ".repeat(row.values.len().saturating_sub(1));
            let name = row
                .values
                .last()
                .map_or("all games".to_owned(), |value| shown(value));
            let mut cells = vec![format!("{indent}{name}")];
            cells.extend(row.games.map(|games| games.to_string()));
            for change in [&row.score, &row.draw_rate] {
                cells.extend(
                    change
                        .rates
                        .map(|rate| percent(rate.map(|rate| rate.value))),
                );
                match change.difference {
                    None => cells.extend([const { String::new() }; 3]),
                    Some(difference) => {
                        let [low, high] = difference.interval.map(points);
                        let star = if difference.may_be_chance() { "" } else { "*" };
                        cells.extend([
                            points(difference.value),
                            format!("{low} to {high}"),
                            star.to_owned(),
                        ]);
                    }
                }
            }
            columns.push(cells);
        }
        columns.show()
    }

    /// A header and a row for all games, whose key columns are empty, and for each group. Differences are of rates from 0
    /// to 1.
    pub fn csv(&self, cells: Cells) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut header = vec!["level".to_owned()];
        header.extend(
            self.keys
                .iter()
                .map(|key| format!("by_{}", key.to_string().replace(['-', ':'], "_"))),
        );
        header.extend(["games_before", "games_after"].map(str::to_owned));
        for rate in ["score", "draw_rate"] {
            for part in [
                "before",
                "after",
                "difference",
                "difference_low",
                "difference_high",
            ] {
                header.push(format!("{rate}_{part}"));
            }
        }
        // Writing to memory does not fail.
        let _ = writer.write_record(&header);
        for row in &self.rows {
            let mut record = vec![row.values.len().to_string()];
            let values = row
                .values
                .iter()
                .map(|value| cells.text(value).into_owned());
            record.extend(
                values
                    .chain(std::iter::repeat(String::new()))
                    .take(self.keys.len()),
            );
            record.extend(row.games.map(|games| games.to_string()));
            for change in [&row.score, &row.draw_rate] {
                let [before, after] = change.rates.map(|rate| rate.map(|rate| rate.value));
                let difference = change.difference;
                for number in [
                    before,
                    after,
                    difference.map(|difference| difference.value),
                    difference.map(|difference| difference.interval[0]),
                    difference.map(|difference| difference.interval[1]),
                ] {
                    record.push(
                        number.map_or_else(String::new, |number| rounded(number).to_string()),
                    );
                }
            }
            let _ = writer.write_record(&record);
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// One object: `all`, and `groups` with the values of the keys.
    pub fn json(&self) -> String {
        let mut rows = self.rows.iter().map(WrittenRow::new);
        let mut out = json::pretty(&Written {
            keys: self.keys.iter().map(Key::to_string).collect(),
            all: rows.next(),
            groups: rows.collect(),
        });
        out.push('\n');
        out
    }
}

#[derive(Serialize)]
struct Written<'a> {
    keys: Vec<String>,
    all: Option<WrittenRow<'a>>,
    groups: Vec<WrittenRow<'a>>,
}

#[derive(Serialize)]
struct WrittenRow<'a> {
    values: Vec<Option<&'a str>>,
    games: [u64; 2],
    score: WrittenChange,
    draw_rate: WrittenChange,
}

#[derive(Serialize)]
struct WrittenChange {
    before: Option<f64>,
    after: Option<f64>,
    difference: Option<f64>,
    interval_95: Option<[f64; 2]>,
}

impl WrittenRow<'_> {
    fn new(row: &Row) -> WrittenRow<'_> {
        WrittenRow {
            values: row
                .values
                .iter()
                .map(|value| (!value.is_empty()).then_some(value.as_str()))
                .collect(),
            games: row.games,
            score: WrittenChange::new(&row.score),
            draw_rate: WrittenChange::new(&row.draw_rate),
        }
    }
}

impl WrittenChange {
    fn new(change: &Change) -> WrittenChange {
        let [before, after] = change
            .rates
            .map(|rate| rate.map(|rate| rounded(rate.value)));
        WrittenChange {
            before,
            after,
            difference: change
                .difference
                .map(|difference| rounded(difference.value)),
            interval_95: change
                .difference
                .map(|difference| difference.interval.map(rounded)),
        }
    }
}
