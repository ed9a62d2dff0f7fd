//! Output files: complete or not at all, and never over another file of the command.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::read::MultiGzDecoder;

use crate::arbiter_command::{Ran, Scratch, binary, command, run};

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

/// Runs the binary with a file size limit of zero: like a full disk, but with another error.
#[cfg(unix)]
fn run_on_full_disk(words: &[&str]) -> Ran {
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    Command::new("sh")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["-c", script])
        .arg(binary())
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap()
        .into()
}

/// Each kind of output file, and its first bytes.
const WRITTEN: [(&[&str], &str, &[u8]); 11] = [
    (&["validate", FAULTY, "-o"], "a.txt", b"error"),
    (
        &["validate", "--format", "sarif", FAULTY, "-o"],
        "a.sarif",
        b"{",
    ),
    (
        &["validate", FAULTY, "--write-baseline"],
        "a.jsonl",
        b"{\"arbiter-baseline\"",
    ),
    (
        &["validate", FAULTY, "--write-rejected"],
        "a.pgn",
        b"[Event",
    ),
    (&["stats", FAMOUS, "-o"], "b.txt", b"Statistics"),
    (&["stats", FAMOUS, "--chart"], "b.svg", b"<svg"),
    (&["stats", FAMOUS, "--chart"], "b.png", b"\x89PNG"),
    (
        &["stats", "--merge", "fixtures/famous.json", "-o"],
        "b.json",
        b"Statistics",
    ),
    (
        &["replay", "--format", "csv", FAMOUS, "-o"],
        "c.csv.gz",
        b"\x1f\x8b",
    ),
    (
        &["replay", "--format", "uci", FAMOUS, "-o"],
        "c.uci.ZST",
        b"\x28\xb5\x2f\xfd",
    ),
    (
        &["adjudicate", "--format", "jsonl", FAMOUS, "-o"],
        "d.jsonl",
        b"{\"game\"",
    ),
];

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let scratch = Scratch::new("full-disk");
    for (words, name, begins) in WRITTEN {
        let file = scratch.file(name, OLD);
        let words: Vec<_> = words.iter().copied().chain([&*file]).collect();
        let ran = run_on_full_disk(&words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains(&format!("cannot write `{file}`")),
            "{}",
            ran.stderr
        );
        assert_eq!(fs::read(&file).unwrap(), OLD, "{words:?}");
        assert_eq!(names(scratch.path()), [name]);
        // With free space it is written.
        let ran = run(&words);
        assert!(ran.code < Some(2), "{words:?}: {}", ran.stderr);
        assert!(fs::read(&file).unwrap().starts_with(begins), "{words:?}");
        fs::remove_file(&file).unwrap();
        assert_eq!(names(scratch.path()), [""; 0]);
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_a_sum_that_grows_in_place() {
    let scratch = Scratch::new("full-merge");
    let old = fs::read("fixtures/famous.json").unwrap();
    let sum = scratch.file("sum.json", &old);
    let words = [
        "stats", "--format", "json", "-o", &sum, "--merge", &sum, &sum,
    ];
    assert_eq!(run_on_full_disk(&words).code, Some(2));
    assert_eq!(fs::read(&sum).unwrap(), old);
    // A text table in its place could not be merged again.
    let ran = run(&["stats", "-o", &sum, "--merge", &sum, &sum]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("it is an input as well"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read(&sum).unwrap(), old);
    assert_eq!(run(&words).code, Some(0));
    assert!(fs::read_to_string(&sum).unwrap().contains("\"games\": 10,"));
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_the_old_file() {
    let scratch = Scratch::new("killed");
    let file = scratch.file("old.csv", OLD);
    let mut child = command(&["replay", "--format", "csv", "-o", &file, "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let games = fs::read(FAMOUS).unwrap().repeat(200);
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, &games).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    drop(stdin);
    assert_eq!(fs::read(&file).unwrap(), OLD);
    // The leftover file of the killed run is harmless.
    assert_eq!(
        run(&["replay", "--format", "csv", "-o", &file, FAMOUS]).code,
        Some(0)
    );
    assert!(fs::read(&file).unwrap().starts_with(b"game,ply"));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_its_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let scratch = Scratch::new("modes");
    let path = |name: &str| scratch.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    symlink("sub/real", path("link")).unwrap();
    symlink("link", path("link-to-link")).unwrap();
    let word = path("link-to-link").to_str().unwrap().to_owned();
    let mode = || fs::metadata(path("sub/real")).unwrap().permissions().mode() & 0o7777;
    // Dangling link: the file is created at its target.
    assert_eq!(run(&["stats", "-q", "-o", &word, FAMOUS]).code, Some(0));
    let created = mode();
    for wanted in [0o640, 0o600, 0o755] {
        fs::write(path("sub/real"), OLD).unwrap();
        fs::set_permissions(path("sub/real"), fs::Permissions::from_mode(wanted)).unwrap();
        assert_eq!(run(&["stats", "-q", "-o", &word, FAMOUS]).code, Some(0));
        assert_eq!(mode(), wanted);
        assert!(
            fs::read(path("sub/real"))
                .unwrap()
                .starts_with(b"Statistics")
        );
    }
    for link in ["link", "link-to-link"] {
        assert!(fs::symlink_metadata(path(link)).unwrap().is_symlink());
    }
    // A new file has the default mode.
    let plain = scratch.file("plain", b"");
    assert_eq!(
        created,
        fs::metadata(plain).unwrap().permissions().mode() & 0o7777
    );
    assert_eq!(
        names(scratch.path()),
        ["link", "link-to-link", "plain", "sub"]
    );
    assert_eq!(names(&path("sub")), ["real"]);
}

#[test]
fn an_output_is_compressed_by_its_name() {
    let scratch = Scratch::new("compressed-output");
    let commands: [&[&str]; 5] = [
        &["validate", "--format", "jsonl", FAULTY],
        &["stats", "--format", "json", FAMOUS],
        &["replay", "--format", "csv", FAMOUS],
        &["adjudicate", "--format", "csv", FAMOUS],
        &["adjudicate", "--claim", "flag", "--games", "1", FAMOUS],
    ];
    for words in commands {
        let plain = run(&[words, &["-q"]].concat()).stdout;
        for name in ["x.gz", "x.csv.GZ", "x.zst", "x.jsonl.Zst"] {
            let path = scratch.path().join(name).to_str().unwrap().to_owned();
            let ran = run(&[words, &["-q", "-o", &path]].concat());
            assert!(ran.code < Some(2) && ran.stdout.is_empty(), "{ran:?}");
            let file = fs::File::open(&path).unwrap();
            let mut text = Vec::new();
            match name.to_lowercase().ends_with("gz") {
                true => MultiGzDecoder::new(file).read_to_end(&mut text).unwrap(),
                false => zstd::Decoder::new(file)
                    .unwrap()
                    .read_to_end(&mut text)
                    .unwrap(),
            };
            assert!(text == plain, "{words:?} {name}");
        }
    }
    let path = scratch.path().join("x.csv.xz").to_str().unwrap().to_owned();
    let ran = run(&["stats", "--format", "csv", "-o", &path, FAMOUS]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("as .gz or .zst only"),
        "{ran:?}"
    );
    assert!(!fs::exists(&path).unwrap());
    // Compressed statistics can be merged.
    let sum = scratch
        .path()
        .join("sum.json.gz")
        .to_str()
        .unwrap()
        .to_owned();
    run(&[
        "stats", "-q", "--by", "year", "--format", "json", "-o", &sum, FAMOUS,
    ]);
    let merged = run(&["stats", "--format", "json", "--merge", &sum]);
    assert_eq!(
        merged.stdout(),
        fs::read_to_string("fixtures/famous.json").unwrap()
    );
}

#[test]
fn a_file_stays_where_no_input_can_be_read() {
    let scratch = Scratch::new("no-input");
    let file = scratch.file("old", OLD);
    let empty = scratch.file("empty.pgn", b"");
    let blank = scratch.file("blank.pgn", b"\n \n");
    let binary = scratch.file("binary.pgn", b"\x7fELF\0\0\0");
    let cut = scratch.file("cut.pgn.gz", b"\x1f\x8b\x08\0");
    let commands: [&[&str]; 6] = [
        &["validate"],
        &["validate", "--format", "csv"],
        &["stats"],
        &["replay", "--format", "csv"],
        &["adjudicate", "--format", "csv"],
        &["adjudicate", "--claim", "fifty"],
    ];
    for words in commands {
        for input in ["fixtures/missing.pgn", "src", &empty, &blank, &binary, &cut] {
            let ran = run(&[words, &["-q", "-o", &file, input]].concat());
            assert_eq!(
                (ran.code, ran.stdout()),
                (Some(2), String::new()),
                "{words:?}"
            );
            assert_eq!(fs::read(&file).unwrap(), OLD, "{words:?} {input}");
        }
    }
}

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
    let json = scratch.file("a.json", &fs::read("fixtures/famous.json").unwrap());
    symlink("a.json", path("b.svg")).unwrap();
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
