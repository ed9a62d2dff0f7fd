//! Units of a text: games, or the lines of a list of positions (FEN or EPD files).

use crate::split::join::Joiner;
use crate::split::splitter::Splitter;
use crate::text::Offset;

/// The games of a text.
pub fn split_games(text: &[u8]) -> Vec<&[u8]> {
    let (mut found, mut ends) = (Splitter::ends(text), Vec::new());
    Joiner::new(u64::MAX).join(text, Offset(0), &mut found, true, &mut ends);
    let mut from = 0;
    let games = ends.iter().map(|end| {
        let start = std::mem::replace(&mut from, end.at.0 as usize);
        &text[start..from]
    });
    games.collect()
}

/// Finds the line with content of a unit, without white space and comments around it. Returns its
/// offset in the unit and its bytes.
pub fn position_line(text: &[u8]) -> (usize, &[u8]) {
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let blank = line
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf))
            .count();
        let said = line[blank..].trim_ascii_end();
        if !said.is_empty() && said[0] != b'#' {
            return (at + blank, said);
        }
        at += line.len();
    }
    (0, &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::splitter::tests::in_parts;

    fn cut(text: &str, piece: usize) -> Vec<&str> {
        let ends = in_parts(Splitter::positions(), text.as_bytes(), piece);
        let mut from = 0;
        ends.iter()
            .map(|end| {
                let start = std::mem::replace(&mut from, end.at.0 as usize);
                &text[start..from]
            })
            .collect()
    }

    #[test]
    fn each_line_that_says_something_ends_a_piece_wherever_the_text_is_cut() {
        let text = "\u{feff}a\n\n# note\nb\r\n \nc\n\n#end";
        for piece in 1..text.len() {
            assert_eq!(
                cut(text, piece),
                ["\u{feff}a\n", "\n# note\nb\r\n", " \nc\n\n#end"]
            );
        }
        assert_eq!(cut("a", 1), ["a"]);
        assert_eq!(cut("\n# nothing\n", 3), [""; 0]);
    }

    #[test]
    fn the_line_itself_is_found_again() {
        assert_eq!(position_line(b"\n# note\n  b c \r\n\n"), (10, &b"b c"[..]));
        assert_eq!(position_line("\u{feff}a\n".as_bytes()), (3, &b"a"[..]));
        assert_eq!(position_line(b"# note"), (0, &b""[..]));
    }
}
