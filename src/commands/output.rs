//! Output and outcome of a command.

use std::path::Path;
use std::time::Instant;

use crate::commands::args::{GameArgs, OtherFiles, RunArgs, refuse_clashes};
use crate::commands::config::Config;
use crate::commands::interrupt;
use crate::error::Error;
use crate::report::{Bar, FileState, HumanCount, Log, Sink};

/// Outcome of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Done, and nothing to report.
    Done,
    /// Done, and something to report.
    Reported,
    /// Not done: an input could not be read, no game was found, or a signal came. Already reported.
    NotDone,
}

impl Outcome {
    /// Exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Reported => 1,
            Outcome::NotDone => 2,
        }
    }
}

/// Output of a command: data, messages and progress.
pub(crate) struct Output {
    pub(crate) log: Log,
    pub(crate) sink: Sink,
    pub(crate) bar: Bar,
    pub(crate) started: Instant,
}

impl Output {
    /// Opens a file, or stdout. Interruptions are reported in the log, by `unit`.
    pub(crate) fn open(
        args: &RunArgs,
        path: Option<&Path>,
        unit: &'static str,
    ) -> Result<Output, Error> {
        let bar = Bar::new(args.progress.answer(), path.is_none());
        let output = Output::with(path, bar, args.quiet)?;
        interrupt::report_to(&output.log, unit);
        Ok(output)
    }

    /// Opens the output of a command that reads no games, without progress. The command may read
    /// the old file afterwards.
    pub(crate) fn without_games(args: &GameArgs) -> Result<Output, Error> {
        refuse_clashes(args, &OtherFiles::default(), &[])?;
        let old = args.run.file().and_then(FileState::of);
        let mut output = Output::with(args.run.file(), Bar::default(), args.run.quiet)?;
        output.sink.expect(old);
        Ok(output)
    }

    /// Opens a file, or stdout, without messages and progress.
    pub(crate) fn quiet(path: Option<&Path>) -> Result<Output, Error> {
        Output::with(path, Bar::default(), true)
    }

    fn with(path: Option<&Path>, bar: Bar, quiet: bool) -> Result<Output, Error> {
        Ok(Output {
            log: Log::new(quiet, bar.clone()),
            sink: Sink::open(path, bar.clone())?,
            bar,
            started: Instant::now(),
        })
    }

    /// `--show-config`: prints the settings in force instead of reading games.
    pub(crate) fn print_config(args: &GameArgs, config: &Config) -> Result<Outcome, Error> {
        Output::without_games(args)?.print(config.shown().as_bytes())?;
        Ok(Outcome::Done)
    }

    /// Writes a text and ends the output.
    pub(crate) fn print(&mut self, text: &[u8]) -> Result<(), Error> {
        self.sink.write(text)?;
        self.sink.finish()
    }

    /// `in 0.120 s (1,234 games/s)`
    pub(crate) fn speed(&self, count: f64, unit: &str) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let speed = HumanCount((count / seconds.max(1e-9)) as u64);
        let places = if seconds < 1.0 { 3 } else { 1 };
        format!("in {seconds:.places$} s ({speed} {unit}s/s)")
    }
}
