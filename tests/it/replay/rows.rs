//! Rows of plies, positions and moves: every format agrees on a game.

use std::collections::BTreeSet;

use arbiter::chess::{Position, San};
use arbiter::law::Repetitions;
use serde_json::Value;

use super::{of_file, replayed};
use crate::arbiter_command::{run, run_with_stdin};

/// A game with castling on both wings, en passant, promotions and a repetition, and one from its
/// own start position.
const GAMES: &str = r#"[Event "all kinds of moves"]
[Result "*"]

1. e4 Nf6 2. e5 d5 3. exd6 Nc6 4. dxc7 Bg4 5. cxd8=N Rxd8 6. Nf3 e6 7. Be2 Be7 8. O-O O-O 9. Re1 Nb8 10. Rf1 Nc6 11. Re1
Nb8 12. Rf1 Nc6 *

[Event "from a position"]
[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/6p1/R3K3 b Qkq - 7 31"]
[Result "0-1"]

31... g1=Q+ 32. Ke2 O-O-O 0-1
"#;

fn json_rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn column<'a>(rows: &'a [Value], game: u64, name: &str) -> Vec<&'a str> {
    rows.iter()
        .filter(|row| row["game"] == game)
        .map(|row| row[name].as_str().unwrap())
        .collect()
}

#[test]
fn csv_and_json_lines_hold_the_same() {
    let json = json_rows(&replayed(&["--format", "jsonl"], GAMES).stdout());
    let csv = replayed(&["--format", "csv"], GAMES).stdout();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let mut count = 0;
    for (record, object) in reader.records().zip(&json) {
        let record = record.unwrap();
        assert_eq!(record.len(), object.as_object().unwrap().len());
        for (name, value) in header.iter().zip(&record) {
            let said = match &object[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(value, said, "{name}");
        }
        count += 1;
    }
    assert_eq!((count, json.len()), (27, 27));
}

#[test]
fn rows_say_what_the_moves_do() {
    let rows = json_rows(&replayed(&["--format", "jsonl"], GAMES).stdout());
    let first = column(&rows, 1, "san");
    assert_eq!(
        first[..10],
        [
            "e4", "Nf6", "e5", "d5", "exd6", "Nc6", "dxc7", "Bg4", "cxd8=N", "Rxd8"
        ]
    );
    assert_eq!(column(&rows, 1, "uci")[8], "c7d8n");
    // The captured pawn stands beside the target square.
    assert_eq!(rows[4]["capture"], true);
    assert_eq!(rows[4]["halfmove_clock"], 0);
    assert_eq!(rows[23]["repetition"], 3);
    assert_eq!(rows[22]["repetition"], 2);
    let second = &rows[24..];
    assert_eq!(second[0]["ply"], 1);
    assert_eq!(second[0]["move_number"], 31);
    assert_eq!(second[0]["color"], "black");
    assert_eq!(second[0]["san"], "g1=Q+");
    assert_eq!(second[0]["check"], true);
    assert_eq!(second[2]["uci"], "e8c8");
    assert_eq!(second[2]["fen"], "2kr3r/8/8/8/8/8/4K3/R5q1 w - - 2 33");
}

#[test]
fn every_format_says_the_same_of_a_game() {
    let rows = json_rows(&replayed(&["--format", "jsonl"], GAMES).stdout());
    let uci = replayed(&["--format", "uci"], GAMES).stdout();
    let fens = replayed(&["--format", "fen", "--at", "1-"], GAMES).stdout();
    let epds = replayed(&["--format", "epd", "--at", "1-end"], GAMES).stdout();
    for (game, line) in (1..).zip(uci.lines()) {
        assert_eq!(line, column(&rows, game, "uci").join(" "));
    }
    assert_eq!(uci.lines().count(), 2);
    assert_eq!(fens.lines().count(), rows.len());
    for ((row, fen), epd) in rows.iter().zip(fens.lines()).zip(epds.lines()) {
        assert_eq!(row["fen"], fen);
        let fields: Vec<_> = fen.split(' ').collect();
        let [board, turn, castling, en_passant, halfmoves, fullmoves] = fields[..] else {
            panic!("{fen}");
        };
        assert_eq!(
            epd,
            format!("{board} {turn} {castling} {en_passant} hmvc {halfmoves}; fmvn {fullmoves};")
        );
    }
}

#[test]
fn plies_are_chosen_by_number_by_move_and_from_the_end() {
    let chosen = |at: &str| {
        let ran = replayed(&["--format", "jsonl", "--at", at], GAMES);
        let rows = json_rows(&ran.stdout());
        let plies = |game| {
            let of_game = rows.iter().filter(move |row| row["game"] == game);
            of_game
                .map(|row| row["ply"].as_u64().unwrap())
                .collect::<Vec<_>>()
        };
        [plies(1), plies(2)]
    };
    let none: Vec<u64> = Vec::new();
    assert_eq!(chosen("2"), [vec![2], vec![2]]);
    assert_eq!(chosen("2w,12b"), [vec![3, 24], none.clone()]);
    assert_eq!(chosen("31b-32w"), [none.clone(), vec![1, 2]]);
    assert_eq!(chosen("end"), [vec![24], vec![3]]);
    assert_eq!(chosen("23-"), [vec![23, 24], none.clone()]);
    assert_eq!(chosen("-2"), [vec![1, 2], vec![1, 2]]);
    // Ply 0 is the initial position and has no move.
    assert_eq!(chosen("0,1"), [vec![1], vec![1]]);
    for format in ["csv", "jsonl", "uci"] {
        let ran = replayed(&["--format", format, "--at", "0"], GAMES);
        assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0));
        assert!(ran.stderr.contains("`--at 0` is the position before"));
    }
    let fens = replayed(&["--format", "fen", "--at", "0,end"], GAMES).stdout();
    assert_eq!(fens.lines().count(), 4);
    assert!(fens.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"));
}

