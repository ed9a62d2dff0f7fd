//! Moves and positions compared with python-chess, if it is installed.

use std::io::Write;
use std::process::Command;

use crate::arbiter_command::binary;
use crate::corpus;

/// Output of a script in `tests`, or `None` if it cannot run.
fn compared(script: &str, more: &[&str]) -> Option<String> {
    let python = |words: &[&str]| {
        let mut command = Command::new("python3");
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(words);
        command.output()
    };
    if !python(&["-c", "import chess"]).is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "skipped, python-chess is not installed");
        return None;
    }
    let arbiter = binary();
    let mut words = vec![script, arbiter.to_str().unwrap()];
    words.extend(more);
    let output = python(&words).unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(said)
}

#[test]
fn python_chess_plays_five_hundred_games_alike() {
    let files = [
        "annotated_variations",
        "bom_eval_emt",
        "chesscom",
        "chesscom_no_blank_lines",
        "cutechess",
        "latin1_crlf",
        "twic1427",
    ];
    let paths: Option<Vec<_>> = files
        .iter()
        .map(|name| corpus::path(&format!("bulk/{name}.pgn")))
        .collect();
    let Some(paths) = paths else {
        return;
    };
    let mut words = vec!["500", "20201"];
    words.extend(paths.iter().map(|path| path.to_str().unwrap()));
    if let Some(said) = compared("tests/python_chess.py", &words) {
        assert!(said.starts_with("500 games agree"), "{said}");
    }
}

#[test]
fn python_chess_plays_chess960_alike() {
    if let Some(said) = compared("tests/python_chess.py", &["100", "960"]) {
        assert!(said.starts_with("100 games agree"), "{said}");
        assert!(
            said.ends_with("; 0 of the games only as far as both play them\n"),
            "{said}"
        );
    }
}

#[test]
fn python_chess_finds_the_games_of_conditions() {
    let Some(path) = corpus::path("bulk/twic1427.pgn") else {
        return;
    };
    let words = [path.to_str().unwrap(), "600"];
    if let Some(said) = compared("tests/python_chess_conditions.py", &words) {
        assert!(said.ends_with("conditions agree on 600 games\n"), "{said}");
    }
}
