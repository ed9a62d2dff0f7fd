//! `stats --pairs`: pairs of real and random matches against a naive count, and merged parts.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::arbiter_command::{Scratch, run};
use crate::chess::random_games::{Random, seed};
use crate::corpus;

/// Facts of a game, from its tags and the comments of its book moves.
struct Facts {
    white: String,
    black: String,
    opening: String,
    round: String,
    result: String,
}

/// Games of a text, read line by line.
fn facts(text: &str) -> Vec<Facts> {
    let mut games = Vec::new();
    for game in text.split("[Event ").skip(1) {
        let tag = |name: &str| {
            let line = game
                .lines()
                .find_map(|line| line.strip_prefix(&format!("[{name} \"")));
            let value = line.map_or("?", |line| &line[..line.rfind('"').unwrap()]);
            value.trim().to_owned()
        };
        let start = match &tag("FEN")[..] {
            "?" => "startpos".to_owned(),
            fen => fen.split(' ').take(4).collect::<Vec<_>>().join(" "),
        };
        let mut moves = game[game.rfind("\"]").unwrap() + 2..].to_owned();
        while let Some(start) = moves.find("[%") {
            let length = moves[start..].find(']').unwrap() + 1;
            moves.replace_range(start..start + length, "");
        }
        let words = moves.replace('{', " { ").replace(['}', ','], " } ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut opening = start;
        let is_number = |word: &str| {
            word.trim_end_matches('.')
                .chars()
                .all(|c| c.is_ascii_digit())
        };
        let mut rest = &words[..];
        loop {
            let is_skipped = |word: &&&str| is_number(word) || matches!(**word, "{" | "}");
            rest = &rest[rest.iter().take_while(is_skipped).count()..];
            let [mv, "{", "book", "}", after @ ..] = rest else {
                break;
            };
            let _ = write!(opening, " {}", mv.trim_end_matches(['+', '#', '!', '?']));
            rest = after;
        }
        games.push(Facts {
            white: tag("White"),
            black: tag("Black"),
            opening,
            round: tag("Round"),
            result: tag("Result"),
        });
    }
    games
}

/// Pairs of a match: points of the player whose name sorts first, and the number of its games.
fn naive(games: &[Facts]) -> BTreeMap<[String; 2], ([u64; 5], u64)> {
    let mut counts: BTreeMap<[String; 2], ([u64; 5], u64)> = BTreeMap::new();
    let half_points = |game: &Facts| match &game.result[..] {
        "1-0" => Some(2),
        "1/2-1/2" => Some(1),
        "0-1" => Some(0),
        _ => None,
    };
    for game in games {
        let mut players = [game.white.clone(), game.black.clone()];
        players.sort();
        counts.entry(players).or_default().1 += 1;
    }
    let mut used = vec![false; games.len()];
    let mut games: Vec<&Facts> = games.iter().collect();
    // Numbers come first, `3` before `3.0`; games of one round stay in the order of the input.
    games.sort_by_key(|game| match game.round.replace('?', "") {
        round if round.is_empty() => (1, Vec::new()),
        round => (
            0,
            round
                .split('.')
                .map(|n| n.parse::<u32>().unwrap())
                .collect(),
        ),
    });
    for only_same_round in [true, false] {
        for (nth, game) in games.iter().enumerate() {
            let Some(points) = half_points(game) else {
                continue;
            };
            if used[nth] || game.white >= game.black || game.white == "?" || game.black == "?" {
                continue;
            }
            let partner = (0..games.len()).find(|&other| {
                let (other, is_used) = (games[other], used[other]);
                let major =
                    |round: &str| round.rsplit_once('.').map_or(round, |(m, _)| m).to_owned();
                !is_used
                    && (&other.white, &other.black) == (&game.black, &game.white)
                    && other.opening == game.opening
                    && half_points(other).is_some()
                    && (!only_same_round || major(&other.round) == major(&game.round))
            });
            if let Some(partner) = partner {
                (used[nth], used[partner]) = (true, true);
                let sum = points + 2 - half_points(games[partner]).unwrap();
                let players = [game.white.clone(), game.black.clone()];
                counts.get_mut(&players).unwrap().0[sum] += 1;
            }
        }
    }
    counts
}

fn json(words: &[&str]) -> (Vec<u8>, Value) {
    let ran = run(&[&["stats", "-q", "--pairs", "--format", "json"], words].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let value = serde_json::from_slice(&ran.stdout).unwrap();
    (ran.stdout, value)
}

/// Checks the matches of a file, and returns the number of pairs and of unpaired games.
fn check(path: &str, text: &str) -> (u64, u64) {
    let (_, found) = json(&[path]);
    let games = facts(text);
    let first_white = games
        .iter()
        .map(|game| game.white.clone())
        .find(|name| name != "?");
    let expected = naive(&games);
    let matches = found["matches"].as_array().unwrap();
    assert_eq!(matches.len(), expected.len());
    let (mut pairs, mut unpaired) = (0, 0);
    for (found, (players, (counts, games))) in matches.iter().zip(&expected) {
        let name = |name: &str| match name {
            "?" => String::new(),
            name => name.to_owned(),
        };
        let mut players = players.each_ref().map(|player| name(player));
        players.sort();
        let is_reversed = first_white.as_ref() == Some(&players[1]);
        let mut counts = *counts;
        if is_reversed {
            players.reverse();
            counts.reverse();
        }
        assert_eq!(
            [&found["first"], &found["second"]],
            [&players[0], &players[1]]
        );
        assert_eq!(
            found["pentanomial"],
            serde_json::json!(counts),
            "{players:?}"
        );
        assert_eq!(found["games"], *games, "{players:?}");
        let here: u64 = counts.iter().sum();
        assert_eq!(found["pairs"], here);
        assert_eq!(found["unpaired"], games - 2 * here);
        let openings = found["openings"].as_array().unwrap();
        let named = openings
            .iter()
            .map(|opening| opening["unpaired_games"].as_array().unwrap().len());
        assert_eq!(named.sum::<usize>() as u64, games - 2 * here, "{players:?}");
        (pairs, unpaired) = (pairs + here, unpaired + games - 2 * here);
    }
    (pairs, unpaired)
}

/// A match of games with other openings, so that none has a partner.
fn without_pairs(results: &[&str]) -> String {
    let games = results.iter().enumerate().map(|(nth, result)| {
        let moves: String = (0..nth)
            .map(|_| "Nf3 {book} Nf6 {book} Ng1 {book} Ng8 {book} ")
            .collect();
        format!("[White \"Zeta\"]\n[Black \"Alpha\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n")
    });
    games.collect()
}

#[test]
fn without_pairs_games_are_estimated() {
    let scratch = Scratch::new("pairs-none");
    let results = ["1-0", "1-0", "1/2-1/2", "1-0", "0-1", "1/2-1/2", "*"];
    let path = scratch.file("games.pgn", without_pairs(&results).as_bytes());
    let report = json(&["--sprt", "0,10", &path]).1["matches"][0].clone();
    assert_eq!(
        (&report["first"], &report["pairs"]),
        (&"Zeta".into(), &0.into())
    );
    assert_eq!(report["estimated_by"], "trinomial");
    let counts = ["games", "wins", "draws", "losses"].map(|name| report[name].as_u64());
    assert_eq!(counts, [7, 3, 2, 1].map(Some));
    assert_eq!(
        (&report["points"], &report["pair_draw_rate"]),
        (&4.0.into(), &Value::Null)
    );
    // The mean of six games is 2/3, their variance 5/36.
    let number = |name: &str| report[name].as_f64().unwrap();
    let elo = 400.0 * 2_f64.log10();
    assert!((number("elo") - elo).abs() < 1e-5, "{report}");
    let normalized = (1.0 / 6.0) / (5.0_f64 / 36.0).sqrt() * 800.0 / std::f64::consts::LN_10;
    assert!(
        (number("normalized_elo") - normalized).abs() < 1e-5,
        "{report}"
    );
    let human = run(&["stats", "-q", "--pairs", "--sprt", "0,10", &path]);
    let human = String::from_utf8(human.stdout).unwrap();
    let begin = "Zeta against Alpha\ngames   7\nW-D-L   3-2-1\npoints  4.0 of 6\n\n\
                 Games of Zeta against Alpha, without pairs (trinomial)\nscore           66.67 %\n";
    assert!(human.starts_with(begin), "{human}");
    assert!(human.ends_with("normalized: neither accepted\n"), "{human}");
    assert!(
        !human.contains("pair draw rate") && !human.contains("unpaired"),
        "{human}"
    );
}

#[test]
fn the_verdict_of_sprt_is_the_exit_code() {
    let scratch = Scratch::new("pairs-code");
    let won = scratch.file(
        "won.pgn",
        without_pairs(&["1-0", "1-0", "1-0", "0-1"].repeat(60)).as_bytes(),
    );
    let lost = scratch.file(
        "lost.pgn",
        without_pairs(&["0-1", "0-1", "1-0", "0-1"].repeat(60)).as_bytes(),
    );
    let few = scratch.file(
        "few.pgn",
        without_pairs(&["0-1", "1-0", "1/2-1/2"]).as_bytes(),
    );
    let code = |words: &[&str]| run(&[&["stats", "-q", "--pairs"], words].concat()).code;
    for (path, default, undecided) in [(&won, 0, 0), (&lost, 1, 1), (&few, 0, 1)] {
        for format in ["human", "csv", "json"] {
            let words = ["--sprt", "0,20", "--format", format, path];
            assert_eq!(code(&words), Some(default), "{words:?}");
            let words = [&words[..], &["--fail-on", "h0"]].concat();
            assert_eq!(code(&words), Some(default), "{words:?}");
            let words = [&words[..6], &["undecided"]].concat();
            assert_eq!(code(&words), Some(undecided), "{words:?}");
        }
        assert_eq!(code(&[path]), Some(0));
        let ran = run(&[
            "stats", "-q", "--pairs", "--sprt", "0,20", "--format", "json", path,
        ]);
        let part = scratch.file("part.json", &ran.stdout);
        assert_eq!(code(&["--merge", &part]), Some(default));
        let words = ["--fail-on", "undecided", "--merge", &part];
        assert_eq!(code(&words), Some(undecided));
    }
    // The player who is meant decides what H0 is.
    assert_eq!(
        code(&["--sprt", "0,20", "--player", "Alpha", &won]),
        Some(1)
    );
    let ran = run(&["stats", "-q", "--pairs", "--fail-on", "h0", &won]);
    assert!(ran.code == Some(2) && ran.stderr.contains("`--fail-on` needs `--sprt`"));
}

const NAMES: [&str; 4] = ["Alpha 1.0", "Beta", "\u{10d}ip", "?"];
const FENS: [&str; 2] = [
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2",
];
const RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "1-0", "0-1", "1/2-1/2", "*"];

fn random_game(random: &mut Random) -> String {
    let mut game = String::from("[Event \"match\"]\n");
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(game, "[{name} \"{value}\"]");
    };
    let round = match random.below(3) {
        0 => "?".to_owned(),
        1 => random.below(4).to_string(),
        _ => format!("{}.{}", random.below(4), random.below(2)),
    };
    tag("Round", &round);
    let white = random.below(NAMES.len());
    let other = (white + 1 + random.below(NAMES.len() - 1)) % NAMES.len();
    tag("White", NAMES[white]);
    tag("Black", NAMES[other]);
    let result = RESULTS[random.below(RESULTS.len())];
    tag("Result", result);
    let moves = match random.below(4) {
        nth @ 0..2 => {
            tag("SetUp", "1");
            tag("FEN", FENS[nth]);
            "2. Nf3 {+0.2/9 1s}"
        }
        2 => "1. e4 {book} e5 {book} 2. Nf3 {+0.2/9 1s}",
        _ => "1. d4 { book } d5 {+0.2/9 1s}",
    };
    let _ = write!(game, "\n{moves} {result}\n\n");
    game
}

