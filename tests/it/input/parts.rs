use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::Command;

use crate::arbiter_command::{Ran, Scratch, binary, command, run, run_with_stdin};
use crate::compressors::{gzip, zip, zstd};
use rawzip::CompressionMethod as Method;

/// Commands with their rows.
const ROWS: [&[&str]; 7] = [
    &["validate", "--strict", "--format", "jsonl"],
    &["validate", "--format", "csv"],
    &["replay", "--format", "csv"],
    &["replay", "--format", "jsonl", "--variations"],
    &["adjudicate", "--format", "csv"],
    &["adjudicate", "--format", "jsonl"],
    &["adjudicate", "--claims", "--format", "csv"],
];

/// Games with faults and without, ends on the board, and a comment that is not closed.
fn games() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/");
    let read = |name| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
    let texts = [
        "famous.pgn",
        "endings.pgn",
        "slips.pgn",
        "findings/E205.pgn",
    ]
    .map(read);
    texts.join("\n").repeat(3)
}

/// A plain file with CRLF and a Latin-1 name, a file of several frames, one that cannot be cut, an
/// empty one, and an archive.
fn inputs(scratch: &Scratch) -> Vec<String> {
    let games = games();
    let mut plain = games.replace('\n', "\r\n").into_bytes();
    plain.extend(b"[Event \"M\xfcller\"]\r\n[Result \"*\"]\r\n\r\n1. e4 *\r\n");
    let frames: Vec<u8> = games.as_bytes().chunks(2_000).flat_map(zstd).collect();
    vec![
        scratch.file("a.pgn", &plain),
        scratch.file("b.pgn.zst", &frames),
        scratch.file("c.pgn.gz", &gzip(games.as_bytes())),
        scratch.file("d.pgn", b""),
        scratch.file(
            "e.zip",
            &archive(&["a.pgn", "b.txt", "c.pgn.gz", "c/d.pgn"]),
        ),
    ]
}

/// Archive with members of these names. A text is none of them.
fn archive(names: &[&str]) -> Vec<u8> {
    let games = games();
    let packed = gzip(games.as_bytes());
    let text = |name: &str| match name.ends_with(".gz") {
        true => &packed[..],
        false => games.as_bytes(),
    };
    let members: Vec<_> = names
        .iter()
        .map(|name| (*name, Method::DEFLATE, text(name)))
        .collect();
    zip(&members)
}

fn with(words: &[&str], more: &[&str], inputs: &[String]) -> Ran {
    let inputs = inputs.iter().map(String::as_str);
    let words = words.iter().chain(more).copied().chain(inputs);
    run(&words.collect::<Vec<_>>())
}

/// Outputs of all parts, one after another.
fn all_parts(words: &[&str], of: usize, inputs: &[String]) -> String {
    let outputs = (1..=of).map(|number| {
        let ran = with(words, &["--part", &format!("{number}/{of}")], inputs);
        assert!(
            matches!(ran.code, Some(0 | 1)),
            "{words:?} {number}: {}",
            ran.stderr
        );
        ran.stdout()
    });
    outputs.collect()
}

#[test]
fn rows_of_the_parts_are_the_rows_of_the_whole() {
    let scratch = Scratch::new("parts-rows");
    let inputs = inputs(&scratch);
    for (nth, of) in [1, 2, 5, 40].into_iter().enumerate() {
        let counts = all_parts(&["stats", "--count"], of, &inputs);
        assert_eq!(counts.lines().count(), of);
        let counts = scratch.file("counts", counts.as_bytes());
        for words in ROWS {
            let whole = with(words, &["-j", "2"], &inputs);
            assert!(whole.stderr.contains("d.pgn"), "{}", whole.stderr);
            let jobs = if nth % 2 == 0 { "1" } else { "2" };
            let words = [words, &["-j", jobs, "--counts", &counts]].concat();
            let parts = all_parts(&words, of, &inputs);
            assert!(parts == whole.stdout(), "{words:?} in {of} parts");
            assert!(parts.lines().count() > 3, "{words:?}");
        }
    }
}

