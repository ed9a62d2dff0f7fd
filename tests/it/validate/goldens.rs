//! Findings in the test inputs of other PGN programs.
//! `tests/goldens/tricky.txt` records the positions and codes of each file, or its read error.
//!
//! `.ci/bless` (`ARBITER_BLESS=1`) records them again; compare the diff with the inputs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use crate::arbiter_command::run;
use crate::corpus;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/tricky.txt");

/// Files below a folder, as relative paths.
fn files(folder: &Path) -> Vec<String> {
    let mut waiting = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(path);
            }
        }
    }
    let mut names: Vec<_> = found
        .iter()
        .map(|path| path.strip_prefix(folder).unwrap())
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// FEN files are identified by their folders, not by their names.
fn holds_fens(name: &str) -> bool {
    name.contains("corpus-fen/")
        || name.contains("corpus/fen/")
        || name.starts_with("libpgn/fen/src/test/resources/fen")
}

/// Output of `validate` for a file: one finding per line as position and code, errors, exit code.
fn said(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    let path = path.to_str().unwrap();
    let mut words = vec!["validate", "--format", "concise", "--color", "never"];
    if holds_fens(name) {
        words.extend(["--input-format", "fen"]);
    }
    words.push(path);
    let ran = run(&words);
    let mut text = String::new();
    for line in ran.stdout().lines() {
        // The message may quote the input.
        let place = line
            .strip_prefix(path)
            .expect("findings begin with the path");
        let (place, rest) = place.split_once(": ").unwrap();
        let code = &rest[rest.find('[').unwrap() + 1..][..4];
        // The name of an archive member precedes the position.
        writeln!(text, "  {} {code}", place.trim_start_matches(':')).unwrap();
    }
    for line in ran.stderr.lines() {
        if let Some(error) = line.strip_prefix("error: ") {
            writeln!(text, "  {}", error.replace(path, "FILE")).unwrap();
        } else if let Some(games) = line.split_once(" seen") {
            writeln!(text, "  {}, exit {}", games.0, ran.code.unwrap()).unwrap();
        }
    }
    text
}

/// Sections of the golden file, by heading.
fn sections(golden: &str) -> BTreeMap<&str, String> {
    let mut sections = BTreeMap::new();
    let mut name = "";
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with(' ') {
            *sections.entry(name).or_insert_with(String::new) += &format!("{line}\n");
        } else {
            name = line;
            sections.entry(name).or_insert_with(String::new);
        }
    }
    sections
}

#[test]
fn tricky_files_have_the_findings_that_were_read() {
    let Some(folder) = corpus::path("tricky") else {
        return;
    };
    let names = files(&folder);
    assert!(names.len() >= 150, "the corpus has lost files");
    let said: Vec<_> = names.par_iter().map(|name| said(&folder, name)).collect();
    if std::env::var_os("ARBITER_BLESS").is_some() {
        let mut golden = String::from(
            "# The findings of `arbiter validate` in the test inputs of other programs: line:column code.\n",
        );
        for (name, said) in names.iter().zip(&said) {
            write!(golden, "{name}\n{said}").unwrap();
        }
        fs::write(GOLDEN, golden).unwrap();
        return;
    }
    let golden = fs::read_to_string(GOLDEN).unwrap();
    let golden = sections(&golden);
    for (name, said) in names.iter().zip(&said) {
        let expected = golden.get(name.as_str());
        assert_eq!(expected, Some(said), "{name}");
    }
    assert_eq!(golden.len(), names.len(), "a section without its file");
}
