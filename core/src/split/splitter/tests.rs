use std::fs;
use std::path::{Path, PathBuf};

use crate::split::join::Joiner;
use crate::split::splitter::*;
use crate::split::test_util::{PLAIN, Random, TRICKY, noise, spoiled};
use crate::split::{Encoding, SAMPLE_BYTES, split_games};
use crate::text::BYTE_ORDER_MARK;

/// Ends that a splitter finds in a text of which `part` bytes more are read at a time.
pub(crate) fn in_parts(mut splitter: Splitter, text: &[u8], part: usize) -> Vec<GameEnd> {
    let base = splitter.at();
    let (mut index, mut read) = (Index::default(), 0);
    while read < text.len() {
        let from = read;
        read = text.len().min(read.saturating_add(part));
        index.extend(&text[..read], from);
        splitter.feed(&text[..read], base, &mut index);
    }
    splitter.finish(text, &mut index);
    splitter.found
}

/// Ends of all pieces of a text fed in parts of `part` bytes.
fn pieces(text: &[u8], part: usize) -> Vec<GameEnd> {
    in_parts(Splitter::games(Offset(0)), text, part)
}

/// Ends of all games of a text fed in parts of `part` bytes.
fn split(text: &[u8], part: usize) -> Vec<GameEnd> {
    let mut joiner = Joiner::new(u64::MAX);
    let (mut found, mut ends) = (pieces(text, part), Vec::new());
    joiner.join(text, Offset(0), &mut found, true, &mut ends);
    assert_eq!(found, []);
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

#[test]
fn a_tag_section_after_a_blank_line_begins_a_game_although_no_movetext_is_before_it() {
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
    // One tag section, with blank lines inside or with names similar to `Event`.
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

/// Checks the games of a text for every part size.
fn check(text: &str, expected: &[&str]) {
    assert_eq!(games(text.as_bytes()), expected, "{text:?}");
    for part in 1..text.len() {
        let cut = split(text.as_bytes(), part);
        assert_eq!(cut, split(text.as_bytes(), usize::MAX), "{text:?}");
    }
}

#[test]
fn a_tag_pair_after_a_result_on_its_line_begins_a_game() {
    let tail = "[White \"x\"]\n\n1. d4 *\n";
    for between in [
        "1-0",
        "0-1 ",
        "1/2-1/2\t",
        "*",
        "1-0\r",
        "1-0 {resigns} ",
        "1:0 ",
        "½-½",
        "*\n  \t ",
    ] {
        let first = format!("[Event \"a\"]\n\n1. e4 {{ [%clk 0:01] }} e5 {between}");
        let (first, indent) = match first.rsplit_once('\n') {
            Some((line, indent)) if indent.trim().is_empty() => (format!("{line}\n"), indent),
            _ => (first.clone(), ""),
        };
        let next = format!("{indent}[Event \"b\"]\n{tail}");
        check(&format!("{first}{next}"), &[&first, &next]);
        let next = format!("{indent}{tail}");
        check(&format!("{first}{next}"), &[&first, &next]);
    }
    for text in [
        "1. e4 {1-0 [Event \"b\"]} e5 *\n",
        "1. e4 {x 1-0[White \"b\"] y} e5 *\n",
        "1. e4 ; 1-0 [Event \"b\"]\n1... e5 *\n",
        "1. e4 [White \"b\"] e5 *\n",
        "1. e4[A \"b\"] e5 *\n",
        "1. e4 1-0 [%clk \"b\"]\n",
        "1. e4 1-0 [White b\"]\n",
        "1. e4 1-0 [Event\"b\"]\n",
        "1. e4 [Events \"b\"] *\n",
    ] {
        check(text, &[text]);
    }
    check(
        "1. e4 e5 2. Nf[Event \"b\"]\n\n1. d4 *",
        &["1. e4 e5 2. Nf", "[Event \"b\"]\n\n1. d4 *"],
    );
}

#[test]
fn the_first_move_number_on_a_new_line_after_a_result_begins_a_game() {
    check(
        "[A \"b\"]\n1. e4 1-0\n1. d4 {x} * {y}\n  1.c4 *\n",
        &["[A \"b\"]\n1. e4 1-0\n", "1. d4 {x} * {y}\n", "  1.c4 *\n"],
    );
    for text in [
        "1. e4 1-0 1. d4 *\n",
        "1. e4 e5\n1. d4 *\n",
        "1. e4 1-0\n1... d5 *\n",
        "1. e4 1-0\n10. d4 *\n",
        "1. e4 {1-0\n1. d4} *\n",
        "[A \"b\"]\n\n; 1. d4 *\n1. e4 *\n",
        "1. e4 ; 1-0\n  \n% 0-1\n1. d4 *\n",
    ] {
        check(text, &[text]);
    }
}

#[test]
fn a_blank_line_in_the_movetext_does_not_end_a_game_that_goes_on() {
    let rest = "\n[A \"c\"]\n\n*\n";
    for text in [
        "[A \"b\"]\n\n{a comment}\n\n1. e4 e5 *\n",
        "[A \"b\"]\n\n; a comment\n\n{another}\n\n1. e4 e5 *\n",
        "[A \"b\"]\n\n1. e4 e5 2. Nf3\n\nNc6 *\n",
        "[A \"b\"]\n\n1. e4 e5 2. Nf3\n\n2... Nc6 *\n",
        "[A \"b\"]\n\n1. e4 e5\n \n\n2. Nf3\n\n{now}\n\nNc6\n\n3. Bb5\n\n*\n",
        "[A \"b\"]\n\n1. e4 e5 2. Nf3 (2. f4\n\nexf4) 2... Nc6 *\n",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]\n\n30. e4\n\n30... Ke7 *\n",
        "[A \"b\"]\n\n1. e4 e5 *\n\n{a comment}\n",
        "1. e4\n\ne5 *\n",
        "[A \"b\"]\n\n1. e4 e5 (\n\n1... c5 2. Nf3\n\n) 2. Nf3 *\n",
        "[A \"b\"]\n\n1. e4 (\n\n1. d4 d5) e5 2. Nf3 *\n",
        "[A \"b\"]\n\n1. e4 e5 (1... c5 (1... e6\n\n2. d4)\n\n2. Nf3)\n\n2. Nf3 *\n",
        "[A \"b\"]\n\n1. e4 e5 2. Ke3\n\nNf6 3. d4 *\n",
        "[A \"b\"]\n\n1. e4 e5\n\n2. Ke3 Nf6 *\n",
        "[A \"b\"]\n\n1. e4 e5\n\n$1\n\n2.\n\nNf3 *\n",
    ] {
        check(&format!("{text}{rest}"), &[text, rest]);
    }
    // The next piece is another game, or does not continue this one.
    for (text, next) in [
        ("[A \"b\"]\n\n1. e4 e5\n", "\n1. d4 *\n"),
        ("[A \"b\"]\n\n1. e4 e5\n", "\n17. Qxf7 *\n"),
        ("[A \"b\"]\n\n1. e4 e5 *\n", "\n2. Nf3 *\n"),
        ("[A \"b\"]\n\n1. e4 e5 1-0 {x}\n", "\n2. Nf3 *\n"),
        ("[A \"b\"]\n\n1. e4 e5\n", "\nthis is not\n\nPGN at all\n"),
        ("1. e4 *\n", "\n1. d4 *\n"),
    ] {
        check(&format!("{text}{next}{rest}"), &[text, next, rest]);
    }
    check(
        &format!("{{a comment}}\n\n{rest}"),
        &[&format!("{{a comment}}\n\n{rest}")],
    );
    check("{a comment}\n\n; and another\n", &[]);
}

#[test]
fn a_tag_section_that_begins_again_is_another_game() {
    let header = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n";
    check(&header.repeat(3), &[header; 3]);
    let cut = "[Event \"A\"]\n[White \"x\"]\n[Black \"De\n";
    let next = "[Event \"B\"]\n[White \"Carlsen\"]\n\n1. e4 *\n";
    check(&format!("{cut}{next}"), &[cut, next]);
    for broken in ["[Event \"A\"]\n[Black\n", "[Event \"A\"]\n[Black De]\n"] {
        check(&format!("{broken}{next}"), &[broken, next]);
    }
    for text in [
        "[White \"a\"]\n\n[Black \"b\"]\n\n[Result \"*\"]\n\n1. e4 *\n",
        "[Site \"x\n[Event \"B\"]\n\n1. e4 *\n",
        "[Event \"A\"]\n[Site \"x\n[White \"B\"]\n\n1. e4 *\n",
    ] {
        check(text, &[text]);
    }
}

#[test]
fn text_that_is_not_pgn_is_one_piece() {
    for text in [
        "<html>\n<head>\n\n<title>No games here</title>\n\n<p>one * two\n\n[a]\n",
        "[section]\nkey=value\n\n[another]\nkey=value and so on\n",
        "All work and no play\n\nmakes Jack a dull boy.\n\nAll work\n",
    ] {
        check(text, &[text]);
    }
}

#[test]
fn plain_games_are_told_apart() {
    assert_eq!(games(PLAIN.as_bytes()).len(), 5);
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
    }
    for line in [
        "[A \"a\" b",
        "[A \"a\" b] c",
        "[A \"a\" b\\]",
        "[A \"a\" {b}",
        "[A \"a\" ; {b",
        "[A \"a\" {b\nc] }",
    ] {
        let text = format!("{line}\n{rest}");
        assert_eq!(games(text.as_bytes()), [text.as_str()]);
    }
    let line = "[A \"a\" 1. e4 *\n";
    assert_eq!(games(format!("{line}{rest}").as_bytes()), [line, rest]);
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
fn an_open_comment_ends_at_a_blank_line_with_a_tag_pair_after_it() {
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
fn an_unclosed_comment_is_reported_at_the_end_of_the_text() {
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

/// Files of a directory with this extension.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let has_extension = |path: &Path| path.extension().is_some_and(|found| found == extension);
    let found = paths.into_iter().flat_map(|path| match path.is_dir() {
        true => files(&path, extension),
        false => [path]
            .into_iter()
            .filter(|path| has_extension(path))
            .collect(),
    });
    found.collect()
}

/// First and last games of the PGN files of the corpus that are not compressed.
fn first_and_last_games() -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let Some(corpus) = std::env::var_os("ARBITER_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: ARBITER_CORPUS names no directory");
        return Vec::new();
    };
    // The tests of a package run in its folder, and the corpus may be named from the one above.
    let corpus = Path::new("..").join(corpus);
    let mut found = Vec::new();
    for path in ["bulk", "tricky"]
        .iter()
        .flat_map(|folder| files(&corpus.join(folder), "pgn"))
    {
        let stored = fs::read(&path).unwrap();
        let Ok(encoding) = Encoding::of(&stored[..stored.len().min(SAMPLE_BYTES)]) else {
            continue;
        };
        let text = encoding.decode(&stored);
        let ends = pieces(&text, usize::MAX);
        for part in [7, 4096] {
            assert_eq!(ends, pieces(&text, part), "{}", path.display());
        }
        let games = split_games(&text);
        let last = games[games.len().saturating_sub(3)..].concat();
        let first = games.into_iter().take(3).collect::<Vec<_>>().concat();
        found.push((path.display().to_string(), first, last));
    }
    found
}

