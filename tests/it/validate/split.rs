//! `validate --write-clean FILE --write-rejected FILE`: together they are the input.

use std::fs;

use rawzip::CompressionMethod;

use crate::arbiter_command::{Ran, Scratch, run, run_with_stdin};
use crate::compressors::{COMPRESSORS, zip};
use crate::corpus;
use crate::validate::real_files::files;

const CLEAN: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
const REJECTED: &str = "[Event \"b\"]\n[Result \"*\"]\n\n1. e4 {é} e5 2. Ke3 *\n\n\n";

/// The run, and the two files.
struct Halves {
    ran: Ran,
    clean: Vec<u8>,
    rejected: Vec<u8>,
}

/// Splits an input, or stdin, into files of this folder.
fn split(scratch: &Scratch, words: &[&str], stdin: Option<Vec<u8>>) -> Halves {
    let (clean, rejected) = (scratch.file("c", b"old"), scratch.file("r", b"old"));
    let mut all = vec!["validate", "--format", "jsonl"];
    all.extend(["--write-clean", &clean, "--write-rejected", &rejected]);
    all.extend(words);
    let ran = match stdin {
        Some(text) => run_with_stdin(&all, text),
        None => run(&all),
    };
    Halves {
        ran,
        clean: fs::read(clean).unwrap(),
        rejected: fs::read(rejected).unwrap(),
    }
}

/// Checks that two texts can be merged into a third: follows all ways to do so at once.
fn assert_merges(halves: &Halves, text: &[u8], what: &str) {
    let (clean, rejected) = (&halves.clean, &halves.rejected);
    assert_eq!(clean.len() + rejected.len(), text.len(), "{what}");
    let mut taken = vec![0];
    for (at, byte) in text.iter().enumerate() {
        let mut next = Vec::new();
        for from_clean in taken {
            if clean.get(from_clean) == Some(byte) {
                next.push(from_clean + 1);
            }
            if rejected.get(at - from_clean) == Some(byte) && next.last() != Some(&from_clean) {
                next.push(from_clean);
            }
        }
        next.sort_unstable();
        next.dedup();
        assert!(!next.is_empty(), "{what}: byte {at} is in neither file");
        taken = next;
    }
    assert!(taken.contains(&clean.len()), "{what}");
}

/// Number of games with an error.
fn games_with_errors(ran: &Ran) -> usize {
    let rows = ran.stdout();
    let rows = rows
        .lines()
        .map(|row| -> serde_json::Value { serde_json::from_str(row).unwrap() });
    let mut games: Vec<u64> = rows
        .filter(|row| row["severity"] == "error")
        .map(|row| row["game"].as_u64().unwrap())
        .collect();
    games.dedup();
    games.len()
}

/// Checks both files of a text and the games in them.
fn check(scratch: &Scratch, text: &[u8], what: &str) {
    let input = scratch.file("games.pgn", text);
    let halves = split(scratch, &["-j", "1", &input], None);
    if halves.ran.stderr.contains("no game") {
        assert_eq!(halves.clean, b"old", "{what}");
        return;
    }
    assert_merges(&halves, text, what);
    let bad = games_with_errors(&halves.ran);
    let line = format!(" clean, {bad} rejected\n");
    assert!(
        halves.ran.stderr.contains(&line),
        "{what}: {}",
        halves.ran.stderr
    );
    if !halves.clean.is_empty() {
        let again = scratch.file("clean.pgn", &halves.clean);
        let again = run(&["validate", "-q", &again]);
        assert_eq!(again.code, Some(0), "{what}: {}", again.stdout());
    }
    for jobs in ["2", "5"] {
        let other = split(scratch, &["-j", jobs, &input], None);
        assert_eq!(other.clean, halves.clean, "{what}");
        assert_eq!(other.rejected, halves.rejected, "{what}");
    }
}

