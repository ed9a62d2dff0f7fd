//! The commands, one folder each, and what they share.
#![doc = ""]
#![doc = include_str!("README.md")]

pub mod accounts;
pub(crate) mod args;
pub(crate) mod config;
pub(crate) mod held_file;
pub(crate) mod modes;
pub(crate) mod names;
pub(crate) mod offered;
pub(crate) mod openings;
mod other_passes;
pub(crate) mod output;
mod output_format;
pub(crate) mod parts;
mod pass;
pub(crate) mod ply_choice;
pub(crate) mod polyglot;
mod ranges;
pub(crate) mod run;
pub(crate) mod select;
mod split;
pub(crate) mod stops;
pub mod tag_columns;
pub(crate) mod texts;
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

use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::args::{LetterArgs, Toggle};
use crate::commands::modes::Mode;
use crate::commands::output::{Outcome, Output};
use crate::error::Error;
use crate::report::escape::Escaped;

/// Validate, replay, count and adjudicate chess games (PGN, FEN)
#[derive(Parser)]
#[command(name = "arbiter", version = version::version())]
#[command(
    propagate_version = true,
    disable_help_flag = true,
    disable_version_flag = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(
    max_term_width = 100,
    after_help = "Exit codes: 0 done and nothing to report; 1 done, and something to report; \
2 not done (usage, unreadable input, no game found)."
)]
struct Program {
    /// Print help: one screen with -h, all options with --help
    #[arg(short, long, action = ArgAction::Help, display_order = 1000)]
    #[arg(global = true, help_heading = "General")]
    help: Option<bool>,

    /// Print the version and the commit
    #[arg(short = 'V', long, action = ArgAction::Version, display_order = 1001)]
    #[arg(global = true, hide_short_help = true, help_heading = "General")]
    version: Option<bool>,
}

/// The command that runs, and its mode.
#[derive(Debug)]
pub struct Arguments {
    command: Command,
    mode: Mode,
}

/// Headings of the options, in the order of the help.
const HEADINGS: [&str; 14] = [
    "Modes",
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

/// Definition of the command line: of all commands, with options by headings and without long lists
/// of values, as the help shows them, or of the one that is `named`, as it is parsed.
pub fn command_line(named: Option<&OsStr>) -> clap::Command {
    let wanted = COMMANDS
        .iter()
        .filter(|(name, _)| named.is_none_or(|named| named == *name));
    Program::command().subcommands(wanted.map(|&(name, define)| {
        let command = define(clap::Command::new(name)).mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            // Lets the error for `-1` name the option before it.
            let is_option = !arg.is_positional() && takes_values;
            arg.ignore_case(takes_values)
                .allow_negative_numbers(is_option)
        });
        if named.is_some() {
            return command;
        }
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
            let hides = arg.is_hide_possible_values_set()
                || arg.get_possible_values().len() > MOST_VALUES_SHOWN;
            arg.hide_possible_values(hides)
        })
    }))
}

/// Joins `--variations lines` by `=`: the value is optional, and the word after the option may be a
/// file as well.
fn join_value(args: &mut Vec<OsString>) {
    let is_value = |pair: &[OsString]| pair == ["--variations", "lines"];
    if let Some(at) = args.windows(2).position(is_value) {
        args.splice(at..at + 2, ["--variations=lines".into()]);
    }
}

/// Reads a command line.
fn parse(command: &mut clap::Command, mut args: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let mut matches = command.try_get_matches_from_mut(&args)?;
    let mut mode = Mode::default();
    if let Some((name, given)) = matches.subcommand()
        && let Some(used) = command.find_subcommand(name)
    {
        mode = Mode::from_matches(used, given)?;
        if let Some(format) = output_format::of_output(used, given, mode)? {
            args.insert(2, format);
            matches = command.try_get_matches_from_mut(args)?;
        }
    }
    let command = Command::from_arg_matches_mut(&mut matches)?;
    Ok(Arguments { command, mode })
}

impl Arguments {
    /// Arguments of this process.
    ///
    /// # Errors
    ///
    /// A request for the help or the version, or wrong usage.
    pub fn read() -> Result<Arguments, clap::Error> {
        let mut args: Vec<OsString> = std::env::args_os().collect();
        join_value(&mut args);
        Toggle::choose_colors(&args);
        let name = args.get(1).cloned().unwrap_or_default();
        match parse(&mut command_line(Some(&name)), args.clone()) {
            Err(error) if error.kind() != ErrorKind::DisplayVersion => {}
            read => return read,
        }
        // The help and errors name other commands, and show options in order.
        let mut command = command_line(None);
        let read = parse(&mut command, args.clone()).map_err(|error| {
            // Arguments appear in many parts of an error: that of the escaped ones is shown.
            let escaped = |arg: &OsString| Escaped(&arg.to_string_lossy()).to_string().into();
            let of_escaped = parse(&mut command, args.iter().map(escaped).collect());
            of_escaped.err().unwrap_or(error)
        });
        read.map_err(|error| {
            let error = error.format(&mut command);
            let named = args.get(1).and_then(|name| command.find_subcommand(name));
            hints::with_hint(error, &command, named.unwrap_or(&command))
        })
    }
}

/// Adds the options of a command to its definition.
type Define = fn(clap::Command) -> clap::Command;

/// The commands, with what defines them.
const COMMANDS: [(&str, Define); 6] = [
    ("validate", validate::CheckArgs::augment_args),
    ("stats", stats::StatsArgs::augment_args),
    ("replay", replay::ReplayArgs::augment_args),
    ("perft", perft::PerftArgs::augment_args),
    ("adjudicate", adjudicate::Flags::augment_args),
    ("generate", generate::GenerateArgs::augment_args),
];

#[derive(Subcommand, Debug)]
enum Command {
    Validate(validate::CheckArgs),
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

/// Runs a command.
///
/// # Errors
///
/// Any [`Error`] that keeps the command from starting or from writing its output. A signal that has
/// interrupted the command ends the process.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    interrupt::listen();
    if let Some(list) = arguments.command.letters().and_then(LetterArgs::list) {
        Output::quiet(None)?.print(list.as_bytes())?;
        return Ok(Outcome::Done);
    }
    let mode = arguments.mode;
    let outcome = match &arguments.command {
        Command::Validate(flags) => validate::run(flags, mode),
        Command::Stats(flags) => stats::run(flags, mode),
        Command::Replay(flags) => replay::run(flags),
        Command::Perft(flags) => perft::run(flags, mode),
        Command::Adjudicate(flags) => adjudicate::run(flags, mode),
        Command::Generate(args) => generate::run(args, command_line(None)),
    };
    interrupt::end_if_said();
    outcome
}
