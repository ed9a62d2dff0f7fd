//! Findings of `validate` in real files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arbiter::chess::Position;
use arbiter::findings::{Checks, GameStatus, check};
use arbiter::input::{Buffers, Encoding, Search, expand};
use arbiter::replay::Reader;

use crate::arbiter_command::run;
use crate::corpus;

fn path(name: &str) -> Option<String> {
    Some(corpus::path(name)?.to_str().unwrap().to_owned())
}

/// Exit code and output lines of `validate`, without the file name.
fn findings(path: &str) -> (Option<i32>, Vec<String>) {
    let ran = run(&["validate", "-q", "--format", "concise", path]);
    let lines = ran
        .stdout()
        .lines()
        .map(|line| line.strip_prefix(path).unwrap().to_owned())
        .collect();
    (ran.code, lines)
}

#[test]
fn two_real_games_with_illegal_moves() {
    let Some(path) = path("tricky/real_games_with_illegal_moves.pgn") else {
        return;
    };
    let (code, lines) = findings(&path);
    assert_eq!(code, Some(1));
    assert_eq!(
        lines,
        [
            ":16:15: error[E201] `Qxe1` is illegal: e1 is taken by one's own king (game 1, 31.Qxe1)",
            ":34:15: error[E201] `Bf3` is illegal: no bishop can reach f3 (game 2, 38.Bf3)",
        ]
    );
}

/// Checks that every move is legal, with `others` unrelated findings.
fn check_moves(name: &str, games: &str, others: usize) {
    let Some(path) = path(name) else {
        return;
    };
    let (_, lines) = findings(&path);
    let about_moves =
        |line: &&String| line.contains("[E2") || line.contains("[E4") || line.contains("[E0");
    assert_eq!(lines.iter().find(about_moves), None, "{name}");
    assert_eq!(lines.len(), others, "{name}: {lines:#?}");
    let ran = run(&["validate", "--format", "concise", &path]);
    assert!(ran.stderr.contains(games), "{name}: {}", ran.stderr);
}

#[test]
fn every_move_of_masters_and_weekly_games_is_legal() {
    // Masters: 3 results contradict a mate or stalemate, 53 games continue after an automatic end,
    // 19 end with a contradicting king move, 5 dates have a bad month, 1 name is Latin-1.
    check_moves(
        "bulk/masters_dense.pgn.zst",
        "games: 89034 seen = 88968 clean + 66 with",
        67,
    );
    check_moves("bulk/twic1427.pgn", "41 with findings + 0 unreadable", 41);
}

#[test]
fn every_standard_and_chess960_game_of_lichess_is_legal() {
    // One note each: 26 games of other variants, two games without moves.
    check_moves(
        "bulk/lichess_clk_eval_10k_games.pgn.zst",
        "28 with findings + 0 unreadable",
        28,
    );
}

#[test]
fn every_file_ends_without_a_panic() {
    for folder in ["bulk", "tricky", "outcomes"] {
        let Some(path) = path(folder) else {
            return;
        };
        for command in [
            &["validate", "--format", "human"][..],
            &["replay", "--format", "fen"],
            &["stats"],
            &["adjudicate"],
        ] {
            let ran = run(&command.iter().copied().chain([&*path]).collect::<Vec<_>>());
            assert!(
                ran.code.is_some_and(|code| code <= 2),
                "{command:?} {folder}: {}",
                ran.stderr
            );
            assert!(
                ran.stderr.contains("games: "),
                "{command:?} {folder}: {}",
                ran.stderr
            );
        }
    }
}

/// All files below a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_byte_belongs_to_a_game_or_is_named() {
    let initial = Position::initial();
    let mut reader = Reader::new();
    let (mut texts, mut left_out) = (0, 0);
    for folder in ["bulk", "tricky", "outcomes"] {
        let Some(folder) = corpus::path(folder) else {
            return;
        };
        for path in files(&folder) {
            let (sources, errors) = expand(std::slice::from_ref(&path), &Search::default());
            assert!(errors.is_empty());
            for (source, text) in sources[0].members(Arc::default(), 2) {
                let Ok(mut stream) = text else {
                    left_out += 1;
                    continue;
                };
                texts += 1;
                let encoding = stream.encoding;
                let mut in_games = 0;
                let mut error = None;
                for chunk in source.chunks(&mut stream, 1 << 16, Buffers::default()) {
                    let chunk = match chunk {
                        Ok(chunk) => chunk,
                        Err(why) => {
                            error = Some(why);
                            continue;
                        }
                    };
                    for text in chunk.games() {
                        assert_eq!(text.origin.byte.0, in_games);
                        in_games += text.bytes.len() as u64;
                        let game = reader.read(text.bytes, text.unclosed_comment);
                        let mut found = Vec::new();
                        let checks = Checks::default();
                        let verdict = check(game, text.bytes, &initial, &checks, &mut found);
                        // Text between games has its own finding.
                        assert!(verdict != GameStatus::Unreadable || !found.is_empty());
                    }
                }
                let name = source.name();
                match error {
                    None => assert_eq!(stream.delivered, in_games, "{name}"),
                    // These files contain no games.
                    Some(error) => assert!(in_games == 0, "{error}"),
                }
                let stored = std::fs::read(&path).unwrap();
                let expected = match path.extension().and_then(|end| end.to_str()) {
                    Some("zst") => zstd::decode_all(&stored[..]).unwrap().len(),
                    Some("zip" | "bz2") => continue,
                    _ => stored.len(),
                };
                assert_eq!(encoding, Encoding::BYTES, "{name}");
                assert_eq!(stream.delivered, expected as u64, "{name}");
            }
        }
    }
    // Archives of an unsupported format, tar files, and a binary file.
    assert!(texts > 150, "{texts}");
    assert_eq!(left_out, 5);
}
