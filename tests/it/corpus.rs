//! Real data outside of the repository, in the folder that `ARBITER_CORPUS` names.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// Path of a file or folder of the corpus. Without a corpus the running test should pass; standard
/// error then says that it was skipped. The test harness captures only `eprintln!`.
///
/// # Panics
///
/// If there is a corpus without the file: a wrong variable must not look like a pass.
pub fn path(name: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os("ARBITER_CORPUS") else {
        let test = thread::current();
        let test = test.name().unwrap_or("a test");
        // A closed standard error is no failure.
        let _ = writeln!(io::stderr(), "{test}: skipped, ARBITER_CORPUS is not set");
        return None;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(name);
    assert!(path.exists(), "{} is not there", path.display());
    Some(path)
}

/// Text of a file of the corpus; `None` as for [`path`].
pub fn text(name: &str) -> Option<String> {
    let path = path(name)?;
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => panic!("reading {}: {error}", path.display()),
    }
}

/// Rows of a tab-separated table, without the line of column names.
pub fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .map(|line| line.split('\t').collect())
}
