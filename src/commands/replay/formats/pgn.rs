//! Games in the export format of the PGN standard.

use crate::commands::replay::export::{GameExport, Keep};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::rows::{Played, variations};
use crate::error::Error;
use crate::report::{Buffer, Format};

pub(crate) struct Pgn {
    pub(crate) keep: Keep,
}

impl Format<GameItem<'_>, Result<Played, Error>> for Pgn {
    /// Appends a game, unless its start position is invalid.
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let (game, text, keep) = (item.game, item.text.bytes, self.keep);
        let before = out.len();
        let mut export = GameExport::begin(out, game, text, keep);
        let played = if keep.is_nothing() {
            item.replayer
                .main_line(game, text, None, |row| export.ply(row))
        } else {
            variations(item.replayer, game, text, None, keep.variations, |step| {
                export.step(step);
            })
        };
        export.end();
        if !played.begun {
            out.truncate(before);
        }
        Ok(played)
    }
}
