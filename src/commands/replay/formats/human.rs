//! Games for people: numbered moves, and boards if requested.

use std::sync::Arc;

use crate::boards::picture;
use crate::chess::san::SanPlus;
use crate::chess::{Color, MoveNumber, Position};
use crate::commands::openings::{Opening, Openings};
use crate::commands::replay::boards::{BoardOutput, Boards, TextBoard, caption};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::rows::{LineSet, PlayEnd, PlyChoice, PlyRow, PlySet, RowEvent};
use crate::error::Error;
use crate::input::Source;
use crate::pgn::{Game, TagName};
use crate::report::escape::Escaped;
use crate::report::{Buffer, Format, append, wrap};
use crate::text::decode;

pub(crate) struct HumanGames {
    pub(crate) at: Option<PlyChoice>,
    pub(crate) boards: Option<Boards>,
    pub(crate) lines: LineSet,
    pub(crate) openings: Option<Arc<Openings>>,
}

impl Format<GameItem<'_>, Result<PlayEnd, Error>> for HumanGames {
    /// Appends a game, unless its start position is invalid.
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<PlayEnd, Error> {
        let GameItem {
            source,
            text,
            game,
            replayer,
            scratch,
            ..
        } = item;
        let (number, bytes) = (text.origin.game.0, text.bytes);
        let start = replayer.start(game, bytes);
        let end = PlyChoice::end();
        let boards = match (&self.boards, &start) {
            (Some(boards), Ok(start)) => {
                let at = self.at.as_ref().unwrap_or(&end);
                Some((boards, replayer.plies(game, at, start)))
            }
            _ => None,
        };
        let lacks_plies = boards.as_ref().is_some_and(|(_, plies)| plies.is_empty());
        scratch.clear();
        let mut writer = GameWriter::begin(scratch, source.name(), number, game, bytes);
        let openings = self.openings.as_ref();
        if let Some(opening) = openings.and_then(|it| it.find(game, bytes)) {
            writer.opening(opening);
        }
        writer.out.push('\n');
        let mut boards = BoardWriter {
            boards,
            source,
            number,
            error: None,
        };
        if let Ok(start) = &start {
            boards.add(&mut writer, 0, &start.position, None);
        }
        let mut played = replayer.replay::<false>(game, bytes, None, self.lines, |step| {
            writer.step(step);
            if let RowEvent::Ply(row) = step
                && row.line.id == 0
            {
                boards.add(&mut writer, row.ply, row.after, Some(row));
            }
        });
        played.lacks_plies = lacks_plies;
        if let Some(error) = boards.error {
            return Err(error);
        }
        if played.begun {
            writer.end(game, bytes, played.stopped);
            out.push_str(scratch);
        }
        Ok(played)
    }
}

/// Adds the boards of a game after the requested plies.
struct BoardWriter<'a> {
    boards: Option<(&'a Boards, PlySet)>,
    source: &'a Source,
    number: u64,
    /// Last error of writing a picture.
    error: Option<Error>,
}

impl BoardWriter<'_> {
    fn add(
        &mut self,
        writer: &mut GameWriter<'_>,
        ply: u32,
        position: &Position,
        last: Option<&PlyRow<'_>>,
    ) {
        let Some((boards, _)) = self.boards.as_ref().filter(|(_, plies)| plies.has(ply)) else {
            return;
        };
        match &boards.output {
            BoardOutput::Text(board) => writer.board(position, last, *board, boards.bottom),
            BoardOutput::Svg(folder) => {
                let place = caption(position, last);
                let title = format!("{}, game {}, {place}", self.source.name(), self.number);
                let mv = last.and_then(|row| row.mv);
                let picture = picture(position, boards.bottom, mv, &title);
                match folder.write((self.source, self.number, ply), &picture) {
                    Ok(path) => {
                        writer.end_line();
                        append!(writer.out, "      {place}: {}\n", Escaped(&path));
                    }
                    Err(error) => self.error = Some(error),
                }
            }
        }
    }
}

/// Longest line of variations, in characters.
const LINE_WIDTH: usize = 79;

/// Writer of one game.
struct GameWriter<'a> {
    out: &'a mut String,
    /// True if the current line of text waits for Black's move.
    open: bool,
    /// The main line and the variations, by their numbers.
    lines: Vec<LineText>,
    /// Number of the line that the next event belongs to.
    present: usize,
}

/// A line of a game.
#[derive(Default)]
struct LineText {
    instead_of: String,
    parent: usize,
    /// Moves of a variation.
    words: Vec<String>,
    /// Last move.
    newest: Option<(MoveNumber, SanPlus)>,
}

