//! Output files: complete or not at all, and never over another file of the command.

mod endings;
mod options;
mod refused;
mod replaced;

use std::fs;
use std::path::Path;

const FAMOUS: &str = "fixtures/famous.pgn";
const FAULTY: &str = "fixtures/findings/E201.pgn";
pub(crate) const OLD: &[u8] = b"what was there before\n";

/// File names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.unwrap().file_name().to_str().unwrap().to_owned()
    };
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}
