use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::{Value, json};

#[cfg(unix)]
use crate::arbiter_command::run_interrupted;
use crate::arbiter_command::{Scratch, run};
use crate::compressors::gzip;

/// Rows of a group.
const GROUP_ROWS: i64 = 1 << 16;

fn read(path: &str) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

fn rows(path: &str) -> Vec<Value> {
    let rows = read(path).into_iter();
    rows.map(|row| row.unwrap().to_json_value()).collect()
}

/// Runs a command with its rows as Parquet in a file.
fn write(words: &[&str], path: &str) {
    let words = [words, &["--quiet", "--format", "parquet", "-o", path]].concat();
    let ran = run(&words);
    assert!(matches!(ran.code, Some(0 | 1)), "{words:?}: {}", ran.stderr);
}

#[test]
fn rows_are_those_of_json_lines() {
    let scratch = Scratch::new("parquet-rows");
    let path = scratch.file("rows.parquet", b"");
    let commands: [&[&str]; 11] = [
        &[
            "validate",
            "--strict",
            "fixtures/findings",
            "fixtures/slips.pgn",
        ],
        &["adjudicate", "fixtures/endings.pgn", "fixtures/claim.pgn"],
        &["adjudicate", "--tags", "all,movetext", "fixtures/findings"],
        &[
            "adjudicate",
            "--tags",
            "lichess",
            "fixtures/tags.pgn",
            "fixtures/famous.pgn",
        ],
        &[
            "adjudicate",
            "--claims",
            "--tags",
            "all",
            "fixtures/endings.pgn",
        ],
        &["replay", "fixtures/famous.pgn", "fixtures/slips.pgn"],
        &["replay", "--variations", "--at", "2-9", "fixtures/findings"],
        &["replay", "--at", "3,8-9,end", "fixtures/famous.pgn"],
        &[
            "replay",
            "--columns",
            "nags,fen,clock,game,san",
            "fixtures/tags.pgn",
        ],
        &[
            "replay",
            "--columns",
            "phase,castling,promotion,piece,material,position,hash",
            "fixtures/famous.pgn",
        ],
        &[
            "adjudicate",
            "--columns",
            "increment,base,speed,last_fen,game",
            "fixtures/tags.pgn",
            "fixtures/famous.pgn",
        ],
    ];
    for words in commands {
        write(words, &path);
        let lines = run(&[words, &["--quiet", "--format", "jsonl"]].concat()).stdout();
        let mut expected: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for row in &mut expected {
            // Repairs have no column.
            row.as_object_mut().unwrap().remove("fix");
            // The reader prints milliseconds.
            if let Some(Value::String(time)) = row.get_mut("UTCTime") {
                time.push_str(".000");
            }
        }
        assert!(expected.len() > 1, "{words:?}");
        assert_eq!(rows(&path), expected, "{words:?}");
    }
}

#[test]
fn tables_of_statistics_are_those_of_csv() {
    let scratch = Scratch::new("parquet-stats");
    let path = scratch.file("rows.parquet", b"");
    let commands: [&[&str]; 6] = [
        &["--by=year", "--by=white", "fixtures/famous.pgn"],
        &["--by=eco", "--draws", "fixtures/endings.pgn"],
        &["--by=player", "--part=2/2", "fixtures/famous.pgn"],
        &["--ratings", "fixtures/endings.pgn"],
        &["--pairs", "fixtures/match.pgn"],
        &["--compare", "fixtures/famous.json", "fixtures/famous.json"],
    ];
    for words in commands {
        write(&[&["stats"], words].concat(), &path);
        let csv = run(&[&["stats", "--quiet", "--format=csv"], words].concat()).stdout();
        let mut csv = csv::Reader::from_reader(csv.as_bytes());
        let names = csv.headers().unwrap().clone();
        let expected: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
        let found = rows(&path);
        assert!(!expected.is_empty(), "{words:?}");
        assert_eq!(found.len(), expected.len(), "{words:?}");
        for (row, record) in found.iter().zip(&expected) {
            for (name, cell) in names.iter().zip(record) {
                let cell = match &row[name] {
                    Value::Number(_) => json!(cell.parse::<f64>().unwrap()),
                    _ if cell.is_empty() => Value::Null,
                    _ => json!(cell),
                };
                let value = row[name].as_f64().map_or(row[name].clone(), |it| json!(it));
                assert_eq!(value, cell, "{words:?} {name}");
            }
        }
    }
}

#[test]
fn claims_are_a_list_of_structs() {
    let scratch = Scratch::new("parquet-claims");
    let path = scratch.file("rows.parquet", b"");
    write(
        &["adjudicate", "fixtures/claim.pgn", "fixtures/endings.pgn"],
        &path,
    );
    let schema = read(&path).metadata().file_metadata().schema_descr_ptr();
    let claims = schema.columns().iter();
    let claims = claims.filter_map(|it| {
        it.path()
            .string()
            .strip_prefix("claimable.")
            .map(str::to_owned)
    });
    let fields = ["claim", "by", "ply", "move", "article", "holds"];
    let expected = fields.map(|field| format!("list.element.{field}"));
    assert_eq!(claims.collect::<Vec<_>>(), expected);
    let claims: Vec<Value> = rows(&path)
        .iter()
        .map(|row| row["claimable"].clone())
        .collect();
    let claim = json!({
        "claim": "threefold-repetition", "by": "white", "ply": 8, "move": "35.Qc4+",
        "article": "FIDE 2023 art. 9.2.1", "holds": "yes",
    });
    assert_eq!(claims[0], json!([claim]));
    let of_board = |claim: &Value| claim["ply"] == 8 && claim["move"].is_null();
    assert!(
        claims
            .iter()
            .any(|claims| claims.as_array().unwrap().iter().any(of_board))
    );
}

