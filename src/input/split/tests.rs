use std::io::{Cursor, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{Reader, Visitor};

use super::*;
use crate::input::samples::{PLAIN, Random, TRICKY, noise, spoiled};

/// The ends of all games; the text is fed in pieces of the given size.
fn split(text: &[u8], piece: usize) -> Vec<GameEnd> {
    let mut splitter = Splitter::new();
    let mut ends = Vec::new();
    for bytes in text.chunks(piece) {
        splitter.feed(bytes, &mut ends);
    }
    assert_eq!(splitter.fed(), Offset(text.len() as u64));
    splitter.finish(&mut ends);
    ends
}

fn games(text: &[u8]) -> Vec<&str> {
    let mut from = 0;
    split(text, usize::MAX)
        .iter()
        .map(|end| {
            let game = &text[std::mem::replace(&mut from, end.at.0 as usize)..from];
            std::str::from_utf8(game).unwrap()
        })
        .collect()
}

fn unclosed(text: &str) -> Vec<Option<u64>> {
    split(text.as_bytes(), usize::MAX)
        .iter()
        .map(|end| end.unclosed_comment.map(|at| at.0))
        .collect()
}

/// Reads everything and keeps nothing.
struct Everything;

impl Visitor for Everything {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Where pgn-reader ends the games, and whether it gave up on one.
fn oracle(text: &[u8]) -> (Vec<u64>, bool) {
    let mut reader = Reader::build(Cursor::new(text))
        .set_supported_tag_line_length(text.len().min(1 << 20) + 1)
        .finish();
    let mut ends = Vec::new();
    loop {
        match reader.read_game(&mut Everything) {
            Ok(Some(())) => {
                let mut at = reader.stream_position().unwrap() as usize;
                if text[..at].ends_with(b"\n\r") && text[at..].starts_with(b"\n") {
                    // pgn-reader takes the `\r` of the empty line along.
                    at -= 1;
                }
                ends.push(at as u64);
            }
            Ok(None) => {
                if let Some(last) = ends.last_mut() {
                    *last = text.len() as u64;
                }
                return (ends, false);
            }
            Err(_) => return (ends, true),
        }
    }
}

/// The text without byte order marks but at its beginning, where alone pgn-reader knows them.
fn without_inner_marks(text: &[u8]) -> Vec<u8> {
    let mut left = text.to_vec();
    while let Some(at) = memchr::memmem::find_iter(&left, &BOM).find(|&at| at > 0) {
        left.drain(at..at + BOM.len());
    }
    left
}

/// Whether an `[Event` tag pair stands here behind a blank line.
fn begins_section(text: &[u8], at: usize) -> bool {
    let mut lines = text[..at].rsplit(|&byte| byte == b'\n');
    let indent = lines.next().unwrap_or_default();
    let line_before = lines.next().unwrap_or(b"x");
    text[at..].starts_with(b"[Event")
        && indent.trim_ascii().is_empty()
        && line_before.trim_ascii().is_empty()
}

/// The text with apostrophes for the quotes that stand inside the values of tags, which end a value for pgn-reader. They
/// must not matter to us.
fn without_inner_quotes(text: &[u8]) -> Vec<u8> {
    let mut without = text.to_vec();
    let mut reader = crate::pgn::Reader::new();
    let mut start = 0;
    let ends = split(text, usize::MAX);
    for end in &ends {
        let end = end.at.0 as usize;
        for tag in &reader.read_tags(&text[start..end]).tags {
            let mut value = without[start..end][tag.value.range()].iter_mut();
            while let Some(byte) = value.next() {
                match *byte {
                    b'\\' => {
                        value.next();
                    }
                    b'"' => *byte = b'\'',
                    _ => {}
                }
            }
        }
        start = end;
    }
    assert_eq!(
        split(&without, usize::MAX),
        ends,
        "{:?}",
        String::from_utf8_lossy(&text[..text.len().min(400)])
    );
    without
}

/// Compares with pgn-reader up to the first comment that is not closed; returns the number of games compared.
fn agrees(text: &[u8], what: &dyn std::fmt::Display) -> usize {
    let text = &without_inner_quotes(&without_inner_marks(text))[..];
    let mut ours = split(text, usize::MAX);
    let (theirs, gave_up) = oracle(text);
    ours.retain(|end| {
        end.unclosed_comment.is_some()
            || theirs.contains(&end.at.0)
            || !begins_section(text, end.at.0 as usize)
    });
    let compared = ours
        .iter()
        .position(|end| end.unclosed_comment.is_some())
        .unwrap_or(ours.len())
        .min(if gave_up { theirs.len() } else { usize::MAX });
    let ends: Vec<_> = ours[..compared].iter().map(|end| end.at.0).collect();
    assert_eq!(
        ends,
        theirs[..compared.min(theirs.len())],
        "{what}: {:?}",
        String::from_utf8_lossy(&text[..text.len().min(400)])
    );
    if compared == ours.len() && !gave_up {
        assert_eq!(ours.len(), theirs.len(), "{what}");
    }
    compared
}

#[test]
fn a_tag_section_behind_a_blank_line_begins_a_game_although_no_movetext_is_before_it() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(games(text.as_bytes()), expected);
        for piece in 1..text.len() {
            assert_eq!(
                split(text.as_bytes(), piece),
                split(text.as_bytes(), usize::MAX)
            );
        }
    };
    check(
        "[Event \"a\"]\n[White \"b\"]\n\n[Event \"c\"]\n\n1. e4 *\n\n[Event \t\"d\"]\n",
        &[
            "[Event \"a\"]\n[White \"b\"]\n\n",
            "[Event \"c\"]\n\n1. e4 *\n",
            "\n[Event \t\"d\"]\n",
        ],
    );
    check(
        "[Event \"a\"]\r\n[White \"b\r\n \r\n[Event \"c\"]\r\n\r\n*",
        &[
            "[Event \"a\"]\r\n[White \"b\r\n \r\n",
            "[Event \"c\"]\r\n\r\n*",
        ],
    );
    check(
        "[Event \"a\"]\n[Roun\n\n[Event \"c\"]\n\n*",
        &["[Event \"a\"]\n[Roun\n\n", "[Event \"c\"]\n\n*"],
    );
    // One section with blank lines in it, or tags that only begin alike.
    for text in [
        "[Event \"a\"]\n[Event \"b\"]\n\n1. e4 *",
        "[Event \"a\"]\n\n[White \"b\"]\n\n1. e4 *",
        "[Event \"a\"]\n\n[EventDate \"b\"]\n\n1. e4 *",
        "[Event \"a\"]\n\n[Even \"b\"]\n\n1. e4 *",
        "[Event \"a\"]\n\n[Event b\"]\n\n1. e4 *",
    ] {
        check(text, &[text]);
    }
}

