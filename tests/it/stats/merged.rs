//! Merged partial statistics are byte-identical to a single count.

use std::fmt::Write;

use crate::arbiter_command::{Scratch, run};
use crate::chess::random_games::{Random, seed};

/// Values that must survive JSON; few, so that groups recur.
const NAMES: [&str; 9] = [
    "Anna",
    "Boris",
    "O\\\"Neill",
    "M\u{fc}ller",
    "\u{7fbd}\u{751f}",
    "\u{1b}[2J",
    "a\\\\b",
    "?",
    "",
];
const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "1/2-1/2", "*", "0-0", "?", "1:0"];
const TIMES: [&str; 7] = ["180+2", "40/7200:3600", "-", "?", "soon", "15+0", "600"];
const MOVES: [&str; 5] = [
    "1. e4 e5",
    "1. f3 e5 2. g4 Qh4#",
    "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8",
    "1. e4 Ke7",
    "",
];

fn game(random: &mut Random) -> String {
    let mut game = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to memory does not fail.
        let _ = writeln!(game, "[{name} \"{value}\"]");
    };
    tag("Event", NAMES[random.below(9)]);
    if random.below(9) > 0 {
        tag(
            "Date",
            &format!("{}.0{}.??", 2019 + random.below(4), 1 + random.below(3)),
        );
    }
    tag("White", NAMES[random.below(9)]);
    tag("Black", NAMES[random.below(9)]);
    tag("WhiteElo", &(2300 + random.below(400)).to_string());
    tag("BlackElo", &(2300 + random.below(400)).to_string());
    tag("TimeControl", TIMES[random.below(7)]);
    tag("ECO", &format!("B{}", 10 + random.below(5)));
    let result = RESULTS[random.below(8)];
    if random.below(9) > 0 {
        tag("Result", result);
    }
    let _ = write!(game, "\n{} {result}\n\n", MOVES[random.below(5)]);
    game
}