/// Variants and texts that are no game.
#[test]
fn every_game_seen_has_a_row() {
    let text = "\
        [Event \"Bughouse\"]\n[White \"A\"]\n[Variant \"Bughouse\"]\n[Result \"1-0\"]\n\
        [Termination \"time forfeit\"]\n\n1. e4 1-0\n\n\
        [Event \"Chess\"]\n[Result \"*\"]\n\n1. e4 *\n\n\
        [Event \"No kings\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    let scratch = Scratch::new("every-game-seen");
    let path = scratch.file("rows.parquet", b"");
    let games = scratch.file("games.pgn", text.as_bytes());
    let other = scratch.file("other.pgn", b"some words that are no game\n");
    let words = ["adjudicate", "--tags", "Event,movetext", &games, &other];
    write(&words, &path);
    let found = rows(&path);
    let verdicts: Vec<&str> = found
        .iter()
        .map(|row| row["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(
        verdicts,
        ["not-judged", "consistent", "not-judged", "not-judged"]
    );
    let unknown = [
        "plies",
        "board",
        "claimable",
        "white_can_win",
        "black_can_win",
        "ruled_result",
        "ruled_reason",
        "article",
        "ended_at_ply",
        "line",
        "rules_applied",
    ];
    for row in [&found[0], &found[2], &found[3]] {
        assert!(unknown.iter().all(|name| row[name].is_null()), "{row}");
        assert_eq!(row["rules"], "fide");
    }
    let bughouse = [
        ("Event", "Bughouse"),
        ("movetext", "1. e4 1-0"),
        ("white", "A"),
        ("recorded_result", "1-0"),
        ("recorded_reason", "time-forfeit"),
        ("because", "unsupported variant `Bughouse`"),
    ];
    for (name, value) in bughouse {
        assert_eq!(found[0][name], value);
    }
    let why = "the position of the FEN tag is unplayable: White has no king";
    assert_eq!(found[2]["because"], why);
    assert!(found[3]["movetext"].is_null());
    // Rows of games only, and only if no option selects them.
    for (more, rows) in [
        (&[][..], 4),
        (&["--contradictions"], 0),
        (&["--rules", "fide,uscf"], 0),
        (&["--claims"], 0),
    ] {
        for format in ["csv", "jsonl"] {
            let ran = run(&[&words[..], more, &["-q", "--format", format]].concat());
            let header = usize::from(format == "csv");
            assert_eq!(ran.stdout().lines().count(), rows + header, "{more:?}");
        }
    }
}

#[test]
fn groups_have_a_fixed_number_of_rows_for_any_threads() {
    let scratch = Scratch::new("parquet-groups");
    let game = std::fs::read("fixtures/famous.pgn").unwrap();
    let games = scratch.file("games.pgn", &game.repeat(700));
    let one = scratch.file("one.parquet", b"");
    write(&["replay", "-j", "1", &games], &one);
    for jobs in ["2", "5"] {
        let several = scratch.file("several.parquet", b"");
        write(&["replay", "-j", jobs, &games], &several);
        let bytes = |path: &str| std::fs::read(path).unwrap();
        assert!(bytes(&one) == bytes(&several), "{jobs} threads");
    }
    let file = read(&one);
    let groups = file.metadata().row_groups();
    assert!(groups.len() > 2);
    let (last, whole) = groups.split_last().unwrap();
    assert!(whole.iter().all(|group| group.num_rows() == GROUP_ROWS));
    assert!((1..=GROUP_ROWS).contains(&last.num_rows()));
    let created_by = file.metadata().file_metadata().created_by();
    assert_eq!(
        created_by,
        Some(concat!("arbiter version ", env!("CARGO_PKG_VERSION")))
    );
}

#[test]
fn each_part_is_a_whole_file() {
    let scratch = Scratch::new("parquet-parts");
    let whole = scratch.file("whole.parquet", b"");
    let words = ["adjudicate", "fixtures/endings.pgn"];
    write(&words, &whole);
    let mut found = Vec::new();
    let counts: String = (1..=3)
        .map(|part| {
            let part = format!("{part}/3");
            run(&[
                "stats",
                "-q",
                "--count",
                "--part",
                &part,
                "fixtures/endings.pgn",
            ])
            .stdout()
        })
        .collect();
    let counts = scratch.file("counts", counts.as_bytes());
    for part in ["1/3", "2/3", "3/3"] {
        let path = scratch.file("part.parquet", b"");
        write(
            &[&words[..], &["--part", part, "--counts", &counts]].concat(),
            &path,
        );
        found.extend(rows(&path));
    }
    assert_eq!(found, rows(&whole));
}

#[test]
fn a_part_without_text_has_the_columns() {
    let scratch = Scratch::new("parquet-no-text");
    let games = std::fs::read("fixtures/famous.pgn").unwrap();
    let games = scratch.file("games.pgn.gz", &gzip(&games));
    let columns = |path: &str| {
        let file = read(path);
        let columns = file.metadata().file_metadata().schema_descr().columns();
        let names = columns.iter().map(|column| column.name().to_owned());
        names.collect::<Vec<_>>()
    };
    for command in ["validate", "adjudicate", "replay"] {
        let paths = ["1/2", "2/2"].map(|part| {
            let path = scratch.file(&format!("{}.parquet", &part[..1]), b"");
            write(&[command, "--part", part, &games], &path);
            path
        });
        assert_eq!(columns(&paths[1]), columns(&paths[0]), "{command}");
        assert!(rows(&paths[1]).is_empty(), "{command}");
    }
}

#[test]
fn a_compressed_file_is_refused() {
    let scratch = Scratch::new("parquet-compressed");
    for end in ["gz", "zst"] {
        let path = scratch.file(&format!("rows.parquet.{end}"), b"before");
        let ran = run(&[
            "replay",
            "-o",
            &path,
            "--format",
            "parquet",
            "fixtures/famous.pgn",
        ]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains("compressed already"), "{}", ran.stderr);
        assert_eq!(std::fs::read(&path).unwrap(), b"before");
    }
}

#[test]
fn names_of_columns_differ_without_regard_to_case() {
    let words = [
        "adjudicate",
        "--format",
        "csv",
        "--tags",
        "all,game,FILE,lichess",
    ];
    for more in [&[][..], &["--claims"]] {
        let ran = run(&[&words, more, &["fixtures/tags.pgn"]].concat());
        let header = ran.stdout().lines().next().unwrap().to_ascii_lowercase();
        let mut names: Vec<&str> = header.split(',').collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{header}");
        assert!(header.contains(",tag_game,tag_file,"), "{header}");
        assert_eq!(header.contains(",tag_board,"), more.is_empty(), "{header}");
    }
}

#[test]
fn lines_of_movetext_end_with_line_feeds() {
    let scratch = Scratch::new("rows-movetext");
    let texts = ["\n", "\r\n", "\r"].map(|end| {
        let text = "[Event \"x\"]\n\n1. e4\ne5 *\n".replace('\n', end);
        let path = scratch.file("games.pgn", text.as_bytes());
        let words = ["adjudicate", "-q", "--tags", "movetext", "--format"];
        let csv = run(&[&words[..], &["csv", &path]].concat()).stdout();
        let json = run(&[&words[..], &["jsonl", &path]].concat()).stdout();
        assert!(csv.contains("\n\"1. e4\ne5 *\","), "{csv}");
        assert!(
            json.starts_with("{\"movetext\":\"1. e4\\ne5 *\","),
            "{json}"
        );
        [csv, json]
    });
    assert!(texts[1..].iter().all(|text| *text == texts[0]));
}

#[test]
fn a_run_without_rows_writes_a_file_with_columns() {
    let scratch = Scratch::new("parquet-empty");
    let path = scratch.file("rows.parquet", b"");
    write(&["validate", "fixtures/famous.pgn"], &path);
    let file = read(&path);
    assert_eq!(file.metadata().file_metadata().num_rows(), 0);
    assert_eq!(
        file.metadata().file_metadata().schema_descr().num_columns(),
        16
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_its_file() {
    let games = std::fs::read("fixtures/famous.pgn").unwrap().repeat(500);
    let words = ["replay", "-j", "2", "--format", "parquet"];
    let ran = run_interrupted(&words, b"", &games);
    assert_eq!(ran.code, None, "{}", ran.stderr);
    let scratch = Scratch::new("parquet-interrupted");
    let path = scratch.file("rows.parquet", &ran.stdout);
    let found = rows(&path);
    assert_eq!(
        found.len() as i64,
        read(&path).metadata().file_metadata().num_rows()
    );
    assert_eq!(found[0]["san"], "e4");
}

#[test]
fn what_a_fen_does_not_say_is_null_or_unknown() {
    let scratch = Scratch::new("parquet-short-fen");
    let game = "[SetUp \"1\"]\n[FEN \"8/8/3k4/8/8/3Kp3/8/4R3 w - -\"]\n\n34. Kd4 e2 35. Rxe2 *\n";
    let games = scratch.file("game.pgn", game.as_bytes());
    let path = scratch.file("rows.parquet", b"");
    for command in ["replay", "adjudicate"] {
        write(&[command, &games], &path);
        let lines = run(&[command, "--quiet", "--format", "jsonl", &games]).stdout();
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let expected: Vec<Value> = lines.collect();
        assert_eq!(rows(&path), expected);
        match command {
            "replay" => assert_eq!(expected[0]["halfmove_clock"], Value::Null),
            _ => assert_eq!(expected[0]["claimable"][0]["holds"], "unknown"),
        }
    }
}