#[test]
fn games_end_where_pgn_reader_ends_them() {
    for text in TRICKY {
        agrees(text.as_bytes(), text);
    }
    assert_eq!(agrees(PLAIN.as_bytes(), &"plain"), 5);
    for seed in 1..=20_000 {
        agrees(&noise(&mut Random(seed)), &seed);
        agrees(&spoiled(&mut Random(seed)), &seed);
    }
}

#[test]
fn quotes_in_a_value_do_not_end_the_tag_pair_if_a_bracket_ends_its_line() {
    let rest = "[B \"b\"]\n\n1. e4 *\n";
    for line in [
        "[A \"The \"Big\" one\"]",
        "[A \"Club \"Victory\"\"] \t\r",
        "[A \"\"Big\" one\" ]",
        "[A \"the \"big one]",
        "[A \"a \"b\"] c\"]",
        "[A \"a \"b\\\"] c\"]",
        "[A \"a \"b\"] [C \"c\"]",
        "[A \"a \"{b\"]",
        "[A \"a\" ; b]",
    ] {
        let text = format!("{line}\n{rest}");
        assert_eq!(games(text.as_bytes()), [text.as_str()]);
        agrees(text.as_bytes(), &text);
    }
    for line in [
        "[A \"a\" b",
        "[A \"a\" 1. e4 *",
        "[A \"a\" b] c",
        "[A \"a\" b\\]",
        "[A \"a\" {b}",
        "[A \"a\" ; {b",
    ] {
        let text = format!("{line}\n{rest}");
        assert_eq!(games(text.as_bytes()), [&format!("{line}\n"), rest]);
        agrees(text.as_bytes(), &text);
    }
    let text = format!("[A \"a\" {{b\nc] }}\n{rest}");
    assert_eq!(games(text.as_bytes()), ["[A \"a\" {b\nc] }\n", rest]);
    assert_eq!(unclosed("[A \"a\" {b"), [Some(7)]);
    assert_eq!(unclosed("[A \"a\" {b]"), [None]);
}

