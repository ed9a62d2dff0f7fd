//! Files that are held whole: settings, suites, baselines, outputs of earlier runs.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::input::Source;

/// Largest suite, baseline, file of settings or output of an earlier run that is read, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Reads a text that is held whole, of about this size. Errors name `path`.
pub(crate) fn read_whole(path: &str, from: impl Read, size: usize) -> Result<Vec<u8>, Error> {
    let mut text = Vec::with_capacity(size);
    from.take(MOST_BYTES + 1)
        .read_to_end(&mut text)
        .map_err(|cause| Error::from_read(path, 0, cause))?;
    match text.len() as u64 > MOST_BYTES {
        true => {
            let reason = format!("it is larger than {MOST_BYTES} bytes");
            Err(Error::unsupported(path, reason))
        }
        false => Ok(text),
    }
}

/// Reads a file that is held whole.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => read_whole(&name, file, 0),
        Err(cause) => Err(Error::io(name, "open", cause)),
    }
}

/// Name and text of a file that is held whole, compressed or not; `-` is stdin.
pub(crate) fn read_output(path: &Path) -> Result<(String, Vec<u8>), Error> {
    let source = Source::named(path);
    let name = path.display().to_string();
    let text = read_whole(&name, source.open(Arc::default())?, 0)?;
    Ok((name, text))
}
