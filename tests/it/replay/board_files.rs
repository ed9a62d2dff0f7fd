//! Files of `replay --board-dir`: one for each position, and never over another file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::arbiter_command::{Ran, Scratch, run};
use crate::report::output_files::{OLD, names};

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
fn pictures_are_named_by_file_game_and_ply() {
    let scratch = Scratch::new("pictures");
    let text = b"1. e4 e5 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    for name in ["a", "b"] {
        fs::create_dir_all(scratch.path().join(name)).unwrap();
    }
    let [g, h, same] = ["a/g.pgn", "x y.pgn", "b/G.pgn"].map(|name| scratch.file(name, text));
    let into = scratch.path().join("boards");
    let folder = into.to_str().unwrap();
    assert_eq!(boards(folder, &["--at", "0-", &g, &h]).code, Some(0));
    let mut expected = BTreeSet::new();
    for file in ["g", "x-y"] {
        for number in ["1-0", "1-1", "1-2", "2-0", "2-1"] {
            expected.insert(format!("{file}-{number}.svg"));
        }
    }
    assert_eq!(BTreeSet::from_iter(names(&into)), expected);
    let ran = boards(folder, &[&g, &same]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains("would have the names of those of"),
        "{ran:?}"
    );
}
