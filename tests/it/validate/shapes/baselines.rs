//! Baselines: known findings are not reported again, even if they have moved.

use std::fs;

use super::parsed::{Seen, jsonl};
use crate::arbiter_command::{Ran, Scratch, run};

/// A game with one or two findings, different for every number.
fn game(number: usize) -> String {
    format!(
        "[Event \"{number}\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 )\nNf6 0-1\n\n"
    )
}

fn games(numbers: std::ops::Range<usize>) -> String {
    numbers.map(game).collect()
}

struct Case {
    scratch: Scratch,
    baseline: String,
}

impl Case {
    /// Writes a baseline of a text.
    fn new(name: &str, text: &str) -> Case {
        let scratch = Scratch::new(name);
        let file = scratch.file("games.pgn", text.as_bytes());
        let baseline = scratch.path().join("baseline").to_str().unwrap().to_owned();
        let reported = run(&["validate", "--format", "jsonl", &file]);
        assert_eq!(reported.code, Some(1));
        let findings = jsonl(&reported.stdout()).len();
        // Whatever the format, no findings are printed, and none makes the run fail.
        for format in ["human", "jsonl", "csv", "sarif", "junit", "markdown"] {
            let ran = run(&[
                "validate",
                "--format",
                format,
                "--write-baseline",
                &baseline,
                &file,
            ]);
            assert_eq!((ran.code, ran.stdout()), (Some(0), String::new()));
        }
        // They are written to a file that is asked for.
        let report = scratch.path().join("report").to_str().unwrap().to_owned();
        let ran = run(&[
            "validate",
            "--format",
            "jsonl",
            "-o",
            &report,
            "--write-baseline",
            &baseline,
            &file,
        ]);
        assert_eq!((ran.code, ran.stdout()), (Some(0), String::new()));
        assert_eq!(fs::read_to_string(&report).unwrap(), reported.stdout());
        let written = format!("baseline: {findings} written\n");
        assert!(ran.stderr.contains(&written), "{}", ran.stderr);
        Case { scratch, baseline }
    }

    fn run(&self, file: &str, more: &[&str]) -> Ran {
        let mut words = vec![
            "validate",
            "--format",
            "jsonl",
            "--baseline",
            &self.baseline,
        ];
        words.extend(more);
        words.push(file);
        run(&words)
    }

    /// New findings in `text` under this file name, and the number of known and of vanished ones.
    fn check(&self, name: &str, text: &[u8]) -> (Vec<Seen>, u64, u64) {
        let file = self.scratch.file(name, text);
        let one = self.run(&file, &["-j", "1"]);
        let many = self.run(&file, &["-j", "7"]);
        assert_eq!((&one.stdout, one.code), (&many.stdout, many.code));
        let counts = one
            .stderr
            .lines()
            .find(|line| line.starts_with("baseline: "))
            .unwrap();
        let numbers: Vec<u64> = counts
            .split([' ', ','])
            .filter_map(|word| word.parse().ok())
            .collect();
        let new = jsonl(&one.stdout());
        let errors = new.iter().any(|seen| seen.code.starts_with('E'));
        assert_eq!(one.code, Some(i32::from(errors)));
        (new, numbers[0], numbers[1])
    }
}

#[test]
fn games_may_come_before_and_after_and_the_file_may_move() {
    let known = games(0..20);
    let case = Case::new("moved", &known);
    let all = 20 * 3;
    assert_eq!(case.check("games.pgn", known.as_bytes()), (vec![], all, 0));
    assert_eq!(
        case.check("elsewhere.pgn", known.as_bytes()),
        (vec![], all, 0)
    );
    let crlf = known.replace('\n', "\r\n");
    assert_eq!(case.check("crlf.pgn", crlf.as_bytes()), (vec![], all, 0));
    let marked = format!("\u{feff}{known}");
    assert_eq!(case.check("bom.pgn", marked.as_bytes()), (vec![], all, 0));
    let packed = zstd::encode_all(known.as_bytes(), 3).unwrap();
    assert_eq!(case.check("games.pgn.zst", &packed), (vec![], all, 0));

    let clean = "[White \"clean\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 *\n\n";
    let more = format!(
        "{clean}\n\n{}{}{clean}{}",
        games(20..21),
        &known,
        games(21..22)
    );
    let (new, found, missed) = case.check("more.pgn", more.as_bytes());
    assert_eq!((new.len(), found, missed), (6, all, 0));
    let lines: Vec<_> = new.iter().map(|seen| seen.line).collect();
    assert_eq!(lines, [14, 14, 15, 188, 188, 189]);

    let (new, found, missed) = case.check("fewer.pgn", games(5..18).as_bytes());
    assert_eq!((new, found, missed), (vec![], 13 * 3, 7 * 3));
}

