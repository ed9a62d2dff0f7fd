//! Files of one command that must not be the same.

use std::path::Path;

use crate::error::Error;
use crate::input::Source;
use crate::report::FileId;

/// Files that a command writes or reads beside its inputs and `--output`.
#[derive(Default)]
pub(crate) struct Files<'a> {
    /// What is written, and what it is called: `the file of the chart`.
    pub(crate) written: Vec<(&'a Path, &'static str)>,
    /// What is read, called so too. It may be written again when it has been read.
    pub(crate) read: Vec<(&'a Path, &'static str)>,
}

/// Refuses an output that is an input or another output, under whatever name.
pub(crate) fn refuse_clashes(
    output: Option<&Path>,
    files: &Files<'_>,
    sources: &[Source],
) -> Result<(), Error> {
    let output_id = output.and_then(FileId::of);
    let others = files.written.iter().chain(&files.read);
    for (path, what) in others {
        if output_id.is_some() && FileId::of(path) == output_id {
            let reason = format!("`--output` names {what}");
            return Err(Error::usage(reason));
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
    match read
        .iter()
        .find(|path| output.is_some() && FileId::of(path) == output)
    {
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