#[test]
fn pairs_of_random_matches_agree_with_a_naive_count() {
    let mut random = Random(seed() ^ 0x9a1);
    let scratch = Scratch::new("pairs-naive");
    let mut pairs = 0;
    for round in 0..12 {
        let text: String = (0..random.below(200) + 1)
            .map(|_| random_game(&mut random))
            .collect();
        let path = scratch.file(&format!("{round}.pgn"), text.as_bytes());
        pairs += check(&path, &text).0;
    }
    assert!(pairs > 100, "{pairs}");
}

#[test]
fn merged_parts_are_the_whole() {
    let mut random = Random(seed() ^ 0x9a2);
    let scratch = Scratch::new("pairs-merge");
    for round in 0..6 {
        let games: Vec<String> = (0..random.below(150) + 3)
            .map(|_| random_game(&mut random))
            .collect();
        let whole = scratch.file(&format!("{round}.pgn"), games.concat().as_bytes());
        let flags = [
            "--sprt",
            "0,5",
            "--player",
            "Beta",
            "--sprt-model",
            "logistic",
        ];
        if !games.concat().contains("Beta") {
            continue;
        }
        let expected = json(&[&flags[..], &[&whole]].concat()).0;
        let one_thread = json(&[&flags[..], &["-j", "1", &whole]].concat()).0;
        assert_eq!(one_thread, expected);
        // Pairs span the parts.
        let cuts = [1 + random.below(games.len() - 2), games.len() - 1];
        let parts = [
            &games[..cuts[0]],
            &games[cuts[0]..cuts[1]],
            &games[cuts[1]..],
        ];
        let parts: Vec<String> = parts
            .iter()
            .enumerate()
            .map(|(nth, games)| {
                let path = scratch.file(&format!("{round}-{nth}.pgn"), games.concat().as_bytes());
                let (text, _) = json(&[&path]);
                scratch.file(&format!("{round}-{nth}.json"), &text)
            })
            .collect();
        let merged = |files: &[&str]| {
            let (text, _) = json(&[&["--merge"], files].concat());
            scratch.file("merged.json", &text)
        };
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        for first in [1, 2, 3] {
            let (before, after) = parts.split_at(first);
            let before = merged(before);
            let files = [&[&before[..]], after].concat();
            let all = json(&[&flags[..], &["--merge"], &files].concat()).0;
            assert_eq!(String::from_utf8(all), String::from_utf8(expected.clone()));
        }
        let last = merged(&parts[1..]);
        let all = json(&[&flags[..], &["--merge", parts[0], &last]].concat()).0;
        assert!(all == expected);
        // `--part` cuts the file at any byte. The options are those of the parts or of the merger.
        for (of_parts, of_merger) in [(&flags[..], &[][..]), (&[], &flags)] {
            let parts: Vec<String> = (1..=3)
                .map(|nth| {
                    let part = format!("{nth}/3");
                    let (text, _) = json(&[of_parts, &["--part", &part, &whole]].concat());
                    scratch.file(&format!("{round}-{nth}-of-3.json"), &text)
                })
                .collect();
            let files: Vec<&str> = parts.iter().map(String::as_str).collect();
            let all = json(&[of_merger, &["--merge"], &files].concat()).0;
            assert_eq!(String::from_utf8(all), String::from_utf8(expected.clone()));
        }
    }
}