/// Files by `--split-by` and `--write-others` of runs over an input, appended by name.
fn files(runs: &[&[&str]], input: &str) -> BTreeMap<OsString, Vec<u8>> {
    let mut files: BTreeMap<_, Vec<u8>> = BTreeMap::new();
    for more in runs {
        let scratch = Scratch::new("parts-of-files");
        let folder = scratch.path().display().to_string();
        let (by_event, others) = (format!("{folder}/{{key}}"), format!("{folder}/.others"));
        let words = [
            "replay",
            "--format=pgn",
            "--where=White~^[A-M]",
            "--split-by=event",
            "-o",
            &by_event,
            "--write-others",
            &others,
        ];
        let ran = with(&words, more, &[input.to_owned()]);
        assert!(matches!(ran.code, Some(0 | 1)), "{more:?}: {}", ran.stderr);
        for entry in std::fs::read_dir(scratch.path()).unwrap() {
            let entry = entry.unwrap();
            let text = std::fs::read(entry.path()).unwrap();
            files.entry(entry.file_name()).or_default().extend(text);
        }
    }
    files
}

#[test]
fn files_of_the_parts_are_those_of_the_whole() {
    let scratch = Scratch::new("parts-files");
    let games = games();
    let wide = games.replace("\n\n[Event", "\n\n\n[Event");
    let frames: Vec<u8> = games.as_bytes().chunks(2_000).flat_map(zstd).collect();
    let unended = games.trim_end().as_bytes();
    for input in [
        scratch.file("a.pgn", wide.as_bytes()),
        scratch.file("b.pgn", unended),
        scratch.file("c.pgn", games.replace('\n', "\r\n").as_bytes()),
        scratch.file("d.pgn.zst", &frames),
        scratch.file("e.pgn.gz", &gzip(unended)),
    ] {
        let whole = files(&[&[]], &input);
        assert!(whole.len() > 5 && whole.values().all(|text| !text.is_empty()));
        for of in [2, 5, 40] {
            let counts = all_parts(&["stats", "--count"], of, std::slice::from_ref(&input));
            let counts = scratch.file("counts", counts.as_bytes());
            let parts: Vec<_> = (1..=of).map(|part| format!("{part}/{of}")).collect();
            let words: Vec<_> = parts
                .iter()
                .map(|part| ["--part", part, "--counts", &counts])
                .collect();
            let words: Vec<_> = words.iter().map(|words| &words[..]).collect();
            assert!(files(&words, &input) == whole, "{input} in {of} parts");
        }
    }
}

#[test]
fn a_part_before_a_damaged_one_is_written() {
    let scratch = Scratch::new("parts-damaged");
    let games = games();
    let frames = games.as_bytes().chunks(2_000);
    let mut frames: Vec<Vec<u8>> = frames.map(zstd).collect();
    let damaged = frames.len() / 2 + 1;
    frames[damaged][9..].fill(0xff);
    let input = scratch.file("a.pgn.zst", &frames.concat());
    let parts = files(&[&["--part", "1/2"]], &input);
    assert!(parts.len() > 5 && parts.values().all(|text| !text.is_empty()));
}

#[test]
fn statistics_of_the_parts_add_up_to_those_of_the_whole() {
    let scratch = Scratch::new("parts-stats");
    let inputs = inputs(&scratch);
    let words = [
        "stats", "--format", "json", "--by", "file", "--by", "white", "--draws",
    ];
    let whole = with(&words, &[], &inputs).stdout();
    for of in [1, 3, 40] {
        let files: Vec<String> = (1..=of)
            .map(|number| {
                let ran = with(&words, &["--part", &format!("{number}/{of}")], &inputs);
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                scratch.file(&format!("{number}.json"), &ran.stdout)
            })
            .collect();
        let merged = with(&["stats", "--format", "json", "--merge"], &[], &files);
        assert!(merged.stdout() == whole, "{of} parts");
    }
}

