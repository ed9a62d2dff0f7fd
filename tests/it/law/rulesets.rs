//! The list of rule sets, in human and machine formats.

use arbiter::chess::{Color, Setup};
use arbiter::law::rulesets::{EDITIONS, MaterialSet, RULE_SETS, TooLittle};

use crate::arbiter_command::run;
use crate::corpus;

#[test]
fn each_rule_set_has_a_row_and_a_paragraph() {
    let ran = run(&["adjudicate", "--list-rules"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let stdout = ran.stdout();
    let (table, rest) = stdout.split_once("\n\n").unwrap();
    for rules in RULE_SETS {
        assert!(
            table.contains(&format!("\n{:<15} ", rules.name)),
            "{}",
            rules.name
        );
        let paragraph = format!("\n{}: {}\n", rules.name, rules.title);
        assert!(rest.contains(&paragraph), "{}", rules.name);
        assert!(rest.contains(rules.source), "{}", rules.name);
        for note in rules.notes {
            assert!(rest.contains(note), "{}", rules.name);
        }
    }
}

#[test]
fn one_object_for_each_rule_set() {
    let ran = run(&["adjudicate", "--list-rules", "--format", "jsonl"]);
    let stdout = ran.stdout();
    let objects: Vec<serde_json::Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names: Vec<_> = objects
        .iter()
        .map(|object| object["name"].as_str().unwrap())
        .collect();
    let expected = RULE_SETS.iter().map(|rules| rules.name);
    let editions = EDITIONS.iter().map(|editions| editions.name);
    assert_eq!(names, expected.chain(editions).collect::<Vec<_>>());
    let fide = &objects[0];
    assert_eq!(fide["fivefold-repetition"]["standing"], "automatic");
    assert_eq!(
        fide["fivefold-repetition"]["article"],
        "FIDE 2023 art. 9.6.1"
    );
    assert_eq!(fide["fivefold-repetition"]["since"], "2014-07-01");
    assert_eq!(fide["same_position"]["castling"], "rights");
    assert_eq!(fide["order"][0], "checkmate");
}

#[test]
fn one_rule_set_is_listed_by_its_name() {
    let listed = |more: &[&str]| {
        let ran = run(&[&["adjudicate", "--list-rules"], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout()
    };
    let all = listed(&[]);
    for rules in RULE_SETS {
        let one = listed(&[rules.name]);
        let (table, rest) = one.split_once("\n\n").unwrap();
        let rows: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(rows.len(), 1, "{one}");
        assert!(
            rows[0].starts_with(&format!("{:<15} ", rules.name)),
            "{one}"
        );
        let paragraph = format!("\n\n{}: {}\n", rules.name, rules.title);
        let (_, paragraph) = rest.split_at(rest.find(&paragraph).unwrap());
        assert!(all.contains(paragraph), "{one}");
        let object = listed(&[rules.name, "--format", "jsonl"]);
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        assert_eq!(object["name"], rules.name);
    }
    for editions in EDITIONS {
        let lines = listed(&[editions.name, "--format", "jsonl"]);
        assert_eq!(lines.lines().count(), editions.sets.len() + 1);
        assert!(listed(&[editions.name]).contains(&format!("\n{}: ", editions.name)));
    }
    assert!(listed(&["auto"]).contains("\nauto: "));
    let unknown = run(&["adjudicate", "--list-rules", "fied"]);
    assert_eq!((unknown.code, unknown.stdout()), (Some(2), String::new()));
    assert!(unknown.stderr.contains("`fide`"), "{}", unknown.stderr);
}

/// Insufficient material agrees with python-chess and shakmaty.
#[test]
fn material_with_which_no_position_can_be_won() {
    // Some rows name one side only.
    let expected = |cell: &str| match cell {
        "1" | "True" => Some(true),
        "0" | "False" => Some(false),
        _ => None,
    };
    let check = |fen: &str, cells: [&str; 2], source: &str| {
        let fen = match fen {
            "startpos" => arbiter::chess::fen::INITIAL,
            fen => fen,
        };
        let setup: Setup = fen.parse().unwrap();
        let board = &setup.board;
        let found = Color::ALL.map(|color| TooLittle::Exact.holds(board, color));
        for (found, cell) in found.into_iter().zip(cells) {
            let expected = expected(cell).unwrap_or(found);
            assert_eq!(found, expected, "{fen} ({source})");
        }
        let neither = found == [true, true];
        assert_eq!(MaterialSet::Exact.holds(board), neither, "{fen} ({source})");
    };
    let Some(text) = corpus::text("outcomes/material.tsv") else {
        return;
    };
    for row in corpus::rows(&text) {
        check(row[0], [row[1], row[2]], row[3]);
    }
    let text = corpus::text("outcomes/insufficient_material.tsv").unwrap();
    for row in corpus::rows(&text).filter(|row| row[0] == "standard") {
        check(row[1], [row[2], row[3]], row[4]);
    }
}