#[test]
fn what_is_told_once_a_file_may_move_to_another_game() {
    let scratch = Scratch::new("once-a-file");
    let game = |name: &[u8]| [b"[White \"", name, b"\"]\n\n1. e4 *\n\n"].concat();
    let (first, second) = (game(b"M\xfcller"), game(b"Caf\xe9"));
    let baseline = format!("{}.baseline", scratch.file("one.pgn", &first));
    let known = scratch.file("one.pgn", &first);
    let written = run(&[
        "validate",
        "-q",
        "--strict",
        "--select",
        "N005",
        "--write-baseline",
        &baseline,
        &known,
    ]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let more = scratch.file("two.pgn", &[second, first].concat());
    let ran = run(&[
        "validate",
        "-q",
        "--strict",
        "--select",
        "N005",
        "--fail-on",
        "note",
        "--baseline",
        &baseline,
        &more,
    ]);
    assert_eq!((ran.stdout(), ran.code), (String::new(), Some(0)));
    let without = run(&[
        "validate",
        "-q",
        "--select",
        "N005",
        "--fail-on",
        "note",
        &more,
    ]);
    assert_eq!(without.code, Some(1));
}

#[test]
fn a_changed_game_is_another_game() {
    let known = games(0..3);
    let case = Case::new("changed", &known);
    let changed = known.replace("[Event \"1\"]", "[Event \"One\"]");
    let (new, found, missed) = case.check("games.pgn", changed.as_bytes());
    assert_eq!((new.len(), found, missed), (3, 6, 3));
    // A different fault at the same text of the same game.
    let changed = known.replacen("Ke3 )", "Ke3 ) )", 1);
    let (new, found, missed) = case.check("games.pgn", changed.as_bytes());
    assert_eq!((new.len(), found, missed), (4, 6, 3));
}

#[test]
fn the_same_game_is_known_as_often_as_it_was_there() {
    let case = Case::new("counted", &game(1).repeat(3));
    let five = game(1).repeat(5);
    let (new, found, missed) = case.check("games.pgn", five.as_bytes());
    assert_eq!((new.len(), found, missed), (2 * 3, 3 * 3, 0));
    // The first are known, the others new.
    assert!(new.iter().all(|seen| seen.line > 18), "{new:?}");
    let (new, found, missed) = case.check("games.pgn", game(1).as_bytes());
    assert_eq!((new, found, missed), (vec![], 3, 2 * 3));
}

#[test]
fn a_baseline_is_sorted_and_the_same_for_any_number_of_threads() {
    let case = Case::new("sorted", &games(0..500));
    let written = fs::read_to_string(&case.baseline).unwrap();
    let file = case.scratch.path().join("games.pgn");
    let again = case
        .scratch
        .path()
        .join("again")
        .to_str()
        .unwrap()
        .to_owned();
    for jobs in ["1", "2", "8"] {
        run(&[
            "validate",
            "-q",
            "-j",
            jobs,
            "--write-baseline",
            &again,
            file.to_str().unwrap(),
        ]);
        assert!(fs::read_to_string(&again).unwrap() == written);
    }
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("{\"arbiter-baseline\":1}"));
    assert_eq!(lines.clone().count(), 1_500);
    let keys: Vec<(String, String)> = lines
        .map(|line| {
            let entry: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| entry[name].as_str().unwrap().to_owned();
            (text("code"), text("game"))
        })
        .collect();
    assert!(keys.is_sorted());
    // One additional game changes three lines.
    let more = case
        .scratch
        .file("games.pgn", (game(999) + &games(0..500)).as_bytes());
    run(&["validate", "-q", "--write-baseline", &again, &more]);
    let after = fs::read_to_string(&again).unwrap();
    assert_eq!(after.lines().count(), written.lines().count() + 3);
    assert_eq!(
        after.lines().filter(|line| written.contains(line)).count(),
        1_501
    );
}

