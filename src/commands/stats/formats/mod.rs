//! Output formats of `stats`, one file each: tables for people, CSV, JSON, charts.

pub(crate) mod chart;
mod compare;
mod human;
mod json;
mod rows;

use clap::ValueEnum;

use crate::commands::stats::StatsArgs;
use crate::commands::stats::count::{Counts, GroupFilter, Plan, Rate, Statistics, Tally};
use crate::commands::stats::formats::chart::{ChartFile, ChartOptions};
use crate::error::Error;
use crate::report::escape::Cells;
use crate::report::{BUFFER_BYTES, Buffer, Format, OutputFile, Sink};

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

/// Writes out long text before more is appended.
pub(crate) type Spill<'a> = &'a mut dyn FnMut(&mut Buffer);

/// A format of statistics and of their comparison.
pub(crate) trait StatsFormat:
    for<'a, 'b> Format<(&'a Statistics, Spill<'b>)> + for<'a, 'b> Format<&'a Comparison<'b>>
{
}

impl<F> StatsFormat for F where
    F: for<'a, 'b> Format<(&'a Statistics, Spill<'b>)> + for<'a, 'b> Format<&'a Comparison<'b>>
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
        let (mut text, mut outcome) = (Buffer::default(), Ok(()));
        let spill: Spill<'_> = &mut |text| {
            if text.len() >= BUFFER_BYTES && outcome.is_ok() {
                outcome = sink.write(text.as_bytes());
                text.clear();
            }
        };
        format.item(&mut text, (statistics, spill));
        outcome?;
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

/// Value of a field of a group.
#[derive(Clone, Copy)]
pub(crate) enum FieldValue {
    Count(u64),
    /// Rate from 0 to 1, rounded to six places; `None` if no game has a result.
    Rate(Option<f64>),
    Interval(Option<[f64; 2]>),
    /// Fields with names of their own follow, up to [`FieldValue::Close`].
    Open,
    Close,
}

/// Optional fields.
#[derive(Clone, Copy)]
pub(crate) struct OptionalFields {
    pub(crate) player: bool,
    pub(crate) draws: bool,
    pub(crate) rules: bool,
}

/// Consumer of fields, by name.
type FieldVisitor<'a> = &'a mut dyn FnMut(&'static str, FieldValue);

/// Visits the fields of a group, in the order of CSV and JSON.
pub(crate) fn each_field(counts: &Counts, optional: OptionalFields, visit: FieldVisitor<'_>) {
    let tally = &counts.tally;
    let (points, drawn) = (tally.white_score(), tally.draw_rate());
    visit("games", FieldValue::Count(tally.games()));
    visit("white", FieldValue::Count(tally.white));
    visit("black", FieldValue::Count(tally.black));
    visit("draws", FieldValue::Count(tally.draws));
    visit("unfinished", FieldValue::Count(tally.unfinished));
    visit("other", FieldValue::Count(tally.other));
    visit("unreadable", FieldValue::Count(tally.unreadable));
    visit("white_score", FieldValue::rate(points));
    visit("draw_rate", FieldValue::rate(drawn));
    visit("interval_95", FieldValue::interval(points));
    visit("draw_interval_95", FieldValue::interval(drawn));
    if optional.player {
        let [wins, _, losses] = counts.record();
        let points = counts.points();
        visit("wins", FieldValue::Count(wins));
        visit("losses", FieldValue::Count(losses));
        visit("score", FieldValue::rate(points));
        visit("score_interval_95", FieldValue::interval(points));
        let [white, black] = counts.sides.as_deref().copied().unwrap_or_default();
        visit("as_white", FieldValue::Open);
        each_field_of_side(&white, white.white, white.black, visit);
        visit("as_white", FieldValue::Close);
        visit("as_black", FieldValue::Open);
        each_field_of_side(&black, black.black, black.white, visit);
        visit("as_black", FieldValue::Close);
    }
    if optional.draws {
        visit("draw_kinds", FieldValue::Open);
        let kinds = counts.draw_kinds.as_deref().copied().unwrap_or_default();
        for (kind, count) in kinds.iter() {
            visit(kind.as_str(), FieldValue::Count(count));
        }
        visit("draw_kinds", FieldValue::Close);
    }
    if optional.rules {
        visit("changed", FieldValue::Count(counts.changed));
        visit("undecided", FieldValue::Count(counts.undecided));
    }
}

/// Visits the fields of a player's games with one colour.
fn each_field_of_side(tally: &Tally, wins: u64, losses: u64, visit: FieldVisitor<'_>) {
    let points = Rate::value_of_points(wins, tally.draws, losses);
    visit("games", FieldValue::Count(tally.games()));
    visit("wins", FieldValue::Count(wins));
    visit("draws", FieldValue::Count(tally.draws));
    visit("losses", FieldValue::Count(losses));
    visit("unfinished", FieldValue::Count(tally.unfinished));
    visit("other", FieldValue::Count(tally.other));
    visit("unreadable", FieldValue::Count(tally.unreadable));
    visit("score", FieldValue::Rate(points.map(rounded)));
    visit("draw_rate", FieldValue::rate(tally.draw_rate()));
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
        let spill: Spill<'_> = &mut |_| {};
        format.item(&mut out, (statistics, spill));
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