#[test]
fn the_two_files_are_the_input() {
    let scratch = Scratch::new("split");
    for text in [
        format!("\u{feff}\n \n{REJECTED}% an escape\n{CLEAN} \n"),
        format!("{CLEAN}; between\n\n{REJECTED}\0{CLEAN}\u{feff}{CLEAN}\x1a"),
        format!("{CLEAN}{REJECTED}").replace('\n', "\r\n"),
        format!("{}{}{CLEAN}", CLEAN.trim_end(), REJECTED.trim_end()),
        format!("{CLEAN}no game at all").repeat(3),
    ] {
        check(&scratch, text.as_bytes(), &text);
    }
    let Some(tricky) = corpus::path("tricky") else {
        return;
    };
    let bulk = corpus::path("bulk").unwrap();
    for path in files(&tricky).into_iter().chain(files(&bulk)) {
        let is_pgn = path.extension().is_some_and(|end| end == "pgn");
        if is_pgn {
            check(
                &scratch,
                &fs::read(&path).unwrap(),
                &path.display().to_string(),
            );
        }
    }
}

#[test]
fn compressed_text_and_stdin_are_split_like_the_file() {
    let scratch = Scratch::new("split-compressed");
    let text = format!("{CLEAN}{REJECTED}").repeat(3000);
    let halves = split(
        &scratch,
        &[&scratch.file("games.pgn", text.as_bytes())],
        None,
    );
    assert_eq!(halves.clean, CLEAN.repeat(3000).as_bytes());
    assert_eq!(halves.rejected, REJECTED.repeat(3000).as_bytes());
    let check = |other: Halves, what: &str| {
        assert_eq!(other.ran.code, Some(1), "{what}");
        assert!(
            other.clean == halves.clean && other.rejected == halves.rejected,
            "{what}"
        );
    };
    check(
        split(&scratch, &["-"], Some(text.clone().into_bytes())),
        "stdin",
    );
    for (name, compressor) in COMPRESSORS {
        let input = scratch.file(name, &compressor(text.as_bytes()));
        check(split(&scratch, &[&input], None), name);
    }
    let (first, second) = text.split_at(text.len() / 2);
    let member = |name, text: &'static str| (name, CompressionMethod::DEFLATE, text.as_bytes());
    let members = [
        member("a.pgn", first.to_owned().leak()),
        member("b.pgn", second.to_owned().leak()),
    ];
    check(
        split(&scratch, &[&scratch.file("zip", &zip(&members))], None),
        "zip",
    );
    // Written compressed.
    let output = scratch.file("c.gz", b"");
    let input = scratch.file("games.pgn", text.as_bytes());
    run(&["validate", "-q", "--write-clean", &output, &input]);
    let mut read = Vec::new();
    let mut decoder = flate2::read::GzDecoder::new(fs::File::open(output).unwrap());
    std::io::Read::read_to_end(&mut decoder, &mut read).unwrap();
    assert_eq!(read, halves.clean);
}

#[test]
fn text_that_is_transcoded_is_written_as_it_is_stored() {
    let scratch = Scratch::new("split-encodings");
    let text = format!("\u{feff}{CLEAN}{REJECTED}").repeat(900);
    for bytes in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let encode = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(bytes).collect() };
        for text in [text.clone(), text.replace('\n', "\r")] {
            // A lone surrogate, a pair, and a unit that is cut off.
            let mut stored = encode(&text);
            stored.extend(bytes(0xd83c));
            stored.extend(encode(&format!("🂡{text}")));
            stored.push(b'x');
            check(&scratch, &stored, "UTF-16");
        }
    }
    // Line feeds after the first lines are not distinguished from carriage returns.
    let returns = text.replace('\n', "\r") + &text + "\r";
    check(&scratch, returns.as_bytes(), "carriage returns");
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    check(&scratch, &latin, "Latin-1");
}

#[test]
fn a_game_that_is_cut_off_is_rejected() {
    let scratch = Scratch::new("split-cut");
    let mut stored = (COMPRESSORS[0].1)(CLEAN.as_bytes());
    stored.extend((COMPRESSORS[0].1)(CLEAN.trim_end().as_bytes()));
    stored.extend(&(COMPRESSORS[0].1)(CLEAN.as_bytes())[..9]);
    let halves = split(&scratch, &[&scratch.file("cut", &stored)], None);
    assert_eq!(halves.ran.code, Some(2));
    assert_eq!(halves.clean, CLEAN.as_bytes());
    assert_eq!(halves.rejected, CLEAN.trim_end().as_bytes());
}