#[test]
fn bytes_of_the_parts_are_those_of_the_text() {
    let scratch = Scratch::new("parts-bytes");
    let text = games();
    let inputs = [scratch.file("a.pgn", text.as_bytes())];
    // `2.69 kB in 0.003 s (3,112 games/s)`
    let bytes = |ran: &Ran| -> f64 {
        let (before, _) = ran.stderr.split_once("B in ").unwrap();
        let (number, unit) = before.rsplit_once(' ').unwrap();
        let number: f64 = number.rsplit(' ').next().unwrap().parse().unwrap();
        match unit {
            "" => number,
            "k" => number * 1e3,
            "M" => number * 1e6,
            _ => panic!("{unit}"),
        }
    };
    let parts = (1..=7).map(|number| {
        let part = format!("{number}/7");
        bytes(&with(&["stats"], &["--part", &part], &inputs))
    });
    let sum: f64 = parts.sum();
    let whole = text.len() as f64;
    // Three digits are printed of each.
    assert!((sum / whole - 1.0).abs() < 0.005, "{sum} of {whole}");
}

#[test]
fn members_of_an_archive_are_shared() {
    let scratch = Scratch::new("parts-zip");
    let files = |names: &[&str], part: &str| {
        let inputs = [scratch.file("x.zip", &archive(names))];
        let words = ["stats", "--by", "file", "--format", "csv", "--part", part];
        let rows = with(&words, &[], &inputs).stdout();
        names
            .iter()
            .filter(|name| rows.contains(&format!("/{name},")))
            .count()
    };
    let names = ["a.pgn", "b.txt", "c.pgn", "d.pgn.gz", "e.pgn"];
    for of in [1, 2, 3, 5] {
        let parts: Vec<usize> = (1..=of)
            .map(|number| files(&names, &format!("{number}/{of}")))
            .collect();
        assert_eq!(parts.iter().sum::<usize>(), 4);
        assert!(of == 1 || parts.iter().filter(|&&it| it > 0).count() > 1);
    }
    // Members of the same name are numbered, so their archive is not cut.
    assert_eq!(files(&["a.pgn", "b.pgn", "a.pgn"], "2/2"), 0);
    assert_eq!(files(&["a.txt", "b.txt"], "2/2"), 0);
}

#[test]
fn a_part_reads_no_more_than_it_needs() {
    let scratch = Scratch::new("parts-corrupt");
    let mut frames: Vec<Vec<u8>> = games().as_bytes().chunks(3_000).map(zstd).collect();
    let whole: usize = frames.iter().map(Vec::len).sum();
    // The last frame cannot be decompressed.
    let last = frames.last_mut().unwrap();
    let middle = last.len() / 2;
    last[middle..].fill(0xff);
    let inputs = [scratch.file("x.pgn.zst", &frames.concat())];
    let of = whole / 1_000;
    let ran = |number: usize| with(&["stats"], &["--part", &format!("{number}/{of}")], &inputs);
    assert_eq!(ran(1).code, Some(0));
    assert_eq!(ran(of / 2).code, Some(0));
    let failed: Vec<Ran> = (1..=of)
        .map(ran)
        .filter(|ran| ran.code == Some(2))
        .collect();
    assert!((1..=2).contains(&failed.len()), "{}", failed.len());
    assert!(
        failed.iter().all(|ran| ran.stderr.contains("x.pgn.zst`")),
        "{failed:?}"
    );
}

#[test]
fn an_error_at_the_beginning_of_a_part_is_reported() {
    let scratch = Scratch::new("parts-errors");
    let frames: Vec<Vec<u8>> = games().as_bytes().chunks(2_000).map(zstd).collect();
    for broken in 1..frames.len() {
        let mut frames = frames.clone();
        frames[broken][..4].fill(0);
        let inputs = [scratch.file("x.pgn.zst", &frames.concat())];
        for of in 1..=12 {
            let failed = (1..=of).filter(|number| {
                let part = format!("{number}/{of}");
                let ran = with(&["stats"], &["--part", &part], &inputs);
                ran.code == Some(2)
            });
            assert!(
                failed.count() > 0,
                "frame {broken} of {}, {of} parts",
                frames.len()
            );
        }
    }
}

