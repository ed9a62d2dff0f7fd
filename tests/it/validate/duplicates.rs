//! Duplicates: games that occur twice, beginnings of games, and the same moves by other players.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;

use crate::arbiter_command::{Scratch, run, run_with_stdin};
use crate::chess::random_games::Random;
use crate::compressors::{COMPRESSORS, zstd};
use crate::corpus;
use crate::planted_doubles::{Planted, game, planted};

/// File and game, code, and file and game of the earlier one.
type Row = ((String, usize), String, (String, usize));

/// The findings of comparing each game with all earlier ones.
fn expected(games: &[Planted], place: impl Fn(usize) -> (String, usize)) -> Vec<Row> {
    let mut rows = Vec::new();
    for (nth, game) in games.iter().enumerate() {
        let relations = games[..nth]
            .iter()
            .enumerate()
            .filter_map(|(earlier, other)| {
                let (rank, code) = game.relation(other)?;
                Some((rank, earlier, code))
            });
        if let Some((_, earlier, code)) = relations.min() {
            rows.push((place(nth), code.to_owned(), place(earlier)));
        }
    }
    rows
}

/// The rows of the findings about duplicates in JSON Lines.
fn reported(lines: &str) -> Vec<Row> {
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let file = row["file"].as_str().unwrap().to_owned();
        let message = row["message"].as_str().unwrap();
        let (_, rest) = message.split_once("game ").unwrap();
        let rest = rest.strip_prefix("is the beginning of ").unwrap_or(rest);
        let rest = rest.strip_prefix("is ").unwrap_or(rest);
        let rest = rest.strip_prefix("game ").unwrap_or(rest);
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (number, rest) = rest.split_at(end);
        let other = rest.strip_prefix(" of ").map_or(file.clone(), |rest| {
            rest.split([' ', ',']).next().unwrap().to_owned()
        });
        let game = row["game"].as_u64().unwrap() as usize;
        let code = row["code"].as_str().unwrap().to_owned();
        ((file, game), code, (other, number.parse().unwrap()))
    };
    lines.lines().map(read).collect()
}

#[test]
fn planted_doubles_are_found_and_none_is_invented() {
    let mut seen = HashMap::new();
    for seed in 1..=6 {
        let random = &mut Random(seed);
        let games = planted(random, 300);
        let folder = Scratch::new(&format!("doubles{seed}"));
        let third = games.len().div_ceil(3);
        let mut files = Vec::new();
        for (nth, part) in games.chunks(third).enumerate() {
            let text: String = part.iter().map(|game| game.text(random)).collect();
            files.push(match nth {
                1 => folder.file("2.pgn.zst", &zstd(text.as_bytes())),
                nth => folder.file(&format!("{}.pgn", nth + 1), text.as_bytes()),
            });
        }
        let place = |nth: usize| (files[nth / third].clone(), nth % third + 1);
        let expected = expected(&games, place);
        for jobs in ["1", "3"] {
            let words = [
                "validate", "-q", "-j", jobs, "--format", "jsonl", "--select", "5",
            ];
            let files: Vec<_> = files.iter().map(String::as_str).collect();
            let ran = run(&[&words[..], &files].concat());
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert_eq!(reported(&ran.stdout()), expected, "seed {seed}");
        }
        for (_, code, _) in expected {
            *seen.entry(code).or_insert(0) += 1;
        }
    }
    for code in ["W501", "W502", "N503"] {
        assert!(seen[code] > 50, "{seen:?}");
    }
}

