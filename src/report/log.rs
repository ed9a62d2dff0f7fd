//! Messages on stderr.

use std::fmt::Display;
use std::io::{self, Write};

use crate::report::escape::Escaped;
use crate::report::progress::Bar;

/// Messages on stderr, written around the progress bar. A closed stderr is ignored.
#[derive(Clone, Debug, Default)]
pub struct Log {
    quiet: bool,
    bar: Bar,
}

impl Log {
    /// `quiet` drops everything but errors and findings.
    pub fn new(quiet: bool, bar: Bar) -> Log {
        Log { quiet, bar }
    }

    /// Writes an error.
    pub fn error(&self, error: &dyn Display) {
        self.line(format_args!("error: {error}"));
    }

    /// Writes a line that is not an error, unless the log is quiet.
    pub fn remark(&self, remark: &dyn Display) {
        if !self.quiet {
            self.line(format_args!("{remark}"));
        }
    }

    /// Writes text unchanged, even if the log is quiet.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = io::stderr().lock().write_all(text.as_bytes());
        });
    }

    fn line(&self, line: std::fmt::Arguments<'_>) {
        self.say(&format!("{}\n", Escaped(&line.to_string())));
    }
}
