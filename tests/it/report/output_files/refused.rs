//! Outputs that are refused: inputs, other outputs, the settings, and stdout if it is taken.

use std::fs;
use std::path::Path;

use super::FAMOUS;
use crate::arbiter_command::{Ran, Scratch, command, run};

/// A run that is refused before anything is written.
fn check_refused(words: &[&str], expected: &str, files: &[&str]) {
    let before: Vec<_> = files.iter().map(|file| fs::read(file).ok()).collect();
    let ran = run(words);
    assert_eq!(ran.code, Some(2), "{words:?}");
    assert!(ran.stderr.contains(expected), "{words:?}: {}", ran.stderr);
    let after: Vec<_> = files.iter().map(|file| fs::read(file).ok()).collect();
    assert!(before == after, "{words:?}");
}

#[cfg(unix)]
#[test]
fn outputs_that_are_inputs_or_other_outputs_are_refused() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new("clashes");
    let path = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let games = scratch.file("games.svg", &fs::read(FAMOUS).unwrap());
    fs::hard_link(&games, path("hard.svg")).unwrap();
    symlink("games.svg", path("soft.svg")).unwrap();
    fs::create_dir(path("sub")).unwrap();
    let aliases = [
        games.clone(),
        path("hard.svg"),
        path("soft.svg"),
        path("./sub/../games.svg"),
    ];
    let files = [&*games];
    let is_input = "it is an input as well";
    for alias in &aliases {
        let alias = &**alias;
        for name in ["validate", "stats", "replay", "adjudicate"] {
            check_refused(&[name, "-o", alias, &games], is_input, &files);
            check_refused(&[name, "-o", &games, FAMOUS, alias], is_input, &files);
        }
        check_refused(
            &["adjudicate", "--claim", "fifty", "-o", alias, &games],
            is_input,
            &files,
        );
        check_refused(
            &["validate", "--write-baseline", alias, &games],
            is_input,
            &files,
        );
        check_refused(&["stats", "--chart", alias, &games], is_input, &files);
    }
    // A folder that is searched.
    let pgn = scratch.file("sub/a.pgn", &fs::read(FAMOUS).unwrap());
    check_refused(
        &["stats", "-o", &path("sub/../sub/a.pgn"), &path("sub")],
        is_input,
        &[&pgn],
    );
    // Output files of earlier runs.
    let json = scratch.file("a.old", &fs::read("fixtures/famous.json").unwrap());
    symlink("a.old", path("b.svg")).unwrap();
    let link = path("b.svg");
    for output in [&json, &link] {
        check_refused(
            &["stats", "--merge", &json, "-o", output],
            is_input,
            &[&json],
        );
        let words = [
            "stats",
            "-o",
            output,
            "--compare",
            "fixtures/famous.json",
            &json,
        ];
        check_refused(&words, is_input, &[&json]);
    }
    check_refused(
        &["stats", "--merge", &json, "--chart", &link],
        is_input,
        &[&json],
    );
    // Outputs, including some that do not exist yet.
    symlink("new.svg", path("dangling.svg")).unwrap();
    for (a, b) in [
        ("new.svg", "new.svg"),
        ("new.svg", "./sub/../new.svg"),
        ("new.svg", "dangling.svg"),
        ("sub/x.svg", "./sub/x.svg"),
    ] {
        let (a, b) = (&*path(a), &*path(b));
        for (a, b) in [(a, b), (b, a)] {
            let words = ["stats", "-o", a, "--chart", b, FAMOUS];
            check_refused(&words, "`--output` names the file of the chart", &[a]);
            let words = ["stats", "--merge", &json, "-o", a, "--chart", b];
            check_refused(&words, "`--output` names the file of the chart", &[a]);
            let words = ["validate", "-o", a, "--write-baseline", b, FAMOUS];
            check_refused(&words, "`--output` names the file of the baseline", &[a]);
            let words = [
                "replay",
                "--board",
                "svg",
                "--board-dir",
                a,
                "-o",
                b,
                FAMOUS,
            ];
            check_refused(&words, "`--output` names the folder of the boards", &[a]);
        }
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_read_as_stdin_is_refused() {
    let scratch = Scratch::new("stdin-output");
    let suite: &[u8] = b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 2\n";
    let position: &[u8] = b"8/8/8/8/8/8/8/K1k5 w - - 0 1\n";
    let statistics = fs::read("fixtures/famous.json").unwrap();
    let games = fs::read(FAMOUS).unwrap();
    for (words, content) in [
        (&["stats", "--merge", "-"][..], &statistics[..]),
        (
            &["stats", "--compare", "-", "fixtures/famous.json"],
            &statistics,
        ),
        (&["stats", "-"], &games),
        (&["perft", "--suite", "-"], suite),
        (&["perft", "--depth", "1", "-"], position),
    ] {
        let file = scratch.file("file", content);
        let ran: Ran = command(&[words, &["-o", &file]].concat())
            .stdin(fs::File::open(&file).unwrap())
            .output()
            .unwrap()
            .into();
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("it is an input as well"),
            "{}",
            ran.stderr
        );
        assert!(fs::read(&file).unwrap() == content, "{words:?}");
    }
}