#[test]
fn duplicates_stand_among_the_findings_of_their_games() {
    let folder = Scratch::new("after");
    let broken = game("Euwe, Max", 30).replace("\n*\n", "\nKe9\n*\n");
    let text = [game("Euwe, Max", 30), game("M. Euwe", 30), broken].concat();
    let path = &folder.file("games.pgn", text.as_bytes());
    let ran = run(&["validate", "--duplicates", "--format", "concise", path]);
    let codes: Vec<_> = ran
        .stdout()
        .lines()
        .map(|line| line.split(['[', ']']).nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(codes, ["W501", "W502", "E203"], "{}", ran.stdout());
    assert!(
        ran.stderr.contains("3 seen = 1 clean + 2 with findings"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(1));
    let ignored = run(&["validate", "--duplicates", "--ignore", "W,E", path]);
    assert!(
        ignored.stderr.contains("3 seen = 3 clean"),
        "{}",
        ignored.stderr
    );
    let off = run(&["validate", "--format", "concise", "--select", "W", path]);
    assert_eq!(off.stdout(), "", "off unless it is asked for");
}

#[test]
fn few_duplicates_in_compressed_text_have_the_same_places() {
    let folder = Scratch::new("packed");
    let short = |from: usize| {
        let games = (from..from + 30).map(|player| game(&format!("user_{player}"), 10));
        games.collect::<String>()
    };
    let [long, again] = [("Euwe, Max", 30), ("M. Euwe", 30)].map(|(name, plies)| game(name, plies));
    let text = [
        short(0),
        long,
        short(30),
        again,
        game("Euwe, M.", 26),
        short(60),
    ]
    .concat();
    let utf_16 = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let packed = COMPRESSORS.map(|(form, compress)| (form, compress(text.as_bytes())));
    let mut forms = vec![("pgn", text.clone().into_bytes()), ("utf16", utf_16)];
    forms.extend(packed);
    let said = forms.iter().map(|(form, bytes)| {
        let path = folder.file(&format!("games.pgn.{form}"), bytes);
        let words = [
            "validate", "-q", "--select", "5", "--format", "concise", &path,
        ];
        run(&words).stdout().replace(&path, "games.pgn")
    });
    let said: Vec<_> = said.collect();
    assert_eq!(said[0].lines().count(), 2, "{}", said[0]);
    for (other, (form, _)) in said.iter().zip(&forms) {
        assert_eq!(*other, said[0], "{form}");
    }
}

#[test]
fn any_number_of_threads_reports_the_places_of_many_duplicates() {
    let folder = Scratch::new("many");
    let double = |player: usize| game(&format!("user_{player}"), 30);
    let single = |player: usize| game(&format!("single_{player}"), 10).repeat(player % 60);
    let twice = (0..500).chain(0..500);
    let text: String = twice
        .map(|player| double(player) + &single(player))
        .collect();
    let path = &folder.file("games.pgn", text.as_bytes());
    let lines: Vec<&str> = text.lines().collect();
    for jobs in ["1", "3"] {
        let words = [
            "validate", "-q", "-j", jobs, "--format", "jsonl", "--select", "W501", path,
        ];
        let reported = run(&words).stdout();
        let reported = reported
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let doubles = reported.filter(|row| row["text"].as_str().unwrap().starts_with("user_"));
        let doubles: Vec<Value> = doubles.collect();
        assert_eq!(doubles.len(), 500, "{jobs}");
        for row in doubles {
            let name = row["text"].as_str().unwrap();
            let line = lines[row["line"].as_u64().unwrap() as usize - 1];
            assert_eq!(line, format!("[White \"{name}\"]"), "{jobs}");
            let bytes =
                [&row["byte_start"], &row["byte_end"]].map(|at| at.as_u64().unwrap() as usize);
            assert_eq!(&text[bytes[0]..bytes[1]], name, "{jobs}");
        }
    }
}

#[test]
fn doubles_with_an_unclosed_comment_are_found() {
    let folder = Scratch::new("unclosed");
    let [long, short] = [30, 22].map(|plies| game("Euwe, Max", plies));
    let open = long.replace("\n*\n", "\n{ never closed\n*\n");
    let first = folder.file("first.pgn", (short + &game("single", 10)).as_bytes());
    let second = folder.file("second.pgn", (game("other", 8) + &open + &long).as_bytes());
    let third = folder.file("third.pgn", (game("last", 6) + &long).as_bytes());
    for jobs in ["1", "3"] {
        let words = [
            "validate",
            "-q",
            "-j",
            jobs,
            "--select",
            "W501,W502",
            "--format",
            "concise",
            &first,
            &second,
            &third,
        ];
        let reported = run(&words).stdout();
        let reported: Vec<_> = (reported.lines())
            .map(|line| line.split_once("W50").unwrap().1.replace(&second, "second"))
            .collect();
        let expected = [
            format!("2] game 1 of {first} is the beginning of this game (game 2)"),
            "1] the game is game 2 again (game 3)".to_owned(),
            "1] the game is game 2 of second again (game 2)".to_owned(),
        ];
        assert_eq!(reported, expected, "{jobs}");
    }
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let folder = Scratch::new("threads");
    let [short, long] = [22, 30].map(|plies| game("player", plies));
    let games = |players: std::ops::Range<usize>| {
        let game = |player: usize| {
            let game = if player.is_multiple_of(3) {
                &short
            } else {
                &long
            };
            game.replace("player", &format!("user_{player}"))
        };
        players.map(game).collect::<String>()
    };
    let open = games(1000..1100).replacen("\n*\n", "\n{ never closed\n*\n", 1);
    let inputs = [
        ("a.pgn", games(0..1500).into_bytes()),
        ("b.pgn.zst", zstd(games(1400..2400).as_bytes())),
        ("c.pgn", open.into_bytes()),
        ("d.pgn", games(700..2000).into_bytes()),
        (
            "e.pgn",
            games(0..1500)
                .replace("[Round \"1\"]", "[Round \"2\"]")
                .into_bytes(),
        ),
    ];
    let inputs = inputs.map(|(name, text)| folder.file(name, &text));
    for format in ["concise", "jsonl"] {
        let said = ["1", "2", "3"].map(|jobs| {
            let words = ["validate", "--duplicates", "-j", jobs, "--format", format];
            let words: Vec<&str> = words
                .into_iter()
                .chain(inputs.iter().map(String::as_str))
                .collect();
            run(&words).stdout()
        });
        assert!(
            said[0].lines().count() > 4000,
            "{}",
            said[0].lines().count()
        );
        assert!(said[1] == said[0] && said[2] == said[0], "{format}");
    }
}

#[test]
fn duplicates_need_whole_files() {
    let folder = Scratch::new("whole");
    let text = game("Euwe, Max", 30).repeat(2);
    let path = &folder.file("games.pgn", text.as_bytes());
    let ran = run_with_stdin(&["validate", "--duplicates"], text.clone().into_bytes());
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("`<stdin>` can be read once only"),
        "{}",
        ran.stderr
    );
    let ran = run(&["validate", "--select", "5", "--part", "1/2", path]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("they may be in other parts"),
        "{}",
        ran.stderr
    );
}

#[test]
fn very_long_games_are_compared() {
    let shuffle = |plies: usize| {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(plies);
        let moves: Vec<&str> = moves.collect();
        format!(
            "[White \"Lasker\"]\n[Black \"Tarrasch\"]\n\n{}\n*\n\n",
            moves.join("\n")
        )
    };
    let folder = Scratch::new("very-long");
    let file = folder.file(
        "x.pgn",
        [700, 600, 700, 511].map(shuffle).concat().as_bytes(),
    );
    let words = [
        "validate", "-q", "--format", "jsonl", "--select", "5", &file,
    ];
    let rows = reported(&run(&words).stdout());
    let codes: Vec<_> = rows
        .iter()
        .map(|((_, game), code, _)| (*game, code.as_str()))
        .collect();
    assert_eq!(codes, [(2, "W502"), (3, "W501"), (4, "W502")]);
}

#[test]
fn beginnings_are_found_among_hundreds_of_games_of_the_same_players() {
    let folder = Scratch::new("hundreds");
    let of_day = |day: usize, plies| {
        let game = game("Euwe, Max", plies);
        game.replace("2001.05.03", &format!("2001.05.0{day}"))
    };
    for count in [30, 300] {
        let games: String = (0..count)
            .map(|nth| of_day(1 + nth % 2, 20 + nth))
            .collect();
        let path = &folder.file("games.pgn", games.as_bytes());
        let ran = run(&["validate", "-q", "--select", "5", "--format", "jsonl", path]);
        let place = |nth: usize| (path.clone(), nth + 1);
        let found = (2..count).map(|nth| (place(nth), "W502".to_owned(), place(nth % 2)));
        assert_eq!(reported(&ran.stdout()), found.collect::<Vec<_>>());
    }
}

#[test]
fn doubles_of_real_games_are_found() {
    let Some(path) = corpus::path("bulk/twic1427.pgn") else {
        return;
    };
    let path = path.to_str().unwrap();
    let count = |files: &[&str]| {
        let words = ["validate", "-q", "--format", "jsonl", "--select", "501"];
        run(&[&words[..], files].concat()).stdout().lines().count()
    };
    assert_eq!(count(&[path]), 0);
    let folder = Scratch::new("real");
    let text = fs::read(path).unwrap();
    let copy = folder.file("copy.pgn", &text);
    let games = text.windows(7).filter(|part| part == b"[Event ").count();
    assert_eq!(count(&[path, &copy]), games);
}

#[test]
fn text_that_is_no_game_is_no_duplicate() {
    let scratch = Scratch::new("duplicates-prose");
    let prose = scratch.file("a.pgn", &fs::read("README.md").unwrap());
    for format in ["human", "junit"] {
        let ran = run(&[
            "validate",
            "--duplicates",
            "--format",
            format,
            &prose,
            &prose,
        ]);
        assert!(
            ran.stderr.contains("findings: 2 error, 0 warning"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn addresses_of_one_game_may_differ_in_what_they_show() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 \
                 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 *\n\n";
    let game = |site: &str| format!("[Site \"{site}\"]\n[White \"A\"]\n[Black \"B\"]\n\n{moves}");
    let text = game("https://lichess.org/x")
        + &game("http://lichess.org/x/black#12")
        + &game("https://lichess.org/y");
    let scratch = Scratch::new("addresses");
    let file = scratch.file("games.pgn", text.as_bytes());
    let ran = run(&[
        "validate",
        "--duplicates",
        "--select",
        "5",
        "--format",
        "jsonl",
        &file,
    ]);
    let rows: Vec<Value> = ran
        .stdout()
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["code"].as_str().unwrap(),
                row["message"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("W501", "the game is game 1 again"),
        ("N503", "the moves are those of game 1, at another address"),
    ];
    assert_eq!(found, expected);
}

/// Lines of findings about games against each other, without their places.
fn found(scratch: &Scratch, files: &[(&str, String)]) -> Vec<String> {
    let files = files.iter();
    let files = files.map(|(name, text)| scratch.file(name, text.as_bytes()));
    let files: Vec<String> = files.collect();
    let mut words = vec!["validate", "-q", "--select", "5", "--format", "concise"];
    words.extend(files.iter().map(String::as_str));
    let lines = run(&words).stdout();
    let lines = lines.lines().map(|line| {
        let line = line.split_once('[').unwrap().1;
        let line = line.replace(&format!("{}/", scratch.path().display()), "");
        line.to_owned()
    });
    lines.collect()
}

#[test]
fn unknown_tags_are_one_value_and_known_ones_others() {
    let scratch = Scratch::new("unknown-tags");
    let roster = "[Event \"Cup\"]\n[Site \"X\"]\n[Date \"2001.01.01\"]\n[Round \"1\"]\n\
                  [White \"A\"]\n[Black \"B\"]\n";
    let without = |name: &str| -> String {
        let lines = roster.split_inclusive('\n');
        lines.filter(|line| !line.contains(name)).collect()
    };
    for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
        let values = ["", "?", "????.??.??"];
        let written = values.map(|value| format!("{}[{name} \"{value}\"]\n", without(name)));
        for tags in written {
            // An opening is the same, and a game without moves only if its text is.
            for (one, other, moves, count) in [
                (&without(name), &tags, "1. e4 e5 ", 1),
                (&tags, &tags, "1. e4 e5 ", 1),
                (&roster.to_owned(), &tags, "1. e4 e5 ", 0),
                (&without(name), &tags, "", 0),
                (&tags, &tags, "", 1),
                (&roster.to_owned(), &tags, "", 0),
            ] {
                let text = format!("{one}\n{moves}1-0\n\n{other}\n{moves}1-0\n");
                let found = found(&scratch, &[("a.pgn", text)]);
                let expected = ["W501] the game is game 1 again (game 2)"];
                assert_eq!(found, expected[..count], "{one}{other}{moves}");
            }
        }
    }
    let text = format!("{roster}\n1-0\n\n{roster}[ECO \"A00\"]\n\n*\n\n{roster}\n0-1\n\n");
    let two_openings = "1. e4 *\n\n1. e4 *\n".to_owned();
    let found = found(&scratch, &[("a.pgn", text), ("b.pgn", two_openings)]);
    let expected = [
        "W501] the game is game 1 again (game 2)",
        "W501] the game is game 1 again, with another result (game 3)",
        "W501] the game is game 1 again (game 2)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn openings_of_a_book_are_compared_by_their_last_positions() {
    let scratch = Scratch::new("books");
    let opening = |name: &str, moves: &str, result: &str| {
        format!("[Event \"{name}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    let lines = [
        ("Queen's Gambit", "1. d4 d5 2. Nf3 Nf6 3. c4"),
        ("English", "1. c4 Nf6 2. Nf3 d5 3. d4"),
        ("Gambit", "1. d4 d5 2. Nf3 Nf6 3. c4"),
        ("Gambit", "1. d4 d5 2. Nf3 Nf6 3. c4"),
        ("Other", "1. d4 d5 2. Nf3 Nf6"),
        ("Illegal", "1. d4 d5 2. Ke5 Nf6"),
        ("Illegal too", "1. c4 d5 2. Ke5 Nf6"),
        ("None", ""),
        ("Nothing", ""),
    ];
    let book = |last: &str| {
        let book = lines.map(|(name, moves)| opening(name, moves, "*"));
        book.concat() + &opening("Last", "1. Nf3 Nf6 2. d4 d5 3. c4", last)
    };
    let of_book = [
        "W504] the last position is that of game 1 (game 2)",
        "W501] the game is game 3 again (game 4)",
        "W504] the last position is that of game 1 (game 10)",
    ];
    assert_eq!(found(&scratch, &[("a.pgn", book("*"))]), of_book);
    // With one other result it is no book.
    assert_eq!(found(&scratch, &[("a.pgn", book("1-0"))]), of_book[1..2]);
    let other = opening("Réti", "1. Nf3 d5 2. d4 Nf6 3. c4", "*");
    let found = found(&scratch, &[("a.pgn", book("*")), ("b.pgn", other)]);
    assert_eq!(
        found.last().unwrap(),
        "W504] the last position is that of game 1 of a.pgn (game 1)"
    );
    for keep in ["first", "longest", "most-tags"] {
        let clean = scratch.file("clean.pgn", b"");
        let path = scratch.file("a.pgn", book("*").as_bytes());
        let ran = run(&["validate", "--keep", keep, "--write-clean", &clean, &path]);
        assert!(
            ran.stderr.contains("(3 duplicate, 0 faulty)"),
            "{}",
            ran.stderr
        );
    }
}