/// Counts all games at once, then in random parts that are merged in random order, in two steps.
fn check(random: &mut Random, flags: &[&str]) {
    let scratch = Scratch::new(&format!(
        "merge-{}",
        flags.join("-").replace([':', '/'], "_")
    ));
    let parts = 2 + random.below(6);
    let mut files = Vec::new();
    for part in 0..parts {
        let games: String = (0..random.below(40) + 1).map(|_| game(random)).collect();
        files.push(scratch.file(&format!("{part}.pgn"), games.as_bytes()));
    }
    let counted = |files: &[&str]| {
        let mut words = vec!["stats", "-q", "--format", "json"];
        words.extend(flags);
        words.extend(files);
        let ran = run(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let merged = |files: &[String]| {
        let mut words = vec!["stats", "-q", "--format", "json", "--merge"];
        words.extend(files.iter().map(String::as_str));
        let ran = run(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let whole = counted(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let mut statistics = Vec::new();
    for (nth, file) in files.iter().enumerate() {
        statistics.push(scratch.file(&format!("{nth}.json"), &counted(&[file])));
    }
    let mut shuffled = Vec::new();
    while !statistics.is_empty() {
        shuffled.push(random.draw(&mut statistics));
    }
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(said(&merged(&shuffled)), said(&whole), "{flags:?}");

    let cut = random.below(shuffled.len() - 1) + 1;
    let first = scratch.file("first.json", &merged(&shuffled[..cut]));
    let second = scratch.file("second.json", &merged(&shuffled[cut..]));
    assert_eq!(said(&merged(&[second, first])), said(&whole), "{flags:?}");
}

#[test]
fn parts_add_up_to_the_byte() {
    let mut random = Random(seed());
    for flags in [
        &[][..],
        &["--by", "player"],
        &["--by", "year", "--by", "speed"],
        &["--by", "player", "--by", "month"],
        &["--by", "white", "--by", "player", "--by", "time-control"],
        &["--by", "elo", "--by", "elo-diff"],
        &["--by", "tag:Event", "--by", "file", "--by", "eco"],
        &["--by", "ending", "--draws"],
        &["--by", "plies", "--by", "ruling", "--source", "rules"],
        &[
            "--draws", "--source", "rules", "--rules", "lichess", "--by", "player",
        ],
    ] {
        for _ in 0..3 {
            check(&mut random, flags);
        }
    }
}

#[test]
fn names_of_tags_are_equal_in_any_case() {
    let scratch = Scratch::new("merge-case");
    let counted = |name: &str, key: &str| {
        let words = [
            "stats",
            "-q",
            "--format",
            "json",
            "--by",
            key,
            "fixtures/famous.pgn",
        ];
        scratch.file(name, &run(&words).stdout)
    };
    let (one, other) = (counted("one", "tag:Event"), counted("other", "tag:EVENT"));
    let merged = run(&["stats", "--format", "csv", "--merge", &one, &other]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert!(
        merged.stdout().contains("\nCasual game,8,"),
        "{}",
        merged.stdout()
    );
}

#[track_caller]
fn refused(files: &[String], why: &str) {
    let mut words = vec!["stats", "--merge"];
    words.extend(files.iter().map(String::as_str));
    let ran = run(&words);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    assert!(ran.stdout.is_empty());
}

#[test]
fn what_cannot_be_added_is_refused() {
    let scratch = Scratch::new("merge-refused");
    let counted = |name: &str, flags: &[&str]| {
        let mut words = vec!["stats", "-q", "--format", "json", "fixtures/famous.pgn"];
        words.extend(flags);
        scratch.file(name, &run(&words).stdout)
    };
    let plain = counted("plain.json", &[]);
    let by_year = counted("year.json", &["--by", "year"]);
    let draws = counted("draws.json", &["--draws"]);
    let rules = counted("rules.json", &["--source", "rules"]);
    let uscf = counted("uscf.json", &["--source", "rules", "--rules", "uscf"]);
    let cut = counted("cut.json", &["--by", "year", "--top", "2"]);
    refused(&[plain.clone(), by_year.clone()], "grouped by other keys");
    refused(&[plain.clone(), draws], "kinds of draws");
    refused(&[plain.clone(), rules.clone()], "another source");
    refused(&[rules, uscf], "another rule set");
    refused(&[cut], "groups were left out");

    let edited = |from: &str, to: &str| {
        let text = std::fs::read_to_string(&by_year).unwrap();
        assert!(text.contains(from), "{text}");
        scratch.file("edited.json", text.replacen(from, to, 1).as_bytes())
    };
    refused(&[edited("\"white\": 3", "\"white\": 4")], "do not add up");
    let newer = edited("\"version\": 1", "\"version\": 2");
    refused(&[newer], "a newer arbiter has written it, in version 2");
    let unnumbered = edited("  \"version\": 1,\n", "");
    assert_eq!(run(&["stats", "--merge", &unnumbered]).code, Some(0));
    refused(&[edited("\"white\": 3", "\"white\": -3")], "not written by");
    refused(
        &[edited("\"white\": 3", "\"white\": 18446744073709551615")],
        "do not add up",
    );
    refused(&[edited("\"1852\"", "\"1851\"")], "there twice");
    for field in [
        "rules",
        "undecided",
        "changed",
        "source",
        "openings",
        "by",
        "key",
        "version",
        "ratings",
        "draw_kinds",
        "as_white",
        "groups_left_out",
    ] {
        let null = format!("{{\n  \"{field}\": null,");
        let text = std::fs::read_to_string(&plain)
            .unwrap()
            .replacen('{', &null, 1);
        refused(
            &[scratch.file("null.json", text.as_bytes())],
            "invalid type: null",
        );
    }
    refused(
        &[edited("\"key\": \"year\"", "\"key\": \"month\"")],
        "not by `year`",
    );
    refused(&[edited("\"games\": 5,", "")], "not written by");
    refused(&[scratch.file("list.json", b"[]")], "not written by");
    refused(
        &[scratch
            .path()
            .join("none.json")
            .to_str()
            .unwrap()
            .to_owned()],
        "cannot open",
    );
}

#[test]
fn values_that_no_game_can_have_are_refused() {
    let scratch = Scratch::new("merge-values");
    let refuse = |words: &[&str], from: &str, to: &str, why: &str| {
        let words = [&["stats", "-q", "--format", "json"], words].concat();
        let text = run(&words).stdout();
        let whole = scratch.file("whole.json", text.as_bytes());
        assert_eq!(
            run(&["stats", "--merge", &whole]).code,
            Some(0),
            "{words:?}"
        );
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        refused(&[scratch.file("changed.json", changed.as_bytes())], why);
    };
    let tags = "[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.31\"]\n[ECO \"B12\"]\n\
                [WhiteElo \"2480\"]\n[BlackElo \"2420\"]\n[TimeControl \"180+2\"]\n\
                [Termination \"time forfeit\"]\n\n1. e4 1-0\n";
    let games = scratch.file("a.pgn", tags.as_bytes());
    for (key, value, others) in [
        ("year", "2020", &["x", "202", "+200"][..]),
        ("month", "2020-01", &["2020-13", "2020-1", "2020"]),
        ("eco", "B12", &["F00", "B12x"]),
        (
            "elo",
            "2400..2499",
            &["banana", "2410..2509", "2400", "9223372036854775807..1"],
        ),
        ("elo-diff", "50..149", &["0..99", "-9223372036854775808..1"]),
        ("plies", "0..19", &["1..20", "-20..-1"]),
        ("speed", "blitz", &["fast"]),
        ("time-control", "180+2", &["soon"]),
        ("termination", "time-forfeit", &["bored"]),
        ("ending", "open", &["bored"]),
        ("ruling", "time-forfeit", &["bored"]),
    ] {
        for other in others {
            let value_of = |value: &str| format!("\"value\": \"{value}\"");
            let why = format!("`{other}` is no value of the key `{key}`");
            refuse(
                &["--by", key, &games],
                &value_of(value),
                &value_of(other),
                &why,
            );
        }
    }
    let from = "\"draw_kinds\": {";
    refuse(
        &["--draws", &games],
        from,
        "\"draw_kinds\": null, \"other_kinds\": {",
        "invalid type: null",
    );
    let text = run(&[
        "stats",
        "-q",
        "--pairs",
        "--format",
        "json",
        "fixtures/match.pgn",
    ])
    .stdout();
    let mut pairs: serde_json::Value = serde_json::from_str(&text).unwrap();
    let matches = pairs["matches"].as_array_mut().unwrap();
    let mut swapped = matches[0].clone();
    (swapped["first"], swapped["second"]) =
        (matches[0]["second"].clone(), matches[0]["first"].clone());
    matches.push(swapped);
    let doubled = scratch.file("pairs.json", pairs.to_string().as_bytes());
    refused(&[doubled], "an opening of two players is there twice");
}

#[test]
fn the_output_may_be_one_of_the_files_that_are_added() {
    let scratch = Scratch::new("merge-output");
    let one = run(&["stats", "-q", "--format", "json", "fixtures/famous.pgn"]).stdout;
    let sum = scratch.file("sum.json", &one);
    let more = scratch.file("more.json", &one);
    for games in [10, 15] {
        let ran = run(&[
            "stats", "-q", "--format", "json", "-o", &sum, "--merge", &sum, &more,
        ]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let text = std::fs::read_to_string(&sum).unwrap();
        assert!(text.contains(&format!("\"games\": {games},")), "{text}");
    }
}

#[test]
fn the_statistics_among_the_fixtures_are_as_they_would_be_written_now() {
    for name in ["famous", "endings"] {
        let input = format!("fixtures/{name}.pgn");
        let ran = run(&["stats", "-q", "--by", "year", "--format", "json", &input]);
        let kept = std::fs::read_to_string(format!("fixtures/{name}.json")).unwrap();
        assert_eq!(ran.stdout(), kept);
    }
}

#[test]
fn groups_that_do_not_add_up_are_refused() {
    let scratch = Scratch::new("adds_up");
    let games = scratch.file(
        "a.pgn",
        b"[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n\n1. e4 1-0\n",
    );
    for (key, from, to) in [
        (
            "year",
            "\"value\": \"2020\",\n      \"games\": 1,\n      \"white\": 1",
            "\"value\": \"2020\",\n      \"games\": 2,\n      \"white\": 2",
        ),
        ("player", "\"value\": \"A\"", "\"value\": \"B\""),
        ("year", "\"games\": 1", "\"games\": -1"),
        ("year", "\"year\"\n  ]", "\"year\",\n    \"year\"\n  ]"),
    ] {
        let ran = run(&["stats", "--quiet", "--by", key, "--format", "json", &games]);
        let text = String::from_utf8(ran.stdout).unwrap();
        let whole = scratch.file("whole.json", text.as_bytes());
        assert_eq!(run(&["stats", "--merge", &whole]).code, Some(0), "{key}");
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let changed = scratch.file("changed.json", changed.as_bytes());
        let ran = run(&["stats", "--merge", &changed]);
        assert_eq!(ran.code, Some(2), "{to}: {}", ran.stderr);
    }
}

#[test]
fn sixty_keys_are_written_and_read_again() {
    let scratch = Scratch::new("sixty");
    let games = scratch.file("a.pgn", b"[White \"A\"]\n\n1. e4 1-0\n");
    let keys: Vec<String> = (0..60).map(|nth| format!("tag:T{nth}")).collect();
    let mut words = vec!["stats", "--quiet", "--format", "json", &games];
    for key in &keys {
        words.extend(["--by", key]);
    }
    let ran = run(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let once = scratch.file("once.json", &ran.stdout);
    let merged = run(&["stats", "--merge", &once, "--format", "json"]);
    assert_eq!(merged.code, Some(0), "{}", merged.stderr);
    assert_eq!(merged.stdout, ran.stdout);
    let deep = format!("{}{}", "{\"by\":[".repeat(100_000), "]}".repeat(100_000));
    let deep = scratch.file("deep.json", deep.as_bytes());
    let ran = run(&["stats", "--merge", &deep]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}