/// Whether the texts show where the second begins: at a tag pair; after a tag section, if that
/// begins with the same name or it is `Event`; after an open comment, if it is `Event`.
fn has_seam(last: &[u8], first: &[u8]) -> bool {
    let mut reader = crate::replay::Reader::new();
    let text = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
    let Some(tag) = reader.read_tags(text).tags.first().copied() else {
        return false;
    };
    let name = tag.name.of(text);
    let end = split(last, usize::MAX);
    let start = end
        .len()
        .checked_sub(2)
        .map_or(0, |nth| end[nth].at.0 as usize);
    let is_open = end.last().is_some_and(|end| end.unclosed_comment.is_some());
    let game = reader.read(&last[start..], None);
    let is_section = game.movetext == last.len() - start;
    let event = &b"Event"[..];
    let is_header = text
        .split(|&byte| byte == b'\n')
        .nth(1)
        .is_some_and(|line| line.starts_with(b"["));
    let names: Vec<_> = game
        .tags
        .iter()
        .map(|tag| tag.name.of(&last[start..]))
        .collect();
    !game.is_unreadable(&last[start..])
        && text.starts_with(b"[")
        && text[1..].starts_with(name)
        && (!is_open || text.starts_with(b"[Event \"") && is_header)
        && (!is_section
            || names
                .first()
                .is_some_and(|first| [first, &event].contains(&&name)))
}

