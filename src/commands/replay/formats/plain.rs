//! Positions and moves alone, one line each: FEN, EPD, UCI.

use crate::chess::fen::IncrementalFen;
use crate::chess::{Position, Uci};
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::rows::{Played, PlyChoice};
use crate::error::Error;
use crate::report::{Buffer, Format};

/// Positions after the requested plies, or after the last.
pub(crate) struct Positions {
    pub(crate) at: Option<PlyChoice>,
    /// Appends one position: [`fen`] or [`epd`].
    pub(crate) add: fn(&mut Buffer, &Position),
}

impl Format<GameItem<'_>, Result<Played, Error>> for Positions {
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
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

impl Format<GameItem<'_>, Result<Played, Error>> for UciMoves {
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let line = out.len();
        let (game, text) = (item.game, item.text.bytes);
        let at = self.at.as_ref();
        let played = item.replayer.main_line(game, text, at, |row| {
            if out.len() > line {
                out.push(b' ');
            }
            match row.uci {
                Some(uci) => {
                    let mut text = [0; Uci::LONGEST];
                    let length = uci.write(&mut text);
                    out.extend_from_slice(&text[..length]);
                }
                None => out.extend_from_slice(b"0000"),
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
    let mut text = [0; IncrementalFen::LONGEST];
    let length = IncrementalFen::new(position).write(position, &mut text);
    out.extend_from_slice(&text[..length]);
    out.push(b'\n');
}

/// Appends a position as EPD: the four fields, and the two clocks as operations (PGN standard
/// 16.2.5.13 and 16.2.5.14).
pub(crate) fn epd(out: &mut Buffer, position: &Position) {
    let mut text = [0; IncrementalFen::LONGEST];
    let length = IncrementalFen::new(position).write_fields(position, &mut text);
    out.extend_from_slice(&text[..length]);
    let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
    out.push_str(&format!(" hmvc {halfmoves}; fmvn {fullmoves};\n"));
}
