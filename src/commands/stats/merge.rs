//! `arbiter stats --merge`: earlier runs added up.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::commands::Outcome;
use crate::commands::clashes::{refuse_clashes, refuse_overwriting};
use crate::commands::stats::formats::read;
use crate::commands::stats::show::Show;
use crate::commands::stats::tally::Statistics;
use crate::commands::stats::{Flags, Format};
use crate::error::Error;
use crate::input::{Source, SourceId};
use crate::report::{Bar, Sink};

pub(crate) fn run(flags: &Flags) -> Result<Outcome, Error> {
    let output = flags.games.output.as_deref();
    let files = flags.files();
    refuse_clashes(output, &files, &[])?;
    let merged: Vec<&Path> = flags.merge.iter().map(PathBuf::as_path).collect();
    for (chart, _) in files.written {
        refuse_overwriting(Some(chart), &merged)?;
    }
    // A sum may grow in place: it is read whole before it is written. A table would take its place for good.
    if flags.format != Format::Json {
        refuse_overwriting(output, &merged)?;
    }
    let mut whole: Option<Statistics> = None;
    for path in &flags.merge {
        let statistics = load(path)?;
        match &mut whole {
            None => whole = Some(statistics),
            Some(whole) => whole.merge(statistics).map_err(|mismatch| {
                Error::invalid(
                    "statistics in",
                    path.display().to_string(),
                    mismatch.beside("those before it"),
                )
            })?,
        }
    }
    let Some(whole) = whole else {
        return Ok(Outcome::NotDone);
    };
    let mut sink = Sink::open(output, Bar::default())?;
    let show = Show::begin(flags)?;
    show.text(&mut sink, &whole)?;
    sink.finish()?;
    show.chart(&whole)?;
    Ok(Outcome::Done)
}

/// Reads what an earlier run wrote.
pub(crate) fn load(path: &Path) -> Result<Statistics, Error> {
    let name = path.display().to_string();
    let mut text = Vec::new();
    // What `--output` has compressed is decompressed.
    Source::file(SourceId(0), path.to_owned())
        .open(Arc::default())?
        .read_to_end(&mut text)
        .map_err(|cause| Error::from_read(&name, 0, cause))?;
    read(&name, &text)
}
