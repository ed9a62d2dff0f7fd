//! Where data goes: stdout or a file.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use crate::error::Error;
use crate::output::progress::Bar;

/// The destination of a command's data.
pub struct Sink {
    name: String,
    writer: BufWriter<Box<dyn Write + Send>>,
    /// Whether data and progress bar share a terminal.
    on_terminal: bool,
    bar: Bar,
}

impl Sink {
    /// Opens stdout, or a file, which is emptied. Done before the long work begins, so that a path that cannot be
    /// written is known at once.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the file cannot be created.
    pub fn open(path: Option<&Path>, bar: Bar) -> Result<Sink, Error> {
        let (name, writer, on_terminal): (_, Box<dyn Write + Send>, _) = match path {
            None => (
                "<stdout>".to_owned(),
                Box::new(io::stdout()),
                io::stdout().is_terminal(),
            ),
            Some(path) => {
                let name = path.display().to_string();
                match File::create(path) {
                    Ok(file) => (name, Box::new(file), false),
                    Err(cause) => return Err(Error::Write { path: name, cause }),
                }
            }
        };
        Ok(Sink {
            name,
            writer: BufWriter::with_capacity(1 << 16, writer),
            on_terminal,
            bar,
        })
    }

    /// Whether data goes to a terminal.
    pub fn is_terminal(&self) -> bool {
        self.on_terminal
    }

    /// Writes data.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; a closed pipe is one whose cause is [`io::ErrorKind::BrokenPipe`].
    pub fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        if data.is_empty() {
            return Ok(());
        }
        let outcome = if self.on_terminal {
            let writer = &mut self.writer;
            self.bar
                .suspend(|| writer.write_all(data).and_then(|()| writer.flush()))
        } else {
            self.writer.write_all(data)
        };
        outcome.map_err(|cause| self.error(cause))
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    ///
    /// As for [`Sink::write`].
    pub fn finish(mut self) -> Result<(), Error> {
        self.writer.flush().map_err(|cause| self.error(cause))
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::Write {
            path: self.name.clone(),
            cause,
        }
    }
}
