//! Every mode of every command with every option, from the definition of the command line.

use clap::builder::{PossibleValue, ValueRange};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, Error};

use super::*;
use crate::commands::command_line;

/// Values of which every option takes one.
const VALUES: [&str; 14] = [
    "1",
    "x",
    "1/2",
    "White=x",
    "0,2",
    "E201",
    "x.svg",
    "threefold",
    "22w",
    "auto",
    "none",
    "500",
    "german",
    "A=1",
];

/// The commands with modes.
fn commands() -> Vec<Command> {
    let mut all = command_line(None);
    all.build();
    let commands = all
        .get_subcommands()
        .filter(|it| !["generate", "help"].contains(&it.get_name()));
    commands.cloned().collect()
}

/// Options of a command that a run can be given.
fn options(command: &Command) -> Vec<&Arg> {
    let options = command.get_arguments();
    options
        .filter(|arg| !["help", "version"].contains(&arg.get_id().as_str()))
        .collect()
}

fn parse(command: &Command, words: &[String]) -> Result<ArgMatches, Error> {
    let words = words.iter().cloned();
    command
        .clone()
        .try_get_matches_from(["arbiter".to_owned()].into_iter().chain(words))
}

/// Words that give an option, with a value that it takes.
fn words(command: &Command, arg: &Arg) -> Vec<String> {
    let values = arg.get_possible_values();
    let listed = values.iter().map(PossibleValue::get_name);
    let option = arg.get_long().map(|long| format!("--{long}"));
    let least = arg
        .get_num_args()
        .unwrap_or(ValueRange::SINGLE)
        .min_values();
    let mut tried = listed.chain(VALUES).map(|value| {
        let values = vec![value.to_owned(); least.max(usize::from(option.is_none()))];
        option.iter().cloned().chain(values).collect()
    });
    let is_taken = |words: &Vec<String>| match parse(command, words) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::MissingRequiredArgument,
    };
    tried
        .find(is_taken)
        .unwrap_or_else(|| panic!("no value for {arg}"))
}

/// The options with those that they need, and what their words are parsed to.
fn complete<'a>(
    command: &'a Command,
    mut given: Vec<&'a Arg>,
) -> (Vec<&'a Arg>, Result<ArgMatches, Error>) {
    loop {
        let mut options: Vec<Vec<String>> = given.iter().map(|arg| words(command, arg)).collect();
        // An option that takes several values would take the inputs too.
        options.sort_by_key(|words| words[0].starts_with('-'));
        let parsed = parse(command, &options.concat());
        let missing = match &parsed {
            Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
                error.get(ContextKind::InvalidArg)
            }
            _ => None,
        };
        let Some(ContextValue::Strings(missing)) = missing else {
            return (given, parsed);
        };
        let all = command.get_arguments();
        given.extend(all.filter(|arg| missing.contains(&arg.to_string())));
    }
}

#[test]
fn every_option_of_every_mode_has_a_meaning_or_is_refused() {
    let mut tried = 0;
    for command in commands() {
        let options = options(&command);
        let modes = options
            .iter()
            .copied()
            .filter(|arg| Mode::chosen_by(arg).is_some());
        for chooses in modes.map(Some).chain([None]) {
            for arg in options.iter().copied().filter(|arg| Some(*arg) != chooses) {
                tried += 1;
                let (given, parsed) =
                    complete(&command, chooses.into_iter().chain([arg]).collect());
                let result = parsed.and_then(|matches| Mode::from_matches(&command, &matches));
                let names: Vec<String> = given.iter().map(|arg| name(arg)).collect();
                let line = format!("{} {}", command.get_name(), names.join(" "));
                match result {
                    Ok(mode) => assert!(given.iter().all(|arg| mode.takes(arg)), "{line}"),
                    Err(error) => {
                        let error = error.to_string();
                        let is_named = |arg: &&Arg| error.contains(&name(arg));
                        assert!(chooses.iter().all(is_named), "{line}: {error}");
                        let mut others = given.iter().filter(|arg| Some(**arg) != chooses);
                        assert!(others.any(is_named), "{line}: {error}");
                    }
                }
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn every_option_has_a_meaning_in_a_mode_of_its_command() {
    for command in commands() {
        let options = options(&command);
        let modes = options.iter().filter_map(|arg| Mode::chosen_by(arg));
        let modes: Vec<Mode> = modes.chain([Usual]).collect();
        for arg in options {
            let heading = arg.get_help_heading().unwrap();
            let is_used = modes.iter().any(|mode| mode.takes(arg));
            assert!(
                is_used,
                "{} {arg} has no meaning in any mode",
                command.get_name()
            );
            assert!(
                Usual.uses(heading).is_some(),
                "{arg}: unknown heading `{heading}`"
            );
            // `--follow` of `stats` goes with two modes.
            let is_mode = Mode::chosen_by(arg).is_some() || arg.get_id() == "live";
            assert!(is_mode || heading != "Modes", "{arg} chooses no mode");
        }
    }
}
