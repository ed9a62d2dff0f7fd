//! `validate --against`: differences between databases.

use std::fs;
use std::path::Path;
use std::process::Command;

use rawzip::CompressionMethod;
use serde_json::Value;

use crate::arbiter_command::{Ran, Scratch, binary, run};
use crate::chess::random_games::Random;
use crate::compressors::zip;

/// A game of a round by players with these names.
fn game(round: usize, tags: &str, moves: &str, result: &str) -> String {
    format!(
        "[Event \"Club\"]\n[Site \"x\"]\n[Date \"2001.05.03\"]\n[Round \"{round}\"]\n\
         [White \"White{round}, A\"]\n[Black \"Black{round}, B\"]\n[Result \"{result}\"]\n{tags}\n\
         {moves} {result}\n\n"
    )
}

const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6";

/// Differences of `new` from `old`.
fn differences(name: &str, old: &str, new: &str, format: &str, jobs: &str) -> Ran {
    let folder = Scratch::new(name);
    folder.file("old.pgn", old.as_bytes());
    folder.file("new.pgn", new.as_bytes());
    let mut command = Command::new(binary());
    let words = [
        "validate",
        "-j",
        jobs,
        "--format",
        format,
        "--against",
        "old.pgn",
        "new.pgn",
    ];
    command.args(words).current_dir(folder.path());
    command.output().unwrap().into()
}

/// The old games 1 to 8, and others: 2 is gone, 4 moved after 7, and 1, 3, 5, 6 and 8 are changed.
fn versions() -> [String; 2] {
    let plain = |round| game(round, "", MOVES, "1-0");
    let old: String = (1..=8).map(plain).collect();
    let new = [
        game(1, "[ECO \"C70\"]\n", MOVES, "1-0"),
        game(3, "", MOVES, "0-1"),
        game(5, "", "1. e4 e5 2. Nf3 Nc6 3. Bc4 a6", "1-0"),
        game(6, "", "1. e4 {best} e5 2. Nf3 Nc6 3. Bb5 a6", "1-0"),
        plain(7).replace(" 2.", "\n2.").replace("\n\n", "\n\n\n"),
        plain(4),
        game(9, "", MOVES, "1-0"),
        game(8, "", "1. e4 e5 2. Nf3 Nc6", "1-0").replace("[Site \"x\"]", "[Site \"y\"]"),
    ];
    [old, new.concat()]
}

