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

/// Every option that names a file of a command, with words that make it valid: `FILE` stands for
/// the file. An option that reads has what the file holds.
const PATH_OPTIONS: [(&str, &str, &[&str], Option<&str>); 28] = [
    ("validate", "inputs", &["FILE"], Some("games")),
    (
        "validate",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    (
        "validate",
        "config",
        &["--config", "FILE"],
        Some("settings"),
    ),
    ("validate", "output", &["-o", "FILE"], None),
    (
        "validate",
        "baseline",
        &["--baseline", "FILE"],
        Some("baseline"),
    ),
    (
        "validate",
        "write_baseline",
        &["--write-baseline", "FILE"],
        None,
    ),
    ("validate", "write_clean", &["--write-clean", "FILE"], None),
    (
        "validate",
        "write_rejected",
        &["--write-rejected", "FILE"],
        None,
    ),
    (
        "validate",
        "write_fixed",
        &["--fix", "--write-fixed", "FILE"],
        None,
    ),
    ("validate", "against", &["--against", "FILE"], Some("games")),
    ("stats", "inputs", &["FILE"], Some("games")),
    (
        "stats",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    ("stats", "config", &["--config", "FILE"], Some("settings")),
    ("stats", "output", &["-o", "FILE"], None),
    ("stats", "chart", &["--chart", "FILE"], None),
    ("stats", "merge", &["--merge", "FILE"], Some("statistics")),
    (
        "stats",
        "compare",
        &["--compare", "fixtures/famous.json", "FILE"],
        Some("statistics"),
    ),
    ("replay", "inputs", &["FILE"], Some("games")),
    (
        "replay",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    ("replay", "config", &["--config", "FILE"], Some("settings")),
    ("replay", "output", &["-o", "FILE"], None),
    ("adjudicate", "inputs", &["FILE"], Some("games")),
    (
        "adjudicate",
        "counts",
        &["--part", "2/2", "--counts", "FILE"],
        Some("counts"),
    ),
    (
        "adjudicate",
        "config",
        &["--config", "FILE"],
        Some("settings"),
    ),
    ("adjudicate", "output", &["-o", "FILE"], None),
    ("perft", "suite", &["--suite", "FILE"], Some("suite")),
    (
        "perft",
        "compare",
        &["--depth", "1", "--compare", "FILE"],
        Some("divide"),
    ),
    ("perft", "output", &["-o", "FILE"], None),
];

/// Options that name a folder or a command, and those of a command that reads no file.
const OTHER_PATHS: [(&str, &str); 3] = [
    ("replay", "board_dir"),
    ("perft", "against"),
    ("generate", "output"),
];

#[test]
fn no_option_names_an_output_that_another_reads() {
    let path = clap::value_parser!(std::path::PathBuf).type_id();
    let is_path = |arg: &&clap::Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        let is_file = names
            .iter()
            .any(|name| ["FILE", "COMMAND"].contains(&name.as_str()));
        is_file || arg.get_value_parser().type_id() == path
    };
    let program = <arbiter::commands::Arguments as clap::CommandFactory>::command();
    let mut options: Vec<(String, String)> = Vec::new();
    for command in program.get_subcommands() {
        let paths = command.get_arguments().filter(is_path);
        let pair = |arg: &clap::Arg| (command.get_name().to_owned(), arg.get_id().to_string());
        options.extend(paths.map(pair));
    }
    let known = PATH_OPTIONS
        .iter()
        .map(|&(command, option, ..)| (command, option));
    let mut known: Vec<_> = known.chain(OTHER_PATHS).collect();
    known.sort_unstable();
    options.sort_unstable();
    let options: Vec<_> = options.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(options, known, "does a new option read or write?");

    let scratch = Scratch::new("path-options");
    let counted = ["stats", "-q", "--count", "--part", "1/2", FAMOUS];
    let content = |what: &str| match what {
        "games" => fs::read(FAMOUS).unwrap(),
        "counts" => run(&counted).stdout,
        "settings" => b"rules = 'fide'\n".to_vec(),
        "baseline" => b"{\"arbiter-baseline\":1}\n".to_vec(),
        "statistics" => fs::read("fixtures/famous.json").unwrap(),
        "suite" => b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 2\n".to_vec(),
        "divide" => run(&["perft", "-q", "--divide", "--depth", "1"]).stdout,
        _ => unreachable!(),
    };
    let mut checked = 0;
    for (command, read, reads, what) in PATH_OPTIONS {
        let Some(what) = what else { continue };
        let content = content(what);
        for (_, written, writes, _) in PATH_OPTIONS
            .iter()
            .filter(|(name, _, _, what)| *name == command && what.is_none())
        {
            let file = scratch.file("a.svg", &content);
            let other = scratch.path().join("b.svg").to_str().unwrap().to_owned();
            let words = |written: &str| {
                let named = |words: &[&str], file: &str| -> Vec<String> {
                    (words.iter())
                        .map(|word| word.replace("FILE", file))
                        .collect()
                };
                let needs_games = !matches!(read, "inputs" | "merge" | "compare" | "suite");
                let games = (needs_games && command != "perft").then(|| FAMOUS.to_owned());
                [named(reads, &file), named(writes, written)]
                    .concat()
                    .into_iter()
                    .chain(games)
                    .collect::<Vec<_>>()
            };
            let run = |written: &str| {
                let words = words(written);
                let words = words.iter().map(String::as_str);
                run(&[command, "-q"].into_iter().chain(words).collect::<Vec<_>>())
            };
            let ran = run(&other);
            if ran.stderr.contains("cannot be used with") {
                continue;
            }
            assert!(
                ran.code < Some(2),
                "{command} {read} {written}: {}",
                ran.stderr
            );
            if (read, *written) == ("baseline", "write_baseline") {
                continue;
            }
            let ran = run(&file);
            assert_eq!(ran.code, Some(2), "{command} {read} {written}");
            assert!(
                fs::read(&file).unwrap() == content,
                "{command} {read} {written}"
            );
            assert!(!ran.stderr.contains("another process"), "{}", ran.stderr);
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
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