#[test]
fn games_are_rejected_by_severity() {
    let scratch = Scratch::new("split-severity");
    let (clean, rejected) = (CLEAN, REJECTED);
    let warned = "[Event \"c\"]\n[Result \"1-0\"]\n\n1. e4 e5 ) 1-0\n";
    let input = scratch.file("games.pgn", format!("{clean}{rejected}{warned}").as_bytes());
    let rest = |fail_on: &str, more: &[&str]| {
        let words = [&["--ignore", "W129", "--fail-on", fail_on, &input], more].concat();
        String::from_utf8(split(&scratch, &words, None).rejected).unwrap()
    };
    assert_eq!(rest("never", &[]), "");
    assert_eq!(rest("error", &[]), rejected);
    assert_eq!(rest("warning", &[]), format!("{rejected}{warned}"));
    // Findings that are counted only.
    assert_eq!(
        rest("warning", &["--max-findings", "0"]),
        format!("{rejected}{warned}")
    );
    // A finding about the whole file: REJECTED is not UTF-8 then.
    let latin: Vec<u8> = clean.replace('a', "é").chars().map(|c| c as u8).collect();
    let latin = scratch.file("latin.pgn", &latin);
    let note = split(
        &scratch,
        &["--fail-on", "note", "--select", "N005", &latin],
        None,
    );
    assert_eq!((note.ran.code, note.rejected.len()), (Some(1), 0));
    // Chosen games, with the blank lines after them.
    assert_eq!(rest("warning", &["--games", "1-2"]), rejected);
    assert_eq!(rest("warning", &["--where", "Event=c"]), warned);
}

#[test]
fn inputs_are_joined_by_a_blank_line() {
    let scratch = Scratch::new("split-inputs");
    let (clean, rejected) = (CLEAN.trim_end(), REJECTED);
    let a = scratch.file("a.pgn", format!("{rejected}{clean}").as_bytes());
    let b = scratch.file("b.pgn", format!("{clean}{rejected}").as_bytes());
    let halves = split(&scratch, &[&a, &b], None);
    assert_eq!(halves.clean, format!("{clean}\n\n{clean}").as_bytes());
    assert_eq!(halves.rejected, rejected.repeat(2).as_bytes());
    let other = scratch.file("c.pgn", clean.replace('\n', "\r").as_bytes());
    // The games of an input in another encoding are in neither file.
    for inputs in [[&*a, &other, &b], [&a, &b, &other]] {
        let halves = split(&scratch, &inputs, None);
        assert_eq!(halves.ran.code, Some(2));
        assert_eq!(halves.clean, format!("{clean}\n\n{clean}").as_bytes());
        assert_eq!(halves.rejected, rejected.repeat(2).as_bytes());
        let said = format!("cannot split `{other}`: its games are in neither file");
        assert!(halves.ran.stderr.contains(&said), "{}", halves.ran.stderr);
    }
}

