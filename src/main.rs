//! The `arbiter` command.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use arbiter::commands::{self, Arguments};
use arbiter::error::sentence;
use arbiter::report::escape::Escaped;

fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(message) => return print(&message),
    };
    match commands::run(&arguments) {
        Ok(outcome) => outcome.code().into(),
        Err(error) => not_done(&error),
    }
}

/// Prints the help or the version to stdout, or a usage error to stderr.
fn print(message: &clap::Error) -> ExitCode {
    let code = ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2));
    match message.print().and_then(|()| io::stdout().flush()) {
        // A closed pipe is success (`arbiter … | head`).
        Err(cause) if !message.use_stderr() && cause.kind() != io::ErrorKind::BrokenPipe => {
            not_done(&format_args!(
                "cannot write `<stdout>`: {}",
                sentence(cause)
            ))
        }
        _ => code,
    }
}

fn not_done(error: &dyn Display) -> ExitCode {
    // A closed stderr does not change the exit code.
    let _ = writeln!(io::stderr(), "error: {}", Escaped(&error.to_string()));
    ExitCode::from(2)
}
