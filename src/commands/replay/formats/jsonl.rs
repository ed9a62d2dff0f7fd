//! One JSON object a ply, one line each.

use std::fmt::Write;

use crate::chess::Color;
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::formats::row::{RowInPlace, ShortText, each_ply};
use crate::commands::replay::rows::{Played, PlyChoice, PlyRow};
use crate::error::Error;
use crate::report::{Buffer, Format, json};

pub(crate) struct Jsonl {
    pub(crate) at: Option<PlyChoice>,
    pub(crate) variations: bool,
}

impl Format<GameItem<'_>, Result<Played, Error>> for Jsonl {
    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let name = || format!(",\"file\":{}", json::of(&item.source.name())).into_bytes();
        let file = item.file.get_or_init(name);
        let game = ShortText::number(b"{\"game\":", item.text.origin.game.0, b",\"ply\":");
        Ok(each_ply(
            item,
            self.at.as_ref(),
            self.variations,
            |row, line| {
                push_row(out, &game, row);
                out.extend_from_slice(file);
                if let Some(line) = line {
                    // Writing to memory does not fail.
                    let _ = write!(out, ",\"line\":{},\"parent\":", line.id.0);
                    let _ = match line.parent {
                        Some(parent) => write!(out, "{}", parent.0),
                        None => write!(out, "null"),
                    };
                }
                out.extend_from_slice(b"}\n");
            },
        ))
    }
}

#[inline]
fn push_row(out: &mut Buffer, game: &ShortText, row: &PlyRow<'_>) {
    let mut cells = RowInPlace::new(out);
    cells.short(game);
    cells.number(row.ply);
    cells.fixed(b",\"move_number\":");
    cells.number(row.move_number);
    const COLORS: [[u8; 24]; 2] = [
        *b",\"color\":\"white\",\"san\":\"",
        *b",\"color\":\"black\",\"san\":\"",
    ];
    cells.either(&COLORS, row.color == Color::Black, 0);
    cells.san(row);
    cells.fixed(b"\",\"uci\":\"");
    cells.uci(row);
    cells.fixed(b"\",\"fen\":\"");
    cells.fen(row);
    const CHECKS: [[u8; 16]; 2] = [*b"\",\"check\":false,", *b"\",\"check\":true, "];
    cells.either(&CHECKS, row.check(), 1);
    const CAPTURES: [[u8; 16]; 2] = [*b"\"capture\":false,", *b"\"capture\":true, "];
    cells.either(&CAPTURES, row.capture(), 1);
    cells.fixed(b"\"halfmove_clock\":");
    cells.number(row.after.halfmoves());
    cells.fixed(b",\"repetition\":");
    cells.number(row.repetition as u32);
    let length = cells.length();
    out.advance(length);
}
