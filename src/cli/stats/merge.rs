//! `arbiter stats --merge`: earlier runs added up.

use std::path::Path;

use super::Flags;
use super::show::Show;
use crate::cli::Outcome;
use crate::error::Error;
use crate::judge::tally::Statistics;
use crate::output::stats::read;
use crate::output::{Bar, Sink};

pub(super) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let mut whole: Option<Statistics> = None;
    for path in &flags.merge {
        let statistics = load(path)?;
        match &mut whole {
            None => whole = Some(statistics),
            Some(whole) => whole
                .merge(statistics)
                .map_err(|mismatch| Error::Statistics {
                    path: path.display().to_string(),
                    reason: format!("{mismatch} than those before it"),
                })?,
        }
    }
    let Some(whole) = whole else {
        return Ok(Outcome::NotDone);
    };
    // Only now: the output may be one of the files that were read.
    let mut sink = Sink::open(flags.games.output.as_deref(), Bar::default())?;
    Show::begin(flags, &[])?.all(&mut sink, &whole)?;
    sink.finish()?;
    Ok(Outcome::Done)
}

/// Reads what an earlier run wrote.
pub(super) fn load(path: &Path) -> Result<Statistics, Error> {
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|cause| Error::Open {
        path: name.clone(),
        cause,
    })?;
    read(&name, &text)
}
