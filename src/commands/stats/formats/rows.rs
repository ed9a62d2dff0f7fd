//! Statistics as CSV: a header and a row for each innermost group.

use std::borrow::Cow;

use crate::commands::stats::count::{Counts, Group, GroupFilter, Key, Statistics};
use crate::commands::stats::formats::{FieldValue, OptionalFields, Spill, each_field};
use crate::report::escape::{Cells, in_table};
use crate::report::rows::{Row, Rows};
use crate::report::{Buffer, Format};

/// CSV.
pub(crate) struct Csv {
    pub(crate) filter: GroupFilter,
    pub(crate) cells: Cells,
}

impl Format<(&Statistics, Spill<'_>)> for Csv {
    /// Appends a header and a row for each innermost group. The columns of the keys come first;
    /// intervals take two columns; unknown values are empty.
    fn item(&self, out: &mut Buffer, (statistics, _): (&Statistics, Spill<'_>)) {
        let plan = &statistics.plan;
        let names: Vec<String> = plan.keys.iter().map(column).collect();
        let columns = Columns {
            names: &names,
            optional: OptionalFields {
                player: plan.keys.contains(&Key::Player),
                draws: plan.draws,
                rules: statistics.is_by_rules(),
            },
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
    /// Names of the columns of the keys.
    names: &'a [String],
    optional: OptionalFields,
}

impl Columns<'_> {
    fn row(&self, out: &mut Buffer, rows: Rows, values: &[&str], counts: &Counts) {
        let mut row = Row::begin(out, rows);
        for (name, &value) in self.names.iter().zip(values) {
            row.text(name, value);
        }
        // Prefix of the columns of fields with names of their own, as in `as_white_`.
        let mut prefix = "";
        // Only the header has names.
        let named = |prefix: &str, name: &str, end| match rows {
            Rows::Header => Cow::Owned(format!("{prefix}{name}{end}").replace('-', "_")),
            _ => Cow::Borrowed(""),
        };
        each_field(counts, self.optional, &mut |name, value| match value {
            // The columns of both sides are in the columns of all games.
            FieldValue::Count(_)
                if prefix.starts_with("as_")
                    && matches!(name, "unfinished" | "other" | "unreadable") => {}
            FieldValue::Count(count) => row.number(&named(prefix, name, ""), count),
            FieldValue::Rate(rate) => row.fraction(&named(prefix, name, ""), rate),
            FieldValue::Interval(interval) => {
                let [low, high] = interval.map_or([None; 2], |limits| limits.map(Some));
                row.fraction(&named(prefix, name, "_low"), low);
                row.fraction(&named(prefix, name, "_high"), high);
            }
            FieldValue::Open => {
                prefix = match name {
                    "as_white" => "as_white_",
                    "as_black" => "as_black_",
                    _ => "draws_",
                }
            }
            FieldValue::Close => prefix = "",
        });
        row.end();
    }
}
