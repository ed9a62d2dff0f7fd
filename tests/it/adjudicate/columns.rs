//! Columns that are chosen, and the tags and moves of a game in its object.

use serde_json::{Value, json};

use crate::arbiter_command::{run, run_with_stdin};

const GAMES: &str = r#"[Event "a \"good\" one"]
[event "again"]
[TimeControl "40/7200:3600"]
[Result "*"]

1. e4! {[%clk 1:59:58.5] [%eval 0.3]} e5?! $14 2. Ke3 *

[Variant "Atomic"]
[TimeControl "0.5+0.05"]

1. e4 *

[TimeControl "-"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]

1. O-O-O *

[TimeControl "?"]

*
"#;

fn adjudicated(words: &[&str]) -> String {
    let words = [&["adjudicate", "-q"], words].concat();
    run_with_stdin(&words, GAMES.as_bytes().to_vec()).stdout()
}

fn moves(form: &str) -> Vec<Value> {
    let words = ["--format", "jsonl", "--columns", "game", "--moves", form];
    let lines = adjudicated(&words);
    let objects = lines.lines().map(serde_json::from_str);
    objects.collect::<Result<_, _>>().unwrap()
}

#[test]
fn columns_stand_in_the_order_given() {
    let names = "speed,game,BASE,increment,last_fen";
    assert_eq!(
        adjudicated(&["--format", "csv", "--columns", names]),
        "speed,game,base,increment,last_fen\n\
         classical,1,7200,0,rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
         ultrabullet,2,0.5,0.05,\n\
         correspondence,3,,,4k3/8/8/8/8/8/8/2KR4 b - - 1 1\n\
         ,4,,,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    );
    let usual = adjudicated(&["--format", "csv"]);
    assert!(!usual.contains("last_fen"), "{usual}");
}

#[test]
fn an_object_has_tags_and_moves() {
    let [first, atomic, castled, empty] = &moves("full")[..] else {
        panic!("four games");
    };
    assert_eq!(
        first["tags"],
        json!({"Event": "a \"good\" one", "event": "again", "TimeControl": "40/7200:3600",
            "Result": "*"})
    );
    assert_eq!(
        first["moves"],
        json!([
            {"san": "e4", "uci": "e2e4", "clock": 7198.5, "move_time": null, "eval_cp": 30,
                "eval_mate": null, "nags": [1]},
            {"san": "e5", "uci": "e7e5", "clock": null, "move_time": null, "eval_cp": null,
                "eval_mate": null, "nags": [6, 14]},
        ])
    );
    assert_eq!(atomic["moves"], Value::Null);
    assert_eq!(castled["moves"][0]["san"], "O-O-O");
    assert_eq!(empty["moves"], json!([]));
    assert_eq!(moves("uci")[0]["moves"], json!(["e2e4", "e7e5"]));
    assert_eq!(moves("san")[2]["moves"], json!(["O-O-O"]));
}

#[test]
fn choices_that_cannot_be_made_are_refused() {
    for (words, reason) in [
        (&["--columns", "game"][..], "`--columns` needs the format"),
        (
            &["--moves", "san", "--format", "csv"],
            "needs the format `jsonl`",
        ),
        (
            &["--moves", "san", "--claims", "--format", "jsonl"],
            "--claims",
        ),
        (&["--moves", "pgn", "--format", "jsonl"], "uci, san, full"),
        (
            &["--columns", "game,Game", "--format", "csv"],
            "a column twice",
        ),
        (
            &["--columns", "sped", "--format", "csv"],
            "no column `sped`; the columns are game,",
        ),
        (
            &["--columns", "last_fen", "--format", "csv", "--claims"],
            "no column `last_fen`",
        ),
        (&["--columns", "game", "--claim", "threefold"], "--claim"),
        (&["--moves", "san", "--list-rules"], "--list-rules"),
    ] {
        let ran = run(&[&["adjudicate"], words, &["fixtures/famous.pgn"]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.stderr.contains(reason), "{words:?}: {}", ran.stderr);
    }
}
