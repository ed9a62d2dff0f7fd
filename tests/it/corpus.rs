//! Real data outside the repository, in the folder named by `ARBITER_CORPUS`.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// Path of a file or folder of the corpus. Without a corpus, returns `None` and reports on standard
/// error that the test is skipped. The test harness captures only `eprintln!`.
///
/// # Panics
///
/// If the corpus lacks the file: a wrong variable must not pass silently.
pub fn path(name: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os("ARBITER_CORPUS") else {
        let test = thread::current();
        let test = test.name().unwrap_or("a test");
        // Ignore a closed standard error.
        let _ = writeln!(io::stderr(), "{test}: skipped, ARBITER_CORPUS is not set");
        return None;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(name);
    assert!(path.exists(), "{} is not there", path.display());
    Some(path)
}

/// Text of a corpus file, or `None` as for [`path`].
pub fn text(name: &str) -> Option<String> {
    let path = path(name)?;
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => panic!("reading {}: {error}", path.display()),
    }
}

/// Rows of a tab-separated table, without the header.
pub fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .map(|line| line.split('\t').collect())
}
