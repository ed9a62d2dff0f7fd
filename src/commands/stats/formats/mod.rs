//! Output formats of `stats`, one file each: tables for people, CSV, JSON, charts.

pub(crate) mod chart;
mod compare;
mod human;
mod json;
mod ratings;
mod rows;

use clap::ValueEnum;

use crate::commands::stats::count::{GroupFilter, Statistics};
use crate::report::escape::Cells;
use crate::report::rows::Row;

pub(crate) use compare::{Comparison, DifferenceLimits, compare};
pub(crate) use json::{present, read};

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StatsFormat {
    /// Tables
    Human,
    /// A header and a row for each innermost group
    Csv,
    /// One object, which --merge and --compare read
    Json,
}

/// Options of all formats.
#[derive(Clone, Copy, Default)]
pub(crate) struct FormatOptions {
    pub(crate) filter: GroupFilter,
    pub(crate) cells: Cells,
    /// True for colours, and a bar for each group.
    pub(crate) paints: bool,
    /// Width of the terminal, if the output is one.
    pub(crate) columns: Option<usize>,
}

impl StatsFormat {
    /// Text of statistics.
    pub(crate) fn text(self, statistics: &Statistics, options: &FormatOptions) -> Vec<u8> {
        match self {
            StatsFormat::Human if statistics.plan.ratings => {
                let ratings = ratings::table(statistics, options);
                (human::text(statistics, options) + "\n" + &ratings).into_bytes()
            }
            StatsFormat::Human => human::text(statistics, options).into_bytes(),
            StatsFormat::Csv if statistics.plan.ratings => {
                ratings::rows(statistics, options).into_bytes()
            }
            StatsFormat::Csv => rows::text(statistics, options).into_bytes(),
            StatsFormat::Json => json::text(statistics, options.filter).into_bytes(),
        }
    }

    /// Text of a comparison.
    pub(crate) fn comparison(
        self,
        comparison: &Comparison<'_>,
        options: &FormatOptions,
    ) -> Vec<u8> {
        match self {
            StatsFormat::Human => comparison.table(options.columns).into_bytes(),
            StatsFormat::Csv => comparison.rows(options.cells).into_bytes(),
            StatsFormat::Json => comparison.json().into_bytes(),
        }
    }
}

/// Adds columns for the lower and the upper end of an interval.
pub(crate) fn add_interval(row: &mut Row<'_>, name: &str, interval: Option<[f64; 2]>) {
    row.fraction(&format!("{name}_low"), interval.map(|[low, _]| low));
    row.fraction(&format!("{name}_high"), interval.map(|[_, high]| high));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::stats::count::{Counts, Tally};

    fn written(format: StatsFormat, statistics: &Statistics) -> String {
        let text = format.text(statistics, &FormatOptions::default());
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn the_table_of_the_source_page_comes_out_as_it_stands_there() {
        let mut statistics = Statistics::default();
        statistics.whole.counts = Counts::from(Tally {
            white: 230_424,
            black: 225_400,
            draws: 25_375,
            ..Tally::default()
        });
        assert_eq!(
            written(StatsFormat::Human, &statistics),
            "Statistics of won games\n\
             white  230424 (47.88 %)\n\
             black  225400 (46.84 %)\n\
             Draws   25375 (5.27 %)\n"
        );
    }

    #[test]
    fn rates_are_missing_where_no_game_has_a_result() {
        let mut statistics = Statistics::default();
        statistics.whole.counts = Counts::from(Tally {
            unfinished: 2,
            ..Tally::default()
        });
        assert!(written(StatsFormat::Json, &statistics).contains("\"white_score\": null"));
        assert!(written(StatsFormat::Csv, &statistics).ends_with("2,0,0,0,2,0,0,,,,,,\n"));
        let table = written(StatsFormat::Human, &statistics);
        assert!(table.ends_with("Draws  0 (0.00 %)\n\nwithout result: 2\n"));
    }
}
