//! Refusal of an output that is an input or another output.

use std::path::Path;

use crate::error::Error;
use crate::input::Source;
use crate::report::FileId;

/// Files that a command writes or reads other than its inputs and `--output`.
#[derive(Default)]
pub(crate) struct OtherFiles<'a> {
    /// Files written, each with its name in messages: `the file of the chart`.
    pub(crate) written: Vec<(&'a Path, &'static str)>,
    /// Files read, which may be replaced after they have been read.
    pub(crate) read: Vec<(&'a Path, &'static str)>,
}

/// Refuses an output that is an input or another output, under any name.
pub(crate) fn refuse_clashes(
    output: Option<&Path>,
    files: &OtherFiles<'_>,
    sources: &[Source],
) -> Result<(), Error> {
    let output_id = output.and_then(FileId::of);
    for (path, what) in files.written.iter().chain(&files.read) {
        if output_id.is_some() && FileId::of(path) == output_id {
            return Err(Error::Usage(format!("`--output` names {what}")));
        }
    }
    let written = files
        .written
        .iter()
        .filter_map(|(path, _)| FileId::of(path));
    let written: Vec<FileId> = written.chain(output_id).collect();
    if written.is_empty() {
        return Ok(());
    }
    let clashes = |source: &&Source| id_of(source).is_some_and(|id| written.contains(&id));
    match sources.iter().find(clashes) {
        Some(source) => Err(Error::output_is_input(source.name())),
        None => Ok(()),
    }
}

/// Refuses an output that is one of the files read.
pub(crate) fn refuse_overwriting(output: Option<&Path>, read: &[&Path]) -> Result<(), Error> {
    let output = output.and_then(FileId::of);
    let clashes = |path: &&&Path| output.is_some() && FileId::of(path) == output;
    match read.iter().find(clashes) {
        Some(path) => Err(Error::output_is_input(path.display())),
        None => Ok(()),
    }
}

/// Identity of the file that a source reads.
pub(crate) fn id_of(source: &Source) -> Option<FileId> {
    match source.path() {
        Some(path) => FileId::of(path),
        None if source.is_stdin() => FileId::of_stdin(),
        None => None,
    }
}