/// Number of games of a file.
fn count(file: &str) -> u64 {
    let ran = run(&["validate", file]);
    let (_, line) = ran.stderr.rsplit_once("games: ").unwrap();
    line.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn games_of_two_inputs_never_become_one() {
    let tags = "[Event \"a\"]\n[White \"W\"]\n[Result \"*\"]\n";
    let endings = [
        format!("{tags}\n1. e4 e5 *\n\n"),
        format!("{tags}\n1. e4 e5 *\n"),
        format!("{tags}\n1. e4 e5 *\n\n \t"),
        format!("{tags}\n1. e4 e5 *").replace('\n', "\r\n"),
        format!("{tags}\n1. e4 e5\n"),
        format!("{tags}\n1. e4 e5 2. Nf3\n\n\n"),
        format!("{tags}\n1. e4 e5 (1... c5"),
        format!("{tags}\n1. e4 {{never closed\n"),
        format!("{tags}\n1. e4 e5 * ; the end"),
        format!("{tags}\n1. e4 e5 *\n% escaped"),
        format!("{tags}\n1. e4 e5 *\n\x1a"),
        format!("{tags}\n"),
        tags.trim_end().to_owned(),
        "1. e4 e5 *".to_owned(),
        "1. e4".to_owned(),
    ];
    let beginnings = [
        "[Event \"b\"]\n\n1. d4 *\n",
        "\u{feff}[Event \"b\"]\n\n1. d4 *\n",
        "[Black \"B\"]\n\n1. d4 *\n",
        "1. d4 d5 *\n",
        "1... c5 2. Nf3 *\n",
        "e5 2. Nf3 *\n",
        "\n\n{first} 1. d4 *\n",
        "% escaped\n1. d4 *\n",
        "; first\n1. d4 d5 1-0\n",
    ];
    let scratch = Scratch::new("split-endings");
    let mut refused = 0;
    for ending in &endings {
        let a = scratch.file("a.pgn", ending.as_bytes());
        let of_a = count(&a);
        for beginning in beginnings {
            let b = scratch.file("b.pgn", beginning.as_bytes());
            let both = of_a + count(&b);
            let halves = split(&scratch, &["--fail-on", "never", &a, &b], None);
            let what = format!("{ending:?} {beginning:?}: {}", halves.ran.stderr);
            if halves.ran.code == Some(2) {
                refused += 1;
                assert!(halves.ran.stderr.contains("in a run of its own"), "{what}");
                assert_eq!(halves.clean, b"old", "{what}");
                let plain =
                    scratch.file("plain.pgn", format!("{ending}\n\n{beginning}").as_bytes());
                assert!(count(&plain) < both, "{what}");
                continue;
            }
            assert_eq!(halves.rejected, b"", "{what}");
            let clean = String::from_utf8(halves.clean).unwrap();
            let rest = clean.strip_prefix(ending.as_str()).expect(&what);
            let between = rest.strip_suffix(beginning.trim_start_matches('\u{feff}'));
            let between = between.expect(&what);
            assert!(between.len() <= 4 && between.trim().is_empty(), "{what}");
            assert_eq!(between.contains('\r'), ending.contains('\r'), "{what}");
            let written = scratch.file("both.pgn", clean.as_bytes());
            assert_eq!(count(&written), both, "{what}");
        }
    }
    assert!((10..endings.len() * 5).contains(&refused), "{refused}");
}

#[test]
fn games_of_one_input_never_become_one() {
    let scratch = Scratch::new("split-between");
    let tags = "[White \"Adams\"]\n[Result \"1-0\"]\n\n";
    let illegal = "[White \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n";
    let moves = "1. d4 d5 2. c4 1-0\n\n";
    let open = "1. d4 d5 2. Ke3 {never closed\n\n";
    let legal = "[White \"C\"]\n[Result \"1-0\"]\n\n1. c4 1-0\n\n";
    let illegal_moves = "1. e4 e5 2. Ke3 1-0\n\n";
    let cases: [(&[&str], &[&str], bool); 6] = [
        (&[tags, illegal, moves], &[], true),
        (&[legal, illegal, moves], &[], false),
        (&[tags, illegal, legal], &[], false),
        (&[tags, illegal, moves], &["--games", "!2"], true),
        (&[open, legal, illegal_moves], &[], true),
        (&[tags, legal, legal], &["--keep", "first"], false),
    ];
    for (games, more, is_refused) in cases {
        let input = scratch.file("games.pgn", games.concat().as_bytes());
        let halves = split(&scratch, &[more, &[&input]].concat(), None);
        let said = halves.ran.stderr.contains("without the games between");
        assert_eq!(said, is_refused, "{games:?}: {}", halves.ran.stderr);
        let files = [&halves.clean, &halves.rejected].map(Vec::as_slice);
        if is_refused {
            assert_eq!(halves.ran.code, Some(2));
            assert_eq!(files, [b"old"; 2]);
        } else {
            let read = files.map(|file| count(&scratch.file("half.pgn", file)));
            assert_eq!(read[0] + read[1], games.len() as u64, "{games:?}");
        }
    }
}

#[test]
fn no_game_is_lost_in_a_comment_of_another_input() {
    let scratch = Scratch::new("split-comment");
    let game = scratch.file("b.pgn", b"1. d4 d5 2. Ke3 *\n");
    for (text, is_refused) in [("{never closed\n", true), ("No game at all.\n", false)] {
        let other = scratch.file("a.pgn", text.as_bytes());
        let halves = split(&scratch, &[&other, &game], None);
        let is_said = halves.ran.stderr.contains("in a run of its own");
        assert_eq!(is_said, is_refused, "{}", halves.ran.stderr);
        let expected = format!("{text}\n1. d4 d5 2. Ke3 *\n");
        assert_eq!(halves.rejected == expected.as_bytes(), !is_refused);
    }
}

#[test]
fn a_byte_order_mark_stands_only_at_the_beginning() {
    let scratch = Scratch::new("split-marks");
    let text = format!("\u{feff}{CLEAN}{REJECTED}");
    let utf_16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    let encodings: [Vec<u8>; 4] = [
        text.clone().into_bytes(),
        text.replace('\n', "\r").into_bytes(),
        utf_16(u16::to_le_bytes),
        utf_16(u16::to_be_bytes),
    ];
    for stored in encodings {
        let a = scratch.file("a.pgn", &stored);
        let halves = split(&scratch, &[&a, &a], None);
        let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
        let mark = marks.into_iter().find(|mark| stored.starts_with(mark));
        let mark = mark.unwrap().len();
        assert_eq!(
            halves.clean.len() + halves.rejected.len(),
            2 * stored.len() - mark
        );
        let clean = scratch.file("clean.pgn", &halves.clean);
        assert_eq!(count(&clean), 2);
        let ran = run(&[
            "validate", "--select", "N008", "--format", "concise", &clean,
        ]);
        assert_eq!(ran.stdout(), "");
    }
    // Half a character of UTF-16 would shift all that follows.
    let mut cut: Vec<u8> = utf_16(u16::to_le_bytes);
    cut.pop();
    let a = scratch.file("a.pgn", &cut);
    let ran = split(&scratch, &[&a, &a], None).ran;
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("in a run of its own"), "{}", ran.stderr);
}

