//! Names the commit that a release is built from, for `--version`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Digits of the commit that are printed.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-env-changed=ARBITER_COMMIT");
    println!("cargo::rerun-if-changed=src/build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let given = env::var("ARBITER_COMMIT").ok();
    let commit = given.or_else(packaged).or_else(|| checked_out(is_release));
    if let Some(commit) = commit {
        let digits: String = commit.chars().take(DIGITS).collect();
        println!("cargo::rustc-env=ARBITER_COMMIT={digits}");
    }
}

/// The commit of a package, which cargo records in it.
fn packaged() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, commit) = text.split_once("\"sha1\": \"")?;
    Some(commit.split('"').next()?.to_owned())
}

/// The commit of a clone; none if these files are part of another repository.
///
/// A change of the commit rebuilds the package, so builds for development name none.
fn checked_out(is_release: bool) -> Option<String> {
    if !is_release || !Path::new(".git").exists() {
        return None;
    }
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "HEAD"])
}

/// Output of git, if it is installed and reads this repository.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