#[test]
fn counts_of_a_file_that_was_changed_are_refused() {
    let scratch = Scratch::new("parts-changed");
    let frame = zstd(games().as_bytes());
    for (name, piece) in [
        ("plain.pgn", games().into_bytes()),
        ("frames.pgn.zst", frame),
    ] {
        let [old, new] = [6, 7].map(|pieces| piece.repeat(pieces));
        let inputs = [scratch.file(name, &old)];
        let counts = all_parts(&["stats", "--count"], 3, &inputs);
        let counts = scratch.file("counts", counts.as_bytes());
        let words = ["replay", "--part", "2/3", "--counts", &counts];
        assert_ne!(with(&words, &[], &inputs).code, Some(2), "{name}");
        scratch.file(name, &new);
        let ran = with(&words, &[], &inputs);
        assert_eq!(ran.code, Some(2), "{name}");
        assert!(
            ran.stderr.contains("was the file changed?"),
            "{name}: {}",
            ran.stderr
        );
    }
}

#[test]
fn counts_are_read_even_if_the_part_begins_a_file() {
    let scratch = Scratch::new("parts-broken-counts");
    let inputs = [scratch.file("a.pgn", games().as_bytes())];
    let broken = scratch.file("broken", b"{");
    for counts in [&broken, "missing"] {
        let words = ["validate", "--part", "1/2", "--counts", counts];
        let ran = with(&words, &[], &inputs);
        assert_eq!(ran.code, Some(2), "{counts}");
        assert!(ran.stderr.contains(counts), "{}", ran.stderr);
    }
}

#[test]
fn numbers_that_are_needed_are_asked_for() {
    let scratch = Scratch::new("parts-numbers");
    let text = games();
    let inputs = [
        scratch.file("a.pgn", text.as_bytes()),
        scratch.file("b.pgn", text.as_bytes()),
    ];
    let refused = |words: &[&str], reason: &str| {
        let ran = with(words, &[], &inputs);
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(reason), "{words:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty());
    };
    // The second of two parts begins with the second file.
    assert_eq!(
        with(&["validate", "--part", "2/2"], &[], &inputs).code,
        Some(1)
    );
    for words in [
        &["validate", "--part", "2/3"][..],
        &["stats", "--games", "1-5", "--part", "2/3"],
    ] {
        refused(words, "`--part 2/3` begins within `");
    }
    let counts = all_parts(&["stats", "--count"], 3, &inputs);
    let some = scratch.file("some", counts.lines().nth(1).unwrap().as_bytes());
    refused(
        &["replay", "--part", "3/3", "--counts", &some],
        "`--counts` lacks part 1/3",
    );
    let all = scratch.file("all", counts.as_bytes());
    refused(
        &["replay", "--part", "2/4", "--counts", &all],
        "all`: line 1: part 1/3, not one of 4",
    );
    let other = scratch.file("other", counts.replace("b.pgn", "c.pgn").as_bytes());
    refused(
        &["replay", "--part", "3/3", "--counts", &other],
        "c.pgn`, not `",
    );
    let fewer = counts.replacen("\"stored\":", "\"stored\":1", 1);
    let fewer = scratch.file("fewer", fewer.as_bytes());
    refused(
        &["replay", "--part", "2/3", "--counts", &fewer],
        "was the file changed?",
    );
    let text = scratch.file("text", b"1. e4");
    refused(
        &["replay", "--part", "3/3", "--counts", &text],
        "text`: line 1: ",
    );
    refused(&["replay", "--part", "4/3"], "1/8");
    refused(
        &["validate", "--part", "1/3", "--max-findings", "5"],
        "--max-findings",
    );
    let folder = scratch.path().join("boards");
    let folder = folder.to_str().unwrap();
    let svg = [
        "replay",
        "--part",
        "1/3",
        "--board",
        "svg",
        "--board-dir",
        folder,
    ];
    refused(&svg, "`--board svg`");
    let by_number = ["replay", "--format=pgn", "--split-by=9", "-o", "{key}.pgn"];
    refused(
        &[&by_number[..], &["--part", "1/2"]].concat(),
        "`--split-by N`",
    );
    let stdin = run(&["stats", "--part", "1/2", "-"]);
    assert!(
        stdin.stderr.contains("`--part` needs files"),
        "{}",
        stdin.stderr
    );
}

