//! The scanner of arbiter and pgn-reader read the same from every game, up to its first fault;
//! `--cross-check` reports where they do not.

use std::io::Read;
use std::sync::Arc;

use arbiter::commands::validate::cross_check::{difference, plain_until};
use arbiter::input::{Buffers, Search, Source, SourceId, expand};
use arbiter::replay::Reader;

use crate::arbiter_command::{run, run_with_stdin};
use crate::chess::random_games::Random;
use crate::corpus;

/// Reads every game with both readers. Returns the number of games.
fn check(name: &str, text: &[u8]) -> usize {
    let source = Source::stdin(SourceId(0));
    let mut reader = Reader::new();
    let mut games = 0;
    for chunk in source.chunks(text, 1 << 20, Buffers::default()) {
        // Binary data contains no games.
        let Ok(chunk) = chunk else { break };
        for text in chunk.games() {
            games += 1;
            let game = reader.read_strictly(text.bytes, text.unclosed_comment);
            let difference = difference(game, text.bytes);
            let game = reader.read(text.bytes, text.unclosed_comment);
            let plain_until = plain_until(game, text.bytes);
            assert!(
                difference.is_none_or(|span| span.range().end >= plain_until),
                "{name}, game {}, {difference:?}:\n{}",
                text.origin.game,
                text.bytes[..text.bytes.len().min(3000)].escape_ascii()
            );
        }
    }
    games
}

