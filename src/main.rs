//! The `arbiter` command: flags in, exit code out.

use std::io::{self, Write};
use std::process::ExitCode;

use arbiter::cli::{self, Arguments};
use arbiter::error::Error;
use clap::Parser;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match cli::run(&arguments) {
        Ok(outcome) => outcome.code().into(),
        // Whoever closed the pipe has all that was wanted.
        Err(Error::Write { cause, .. }) if cause.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            // A closed stderr is no reason for another exit code.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
