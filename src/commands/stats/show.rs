//! How statistics are shown.

use crate::commands::args::Toggle;
use crate::commands::stats::formats::chart::ChartFile;
use crate::commands::stats::formats::{csv, draws, groups, json, ruled, table};
use crate::commands::stats::tally::{Choice, Statistics};
use crate::commands::stats::{Flags, Format};
use crate::error::Error;
use crate::report::escape::Cells;
use crate::report::{OutputFile, Sink};

/// How statistics are shown, with the file of a chart begun.
pub(crate) struct Show<'a> {
    format: Format,
    choice: Choice,
    cells: Cells,
    color: Toggle,
    chart: Option<(&'a ChartFile, OutputFile)>,
}

impl<'a> Show<'a> {
    /// Begins what is written beside the output, so that a path that cannot be written is known before the long work.
    pub(crate) fn begin(flags: &'a Flags) -> Result<Show<'a>, Error> {
        let begin =
            |chart: &'a ChartFile| OutputFile::create(&chart.path).map(|file| (chart, file));
        Ok(Show {
            format: flags.format,
            choice: flags.choice(),
            cells: flags.games.csv.cells(),
            color: flags.color,
            chart: flags.chart.as_ref().map(begin).transpose()?,
        })
    }

    /// Writes the text.
    pub(crate) fn text(&self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let choice = self.choice;
        let text = match self.format {
            Format::Human => self.human(sink, statistics),
            Format::Csv => csv(statistics, choice, self.cells),
            Format::Json => json(statistics, choice),
        };
        sink.write(text.as_bytes())
    }

    /// Draws the chart. The output has ended before: either may be a FIFO, and be read after the other.
    pub(crate) fn chart(self, statistics: &Statistics) -> Result<(), Error> {
        match self.chart {
            Some((chart, file)) => file.commit_all(&chart.draw(statistics, self.choice)),
            None => Ok(()),
        }
    }

    fn human(&self, sink: &Sink, statistics: &Statistics) -> String {
        let mut text = table(statistics.tally());
        if statistics.is_by_rules() {
            text.push_str(&ruled(&statistics.whole.counts));
        }
        if let Some(kinds) = &statistics.whole.counts.draw_kinds {
            text.push('\n');
            text.push_str(&draws(kinds));
        }
        if !statistics.plan.keys.is_empty() {
            text.push('\n');
            text.push_str(&groups(
                statistics,
                self.choice,
                self.color.paints(sink.is_terminal()),
            ));
        }
        text
    }
}
