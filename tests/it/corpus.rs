//! Real data that is not part of the repository, found through the environment variable `ARBITER_CORPUS`.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// The path of a file or folder of the corpus. Without a corpus the running test should pass: that it was skipped is
/// then written to standard error, which the test harness captures only from `eprintln!`.
///
/// # Panics
///
/// If there is a corpus and the file is not in it: a wrong variable must not look like a pass.
pub fn path(name: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os("ARBITER_CORPUS") else {
        let test = thread::current();
        let test = test.name().unwrap_or("a test");
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(io::stderr(), "{test}: skipped, ARBITER_CORPUS is not set");
        return None;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(name);
    assert!(path.exists(), "{} is not there", path.display());
    Some(path)
}

/// The text of a file of the corpus; nothing as for [`path`].
pub fn text(name: &str) -> Option<String> {
    let path = path(name)?;
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => panic!("reading {}: {error}", path.display()),
    }
}

/// The rows of a table of the corpus whose first line names the columns, cut at tabs.
pub fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .map(|line| line.split('\t').collect())
}
