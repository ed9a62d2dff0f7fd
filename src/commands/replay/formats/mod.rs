//! Output formats of `replay`. Positions and moves alone, one line each, are here.

mod human;
mod optional;
mod pgn;
mod plies;

use std::cell::OnceCell;

use clap::ValueEnum;

use crate::chess::Position;
use crate::chess::fen::IncrementalFen;
use crate::commands::replay::rows::{LineSet, PlayEnd, PlyChoice, Replayer, RowEvent};
use crate::error::Error;
use crate::input::{GameText, Source};
use crate::pgn::Game;
use crate::report::rows::RepeatedCell;
use crate::report::{Buffer, Format, append};

pub(crate) use human::HumanGames;
pub(crate) use pgn::{Added, Export, KeepContent, LINE_WIDTH, TagEdits};
pub(crate) use plies::{Extra, Plies, column_names, tag_columns};

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// Numbered moves, and boards if requested
    Human,
    /// One row a ply, with the position after it
    Csv,
    /// One JSON object a ply
    Jsonl,
    /// The same rows as a Parquet file
    Parquet,
    /// Moves in UCI notation, one line a game
    Uci,
    /// Positions as EPD, one line each
    Epd,
    /// Positions as FEN, one line each
    Fen,
    /// Write the chosen games, in the export format of the PGN standard
    Pgn,
}

/// A format of games that are replayed while they are written.
pub(crate) type GameFormat = dyn for<'a> Format<GameItem<'a>, Result<PlayEnd, Error>>;

/// A game to replay and write.
pub(crate) struct GameItem<'a> {
    pub(crate) source: &'a Source,
    pub(crate) text: &'a GameText<'a>,
    pub(crate) game: &'a Game,
    pub(crate) replayer: &'a mut Replayer,
    /// Name of the source, written by the format for the first game of a chunk.
    pub(crate) file: &'a OnceCell<RepeatedCell>,
    /// Memory for the text of one game.
    pub(crate) scratch: &'a mut String,
    /// End in the output and keys of each game so far, for files by keys.
    pub(crate) pieces: &'a mut Vec<(usize, Vec<String>)>,
}

impl ReplayFormat {
    /// Whether it has a row for each ply.
    pub(crate) fn is_of_rows(self) -> bool {
        matches!(self, Self::Csv | Self::Jsonl | Self::Parquet)
    }

    /// Whether it has a line for each game or position.
    pub(crate) fn is_of_lines(self) -> bool {
        matches!(self, Self::Uci | Self::Epd | Self::Fen)
    }
}

/// Positions after the requested plies, or after the last.
pub(crate) struct Positions {
    pub(crate) at: Option<PlyChoice>,
    /// Appends one position: [`fen`] or [`epd`].
    pub(crate) add: fn(&mut Buffer, &Position),
}

impl Format<GameItem<'_>, Result<PlayEnd, Error>> for Positions {
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<PlayEnd, Error> {
        let end = PlyChoice::end();
        let at = self.at.as_ref().unwrap_or(&end);
        let add = |_, position: &Position| (self.add)(out, position);
        let (game, text) = (item.game, item.text.bytes);
        Ok(item.replayer.positions(game, text, at, add))
    }
}

/// Moves of a game in UCI notation.
pub(crate) struct UciMoves {
    pub(crate) at: Option<PlyChoice>,
}

impl Format<GameItem<'_>, Result<PlayEnd, Error>> for UciMoves {
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<PlayEnd, Error> {
        let line = out.len();
        let (game, text) = (item.game, item.text.bytes);
        let at = self.at.as_ref();
        let played = item
            .replayer
            .replay::<false>(game, text, at, LineSet::Main, |event| {
                if let RowEvent::Ply(row) = event {
                    if out.len() > line {
                        out.push(b' ');
                    }
                    out.push_in_place(|to| plies::write_uci(row.uci, to));
                }
            });
        if played.begun {
            out.push(b'\n');
        }
        Ok(played)
    }
}

/// Appends the FEN of a position.
pub(crate) fn fen(out: &mut Buffer, position: &Position) {
    out.push_in_place(|to| IncrementalFen::new(position).write(position, to));
    out.push(b'\n');
}

/// Appends a position as EPD: the four fields, and the two clocks as operations if they are known
/// (PGN standard 16.2.5.13 and 16.2.5.14).
pub(crate) fn epd(out: &mut Buffer, position: &Position) {
    out.push_in_place(|to| IncrementalFen::new(position).write_fields(position, to));
    if position.knows_halfmoves() {
        append!(out, " hmvc {};", position.halfmoves());
    }
    if position.knows_fullmoves() {
        append!(out, " fmvn {};", position.fullmoves());
    }
    out.push(b'\n');
}
