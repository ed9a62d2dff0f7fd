//! Files that are not PGN: one finding, whatever they hold; and no game is lost by that.

use crate::arbiter_command::{Ran, Scratch, run, run_with_stdin};

fn validate(words: &[&str]) -> Ran {
    run(&[&["validate", "--format", "concise"], words].concat())
}

/// Codes of the findings in a text.
fn codes(ran: &Ran) -> Vec<String> {
    let stdout = ran.stdout();
    let code = |line: &str| line.split(['[', ']']).nth(1).unwrap().to_owned();
    stdout.lines().map(code).collect()
}

/// Prose in paragraphs that are read as games each, with a finding or more.
fn prose(paragraphs: usize) -> String {
    "- e4 is a move, and no more\n\n1-0 the result of it\n\n".repeat(paragraphs)
}

const GAME: &str = "[Event \"x\"]\n[Site \"x\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n\
                    [White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";

#[test]
fn a_file_that_is_not_pgn_has_one_finding() {
    let scratch = Scratch::new("not-pgn");
    let page = "<html>\n<p>1. e4 e5 2. Nf3</p>\n\n<p>It is e4</p> *\n\n</html>\n".repeat(300);
    let list = "8/8/8/8/8/5k2/8/5K1R w - - bm Rh3+; id \"a\";\n".repeat(300);
    for (name, text, looks) in [
        ("page", page, "it looks like HTML"),
        (
            "list",
            list,
            "it looks like a list of positions (FEN or EPD); `--fen` takes one",
        ),
        ("text", prose(5_000), "it has no tag pair"),
    ] {
        let file = scratch.file(name, text.as_bytes());
        let ran = validate(&[&file]);
        let expected = format!("{file}:1:1: error[E001] the text is not PGN: ");
        let stdout = ran.stdout();
        assert_eq!(codes(&ran), ["E001"], "{name}");
        assert!(
            stdout.starts_with(&expected) && stdout.contains(looks),
            "{stdout}"
        );
        assert!(
            ran.stderr.contains("0 clean + 0 with findings + "),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr
                .contains("findings: 1 error, 0 warning, 0 note\n")
        );
        assert_eq!(ran.code, Some(2));
        for jobs in ["1", "4"] {
            assert_eq!(validate(&["-j", jobs, &file]).stdout(), stdout);
        }
        let packed = zstd::encode_all(text.as_bytes(), 1).unwrap();
        let words = ["validate", "--format", "concise"];
        for stdin in [text.into_bytes(), packed] {
            let ran = run_with_stdin(&words, stdin);
            assert_eq!(ran.stdout().replace("<stdin>", &file), stdout);
        }
    }
}

#[test]
fn other_commands_find_no_game_in_what_is_not_pgn() {
    for (text, looks) in [
        ("{\"bad\": \"1. e4\"}\n\nand more\n", "JSON"),
        ("8/8/8/4k3/8/8/8/4K2R w K -\n", "a list of positions"),
        ("He lost it in the end\n", "does not read as movetext"),
        (
            "He lost it with 1. e4 e5 in the end\n",
            "does not read as movetext",
        ),
    ] {
        for words in [
            &["stats", "--format", "csv"][..],
            &["replay", "--format", "csv"],
            &["replay", "--format", "pgn"],
            &["replay", "--at", "end", "--format", "fen"],
            &["adjudicate", "--format", "csv"],
            &["adjudicate"],
        ] {
            let ran = run_with_stdin(words, text.into());
            let said = format!("{words:?}, {text}: {ran:?}");
            assert_eq!(ran.code, Some(2), "{said}");
            assert!(ran.stderr.contains(" seen = 0 "), "{said}");
            if words[0] != "stats" {
                // Rows of `adjudicate` name every text seen.
                let stdout = ran.stdout();
                let mut rows = stdout.lines().skip(1);
                assert!(rows.all(|row| row.contains(",not-judged,")), "{said}");
                let text = ran.stdout() + &ran.stderr;
                assert!(text.contains(looks), "{said}");
            }
        }
    }
}

