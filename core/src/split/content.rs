//! Likely content of a text that is not PGN, for messages.

use crate::chess::{epd, fen};
use crate::split::encoding::BYTE_ORDER_MARK;

/// A list of positions, each on a line.
pub(crate) const POSITIONS: &str = "a list of positions (FEN or EPD); `--fen` takes one";

/// Contents by their first characters, in any case of letters.
const MARKS: [(&str, &str); 5] = [
    ("{\\rtf", "RTF"),
    ("{\"", "JSON"),
    ("<!doctype html", "HTML"),
    ("<html", "HTML"),
    ("<?xml", "XML"),
];

/// Content of a text that is not PGN, as far as its beginning shows.
pub(crate) fn content_of(text: &[u8]) -> Option<&'static str> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let text = text.trim_ascii_start();
    let begins = |mark: &str| {
        let begin = text.get(..mark.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(mark.as_bytes()))
    };
    if let Some((_, content)) = MARKS.iter().find(|(mark, _)| begins(mark)) {
        return Some(content);
    }
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let line = text[..end].trim_ascii_end();
    let is_position = fen::parse(&line[epd::position_range(line)]).is_ok();
    is_position.then_some(POSITIONS)
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
            ("<?xml version=\"1.0\"?>", Some("XML")),
            ("{\"games\": [1]}", Some("JSON")),
            ("{My best game", None),
            ("{\\rtf1 1. e4}", Some("RTF")),
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
