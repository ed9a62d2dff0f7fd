//! Options `--write-clean` and `--write-rejected`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::args::GameArgs;
use crate::commands::run::CommandRun;
use crate::commands::split::{KeyedFiles, Split, SplitByArgs};
use crate::error::Error;

/// Options of the split.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct SplitArgs {
    /// Write the games without a finding at or above --fail-on
    ///
    /// They are unchanged. The file is compressed if its name ends with .gz or .zst. Findings about
    /// a whole file reject no game.
    #[arg(long, value_name = "FILE")]
    write_clean: Option<PathBuf>,

    /// Write the games with such a finding to this file, unchanged
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    write_rejected: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) by: SplitByArgs,
}

impl SplitArgs {
    /// Whether any file is written.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.write_clean.is_some() || self.write_rejected.is_some()
    }

    /// The files, each with its name in messages.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        [
            (&self.write_clean, "the file of the clean games"),
            (&self.write_rejected, "the file of the rejected games"),
        ]
        .into_iter()
        .filter_map(|(path, name)| Some((path.as_deref()?, name)))
    }

    /// Opens the files for the games of a run, if there are any.
    ///
    /// # Errors
    ///
    /// Sources of different kinds, or a file that cannot be written.
    pub(crate) fn open(
        &self,
        run: &CommandRun,
        games: &GameArgs,
        compares: bool,
    ) -> Result<Option<Split>, Error> {
        let paths = self.files().map(|(path, _)| path);
        self.by.check("--write-clean", paths)?;
        if !self.is_asked_for() {
            return Ok(None);
        }
        let by = self.by.split_by.as_ref();
        let open = |path: &Option<PathBuf>| {
            let open = |path| KeyedFiles::new(path, by, games, run);
            path.as_deref().map(open).transpose()
        };
        let files = [open(&self.write_clean)?, open(&self.write_rejected)?];
        Split::new(files, &run.sources, compares).map(Some)
    }
}