#[test]
fn games_and_positions_are_not_written_to_one_file() {
    let scratch = Scratch::new("split-kinds");
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let games = scratch.file("a.pgn", CLEAN.as_bytes());
    let epd = scratch.file("b.epd", format!("{position} bm e4;").as_bytes());
    let fen = scratch.file("c.fen", format!("{position} 0 1").as_bytes());
    for (inputs, kinds) in [
        ([&games, &epd], "is PGN and"),
        ([&fen, &games], "is FEN and"),
        ([&fen, &epd], "is EPD, and"),
    ] {
        let halves = split(&scratch, &inputs.map(String::as_str), None);
        assert_eq!(
            (halves.ran.code, halves.ran.stdout()),
            (Some(2), String::new())
        );
        assert!(halves.ran.stderr.contains(kinds), "{}", halves.ran.stderr);
        assert_eq!(
            (&*halves.clean, &*halves.rejected),
            (&b"old"[..], &b"old"[..])
        );
    }
    // Positions stand on lines of their own, without a blank one.
    let halves = split(&scratch, &[&epd, &epd], None);
    let line = format!("{position} bm e4;");
    assert_eq!(halves.clean, format!("{line}\n{line}").as_bytes());
}

#[test]
fn an_input_or_another_output_is_not_overwritten() {
    let scratch = Scratch::new("split-clash");
    let games = scratch.file("a.pgn", CLEAN.as_bytes());
    let other = scratch.file("b.pgn", b"old");
    // Nothing in it is a game.
    let prose = "What was e4?\n\n1-0, they said.\n";
    let ran = run_with_stdin(&["validate", "--write-clean", &other], prose.into());
    assert_eq!(ran.code, Some(2));
    assert_eq!(fs::read(&other).unwrap(), b"old");
    for words in [
        &["--write-clean", &*games][..],
        &["--write-rejected", &games],
        &["--write-clean", &other, "--write-rejected", &other],
        &["--write-clean", &other, "--write-baseline", &other],
        &["--write-clean", &other, "-o", &other],
        &["--write-clean", &other, "--baseline", &other],
    ] {
        let ran = run(&[&["validate", &*games], words].concat());
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert_eq!(fs::read(&games).unwrap(), CLEAN.as_bytes());
        assert_eq!(fs::read(&other).unwrap(), b"old");
    }
}