#[test]
fn byte_order_marks_of_joined_files_are_white_space() {
    let tags = "[A \"b\"]\n\n1. d4 *\n";
    for between in ["\n", "\n\n", "\r\n\r\n", "\n \n"] {
        let text = format!("\u{feff}[A \"a\"]\n\n1. e4 *{between}\u{feff}{tags}");
        assert_eq!(games(text.as_bytes()).len(), 2, "{text:?}");
    }
    assert_eq!(games("1. e4 e5\n\u{feff}2. d4 *\n".as_bytes()).len(), 1);
    assert_eq!(games("1. e4 *\n\n\u{feff}\n".as_bytes()).len(), 1);
    assert_eq!(split(b"1. e4 *\n\n\xef\xbb", 1).len(), 2);
}

#[test]
fn nuls_and_end_of_file_marks_between_games_are_white_space() {
    let tags = "[A \"b\"]\n\n1. d4 *\n";
    for between in ["\n\0", "\n\x1a", "\n\0\n\x1a\x1a\0\n", "\r\n\u{feff}\0"] {
        let text = format!("1. e4 *\n{between}{tags}{between}");
        assert_eq!(games(text.as_bytes()).len(), 2, "{text:?}");
        assert_eq!(
            split(text.as_bytes(), 1),
            split(text.as_bytes(), usize::MAX)
        );
    }
    assert_eq!(games(b"\0\x1a\n").len(), 0);
    assert_eq!(games(b"1. e4\0 e5\n\x1a 2. d4 *\n").len(), 1);
}

#[test]
fn an_event_tag_in_a_comment_ends_it_without_a_blank_line() {
    let next = "[Event \"x\"]\n\n1. d4 *\n";
    let text = format!("1. e4 {{oops e5 1-0\n{next}");
    assert_eq!(games(text.as_bytes()), ["1. e4 {oops e5 1-0\n", next]);
    assert_eq!(unclosed(&text), [Some(6), None]);
    for line in [
        "[Events \"x\"]",
        "[Even \"x\"]",
        "[White \"x\"]",
        "[%clk 1]",
        " [Event \"x\"]",
    ] {
        let text = format!("1. e4 {{so\n{line} far}} e5 *\n");
        assert_eq!(unclosed(&text), [None], "{text:?}");
    }
}

#[test]
fn one_game_read_again_is_one_game() {
    for text in TRICKY {
        for game in games(text.as_bytes()) {
            let again = split(game.as_bytes(), usize::MAX);
            assert_eq!(again.len(), 1, "{game:?} of {text:?}");
            assert_eq!(again[0].at.0, game.len() as u64, "{game:?} of {text:?}");
        }
    }
}

#[test]
fn the_pieces_in_which_a_text_arrives_do_not_matter() {
    let same = |text: &[u8], seed: u64| {
        let whole = split(text, usize::MAX);
        for piece in [1, 2, 3, 7, 64] {
            assert_eq!(whole, split(text, piece), "seed {seed}, pieces of {piece}");
        }
        if let Some(last) = whole.last() {
            assert_eq!(last.at.0, text.len() as u64, "seed {seed}");
        }
        assert!(whole.is_sorted_by(|a, b| a.at < b.at), "seed {seed}");
    };
    for text in TRICKY {
        same(text.as_bytes(), 0);
    }
    for seed in 1..=5_000 {
        same(&noise(&mut Random(seed)), seed);
        same(&spoiled(&mut Random(seed)), seed);
    }
}

