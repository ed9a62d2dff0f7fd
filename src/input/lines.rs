//! Units of a text: games, or the lines of a list of positions (FEN or EPD files).

use memchr::memchr;

use crate::input::join::Joiner;
use crate::input::kind::InputKind;
use crate::input::split::{EndKind, GameEnd, Splitter};
use crate::text::Offset;
use crate::text::tag_pairs::TagObserver;

/// Splits a text into units: games, or the lines of a list of positions.
#[derive(Clone, Debug)]
pub(crate) enum UnitSplitter {
    Games(Splitter),
    Lines(LineSplitter),
}

impl UnitSplitter {
    pub(crate) fn new(form: InputKind) -> UnitSplitter {
        match form {
            InputKind::Pgn => UnitSplitter::Games(Splitter::new()),
            InputKind::Fen | InputKind::Epd => UnitSplitter::Lines(LineSplitter::default()),
        }
    }

    /// Reports the tag pairs of games to `observer`.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        ends: &mut Vec<GameEnd>,
        observer: &mut impl TagObserver,
    ) {
        match self {
            UnitSplitter::Games(splitter) => splitter.feed_observed(bytes, ends, observer),
            UnitSplitter::Lines(splitter) => splitter.feed(bytes, ends),
        }
    }

    pub(crate) fn finish(self, ends: &mut Vec<GameEnd>) {
        match self {
            UnitSplitter::Games(splitter) => splitter.finish(ends),
            UnitSplitter::Lines(splitter) => splitter.finish(ends),
        }
    }

    pub(crate) fn fed(&self) -> Offset {
        match self {
            UnitSplitter::Games(splitter) => splitter.fed(),
            UnitSplitter::Lines(splitter) => Offset(splitter.fed),
        }
    }

    pub(crate) fn pending(&self) -> Option<Offset> {
        match self {
            UnitSplitter::Games(splitter) => splitter.pending(),
            UnitSplitter::Lines(splitter) => splitter.pending,
        }
    }
}

/// The games of a text.
pub(crate) fn split_games(text: &[u8]) -> Vec<&[u8]> {
    let (mut found, mut ends) = (Vec::new(), Vec::new());
    let mut splitter = Splitter::new();
    splitter.feed(text, &mut found);
    splitter.finish(&mut found);
    Joiner::new(u64::MAX).join(text, Offset(0), &mut found, true, &mut ends);
    let mut from = 0;
    let games = ends.iter().map(|end| {
        let start = std::mem::replace(&mut from, end.at.0 as usize);
        &text[start..from]
    });
    games.collect()
}

/// Finds the ends of lines with content, in a stream fed in parts.
///
/// Empty lines and `#` lines belong to the next line with content, or at the end to the last one.
/// A byte order mark at the beginning is white space.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineSplitter {
    state: State,
    fed: u64,
    /// End of a line while no other line has begun.
    pending: Option<Offset>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    /// Before the first non-blank character of a line.
    #[default]
    Before,
    Comment,
    Line,
}

impl LineSplitter {
    fn feed(&mut self, bytes: &[u8], ends: &mut Vec<GameEnd>) {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::Before => match byte {
                    b'#' => self.state = State::Comment,
                    // White space and the bytes of a byte order mark.
                    b' ' | b'\t' | b'\r' | b'\n' | 0xef | 0xbb | 0xbf => at += 1,
                    _ => {
                        self.state = State::Line;
                        ends.extend(self.pending.take().map(end));
                    }
                },
                State::Comment | State::Line => {
                    let Some(length) = memchr(b'\n', &bytes[at..]) else {
                        break;
                    };
                    at += length + 1;
                    if self.state == State::Line {
                        self.pending = Some(Offset(self.fed + at as u64));
                    }
                    self.state = State::Before;
                }
            }
        }
        self.fed += bytes.len() as u64;
    }

    fn finish(self, ends: &mut Vec<GameEnd>) {
        if self.pending.is_some() || self.state == State::Line {
            ends.push(end(Offset(self.fed)));
        }
    }
}

fn end(at: Offset) -> GameEnd {
    GameEnd::new(at.0, EndKind::Tags)
}

/// Finds the line with content of a unit, without white space and comments around it. Returns its
/// offset in the unit and its bytes.
pub(crate) fn position_line(text: &[u8]) -> (usize, &[u8]) {
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

    fn cut(text: &str, piece: usize) -> Vec<&str> {
        let mut splitter = LineSplitter::default();
        let mut ends = Vec::new();
        for bytes in text.as_bytes().chunks(piece) {
            splitter.feed(bytes, &mut ends);
        }
        splitter.finish(&mut ends);
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
