//! `--in-place`: each input file is replaced as a whole.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::error::Error;
use crate::input::{Compression, HEAD_BYTES, Source};
use crate::report::{FileId, FileState, OutputFile};

/// Files that are being replaced, one after another.
#[derive(Default)]
pub(crate) struct InPlace {
    /// The current file, its name, and whether it is changed.
    file: Option<Result<OutputFile, Error>>,
    name: String,
    is_changed: bool,
    changed: u64,
    unchanged: u64,
    /// Files that could not be repaired.
    failed: u64,
}

/// Refuses inputs that cannot be replaced, before anything is read.
pub(crate) fn refuse(sources: &[Source], settings: Option<&Path>) -> Result<(), Error> {
    let mut paths = HashSet::new();
    let settings = settings.and_then(FileId::of);
    for source in sources {
        let Some(path) = source.path() else {
            let reason = "`--in-place` replaces files, not stdin";
            return Err(Error::usage(reason));
        };
        let refused = |reason| {
            let name = source.name();
            Err(Error::Usage(format!(
                "`--in-place` cannot replace `{name}`: {reason}"
            )))
        };
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return refused("it is not a regular file");
        }
        if settings.is_some() && FileId::of(path) == settings {
            return refused("it is the file of settings");
        }
        if path.canonicalize().is_ok_and(|path| !paths.insert(path)) {
            return refused("it is named twice");
        }
        // A file that cannot be read is an error later.
        let Ok(file) = File::open(path) else { continue };
        let mut head = Vec::new();
        let _ = file.take(HEAD_BYTES as u64).read_to_end(&mut head);
        if Compression::of(&head) != Compression::Plain {
            return refused("it is compressed");
        }
    }
    Ok(())
}

impl InPlace {
    /// Begins the replacement of a file.
    pub(crate) fn begin(&mut self, source: &Source) {
        source.name().clone_into(&mut self.name);
        self.is_changed = false;
        self.file = source.path().map(|path| {
            let mut file = OutputFile::create(path)?;
            let opened = source.opened().map(|found| FileState::new(path, found));
            file.expect(opened.or_else(|| FileState::of(path)));
            Ok(file)
        });
    }

    /// Appends text to the file.
    pub(crate) fn write(&mut self, text: &[u8], is_changed: bool) {
        self.is_changed |= is_changed;
        if let Some(Ok(file)) = &mut self.file
            && let Err(cause) = file.write_all(text)
        {
            self.file = Some(Err(write_error(&self.name, cause)));
        }
    }

    /// Ends the file. Replaces the old one if asked for and if there is a change.
    pub(crate) fn end(&mut self, replaces: bool) -> Result<(), Error> {
        let file = self.file.take().filter(|_| replaces && self.is_changed);
        let replaced = file.map_or(Ok(()), |file| {
            let outcome = file?.commit();
            outcome.map_err(|cause| write_error(&self.name, cause))
        });
        let count = match self.is_changed {
            _ if !replaces || replaced.is_err() => &mut self.failed,
            true => &mut self.changed,
            false => &mut self.unchanged,
        };
        *count += 1;
        replaced
    }

    /// The closing line.
    pub(crate) fn summary(&self) -> String {
        let (changed, unchanged) = (self.changed, self.unchanged);
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(", {failed} left as they are"),
        };
        format!("\nfiles: {changed} replaced, {unchanged} without repairs{failed}")
    }
}

fn write_error(name: &str, source: std::io::Error) -> Error {
    Error::io(name, "write", source)
}
