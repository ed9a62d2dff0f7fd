//! Counts, by group and by kind of draw.

use serde_json::Value;

use crate::arbiter_command::{run, run_with_stdin};
use crate::corpus;

fn json(words: &[&str], text: &str) -> Value {
    let mut all = vec!["stats", "-q", "--format", "json"];
    all.extend(words);
    let ran = run_with_stdin(&all, text.as_bytes().to_vec());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_slice(&ran.stdout).unwrap()
}

/// Values of the outermost groups in order; `null` as `-`.
fn values(statistics: &Value) -> Vec<&str> {
    let groups = statistics["by"].as_array().unwrap();
    groups
        .iter()
        .map(|group| group["value"].as_str().unwrap_or("-"))
        .collect()
}

fn game(tags: &[(&str, &str)], movetext: &str) -> String {
    let tags: String = tags
        .iter()
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .collect();
    format!("{tags}\n{movetext}\n\n")
}

#[test]
fn a_player_has_games_with_both_colours() {
    let text = game(
        &[("White", "Anna"), ("Black", "Boris"), ("Result", "1-0")],
        "1. e4 1-0",
    ) + &game(
        &[("White", "Boris"), ("Black", "Anna"), ("Result", "1/2-1/2")],
        "1. e4 1/2-1/2",
    ) + &game(
        &[("White", "Clara"), ("Black", "Anna"), ("Result", "1-0")],
        "1. e4 1-0",
    );
    let found = json(&["--by", "player"], &text);
    assert_eq!(found["games"], 3);
    assert_eq!(values(&found), ["Anna", "Boris", "Clara"]);
    let anna = &found["by"][0];
    assert_eq!(
        (
            &anna["games"],
            &anna["wins"],
            &anna["draws"],
            &anna["losses"]
        ),
        (&3.into(), &1.into(), &1.into(), &1.into())
    );
    assert_eq!((&anna["white"], &anna["black"]), (&2.into(), &0.into()));
    assert_eq!(anna["score"], 0.5);
    assert_eq!(anna["as_white"]["score"], 1.0);
    assert_eq!(anna["as_black"]["score"], 0.25);
    assert_eq!(anna["as_black"]["draw_rate"], 0.5);
}

#[test]
fn years_ascend_and_players_are_sorted_by_games() {
    let mut text = String::new();
    for (year, white) in [
        ("2021", "B"),
        ("2019", "A"),
        ("????", "B"),
        ("2020", "B"),
        ("2019", "C"),
        ("2019", "A"),
    ] {
        text += &game(
            &[
                ("Date", &format!("{year}.??.??")),
                ("White", white),
                ("Result", "*"),
            ],
            "1. e4 *",
        );
    }
    assert_eq!(
        values(&json(&["--by", "year"], &text)),
        ["2019", "2020", "2021", "-"]
    );
    assert_eq!(values(&json(&["--by", "white"], &text)), ["B", "A", "C"]);
    assert_eq!(
        values(&json(&["--by", "year", "--top", "2"], &text)),
        ["2019", "2020"]
    );
    let cut = json(&["--by", "year", "--min-games", "2"], &text);
    assert_eq!(values(&cut), ["2019"]);
    assert_eq!(cut["groups_left_out"], 3);
}

#[test]
fn bands_and_speeds_are_in_their_order() {
    let mut text = String::new();
    for (white, black, time) in [
        ("2700", "2600", "600"),
        ("900", "1100", "60"),
        ("2500", "2500", "5400+30"),
        ("2500", "2800", "nonsense"),
        ("-", "2500", "?"),
        ("950", "950", "15"),
        ("10100", "2500", "?"),
    ] {
        text += &game(
            &[
                ("WhiteElo", white),
                ("BlackElo", black),
                ("TimeControl", time),
            ],
            "1. e4 *",
        );
    }
    assert_eq!(
        values(&json(&["--by", "elo"], &text)),
        ["900..999", "1000..1099", "2500..2599", "2600..2699", "-"]
    );
    assert_eq!(
        values(&json(&["--by", "elo-diff"], &text)),
        ["-349..-250", "-249..-150", "-49..49", "50..149", "-"]
    );
    assert_eq!(
        values(&json(&["--by", "speed"], &text)),
        [
            "ultrabullet",
            "bullet",
            "rapid",
            "classical",
            "unreadable",
            "-"
        ]
    );
}

#[test]
fn board_rules_and_record_are_three_things() {
    let text = std::fs::read_to_string("fixtures/endings.pgn").unwrap();
    let by = |key: &str| {
        let found = json(&["--by", key], &text);
        let groups = found["by"].as_array().unwrap().iter();
        let mut counts: Vec<_> = groups
            .map(|group| {
                format!(
                    "{} {}",
                    group["value"].as_str().unwrap_or("-"),
                    group["games"]
                )
            })
            .collect();
        counts.sort();
        counts.join(", ")
    };
    assert!(
        by("ending").contains("checkmate 1") && by("ending").contains("dead-position 1"),
        "{}",
        by("ending")
    );
    assert!(
        by("termination").contains("time-forfeit 2"),
        "{}",
        by("termination")
    );
    assert!(
        by("ruling").contains("threefold-repetition 1"),
        "{}",
        by("ruling")
    );
}