#[test]
fn only_the_first_part_has_the_header_even_without_text() {
    let scratch = Scratch::new("parts-few-bytes");
    let input = [scratch.file("a.pgn", b"1. e4 e5 *")];
    for words in ROWS {
        let whole = with(words, &[], &input).stdout();
        assert!(whole == all_parts(words, 40, &input), "{words:?}");
    }
}

#[test]
fn counts_are_read_compressed_and_from_stdin() {
    let scratch = Scratch::new("parts-counts");
    let inputs = [scratch.file("a.pgn", games().as_bytes())];
    let path = scratch.file("counts.gz", b"");
    let first = ["stats", "--count", "--part", "1/2"];
    let counts = with(&first, &[], &inputs).stdout();
    with(&first, &["-o", &path], &inputs);
    assert_ne!(std::fs::read(&path).unwrap(), counts.as_bytes());
    let second = ["replay", "--format", "csv", "--part", "2/2"];
    let rows = with(&second, &["--counts", &path], &inputs);
    assert_eq!(rows.code, Some(1), "{}", rows.stderr);
    let piped = [&second[..], &["--counts", "-", &inputs[0]]].concat();
    let piped = run_with_stdin(&piped, counts.into_bytes());
    assert_eq!(piped.stdout(), rows.stdout());
    let games = with(&second, &["--counts", &inputs[0]], &inputs);
    assert_eq!(games.code, Some(2));
    assert!(
        games.stderr.contains("a.pgn`: line 1: "),
        "{}",
        games.stderr
    );
}

#[test]
fn a_part_without_a_player_has_no_pairs() {
    let scratch = Scratch::new("parts-player");
    let game = |white: &str| {
        let tags = format!("[Event \"x\"]\n[White \"{white}\"]\n[Black \"c\"]\n");
        format!("{tags}[Result \"1-0\"]\n\n1. e4 1-0\n\n")
    };
    let inputs = ["a", "b"].map(|it| scratch.file(&format!("{it}.pgn"), game(it).as_bytes()));
    let words = ["stats", "--pairs", "--player", "b"];
    let codes = ["1/2", "2/2"].map(|part| with(&words, &["--part", part], &inputs).code);
    assert_eq!(codes, [Some(0), Some(0)]);
    assert_eq!(with(&words, &[], &inputs[..1]).code, Some(2));
}

#[test]
fn the_line_of_the_manual_for_xargs() {
    let manual = include_str!("../../../src/commands/README.md");
    let binary = binary();
    let folder = binary.parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let scratch = Scratch::new("parts-xargs");
    std::fs::create_dir_all(scratch.path().join("games")).unwrap();
    scratch.file("games/a.pgn", games().as_bytes());
    let blocks: Vec<&str> = manual
        .split("```sh\n")
        .filter(|it| it.starts_with("seq"))
        .collect();
    assert_eq!(blocks.len(), 2);
    let wanted = [
        &["stats", "--by", "year"][..],
        &["replay", "--format", "csv"],
    ];
    for (block, wanted) in blocks.into_iter().zip(wanted) {
        let (script, _) = block.split_once("```").unwrap();
        let ran = Command::new("sh")
            .args(["-c", script])
            .current_dir(scratch.path())
            .env("PATH", format!("{}:{path}", folder.display()))
            .output()
            .unwrap();
        let mut whole = command(wanted);
        let whole = whole
            .arg("games")
            .current_dir(scratch.path())
            .output()
            .unwrap();
        let (ran, whole) = (Ran::from(ran), Ran::from(whole));
        assert_eq!(ran.stdout(), whole.stdout(), "{script}{}", ran.stderr);
    }
}