#[test]
fn texts_one_after_another_are_the_games_of_each() {
    let list = |text: &[u8]| -> Vec<String> {
        let trim = |game| {
            String::from_utf8_lossy(game)
                .replace('\u{feff}', "")
                .trim()
                .to_owned()
        };
        split_games(text).into_iter().map(trim).collect()
    };
    let all = first_and_last_games();
    let mut pairs = 0;
    for (before, _, last) in &all {
        for (after, first, _) in all.iter().filter(|(_, first, _)| has_seam(last, first)) {
            let expected = [list(last), list(first)].concat();
            for end in ["", "\n", "\r\n", "\n\n"] {
                let text = [last.trim_ascii_end(), end.as_bytes(), first].concat();
                assert_eq!(list(&text), expected, "{before} {end:?} {after}");
                pairs += 1;
            }
        }
    }
    assert!(all.is_empty() || pairs > 40_000, "{pairs}");
}

#[test]
fn comments_between_tags_belong_to_their_section() {
    let rest = "[Event \"b\"]\n\n1. d4 *\n";
    for between in [
        " ; captain\n",
        "\n{a}\n",
        "\n; a\n% b\n\n{c\n\n[d] e}\n",
        " {[White \"x\"]} {b} ",
        "\n{a}\n\n; 1-0\n",
    ] {
        let text = format!("[White \"a\"]{between}[Black \"b\"]{between}{{c}} 1. e4 *\n\n");
        check(
            &format!("{text}{rest}"),
            &[&text[..text.len() - 1], &format!("\n{rest}")],
        );
    }
    // A comment for moves.
    let text = "[White \"a\"]\n\n{no moves}\n\n";
    check(&format!("{text}{rest}"), &[text, rest]);
    check(&format!("{text}{text}"), &[text, text]);
    // An open comment ends at the next game.
    let text = "[White \"a\"] {open\n\n";
    assert_eq!(unclosed(&format!("{text}{rest}")), [Some(12), None]);
}

