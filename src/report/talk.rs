//! What is said on stderr.

use std::fmt::Display;
use std::io::{self, Write};

use crate::report::escape::Escaped;
use crate::report::progress::Bar;

/// Says things on stderr, around a progress bar that may be there. A closed stderr is no reason to stop.
#[derive(Clone, Debug, Default)]
pub struct Talk {
    quiet: bool,
    bar: Bar,
}

impl Talk {
    /// `quiet` leaves out what is neither an error nor a finding.
    pub fn new(quiet: bool, bar: Bar) -> Talk {
        Talk { quiet, bar }
    }

    /// Says why something could not be done.
    pub fn error(&self, error: &dyn Display) {
        self.line(format_args!("error: {error}"));
    }

    /// Says something that is no error, unless all is to be quiet.
    pub fn remark(&self, remark: &dyn Display) {
        if !self.quiet {
            self.line(format_args!("{remark}"));
        }
    }

    /// Says something in any case.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = io::stderr().lock().write_all(text.as_bytes());
        });
    }

    fn line(&self, line: std::fmt::Arguments<'_>) {
        self.say(&format!("{}\n", Escaped(&line.to_string())));
    }
}