/// Game that ends in one kind of draw, from movetext or FEN and tags.
fn kind(tags: &[(&str, &str)], movetext: &str) -> String {
    let mut all = vec![("Result", "1/2-1/2")];
    all.extend(tags);
    let found = json(&["--draws"], &game(&all, movetext));
    assert_eq!(found["draws"], 1);
    let kinds = found["draw_kinds"].as_object().unwrap();
    let found: Vec<_> = kinds.iter().filter(|(_, count)| **count == 1).collect();
    assert_eq!(found.len(), 1, "{kinds:?}");
    found[0].0.clone()
}

#[test]
fn every_kind_of_draw_is_reported() {
    let fen = |fen| [("SetUp", "1"), ("FEN", fen)];
    let twice = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 ";
    assert_eq!(kind(&[], "1. e4 e5 2. Nf3 Nc6 1/2-1/2"), "unexplained");
    assert_eq!(
        kind(&[("Termination", "draw by agreement")], "1. e4 e5 1/2-1/2"),
        "agreement"
    );
    assert_eq!(
        kind(&fen("7k/5Q2/8/8/8/8/8/K7 w - - 0 1"), "1. Kb1 1/2-1/2"),
        "stalemate"
    );
    assert_eq!(
        kind(&[], &format!("{twice} 1/2-1/2")),
        "threefold-repetition"
    );
    assert_eq!(
        kind(&[], &format!("{twice}{twice} 1/2-1/2")),
        "fivefold-repetition"
    );
    assert_eq!(
        kind(&fen("8/8/4k3/8/8/4K2R/8/8 w - - 99 90"), "90. Rh4 1/2-1/2"),
        "fifty-moves"
    );
    assert_eq!(
        kind(&fen("8/8/4k3/8/8/4K2R/8/8 w - - 149 90"), "90. Rh4 1/2-1/2"),
        "seventyfive-moves"
    );
    assert_eq!(
        kind(
            &fen("8/8/4k3/8/8/4K2r/8/8 w - - 0 90"),
            "90. Kf2 Rh2+ 91. Kg1 Kf5 92. Kxh2 1/2-1/2"
        ),
        "insufficient-material"
    );
    assert_eq!(
        kind(
            &fen("8/8/2k5/1p2p2p/1P2P2P/8/5K2/8 b - - 0 41"),
            "41... Kd6 1/2-1/2"
        ),
        "dead-position"
    );
    let flag = [
        fen("8/8/4k3/8/8/8/r7/4K3 w - - 0 70").as_slice(),
        &[("Termination", "time forfeit")],
    ]
    .concat();
    assert_eq!(
        kind(&flag, "70. Kf1 1/2-1/2"),
        "time-against-insufficient-material"
    );
    assert_eq!(
        kind(&[("Termination", "adjudication")], "1. e4 e5 1/2-1/2"),
        "adjudication"
    );
    assert_eq!(kind(&[], "1. f3 e5 2. g4 Qh4# 1/2-1/2"), "refuted");
    assert_eq!(
        kind(
            &[("Termination", "Game drawn by repetition")],
            "1. e4 e5 1/2-1/2"
        ),
        "refuted"
    );
    assert_eq!(kind(&[], "1. e4 Kc4 1/2-1/2"), "not-judged");
    assert_eq!(
        kind(&[("Variant", "Atomic")], "1. e4 e5 1/2-1/2"),
        "not-judged"
    );
}

#[test]
fn games_that_the_rules_leave_open_keep_their_result() {
    let ended = |result, by| game(&[("Result", result), ("Termination", by)], "1. e4 e5");
    let text = ended("1-0", "White won by checkmate") + &ended("1/2-1/2", "stalemate");
    let found = json(&["--source", "rules"], &text);
    let counts = ["white", "draws", "changed", "undecided"].map(|name| &found[name]);
    assert_eq!(counts, [1, 1, 0, 2]);
}