#[test]
fn every_kind_of_difference_is_listed() {
    let [old, new] = versions();
    let ran = differences("kinds", &old, &new, "human", "1");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let expected = "\
gone: game 2: White2, A - Black2, B, 2001.05.03, round 2
changed: game 1: White1, A - Black1, B, 2001.05.03, round 1
  ECO: no tag -> \"C70\"
changed: game 3 -> game 2: White3, A - Black3, B, 2001.05.03, round 3
  result: \"1-0\" -> \"0-1\"
changed: game 5 -> game 3: White5, A - Black5, B, 2001.05.03, round 5
  moves from ply 5: 3.Bb5 -> 3.Bc4
changed: game 6 -> game 4: White6, A - Black6, B, 2001.05.03, round 6
  comments, variations, NAGs or notation
moved: game 4 -> game 6: White4, A - Black4, B, 2001.05.03, round 4
added: game 7: White9, A - Black9, B, 2001.05.03, round 9
changed: game 8: White8, A - Black8, B, 2001.05.03, round 8
  Site: \"x\" -> \"y\"
  moves from ply 5: 3.Bb5 -> the end
";
    assert_eq!(ran.stdout(), expected);
    assert!(
        ran.stderr
            .contains("8 old, 8 new; 1 gone, 1 added, 1 moved, 5 changed"),
        "{}",
        ran.stderr
    );
    let rows = differences("rows", &old, &new, "jsonl", "3").stdout();
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let changes: Vec<_> = rows
        .iter()
        .map(|row| row["change"].as_str().unwrap())
        .collect();
    assert_eq!(
        changes,
        [
            "gone", "tag", "result", "moves", "text", "moved", "added", "tag", "moves"
        ]
    );
    let moves = &rows[3];
    assert_eq!(
        (&moves["ply"], &moves["old"], &moves["new"]),
        (&5.into(), &"3.Bb5".into(), &"3.Bc4".into())
    );
    assert_eq!(
        (&moves["old_game"], &moves["new_game"]),
        (&5.into(), &3.into())
    );
    assert_eq!(rows[0]["new_game"], Value::Null);
    let csv = differences("csv", &old, &new, "csv", "1").stdout();
    assert!(
        csv.starts_with("change,old_file,old_game,new_file,new_game,white,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 1 + rows.len());
}

#[test]
fn changes_of_the_result_are_named() {
    let old = game(1, "", MOVES, "1-0");
    let end = "a6 1-0";
    let untagged = |text: &str| text.replace("[Result \"1-0\"]\n", "");
    for (nth, (old, new, expected)) in [
        (
            old.clone(),
            old.replace(end, "a6 0-1"),
            "\"1-0\" -> \"0-1\"",
        ),
        (old.clone(), old.replace(end, "a6 *"), "\"1-0\" -> \"*\""),
        (old.clone(), old.replace(end, "a6"), "\"1-0\" -> no mark"),
        (old.clone(), untagged(&old), "\"1-0\" -> no tag"),
        (
            untagged(&old),
            untagged(&old).replace(end, "a6 0-1"),
            "\"1-0\" -> \"0-1\"",
        ),
        (
            old.clone(),
            game(1, "", MOVES, "*").replace("a6 *", "a6"),
            "\"1-0\" -> \"*\"\n  result: \"1-0\" -> no mark",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let ran = differences(&format!("result{nth}"), &old, &new, "human", "1");
        let changed = "changed: game 1: White1, A - Black1, B, 2001.05.03, round 1\n  result: ";
        assert_eq!(ran.stdout(), format!("{changed}{expected}\n"), "{nth}");
        assert_eq!(ran.code, Some(1));
    }
}

#[test]
fn moves_are_numbered_however_large_the_first_number_is() {
    let fen = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 4000000000\"]\n";
    let [old, new] = ["e4", "e3"].map(|to| game(1, fen, to, "*"));
    let ran = differences("number", &old, &new, "human", "1");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let expected = "  moves from ply 1: 4000000000.e4 -> 4000000000.e3\n";
    assert!(ran.stdout().ends_with(expected), "{}", ran.stdout());
}

#[test]
fn equal_moves_from_other_positions_do_not_differ() {
    let [old, new] = ["KQ", "K"].map(|castling| {
        let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {castling} - 0 1");
        game(
            1,
            &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"),
            "1. O-O Kd8 2. Rb1",
            "*",
        )
    });
    let ran = differences("castling", &old, &new, "human", "1");
    let stdout = ran.stdout();
    assert!(
        stdout.contains("  FEN: ") && !stdout.contains("moves"),
        "{stdout}"
    );
    let new = new.replace("Rb1", "Rd1+");
    let ran = differences("castling-moves", &old, &new, "human", "1");
    let expected = "  moves from ply 3: 2.Rb1 -> 2.Rd1+\n";
    assert!(ran.stdout().ends_with(expected), "{}", ran.stdout());
}

#[test]
fn texts_that_are_not_compared_are_counted() {
    let old = game(1, "", MOVES, "*");
    let new = format!("{old}some words that are no game at all\n");
    let ran = differences("not-compared", &old, &new, "human", "1");
    assert_eq!((ran.code, ran.stdout()), (Some(0), String::new()));
    let said = "0 changed; unreadable and not compared: 0 old, 1 new;";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn games_of_other_addresses_are_other_games() {
    let at = |page: &str, moves: &str| {
        let address = format!("\"https://lichess.org/{page}\"");
        game(1, "", moves, "*").replace("\"x\"", &address)
    };
    let old = at("a", "1. e4 e5") + &at("b", "1. d4 d5");
    let new = at("b", "1. d4 d6") + &at("c", "1. c4");
    let ran = differences("address", &old, &new, "jsonl", "1");
    let changes: Vec<_> = ran
        .stdout()
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).unwrap())
        .map(|row| (row["change"].clone(), row["old_game"].clone()))
        .collect();
    let expected = [
        ("gone".into(), 1.into()),
        ("moves".into(), 2.into()),
        ("added".into(), Value::Null),
    ];
    assert_eq!(changes, expected);
}

#[test]
fn text_that_is_not_pgn_is_no_game() {
    let text = "# Notes\n\nThese are words about chess, and no game is among all of them.\n";
    let old = game(1, "", MOVES, "*");
    for [old, new] in [[&old[..], text], [text, &old]] {
        let ran = differences("text", old, new, "human", "1");
        assert_eq!((ran.code, ran.stdout()), (Some(2), String::new()));
        assert!(ran.stderr.contains("no game found in"), "{}", ran.stderr);
    }
    let manual = include_str!("../../../README.md");
    let ran = differences("manual", manual, &old, "human", "1");
    assert_eq!(ran.code, Some(2), "{}", ran.stdout());
    for [old, new] in [[&old[..], ""], ["", &old]] {
        let ran = differences("none", old, new, "human", "1");
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    }
}

#[test]
fn null_moves_are_played_if_they_are_asked_for() {
    let of = |moves| game(1, "", moves, "*");
    let folder = Scratch::new("against-null");
    let old = folder.file("old.pgn", of("1. e4 -- 2. Nf3 Nf6").as_bytes());
    let new = folder.file("new.pgn", of("1. e4 -- 2. Ng1f3 Nf6").as_bytes());
    for (more, expected) in [
        (&[][..], "moves from ply 3: 2.Nf3 -> 2.Ng1f3"),
        (&["--null-moves"], "comments, variations, NAGs or notation"),
    ] {
        let words = [&["validate", "-q", "--against", &old, &new], more].concat();
        let ran = run(&words);
        assert_eq!(ran.code, Some(1));
        assert!(ran.stdout().contains(expected), "{}", ran.stdout());
    }
}

#[test]
fn tags_of_conditions_that_occur_in_no_game_are_noted() {
    let folder = Scratch::new("against-where");
    let old = folder.file("old.pgn", game(1, "", MOVES, "*").as_bytes());
    let new = folder.file("new.pgn", game(1, "[ECO \"C60\"]\n", MOVES, "*").as_bytes());
    let note = |condition: &str| {
        let words = ["validate", "--against", &old, "--where", condition, &new];
        let ran = run(&words);
        let notes = ran.stderr.lines().filter(|line| line.starts_with("note:"));
        notes.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        note("Whit=x"),
        "note: the tag `Whit` of --where occurs in no game that was read; did you mean `White`?"
    );
    let ran = run(&["validate", "--against", &old, "--games", "7", &new]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no game is chosen"), "{}", ran.stderr);
    // It occurs in the new games only.
    assert_eq!(note("ECO=C60"), "");
}

#[test]
fn tags_that_are_not_filled_in_are_missing() {
    let game = |tags: &str, moves: &str| format!("[White \"A\"]\n{tags}\n{moves} 1-0\n");
    let values = [
        "[Date \"\"]\n",
        "[Date \"?\"]\n",
        "[Date \"????.??.??\"]\n",
        "",
    ];
    for old in values {
        for new in values {
            let [old, new] = [old, new].map(|tag| game(tag, "1. e4"));
            let ran = differences("unfilled", &old, &new, "csv", "1");
            assert_eq!(ran.code, Some(0), "{old} {new}: {}", ran.stdout());
        }
        // The tag is that of the same game.
        let [old, new] = [(old, "1. e4"), ("", "1. d4")].map(|(tag, moves)| game(tag, moves));
        let ran = differences("unfilled", &old, &new, "human", "1");
        assert!(ran.stdout().contains("1.e4"), "{}", ran.stdout());
        for known in ["[Date \"1999.??.??\"]\n", "[Date \"-\"]\n"] {
            let ran = differences("unfilled", &old, &game(known, "1. e4"), "csv", "1");
            assert_eq!(ran.code, Some(1), "{old} {known}");
        }
    }
}

#[test]
fn games_of_an_archive_are_named_with_their_member() {
    let folder = Scratch::new("against-archive");
    let text = game(1, "", MOVES, "*");
    let old = folder.file("old.pgn", text.as_bytes());
    let other = game(2, "", MOVES, "*");
    let member = |name, text| (name, CompressionMethod::STORE, text);
    let members = [
        member("a.pgn", text.as_bytes()),
        member("b.pgn", other.as_bytes()),
    ];
    let new = folder.file("new.zip", &zip(&members));
    let ran = run(&["validate", "-q", "--against", &old, &new]);
    let expected = format!("added: game 1 of {new}/b.pgn: ");
    assert!(ran.stdout().starts_with(&expected), "{}", ran.stdout());
}

#[test]
fn equal_databases_differ_in_nothing() {
    let [old, _] = versions();
    let spaced = old
        .replace("\n\n1.", "\n\n\n1.")
        .replace(" 3. Bb5", "\n3. Bb5")
        .replace('\n', "\r\n");
    let ran = differences("equal", &old, &spaced, "human", "1");
    assert_eq!(
        (ran.code, ran.stdout()),
        (Some(0), String::new()),
        "{}",
        ran.stderr
    );
    let none = run(&["validate", "-q", "--against", "/dev/null", "/dev/null"]);
    assert_eq!(
        (none.code, none.stdout()),
        (Some(0), String::new()),
        "{}",
        none.stderr
    );
    let missing = run(&["validate", "--against", "no.pgn", "fixtures/famous.pgn"]);
    assert_eq!(missing.code, Some(2));
    let added = run(&[
        "validate",
        "-q",
        "--against",
        "/dev/null",
        "fixtures/famous.pgn",
    ]);
    assert_eq!(added.code, Some(1));
    assert_eq!(
        added
            .stdout()
            .lines()
            .filter(|line| line.starts_with("added"))
            .count(),
        5
    );
}

#[test]
fn games_in_any_order_are_moved_only() {
    let random = &mut Random(3);
    let games: Vec<_> = (1..=60)
        .map(|round| game(round % 50, "", MOVES, "*"))
        .collect();
    for seed in 0..20 {
        let mut left = games.clone();
        let mut shuffled = String::new();
        while !left.is_empty() {
            shuffled += &random.draw(&mut left);
        }
        let ran = differences(
            &format!("order{seed}"),
            &games.concat(),
            &shuffled,
            "jsonl",
            "2",
        );
        for row in ran.stdout().lines() {
            assert!(row.starts_with("{\"change\":\"moved\""), "{row}");
        }
        assert_eq!(ran.code, Some(1));
    }
}

fn git(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new("git");
    let path = std::env::var("PATH").unwrap();
    let own = binary();
    let ran = command
        .args(words)
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:{path}", own.parent().unwrap().display()),
        )
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "x")
        .env("GIT_AUTHOR_EMAIL", "x@example.com")
        .env("GIT_COMMITTER_NAME", "x")
        .env("GIT_COMMITTER_EMAIL", "x@example.com")
        .output()
        .unwrap();
    assert!(ran.status.success(), "{words:?}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// The lines of `git config` in the manual, which set the diff driver and the tool.
fn settings_of_the_manual() -> Vec<Vec<String>> {
    let manual = include_str!("../../../src/commands/validate/README.md");
    let lines = manual
        .lines()
        .filter(|line| line.starts_with("git config "));
    let words = |line: &str| {
        let (name, value) = line["git config ".len()..].split_once(' ').unwrap();
        vec![
            "config".to_owned(),
            name.to_owned(),
            value.trim_matches('\'').to_owned(),
        ]
    };
    lines.map(words).collect()
}

#[test]
#[cfg(unix)]
fn git_shows_differences_of_games() {
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: git is not installed");
        return;
    }
    let folder = Scratch::new("git");
    let path = folder.path();
    git(path, &["init", "-q"]);
    let settings = settings_of_the_manual();
    assert_eq!(settings.len(), 2);
    for words in &settings {
        git(path, &words.iter().map(String::as_str).collect::<Vec<_>>());
    }
    fs::write(path.join(".gitattributes"), "*.pgn diff=pgn\n").unwrap();
    let [old, new] = versions();
    fs::write(path.join("games.pgn"), &old).unwrap();
    git(path, &["add", "."]);
    git(path, &["commit", "-q", "-m", "old"]);
    // Spaces and line ends are no difference.
    fs::write(path.join("games.pgn"), old.replace(" 2. Nf3", "\n2. Nf3")).unwrap();
    assert_eq!(git(path, &["diff"]), "");
    // A move that cannot be played does not keep the game from being shown.
    fs::write(path.join("games.pgn"), new.replacen("Bc4 a6", "Bc4 Ka6", 1)).unwrap();
    let diff = git(path, &["diff"]);
    assert!(diff.contains("\n+[ECO \"C70\"]\n"), "{diff}");
    assert!(
        diff.contains("\n-1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n"),
        "{diff}"
    );
    assert!(diff.contains("{best}"), "{diff}");
    // Changes after such a move are shown, and those of an empty file.
    let unplayable = new.replacen("Bc4 a6", "Bc4 Ka6 4. d3", 1);
    fs::write(path.join("games.pgn"), &unplayable).unwrap();
    git(path, &["add", "."]);
    fs::write(path.join("games.pgn"), unplayable.replace("4. d3", "4. d4")).unwrap();
    let diff = git(path, &["diff"]);
    assert!(
        diff.contains("\n+1. e4 e5 2. Nf3 Nc6 3. Bc4 Ka6 4. d4 1-0"),
        "{diff}"
    );
    fs::write(path.join("games.pgn"), "").unwrap();
    let diff = git(path, &["diff"]);
    assert!(diff.contains("\n-[Event \"Club\"]\n"), "{diff}");
    git(path, &["reset", "-q"]);
    fs::write(path.join("games.pgn"), &new).unwrap();
    let listed = git(path, &["difftool", "--no-prompt", "--tool", "arbiter"]);
    assert!(
        listed.contains("moves from ply 5: 3.Bb5 -> 3.Bc4"),
        "{listed}"
    );
    assert!(
        listed.contains("gone: game 2: White2, A - Black2, B"),
        "{listed}"
    );
}

#[test]
fn added_games_are_written_as_they_are_stored() {
    let scratch = Scratch::new("against-added");
    let game = |white: &str, moves: &str| {
        format!("[White \"{white}\"]\r\n[Black \"b\u{fc}\"]\r\n\r\n{moves} *\r\n\r\n")
    };
    let [one, two, three, four] = [
        game("A", "1. e4 e5"),
        game("B", "1. d4 {caf\u{e9}} d5"),
        game("C", "1. c4 c5"),
        game("D", "1. Nf3 Nf6"),
    ];
    let old = scratch.file(
        "old.pgn",
        (three.clone() + &one).replace("1. c4", "1 c2c4").as_bytes(),
    );
    let first = scratch.file("a.pgn", (one + &two).as_bytes());
    let second = scratch.file("b.pgn", format!("\r\n{four}{three}").as_bytes());
    let added = scratch.file("added.pgn", b"old");
    let words = [
        "validate",
        "--against",
        &old,
        "--write-added",
        &added,
        &first,
        &second,
    ];
    let ran = run(&words);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 added"), "{}", ran.stderr);
    assert_eq!(
        fs::read_to_string(&added).unwrap(),
        format!("{two}\r\n{four}")
    );
    let same = [
        "validate",
        "-q",
        "--against",
        &old,
        "--write-added",
        &added,
        &old,
    ];
    assert_eq!(run(&same).code, Some(0));
    assert_eq!(fs::read(&added).unwrap(), b"");
    let own = [
        "validate",
        "--against",
        &old,
        "--write-added",
        &first,
        &first,
    ];
    assert_eq!(run(&own).code, Some(2));
    assert_eq!(
        run(&["validate", "--write-added", &added, &first]).code,
        Some(2)
    );
}
