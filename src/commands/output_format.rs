//! Format that the name of `--output` stands for.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use crate::commands::modes::Mode;
use crate::input::plain_name;
use crate::report::escape::Escaped;

/// Formats of files by their endings, the usual one first, if they are not the name of the format.
const ENDINGS: [(&str, &[&str]); 4] = [
    ("json", &["json", "jsonl", "rdjsonl", "sarif", "gitlab"]),
    ("jsonl", &["jsonl", "rdjsonl"]),
    ("md", &["markdown"]),
    ("htm", &["html"]),
];

/// `--format` with the format that the ending of `--output` stands for, compressed or not. `None`
/// if the command has no such format, its mode has none, or `--format` is given.
///
/// # Errors
///
/// `--format` contradicts the ending.
pub(crate) fn of_output(
    command: &Command,
    matches: &ArgMatches,
    mode: Mode,
) -> Result<Option<OsString>, clap::Error> {
    let output = matches.try_get_raw("output").ok().flatten();
    let Some(output) = output.and_then(Iterator::last) else {
        return Ok(None);
    };
    let name = plain_name(output.as_encoded_bytes()).to_ascii_lowercase();
    let dot = memchr::memrchr(b'.', &name).map_or(name.len(), |dot| dot + 1);
    let ending = str::from_utf8(&name[dot..]).unwrap_or_default();
    let named = ENDINGS.iter().find(|(known, _)| *known == ending);
    let itself = [ending];
    let named = named.map_or(&itself[..], |(_, formats)| formats);
    let offered = command
        .get_arguments()
        .filter(|arg| arg.get_id() == "format" && mode.takes(arg));
    let offered: Vec<_> = offered.flat_map(clap::Arg::get_possible_values).collect();
    let is_offered = |name: &&&str| offered.iter().any(|it| it.matches(name, false));
    let Some(&format) = named.iter().find(is_offered) else {
        return Ok(None);
    };
    if matches.value_source("format") != Some(ValueSource::CommandLine) {
        return Ok(Some(format!("--format={format}").into()));
    }
    let given = matches.get_raw("format").and_then(Iterator::last);
    let given = given.unwrap_or_default().to_ascii_lowercase();
    if named.iter().any(|name| given == *name) {
        return Ok(None);
    }
    let reason = format!(
        "`--format {}` contradicts `--output {}`, whose ending stands for `{format}`",
        given.display(),
        Escaped(&output.to_string_lossy()),
    );
    Err(clap::Error::raw(ErrorKind::ArgumentConflict, reason))
}