#[test]
fn text_that_is_no_game_is_rejected() {
    let scratch = Scratch::new("split-prose");
    let prose = "What was e4?\n\nA word.\n\n".repeat(9);
    for more in [&[][..], &["--ignore", "E001"], &["--fail-on", "never"]] {
        let input = scratch.file("a.pgn", format!("{prose}{CLEAN}").as_bytes());
        let halves = split(&scratch, &[&[&*input], more].concat(), None);
        assert_eq!(halves.rejected, prose.as_bytes(), "{more:?}");
        assert_eq!(halves.clean, CLEAN.as_bytes(), "{more:?}");
    }
}

#[test]
fn games_are_not_split_by_a_baseline() {
    let known = "fixtures/known.jsonl";
    let ran = run(&["validate", "--baseline", known, "--write-clean", "x"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--baseline"), "{}", ran.stderr);
}

#[test]
fn options_of_the_repairs_need_the_repair() {
    let scratch = Scratch::new("split-repairs");
    let games = scratch.file("a.pgn", CLEAN.as_bytes());
    let other = scratch.path().join("x").display().to_string();
    for repair in [
        &["--in-place"][..],
        &["--diff"],
        &["--keep-original"],
        &["--write-fixed", &other],
    ] {
        for more in [
            &[][..],
            &["--statistics"],
            &["--format", "concise"],
            &["--write-clean", &other],
            &["--against", &games],
        ] {
            let ran = run(&[&["validate", &games], repair, more].concat());
            assert_eq!(
                (ran.code, ran.stdout()),
                (Some(2), String::new()),
                "{repair:?} {more:?}"
            );
            let reason = match more {
                [mode @ ("--write-clean" | "--against"), _] => {
                    format!("has no meaning with `{mode}`")
                }
                _ => "needs `--fix`".to_owned(),
            };
            let expected = format!("error: `{}` {reason}", repair[0]);
            assert!(ran.stderr.starts_with(&expected), "{}", ran.stderr);
        }
    }
}

#[test]
fn inputs_in_two_encodings_are_noted() {
    let scratch = Scratch::new("split-encodings");
    let game = |name: &[u8]| [b"[Event \"", name, b"\"]\n\n1. e4 e5 *\n\n"].concat();
    let (utf_8, latin_1) = (game("Café".as_bytes()), game(b"Caf\xe9"));
    let mixed = scratch.file("mixed.pgn", &[&utf_8[..], &latin_1].concat());
    let utf_8 = scratch.file("utf-8.pgn", &utf_8);
    let latin_1 = scratch.file("latin-1.pgn", &latin_1);
    let ascii = scratch.file("ascii.pgn", &game(b"Cafe"));
    let written = scratch.path().join("written");
    let written = written.to_str().unwrap();
    for (inputs, is_noted) in [
        (&[&utf_8, &latin_1][..], true),
        (&[&latin_1, &ascii, &utf_8], true),
        (&[&ascii, &latin_1], false),
        (&[&utf_8, &ascii, &utf_8], false),
        (&[&mixed], false),
    ] {
        for options in [&["--write-clean"][..], &["--fix", "--write-fixed"]] {
            let mut words = [&["validate", "--quiet"], options, &[written]].concat();
            words.extend(inputs.iter().map(|input| input.as_str()));
            let ran = run(&words);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let note = format!("note: `{written}` mixes UTF-8, from `{utf_8}`, and another");
            assert_eq!(ran.stderr.contains(&note), is_noted, "{ran:?}");
        }
    }
}
