//! Statistics as CSV and Parquet: a row for each innermost group.

use crate::commands::stats::count::{Counts, Group, GroupFilter, Key, Plan, Statistics, Tally};
use crate::commands::stats::formats::json::Document;
use crate::commands::stats::formats::{FormatOptions, add_interval};
use crate::error::Error;
use crate::report::escape::in_table;
use crate::report::rows::{GAMES_IN_GROUP, Row, Rows};
use crate::report::{Buffer, Sink};

impl FormatOptions {
    /// Writes a row for each innermost group. The columns of the keys come first; intervals take
    /// two columns; unknown values are missing.
    pub(super) fn write_rows(&self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let plan = &statistics.plan;
        let mut table = GroupTable {
            plan,
            filter: self.filter,
            rows: self.rows,
            out: Buffer::default(),
        };
        // The columns are the same for all groups.
        let none = match plan.keys.contains(&Key::Player) {
            true => Counts::of_player([Tally::default(); 2]),
            false => Counts::default(),
        };
        let values = vec![""; plan.keys.len()];
        sink.begin_rows(self.rows, GAMES_IN_GROUP, |row| {
            GroupTable::row(row, plan, &values, &none);
        })?;
        table.rows(&statistics.whole, &plan.keys, &mut Vec::new());
        sink.write(table.out.as_bytes())
    }
}

/// Name of a key's column: `by_elo_diff`, `by_tag_Round`. Columns of counts have names such as
/// `white` themselves.
pub(super) fn column(key: &Key) -> String {
    match key {
        Key::Tag(tag) => format!("by_tag_{}", in_table(tag)),
        key => format!("by_{}", key.to_string().replace('-', "_")),
    }
}

struct GroupTable<'a> {
    plan: &'a Plan,
    filter: GroupFilter,
    rows: Rows,
    out: Buffer,
}

impl<'a> GroupTable<'a> {
    fn rows(&mut self, group: &'a Group, keys: &[Key], values: &mut Vec<&'a str>) {
        let Some((key, rest)) = keys.split_first() else {
            let row = Row::begin(&mut self.out, self.rows);
            return Self::row(row, self.plan, values, &group.counts);
        };
        for (value, group) in self.filter.of(key, group).groups {
            values.push(value);
            self.rows(group, rest, values);
            values.pop();
        }
    }

    fn row(mut row: Row<'_>, plan: &Plan, values: &[&str], counts: &Counts) {
        let group = Document::of_counts(plan, counts);
        for (key, &value) in plan.keys.iter().zip(values) {
            row.text(&column(key), Some(value).filter(|value| !value.is_empty()));
        }
        for (name, count) in [
            ("games", group.games),
            ("white", group.tally.white),
            ("black", group.tally.black),
            ("draws", group.tally.draws),
            ("unfinished", group.tally.unfinished),
            ("other", group.tally.other),
            ("unreadable", group.tally.unreadable),
        ] {
            row.number(name, count);
        }
        row.fraction("white_score", group.white_score);
        row.fraction("draw_rate", group.draw_rate);
        add_interval(&mut row, "interval_95", group.interval_95);
        add_interval(&mut row, "draw_interval_95", group.draw_interval_95);
        if let (Some(wins), Some(losses)) = (group.wins, group.losses) {
            row.number("wins", wins);
            row.number("losses", losses);
            row.fraction("score", group.score.flatten());
            let interval = group.score_interval_95.flatten();
            add_interval(&mut row, "score_interval_95", interval);
        }
        for (prefix, side) in [("as_white", group.as_white), ("as_black", group.as_black)] {
            if let Some(side) = side {
                let name = |name| format!("{prefix}_{name}");
                row.number(&name("games"), side.games);
                row.number(&name("wins"), side.wins);
                row.number(&name("draws"), side.draws);
                row.number(&name("losses"), side.losses);
                row.fraction(&name("score"), side.score);
                row.fraction(&name("draw_rate"), side.draw_rate);
            }
        }
        if let Some(kinds) = group.draw_kinds {
            for (kind, count) in kinds.iter() {
                let name = format!("draws_{}", kind.as_str()).replace('-', "_");
                row.number(&name, count);
            }
        }
        if let (Some(changed), Some(undecided)) = (group.changed, group.undecided) {
            row.number("changed", changed);
            row.number("undecided", undecided);
        }
        if let (Some(elo), Some(limits)) = (group.elo, group.elo_interval_95) {
            row.fraction("elo", elo);
            add_interval(&mut row, "elo", limits);
        }
        row.end();
    }
}
