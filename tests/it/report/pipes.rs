//! Closed, full and empty pipes, and signals while a command waits for them.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::arbiter_command::{Ran, Scratch, binary, command};

const FAMOUS: &str = "fixtures/famous.pgn";
const OLD: &[u8] = b"what was there before\n";

/// Time limit of a run; ample on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn fifo(scratch: &Scratch, name: &str) -> String {
    let path = scratch.path().join(name).to_str().unwrap().to_owned();
    let status = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(status.success());
    path
}

/// Waits for the end. A run that hangs is killed and fails the test.
fn ended(mut child: Child, what: &str) -> Ran {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{what} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap().into()
}

/// Waits until the process handles signals.
#[cfg(target_os = "linux")]
fn wait_for_handlers(child: &Child, name: &str) {
    let status = format!("/proc/{}/status", child.id());
    let begin = Instant::now();
    loop {
        let text = fs::read_to_string(&status).unwrap();
        let mask = text
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))
            .unwrap();
        // SIGTERM (15) is installed after SIGINT; SIGHUP (1) is installed last if at all.
        let wanted = if name == "HUP" { 1 } else { 1 << 14 };
        if u64::from_str_radix(mask.trim(), 16).unwrap() & wanted != 0 {
            break;
        }
        assert!(begin.elapsed() < PATIENCE, "signals are not handled");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the process has read this number of bytes.
