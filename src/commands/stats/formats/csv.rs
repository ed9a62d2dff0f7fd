//! Statistics as CSV: a header and a row for each innermost group.

use crate::commands::stats::formats::{rounded, rounded_interval};
use crate::commands::stats::tally::{
    Choice, Counts, DrawKind, Group, Key, Rate, Statistics, Tally,
};
use crate::report::escape::{Cells, in_table};

/// A header and a row for each innermost group. The columns of the keys come first; a value that is not known is empty.
/// Intervals take two columns.
pub fn csv(statistics: &Statistics, choice: Choice, cells: Cells) -> String {
    let plan = &statistics.plan;
    let columns = Columns {
        player: plan.keys.contains(&Key::Player),
        draws: plan.draws,
        rules: statistics.is_by_rules(),
        cells,
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let keys = plan.keys.iter().map(column);
    let header = columns.of(&Counts::default());
    let header = keys.chain(header.into_iter().map(|(name, _)| name));
    // Writing to memory does not fail.
    let _ = writer.write_record(header);
    let mut values = Vec::new();
    rows(
        &mut writer,
        columns,
        &statistics.whole,
        &plan.keys,
        choice,
        &mut values,
    );
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// `by_elo_diff`, `by_tag_Round`: the columns of counts have names such as `white` themselves.
fn column(key: &Key) -> String {
    match key {
        Key::Tag(tag) => format!("by_tag_{}", in_table(tag)),
        key => format!("by_{}", key.to_string().replace('-', "_")),
    }
}

fn rows<'a>(
    writer: &mut csv::Writer<Vec<u8>>,
    columns: Columns,
    group: &'a Group,
    keys: &[Key],
    choice: Choice,
    values: &mut Vec<&'a str>,
) {
    match keys.split_first() {
        None => {
            let keys = values
                .iter()
                .map(|value| columns.cells.text(value).into_owned());
            let counts = columns
                .of(&group.counts)
                .into_iter()
                .map(|(_, value)| value);
            let _ = writer.write_record(keys.chain(counts));
        }
        Some((key, rest)) => {
            for (value, group) in choice.of(key, group).groups {
                values.push(value);
                rows(writer, columns, group, rest, choice, values);
                values.pop();
            }
        }
    }
}

/// Which columns there are.
#[derive(Clone, Copy)]
struct Columns {
    player: bool,
    draws: bool,
    rules: bool,
    /// How the values of the keys are written.
    cells: Cells,
}

impl Columns {
    /// Names and values.
    fn of(self, counts: &Counts) -> Vec<(String, String)> {
        let tally = &counts.tally;
        let mut row = Row(Vec::new());
        for (name, count) in [
            ("games", tally.games()),
            ("white", tally.white),
            ("black", tally.black),
            ("draws", tally.draws),
            ("unfinished", tally.unfinished),
            ("other", tally.other),
            ("unreadable", tally.unreadable),
        ] {
            row.count(name, count);
        }
        let (points, drawn) = (tally.white_score(), tally.draw_rate());
        row.rate("white_score", points);
        row.rate("draw_rate", drawn);
        row.interval("interval_95", points);
        row.interval("draw_interval_95", drawn);
        if self.player {
            let [wins, _, losses] = counts.record();
            row.count("wins", wins);
            row.count("losses", losses);
            row.rate("score", counts.points());
            row.interval("score_interval_95", counts.points());
            let [white, black] = counts.sides.as_deref().copied().unwrap_or_default();
            row.side("as_white", &white, white.white, white.black);
            row.side("as_black", &black, black.black, black.white);
        }
        if self.draws {
            let kinds = counts.draw_kinds.as_deref().copied().unwrap_or_default();
            for kind in DrawKind::ALL {
                let name = kind.as_str().replace('-', "_");
                row.count(&format!("draws_{name}"), kinds.count(kind));
            }
        }
        if self.rules {
            row.count("changed", counts.changed);
            row.count("undecided", counts.undecided);
        }
        row.0
    }
}

struct Row(Vec<(String, String)>);

impl Row {
    fn count(&mut self, name: &str, count: u64) {
        self.0.push((name.to_owned(), count.to_string()));
    }

    fn number(&mut self, name: String, number: Option<f64>) {
        let number = number.map_or_else(String::new, |number| number.to_string());
        self.0.push((name, number));
    }

    fn rate(&mut self, name: &str, rate: Option<Rate>) {
        self.number(name.to_owned(), rate.map(|rate| rounded(rate.value)));
    }

    fn interval(&mut self, name: &str, rate: Option<Rate>) {
        let interval = rate.map(rounded_interval);
        self.number(format!("{name}_low"), interval.map(|[low, _]| low));
        self.number(format!("{name}_high"), interval.map(|[_, high]| high));
    }

    fn side(&mut self, name: &str, tally: &Tally, wins: u64, losses: u64) {
        self.count(&format!("{name}_games"), tally.games());
        self.count(&format!("{name}_wins"), wins);
        self.count(&format!("{name}_draws"), tally.draws);
        self.count(&format!("{name}_losses"), losses);
        let points = Rate::points(wins, tally.draws, losses);
        self.rate(&format!("{name}_score"), points);
        self.rate(&format!("{name}_draw_rate"), tally.draw_rate());
    }
}
