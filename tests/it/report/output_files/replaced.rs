//! A file is replaced by a complete output or not at all, and keeps its mode and links.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::read::MultiGzDecoder;

use super::{FAMOUS, FAULTY, OLD, names};
use crate::arbiter_command::{Ran, Scratch, binary, command, run};

/// Runs the binary with a file size limit of zero: like a full disk, but with another error, and
/// with SIGXFSZ.
#[cfg(unix)]
fn run_on_full_disk(words: &[&str]) -> Ran {
    let script = "ulimit -f 0; exec \"$0\" \"$@\"";
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
const WRITTEN: [(&[&str], &str, &[u8]); 10] = [
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
    (
        &["stats", "--merge", "fixtures/famous.json", "-o"],
        "b.out",
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
    let sum = scratch.file("sum.txt", &old);
    let ran = run(&["stats", "-o", &sum, "--merge", &sum, &sum]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("it is an input as well"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read(&sum).unwrap(), old);
    let sum = scratch.path().join("sum.json");
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

/// Changes a file while a run waits: for `text` from a FIFO of the folder, or without one for the
/// reader of its stdout.
#[cfg(unix)]
fn run_while_changed(words: &[&str], change: impl FnOnce(), text: &[u8], folder: &Path) -> Ran {
    let child = command(words).spawn().unwrap();
    let is_temporary = |name: &String| name.starts_with(".arbiter-");
    let fifo = folder.join("fifo");
    if words.contains(&fifo.to_str().unwrap()) {
        // This waits for the reader, which has read the file.
        let mut fifo = fs::OpenOptions::new().write(true).open(fifo).unwrap();
        change();
        std::io::Write::write_all(&mut fifo, text).unwrap();
    } else {
        let begin = std::time::Instant::now();
        while !names(folder).iter().any(is_temporary) {
            assert!(begin.elapsed().as_secs() < 60, "{words:?}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        change();
    }
    let ran = child.wait_with_output().unwrap().into();
    assert!(!names(folder).iter().any(is_temporary), "{words:?}");
    ran
}

#[cfg(unix)]
#[test]
fn an_input_that_is_changed_meanwhile_is_not_replaced() {
    let scratch = Scratch::new("changed-meanwhile");
    let fifo = scratch.path().join("fifo").to_str().unwrap().to_owned();
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let append = |path: &str, text: &[u8]| {
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, text).unwrap();
    };
    let replace = |path: &str, text: &[u8]| {
        fs::rename(scratch.file("new", text), path).unwrap();
    };
    let rewrite = |path: &str, text: &[u8]| {
        // The size stays, and the time changes on coarse clocks too.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, text).unwrap();
    };
    let remove = |path: &str, _: &[u8]| fs::remove_file(path).unwrap();
    let keep = |_: &str, _: &[u8]| {};
    type Change<'c> = &'c dyn Fn(&str, &[u8]);
    let changes: [(&str, Change<'_>); 5] = [
        ("appended", &append),
        ("replaced", &replace),
        ("rewritten", &rewrite),
        ("removed", &remove),
        ("kept", &keep),
    ];
    let counted = fs::read("fixtures/famous.json").unwrap();
    let paired = run(&["stats", "-q", "--pairs", "--format", "json", FAMOUS]).stdout;
    let merge = ["--format", "json", "-o", "FILE", "--merge", "FILE", &fifo];
    let faulty = b"[Event \"x\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7 *\n\n";
    let cases: [(&[&str], &[u8], &[u8]); 5] = [
        // The diff is longer than a pipe. Several threads read the second file.
        (
            &[
                "validate",
                "--strict",
                "--fix",
                "--in-place",
                "--diff",
                "FILE",
            ],
            &faulty.repeat(3000),
            b"",
        ),
        (
            &[
                "validate",
                "-j2",
                "--strict",
                "--fix",
                "--in-place",
                "--diff",
                "FILE",
            ],
            &faulty.repeat(20_000),
            b"",
        ),
        (
            &[
                "validate",
                "--baseline",
                "FILE",
                "--write-baseline",
                "FILE",
                &fifo,
            ],
            b"{\"arbiter-baseline\":1}\n",
            b"1. e4 Ke3 *\n",
        ),
        (&[&["stats"][..], &merge].concat(), &counted, &counted),
        (
            &[&["stats", "--pairs"][..], &merge].concat(),
            &paired,
            &paired,
        ),
    ];
    for (words, content, text) in cases {
        for (name, change) in changes {
            let file = scratch.file("file", content);
            let words: Vec<_> = (words.iter())
                .map(|&word| if word == "FILE" { &*file } else { word })
                .collect();
            let mut left = None;
            let change = || {
                change(&file, b"\n\n\n");
                left = fs::read(&file).ok();
            };
            let ran = run_while_changed(&words, change, text, scratch.path());
            let now = fs::read(&file).ok();
            if name == "kept" {
                assert!(ran.code < Some(2), "{words:?}: {}", ran.stderr);
                assert!(now != left, "{words:?}");
                continue;
            }
            assert_eq!(ran.code, Some(2), "{words:?} {name}: {}", ran.stderr);
            let expected = format!("cannot write `{file}`: another process has changed it");
            assert!(ran.stderr.contains(&expected), "{words:?} {}", ran.stderr);
            assert!(now == left, "{words:?} {name}");
        }
    }
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
        for name in ["x.gz", "x.txt.GZ", "x.zst", "x.out.Zst"] {
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
