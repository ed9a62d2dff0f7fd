//! Output formats of `stats`, one file each: tables for people, rows, JSON, charts.

pub(crate) mod chart;
mod compare;
mod human;
mod json;
mod ratings;
mod rows;

use clap::ValueEnum;

use crate::commands::stats::count::{GroupFilter, Statistics};
use crate::error::Error;
use crate::report::Sink;
use crate::report::rows::{Row, Rows};

pub(crate) use compare::{Comparison, DifferenceLimits, compare};
pub(crate) use json::{present, read};

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StatsFormat {
    /// Tables
    Human,
    /// A header and a row for each innermost group
    Csv,
    /// The same rows as a Parquet file
    Parquet,
    /// One object, which --merge and --compare read
    Json,
}

/// The format, and the options of all formats.
#[derive(Clone, Copy)]
pub(crate) struct FormatOptions {
    pub(crate) format: StatsFormat,
    pub(crate) filter: GroupFilter,
    /// Syntax of the rows, if the format has rows.
    pub(crate) rows: Rows,
    /// True for colours, and a bar for each group.
    pub(crate) paints: bool,
    /// Width of the terminal, if the output is one.
    pub(crate) columns: Option<usize>,
}

impl FormatOptions {
    /// Writes statistics.
    pub(crate) fn write(&self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let ratings = statistics.plan.ratings;
        let text = match self.format {
            StatsFormat::Csv | StatsFormat::Parquet if ratings => {
                return self.write_list(sink, statistics);
            }
            StatsFormat::Csv | StatsFormat::Parquet => return self.write_rows(sink, statistics),
            StatsFormat::Json => json::text(statistics, self.filter),
            StatsFormat::Human => self.human(statistics),
        };
        sink.write(text.as_bytes())
    }

    /// Statistics as text for people.
    pub(crate) fn human(&self, statistics: &Statistics) -> String {
        let text = human::text(statistics, self);
        match statistics.plan.ratings {
            true => text + "\n" + &ratings::table(statistics, self),
            false => text,
        }
    }

    /// Writes a comparison.
    pub(crate) fn compare(&self, sink: &mut Sink, rows: &Comparison<'_>) -> Result<(), Error> {
        let text = match self.format {
            StatsFormat::Csv | StatsFormat::Parquet => return rows.write(sink, self.rows),
            StatsFormat::Json => rows.json(),
            StatsFormat::Human => rows.table(self.columns),
        };
        sink.write(text.as_bytes())
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
    use crate::report::Bar;
    use crate::report::escape::Cells;

    fn written(format: StatsFormat, statistics: &Statistics) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut sink = Sink::open(Some(file.path()), Bar::default()).unwrap();
        let options = FormatOptions {
            format,
            filter: GroupFilter::default(),
            rows: Rows::Csv(Cells::Exact),
            paints: false,
            columns: None,
        };
        options.write(&mut sink, statistics).unwrap();
        sink.finish().unwrap();
        std::fs::read_to_string(file.path()).unwrap()
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