#[test]
fn a_game_begins_with_the_blank_lines_before_it() {
    assert_eq!(
        games(b"\n1. e4 *\r\n\r\n\n[A \"b\"]\n\n\n*\n[C \"d\"]\n\n \n"),
        [
            "\n1. e4 *\r\n",
            "\r\n\n[A \"b\"]\n\n\n*\n",
            "[C \"d\"]\n\n \n"
        ]
    );
}

#[test]
fn white_space_and_escaped_lines_alone_are_no_game() {
    assert!(games("\u{feff} \t\r\n\n% nothing\n%".as_bytes()).is_empty());
}

#[test]
fn an_open_comment_ends_at_a_blank_line_with_a_tag_pair_behind_it() {
    let text = "1. e4 { open\n\n[A \"b\"]\n\n1. d4 *\n";
    assert_eq!(
        games(text.as_bytes()),
        ["1. e4 { open\n\n", "[A \"b\"]\n\n1. d4 *\n"]
    );
    assert_eq!(unclosed(text), [Some(6), None]);
    for blank in ["\r\n\r\n", "\n \t\r\n", "\n\n\n \n", "\n[A \"b\"]\n\n"] {
        let text = format!("1. e4 {{ open{blank}[A_1\t \"b\"]\n\n1. d4 *\n");
        assert_eq!(unclosed(&text), [Some(6), None], "{text:?}");
    }
}

#[test]
fn an_open_comment_is_told_at_the_end_of_the_text() {
    assert_eq!(unclosed("1. e4 *\n\n{ open\n\n[A"), [None, Some(9)]);
}

#[test]
fn what_only_resembles_a_tag_pair_does_not_end_a_comment() {
    for inside in [
        "\n[A \"b\"]",
        "\n\n [A \"b\"]",
        "\n\n[A b]",
        "\n\n[A\n\"b\"]",
        "\n\n[\"b\"]",
        "\n\nx [A \"b\"]",
        "\n\n[%csl Ra1 \"b\"]",
    ] {
        let text = format!("1. e4 {{{inside}}} e5 *\n");
        assert_eq!(unclosed(&text), [None], "{text:?}");
    }
}

/// Agreement with pgn-reader over every PGN file below `ARBITER_CORPUS`. Without it there is nothing to compare.
#[test]
fn games_of_a_corpus_end_where_pgn_reader_ends_them() {
    let Some(corpus) = std::env::var_os("ARBITER_CORPUS") else {
        eprintln!("skipped: ARBITER_CORPUS names no directory");
        return;
    };
    let (sources, errors) = crate::input::expand(&[PathBuf::from(corpus)]);
    assert!(errors.is_empty(), "{errors:?}");
    let (mut files, mut compared, mut unread) = (0, 0, 0);
    for source in &sources {
        let mut text = Vec::new();
        for (_, member) in source.texts(std::sync::Arc::default(), 1) {
            // Some are no text.
            if let Ok(mut stream) = member {
                stream.read_to_end(&mut text).unwrap();
            }
        }
        let ends = split(&text, usize::MAX);
        for piece in [7, 4096] {
            assert_eq!(ends, split(&text, piece), "{}", source.name());
        }
        let n = agrees(&text, &source.name());
        let text = without_inner_quotes(&text);
        let mut from = 0;
        for end in &ends[..n] {
            let game = &text[std::mem::replace(&mut from, end.at.0 as usize)..from];
            let (again, gave_up) = oracle(game);
            assert_eq!(
                (again.as_slice(), gave_up),
                (&[game.len() as u64][..], false)
            );
        }
        if n < ends.len() {
            let name = source.path().and_then(Path::file_name);
            eprintln!(
                "{}: compared {n} of {} games, pgn-reader {:?}",
                name.unwrap_or_default().display(),
                ends.len(),
                oracle(&text).1.then_some("gave up")
            );
        }
        files += 1;
        compared += n;
        unread += ends.len() - n;
    }
    eprintln!("{files} files, {compared} games agree, {unread} behind an open comment or tag");
}