#[test]
fn text_beside_tags_that_is_no_movetext_belongs_to_their_section() {
    let rest = "[Event \"b\"]\n\n1. d4 *\n";
    for between in [
        "\u{a0}\n",
        "\n\u{a0}",
        "\u{a0}",
        "\n\u{2003}\n",
        "\n\u{3000}\n\n",
        "\x0b",
        "\n\x0c",
        "<br />\n",
        "],\n",
        ".\n",
        ";\n",
        ", ",
        " (2500)\n",
        "\n> ",
        "\n>\n> > ",
        "\n\u{feff}",
        "$\n",
        "\n5",
    ] {
        let text = format!("[White \"a\"]{between}[Black \"b\"]{between}\n1. e4 *\n\n");
        check(
            &format!("{text}{rest}"),
            &[&text[..text.len() - 1], &format!("\n{rest}")],
        );
    }
    for blank in [
        "\u{a0}",
        "\u{2003}\n",
        "\n\u{3000}\n\n",
        "\x0b",
        "\x0c",
        "> ",
        ">\n> > ",
    ] {
        let text = format!("{blank}[A \"b\"]\n{blank}[C \"d\"]\n\n1. e4 *\n\n");
        assert_eq!(games(text.repeat(3).as_bytes()).len(), 3, "{text:?}");
    }
    for between in [
        " 1. e4 *\n",
        " e4\n",
        "\ne4 e5\n",
        " 1-0 ",
        "\n(1. d4)\n",
        " *\n",
        " 0-1\u{feff}",
        "\n1-0\u{a0}",
    ] {
        let (one, two) = (format!("[White \"a\"]{between}"), "[Black \"b\"]\n\n*");
        check(&format!("{one}{two}"), &[&one, two]);
    }
    let again = "[Event \"a\"],\n[White \"b\"],\n\n";
    check(&again.repeat(2), &[again; 2]);
    // Games begin where they begin without the text.
    for stray in [
        "]", "\"", ")", "x", "]]", " foo", "\\", "(a b)", "<br />", "$", "7",
    ] {
        for blank in ["\n", "\n\n", "\r\n\r\n"] {
            let tags = format!("[Event \"a\"]{stray}{blank}[Site \"b\"]{stray}\n\n1. e4 *\n");
            check(&format!("{tags}\n{rest}"), &[&tags, &format!("\n{rest}")]);
            if stray == "7" {
                continue;
            }
            let tags = format!("{stray}[Event \"a\"]{blank}{stray} [Site \"b\"]\n\n1. e4 *\n");
            check(&format!("{rest}\n{tags}"), &[rest, &format!("\n{tags}")]);
        }
    }
    check(
        "[White \"a\"]]\n[White \"b\"]\n\n*\n",
        &["[White \"a\"]]\n[White \"b\"]\n\n*\n"],
    );
}