impl<'a> GameWriter<'a> {
    /// Begins a game with its players, event, site and date. An empty line ends the heading.
    fn begin(
        out: &'a mut String,
        file: &str,
        number: u64,
        game: &Game,
        text: &[u8],
    ) -> GameWriter<'a> {
        let value = |name| game.text(text, name);
        let player = |name| value(name).unwrap_or("?".into());
        let (white, black) = (player(TagName::White), player(TagName::Black));
        append!(
            out,
            "{}, game {number}: {} - {}\n",
            Escaped(file),
            Escaped(&white),
            Escaped(&black)
        );
        let mut between = "  ";
        for name in [TagName::Event, TagName::Site, TagName::Date] {
            if let Some(value) = value(name) {
                append!(out, "{between}{}", Escaped(&value));
                between = ", ";
            }
        }
        if let Some(round) = value(TagName::Round) {
            append!(out, "{between}round {}", Escaped(&round));
            between = ", ";
        }
        if between == ", " {
            out.push('\n');
        }
        GameWriter {
            out,
            open: false,
            lines: vec![LineText::default()],
            present: 0,
        }
    }

    /// Adds the opening to the heading.
    fn opening(&mut self, opening: &Opening) {
        let line = format!("  {} {}", opening.eco, Escaped(&opening.name));
        append!(self.out, "{}\n", line.trim_end());
    }

    /// Adds a move of the main line.
    fn ply(&mut self, row: &PlyRow<'_>) {
        match row.color() {
            Color::White => {
                self.end_line();
                append!(self.out, "{:>4}. {:<9}", row.move_number(), row.san);
                self.open = true;
            }
            Color::Black if self.open => {
                append!(self.out, "{}", row.san);
                self.end_line();
            }
            Color::Black => {
                append!(
                    self.out,
                    "{:>4}. {:<9}{}\n",
                    row.move_number(),
                    "...",
                    row.san
                );
            }
        }
        if row.is_illegal {
            self.end_line();
            self.out.push_str("      (illegal, but it stood)\n");
        }
    }

    /// Adds an event of a game.
    fn step(&mut self, step: &RowEvent<'_>) {
        match step {
            RowEvent::Ply(row) => {
                if row.line.id == 0 {
                    self.ply(row);
                }
                let line = &mut self.lines[self.present];
                line.newest = Some((row.numbered(), row.san));
                if self.present > 0 {
                    if row.color() == Color::White || line.words.is_empty() {
                        line.words.push(row.numbered().to_string());
                    }
                    line.words.push(row.san.to_string());
                }
            }
            RowEvent::Begin { line, .. } => {
                self.lines.truncate(line.id as usize);
                let replaced = self.lines[self.present].newest;
                self.lines.push(LineText {
                    instead_of: replaced.map_or_else(String::new, |(nr, san)| format!("{nr}{san}")),
                    parent: self.present,
                    ..LineText::default()
                });
                self.present = line.id as usize;
            }
            RowEvent::End(_) => self.present = self.lines[self.present].parent,
            RowEvent::Stop(_) => self.lines[self.present].words.push("(stopped)".to_owned()),
            RowEvent::Unread(_) => {}
        }
    }

    /// Adds the board of a position; `last` is the move that led to it.
    fn board(
        &mut self,
        position: &Position,
        last: Option<&PlyRow<'_>>,
        board: TextBoard,
        bottom: Color,
    ) {
        self.end_line();
        if !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        append!(self.out, "      {}\n", caption(position, last));
        board(self.out, position, bottom, "      ");
        self.out.push('\n');
    }

    /// Ends the game with its recorded result and its variations.
    fn end(mut self, game: &Game, text: &[u8], stopped: bool) {
        self.end_line();
        if stopped {
            self.out.push_str("      (stopped before the last move)\n");
        }
        match game.recorded_result(text) {
            Ok(Some(mark)) => append!(self.out, "      {mark}\n"),
            Ok(None) => {}
            Err(other) => {
                let words = decode(other.of(text));
                append!(self.out, "      {}\n", Escaped(&words));
            }
        }
        for (number, line) in self.lines.iter().enumerate().skip(1) {
            variation(self.out, number, line);
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

/// Adds a variation below the game.
fn variation(out: &mut String, number: usize, line: &LineText) {
    append!(out, "\n  line {number}, instead of {}", line.instead_of);
    if line.parent > 0 {
        append!(out, " in line {}", line.parent);
    }
    out.push(':');
    if !line.words.is_empty() {
        out.push('\n');
    }
    wrap(out, &line.words.join(" "), ["    "; 2], LINE_WIDTH);
}
