//! Output formats of `stats`, one file each: tables for people, CSV, JSON, charts.

pub mod chart;
mod compare;
mod csv;
mod human;
mod json;
mod table;

use clap::ValueEnum;

use crate::commands::stats::count::{GroupFilter, Rate, Statistics};
use crate::report::Format;
use crate::report::escape::Cells;

pub(crate) use compare::{Comparison, compare};
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

impl FormatName {
    pub(crate) fn with(
        self,
        filter: GroupFilter,
        cells: Cells,
        paints: bool,
    ) -> Box<dyn StatsFormat> {
        match self {
            FormatName::Human => Box::new(human::Human { filter, paints }),
            FormatName::Csv => Box::new(csv::Csv { filter, cells }),
            FormatName::Json => Box::new(json::Json { filter }),
        }
    }
}

/// Rounds to six places, so that the text is the same on every machine.
fn rounded(rate: f64) -> f64 {
    (rate * 1e6).round() / 1e6
}

fn rounded_interval(rate: Rate) -> [f64; 2] {
    rate.interval.map(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: FormatName, statistics: &Statistics) -> String {
        let mut out = crate::report::Buffer::default();
        let format = format.with(GroupFilter::default(), Cells::Exact, false);
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
