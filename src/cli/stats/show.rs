//! How statistics are shown.

use std::fs::File;
use std::io::Write;

use super::{Flags, Format};
use crate::cli::games::{When, refuse_overwriting};
use crate::error::Error;
use crate::input::Source;
use crate::judge::tally::{Choice, Statistics};
use crate::output::Sink;
use crate::output::stats::chart::ChartFile;
use crate::output::stats::{csv, draws, groups, json, ruled, table};

/// How statistics are shown, with the file of a chart opened.
pub(super) struct Show<'a> {
    format: Format,
    choice: Choice,
    color: When,
    chart: Option<Canvas<'a>>,
}

/// The file of a chart. What is in it stays until the chart is drawn, and a new one that is never drawn is removed.
struct Canvas<'a> {
    chart: &'a ChartFile,
    file: File,
    is_new: bool,
}

impl<'a> Canvas<'a> {
    fn open(chart: &'a ChartFile) -> Result<Canvas<'a>, Error> {
        let is_new = !chart.path.exists();
        let file = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&chart.path)
            .map_err(|cause| unwritten(chart, cause))?;
        Ok(Canvas {
            chart,
            file,
            is_new,
        })
    }

    fn draw(&mut self, picture: &[u8]) -> Result<(), Error> {
        self.is_new = false;
        // A pipe has nothing in it to take away.
        let cleared = match self.file.metadata() {
            Ok(about) if about.is_file() => self.file.set_len(0),
            _ => Ok(()),
        };
        cleared
            .and_then(|()| self.file.write_all(picture))
            .map_err(|cause| unwritten(self.chart, cause))
    }
}

impl Drop for Canvas<'_> {
    fn drop(&mut self) {
        if self.is_new {
            // Where it cannot be removed it stays, and is empty.
            let _ = std::fs::remove_file(&self.chart.path);
        }
    }
}

impl<'a> Show<'a> {
    /// Opens what is written beside the output, so that a path that cannot be written is known before the long work.
    pub(super) fn begin(flags: &'a Flags, sources: &[Source]) -> Result<Show<'a>, Error> {
        let mut chart = None;
        if let Some(wanted) = &flags.chart {
            refuse_overwriting(&wanted.path, sources)?;
            chart = Some(Canvas::open(wanted)?);
        }
        Ok(Show {
            format: flags.format,
            choice: flags.choice(),
            color: flags.color,
            chart,
        })
    }

    /// Writes everything.
    pub(super) fn all(self, sink: &mut Sink, statistics: &Statistics) -> Result<(), Error> {
        let choice = self.choice;
        let text = match self.format {
            Format::Human => self.human(sink, statistics),
            Format::Csv => csv(statistics, choice),
            Format::Json => json(statistics, choice),
        };
        sink.write(text.as_bytes())?;
        if let Some(mut canvas) = self.chart {
            let picture = canvas.chart.draw(statistics, choice);
            canvas.draw(&picture)?;
        }
        Ok(())
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
            text.push_str(&groups(statistics, self.choice, paints(self.color, sink)));
        }
        text
    }
}

fn unwritten(chart: &ChartFile, cause: std::io::Error) -> Error {
    Error::Write {
        path: chart.path.display().to_string(),
        cause,
    }
}

/// Whether there are to be colours.
fn paints(color: When, sink: &Sink) -> bool {
    match color {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            sink.is_terminal() && !refused
        }
    }
}
