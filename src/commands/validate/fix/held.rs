//! Output that waits until it is known whether it is written.

use std::io::{Read, Seek, Write};

use tempfile::SpooledTempFile;

use crate::error::Error;
use crate::report::Sink;

/// Output that is held in memory, in bytes; more goes to a temporary file.
const MOST_IN_MEMORY: usize = 1 << 20;

const BLOCK: usize = 64 << 10;

/// Output of one input, held if asked for.
#[derive(Default)]
pub(crate) struct HeldOutput(Option<SpooledTempFile>);

impl HeldOutput {
    /// Drops all that is held, and holds what is written from now on.
    pub(crate) fn hold(&mut self) {
        self.0 = Some(SpooledTempFile::new(MOST_IN_MEMORY));
    }

    /// Holds bytes, or writes them.
    pub(crate) fn write(&mut self, bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
        match &mut self.0 {
            Some(held) => held.write_all(bytes).map_err(write_error),
            None => sink.write(bytes),
        }
    }

    /// Writes all that is held, and holds nothing from now on.
    pub(crate) fn release(&mut self, sink: &mut Sink) -> Result<(), Error> {
        let Some(mut held) = self.0.take() else {
            return Ok(());
        };
        held.rewind().map_err(write_error)?;
        let mut block = vec![0; BLOCK];
        loop {
            match held.read(&mut block).map_err(write_error)? {
                0 => return Ok(()),
                length => sink.write(&block[..length])?,
            }
        }
    }
}

fn write_error(source: std::io::Error) -> Error {
    Error::io("a temporary file", "write", source)
}
