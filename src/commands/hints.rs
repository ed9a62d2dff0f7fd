//! Hints for a command line that cannot be read.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Command, CommandFactory};

use crate::commands::Arguments;
use crate::text::nearest::nearest;

/// The error with a hint, if there is one.
pub(crate) fn with_hint(mut error: Error) -> Error {
    let value = |kind| match error.get(kind) {
        Some(ContextValue::String(value)) => value.as_str(),
        _ => "",
    };
    if error.kind() == ErrorKind::InvalidSubcommand {
        let word = value(ContextKind::InvalidSubcommand);
        if is_file(word) {
            return file_without_command(word);
        }
    } else if error.kind() == ErrorKind::UnknownArgument {
        let option = value(ContextKind::InvalidArg).to_owned();
        if let Some(tip) = of_other_commands(&option) {
            let tips = vec![StyledStr::from(tip)];
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
            // The usage shows the option that is spelled alike.
            if error.remove(ContextKind::SuggestedArg).is_some() {
                error.remove(ContextKind::Usage);
            }
        }
    } else if let Some(cause) = error.source().and_then(|cause| cause.downcast_ref()) {
        let (option, written) = (ContextKind::InvalidArg, ContextKind::InvalidValue);
        return not_a_number(value(option), value(written), cause);
    } else if value(ContextKind::SuggestedValue).is_empty()
        && let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue)
    {
        let written = value(ContextKind::InvalidValue);
        if let Some(meant) = nearest(written, values.iter().map(String::as_str)) {
            let meant = ContextValue::String(meant.to_owned());
            error.insert(ContextKind::SuggestedValue, meant);
        }
    }
    error
}

/// Tip that names the commands with an option; none if no command has it.
fn of_other_commands(option: &str) -> Option<String> {
    let name = option.strip_prefix("--")?;
    let mut commands = Arguments::command();
    commands.build();
    let has_it = |command: &&Command| {
        let mut options = command.get_arguments();
        options.any(|other| other.get_long() == Some(name))
    };
    let owners = commands.get_subcommands().filter(has_it);
    let owners: Vec<String> = owners.map(|it| format!("`{}`", it.get_name())).collect();
    (!owners.is_empty()).then(|| format!("`{option}` is an option of {}", owners.join(", ")))
}

/// Error of a value that is no number; the standard library calls it an invalid digit.
fn not_a_number(option: &str, written: &str, cause: &ParseIntError) -> Error {
    let reason = match cause.kind() {
        IntErrorKind::PosOverflow => "the number is too large",
        _ => "not a positive whole number",
    };
    let message = format!(
        "invalid value '{written}' for '{option}': {reason}\n\n\
         For more information, try '--help'.\n"
    );
    Error::raw(ErrorKind::ValueValidation, message).with_cmd(&Arguments::command())
}

/// Whether this is a path rather than a mistyped command.
fn is_file(word: &str) -> bool {
    word == "-" || word.contains(['/', '\\', '.']) || Path::new(word).exists()
}

fn file_without_command(file: &str) -> Error {
    let reason = format!(
        "`{file}` is not a command\n\n  \
         tip: `validate`, `stats`, `adjudicate` and `replay` take files: \
         `arbiter validate {file}`\n"
    );
    Error::raw(ErrorKind::InvalidSubcommand, reason).with_cmd(&Arguments::command())
}