#[cfg(target_os = "linux")]
fn wait_until_it_has_read(child: &Child, bytes: u64) {
    let account = format!("/proc/{}/io", child.id());
    let begin = Instant::now();
    loop {
        let text = fs::read_to_string(&account).unwrap();
        let read = text
            .lines()
            .find_map(|line| line.strip_prefix("rchar: "))
            .unwrap();
        if read.parse::<u64>().unwrap() >= bytes {
            break;
        }
        assert!(begin.elapsed() < PATIENCE, "nothing is read");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Other systems do not show which signals a process handles.
#[cfg(not(target_os = "linux"))]
fn wait_for_handlers(_: &Child, _: &str) {
    std::thread::sleep(Duration::from_secs(1));
}

/// Sends a signal once the process handles it.
fn signal(child: &Child, name: &str) {
    wait_for_handlers(child, name);
    let words = [format!("-{name}"), child.id().to_string()];
    assert!(Command::new("kill").args(words).status().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn one_signal_ends_a_command_that_waits_for_a_pipe() {
    let scratch = Scratch::new("signals");
    let empty = fifo(&scratch, "empty.pgn");
    let silent = fifo(&scratch, "silent.svg");
    let many = scratch.file("many.pgn", &fs::read(FAMOUS).unwrap().repeat(300));
    let faulty = scratch.file(
        "faulty.pgn",
        &b"1. e4 Ke3 *\n\n[Event \"x\"]\n\n".repeat(3000),
    );
    let old = scratch.file("old", OLD);
    // Reading stdin without a writer.
    let commands: [&[&str]; 17] = [
        &["validate", "-o", &old, "-"],
        &["stats", "-o", &old, "-"],
        &["replay", "-o", &old, "-"],
        &["adjudicate", "-o", &old, "-"],
        &["adjudicate", "--claim", "fifty", "-o", &old, "-"],
        &["perft", "-"],
        // Opening a FIFO without a writer.
        &["validate", "-o", &old, &empty],
        &["replay", "-o", &old, &empty],
        &["stats", "-o", &old, "--merge", &empty],
        &["perft", "--suite", &empty],
        // Opening a FIFO without a reader.
        &["replay", "-q", "--format", "csv", "-o", &silent, &many],
        &["stats", "-q", "-o", &silent, &many],
        &["stats", "-q", "-o", "/dev/null", "--chart", &silent, &many],
        &[
            "validate",
            "-q",
            "-o",
            "/dev/null",
            "--write-baseline",
            &silent,
            &faulty,
        ],
        // Writing to a pipe that is not read.
        &["replay", "-q", "--format", "csv", &many],
        &["adjudicate", "-q", "--format", "jsonl", &many],
        &["validate", "-q", &faulty],
    ];
    for name in ["INT", "TERM"] {
        let children: Vec<Child> = commands
            .iter()
            .map(|words| command(words).stdin(Stdio::piped()).spawn().unwrap())
            .collect();
        for child in &children {
            signal(child, name);
        }
        for (mut child, words) in children.into_iter().zip(commands) {
            // Both pipes stay open until the process ends.
            let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
            let ran = ended(child, &format!("{words:?}"));
            assert_eq!(ran.code, None, "{name} {words:?}: {}", ran.stderr);
            assert!(
                ran.stderr.contains("error: interrupted"),
                "{words:?}: {}",
                ran.stderr
            );
            drop((stdin, stdout));
        }
        assert_eq!(fs::read(&old).unwrap(), OLD);
    }
    let mut left: Vec<_> = fs::read_dir(scratch.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(
        left,
        ["empty.pgn", "faulty.pgn", "many.pgn", "old", "silent.svg"]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_while_stdin_is_silent_leaves_a_whole_document() {
    let words = ["validate", "-q", "--format", "junit", "-"];
    let mut child = command(&words).stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    signal(&child, "TERM");
    let ran = ended(child, "validate");
    assert_eq!(ran.code, None, "{}", ran.stderr);
    let report = quick_junit::Report::deserialize_from_str(&ran.stdout()).unwrap();
    assert_eq!(report.test_suites.last().unwrap().errors, 1);
    drop(stdin);
}

/// Endless games on stdin, and a signal after the first of them are read.
#[cfg(target_os = "linux")]
fn interrupted_at_work(words: &[&str], name: &str) -> Ran {
    let mut child = command(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = fs::read(FAMOUS).unwrap().repeat(50);
    stdin.write_all(&text).unwrap();
    signal(&child, name);
    let writer = std::thread::spawn(move || while stdin.write_all(&text).is_ok() {});
    let ran = ended(child, &format!("{words:?}"));
    writer.join().unwrap();
    ran
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_the_old_file_and_says_what_was_done() {
    let scratch = Scratch::new("signals-at-work");
    let old = scratch.file("old", OLD);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .unwrap();
    let is_nohup = u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 != 0;
    for name in ["INT", "TERM", "QUIT", "XCPU", "HUP"] {
        if name == "HUP" && is_nohup {
            continue;
        }
        for words in [
            &["validate", "-q", "-o", &old][..],
            &["stats", "-q", "-o", &old],
            &["replay", "-q", "--format", "csv", "-o", &old],
            &["adjudicate", "-q", "-o", &old],
            &["adjudicate", "--claim", "fifty", "-o", &old],
        ] {
            let ran = interrupted_at_work(words, name);
            assert_eq!(ran.code, None, "{words:?}: {}", ran.stderr);
            assert!(
                ran.stderr.contains("error: interrupted after "),
                "{}",
                ran.stderr
            );
            assert!(ran.stderr.ends_with(" games\n"), "{}", ran.stderr);
            assert_eq!(fs::read(&old).unwrap(), OLD);
        }
    }
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    let child = command(&["perft", "--depth", "30"]).spawn().unwrap();
    signal(&child, "TERM");
    let ran = ended(child, "perft");
    assert_eq!(ran.code, None);
    assert!(
        ran.stderr.contains("interrupted after 0 of 20 first moves"),
        "{}",
        ran.stderr
    );
    // No closing line says that nothing was counted.
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_shell_sees_the_signal_that_ends_a_run() {
    let scratch = Scratch::new("signals-in-a-shell");
    let silent = fifo(&scratch, "silent.pgn");
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        // A shell without job control starts commands that ignore SIGINT, unless it is trapped.
        let script = format!(
            "trap : INT; trap - HUP; \"$0\" validate {silent} & sleep 1; kill -{name} $!; wait $!"
        );
        let ran = Command::new("bash")
            .args(["-c", &script])
            .arg(binary())
            .output();
        let ran = Ran::from(ran.unwrap());
        assert_eq!(ran.code, Some(code), "{name}: {}", ran.stderr);
        // The shell adds a line of its own.
        assert!(
            ran.stderr.contains("error: interrupted after 0 games\n"),
            "{}",
            ran.stderr
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn games_of_a_first_pass_are_counted() {
    let scratch = Scratch::new("signals-first-pass");
    let many = scratch.file("many.pgn", &fs::read(FAMOUS).unwrap().repeat(30_000));
    let words = &["validate", "--against", &many, &many];
    let child = command(words).spawn().unwrap();
    // By then some games are counted, and far more are left.
    wait_until_it_has_read(&child, 2 << 20);
    signal(&child, "INT");
    let ran = ended(child, &format!("{words:?}"));
    assert_eq!(ran.code, None, "{words:?}: {}", ran.stderr);
    let (_, count) = ran.stderr.split_once("error: interrupted after ").unwrap();
    assert!(!count.starts_with("0 "), "{words:?}: {}", ran.stderr);
}

#[test]
fn no_line_of_zeros_follows_an_error() {
    for words in [
        &["validate", "missing.pgn"][..],
        &["validate", "--fix", "missing.pgn"],
        &["stats", "missing.pgn"],
        &["replay", "missing.pgn"],
        &["adjudicate", "missing.pgn"],
        &["perft", "--suite", "fixtures/suite.epd", "--depth", "0"],
    ] {
        let ran = crate::arbiter_command::run(words);
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(
            ran.stderr.starts_with("error: "),
            "{words:?}: {}",
            ran.stderr
        );
        assert_eq!(ran.stderr.lines().count(), 1, "{words:?}: {}", ran.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_while_duplicates_are_reported_is_said() {
    let scratch = Scratch::new("signals-duplicates");
    let many = scratch.file("many.pgn", &fs::read(FAMOUS).unwrap().repeat(3000));
    for jobs in ["1", "2"] {
        let words = [
            "validate",
            "--duplicates",
            "--format",
            "jsonl",
            "-qj",
            jobs,
            &many,
        ];
        let mut child = command(&words).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        // Only duplicates are found. The pipe cannot take all of them.
        stdout.read_exact(&mut [0]).unwrap();
        signal(&child, "INT");
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        let ran = ended(child, "validate");
        assert_eq!(ran.code, None, "{}", ran.stderr);
        assert!(ran.stderr.contains("error: interrupted"), "{}", ran.stderr);
        assert!(rest.ends_with("}\n"), "{rest:.100}");
    }
}

#[test]
fn a_run_of_nohup_outlives_its_terminal() {
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" stats -q -"])
        .arg(binary())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The other signals have handlers, so this one is decided or about to be.
    signal(&child, "CONT");
    let hangup = ["-HUP".to_owned(), child.id().to_string()];
    assert!(
        Command::new("kill")
            .args(hangup)
            .status()
            .unwrap()
            .success()
    );
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&fs::read(FAMOUS).unwrap()).unwrap();
    drop(stdin);
    assert_eq!(ended(child, "stats").code, Some(0));
}

#[test]
fn fifos_are_written_and_read() {
    let scratch = Scratch::new("fifos");
    let (text, chart) = (fifo(&scratch, "text"), fifo(&scratch, "chart.svg"));
    // The reader opens one FIFO after the other.
    let reader = Command::new("cat")
        .args([&text, &chart])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let child = command(&["stats", "-q", "-o", &text, "--chart", &chart, FAMOUS])
        .spawn()
        .unwrap();
    assert_eq!(ended(child, "stats").code, Some(0));
    let read = reader.wait_with_output().unwrap().stdout;
    let read = String::from_utf8(read).unwrap();
    assert!(
        read.starts_with("Statistics") && read.ends_with("</svg>\n"),
        "{read}"
    );

    // A FIFO as input with an existing output, in every command that has both.
    let games = fifo(&scratch, "games.pgn");
    let old = scratch.file("old.svg", OLD);
    for words in [
        &["validate", "-q", "--format", "csv", "-o", &old, &games][..],
        &["stats", "-q", "-o", &old, &games],
        &["replay", "-q", "-o", &old, &games],
        &["adjudicate", "-q", "-o", &old, &games],
        &["stats", "-q", "--chart", &old, &games],
        &["validate", "-q", "--write-baseline", &old, &games],
    ] {
        fs::write(&old, OLD).unwrap();
        let child = command(words).spawn().unwrap();
        let writer = Command::new("cp").args([FAMOUS, &games]).spawn().unwrap();
        let ran = ended(child, &format!("{words:?}"));
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        ended(writer, "cp");
        assert_ne!(fs::read(&old).unwrap(), OLD, "{words:?}");
    }
}

/// Runs a command whose stdout is closed after the first bytes.
fn closed_early(words: &[&str]) -> Ran {
    let mut child = command(words).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 10]).unwrap();
    drop(stdout);
    ended(child, &format!("{words:?}"))
}

#[test]
fn a_closed_pipe_does_not_hide_what_was_found() {
    let scratch = Scratch::new("closed-pipe");
    let illegal = "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n".repeat(5000);
    let illegal = scratch.file("illegal.pgn", illegal.as_bytes());
    // Fool's mate with the result 1-0.
    let mated = "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n".repeat(5000);
    let mated = scratch.file("mated.pgn", mated.as_bytes());
    let good = scratch.file("good.pgn", &fs::read(FAMOUS).unwrap().repeat(1000));
    let suite = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 21\n".repeat(3000);
    let suite = scratch.file("wrong.epd", suite.as_bytes());
    for jobs in ["1", "2", "5"] {
        for (words, code) in [
            (&["validate", "-j", jobs, &illegal][..], 1),
            (&["validate", "-j", jobs, "--format", "sarif", &illegal], 1),
            (&["validate", "-j", jobs, "--fail-on", "never", &illegal], 0),
            (&["replay", "-j", jobs, "--format", "csv", &illegal], 1),
            (&["replay", "-j", jobs, "--format", "csv", &good], 0),
            (&["adjudicate", "-j", jobs, "--format", "csv", &mated], 1),
            (&["adjudicate", "-j", jobs, "--format", "csv", &good], 0),
            (&["perft", "-q", "-j", jobs, "--suite", &suite], 1),
            (
                &["validate", "-j", jobs, &illegal, "fixtures/missing.pgn"],
                2,
            ),
        ] {
            let ran = closed_early(words);
            assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
        }
    }
    // A closed pipe does not truncate another file.
    let path = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let (cut, whole) = (path("cut"), path("whole"));
    let ran = closed_early(&["validate", "--write-rejected", &cut, &illegal]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    crate::arbiter_command::run(&["validate", "--write-rejected", &whole, &illegal]);
    assert!(fs::read(&cut).unwrap() == fs::read(&whole).unwrap());
    let ran = closed_early(&[
        "validate",
        "--against",
        FAMOUS,
        "--write-added",
        &cut,
        &mated,
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(fs::read(&cut).unwrap() == fs::read(&mated).unwrap());
}