#[test]
fn rounds_are_merged_in_any_order() {
    let mut random = Random(seed() ^ 0x9a3);
    let scratch = Scratch::new("pairs-any-order");
    // No game has a partner of its round.
    let games: Vec<String> = (1..=60)
        .map(|round| {
            let [white, black] = match random.below(2) {
                0 => ["A", "B"],
                _ => ["B", "A"],
            };
            let result = RESULTS[random.below(RESULTS.len())];
            format!(
                "[Event \"match\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n\
                 [Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
            )
        })
        .collect();
    let whole = scratch.file("whole.pgn", games.concat().as_bytes());
    let mut parts: Vec<String> = games
        .chunks(5)
        .enumerate()
        .map(|(nth, games)| {
            let path = scratch.file(&format!("{nth}.pgn"), games.concat().as_bytes());
            scratch.file(&format!("part-{nth}.json"), &json(&[&path]).0)
        })
        .collect();
    parts.sort();
    assert!(parts[2].ends_with("part-10.json"), "{parts:?}");
    let files: Vec<&str> = parts.iter().map(String::as_str).collect();
    assert!(json(&[&["--merge"], &files[..]].concat()).0 == json(&[&whole]).0);
}

#[test]
fn pairs_of_real_matches_agree_with_a_naive_count() {
    for (file, games) in [
        ("bulk/cutechess.pgn", 526),
        ("bulk/engines_long_comments_crlf.pgn.zst", 1_747),
    ] {
        let Some(path) = corpus::path(file) else {
            return;
        };
        let bytes = std::fs::read(&path).unwrap();
        let bytes = match file.ends_with(".zst") {
            true => zstd::decode_all(&bytes[..]).unwrap(),
            false => bytes,
        };
        let text = String::from_utf8_lossy(&bytes);
        let (pairs, unpaired) = check(path.to_str().unwrap(), &text);
        println!("{file}: {pairs} pairs, {unpaired} unpaired");
        assert_eq!(2 * pairs + unpaired, games);
        assert!(pairs > 10, "{pairs}");
    }
}

