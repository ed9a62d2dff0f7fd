//! Text in each encoding used for PGN files.

use crate::arbiter_command::{Ran, run_with_stdin};

/// A game with non-ASCII characters and an illegal move.
const GAME: &str =
    "[Event \"Köln\"]\n[White \"Müller\"]\n[Result \"*\"]\n\n1. e4 {gut} e5 2. Ke3 *\n\n";

fn concise(text: Vec<u8>) -> Ran {
    run_with_stdin(
        &["validate", "-q", "--ignore", "W129", "--format", "concise"],
        text,
    )
}

/// Printed lines, without the file name.
fn lines(text: Vec<u8>) -> Vec<String> {
    let ran = concise(text);
    let lines = ran.stdout();
    let lines = lines.lines();
    lines
        .map(|line| line.strip_prefix("<stdin>:").unwrap().to_owned())
        .collect()
}

const ILLEGAL: &str =
    "5:19: error[E201] `Ke3` is illegal: the king cannot reach e3 (game 1, 2.Ke3)";

#[test]
fn utf_16_is_read_with_a_note() {
    let encode = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    };
    let marked = format!("\u{feff}{GAME}");
    for (endian, bytes) in [
        ("little", u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("big", u16::to_be_bytes),
    ] {
        for text in [GAME, &marked] {
            let expected = [
                format!("1:1: note[N004] the file is in UTF-16, {endian}-endian (game 1)"),
                ILLEGAL.to_owned(),
            ];
            assert_eq!(lines(encode(text, bytes)), expected);
        }
    }
}

#[test]
fn latin_1_is_noted_once_a_file_at_its_first_byte() {
    let latin: Vec<u8> = GAME.chars().map(|c| c as u8).collect();
    let expected = "1:10: note[N005] the byte `0xf6` is not UTF-8 (game 1)";
    let found = lines(latin.repeat(3));
    assert_eq!(found.len(), 4, "{found:#?}");
    assert_eq!(found[..2], [expected, ILLEGAL]);
}

#[test]
fn text_of_dos_is_noted_at_its_first_byte_that_windows_1252_lacks() {
    let game = |name: &[u8]| [&b"[White \""[..], name, b"\"]\n\n1. e4 *\n\n"].concat();
    let defined = |line| format!("{line} note[N005] the byte `0x94` is not UTF-8");
    let lacking = |line| format!("{line} note[N005] the byte `0x81` is not UTF-8");
    for (names, expected) in [
        (
            &[&b"K\x94nig"[..], b"M\x81ller", b"M\x81ller"],
            &[defined("1:10:"), lacking("5:10:")][..],
        ),
        (
            &[b"M\x81ller", b"K\x94nig", b"K\x94nig"],
            &[lacking("1:10:")],
        ),
        // The same bytes in characters of UTF-8.
        (
            &[b"K\x94nig", "Áô".as_bytes(), b"K\x94nig"],
            &[defined("1:10:")],
        ),
    ] {
        let text: Vec<u8> = names.iter().flat_map(|name| game(name)).collect();
        let words = ["validate", "-q", "--select", "N005", "--format", "concise"];
        let ran = run_with_stdin(&words, text.clone());
        let found: Vec<String> = ran
            .stdout()
            .lines()
            .map(|line| {
                line.trim_start_matches("<stdin>:")
                    .rsplit_once(" (")
                    .unwrap()
                    .0
                    .to_owned()
            })
            .collect();
        assert_eq!(found, expected, "{names:?}");
        let said = run_with_stdin(&["validate", "-q", "--select", "N005"], text);
        let names_dos = said.stdout().contains("CP437 or CP850");
        assert_eq!(names_dos, expected.iter().any(|it| it.contains("0x81")));
    }
}

#[test]
fn mixed_encodings_are_noted_where_utf_8_ends() {
    let latin: Vec<u8> = GAME.chars().map(|c| c as u8).collect();
    let mixed = [GAME.repeat(20_000).as_bytes(), &latin, GAME.as_bytes()].concat();
    let found = lines(mixed);
    let notes: Vec<_> = found.iter().filter(|line| line.contains("[N0")).collect();
    assert_eq!(
        notes,
        ["120001:10: note[N005] the byte `0xf6` is not UTF-8 (game 20001)"]
    );
    assert_eq!(found.len(), 20_003);
}