#[test]
fn results_by_the_rules_and_how_many_change() {
    let bare = [
        ("SetUp", "1"),
        ("FEN", "8/8/4k3/8/8/8/r7/4K3 w - - 0 70"),
        ("Termination", "time forfeit"),
    ];
    let text = game(
        &[[("Result", "1-0")].as_slice(), &bare].concat(),
        "70. Kf1 1-0",
    ) + &game(&[("Result", "1-0")], "1. f3 e5 2. g4 Qh4# 1-0")
        + &game(&[("Result", "1/2-1/2")], "1. e4 e5 1/2-1/2")
        + &game(&[("Result", "1-0")], "1. e4 Kc4 1-0")
        + &game(&[("Result", "*")], "1. f3 e5 2. g4 Qh4# *");
    let found = json(&["--source", "rules"], &text);
    assert_eq!(found["source"], "rules");
    assert_eq!(found["rules"], "fide");
    let count = |name: &str| found[name].as_u64().unwrap();
    // The bare king draws, both mates are Black's, and unplayable games keep their recorded result.
    assert_eq!(
        [
            count("white"),
            count("black"),
            count("draws"),
            count("unfinished")
        ],
        [1, 2, 2, 0]
    );
    assert_eq!([count("changed"), count("undecided")], [3, 1]);
    let recorded = json(&[], &text);
    assert_eq!(
        [
            &recorded["white"],
            &recorded["draws"],
            &recorded["unfinished"]
        ],
        [3, 1, 1]
    );
}

#[test]
fn a_game_without_a_termination_has_none() {
    let text = format!(
        "hello there\n\n{}",
        game(&[("White", "Anna"), ("Result", "1-0")], "1. e4 1-0")
    );
    let found = json(&["--by", "player"], &text);
    assert_eq!(
        (&found["games"], &found["unreadable"]),
        (&1.into(), &1.into())
    );
    assert_eq!(values(&found), ["Anna", "-"]);
}

#[test]
fn keys_must_be_known_and_different() {
    for (words, why) in [
        (["--by", "year", "--by", "year"], "`year` twice"),
        (
            ["--by", "tag:Board", "--by", "tag:board"],
            "`tag:board` twice",
        ),
        (["--by", "tag:", "--by", "year"], "name of a tag"),
        (["--by", "colour", "--by", "year"], "no such key"),
        (["--top", "0", "--by", "year"], "--top"),
        (
            ["--fail-above", "1", "--by", "year"],
            "no meaning with `--by`",
        ),
        (["--fail-above", "1", "-q", "-j1"], "needs `--compare`"),
        (
            ["--fail-significant", "-q", "--by", "year"],
            "no meaning with `--by`",
        ),
        (["--chart", "a.gif", "--by", "year"], ".svg"),
    ] {
        let mut all = vec!["stats", "fixtures/famous.pgn"];
        all.extend(words);
        let ran = run(&all);
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn a_name_from_a_file_does_not_act_on_a_terminal() {
    let text = game(
        &[
            ("White", "\u{1b}[2J\u{202e}x"),
            ("Black", "=1+1"),
            ("Result", "1-0"),
        ],
        "1. e4 1-0",
    );
    for format in ["human", "csv", "json"] {
        let ran = run_with_stdin(
            &["stats", "-q", "--by", "white", "--format", format],
            text.clone().into_bytes(),
        );
        assert!(!ran.stdout.contains(&0x1b), "{}", ran.stdout());
        assert!(!ran.stdout().contains('\u{202e}'), "{}", ran.stdout());
    }
}

/// Each real game is counted once in any grouping except by player.
#[test]
fn groups_of_real_games_add_up() {
    let Some(path) = corpus::path("bulk/twic1427.pgn") else {
        return;
    };
    let path = path.to_str().unwrap();
    for key in [
        "year",
        "month",
        "event",
        "site",
        "eco",
        "opening",
        "elo",
        "elo-diff",
        "speed",
        "white",
        "termination",
        "plies",
        "tag:Round",
    ] {
        let found = json(&["--by", key, path], "");
        for name in ["games", "white", "black", "draws", "unfinished", "other"] {
            let groups = found["by"].as_array().unwrap().iter();
            let sum: u64 = groups.map(|group| group[name].as_u64().unwrap()).sum();
            assert_eq!(found[name], sum, "{key} {name}");
        }
    }
    let found = json(&["--by", "player", path], "");
    let groups = found["by"].as_array().unwrap().iter();
    let sum: u64 = groups.map(|group| group["games"].as_u64().unwrap()).sum();
    assert_eq!(2 * found["games"].as_u64().unwrap(), sum);
}

#[test]
fn text_without_a_readable_game_is_exit_code_2() {
    let list = "Dear all,\n\n* first item\n* second item\n\nSee you\n";
    for text in ["hello\n", "", "<html><body>404</body></html>\n", list] {
        for format in ["human", "csv", "json"] {
            let words = ["stats", "-q", "--format", format];
            let ran = run_with_stdin(&words, text.as_bytes().to_vec());
            assert_eq!(ran.code, Some(2), "{text:?} as {format}");
        }
    }
    // One readable game is enough.
    let ran = run_with_stdin(
        &["stats", "-q"],
        b"hello\n\n[Event \"a\"]\n\n1. e4 *\n".to_vec(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
