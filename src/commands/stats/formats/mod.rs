//! Output formats of `stats`, one file each: tables for people, CSV, JSON, charts.

pub(crate) mod chart;
mod compare;
mod human;
mod json;
mod rows;

use clap::ValueEnum;
use serde::{Serialize, Serializer};

use crate::commands::stats::StatsArgs;
use crate::commands::stats::count::{Counts, GroupFilter, Plan, Rate, Statistics, Tally};
use crate::commands::stats::formats::chart::{ChartFile, ChartOptions};
use crate::error::Error;
use crate::report::escape::Cells;
use crate::report::{Buffer, Format, OutputFile, Sink};

pub(crate) use compare::{Comparison, Limits, compare};
pub(crate) use json::read;

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatName {
    /// Tables
    Human,
    /// A header and a row for each innermost group
    Csv,
    /// One object, which --merge and --compare read
    Json,
}

/// A format of statistics and of their comparison.
pub(crate) trait StatsFormat:
    for<'a> Format<&'a Statistics> + for<'a, 'b> Format<&'a Comparison<'b>>
{
}

impl<F> StatsFormat for F where
    F: for<'a> Format<&'a Statistics> + for<'a, 'b> Format<&'a Comparison<'b>>
{
}

/// Options that formats need.
#[derive(Clone, Copy, Default)]
pub(crate) struct FormatOptions {
    pub(crate) filter: GroupFilter,
    pub(crate) cells: Cells,
    pub(crate) paints: bool,
    /// Width of the terminal, if the output is one.
    pub(crate) columns: Option<usize>,
}

impl FormatName {
    pub(crate) fn with(self, options: FormatOptions) -> Box<dyn StatsFormat> {
        let FormatOptions {
            filter,
            cells,
            paints,
            columns,
        } = options;
        match self {
            FormatName::Human => Box::new(human::Human {
                filter,
                paints,
                columns,
            }),
            FormatName::Csv => Box::new(rows::Csv { filter, cells }),
            FormatName::Json => Box::new(json::Json { filter }),
        }
    }
}

/// Output of statistics, with the file of the chart created.
pub(crate) struct StatsOutput<'a> {
    args: &'a StatsArgs,
    chart: Option<(&'a ChartFile, ChartOptions, OutputFile)>,
}

impl<'a> StatsOutput<'a> {
    /// Creates the file of the chart, so that a path that cannot be written fails at once.
    pub(crate) fn begin(args: &'a StatsArgs, plan: &Plan) -> Result<StatsOutput<'a>, Error> {
        let begin = |chart: &'a ChartFile| {
            let options = args.chart_options(plan)?;
            Ok((chart, options, OutputFile::create(&chart.path)?))
        };
        Ok(StatsOutput {
            args,
            chart: args.chart.as_ref().map(begin).transpose()?,
        })
    }

    /// Writes the text.
    pub(crate) fn text(&self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let format = self.args.format_for(sink);
        let mut text = Buffer::default();
        format.item(&mut text, statistics);
        sink.write(text.as_bytes())
    }

    /// Draws the chart, after the end of the output: both may be FIFOs, read one after the other.
    pub(crate) fn chart(self, statistics: &Statistics) -> Result<(), Error> {
        match self.chart {
            Some((chart, options, file)) => file.commit_all(&chart.draw(statistics, &options)),
            None => Ok(()),
        }
    }
}

/// Rounds to six places, so that the text is the same on every machine.
pub(crate) fn rounded(rate: f64) -> f64 {
    (rate * 1e6).round() / 1e6
}

/// Numbers of a group by name, in the order of CSV and JSON.
pub(crate) struct GroupFields(Vec<(&'static str, FieldValue)>);

/// A number, or several with names of their own.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum FieldValue {
    Count(u64),
    /// Rate from 0 to 1, rounded to six places; `None` if no game has a result.
    Rate(Option<f64>),
    Interval(Option<[f64; 2]>),
    Several(GroupFields),
}

impl Serialize for GroupFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, field)| (name, field)))
    }
}

/// Optional fields.
#[derive(Clone, Copy)]
pub(crate) struct OptionalFields {
    pub(crate) player: bool,
    pub(crate) draws: bool,
    pub(crate) rules: bool,
}

