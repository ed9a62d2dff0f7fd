//! Hints for a command line that cannot be read.

use std::path::Path;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::commands::habits::meanings;
use crate::text::nearest::nearest;

/// The error with a hint, if there is one; `current` is the command of the arguments.
pub(crate) fn with_hint(mut error: Error, all: &Command, current: &Command) -> Error {
    let value = |kind| match error.get(kind) {
        Some(ContextValue::String(value)) => value.as_str(),
        _ => "",
    };
    if error.kind() == ErrorKind::InvalidSubcommand {
        let word = value(ContextKind::InvalidSubcommand);
        let is_command = |meaning: &&str| {
            let name = meaning.split(' ').next().unwrap_or(meaning);
            name.starts_with('-') || all.find_subcommand(name).is_some()
        };
        let commands = meanings(word).filter(is_command);
        let mut tips: Vec<String> = commands.map(|it| format!("use `arbiter {it}`")).collect();
        if tips.is_empty() && is_file(word) {
            return file_without_command(word, all);
        }
        // `arbiter help COMMAND`
        if tips.is_empty() && error.get(ContextKind::SuggestedSubcommand).is_none() {
            let meant = nearest(word, all.get_subcommands().map(Command::get_name));
            tips.extend(meant.map(|name| format!("use `arbiter {name}`")));
        }
        suggest(&mut error, tips, ContextKind::SuggestedSubcommand);
    } else if error.kind() == ErrorKind::UnknownArgument {
        let tips = tips_for_option(value(ContextKind::InvalidArg), all, current);
        suggest(&mut error, tips, ContextKind::SuggestedArg);
    } else if let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) {
        let written = value(ContextKind::InvalidValue);
        let names = || values.iter().map(String::as_str);
        let is_open = value(ContextKind::SuggestedValue).is_empty();
        let spelled_alike = || nearest(written, names()).filter(|_| is_open);
        let meant = meanings(written).find(|meaning| names().any(|name| name == *meaning));
        if let Some(meant) = meant.or_else(spelled_alike) {
            let meant = ContextValue::String(meant.to_owned());
            error.insert(ContextKind::SuggestedValue, meant);
        }
    }
    error
}

/// Shows tips instead of the word that is spelled alike, and never that of clap for `-- --threads`.
fn suggest(error: &mut Error, tips: Vec<String>, spelled_alike: ContextKind) {
    error.remove(ContextKind::Suggested);
    if tips.is_empty() {
        return;
    }
    // The usage shows the option that is spelled alike.
    if error.remove(spelled_alike).is_some() {
        error.remove(ContextKind::Usage);
    }
    let tips = tips.into_iter().map(StyledStr::from).collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
}

/// Tips for an unknown option: those of the current command, else those of the others.
fn tips_for_option(written: &str, all: &Command, current: &Command) -> Vec<String> {
    let option = |command: &Command, name: &str| {
        let name = name.strip_prefix("--")?;
        command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(name))
            .cloned()
    };
    if let Some(formats) = option(current, "--format").map(|arg| arg.get_possible_values())
        && let Some(name) = written.strip_prefix("--")
        && let Some(format) = [name]
            .into_iter()
            .chain(meanings(name))
            .find(|name| formats.iter().any(|format| format.matches(name, true)))
    {
        return vec![format!("use `--format {format}`")];
    }
    let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
    for meaning in [written].into_iter().chain(meanings(written)) {
        let name = meaning.split(' ').next().unwrap_or(meaning);
        if !name.starts_with('-') {
            here.push(meaning.to_owned());
        } else if option(current, name).is_some() {
            here.push(format!("use `{meaning}`"));
        } else {
            let owners = all
                .get_subcommands()
                .filter(|it| option(it, name).is_some());
            let owners: Vec<String> = owners.map(|it| format!("`{}`", it.get_name())).collect();
            if !owners.is_empty() {
                elsewhere.push(format!("`{meaning}` is an option of {}", owners.join(", ")));
            }
        }
    }
    if here.is_empty() { elsewhere } else { here }
}

/// Whether this is a path rather than a mistyped command.
fn is_file(word: &str) -> bool {
    word == "-" || word.contains(['/', '\\', '.']) || Path::new(word).exists()
}

fn file_without_command(file: &str, all: &Command) -> Error {
    let reason = format!(
        "`{file}` is not a command\n\n  \
         tip: `validate`, `stats`, `adjudicate` and `replay` take files: \
         `arbiter validate {file}`\n"
    );
    Error::raw(ErrorKind::InvalidSubcommand, reason).with_cmd(all)
}