#[test]
fn games_without_the_plies_asked_for_are_counted() {
    let ran = of_file(&["--format", "fen", "--at", "40w"], "fixtures/famous.pgn");
    assert_eq!((ran.code, ran.stdout().lines().count()), (Some(0), 1));
    let words = [
        "replay",
        "--format",
        "fen",
        "--at",
        "40w",
        "fixtures/famous.pgn",
    ];
    let said = super::run(&words).stderr;
    assert!(
        said.starts_with("games without any of the plies asked for: 4\n"),
        "{said}"
    );
}

#[test]
fn plies_that_no_game_has_are_reported() {
    for format in ["fen", "csv", "human"] {
        let words = [
            "replay",
            "-q",
            "--format",
            format,
            "--at",
            "999w-",
            "fixtures/famous.pgn",
        ];
        let ran = super::run(&words);
        assert_eq!(ran.code, Some(2), "{format}");
        assert!(
            ran.stderr.contains(
                "no game has any of the plies of `--at`: fixtures/famous.pgn, game 1, has "
            ),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn epd_has_no_fault() {
    let epd = of_file(&["--format", "epd", "--at", "0-"], "fixtures/famous.pgn");
    let words = ["validate", "-q", "--strict", "--input-format", "epd", "-"];
    let ran = super::run_with_stdin(&words, epd.stdout);
    assert_eq!((ran.code, ran.stdout().as_str()), (Some(0), ""));
}

#[test]
fn castling_in_chess960_is_written_as_each_format_has_it() {
    let pgn = r#"[Variant "Chess960"]
[SetUp "1"]
[FEN "bbrknqrn/pppppppp/8/8/8/8/PPPPPPPP/BBRKNQRN w GCgc - 0 1"]

1. g3 g6 2. Nf3 Nf6 3. Ne1 Ng4 4. Nf3 c6 5. Qe1 Qg7 6. Ng1 d6 7. f4 Nef6 8. Qf2 Kd7 9. d3 e6 10. Qf3 h6 *
"#;
    let rows = json_rows(&replayed(&["--format", "jsonl"], pgn).stdout());
    assert!(rows.len() > 3);
    // X-FEN: `KQkq` for the outermost rooks.
    let fen = column(&rows, 1, "fen")[0];
    assert!(fen.contains(" b KQkq - "), "{fen}");

    let castles = |variant: &str, fen: &str| {
        let pgn =
            format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. O-O O-O-O *\n");
        (
            replayed(&["--format", "uci"], &pgn).stdout(),
            replayed(&["--format", "fen"], &pgn).stdout(),
        )
    };
    let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let after = "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2\n".to_owned();
    assert_eq!(
        castles("Standard", standard),
        ("e1g1 e8c8\n".to_owned(), after.clone())
    );
    assert_eq!(
        castles("Chess960", standard),
        ("e1h1 e8a8\n".to_owned(), after)
    );
    // These squares require Chess960 notation, without its tag as well.
    assert_eq!(
        castles("From Position", "r4k1r/5p2/8/8/8/8/5P2/R4K1R w KQkq - 0 1"),
        (
            "f1h1 f8a8\n".to_owned(),
            "2kr3r/5p2/8/8/8/8/5P2/R4RK1 w - - 2 2\n".to_owned()
        )
    );
}

#[test]
fn a_game_gives_its_rows_up_to_the_fault() {
    for (fixture, plies, code) in [
        ("E201", 4, "E201"),
        ("E202", 4, "E202"),
        ("E211", 1, "E211"),
    ] {
        let path = format!("fixtures/findings/{fixture}.pgn");
        let ran = of_file(&["--format", "jsonl"], &path);
        assert_eq!(ran.code, Some(1), "{fixture}");
        assert!(
            ran.stderr.contains(&format!("error[{code}]")),
            "{}",
            ran.stderr
        );
        assert_eq!(json_rows(&ran.stdout()).len(), plies, "{fixture}");
    }
}

#[test]
fn a_last_word_that_is_no_move_is_why_the_game_stops() {
    for word in ["Nf", "resigns", "Zz9"] {
        let text = format!("[Result \"1-0\"]\n\n1. e4 e5 2. {word}\n");
        for command in ["replay", "adjudicate"] {
            let ran = run_with_stdin(&[command, "-q"], text.clone().into_bytes());
            assert!(
                ran.stderr.contains(&format!("error[E203] `{word}`")),
                "{command}: {}",
                ran.stderr
            );
        }
    }
}

/// Errors of the commands that play games, for all fixtures of findings.
#[test]
fn errors_are_those_of_validate() {
    let mut compared = 0;
    for entry in std::fs::read_dir("fixtures/findings").unwrap() {
        let path = entry.unwrap().path();
        let path = path.to_str().unwrap();
        if !path.contains(".pgn") {
            continue;
        }
        let found = run(&["validate", "--format", "concise", path]).stdout();
        for command in ["replay", "adjudicate"] {
            let ran = run(&[command, "--format", "csv", path]);
            for line in ran.stderr.lines().filter(|line| line.contains(": error[")) {
                assert!(
                    found.lines().any(|other| other == line),
                    "{command}: {line}\n{found}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn a_name_that_csv_and_json_must_quote() {
    let folder = crate::arbiter_command::Scratch::new("replay-names");
    let name = "a, \"b\".pgn";
    let path = folder.file(name, b"1. e4 *\n");
    let csv = of_file(&["--format", "csv"], &path).stdout();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let record = reader.records().next().unwrap().unwrap();
    assert_eq!(&record[11], name);
    let rows = json_rows(&of_file(&["--format", "jsonl"], &path).stdout());
    assert_eq!(rows[0]["file"], name);
}

/// FENs and repetitions by the rules alone, from the notation in the rows.
#[test]
fn rows_of_long_games_agree_with_the_rules() {
    let rows = json_rows(&of_file(&["--format", "jsonl"], "fixtures/endings.pgn").stdout());
    let mut position = Position::initial();
    let mut repetitions = Repetitions::new(&position);
    let mut seen = 0;
    for row in &rows {
        if row["ply"] == 1 {
            let fen = row["fen"].as_str().unwrap();
            // Other tests cover other initial positions.
            position = Position::initial();
            repetitions.restart(&position);
            seen = u64::from(fen.contains(" KQkq "));
        }
        if seen == 0 {
            continue;
        }
        let san = San::from_ascii(
            row["san"]
                .as_str()
                .unwrap()
                .trim_end_matches(['+', '#'])
                .as_bytes(),
        );
        position.play_unchecked(san.unwrap().to_move(&position).unwrap());
        repetitions.push(&position);
        assert_eq!(row["fen"], position.to_string());
        assert_eq!(row["repetition"], repetitions.count());
        assert_eq!(row["check"], position.is_check());
        seen += 1;
    }
    assert!(rows.iter().any(|row| row["repetition"].as_u64() >= Some(3)));
}

#[test]
fn chosen_columns_are_those_of_the_whole_rows() {
    let columns = [
        "nags", "san", "parent", "fen", "clock", "file", "game", "check",
    ];
    let chosen = columns.join(",");
    let words = [
        "replay",
        "--quiet",
        "--variations",
        "fixtures/annotated.pgn",
        "fixtures/tags.pgn",
    ];
    let rows = |more: &[&str]| run(&[&words, more].concat()).stdout();
    let table = |text: &str| -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(text.as_bytes());
        let records = reader.records().map(Result::unwrap);
        records
            .map(|it| it.iter().map(str::to_owned).collect())
            .collect()
    };
    let whole = table(&rows(&["--format", "csv"]));
    let places = columns.map(|name| whole[0].iter().position(|it| it == name).unwrap());
    let expected: Vec<Vec<String>> = whole
        .iter()
        .map(|row| places.iter().map(|&place| row[place].clone()).collect())
        .collect();
    assert_eq!(
        table(&rows(&["--format", "csv", "--columns", &chosen])),
        expected
    );

    let objects = |text: String| -> Vec<serde_json::Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let mut expected = objects(rows(&["--format", "jsonl"]));
    for row in &mut expected {
        row.as_object_mut()
            .unwrap()
            .retain(|name, _| columns.contains(&&**name));
    }
    let lines = rows(&["--format", "jsonl", "--columns", &chosen]);
    assert!(
        lines.starts_with("{\"nags\":[1],\"san\":\"e4\","),
        "{lines}"
    );
    assert_eq!(objects(lines), expected);
}

#[test]
fn columns_that_cannot_be_chosen_are_refused() {
    for (words, reason) in [
        (&["--columns", "san"][..], "`--columns` needs the format"),
        (
            &["--format", "csv", "--columns", "san,line"],
            "`--variations`",
        ),
        (
            &["--format", "csv", "--columns", "san,uci,san"],
            "a column twice",
        ),
        (
            &["--format", "csv", "--columns", "move"],
            "possible values: game, ply, move_number",
        ),
    ] {
        let ran = run(&[&["replay"], words, &["fixtures/famous.pgn"]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(reason), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn optional_columns_tell_of_the_move_and_the_position() {
    let names = "ply,piece,promotion,castling,phase,material";
    let words = ["--format", "csv", "--columns", names, "--at", "8-9,15-16"];
    let text = replayed(&words, GAMES).stdout();
    assert_eq!(
        text,
        "ply,piece,promotion,castling,phase,material\n\
         8,B,,,24,KQRRBBNNPPPPPPPPkqrrbbnnpppppp\n\
         9,P,N,,21,KQRRBBNNNPPPPPPPkrrbbnnpppppp\n\
         15,K,,O-O,20,KQRRBBNNPPPPPPPkrrbbnnpppppp\n\
         16,K,,O-O,20,KQRRBBNNPPPPPPPkrrbbnnpppppp\n"
    );
    let usual = replayed(&["--format", "jsonl"], GAMES).stdout();
    assert!(!usual.contains("\"hash\""), "{usual}");
}

#[test]
fn a_tag_with_the_name_of_an_optional_column_is_renamed() {
    let game = "[Position \"a\"]\n\n1. e4 *\n";
    let header = |columns| {
        let words = [
            "--format",
            "csv",
            "--tags",
            "Position",
            "--columns",
            columns,
        ];
        let text = replayed(&words, game).stdout();
        text.lines().next().unwrap().to_owned()
    };
    assert_eq!(header("position"), "tag_Position,position");
    let words = ["--format", "csv", "--tags", "Position"];
    let usual = replayed(&words, game).stdout();
    assert!(usual.starts_with("Position,game,"), "{usual}");
}

#[test]
fn a_clock_that_the_fen_does_not_give_is_null() {
    let game = "[SetUp \"1\"]\n[FEN \"8/8/3k4/8/8/3Kp3/8/4R3 w - -\"]\n\n\
        34. Kd4 e2 (34... Ke6 35. Rxe3+) 35. Rxe2 *\n";
    let words = [
        "--variations",
        "--columns",
        "move_number,fen,halfmove_clock",
    ];
    let rows = json_rows(&replayed(&[&words[..], &["--format", "jsonl"]].concat(), game).stdout());
    let clocks: Vec<_> = rows
        .iter()
        .map(|row| row["halfmove_clock"].as_u64())
        .collect();
    assert_eq!(clocks, [None, Some(0), None, Some(0), Some(0)]);
    assert_eq!(rows[0]["move_number"], 34);
    let rows = json_rows(&replayed(&["--format", "jsonl"], game).stdout());
    let clocks: Vec<_> = rows
        .iter()
        .map(|row| row["halfmove_clock"].as_u64())
        .collect();
    assert_eq!(clocks, [None, Some(0), Some(0)]);
    let csv = replayed(&["--format", "csv"], game).stdout();
    assert!(
        csv.lines().nth(1).unwrap().contains(",false,false,,1,"),
        "{csv}"
    );
    let epd = replayed(&["--format", "epd", "--at", "0-2"], game).stdout();
    let ends: Vec<_> = epd
        .lines()
        .map(|line| line.rsplit_once("- -").unwrap().1)
        .collect();
    assert_eq!(ends, ["", "", " hmvc 0;"]);
}

#[test]
fn tags_stand_in_front_of_the_columns_of_a_ply() {
    let game = "[White \"Anna\"]\n[WhiteElo \"1512\"]\n[Line \"Sicilian\"]\n\n1. e4 c5 *\n";
    let tags = ["--format", "csv", "--tags", "White,whiteelo,ECO,Line"];
    let expected = "\
White,whiteelo,ECO,tag_Line,game,ply
Anna,1512,,Sicilian,1,1
Anna,1512,,Sicilian,1,2
";
    let chosen = [&tags[..], &["--columns", "game,ply"]].concat();
    assert_eq!(replayed(&chosen, game).stdout(), expected);
    let all = replayed(&tags, game).stdout();
    let plain = replayed(&["--format", "csv"], game).stdout();
    for (line, (with, without)) in all.lines().zip(plain.lines()).enumerate() {
        let tags = expected.lines().nth(line).unwrap();
        let tags = tags.rsplitn(3, ',').nth(2).unwrap();
        assert_eq!(with, format!("{tags},{without}"));
    }
    // The rows are the moves.
    let lichess = replayed(&["--format", "csv", "--tags", "lichess"], game).stdout();
    assert!(!lichess.contains("movetext"), "{lichess}");
    let ran = replayed(&["--format", "uci", "--tags", "White"], game);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("`--tags` needs the format"),
        "{}",
        ran.stderr
    );
}

#[test]
fn games_are_selected_by_what_they_reach() {
    let games = "fixtures/famous.pgn";
    let rows = json_rows(&of_file(&["--format", "jsonl"], games).stdout());
    let mut positions: Vec<(u64, &str)> = rows
        .iter()
        .map(|row| (row["game"].as_u64().unwrap(), row["fen"].as_str().unwrap()))
        .collect();
    let starts = of_file(&["--format", "fen", "--at", "0"], games).stdout();
    positions.extend((1..).zip(starts.lines()));
    let numbers = |reaches: &dyn Fn(&str) -> bool| -> BTreeSet<u64> {
        let reached = positions.iter().filter(|(_, fen)| reaches(fen));
        reached.map(|(game, _)| *game).collect()
    };
    let selected = |condition: &str| -> BTreeSet<u64> {
        let words = ["--format", "jsonl", "--where", condition];
        let rows = json_rows(&of_file(&words, games).stdout());
        rows.iter()
            .map(|row| row["game"].as_u64().unwrap())
            .collect()
    };
    let board = |fen: &str| fen.split(' ').next().unwrap().to_owned();
    let pieces = |fen: &str| {
        let mut pieces: Vec<char> = board(fen).chars().filter(|c| c.is_alphabetic()).collect();
        pieces.sort_unstable();
        String::from_iter(pieces)
    };
    let mut seen = BTreeSet::new();
    for (_, fen) in positions.iter().step_by(7) {
        let four = |fen: &str| fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let found = numbers(&|other| four(other) == four(fen));
        assert_eq!(selected(&format!("position={fen}")), found, "{fen}");
        let found = numbers(&|other| board(other) == board(fen));
        assert_eq!(selected(&format!("position={}", board(fen))), found);
        if seen.insert(pieces(fen)) {
            let found = numbers(&|other| pieces(other) == pieces(fen));
            assert_eq!(selected(&format!("material={}", pieces(fen))), found);
        }
    }
    assert!(seen.len() > 3, "{seen:?}");
    // With `*` the start position has enough pieces; without, few games get there.
    assert_eq!(selected("material=KRB*kq*"), numbers(&|_| true));
    let opera = selected("material=KRBPPPPPPPk*");
    assert_eq!(opera, BTreeSet::from([3]));
    let all = numbers(&|_| true);
    let without = selected("material!=KRBPPPPPPPk*");
    assert!(without.is_disjoint(&opera));
    assert_eq!(without.len() + opera.len(), all.len());
}
