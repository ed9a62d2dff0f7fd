//! `validate --fix` over real files.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::arbiter_command::{Scratch, run};
use crate::corpus;
use crate::validate::fix_reports::findings_of;
use crate::validate::fixes::{codes_of, strict_codes};
use crate::validate::real_files::files;

/// Words of the games in export format, without results and repeated tags.
fn words(path: &str) -> Vec<String> {
    let flags = [
        "replay",
        "-q",
        "--format",
        "pgn",
        "--variations",
        "--keep",
        "all",
    ];
    let ran = run(&[&flags[..], &[path]].concat());
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let mut lines: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with("[Result "))
        .collect();
    lines.dedup();
    let words = lines.iter().flat_map(|line| line.split_whitespace());
    let is_result = |word: &&str| ["1-0", "0-1", "1/2-1/2", "*"].contains(word);
    words
        .filter(|word| !is_result(word))
        .map(str::to_owned)
        .collect()
}

/// The games in the first bytes of a compressed file.
fn first_games(path: &Path) -> Vec<u8> {
    const MOST: u64 = 2 << 20;
    let decoder = zstd::Decoder::new(fs::File::open(path).unwrap()).unwrap();
    let mut text = Vec::new();
    decoder.take(MOST).read_to_end(&mut text).unwrap();
    if text.len() as u64 == MOST {
        let end = memchr::memmem::rfind(&text, b"\n[Event ").unwrap();
        text.truncate(end + 1);
    }
    text
}

#[test]
fn real_files_keep_all_but_what_is_fixed() {
    let scratch = Scratch::new("fix-real");
    let (Some(tricky), Some(bulk)) = (corpus::path("tricky"), corpus::path("bulk")) else {
        return;
    };
    let mut seen = BTreeSet::new();
    let rules = run(&["validate", "--codes"]).stdout().to_owned();
    let fixable: BTreeSet<_> = rules
        .lines()
        .filter_map(|line| line.strip_suffix("[fix]")?.split_whitespace().next())
        .collect();
    let sample = PathBuf::from(scratch.file("sample.pgn", b""));
    for path in files(&tricky).into_iter().chain(files(&bulk)) {
        let path = match path.extension().and_then(|end| end.to_str()) {
            Some("pgn") => path,
            Some("zst") => {
                fs::write(&sample, first_games(&path)).unwrap();
                sample.clone()
            }
            _ => continue,
        };
        let input = path.to_str().unwrap();
        let output = scratch.file("fixed.pgn", b"");
        let ran = run(&[
            "validate",
            "--strict",
            "--fix",
            "--write-fixed",
            &output,
            input,
        ]);
        if ran.stderr.contains("no game") {
            continue;
        }
        let text = fs::read(&output).unwrap();
        let one = run(&["validate", "-q", "--strict", "--fix", "-j", "1", input]);
        assert!(one.stdout == text, "{input}: -j 1");
        let codes = codes_of(&ran);
        let fixed = codes.split(", ").filter_map(|one| one.split_once(' '));
        let fixed = fixed.map(|(_, code)| code);
        if codes == "nothing" {
            assert!(text == fs::read(&path).unwrap(), "{input}");
            continue;
        }
        let again = run(&["validate", "--strict", "--fix", &output]);
        assert_eq!(codes_of(&again), "nothing", "{input}");
        assert!(again.stdout == text, "{input}");
        // A repair may also end a finding that has none, such as that on a blank beside a tag pair.
        let repaired = fixed.filter(|code| fixable.contains(code));
        let refused = ran
            .stderr
            .lines()
            .find(|line| line.starts_with("not fixed, as other"));
        let is_left = |code: &str| refused.is_some_and(|line| line.contains(code));
        let repaired: Vec<_> = repaired.filter(|code| !is_left(code)).collect();
        let select = repaired.join(",");
        let left = run(&[
            "validate", "-q", "--format", "concise", "--select", &select, &output,
        ]);
        assert_eq!(left.stdout(), "", "{input}: {codes}");
        let before = strict_codes(input);
        for (code, count) in strict_codes(&output) {
            assert!(before.get(&code) >= Some(&count), "{input}: {code}");
        }
        // Text beside a tag pair becomes a comment.
        let adds_comments = codes.contains("W131");
        assert!(adds_comments || words(input) == words(&output), "{input}");
        seen.extend(repaired.into_iter().map(str::to_owned));
    }
    for code in ["N230", "N234", "N245", "N246", "W107", "W215"] {
        assert!(seen.contains(code), "{code}: {seen:?}");
    }
}

#[test]
fn as_many_findings_are_repaired_in_real_files_as_are_reported() {
    let Some(bulk) = corpus::path("bulk") else {
        return;
    };
    let mut repaired = 0;
    for path in files(&bulk) {
        if path.extension().is_none_or(|end| end != "pgn") {
            continue;
        }
        let input = path.to_str().unwrap();
        let line = findings_of(&run(&["validate", "--fail-on", "never", input]));
        let number = |part: &str| part.split(' ').next().unwrap().parse::<u64>().unwrap();
        let mut parts = line
            .split("; ")
            .filter(|part| part.ends_with(" can be repaired by --fix"));
        let told = parts.next().map_or(0, number);
        let codes = codes_of(&run(&["validate", "--fix", "-o", "/dev/null", input]));
        let fixed: u64 = match &*codes {
            "nothing" => 0,
            codes => codes.split(", ").map(number).sum(),
        };
        assert_eq!(told, fixed, "{input}: {line}");
        repaired += fixed;
    }
    assert_eq!(repaired, 23);
}
