//! `arbiter stats --merge`: earlier runs added up.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::commands::Outcome;
use crate::commands::clashes::{refuse_clashes, refuse_overwriting};
use crate::commands::stats::StatsArgs;
use crate::commands::stats::count::Statistics;
use crate::commands::stats::formats::{FormatName, read};
use crate::commands::stats::output::StatsOutput;
use crate::error::Error;
use crate::input::{Source, SourceId};
use crate::report::{Bar, Sink};

pub(crate) fn run(args: &StatsArgs) -> Result<Outcome, Error> {
    let output = args.games.output.as_deref();
    let files = args.files();
    refuse_clashes(output, &files, &[])?;
    let merged: Vec<&Path> = args.merge.iter().map(PathBuf::as_path).collect();
    for (chart, _) in files.written {
        refuse_overwriting(Some(chart), &merged)?;
    }
    // JSON may be merged in place, as it is read first; a table must not replace it.
    if args.format != FormatName::Json {
        refuse_overwriting(output, &merged)?;
    }
    let mut whole: Option<Statistics> = None;
    for path in &args.merge {
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
    let show = StatsOutput::begin(args)?;
    show.text(&mut sink, &whole)?;
    sink.finish()?;
    show.chart(&whole)?;
    Ok(Outcome::Done)
}

/// Reads what an earlier run wrote.
pub(crate) fn load(path: &Path) -> Result<Statistics, Error> {
    let name = path.display().to_string();
    let mut text = Vec::new();
    // The output of an earlier run may be compressed.
    Source::file(SourceId(0), path.to_owned())
        .open(Arc::default())?
        .read_to_end(&mut text)
        .map_err(|cause| Error::from_read(&name, 0, cause))?;
    read(&name, &text)
}