fn fixtures() -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let mut paths: Vec<_> = std::fs::read_dir(format!("{folder}/findings"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.push(format!("{folder}/famous.pgn").into());
    paths.sort();
    let mut text = Vec::new();
    for path in paths {
        text.extend(std::fs::read(path).unwrap());
        text.push(b'\n');
    }
    text
}

#[test]
fn words_at_the_edge_of_the_grammar() {
    for movetext in [
        "1. e4 e5 0-0 0-0-0 0-0+ 0-0-0# 0-0-1 0-1 1-0 1/2-1/2 *",
        "O-O-O-O O-0 0-O 0–0 0—0—0 1–0 0—1 1/2–1/2 ½-½ ½–½ ½ ½- ½-x",
        "1:0 0:1 0:0 1:02 1/2:1/2 1-O O-1 O:1 0-1/2 1/2-0 1-1/2 0.5-0.5 draw e4 Draw Nf3 drawn",
        "1. e4 1 - 0 e5 0 - 1 ½ - ½ 1/2 - 1/2 0 - 0 1 : 0 1 – 0 21 - 0 1 -0 1- 0 x1 - 0 1 - e4",
        "0.5:0.5 .5-.5 1.0-0 1,0-0,0 1.0-0.0 0.0:1.0 0.5-.5 1.0-0-0 12.5-.5",
        "½ \u{bd}\u{bd} 0-1/2-1 0-1/23 0-½ ½-0 (1:0) {1:0} 1:0} 0-0*0-1 1/2*1/2 1/2e4 0:1e4",
        "1/2 1/2- 1/2-1 1/2-1-0 1- 1-1 0- 0 00 01 0. 1 1/ 1/3",
        "1. e4 {a {b} c}0-0 Px O-O",
        "1. e4 }0-0 O-O",
        "1. e4 {a}0-0 O-O",
        "e4e5Nf3 Nf3xyz e2-e4 e8(Q) e8Q e8=Q e8=q e8=K e8= Nf Nfx Qx9 Qh4e1xg3",
        "e4!e5?Nf3!?Nc6?!Bb5!!a6?? $1 $ $x $256 $1$2 e4$3e5 -- Z0 Z1 @@@@ P@e4 N@f3",
        "(e4) e5) ((Nf3) } {a} {b}c} ;rest\nd4 %no\n%yes d5\n  %no\nc4",
        "e4* e5*Nf3 1-0 0-1 {x}1-0 )1-0( \u{a0}e4 \u{2658}f3 \"e4\" <e4> [e4] e4, e4: +- -+ = += N D",
        "1...e5 1. ... e5 1.e4e5 12.Nf3 1e4 2e5 9 10.. . .. e.p. exd6e.p. exd6 e.p.",
        "1…e5 12.…Nf3 … e4…e5 e4… $146N e5 0.25 e4 2e5",
    ] {
        for tags in [
            "",
            "[Event \"x\"]\n\n",
            "[A \"b\"][C \"d\"] ",
            "[A]\n[B \"c]\n\n",
            "[Long \"",
            "[A \"the \"Big\" one\"] [C \"d\"]\n[E \"\"f\"\"]\n\n",
            "[A \"a\" b]\n[C \"\\\"d\\\" \"e]\n[F \"g\" h\n",
            "[A b \"c\" d\"]\n[A \"b\" {c]\n\n",
        ] {
            check(movetext, format!("{tags}{movetext}\n").as_bytes());
            check(movetext, format!("{tags}{movetext}").as_bytes());
            check(movetext, format!("\u{feff}{tags}{movetext} (x").as_bytes());
        }
    }
    for movetext in [
        "1-0 0+ - ",
        "1-0 e5 1-0+ - ",
        "1. e4 e5 1-0 2. Nf3…Nc6 *",
        "1. e4 e5 0.5-0.50-0",
        "1. e4 e5 0.5-0.51-0 *",
        "1. e4 e5 (…c5)…2. Nf3 …… *",
    ] {
        check(
            movetext,
            format!("[Event \"x\"]\n\n{movetext}\n\n").as_bytes(),
        );
    }
    let long = format!(
        "[Event \"{}\"]\n[White \"w\"]\n\n1. e4 *\n",
        "x".repeat(70_000)
    );
    check("a tag line of 70,000 bytes", long.repeat(3).as_bytes());
}

#[test]
fn what_stands_between_games() {
    let game = "[Event \"x\"]\n\n1. e4 Qx9 *";
    for between in [
        "\0",
        "\0\0\x1a",
        "\x1a\u{feff}",
        " \0 \n\0",
        "\0%\0\n\x1a",
        "\u{feff}\0\u{feff}",
    ] {
        for end in ["\n", "\n\n", "\r\n\r\n", "\n\n\n"] {
            for begin in ["", "\n", "\n\n"] {
                let text = format!("{game}{end}{between}{begin}").repeat(3);
                check("between", text.as_bytes());
                if end.len() > 1 {
                    assert_eq!(check("between", text.as_bytes()), 3, "{text:?}");
                }
            }
        }
    }
}

#[test]
fn mutated_games() {
    const SEED: u64 = 0x0a2b_17e2;
    eprintln!("seed {SEED:#x}");
    let original = fixtures();
    let special = b"{}()[]\"\";%\\\n\r 01/2-*$!?.xO=+#KNeZ@\0\x1a\xc2\xbd\xe2\x80\x93\xef";
    let mut random = Random(SEED);
    let mut games = 0;
    for _ in 0..3_000 {
        let start = random.below(original.len());
        let length = random.below(2_000).min(original.len() - start);
        let mut text = original[start..start + length].to_vec();
        for _ in 0..=random.below(12) {
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 => text.insert(at, special[random.below(special.len())]),
                1 if at < text.len() => text[at] = special[random.below(special.len())],
                _ if at < text.len() => {
                    text.remove(at);
                }
                _ => {}
            }
        }
        games += check("mutated", &text);
    }
    assert!(games > 3_000);
}

/// Pieces of tag pairs, moves and brackets, and blanks of all kinds.
const PIECES: [&str; 32] = [
    "[Event \"C\"]\n",
    "[Site \"X\"]\n\n",
    "[Round \"1\"]",
    "[",
    "]",
    "\"",
    "[ ",
    "[% ",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "\t",
    "\u{b}",
    "\u{a0}",
    "\u{2009}",
    "\u{feff}",
    "\0",
    "%",
    ";",
    "{",
    "}",
    "(",
    ")",
    "1. e4 ",
    "e5 ",
    "Nf3",
    "foo",
    "0-0",
    "1-0",
    "*",
    "… ",
];

