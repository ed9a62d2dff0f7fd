//! Output formats of `replay`, one file each.

mod csv;
mod human;
mod jsonl;
mod pgn;
mod plain;
mod row;

use std::cell::OnceCell;

use clap::ValueEnum;

use crate::commands::replay::boards::Boards;
use crate::commands::replay::export::Keep;
use crate::commands::replay::rows::{Played, PlyChoice, Replayer};
use crate::error::Error;
use crate::input::{GameText, Source};
use crate::pgn::Game;
use crate::report::Format;
use crate::report::escape::Cells;

/// Value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatName {
    /// Numbered moves, and boards if requested
    Human,
    /// One row a ply, with the position after it
    Csv,
    /// One JSON object a ply
    Jsonl,
    /// Moves in UCI notation, one line a game
    Uci,
    /// Positions as EPD, one line each
    Epd,
    /// Positions as FEN, one line each
    Fen,
    /// Games in the export format of the PGN standard
    Pgn,
}

/// Options that formats need.
pub(crate) struct FormatOptions {
    /// Requested plies.
    pub(crate) at: Option<PlyChoice>,
    pub(crate) boards: Option<Boards>,
    pub(crate) variations: bool,
    pub(crate) keep: Keep,
    pub(crate) cells: Cells,
}

/// A format of games that are replayed while they are written.
pub(crate) type GameFormat = dyn for<'a> Format<GameItem<'a>, Result<Played, Error>>;

/// A game to replay and write.
pub(crate) struct GameItem<'a> {
    pub(crate) source: &'a Source,
    pub(crate) text: &'a GameText<'a>,
    pub(crate) game: &'a Game,
    pub(crate) replayer: &'a mut Replayer,
    /// Field with the name of the source, written by the format for the first game of a chunk.
    pub(crate) file: &'a OnceCell<Vec<u8>>,
    /// Memory for the text of one game.
    pub(crate) scratch: &'a mut String,
}

impl FormatName {
    pub(crate) fn with(self, options: FormatOptions) -> Box<GameFormat> {
        let FormatOptions {
            at,
            boards,
            variations,
            keep,
            cells,
        } = options;
        match self {
            FormatName::Human => Box::new(human::Human {
                at,
                boards,
                variations,
            }),
            FormatName::Csv => Box::new(csv::Csv {
                at,
                variations,
                cells,
            }),
            FormatName::Jsonl => Box::new(jsonl::Jsonl { at, variations }),
            FormatName::Uci => Box::new(plain::UciMoves { at }),
            FormatName::Epd => Box::new(plain::Positions {
                at,
                add: plain::epd,
            }),
            FormatName::Fen => Box::new(plain::Positions {
                at,
                add: plain::fen,
            }),
            FormatName::Pgn => Box::new(pgn::Pgn { keep }),
        }
    }
}
