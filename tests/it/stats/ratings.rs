//! `stats --ratings`: ratings against a published list, the equations that they solve, and merged
//! parts.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::arbiter_command::{Scratch, run};
use crate::chess::random_games::{Random, seed};

fn game(white: &str, black: &str, result: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
}

fn output(words: &[&str]) -> String {
    let ran = run(&[&["stats", "-q"], words].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    String::from_utf8(ran.stdout).unwrap()
}

fn list(words: &[&str]) -> Value {
    let words = [words, &["--format", "json"]].concat();
    serde_json::from_str::<Value>(&output(&words)).unwrap()["ratings"].take()
}

/// The players of a list by name.
fn players(list: &Value) -> BTreeMap<&str, &Value> {
    let players = list["players"].as_array().unwrap().iter();
    players
        .map(|player| (player["player"].as_str().unwrap(), player))
        .collect()
}

fn number(value: &Value, name: &str) -> f64 {
    value[name]
        .as_f64()
        .unwrap_or_else(|| panic!("{name}: {value}"))
}

/// Games won, drawn and lost of two versions of Zevra, 700 against each engine, as published with
/// the ratings on <https://github.com/sovaz1997/Zevra>. The colours are not published: they are
/// chosen so that White has its advantage.
const PUBLISHED: [(&str, [[usize; 3]; 2], f64); 5] = [
    ("GreKo 2018.08", [[12, 48, 640], [12, 38, 650]], 2804.4),
    ("Galjoen 0.39.2", [[162, 155, 383], [127, 134, 439]], 2418.8),
    (
        "CT800 V1.31 64 bit",
        [[313, 142, 245], [256, 162, 282]],
        2266.1,
    ),
    ("Baislicka", [[319, 157, 224], [274, 149, 277]], 2253.4),
    (
        "Hedgehog 1.9 64-bit",
        [[368, 180, 152], [312, 163, 225]],
        2198.8,
    ),
];

#[test]
fn a_published_list_of_ordo_comes_out() {
    let mut games = String::new();
    let zevra = ["Zevra v1.8.6 r672 popcnt", "Zevra v1.8.5 r664"];
    for (opponent, results, _) in PUBLISHED {
        for (zevra, [won, drawn, lost]) in zevra.into_iter().zip(results) {
            let wins = (won as f64 / 2.0 + 0.0625 * won.min(lost) as f64).round() as usize;
            let losses = 350 - drawn / 2 - wins;
            for (white, black, counts) in [
                (zevra, opponent, [wins, drawn / 2, losses]),
                (
                    opponent,
                    zevra,
                    [lost - losses, drawn - drawn / 2, won - wins],
                ),
            ] {
                for (result, count) in ["1-0", "1/2-1/2", "0-1"].into_iter().zip(counts) {
                    games.push_str(&game(white, black, result).repeat(count));
                }
            }
        }
    }
    let scratch = Scratch::new("ratings-ordo");
    let list = list(&["--ratings", &scratch.file("games.pgn", games.as_bytes())]);
    let found = players(&list);
    let published = PUBLISHED.map(|(player, _, rating)| (player, rating));
    // The list has the rating of the second version as its reference.
    let reference = number(found[zevra[1]], "rating") - 2250.0;
    let all = published.into_iter().chain([(zevra[0], 2303.4)]);
    for (player, rating) in all {
        let found = number(found[player], "rating") - reference;
        assert!((found - rating).abs() < 0.06, "{player}: {found} {rating}");
    }
    for (player, games, points) in [
        ("GreKo 2018.08", 1_400.0, 1_333.0),
        (zevra[0], 3_500.0, 1_515.0),
    ] {
        assert_eq!(number(found[player], "games"), games);
        assert_eq!(number(found[player], "points"), points);
    }
    assert!(
        (number(&list, "white_advantage") - 26.71).abs() < 0.05,
        "{list}"
    );
    assert!((number(&list, "draw_rate") - 0.2295).abs() < 5e-5, "{list}");
    assert_eq!(list["groups"], 1);
}

fn random_games(random: &mut Random, players: usize, games: usize) -> Vec<String> {
    let game = |_| {
        let white = random.below(players);
        let black = (white + 1 + random.below(players - 1)) % players;
        // The first players are the stronger ones.
        let result = match random.below(players + black) {
            nth if nth > white + players / 3 => "1-0",
            nth if nth % 3 == 0 => "1/2-1/2",
            _ => "0-1",
        };
        game(&format!("P{white}"), &format!("P{black}"), result)
    };
    (0..games).map(game).collect()
}

/// The sums of points that the model expects of White and of each player are those of the games.
#[test]
fn the_expected_points_are_those_of_the_games() {
    let mut random = Random(seed() ^ 0x4a7);
    let scratch = Scratch::new("ratings-random");
    for round in 0..8 {
        let games = random_games(&mut random, 4 + round, 60 + 40 * round);
        let path = scratch.file(&format!("{round}.pgn"), games.concat().as_bytes());
        let list = list(&["--ratings", &path]);
        let found = players(&list);
        let advantage = list["white_advantage"].as_f64().unwrap_or(0.0);
        let mut rests: BTreeMap<&str, f64> = BTreeMap::new();
        let mut played: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for game in &games {
            let mut tags = game.split('"').skip(1).step_by(2);
            let [white, black, result] = [(); 3].map(|()| tags.next().unwrap());
            if found[white]["group"].is_null() || found[white]["group"] != found[black]["group"] {
                continue;
            }
            let points = match result {
                "1-0" => 1.0,
                "0-1" => 0.0,
                _ => 0.5,
            };
            let [first, second] = [white, black].map(|name| number(found[name], "rating"));
            let expected =
                1.0 / (1.0 + (6.0_f64 / 19.0).powf((first - second + advantage) / 202.0));
            *rests.entry("White").or_default() += points - expected;
            *rests.entry(white).or_default() += points - expected;
            *rests.entry(black).or_default() -= points - expected;
            for (player, opponent) in [(white, second), (black, first)] {
                let (games, sum) = played.entry(player).or_default();
                (*games, *sum) = (*games + 1.0, *sum + opponent);
            }
        }
        assert!(played.len() > 2, "{list}");
        for (player, rest) in rests {
            assert!(rest.abs() < 1e-4, "{player}: {rest}");
        }
        for (player, (games, sum)) in &played {
            let opponents = number(found[player], "opponents");
            assert!((opponents - sum / games).abs() < 1e-4, "{player}");
        }
        let rated = found.values().filter(|player| player["group"] == 1);
        let rated: Vec<f64> = rated.map(|player| number(player, "rating")).collect();
        let mean = rated.iter().sum::<f64>() / rated.len() as f64;
        assert!((mean - 2300.0).abs() < 1e-5, "{mean}");
    }
}

#[test]
fn players_without_a_finite_rating_and_groups_are_named() {
    let mut games = String::new();
    for (white, black, result) in [
        ("Anna", "Boris", "1-0"),
        ("Boris", "Anna", "1-0"),
        ("Boris", "Clara", "1/2-1/2"),
        ("Dora", "Emil", "1-0"),
        ("Emil", "Dora", "1-0"),
        ("Ute", "Anna", "1-0"),
        ("Clara", "Viktor", "1-0"),
        ("Ute", "Xaver", "1-0"),
        ("Xaver", "Viktor", "1-0"),
        ("?", "Anna", "1-0"),
        ("Anna", "Zoe", "*"),
    ] {
        games.push_str(&game(white, black, result));
    }
    let scratch = Scratch::new("ratings-groups");
    let path = scratch.file("games.pgn", games.as_bytes());
    let text = output(&["--ratings", &path]);
    let list = list(&["--ratings", &path]);
    let found = players(&list);
    for (player, group, unrated) in [
        ("Anna", Some(1), None),
        ("Clara", Some(1), None),
        ("Dora", Some(2), None),
        ("Ute", None, Some("won all games")),
        ("Viktor", None, Some("lost all games")),
        ("Xaver", None, Some("not connected")),
    ] {
        let found = found[player];
        assert_eq!(found["group"].as_u64(), group, "{found}");
        assert_eq!(found["unrated"].as_str(), unrated, "{found}");
        assert_eq!(found["rating"].is_null(), group.is_none(), "{found}");
        assert_eq!(found["error_95"].is_null(), group.is_none(), "{found}");
    }
    assert!(!found.contains_key("Zoe"));
    assert_eq!(list["left_out"], 1);
    // White won all games but a draw: no finite advantage is the likeliest.
    assert!(list["white_advantage"].is_null());
    for line in [
        "Group 1 of 2, not connected with the others\n",
        "Group 2 of 2, not connected with the others\n",
        "Without a finite rating\n",
        "games without two known players: 1\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let csv = output(&["--ratings", "--top", "1", "--format", "csv", &path]);
    let names: Vec<&str> = csv
        .lines()
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(names.len(), 4, "{csv}");
    assert_eq!((names[0], names[3]), ("player", "Ute"));
}

#[test]
fn merged_parts_are_the_whole() {
    let mut random = Random(seed() ^ 0x4a8);
    let scratch = Scratch::new("ratings-merge");
    let games = random_games(&mut random, 7, 150);
    let whole = scratch.file("whole.pgn", games.concat().as_bytes());
    let mut parts = Vec::new();
    for (nth, games) in games.chunks(60).enumerate() {
        let path = scratch.file(&format!("{nth}.pgn"), games.concat().as_bytes());
        let json = output(&["--ratings", "--format", "json", &path]);
        parts.push(scratch.file(&format!("{nth}.json"), json.as_bytes()));
    }
    for format in ["human", "csv", "json"] {
        let expected = output(&["--ratings", "--format", format, &whole]);
        assert_eq!(
            output(&["--ratings", "--format", format, "-j", "1", &whole]),
            expected
        );
        for order in [[0, 1, 2], [2, 0, 1]] {
            let files = order.map(|nth| &parts[nth][..]);
            let words = [&["--format", format, "--merge"], &files[..]].concat();
            assert_eq!(output(&words), expected);
        }
        // The counts of pairs of players are all that ratings need.
        let counts = output(&["--by", "white", "--by", "black", "--format", "json", &whole]);
        let counts = scratch.file("counts.json", counts.as_bytes());
        let words = ["--ratings", "--format", format, "--merge", &counts];
        assert_eq!(output(&words), expected);
    }
}

/// Counts of pairs of players: White and Black, and how often each won.
fn counted(pairs: &[(String, String, u64, u64)]) -> String {
    let group = |key: &str, value: &str, [white, black]: [u64; 2], by: &str| {
        let games = white + black;
        format!(
            "{{\"key\": \"{key}\", \"value\": \"{value}\", \"games\": {games}, \"white\": {white}, \
             \"draws\": 0, \"black\": {black}, \"unfinished\": 0, \"other\": 0, \"unreadable\": 0{by}}}"
        )
    };
    let by = |groups: Vec<String>| format!(", \"by\": [{}]", groups.join(", "));
    let mut players = BTreeMap::<&str, (Vec<String>, [u64; 2])>::new();
    let mut whole = [0; 2];
    for (white, black, won, lost) in pairs {
        let (groups, sum) = players.entry(white).or_default();
        groups.push(group("black", black, [*won, *lost], ""));
        for (sum, part) in [sum, &mut whole].map(|sum| (sum, [won, lost])) {
            *sum = [sum[0] + part[0], sum[1] + part[1]];
        }
    }
    let groups = players.into_iter();
    let groups = groups.map(|(white, (groups, sum))| group("white", white, sum, &by(groups)));
    let text = group("", "", whole, &by(groups.collect()));
    text.replacen(
        "\"key\": \"\", \"value\": \"\"",
        "\"keys\": [\"white\", \"black\"]",
        1,
    )
}

#[test]
fn a_chain_of_many_players_has_the_ratings_of_its_scores() {
    const PLAYERS: usize = 2_000;
    let scratch = Scratch::new("ratings-chain");
    let name = |nth: usize| format!("p{nth:04}");
    let wins = |nth: usize| [9, 3, 6][nth % 3];
    let pairs = (1..PLAYERS).flat_map(|nth| {
        let [first, second] = [name(nth - 1), name(nth)];
        let won = wins(nth);
        [
            (first.clone(), second.clone(), won, 1),
            (second, first, 1, won),
        ]
    });
    let file = scratch.file("chain.json", counted(&pairs.collect::<Vec<_>>()).as_bytes());
    let list = list(&["--ratings", "--merge", &file]);
    let found = players(&list);
    let rating = |nth: usize| number(found[&*name(nth)], "rating");
    for nth in 1..PLAYERS {
        let expected = 202.0 / (76_f64 / 24.0).ln() * (wins(nth) as f64).ln();
        let difference = rating(nth - 1) - rating(nth);
        assert!(
            (difference - expected).abs() < 1e-3,
            "{nth}: {difference} {expected}"
        );
        assert!(found[&*name(nth)]["error_95"].is_number());
    }
    assert!(number(&list, "white_advantage").abs() < 1e-3);
}

#[test]
fn ratings_that_do_not_converge_are_missing() {
    let scratch = Scratch::new("ratings-infinite");
    let pair = ("A".to_owned(), "B".to_owned(), 1_000_000_000_000_000, 1);
    let file = scratch.file("counts.json", counted(&[pair]).as_bytes());
    let words = ["--ratings", "--merge", &file];
    let list = list(&words);
    for (_, player) in players(&list) {
        assert!(
            player["rating"].is_null() && player["error_95"].is_null(),
            "{player}"
        );
        assert_eq!(player["unrated"], "not converged");
    }
    assert!(list["draw_rate"].is_null() && list["white_advantage"].is_null());
    let text = output(&words);
    assert!(text.contains("not converged"), "{text}");
}

/// The superiority over the next player follows from the error of the difference of both ratings,
/// which is that of the player if the next one is the anchor.
#[test]
fn ratings_are_relative_to_the_anchor() {
    let mut random = Random(seed() ^ 0x4a9);
    let scratch = Scratch::new("ratings-anchor");
    let games = random_games(&mut random, 6, 300).concat();
    let path = scratch.file("games.pgn", games.as_bytes());
    let free = list(&["--ratings", &path]);
    let ranks = free["players"].as_array().unwrap();
    let rated = ranks.iter().filter(|player| player["group"] == 1);
    let rated: Vec<&Value> = rated.collect();
    assert!(rated.len() > 3, "{free}");
    for pair in rated.windows(2) {
        let [better, anchor] = [0, 1].map(|nth| pair[nth]["player"].as_str().unwrap());
        let given = format!("{anchor}=3000");
        let list = list(&["--ratings", "--anchor", &given, &path]);
        let found = players(&list);
        assert_eq!(number(found[anchor], "rating"), 3000.0);
        assert!(found[anchor]["error_95"].is_null());
        let shift = 3000.0 - number(pair[1], "rating");
        for player in &rated {
            let player_of_both = found[player["player"].as_str().unwrap()];
            let rating = number(player, "rating") + shift;
            assert!((number(player_of_both, "rating") - rating).abs() < 1e-5);
            assert_eq!(player_of_both["los_next"], player["los_next"]);
            let counts = ["wins", "draws", "losses"].map(|name| number(player, name));
            assert_eq!(counts.iter().sum::<f64>(), number(player, "games"));
            assert_eq!(counts[0] + counts[1] / 2.0, number(player, "points"));
        }
        let deviation = number(found[better], "error_95") / 1.959_963_984_540_054;
        let difference = number(found[better], "rating") - 3000.0;
        let los = libm::erfc(-difference / deviation / std::f64::consts::SQRT_2) / 2.0;
        assert!((number(pair[0], "los_next") - los).abs() < 1e-5, "{better}");
    }
    assert!(rated.last().unwrap()["los_next"].is_null());
}

/// Ratings, errors and superiorities of the fixture by another program: Newton's method with dense
/// matrices over single games.
#[test]
fn the_superiority_is_that_of_an_independent_fit() {
    let list = list(&[
        "--ratings",
        "--anchor",
        "Clara=3000",
        "fixtures/endings.pgn",
    ]);
    let found = players(&list);
    for (player, rating, error, los) in [
        ("Boris", 3000.0, Some(330.184_444), Some(0.5)),
        ("Clara", 3000.0, None, Some(0.886_854)),
        ("Anna", 2_773.635_819, Some(366.676_017), None),
    ] {
        assert!((number(found[player], "rating") - rating).abs() < 1e-4);
        for (name, expected) in [("error_95", error), ("los_next", los)] {
            let differs = |value: f64| (value - expected.unwrap_or(f64::NAN)).abs() > 1e-3;
            let value = found[player][name].as_f64();
            assert_eq!(value.is_some(), expected.is_some(), "{player} {name}");
            assert!(!value.is_some_and(differs), "{player} {name}: {value:?}");
        }
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let mut message = String::new();
    for (words, expected) in [
        (
            &["--ratings", "--by", "year", "x.pgn"][..],
            "has no meaning with",
        ),
        (&["--ratings", "--pairs", "x.pgn"], "has no meaning with"),
        (&["--ratings", "--top", "0", "x.pgn"], "--top 0"),
        (
            &["--anchor", "Anna=3000", "x.pgn"],
            "`--anchor` needs `--ratings`",
        ),
        (
            &["--ratings", "--anchor", "Anna=x", "x.pgn"],
            "such as NAME=3000",
        ),
        (
            &["--ratings", "--anchor", "Dora=3000", "fixtures/endings.pgn"],
            "`--anchor`: no finite rating of `Dora`",
        ),
        (
            &["--ratings", "--merge", "fixtures/famous.json"],
            "`--ratings` needs statistics of `--ratings` or of `--by white --by black`",
        ),
    ] {
        let ran = run(&[&["stats", "-q"], words].concat());
        if ran.code != Some(2) || !ran.stderr.contains(expected) {
            let _ = writeln!(message, "{words:?}: {}", ran.stderr);
        }
    }
    assert_eq!(message, "");
}
