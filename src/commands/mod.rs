//! The commands, one folder each, and what they share.
#![doc = ""]
#![doc = include_str!("README.md")]

pub mod accounts;
pub(crate) mod args;
pub(crate) mod config;
pub(crate) mod offered;
pub(crate) mod openings;
mod output_format;
pub(crate) mod parts;
pub(crate) mod ply_choice;
pub(crate) mod run;
pub(crate) mod select;
pub(crate) mod stops;
pub(crate) mod svg_board;
pub mod tag_columns;
pub(crate) mod wanted_tags;

pub mod adjudicate;
pub(crate) mod follow;
mod generate;
mod habits;
mod hints;
pub(crate) mod interrupt;
pub mod perft;
pub(crate) mod replay;
pub mod stats;
pub mod validate;
pub(crate) mod version;

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::args::{GameArgs, LetterArgs, OtherFiles, RunArgs, Toggle, refuse_clashes};
use crate::commands::config::Config;
use crate::error::Error;
use crate::input::Source;
use crate::report::escape::Escaped;
use crate::report::{Bar, FileState, HumanCount, Log, Sink};

/// Validate, replay, count and adjudicate chess games (PGN, FEN)
#[derive(Parser, Debug)]
#[command(name = "arbiter", version = version::version())]
#[command(
    propagate_version = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
#[command(
    max_term_width = 100,
    after_help = "Exit codes: 0 done and nothing to report; 1 done, and something to report; \
2 not done (usage, unreadable input, no game found)."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// Print help: one screen with -h, all options with --help
    #[arg(short, long, action = ArgAction::Help, display_order = 1000)]
    #[arg(global = true, help_heading = "General")]
    help: Option<bool>,

    /// Print the version and the commit
    #[arg(short = 'V', long, action = ArgAction::Version, display_order = 1001)]
    #[arg(global = true, hide_short_help = true, help_heading = "General")]
    version: Option<bool>,
}

/// Headings of the options, in the order of the help.
const HEADINGS: [&str; 13] = [
    "Input",
    "Choosing games",
    "One claim",
    "Moves and positions",
    "Counting",
    "Pairs",
    "Rules",
    "Findings",
    "Repair",
    "Duplicates",
    "Compare",
    "Output",
    "General",
];

/// Most values of an option that its help lists.
const MOST_VALUES_SHOWN: usize = 12;

/// The definition of the command line.
pub(crate) fn command_line() -> clap::Command {
    Arguments::command().mut_subcommands(|command| {
        let place = |arg: &Arg| {
            HEADINGS
                .iter()
                .position(|it| arg.get_help_heading() == Some(it))
        };
        let mut sorted: Vec<Arg> = command.get_arguments().cloned().collect();
        sorted.sort_by_key(place);
        let mut sorted = sorted.into_iter();
        command.mut_args(|arg| {
            let arg = sorted.next().unwrap_or(arg);
            let takes_values = arg.get_action().takes_values();
            // Lets the error for `-1` name the option before it.
            let is_option = !arg.is_positional() && takes_values;
            let hides = arg.is_hide_possible_values_set()
                || arg.get_possible_values().len() > MOST_VALUES_SHOWN;
            arg.ignore_case(takes_values)
                .allow_negative_numbers(is_option)
                .hide_possible_values(hides)
        })
    })
}

impl Arguments {
    /// Arguments of this process.
    ///
    /// # Errors
    ///
    /// A request for the help or the version, or wrong usage.
    pub fn read() -> Result<Arguments, clap::Error> {
        let mut command = command_line();
        let mut parse = |mut args: Vec<OsString>| {
            let mut matches = command.try_get_matches_from_mut(&args)?;
            if let Some(format) = output_format::of_output(&command, &matches)? {
                args.insert(2, format);
                // `--fix` and others have no format and refuse the option.
                matches = command.try_get_matches_from_mut(args).unwrap_or(matches);
            }
            Arguments::from_arg_matches_mut(&mut matches)
        };
        let args: Vec<OsString> = std::env::args_os().collect();
        Toggle::choose_colors(&args);
        let read = parse(args.clone()).map_err(|error| {
            // Arguments appear in many parts of an error: that of the escaped ones is shown.
            let escaped = |arg: &OsString| Escaped(&arg.to_string_lossy()).to_string().into();
            let of_escaped = parse(args.iter().map(escaped).collect());
            of_escaped.err().unwrap_or(error)
        });
        read.map_err(|error| {
            let error = error.format(&mut command);
            let named = args.get(1).and_then(|name| command.find_subcommand(name));
            hints::with_hint(error, &command, named.unwrap_or(&command))
        })
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    Validate(validate::Flags),
    Stats(stats::StatsArgs),
    Replay(replay::ReplayArgs),
    Perft(perft::PerftArgs),
    Adjudicate(adjudicate::Flags),
    Generate(generate::GenerateArgs),
}

impl Command {
    fn letters(&self) -> Option<&LetterArgs> {
        match self {
            Command::Validate(flags) => Some(&flags.letters),
            Command::Stats(args) => Some(&args.letters),
            Command::Replay(args) => Some(&args.letters),
            Command::Adjudicate(flags) => Some(&flags.letters),
            Command::Perft(_) | Command::Generate(_) => None,
        }
    }
}

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

/// Largest suite, baseline, file of settings or output of an earlier run that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Reads a text that is held whole, of about this size. Errors name `path`.
pub(crate) fn read_whole(path: &str, from: impl Read, size: usize) -> Result<Vec<u8>, Error> {
    let mut text = Vec::with_capacity(size);
    from.take(MOST_BYTES + 1)
        .read_to_end(&mut text)
        .map_err(|cause| Error::from_read(path, 0, cause))?;
    match text.len() as u64 > MOST_BYTES {
        true => {
            let reason = format!("it is larger than {MOST_BYTES} bytes");
            Err(Error::unsupported(path, reason))
        }
        false => Ok(text),
    }
}

/// Reads a file that is held whole.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => read_whole(&name, file, 0),
        Err(cause) => Err(Error::io(name, "open", cause)),
    }
}

/// Name and text of a file that is held whole, compressed or not; `-` is stdin.
pub(crate) fn read_output(path: &Path) -> Result<(String, Vec<u8>), Error> {
    let source = Source::named(path);
    let name = path.display().to_string();
    let text = read_whole(&name, source.open(Arc::default())?, 0)?;
    Ok((name, text))
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
    pub(crate) fn open(args: &RunArgs, unit: &'static str) -> Result<Output, Error> {
        let path = args.file();
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

/// Runs a command.
///
/// # Errors
///
/// Any [`Error`] that keeps the command from starting or from writing its output. A signal that has
/// interrupted the command ends the process.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    interrupt::listen();
    if let Some(list) = arguments.command.letters().and_then(LetterArgs::list) {
        Output::with(None, Bar::default(), true)?.print(list.as_bytes())?;
        return Ok(Outcome::Done);
    }
    let outcome = match &arguments.command {
        Command::Validate(flags) => validate::run(flags),
        Command::Stats(flags) => stats::run(flags),
        Command::Replay(flags) => replay::run(flags),
        Command::Perft(flags) => perft::run(flags),
        Command::Adjudicate(flags) => adjudicate::run(flags),
        Command::Generate(args) => generate::run(args),
    };
    interrupt::end_if_said();
    outcome
}
