//! Runs the binary.

#[cfg(unix)]
use std::io::Read;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// Result of a run of the binary.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The binary that the environment variable `ARBITER` names, or that of this build.
pub fn binary() -> PathBuf {
    match std::env::var_os("ARBITER") {
        Some(path) => std::fs::canonicalize(path).expect("ARBITER names a file"),
        None => env!("CARGO_BIN_EXE_arbiter").into(),
    }
}

/// The binary with these arguments, in the crate's folder.
pub fn command(words: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(words)
        .env_remove("FORCE_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub fn run(words: &[&str]) -> Ran {
    command(words).output().unwrap().into()
}

/// Runs the binary with `stdin` as standard input.
pub fn run_with_stdin(words: &[&str], stdin: Vec<u8>) -> Ran {
    let mut child = command(words).stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    // A child may stop reading early and close the pipe.
    let feeder = thread::spawn(move || {
        let _ = pipe.write_all(&stdin);
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output.into()
}

/// Sends Ctrl-C to a run that reads `first` and `text` from stdin, and then sends `text` until the
/// run ends. The games must take little time: a run without progress is ended at once.
#[cfg(unix)]
pub fn run_interrupted(words: &[&str], first: &[u8], text: &[u8]) -> Ran {
    let mut child = command(words).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut all = Vec::new();
        stdout.read_to_end(&mut all).unwrap();
        all
    });
    stdin.write_all(first).unwrap();
    stdin.write_all(text).unwrap();
    let kill = format!("kill -INT {}", child.id());
    let status = Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert!(status.success());
    // The signal arrives at an unknown time; the run ends at the next chunk.
    while child.try_wait().unwrap().is_none() {
        if stdin.write_all(text).is_err() {
            break;
        }
    }
    drop(stdin);
    let mut ran = Ran::from(child.wait_with_output().unwrap());
    ran.stdout = reader.join().unwrap();
    ran
}

/// Temporary folder of one test, removed on drop.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("arbiter-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
