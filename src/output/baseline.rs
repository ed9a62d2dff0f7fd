//! Baselines as files.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use super::json;
use crate::error::Error;
use crate::input::Offset;
use crate::judge::baseline::{Baseline, BaselineError, Recorded, Version};

/// Reads a baseline.
///
/// # Errors
///
/// [`Error::Open`] and [`Error::Baseline`].
pub fn read(path: &Path) -> Result<Baseline, Error> {
    let name = path.display().to_string();
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(cause) => return Err(Error::Open { path: name, cause }),
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = Offset(error.utf8_error().valid_up_to() as u64);
        BaselineError {
            line: 1,
            reason: format!("it is not text: byte {at} is not UTF-8"),
        }
    });
    text.and_then(|text| Baseline::from_text(&text))
        .map_err(|error| Error::Baseline {
            path: name,
            line: error.line,
            reason: error.reason,
        })
}

/// A file that a baseline will be written to. Until then it stays as it is, so that a run that is broken off leaves the old
/// baseline whole.
#[derive(Debug)]
pub struct BaselineFile {
    path: PathBuf,
    /// Whether it was not there before, and is not wanted if nothing is written.
    new: bool,
}

impl BaselineFile {
    /// Makes sure that the file can be written.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    pub fn open(path: &Path) -> Result<BaselineFile, Error> {
        let new = !path.exists();
        let opened = OpenOptions::new().append(true).create(true).open(path);
        match opened {
            Ok(_) => Ok(BaselineFile {
                path: path.to_owned(),
                new,
            }),
            Err(cause) => Err(Error::Write {
                path: path.display().to_string(),
                cause,
            }),
        }
    }

    /// Writes what was found, sorted, and says how many findings that are.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]
    pub fn write(mut self, recorded: Recorded) -> Result<u64, Error> {
        let mut text = json::of(&Version::default());
        text.push('\n');
        let mut findings = 0;
        for entry in recorded.into_entries() {
            findings += entry.count;
            text.push_str(&json::of(&entry));
            text.push('\n');
        }
        let written = File::create(&self.path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
        if let Err(cause) = written {
            return Err(Error::Write {
                path: self.path.display().to_string(),
                cause,
            });
        }
        self.new = false;
        Ok(findings)
    }
}

impl Drop for BaselineFile {
    fn drop(&mut self) {
        if self.new {
            // An empty file that stays behind is no baseline, and says so when it is read.
            let _ = fs::remove_file(&self.path);
        }
    }
}