#[test]
fn random_texts_of_tags_moves_brackets_and_odd_blanks() {
    const SEED: u64 = 0x46_0f15;
    eprintln!("seed {SEED:#x}");
    let mut random = Random(SEED);
    for _ in 0..8_000 {
        let pieces = (0..random.below(14)).map(|_| PIECES[random.below(PIECES.len())]);
        let text: String = pieces.collect();
        check("random", text.as_bytes());
        check("random", format!("[Event \"C\"]\n{text}").as_bytes());
    }
}

#[test]
fn no_user_meets_the_second_reader_unasked() {
    for (text, found) in [
        (
            "[Event \"C\"]\n\u{a0}[Site \"X\"]\n\n1. e4 *\n",
            "blank outside ASCII",
        ),
        (
            "[Event \"C\"]\nfoo\n[ 1. e4 e5 *\n",
            "2:1: error[E203] `foo` is not a move",
        ),
    ] {
        for command in ["validate", "adjudicate"] {
            let ran = run_with_stdin(&[command], text.as_bytes().to_vec());
            let said = format!("{}{}", ran.stdout(), ran.stderr);
            assert!(!said.contains("E299"), "{said}");
        }
        let arguments = ["validate", "--format", "concise"];
        let out = run_with_stdin(&arguments, text.as_bytes().to_vec()).stdout();
        assert!(out.contains(found), "{out}");
    }
}

#[test]
fn a_cross_check_reports_the_place_of_a_difference() {
    for (text, found) in [
        ("{A comment.}\n\n1. e4 e5 *\n", Some("3:4: error[E299] ")),
        ("{A comment.}\n1. e4 e5 *\n", None),
        // Lenient notation is unreadable for both.
        ("1. e2e4 e5 2. Ng1-f3 0-1\n", None),
        ("1. e4 e5\n\n2. Nf3 *\n", Some("3:4: error[E299] ")),
        (
            "[A b]\n[B \"a \"b\" c\"]\n\n1. e4 *\n",
            Some("2:2: error[E299] "),
        ),
    ] {
        let arguments = ["validate", "--cross-check", "--format", "concise"];
        let ran = run_with_stdin(&arguments, text.as_bytes().to_vec());
        let out = ran.stdout();
        let line = out.lines().find(|line| line.contains("E299"));
        let place = line.and_then(|line| line.strip_prefix("<stdin>:"));
        assert_eq!(place.is_some(), found.is_some(), "{text}: {out}");
        assert!(
            place
                .unwrap_or_default()
                .starts_with(found.unwrap_or_default()),
            "{text}: {out}"
        );
    }
    let mut arguments = vec!["validate", "--cross-check", "--fix", "fixtures/famous.pgn"];
    assert_eq!(run(&arguments).code, Some(2));
    arguments.remove(2);
    assert_eq!(run(&arguments).code, Some(0));
}

#[test]
fn all_real_files() {
    let Some(folder) = corpus::path("") else {
        return;
    };
    let (sources, errors) = expand(&[folder], &Search::default());
    assert!(errors.is_empty());
    let games: usize = sources
        .iter()
        .flat_map(|source| source.members(Arc::default(), 1))
        .map(|(source, stream)| {
            let mut text = Vec::new();
            // Truncated input is read as far as possible.
            let _ = stream.unwrap().read_to_end(&mut text);
            check(source.name(), &text)
        })
        .sum();
    assert!(games > 100_000, "{games}");
}

#[test]
fn games_of_every_length_around_the_size_of_a_buffer() {
    // pgn-reader fetches 16 KiB at a time, and data not fetched in one game is missing in the next.
    let comment = "word ".repeat(4_000);
    let mut reader = Reader::new();
    for length in 15_600..16_700 {
        for comment in [&comment[..length], "short"] {
            let text = format!("[White \"A\"]\n[Black \"B\"]\n\n1. e4 {{{comment}}} 1... e5 *\n\n");
            let game = reader.read_strictly(text.as_bytes(), None);
            assert_eq!(difference(game, text.as_bytes()), None, "{length}");
        }
    }
}
