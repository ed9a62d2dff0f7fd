//! Games for people: numbered moves, and boards where they are asked for.

use std::fmt::Write;

use crate::chess::{Color, Position};
use crate::commands::replay::formats::board::{Style, board};
use crate::commands::replay::rows::{LineId, PlyRow, Step};
use crate::pgn::{Game, TagName};
use crate::report::escape::{Escaped, width};
use crate::text::decode;

/// Lines of side lines are not longer than this, in characters.
const LINE_WIDTH: usize = 79;

/// A board that stands among the moves.
#[derive(Clone, Copy, Debug)]
pub enum Drawn<'a> {
    /// Drawn in characters.
    Characters(Style),
    /// A file that holds the picture.
    File(&'a str),
}

/// Writes one game.
pub struct Human<'a> {
    out: &'a mut String,
    /// Whether a line is open that Black's move belongs on.
    open: bool,
    /// The last move of each line, as `3.Bb5`.
    newest: Vec<String>,
    /// The side lines, with what they replace.
    lines: Vec<SideLine>,
}

struct SideLine {
    instead_of: String,
    parent: LineId,
    words: Vec<String>,
}

// Writing to memory does not fail.
macro_rules! add {
    ($out:expr, $($what:tt)*) => {{
        let _ = write!($out, $($what)*);
    }};
}

impl<'a> Human<'a> {
    /// Begins a game with its players, and where and when it was played.
    pub fn begin(
        out: &'a mut String,
        file: &str,
        number: u64,
        game: &Game,
        text: &[u8],
    ) -> Human<'a> {
        let value = |name| {
            let value = decode(&game.known(name)?.unescape(text)).trim().to_owned();
            (!matches!(value.as_str(), "" | "?" | "-" | "????.??.??")).then_some(value)
        };
        let player = |name| value(name).unwrap_or_else(|| "?".to_owned());
        let (white, black) = (player(TagName::White), player(TagName::Black));
        add!(
            out,
            "{}, game {number}: {} - {}\n",
            Escaped(file),
            Escaped(&white),
            Escaped(&black)
        );
        let mut between = "  ";
        for name in [TagName::Event, TagName::Site, TagName::Date] {
            if let Some(value) = value(name) {
                add!(out, "{between}{}", Escaped(&value));
                between = ", ";
            }
        }
        if let Some(round) = value(TagName::Round) {
            add!(out, "{between}round {}", Escaped(&round));
            between = ", ";
        }
        if between == ", " {
            out.push('\n');
        }
        out.push('\n');
        Human {
            out,
            open: false,
            newest: vec![String::new()],
            lines: Vec::new(),
        }
    }

    /// Adds a move of the main line.
    pub fn ply(&mut self, row: &PlyRow<'_>) {
        match row.color {
            Color::White => {
                self.end_line();
                add!(self.out, "{:>4}. {:<9}", row.move_number, row.san);
                self.open = true;
            }
            Color::Black if self.open => {
                add!(self.out, "{}", row.san);
                self.end_line();
            }
            Color::Black => {
                add!(
                    self.out,
                    "{:>4}. {:<9}{}\n",
                    row.move_number,
                    "...",
                    row.san
                );
            }
        }
    }

    /// Adds what a game with variations comes to.
    pub fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Ply(line, row, _) => {
                let dots = match row.color {
                    Color::White => ".",
                    Color::Black => "...",
                };
                let label = format!("{}{dots}{}", row.move_number, row.san);
                if let Some(newest) = self.newest.get_mut(line.0 as usize) {
                    *newest = label;
                }
                match line.0.checked_sub(1) {
                    None => self.ply(row),
                    Some(nth) => {
                        if let Some(side) = self.lines.get_mut(nth as usize) {
                            if row.color == Color::White || side.words.is_empty() {
                                side.words.push(format!("{}{dots}", row.move_number));
                            }
                            side.words.push(row.san.to_string());
                        }
                    }
                }
            }
            Step::Begin { line, parent, .. } => {
                let number = line.0 as usize;
                self.newest.truncate(number);
                self.lines.truncate(number.saturating_sub(1));
                let instead_of = self.newest.get(parent.0 as usize).cloned();
                self.newest.push(String::new());
                self.lines.push(SideLine {
                    instead_of: instead_of.unwrap_or_default(),
                    parent: *parent,
                    words: Vec::new(),
                });
            }
            Step::End(_) | Step::Stop(_) | Step::Unread(_) => {}
        }
    }

    /// Adds the board of a position; `last` is the move that led to it.
    pub fn board(&mut self, position: &Position, last: Option<&PlyRow<'_>>, drawn: Drawn<'_>) {
        self.end_line();
        let place = caption(last);
        match drawn {
            Drawn::Characters(style) => {
                if !self.out.ends_with("\n\n") {
                    self.out.push('\n');
                }
                add!(self.out, "      {place}\n");
                board(self.out, position, style, "      ");
                self.out.push('\n');
            }
            Drawn::File(name) => add!(self.out, "      {place}: {}\n", Escaped(name)),
        }
    }

    /// Ends the game, with its side lines, and the result on record or where it stopped.
    pub fn end(mut self, game: &Game, text: &[u8], stopped: bool) {
        self.end_line();
        if stopped {
            self.out.push_str("      (stopped before the last move)\n");
        }
        match game.recorded_result(text) {
            Ok(Some(mark)) => add!(self.out, "      {mark}\n"),
            Ok(None) => {}
            Err(other) => {
                let words = decode(other.of(text));
                add!(self.out, "      {}\n", Escaped(&words));
            }
        }
        let lines = std::mem::take(&mut self.lines);
        for (nth, line) in lines.iter().enumerate() {
            self.side_line(nth + 1, line);
        }
        self.out.push('\n');
    }

    fn side_line(&mut self, number: usize, line: &SideLine) {
        add!(
            self.out,
            "\n  line {number}, instead of {}",
            line.instead_of
        );
        if line.parent != LineId::MAIN {
            add!(self.out, " in line {}", line.parent.0);
        }
        self.out.push(':');
        let mut used = LINE_WIDTH;
        for word in &line.words {
            if used + 1 + width(word) > LINE_WIDTH {
                self.out.push_str("\n    ");
                used = 4;
            } else {
                self.out.push(' ');
                used += 1;
            }
            self.out.push_str(word);
            used += width(word);
        }
        self.out.push('\n');
    }

    fn end_line(&mut self) {
        if self.open {
            let length = self.out.trim_end_matches(' ').len();
            self.out.truncate(length);
            self.out.push('\n');
            self.open = false;
        }
    }
}

/// `after 12...Nf6`, or what it is at the beginning.
pub(crate) fn caption(last: Option<&PlyRow<'_>>) -> String {
    match last {
        None => "at the beginning".to_owned(),
        Some(row) => {
            let dots = match row.color {
                Color::White => ".",
                Color::Black => "...",
            };
            format!("after {}{dots}{}", row.move_number, row.san)
        }
    }
}
