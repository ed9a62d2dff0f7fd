//! Baselines as files.

use std::fs;
use std::path::Path;

use crate::commands::validate::baseline::{Baseline, BaselineError, Recorded, Version};
use crate::error::Error;
use crate::input::Offset;
use crate::report::{OutputFile, json};

/// Reads a baseline.
///
/// # Errors
///
/// [`Error::Input`] and [`Error::Invalid`].
pub fn read(path: &Path) -> Result<Baseline, Error> {
    let name = path.display().to_string();
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(cause) => return Err(Error::open(name, cause)),
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = Offset(error.utf8_error().valid_up_to() as u64);
        BaselineError {
            line: 1,
            reason: format!("it is not text: byte {at} is not UTF-8"),
        }
    });
    text.and_then(|text| Baseline::from_text(&text))
        .map_err(|error| Error::Invalid {
            what: "baseline",
            path: name,
            line: Some(error.line),
            reason: error.reason,
        })
}

/// Writes what was found, sorted, and returns how many findings that are.
///
/// # Errors
///
/// [`Error::Write`]
pub fn write(file: OutputFile, recorded: Recorded) -> Result<u64, Error> {
    let mut text = json::of(&Version::default());
    text.push('\n');
    let mut findings = 0;
    for entry in recorded.into_entries() {
        findings += entry.count;
        text.push_str(&json::of(&entry));
        text.push('\n');
    }
    file.commit_all(text.as_bytes())?;
    Ok(findings)
}
