//! Hints for a command line that cannot be read.

use std::path::Path;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

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
