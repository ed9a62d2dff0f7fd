//! `--openings`: openings by position.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;

use pgn_reader::shakmaty::fen::Epd;
use pgn_reader::shakmaty::san::San;
use pgn_reader::shakmaty::uci::UciMove;
use pgn_reader::shakmaty::{Chess, EnPassantMode, Position};
use serde_json::Value;

use crate::arbiter_command::{Scratch, run, run_with_stdin};
use crate::corpus;

const TABLE: &str = "fixtures/openings.tsv";

/// The five files of lichess-org/chess-openings.
fn lichess() -> Option<Vec<String>> {
    let files = ["a", "b", "c", "d", "e"].map(|volume| format!("openings/{volume}.tsv"));
    let paths = files.iter().map(|file| corpus::path(file));
    paths
        .map(|path| Some(path?.to_str().unwrap().to_owned()))
        .collect()
}

/// Words of a command with tables of openings.
fn with_tables<'a>(words: &[&'a str], tables: &[&'a str]) -> Vec<&'a str> {
    let tables = tables.iter().flat_map(|table| ["--openings", table]);
    words.iter().copied().chain(tables).collect()
}

/// Code and name of each game, by the last row of `replay`.
fn openings(games: &str, tables: &[&str]) -> Vec<Option<(String, String)>> {
    let words = ["replay", "-q", "--format", "jsonl", "--at", "end", games];
    let ran = run(&with_tables(&words, tables));
    ran.stdout().lines().map(opening).collect()
}

/// The opening in a row of JSON.
fn opening(row: &str) -> Option<(String, String)> {
    let row: Value = serde_json::from_str(row).unwrap();
    let text = |name: &str| Some(row[name].as_str()?.to_owned());
    assert_eq!(row["eco"].is_null(), row["opening"].is_null(), "{row}");
    Some((text("eco")?, text("opening")?))
}

/// The opening of one game by the small table.
#[track_caller]
fn check(game: &str, expected: Option<&str>) {
    let words = ["adjudicate", "-q", "--format", "jsonl"];
    let row = run_with_stdin(&with_tables(&words, &[TABLE]), game.into()).stdout();
    let found = opening(row.trim());
    assert_eq!(found.map(|(eco, _)| eco).as_deref(), expected, "{game}");
}

/// Checks that each line of a table, played as a game, has its own opening.
fn check_lines(tables: &[&str]) -> usize {
    let texts: Vec<String> = tables
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let rows: Vec<_> = texts.iter().flat_map(|text| corpus::rows(text)).collect();
    let mut games = String::new();
    for row in &rows {
        let _ = write!(games, "[Event \"?\"]\n[ECO \"A00\"]\n\n{} *\n\n", row[2]);
    }
    let scratch = Scratch::new(&format!("lines-{}", rows.len()));
    let found = openings(&scratch.file("lines.pgn", games.as_bytes()), tables);
    assert_eq!(found.len(), rows.len());
    for (row, found) in rows.iter().zip(found) {
        assert_eq!(
            found,
            Some((row[0].to_owned(), row[1].to_owned())),
            "{row:?}"
        );
    }
    rows.len()
}

#[test]
fn each_line_has_its_own_opening() {
    assert_eq!(check_lines(&[TABLE]), 12);
    if let Some(tables) = lichess() {
        let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
        assert!(check_lines(&tables) > 3_000);
    }
}

#[test]
fn a_transposition_is_the_same_opening() {
    check(
        "1. Nf3 Nf6 2. c4 g6 3. Nc3 Bg7 4. d4 O-O 5. Bf4 d5 6. e3 *",
        Some("D92"),
    );
    // Without castling it is another position.
    check(
        "1. Nf3 Nf6 2. c4 g6 3. Nc3 Bg7 4. d4 d5 5. Bf4 c6 *",
        Some("A04"),
    );
    // The last one counts, however late it comes.
    let wandering = "3. Nf3 Nc6 4. Ng1 Nb8 ".repeat(40);
    check(
        &format!("1. Nf3 c5 2. Ng1 Nf6 {wandering} 3. e4 Ng8 *"),
        Some("B20"),
    );
}

#[test]
fn rights_of_castling_and_of_capturing_en_passant_belong_to_a_position() {
    let from = |fen: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
    let after_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w";
    check(&from(&format!("{after_e5} KQkq - 0 2")), Some("C20"));
    check(&from(&format!("{after_e5} KQkq e6 0 2")), Some("C20"));
    check(&from(&format!("{after_e5} Qkq - 0 2")), None);
    let french = "1. e4 e6 2. e5 d5";
    let scratch = Scratch::new("en-passant");
    let table = format!("eco\tname\tpgn\nC00\tSteinitz\t{french}\n");
    let table = scratch.file("table.tsv", table.as_bytes());
    let games = format!("[Event \"?\"]\n\n1. e4 d5 2. e5 e6 *\n\n[Event \"?\"]\n\n{french}\n");
    let games = scratch.file("games.pgn", games.as_bytes());
    let found = openings(&games, &[&table]);
    assert_eq!(found[0], None);
    assert_eq!(found[1], Some(("C00".to_owned(), "Steinitz".to_owned())));
}

#[test]
fn games_that_begin_or_end_otherwise() {
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let from = |variant: &str, fen: &str| {
        format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e4 e5 *\n")
    };
    check(&from("Chess960", usual), Some("C20"));
    let mirrored = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1";
    check(&from("Chess960", mirrored), None);
    check("[Variant \"Atomic\"]\n\n1. e4 e5 *\n", None);
    check("[ECO \"C20\"]\n\n*\n", None);
    check("1. e4 e5 2. Ke3 Nc6 *", Some("C20"));
    check("1. e4 e5 2. Nf3 (2. Nc3) 2... Nf6 *", Some("C20"));
}

#[test]
fn a_table_in_pgn_names_variations_and_the_last_line_counts() {
    let scratch = Scratch::new("eco-pgn");
    let table =
        b"{ A table.\nOf openings. }\n\n[ECO \"C20\"]\n[Opening \"Open\"]\n\n1. e4 e5 *\n\n\
        [ECO \"C25\"]\n[Opening \"Vienna\"]\n[Variation \"Main\"]\n[SubVariation \"Quiet\"]\n\n\
        1. e4 e5 2. Nc3 *\n\n[ECO \"C40m\"]\n\n1. e4 e5 2. Nf3 *\n\n{ The end. }\n";
    let table = scratch.file("eco.pgn", table);
    let famous = "fixtures/famous.pgn";
    let mut words = vec!["replay", "-q", "--format", "csv", "--at", "end", famous];
    words.extend(["--columns", "eco,opening"]);
    let rows = run(&with_tables(&words, &[&table])).stdout();
    let expected = "eco,opening\nC20,Open\nC40,\nC40,\nC25,\"Vienna: Main, Quiet\"\n,\n";
    assert_eq!(rows, expected);
    // Tables are read in order; a group without a name has its code.
    let words = [
        "stats",
        "-q",
        "--by",
        "opening",
        "--format",
        "csv",
        "fixtures/famous.pgn",
    ];
    let groups = |tables: &[&str]| {
        let ran = run(&with_tables(&words, tables)).stdout();
        let names = ran
            .lines()
            .skip(1)
            .map(|row| row.split(',').next().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(groups(&[&table]), ["C40", "Open", "\"Vienna: Main", ""]);
    let more = scratch.file(
        "more.tsv",
        b"\xef\xbb\xbfECO\tName\tuci\tPGN\r\nC26\tMine\t-\te4 e5 Nc3\r\n",
    );
    assert!(groups(&[&table, &more]).contains(&"Mine".to_owned()));
    assert!(!groups(&[&more, &table]).contains(&"Mine".to_owned()));
}

#[test]
fn faults_of_a_table_are_named_with_file_and_line() {
    let scratch = Scratch::new("bad-tables");
    let check = |text: &str, line: &str, reason: &str| {
        let table = scratch.file("table", text.as_bytes());
        let ran = run(&[
            "stats",
            "--by",
            "eco",
            "--openings",
            &table,
            "fixtures/famous.pgn",
        ]);
        assert_eq!(ran.code, Some(2), "{text}");
        let expected = format!("error: cannot use the table of openings `{table}`: {line}");
        assert!(ran.stderr.starts_with(&expected), "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains(reason), "{text}: {}", ran.stderr);
    };
    let header = "eco\tname\tpgn\n";
    check(
        &format!("{header}\nA00\tx\t1. Nh4\n"),
        "line 3: ",
        "`Nh4` is illegal",
    );
    check(
        &format!("{header}A00\tx\t1. Nh3\nA00\tx\n"),
        "line 3: ",
        "no moves",
    );
    check(
        &format!("{header}A00\tx\t1. Nh3 what\n"),
        "line 2: ",
        "`what`",
    );
    check(
        &format!("{header}F00\tx\t1. Nh3\n"),
        "line 2: ",
        "no ECO code",
    );
    let game = "[ECO \"A00\"]\n\n1. Nh3 *\n\n";
    check(
        &format!("{game}[ECO \"A00\"]\n\n1. e4\ne5 2. Ke3 *\n"),
        "line 8: ",
        "`Ke3` is illegal",
    );
    check(
        &format!("{game}[Opening \"x\"]\n\n1. e4 *\n"),
        "line 5: ",
        "no ECO code",
    );
    check(
        "[workspace]\nmembers = []\n",
        "line 1: ",
        "the columns eco, name and pgn",
    );
    check(header, "it has no openings", "");
    check("", "it has no openings", "");
}

#[test]
fn statistics_by_position_stay_apart_from_those_by_tags() {
    let scratch = Scratch::new("opening-statistics");
    let games = "[ECO \"D00\"]\n[Opening \"No\"]\n\n1. e4 e5 *\n\n[ECO \"D00\"]\n\n1. a3 *\n";
    let games = scratch.file("games.pgn", games.as_bytes());
    let count = |more: &[&str], name: &str| {
        let mut words = vec!["stats", "-q", "--by", "eco", "--by", "opening", &games];
        words.extend(["--format", "json"].iter().chain(more));
        let ran = run(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        scratch.file(name, &ran.stdout)
    };
    let by_tags = count(&[], "tags.json");
    let by_position = count(&["--openings", TABLE], "position.json");
    // The moves are played once more for draws.
    count(&["--openings", TABLE, "--draws"], "draws.json");
    let groups = |path: &str| {
        let read: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let groups = read["by"].as_array().unwrap().iter();
        let inner = |group: &Value| group["by"][0]["value"].clone();
        groups
            .map(|group| (group["value"].clone(), inner(group)))
            .collect::<Vec<_>>()
    };
    let text = |text: &str| Value::from(text);
    assert_eq!(groups(&by_tags)[0].0, text("D00"));
    let expected = [
        (text("C20"), text("King's Pawn Game")),
        (Value::Null, Value::Null),
    ];
    assert_eq!(groups(&by_position), expected);
    let draws = scratch.path().join("draws.json");
    assert_eq!(groups(draws.to_str().unwrap()), expected);
    let ran = run(&["stats", "-q", "--merge", &by_position, &by_position]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = run(&["stats", "-q", "--merge", &by_position, &by_tags]);
    assert!(
        ran.stderr.contains("its openings are of another source"),
        "{}",
        ran.stderr
    );
    let ran = run(&["stats", "--openings", TABLE, &games]);
    assert_eq!(
        ran.stderr,
        "error: `--openings` needs `--by eco`, `--by opening` or `eco=` in `--where`\n"
    );
}

/// A condition on the opening uses the table where nothing else does.
#[test]
fn a_table_serves_conditions_in_all_commands() {
    let scratch = Scratch::new("opening-conditions");
    let tags = "[White \"A\"]\n[Black \"B\"]\n[ECO \"D00\"]\n[Result \"1-0\"]\n";
    let games = format!("{tags}\n1. e4 e5 1-0\n\n{tags}\n1. a3 1-0\n");
    let games = scratch.file("games.pgn", games.as_bytes());
    for words in [
        &["stats", "-q"][..],
        &["stats", "-q", "--by", "player"],
        &["stats", "-q", "--ratings"],
        &["stats", "-q", "--pairs"],
        &["adjudicate", "-q"],
        &["adjudicate", "-q", "--format", "pgn"],
        &["replay", "-q", "--format", "uci"],
        &["replay", "-q", "--format", "fen"],
    ] {
        let chosen = |conditions: &[&str]| {
            run(&[words, &["--openings", TABLE], conditions, &[&games]].concat())
        };
        let (one, all) = (
            chosen(&["--where", "eco=C20"]),
            chosen(&["--where", "eco=*"]),
        );
        assert_eq!(
            (one.code, all.code),
            (Some(0), Some(0)),
            "{words:?} {one:?}"
        );
        assert_ne!(one.stdout, all.stdout, "{words:?}");
        assert_eq!(chosen(&["--where", "eco=D00"]).code, Some(2), "{words:?}");
        assert_eq!(chosen(&[]).code, Some(2), "{words:?}");
    }
}

#[test]
fn exported_tags_are_those_of_the_table_if_the_opening_is_known() {
    let scratch = Scratch::new("opening-tags");
    let tags = "[ECO \"D00\"]\n[Opening \"No\"]\n[Variation \"No\"]\n[WhiteElo \"2500\"]\n";
    let games = format!("{tags}\n1. e4 e5 *\n\n{tags}\n1. a3 *\n");
    let games = scratch.file("games.pgn", games.as_bytes());
    let ran = run(&[
        "replay",
        "-q",
        "--format",
        "pgn",
        "--openings",
        TABLE,
        &games,
    ])
    .stdout();
    let others = ran.lines().filter(|line| line.starts_with('['));
    let others: Vec<_> = others.filter(|line| !line.contains("?\"]")).collect();
    let mut expected = vec!["[Result \"*\"]", "[ECO \"C20\"]"];
    expected.extend(["[Opening \"King's Pawn Game\"]", "[WhiteElo \"2500\"]"]);
    expected.push("[Result \"*\"]");
    expected.extend(tags.lines());
    let dates = others.into_iter().filter(|line| !line.contains("????"));
    assert_eq!(dates.collect::<Vec<_>>(), expected);
}

#[test]
fn columns_of_openings_are_the_last() {
    let header = |words: &[&str]| {
        let ran = run(&with_tables(words, &[TABLE])).stdout();
        ran.lines().next().unwrap_or_default().to_owned()
    };
    let famous = "fixtures/famous.pgn";
    let end = ",eco,opening";
    for words in [
        &["adjudicate", "-q", "--format", "csv", famous][..],
        &["adjudicate", "-q", "--format", "csv", "--claims", famous],
        &["replay", "-q", "--format", "csv", famous],
        &["replay", "-q", "--format", "csv", "--variations", famous],
    ] {
        assert!(header(words).ends_with(end), "{words:?}");
    }
    let words = [
        "adjudicate",
        "-q",
        "--format",
        "csv",
        "--tags",
        "ECO,opening",
        famous,
    ];
    let names = header(&words);
    assert!(names.starts_with("tag_ECO,tag_opening,game,"), "{names}");
    assert!(names.ends_with(end), "{names}");
    let words = ["replay", "--format", "csv", "--columns", "eco", famous];
    assert_eq!(run(&words).code, Some(2));
    let words = [
        "replay",
        "-q",
        "--format",
        "csv",
        "--columns",
        "opening,ply",
        famous,
    ];
    assert_eq!(header(&words), "opening,ply");
}

/// Openings of real games, as shakmaty finds them; and the tags of lichess, which are by an older
/// edition of the same table.
#[test]
fn shakmaty_finds_the_same_openings() {
    let games = corpus::path("bulk/lichess_clk_eval_10k_games.pgn.zst");
    let (Some(tables), Some(games)) = (lichess(), games) else {
        return;
    };
    let key = |position: &Chess| Epd::from_position(position, EnPassantMode::Legal).to_string();
    let mut known: HashMap<String, (String, String)> = HashMap::new();
    for table in &tables {
        for row in corpus::rows(&fs::read_to_string(table).unwrap()) {
            let mut position = Chess::default();
            for word in row[2].split(' ').filter(|word| !word.ends_with('.')) {
                let san: San = word.trim_end_matches(['+', '#']).parse().unwrap();
                position = position
                    .clone()
                    .play(san.to_move(&position).unwrap())
                    .unwrap();
            }
            known.insert(key(&position), (row[0].to_owned(), row[1].to_owned()));
        }
    }
    let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
    let mut words = vec!["replay", "-q", "--format", "jsonl", "--where", "!FEN"];
    words.extend(["--games", "1-2000", games.to_str().unwrap()]);
    let rows = run(&with_tables(&words, &tables)).stdout();
    let mut position = Chess::default();
    let (mut last, mut found, mut last_row) = (None, None, String::new());
    let mut compared = 0;
    for row in rows.lines().chain([""]) {
        let value: Value = serde_json::from_str(row).unwrap_or_default();
        if row.is_empty() || value["ply"] == 1 {
            if !last_row.is_empty() {
                assert_eq!(opening(&last_row), last, "{last_row}");
                assert_eq!(found, last, "{last_row}");
                compared += 1;
            }
            (position, last, found) = (Chess::default(), None, opening_of(row));
        }
        if let Some(uci) = value["uci"].as_str() {
            let uci: UciMove = uci.parse().unwrap();
            position = position
                .clone()
                .play(uci.to_move(&position).unwrap())
                .unwrap();
            last = known.get(&key(&position)).cloned().or(last);
        }
        row.clone_into(&mut last_row);
    }
    assert!(compared > 1_900, "{compared}");
}

/// The opening in a row, if there is a row.
fn opening_of(row: &str) -> Option<(String, String)> {
    (!row.is_empty()).then(|| opening(row)).flatten()
}

#[test]
fn a_folder_stands_for_its_tables() {
    let scratch = Scratch::new("openings-folder");
    let folder = scratch.path().to_str().unwrap();
    let empty = run(&["replay", "--openings", folder, "fixtures/famous.pgn"]);
    assert_eq!(empty.code, Some(2));
    assert!(empty.stderr.contains("no files *.tsv"), "{}", empty.stderr);
    scratch.file("b.tsv", b"eco\tname\tpgn\nC20\tLast\t1. e4 e5\n");
    scratch.file(
        "a.tsv",
        b"eco\tname\tpgn\nC20\tFirst\t1. e4 e5\nC40\tKnight\t1. e4 e5 2. Nf3\n",
    );
    scratch.file("c.txt", b"no table\n");
    let games = scratch.file(
        "games.pgn",
        b"1. e4 e5 *\n\n[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n",
    );
    let found = openings(&games, &[folder]);
    let names: Vec<String> = found.into_iter().map(|it| it.unwrap().1).collect();
    assert_eq!(names, ["Last", "Knight"]);
}