#[test]
fn a_baseline_may_be_brought_up_to_date_in_place() {
    let case = Case::new("updated", &games(0..4));
    let file = case.scratch.file("games.pgn", games(2..6).as_bytes());
    let ran = case.run(&file, &["--write-baseline", &case.baseline]);
    assert_eq!((ran.code, ran.stdout()), (Some(0), String::new()));
    assert!(
        ran.stderr.contains("6 known and not reported"),
        "{}",
        ran.stderr
    );
    let (new, found, missed) = case.check("games.pgn", games(2..6).as_bytes());
    assert_eq!((new, found, missed), (vec![], 12, 0));
}

#[test]
fn a_run_that_is_not_complete_leaves_the_old_baseline() {
    let case = Case::new("incomplete", &games(0..2));
    let before = fs::read(&case.baseline).unwrap();
    let new = case.scratch.path().join("new").to_str().unwrap().to_owned();
    let file = case.scratch.file("other.pgn", game(7).as_bytes());
    for baseline in [&case.baseline, &new] {
        let ran = run(&[
            "validate",
            "--write-baseline",
            baseline,
            &file,
            "missing.pgn",
        ]);
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.stderr.contains("baseline: not written"),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(fs::read(&case.baseline).unwrap(), before);
    assert!(!fs::exists(&new).unwrap());
}

#[test]
fn sarif_says_that_what_is_not_in_the_baseline_is_new() {
    let case = Case::new("sarif", &game(1));
    let file = case.scratch.file("games.pgn", games(0..2).as_bytes());
    let ran = run(&[
        "validate",
        "-q",
        "--format",
        "sarif",
        "--baseline",
        &case.baseline,
        &file,
    ]);
    let log: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    let mut prints = Vec::new();
    for result in results {
        assert_eq!(result["baselineState"], "new");
        prints.push(
            result["partialFingerprints"]["findingInGame/v1"]
                .as_str()
                .unwrap(),
        );
    }
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), 3);
}

#[test]
fn what_cannot_be_used_as_a_baseline_is_refused() {
    let scratch = Scratch::new("refused");
    let games = scratch.file("games.pgn", game(1).as_bytes());
    let bad = scratch.file("bad", b"{\"arbiter-baseline\":1}\n{\"code\":3}\n");
    let latin = scratch.file("latin", b"{\"arbiter-baseline\":1}\nM\xfcller\n");
    let no_folder = scratch
        .path()
        .join("no/folder")
        .to_str()
        .unwrap()
        .to_owned();
    let check = |words: &[&str], expected: &str| {
        let all: Vec<_> = ["validate", "-q"].iter().chain(words).copied().collect();
        let ran = run(&all);
        assert_eq!(
            (ran.code, ran.stdout()),
            (Some(2), String::new()),
            "{words:?}"
        );
        assert!(ran.stderr.contains(expected), "{words:?}: {}", ran.stderr);
        assert_eq!(fs::read(&games).unwrap(), game(1).as_bytes());
    };
    check(&["--baseline", "missing", &games], "cannot open `missing`");
    check(&["--baseline", &bad, &games], "bad`: line 2: invalid entry");
    check(&["--baseline", &latin, &games], "byte 24 is not UTF-8");
    check(&["--baseline", &games, &games], "line 1: not a baseline");
    check(
        &["--write-baseline", &games, &games],
        "it is an input as well",
    );
    check(&["--write-baseline", &no_folder, &games], "cannot write");
    check(
        &["-o", &bad, "--baseline", &bad, &games],
        "names the file of the baseline",
    );
    check(
        &["-o", &no_folder, "--write-baseline", &no_folder, &games],
        "names the file of the baseline",
    );
    // The file was not truncated.
    assert!(fs::metadata(&bad).unwrap().len() > 0);
}