/// The total of a gauntlet is the sum of its matches, estimated as one.
#[test]
fn a_gauntlet_has_a_total() {
    let mut games = String::new();
    for (opponent, results) in [("B", ["1-0", "0-1"]), ("C", ["1/2-1/2", "1-0"])] {
        for ([white, black], result) in [["A", opponent], [opponent, "A"]].iter().zip(results) {
            games += &format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 *\n\n"
            );
        }
    }
    games += "[White \"B\"]\n[Black \"C\"]\n[Result \"1-0\"]\n\n1. e4 *\n\n";
    let scratch = Scratch::new("pairs-gauntlet");
    let path = scratch.file("games.pgn", games.as_bytes());
    let (bytes, found) = json(&["--player", "A", &path]);
    let matches = found["matches"].as_array().unwrap();
    let total = matches.last().unwrap();
    assert_eq!(
        (matches.len(), &total["second"]),
        (4, &"all opponents".into())
    );
    assert_eq!(total["pentanomial"], serde_json::json!([0, 1, 0, 0, 1]));
    for (name, value) in [
        ("games", 4.0),
        ("wins", 2.0),
        ("draws", 1.0),
        ("points", 2.5),
    ] {
        assert_eq!(total[name].as_f64(), Some(value), "{total}");
    }
    assert_eq!(total["score"], 0.625);
    // Merged, the total is counted anew.
    let merged = scratch.file("merged.json", &bytes);
    assert_eq!(
        run(&["stats", "-q", "--format", "json", "--merge", &merged]).stdout,
        bytes
    );
    // Matches are tested, the total is not.
    let words = ["--pairs", "--player", "A", "--sprt", "0,10", &path];
    let tested = run(&[&["stats", "-q"], &words[..]].concat()).stdout();
    let (of_matches, of_total) = tested.rsplit_once("all opponents").unwrap();
    assert!(of_matches.contains("LLR "), "{tested}");
    assert!(
        of_total.contains("LOS ") && !of_total.contains("LLR"),
        "{tested}"
    );
    let (_, without) = json(&[&path]);
    assert_eq!(without["matches"].as_array().unwrap().len(), 3);
}

