//! What `validate` says of real files.

use crate::arbiter_command::run;
use crate::corpus;

fn path(name: &str) -> Option<String> {
    Some(corpus::path(name)?.to_str().unwrap().to_owned())
}

/// The lines `validate` prints of a file; the file's name is left out.
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

/// Every move is found legal; `others` findings are about something else.
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
    // Three results of the masters' file contradict a mate or stalemate on the board; in 53 games play goes on after the
    // rules have ended it, 19 end with a move that gives away what the result denies, and five dates have no such month.
    check_moves(
        "bulk/masters_dense.pgn.zst",
        "games: 89034 seen = 88954 clean + 80 with",
        80,
    );
    check_moves("bulk/twic1427.pgn", "40 with findings + 0 unreadable", 40);
}

#[test]
fn every_standard_and_chess960_game_of_lichess_is_legal() {
    // 26 games by other rules and two without moves have a note each.
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