/// Runs the binary in a folder.
fn run_in(folder: &Path, words: &[&str]) -> Ran {
    command(words).current_dir(folder).output().unwrap().into()
}

#[test]
fn a_hyphen_is_stdout_which_takes_one_output() {
    let scratch = Scratch::new("hyphen");
    let games = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    scratch.file("a.pgn", games.as_bytes());
    let validate = |more: &[&str]| {
        let words = [&["validate", "-q", "--ignore", "W129", "a.pgn"], more].concat();
        let ran = run_in(scratch.path(), &words);
        assert!(!scratch.path().join("-").exists(), "{more:?}");
        ran
    };
    for (more, expected) in [
        (&["--write-clean", "-", "-o", "x"][..], games),
        (&["--write-clean", "/dev/stdout", "-o", "x"], games),
        (
            &["--write-rejected", "-", "-o", "x", "--write-clean", "y"],
            "",
        ),
        (&["--fix", "--diff", "--write-fixed", "-", "-o", "x"], games),
        (&["--format", "csv", "--ignore", "1", "-o", "-"], "code,"),
    ] {
        let ran = validate(more);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{more:?}");
        assert!(
            ran.stdout().starts_with(expected),
            "{more:?}: {}",
            ran.stdout()
        );
        assert!(ran.stdout().len() < 200, "{more:?}: {}", ran.stdout());
    }
    for more in [
        &["--write-clean", "-"][..],
        &["--write-clean", "/dev/stdout"],
        &["--write-clean", "-", "-o", "-"],
        &[
            "--write-clean",
            "-",
            "--write-rejected",
            "/dev/stdout",
            "-o",
            "x",
        ],
        &["--write-baseline", "-"],
        &["--write-baseline", "-", "-o", "x"],
        &["--fix", "--write-fixed", "-"],
        &["--fix", "--diff", "--write-fixed", "-"],
    ] {
        let ran = validate(more);
        assert_eq!(
            (ran.code, ran.stdout()),
            (Some(2), String::new()),
            "{more:?}"
        );
        assert!(ran.stderr.contains("stdout"), "{more:?}: {}", ran.stderr);
    }
}

#[test]
fn the_file_of_settings_is_not_overwritten() {
    let scratch = Scratch::new("settings-output");
    let (folder, settings) = (scratch.path(), b"fail-on = 'never'\n");
    scratch.file("a.pgn", b"1. e4 e5 1-0\n");
    scratch.file("a.svg", settings);
    scratch.file("arbiter.toml", settings);
    fs::create_dir(folder.join("below")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("arbiter.toml", folder.join("link")).unwrap();
    let below = folder.join("below");
    let given = ["--config", "arbiter.toml"];
    for (folder, words) in [
        (folder, &["validate", "a.pgn", "-o", "arbiter.toml"][..]),
        (
            folder,
            &["validate", "a.pgn", "--write-clean", "./arbiter.toml"],
        ),
        (
            folder,
            &["validate", "a.pgn", "--write-rejected", "arbiter.toml"],
        ),
        (
            folder,
            &["validate", "a.pgn", "--write-baseline", "arbiter.toml"],
        ),
        (
            folder,
            &[
                "validate",
                "a.pgn",
                "--fix",
                "--write-fixed",
                "arbiter.toml",
            ],
        ),
        (
            folder,
            &[
                "validate",
                "--against",
                "a.pgn",
                "a.pgn",
                "-o",
                "arbiter.toml",
            ],
        ),
        (folder, &["validate", "--show-config", "-o", "arbiter.toml"]),
        (folder, &["stats", "a.pgn", "-o", "arbiter.toml"]),
        (
            folder,
            &["stats", "a.pgn", "--config", "a.svg", "--chart", "a.svg"],
        ),
        (folder, &["replay", "a.pgn", "-o", "arbiter.toml"]),
        (folder, &["adjudicate", "a.pgn", "-o", "arbiter.toml"]),
        (&below, &["validate", "../a.pgn", "-o", "../arbiter.toml"]),
        #[cfg(unix)]
        (folder, &["validate", "a.pgn", "-o", "link"]),
    ] {
        let more: &[&str] = match words.contains(&"--config") || *folder == *below {
            true => &[],
            false => &given,
        };
        for more in [&[], more] {
            let words = [words, more].concat();
            let ran = run_in(folder, &words);
            assert_eq!(ran.code, Some(2), "{words:?}");
            assert!(
                ran.stderr.contains("the file of settings"),
                "{words:?}: {}",
                ran.stderr
            );
        }
    }
    for name in ["arbiter.toml", "a.svg"] {
        assert_eq!(fs::read(folder.join(name)).unwrap(), settings);
    }
    // Without settings it is a file like any other.
    let ran = run_in(
        folder,
        &["validate", "--no-config", "a.pgn", "-o", "arbiter.toml"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn a_baseline_is_not_compressed() {
    let scratch = Scratch::new("compressed-baseline");
    for name in ["k.jsonl.gz", "k.zst", "K.XZ"] {
        let file = scratch.path().join(name);
        let ran = run(&[
            "validate",
            FAMOUS,
            "--write-baseline",
            file.to_str().unwrap(),
        ]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.stderr.contains("a baseline is not compressed"),
            "{ran:?}"
        );
        assert!(!file.exists(), "{name}");
    }
}