impl GroupFields {
    pub(crate) fn new(counts: &Counts, optional: OptionalFields) -> GroupFields {
        let tally = &counts.tally;
        let (points, drawn) = (tally.white_score(), tally.draw_rate());
        let mut fields = vec![
            ("games", FieldValue::Count(tally.games())),
            ("white", FieldValue::Count(tally.white)),
            ("black", FieldValue::Count(tally.black)),
            ("draws", FieldValue::Count(tally.draws)),
            ("unfinished", FieldValue::Count(tally.unfinished)),
            ("other", FieldValue::Count(tally.other)),
            ("unreadable", FieldValue::Count(tally.unreadable)),
            ("white_score", FieldValue::rate(points)),
            ("draw_rate", FieldValue::rate(drawn)),
            ("interval_95", FieldValue::interval(points)),
            ("draw_interval_95", FieldValue::interval(drawn)),
        ];
        if optional.player {
            let [wins, _, losses] = counts.record();
            let points = counts.points();
            let [white, black] = counts.sides.as_deref().copied().unwrap_or_default();
            let as_white = GroupFields::of_side(&white, white.white, white.black);
            let as_black = GroupFields::of_side(&black, black.black, black.white);
            fields.extend([
                ("wins", FieldValue::Count(wins)),
                ("losses", FieldValue::Count(losses)),
                ("score", FieldValue::rate(points)),
                ("score_interval_95", FieldValue::interval(points)),
                ("as_white", FieldValue::Several(as_white)),
                ("as_black", FieldValue::Several(as_black)),
            ]);
        }
        if optional.draws {
            let kinds = counts.draw_kinds.as_deref().copied().unwrap_or_default();
            let kinds = kinds
                .iter()
                .map(|(kind, count)| (kind.as_str(), FieldValue::Count(count)));
            fields.push((
                "draw_kinds",
                FieldValue::Several(GroupFields(kinds.collect())),
            ));
        }
        if optional.rules {
            fields.push(("changed", FieldValue::Count(counts.changed)));
            fields.push(("undecided", FieldValue::Count(counts.undecided)));
        }
        GroupFields(fields)
    }

    /// Fields of a player's games with one colour.
    fn of_side(tally: &Tally, wins: u64, losses: u64) -> GroupFields {
        let points = Rate::points(wins, tally.draws, losses);
        GroupFields(vec![
            ("games", FieldValue::Count(tally.games())),
            ("wins", FieldValue::Count(wins)),
            ("draws", FieldValue::Count(tally.draws)),
            ("losses", FieldValue::Count(losses)),
            ("unfinished", FieldValue::Count(tally.unfinished)),
            ("other", FieldValue::Count(tally.other)),
            ("unreadable", FieldValue::Count(tally.unreadable)),
            ("score", FieldValue::rate(points)),
            ("draw_rate", FieldValue::rate(tally.draw_rate())),
        ])
    }
}

impl FieldValue {
    fn rate(rate: Option<Rate>) -> FieldValue {
        FieldValue::Rate(rate.map(|rate| rounded(rate.value)))
    }

    fn interval(rate: Option<Rate>) -> FieldValue {
        FieldValue::Interval(rate.map(|rate| rate.interval.map(rounded)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: FormatName, statistics: &Statistics) -> String {
        let mut out = crate::report::Buffer::default();
        let format = format.with(FormatOptions::default());
        format.item(&mut out, statistics);
        String::from_utf8(out.into_bytes()).unwrap()
    }

    #[test]
    fn the_table_of_the_source_page_comes_out_as_it_stands_there() {
        let mut statistics = Statistics::default();
        let tally = &mut statistics.whole.counts.tally;
        (tally.white, tally.black, tally.draws) = (230_424, 225_400, 25_375);
        assert_eq!(
            written(FormatName::Human, &statistics),
            "Statistics of won games\n\
             white  230424 (47.88 %)\n\
             black  225400 (46.84 %)\n\
             Draws   25375 (5.27 %)\n"
        );
    }

    #[test]
    fn rates_are_missing_where_no_game_has_a_result() {
        let mut statistics = Statistics::default();
        statistics.whole.counts.tally.unfinished = 2;
        assert!(written(FormatName::Json, &statistics).contains("\"white_score\": null"));
        assert!(written(FormatName::Csv, &statistics).ends_with("2,0,0,0,2,0,0,,,,,,\n"));
        let table = written(FormatName::Human, &statistics);
        assert!(table.ends_with("Draws  0 (0.00 %)\n\nwithout result: 2\n"));
    }
}
