//! Likely content of a text that is not PGN, for messages.

use crate::chess::{epd, fen};
use crate::input::encoding::BYTE_ORDER_MARK;

/// A list of positions, each on a line.
pub(crate) const POSITIONS: &str = "a list of positions (FEN or EPD); `--fen` takes one";
const TABLE: &str = "a table (CSV or TSV)";
const ENGINE: &str = "the output of a UCI engine";
const CODE: &str = "source code";

/// Contents by their first characters, in any case of letters.
const MARKS: [(&str, &str); 5] = [
    ("{\\rtf", "RTF"),
    ("#!", CODE),
    ("<!doctype html", "HTML"),
    ("<html", "HTML"),
    ("<?xml", "XML"),
];

/// Number of bytes that are inspected.
const SAMPLE: usize = 4 << 10;

/// Content of a text that is not PGN, as far as its beginning shows.
pub(crate) fn content_of(text: &[u8]) -> Option<&'static str> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let text = text[..text.len().min(SAMPLE)].trim_ascii_start();
    let lines: Vec<&[u8]> = text
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
        .collect();
    let first = *lines.first()?;
    of_mark(text)
        .or_else(|| is_position(first).then_some(POSITIONS))
        .or_else(|| is_heading(text).then_some("Markdown"))
        .or_else(|| of_lines(first, &lines))
}

/// Content by the first characters.
fn of_mark(text: &[u8]) -> Option<&'static str> {
    let begins = |mark: &str| {
        let begin = text.get(..mark.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(mark.as_bytes()))
    };
    if let Some((_, content)) = MARKS.iter().find(|(mark, _)| begins(mark)) {
        return Some(content);
    }
    let has = |mark: &str| memchr::memmem::find(text, mark.as_bytes()).is_some();
    let next = || text[1..].trim_ascii_start().first().copied();
    match text {
        [b'<', b'!' | b'a'..=b'z' | b'A'..=b'Z', ..] if has("</p>") || has("<div") => Some("HTML"),
        [b'<', b'!' | b'a'..=b'z' | b'A'..=b'Z', ..] => Some("XML"),
        [b'{', ..] if next() == Some(b'"') => Some("JSON"),
        [b'[', ..] if matches!(next(), Some(b'{' | b'[' | b'"')) => Some("JSON"),
        _ => None,
    }
}

/// Whether a line begins with a position.
fn is_position(line: &[u8]) -> bool {
    fen::parse(&line[epd::position_range(line)]).is_ok()
}

/// Whether a text begins with a heading of Markdown, a line on its own.
fn is_heading(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let heading = lines.next().unwrap_or_default();
    let is_alone = lines.next().is_none_or(<[u8]>::is_empty);
    is_alone
        && [&b"# "[..], b"## "]
            .iter()
            .any(|mark| heading.starts_with(mark))
}

/// Content by the look of most lines.
fn of_lines(first: &[u8], lines: &[&[u8]]) -> Option<&'static str> {
    let most = |is_one: &dyn Fn(&[u8]) -> bool| {
        2 * lines.iter().filter(|line| is_one(line)).count() > lines.len()
    };
    let begins =
        |line: &[u8], words: &[&str]| words.iter().any(|word| line.starts_with(word.as_bytes()));
    let fields = |line: &[u8]| {
        let count = |mark: u8| line.iter().filter(|&&byte| byte == mark).count();
        [b'\t', b',', b';'].map(count)
    };
    let is_table = lines.len() > 1
        && fields(first).iter().enumerate().any(|(nth, &count)| {
            // Prose has commas too.
            let is_tab = nth == 0;
            let is_enough = count > 0 && is_tab || count > 1 && lines.len() > 2;
            is_enough && most(&|line| fields(line)[nth] == count)
        });
    let engine = [
        "info ",
        "bestmove ",
        "option name ",
        "id name ",
        "uciok",
        "position ",
    ];
    let code = [
        "//", "/*", "*", "#include", "#define", "import ", "from ", "def ", "use ",
    ];
    let is_code = |line: &[u8]| {
        let end = line.last().copied().unwrap_or_default();
        b";{}".contains(&end) || begins(line, &code) || line.starts_with(b"[") && end == b']'
    };
    if most(&|line| begins(line, &engine)) {
        Some(ENGINE)
    } else if is_table {
        Some(TABLE)
    } else if most(&is_code) || begins(first, &["#include", "package ", "import ", "[package]"]) {
        Some(CODE)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_known_by_their_beginnings() {
        for (text, expected) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
                Some(POSITIONS),
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";\n",
                Some(POSITIONS),
            ),
            ("\u{feff}\n<!doctype HTML>\n<p>", Some("HTML")),
            ("<body><p>1. e4</p></body>", Some("HTML")),
            ("<?xml version=\"1.0\"?>", Some("XML")),
            ("{\n  \"games\": [1]\n}", Some("JSON")),
            ("[{\"white\": 1}]", Some("JSON")),
            ("{\\rtf1 1. e4}", Some("RTF")),
            (
                "white,black,result\nA,B,1-0\nC,\"D, d\",0-1\nE,F,*\n",
                Some(TABLE),
            ),
            ("white\tblack\nA\tB\n", Some(TABLE)),
            ("info depth 1 score cp 3\nbestmove e2e4\n", Some(ENGINE)),
            (
                "#include <stdio.h>\nint main(void) { return 0; }\n",
                Some(CODE),
            ),
            ("[package]\nname = \"x\"\n", Some(CODE)),
            ("# Chess\n\nSome text.\n", Some("Markdown")),
            (
                "Dear Sir, after 1. e4, I resign.\nYours, Bob, the player.\n",
                None,
            ),
            ("", None),
        ] {
            assert_eq!(content_of(text.as_bytes()), expected, "{text}");
        }
    }
}
