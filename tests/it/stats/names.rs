//! `--names`: the spellings of a player under one name.

use crate::arbiter_command::{Scratch, run};

const GAMES: &str = "\
    [White \"Carlsen,M\"]\n[Black \"Anand, V\"]\n[Result \"1-0\"]\n\n1. e4 {book} 1-0\n\n\
    [White \"Anand, V\"]\n[Black \"Magnus Carlsen\"]\n[Result \"1-0\"]\n\n1. e4 {book} 1-0\n\n\
    [White \"Carlsen, Magnus\"]\n[Black \"Anand, V\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n";

const TABLE: &str = "Carlsen,M\tCarlsen, Magnus\nMagnus Carlsen\tCarlsen, Magnus\n";

const SPELLING_FILE: &str = "@PLAYER \", \"\nCarlsen, Magnus #gm NOR [2882] 1990.11.30\n\
    =Carlsen M\n=Magnus Carlsen\n@SITE\nOslo\n=Kristiania\n";

/// Games, names and the output of a run with them.
fn output(words: &[&str], names: &str) -> String {
    let scratch = Scratch::new("names");
    let games = scratch.file("games.pgn", GAMES.as_bytes());
    let names = scratch.file("names", names.as_bytes());
    let words = [
        &words[..1],
        &["-q", "--names", &names],
        &words[1..],
        &[&games],
    ]
    .concat();
    let ran = run(&words);
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    ran.stdout()
}

#[test]
fn games_of_all_spellings_count_for_one_name() {
    for names in [TABLE, SPELLING_FILE] {
        let of = |words: &[&str]| output(&[&["stats"], words].concat(), names);
        let by_player = of(&["--by", "player", "--format", "csv"]);
        assert!(
            by_player.contains("\n\"Carlsen, Magnus\",3,"),
            "{by_player}"
        );
        assert_eq!(by_player.lines().count(), 3, "{by_player}");
        let by_white = of(&["--by", "white", "--format", "csv"]);
        assert!(by_white.contains("\n\"Carlsen, Magnus\",2,"), "{by_white}");
        let ratings = of(&[
            "--ratings",
            "--anchor",
            "Carlsen, Magnus=2850",
            "--format",
            "csv",
        ]);
        assert!(
            ratings.contains("\"Carlsen, Magnus\",1,2850,,3,"),
            "{ratings}"
        );
        let pairs = of(&["--pairs", "--player", "Carlsen, Magnus"]);
        assert!(pairs.contains("Pairs of Carlsen, Magnus against Anand, V\npairs           1\n"));
        let games = output(&["replay", "--format", "pgn"], names);
        assert_eq!(games.matches("\"Carlsen, Magnus\"]").count(), 3, "{games}");
        assert_eq!(games.matches("\"Anand, V\"]").count(), 3, "{games}");
    }
}

#[test]
fn names_that_are_not_certain_or_not_used_are_refused() {
    let scratch = Scratch::new("names-refused");
    let table = scratch.file("table", b"A\tB\n# other\nA\tC\n");
    let good = scratch.file("good", TABLE.as_bytes());
    for (words, expected) in [
        (
            &["stats", "--by", "player", "--names", &table][..],
            "line 3: `A` is `C`, but `B` on line 1",
        ),
        (
            &["stats", "--names", &good],
            "`--names` needs `--by player`",
        ),
        (
            &["replay", "--names", &good],
            "`--names` needs the format `pgn`",
        ),
        (
            &["stats", "--by", "white", "--names", &good, "-o", &good],
            "`--output` names the table of names",
        ),
    ] {
        let ran = run(&[words, &["fixtures/famous.pgn"]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}