#[test]
fn views_of_both_players_mirror_each_other() {
    let total = |player: &str, bounds: &str| {
        let words = ["--player", player, "--sprt", bounds, "fixtures/match.pgn"];
        json(&words).1["matches"][0].clone()
    };
    let (new, base) = (total("New", "0,10"), total("Base", "-10,0"));
    assert_eq!(new["pentanomial"], serde_json::json!([0, 0, 2, 1, 1]));
    assert_eq!(base["pentanomial"], serde_json::json!([1, 1, 2, 0, 0]));
    assert_eq!(new["won_and_lost"], 1);
    assert_eq!(
        (&new["first"], &new["second"]),
        (&base["second"], &base["first"])
    );
    let number = |value: &Value| value.as_f64().unwrap();
    for name in ["elo", "normalized_elo", "llr"] {
        let sum = number(&new[name]) + number(&base[name]);
        assert!(sum.abs() < 1e-5, "{name}: {sum}");
    }
    assert!((number(&new["los"]) + number(&base["los"]) - 1.0).abs() < 1e-5);
}

#[test]
fn options_and_files_that_do_not_fit_are_refused() {
    let scratch = Scratch::new("pairs-refused");
    let of = |words: &[&str]| {
        let path = scratch.file("part.json", &json(words).0);
        let copy = format!("{path}-{}", words.len());
        std::fs::copy(&path, &copy).unwrap();
        copy
    };
    let (marked, plies, tested) = (
        of(&["fixtures/match.pgn"]),
        of(&["--opening-plies", "2", "fixtures/match.pgn"]),
        of(&["--sprt", "0,10", "--player", "New", "fixtures/match.pgn"]),
    );
    for (words, expected) in [
        (
            &["--pairs", "--by", "year", "x.pgn"][..],
            "has no meaning with",
        ),
        (&["--player", "New", "x.pgn"], "--pairs"),
        (
            &["--pairs", "--sprt", "2,1", "x.pgn"],
            "ELO0 is not less than ELO1",
        ),
        (
            &["--pairs", "--player", "Old", "fixtures/match.pgn"],
            "no game of this player\n",
        ),
        (
            &["--pairs", "--player", "Bsae", "fixtures/match.pgn"],
            "no game of this player; did you mean `Base`?\n",
        ),
        (
            &[
                "--pairs",
                "--format",
                "json",
                "--top",
                "1",
                "fixtures/match.pgn",
            ],
            "leave out openings",
        ),
        (
            &["--merge", &marked, &plies],
            "its openings have another number of plies",
        ),
        (
            &["--merge", &marked, &tested],
            "another `--player` or `--sprt` than the files before it; \
             give the option with `--merge`",
        ),
        (
            &["--merge", "fixtures/famous.json", "--player", "New"],
            "`--player`, `--sprt` and `--fail-on` need statistics of `--pairs`",
        ),
        (
            &["--pairs", "--merge", "fixtures/famous.json"],
            "was not written by `arbiter stats --pairs",
        ),
        (
            &["--merge", &marked, "fixtures/famous.json"],
            "was not written by `arbiter stats --pairs",
        ),
    ] {
        let ran = run(&[&["stats", "-q"], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(expected), "{words:?}: {}", ran.stderr);
    }
}