#[test]
fn windows_1252_is_shown_as_it_was_meant() {
    let text = b"[Event \"\x93Open\x94\"]\n\n1. e4 *\n".to_vec();
    let ran = run_with_stdin(&["validate", "-q", "--ignore", "W129"], text);
    assert!(ran.stdout().contains("[Event \"“Open”\"]"), "{ran:?}");
}

#[test]
fn nuls_are_an_error_of_the_game_wherever_they_stand() {
    let game = GAME.replace("Ke3", "Nf3");
    let inside = game.replace("gut", "g\0t\0\0");
    let text = [game.repeat(100_000), inside.clone(), game, inside].concat();
    assert_eq!(
        lines(text.into_bytes()),
        [
            "600005:9: error[E006] NUL byte, the first of 3 in this game (game 100001)",
            "600017:9: error[E006] NUL byte, the first of 3 in this game (game 100003)",
        ]
    );
}

#[test]
fn a_file_filled_up_with_nuls_loses_no_game() {
    let game = GAME.replace("Ke3", "Nf3");
    let text = [game.as_bytes(), &[0; 5000]].concat();
    assert_eq!(
        lines(text.clone()),
        ["7:1: error[E006] 5000 NUL bytes (game 1)"]
    );
    let ran = run_with_stdin(&["stats"], [&text[..], game.as_bytes()].concat());
    assert!(ran.stderr.contains("games: 2 seen = 2 counted"), "{ran:?}");
}

#[test]
fn an_end_of_file_mark_is_no_game() {
    let game = GAME.replace("Ke3", "Nf3");
    let text = format!("{game}\x1a{game}\x1a\x1a");
    assert_eq!(
        lines(text.clone().into_bytes()),
        ["7:1: note[N007] end-of-file mark (Ctrl-Z) (game 2)",]
    );
    let ran = run_with_stdin(&["stats"], text.into_bytes());
    assert!(ran.stderr.contains("games: 2 seen = 2 counted"), "{ran:?}");
    let directly_behind = format!("{}\x1a", game.trim_end());
    assert_eq!(lines(directly_behind.into_bytes()).len(), 1);
}

#[test]
fn a_byte_order_mark_is_noted_unless_it_is_the_first_thing() {
    let game = GAME.replace("Ke3", "Nf3");
    let marked = format!("\u{feff}{game}");
    assert_eq!(lines(marked.clone().into_bytes()), [""; 0]);
    assert_eq!(
        lines(marked.repeat(3).into_bytes()),
        [
            "7:1: note[N008] byte order mark inside the file (game 2)",
            "13:1: note[N008] byte order mark inside the file (game 3)",
        ]
    );
}

#[test]
fn carriage_returns_alone_end_lines() {
    let text = GAME.repeat(1000).replace('\n', "\r");
    let found = lines(text.into_bytes());
    assert_eq!(
        found[..2],
        [
            "1:1: note[N010] the lines of the file end with a carriage return only (game 1)",
            ILLEGAL
        ]
    );
    assert_eq!(found.len(), 1001);
}

#[test]
fn what_is_told_of_a_file_leaves_its_games_clean() {
    let game = GAME.replace("Ke3", "Nf3");
    let latin: Vec<u8> = game.chars().map(|c| c as u8).collect();
    let ran = run_with_stdin(&["validate", "--ignore", "W129"], latin);
    assert!(ran.stderr.contains("games: 1 seen = 1 clean"), "{ran:?}");
    assert!(ran.stderr.contains("findings: 0 error, 0 warning, 1 note"));
    let ignored = ["validate", "-q", "--ignore", "N005,W129"];
    let latin = game.chars().map(|c| c as u8).collect();
    assert_eq!(run_with_stdin(&ignored, latin).stdout(), "");
}