#[test]
fn brackets_that_begin_no_tag_pair_are_words_of_the_movetext() {
    let rest = "[Event \"b\"]\n\n1. d4 *\n";
    for bracket in [
        "[D]",
        "[#]",
        "[2. f4 exf4]",
        "[%clk 0:01:00]",
        "[",
        "[ 1",
        "[\u{a0}",
        "[White wins]",
    ] {
        for (before, after) in [
            ("\n", "\n"),
            ("\n", " "),
            (" ", " "),
            ("\n\n", "\n\n"),
            ("\n  ", "\n"),
        ] {
            let text = format!("[A \"b\"]\n\n1. e4 e5{before}{bracket}{after}2. Nf3 *\n");
            check(&format!("{text}{rest}"), &[&text, rest]);
        }
        let text = format!("[A \"b\"]\n\n1. e4 e5\n\n{bracket}\n\n");
        check(&format!("{text}{rest}"), &[&text, rest]);
    }
    // Broken tag pairs begin a game after a result.
    for tag in ["[Event b\"]", "[White b]", "[Result\n"] {
        let (one, two) = (
            "[A \"b\"]\n\n1. e4 *\n",
            format!("{tag}\n[Site \"c\"]\n\n*"),
        );
        check(&format!("{one}{two}"), &[one, &two]);
    }
}

#[test]
fn games_joined_in_the_tag_section() {
    let game = "[Event \"a\"]\n[White \"b\"]\n[Black \"c\"]\n[Result \"*\"]\n";
    let one = game.trim_end();
    check(
        &format!("{one}{one}\n\n1. e4 *"),
        &[one, &format!("{one}\n\n1. e4 *")],
    );
    check(&game.repeat(3), &[game; 3]);
    let game = game.replace("[White", "{x}\n[White").replace('\n', "\r\n");
    check(&game.repeat(3), &[game.as_str(); 3]);
    // Sections that begin with another tag.
    let game = "[Site \"a\"]\n[Event \"d\"]\n[White \"b\"]\n";
    check(&game.repeat(3), &[game; 3]);
    let game = "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"] [Result \"*\"] ";
    check(&game.repeat(3), &[game; 3]);
    for text in [
        "[Event \"a\"]\n[Event \"b\"]\n[White \"b\"]\n",
        "[Event \"a\"]\n[White \"b\"]\n[EventDate \"c\"]\n[White \"d\"]\n",
        "[Result \"*\"]\n[Result \"*\"]\n",
    ] {
        check(text, &[text]);
    }
}

#[test]
fn an_event_tag_at_the_end_of_a_line_ends_an_open_comment() {
    let next = "[Event \"x\"]\n[A \"b\"]\n\n1. d4 *\n";
    let text = format!("1. e4 {{open{next}");
    check(&text, &["1. e4 {open", next]);
    assert_eq!(unclosed(&text), [Some(6), None]);
    check(
        "[A \"b\"] {open[Event \"x\\\"] [A \"c\"]\n[B \"c\"] *",
        &["[A \"b\"] {open", "[Event \"x\\\"] [A \"c\"]\n[B \"c\"] *"],
    );
    for inside in [
        "[Event \"x\"] said",
        "[Event \"x\"]\n",
        "[Event \"x\n\"]",
        "[White \"x\"]\n",
        "[Event\"x\"]\n",
    ] {
        let text = format!("1. e4 {{see {inside}}} e5 *\n");
        check(&text, &[&text]);
    }
}