#[test]
fn a_file_of_json_holds_no_game() {
    let ran = run_with_stdin(&["validate"], b"{\"a\": [1, 2]}\n{\"b\": 3}\n".to_vec());
    let expected = "error: no game found in `<stdin>`: it looks like JSON\n";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn findings_that_are_replaced_take_no_room() {
    let scratch = Scratch::new("not-pgn-room");
    let illegal = GAME.replace("1. e4 e5 1-0", "1. e5 1-0");
    let text = format!("{}{}", prose(3_000), illegal.repeat(12));
    let path = scratch.file("games.pgn", text.as_bytes());
    let all = codes(&validate(&[&path]));
    assert!(all.len() > 12, "{all:?}");
    assert_eq!(codes(&validate(&["--max-findings", "20", &path])), all);
    assert_eq!(codes(&validate(&["--max-findings", "3", &path])), all[..3]);
}

#[test]
fn games_without_tags_are_pgn() {
    for text in [
        "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. La4 Sf6 5. O-O Le7 6. Tc2 1-0",
        "1. e4 e5 2. ♘f3 ♘c6 3. ♗b5 ♘f6 4. ♗b4 1-0",
        "1. e4\u{a0}e5 2.\u{a0}Nf3 Nc6 3. Bb5\u{a0}a6 4.\u{a0}Ba4 1-0",
        "{My best game\n1. e4 e5 2. Nf3 Nc6 1-0",
        "1. e4 e5 *",
        "e4 e5 Nf3",
        "1-0",
        "*\n\n1-0\n\n0-1\n",
        "1. Zz9 e5 2. Nf3 Nc6 *",
        "1.Zz9 e5",
        "xyz e5 *",
        "d2d4 d7d5 c2c4",
        "1. Sf3 d5 2. g3",
        "{a comment} 1. e4 *",
        "; exported on Monday\n1. e4 e5 1-0",
        "(1. d4) 1. e4 e5 *",
        "[Opponent \"x\"]\n",
        "[White \"x\"]\n\nlong text that is no movetext, in many words",
    ] {
        let ran = run_with_stdin(&["validate", "--format", "concise"], text.into());
        assert!(
            !ran.stdout().contains("not PGN"),
            "{text}: {}",
            ran.stdout()
        );
        assert!(
            ran.stderr.contains(" + 0 unreadable"),
            "{text}: {}",
            ran.stderr
        );
    }
}

#[test]
fn games_after_other_text_are_checked() {
    let scratch = Scratch::new("not-pgn-first");
    let illegal = GAME.replace("e5", "Nd4");
    let games = format!("{GAME}{illegal}");
    let of_games = codes(&validate(&[&scratch.file("games", games.as_bytes())]));
    assert_eq!(of_games, ["E201"]);
    let short = scratch.file("short", format!("{}{games}", prose(10)).as_bytes());
    assert_eq!(codes(&validate(&[&short])), ["E001", "E201"]);
    let long = format!("{}{games}", prose(10_000));
    let long = scratch.file("long", long.as_bytes());
    for jobs in ["1", "4"] {
        let ran = validate(&["-j", jobs, &long]);
        assert_eq!(codes(&ran), ["E001", "E201"]);
        let expected = ":1:1: error[E001] the text is not PGN: ";
        assert!(ran.stdout().contains(expected), "{}", ran.stdout());
        assert!(
            ran.stderr.contains("1 clean + 1 with findings + "),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.code, Some(1));
    }
    // Games that are left out may be some.
    let ran = validate(&["--games", "1-30", &long]);
    assert!(codes(&ran).len() > 20);
    // A text before the first game may go on in another part.
    let text = format!(
        "[x] notes\n\n{}{}{illegal}",
        prose(10_000),
        GAME.repeat(2_500)
    );
    let parted = scratch.file("parted", text.as_bytes());
    let words = ["stats", "-q", "--count", "--part", "1/2", "-o"];
    let counts = scratch.path().join("counts");
    let counts = counts.to_str().unwrap();
    assert_eq!(
        run(&[&words[..], &[counts, &parted]].concat()).code,
        Some(0)
    );
    let first = validate(&["--part", "1/2", &parted]);
    let second = validate(&["--part", "2/2", "--counts", counts, &parted]);
    assert_eq!(
        (codes(&first), codes(&second)),
        (vec!["E001".into()], of_games)
    );
    assert_eq!(
        [first.stdout(), second.stdout()].concat(),
        validate(&[&parted]).stdout()
    );
}

#[test]
fn a_baseline_knows_a_file_that_is_not_pgn() {
    let scratch = Scratch::new("not-pgn-baseline");
    let file = scratch.file("text", prose(3_000).as_bytes());
    let baseline = scratch.path().join("known.jsonl");
    let baseline = baseline.to_str().unwrap();
    let written = validate(&["--write-baseline", baseline, &file]);
    assert!(
        written.stderr.contains("baseline: 1 written"),
        "{}",
        written.stderr
    );
    let known = validate(&["--baseline", baseline, &file]);
    assert_eq!(known.stdout(), "");
    assert!(
        known
            .stderr
            .contains("1 known and not reported, 0 not found")
    );
}
