//! Files of `replay --board-dir`: one for each position, and never over another file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::arbiter_command::{Ran, Scratch, run};
use crate::output_files::{OLD, names};

/// Writes SVG files of the last positions.
fn boards(folder: &str, more: &[&str]) -> Ran {
    let words = ["replay", "-q", "--board", "svg", "--board-dir", folder];
    run(&[&words, more].concat())
}

#[cfg(unix)]
#[test]
fn board_files_replace_no_input_and_follow_no_link() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new("planted");
    let folder = scratch.path().to_str().unwrap();
    let path = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let game = scratch.file("g.pgn", b"1. e4 *\n");
    let outside = Scratch::new("planted-outside");
    let victim = outside.file("victim", OLD);
    symlink(&victim, path("g-1-1.svg")).unwrap();
    assert_eq!(boards(folder, &[&game]).code, Some(0));
    assert_eq!(fs::read(&victim).unwrap(), OLD);
    assert!(fs::symlink_metadata(path("g-1-1.svg")).unwrap().is_file());
    assert!(fs::read(path("g-1-1.svg")).unwrap().starts_with(b"<svg"));

    // An input with the name of an SVG file, or a link to one.
    let input = scratch.file("g-1-1.svg", b"1. d4 *\n");
    symlink("g-1-1.svg", path("link.pgn")).unwrap();
    for other in [&input, &path("link.pgn")] {
        let ran = boards(folder, &[&game, other]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert_eq!(fs::read(&input).unwrap(), b"1. d4 *\n");
    }
    // The file of settings has the name of one.
    let settings = b"piece-letters = 'english'\n";
    let config = scratch.file("c-1-1.svg", settings);
    let game = scratch.file("c.pgn", b"1. e4 *\n");
    let ran = boards(folder, &["--config", &config, &game]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert_eq!(fs::read(&config).unwrap(), settings);
    // The output coincides with an SVG file.
    let output = path("o-1-1.svg");
    let game = scratch.file("o.pgn", b"1. e4 *\n");
    let ran = boards(&format!("{folder}/."), &["-o", &output, &game]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(!Path::new(&output).exists());
}

#[test]
fn every_position_has_a_picture_of_its_own() {
    let scratch = Scratch::new("pictures");
    let sub = |name: &str| {
        fs::create_dir_all(scratch.path().join(name)).unwrap();
    };
    ["a", "b", "A", "c"].into_iter().for_each(sub);
    let inputs = [
        "a/g.pgn", "b/g.pgn", "A/g.pgn", "a-g.pgn", "c/G.PGN", "x y.pgn", "x?y.pgn",
    ]
    .map(|name| scratch.file(name, b"1. e4 e5 *\n\n[Event \"b\"]\n\n1. d4 *\n"));
    let into = scratch.path().join("boards");
    let words: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let words = [&["--at", "0-"], &words[..]].concat();
    assert_eq!(boards(into.to_str().unwrap(), &words).code, Some(0));
    let names: BTreeSet<String> = names(&into)
        .iter()
        .map(|name| name.to_lowercase())
        .collect();
    assert_eq!(names.len(), inputs.len() * 5);
}

/// A zip archive of stored members with arbitrary names.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in members {
        let mut crc = flate2::Crc::new();
        crc.update(text);
        let size = u32::try_from(text.len()).unwrap().to_le_bytes();
        let mut about = [20, 0, 0, 0, 0, 0, 0, 0, 0, 0].to_vec();
        about.extend(crc.sum().to_le_bytes());
        about.extend(size);
        about.extend(size);
        about.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        about.extend([0, 0]);
        let at = u32::try_from(out.len()).unwrap().to_le_bytes();
        out.extend(b"PK\x03\x04");
        out.extend(&about);
        out.extend(name.bytes());
        out.extend(*text);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&about);
        directory.extend([0; 10]);
        directory.extend(at);
        directory.extend(name.bytes());
    }
    let at = u32::try_from(out.len()).unwrap().to_le_bytes();
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    out.extend(at);
    out.extend([0, 0]);
    out
}

#[test]
fn members_of_any_name_have_pictures_of_their_own() {
    let scratch = Scratch::new("members");
    let long = format!("{}.pgn", "n".repeat(300));
    let longer = format!("{}.pgn", "n".repeat(301));
    let names_in_zip = [
        "d/e.pgn",
        "d-e.pgn",
        "d-e.pgn",
        "D/e.pgn",
        "d e.pgn",
        "d/../../e.pgn",
        &long,
        &longer,
    ];
    let members = names_in_zip.map(|name| (name, &b"1. e4 *\n"[..]));
    let archive = scratch.file("x.zip", &zip(&members));
    let game = scratch.file("x-d-e.pgn", b"1. e4 *\n");
    let mut first = None;
    for jobs in ["1", "3"] {
        let into = scratch.path().join(format!("boards-{jobs}"));
        let ran = boards(into.to_str().unwrap(), &["-j", jobs, &archive, &game]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let found: BTreeSet<String> = names(&into)
            .iter()
            .map(|name| name.to_lowercase())
            .collect();
        assert_eq!(found.len(), names_in_zip.len() + 1);
        assert_eq!(*first.get_or_insert(found.clone()), found);
    }
    assert!(!scratch.path().join("e-1-1.svg").exists());
}
