//! Output of statistics: the text and the chart.

use crate::commands::args::Toggle;
use crate::commands::stats::StatsArgs;
use crate::commands::stats::count::{GroupFilter, Statistics};
use crate::commands::stats::formats::FormatName;
use crate::commands::stats::formats::chart::ChartFile;
use crate::error::Error;
use crate::report::escape::Cells;
use crate::report::{Buffer, OutputFile, Sink};

/// Output of statistics, with the file of the chart created.
pub(crate) struct StatsOutput<'a> {
    format: FormatName,
    filter: GroupFilter,
    cells: Cells,
    color: Toggle,
    chart: Option<(&'a ChartFile, OutputFile)>,
}

impl<'a> StatsOutput<'a> {
    /// Creates the file of the chart, so that a path that cannot be written fails at once.
    pub(crate) fn begin(args: &'a StatsArgs) -> Result<StatsOutput<'a>, Error> {
        let begin =
            |chart: &'a ChartFile| OutputFile::create(&chart.path).map(|file| (chart, file));
        Ok(StatsOutput {
            format: args.format,
            filter: args.filter(),
            cells: args.games.csv.cells(),
            color: args.color,
            chart: args.chart.as_ref().map(begin).transpose()?,
        })
    }

    /// Writes the text.
    pub(crate) fn text(&self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let format = self.format.with(
            self.filter,
            self.cells,
            self.color.paints(sink.is_terminal()),
        );
        let mut text = Buffer::default();
        format.item(&mut text, statistics);
        sink.write(text.as_bytes())
    }

    /// Draws the chart, after the end of the output: both may be FIFOs, read one after the other.
    pub(crate) fn chart(self, statistics: &Statistics) -> Result<(), Error> {
        match self.chart {
            Some((chart, file)) => file.commit_all(&chart.draw(statistics, self.filter)),
            None => Ok(()),
        }
    }
}
