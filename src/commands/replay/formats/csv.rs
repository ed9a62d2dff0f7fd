//! One CSV row a ply.

use std::fmt::Write;

use crate::chess::Color;
use crate::commands::replay::formats::GameItem;
use crate::commands::replay::formats::row::{
    COLUMNS, LINE_COLUMNS, RowInPlace, ShortText, each_ply,
};
use crate::commands::replay::rows::{Played, PlyChoice, PlyRow};
use crate::error::Error;
use crate::report::escape::Cells;
use crate::report::{Buffer, Format, Sink};

pub(crate) struct Csv {
    pub(crate) at: Option<PlyChoice>,
    pub(crate) variations: bool,
    pub(crate) cells: Cells,
}

// Constants, not literals: those would be built on the stack for each row and read back with delay.
const COLORS: &[[u8; 7]; 2] = &[*b",white,", *b",black,"];
const CHECK: &[[u8; 12]; 2] = &[*b",true,false,", *b",true,true, "];
const NO_CHECK: &[[u8; 13]; 2] = &[*b",false,false,", *b",false,true, "];

impl Format<GameItem<'_>, Result<Played, Error>> for Csv {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        let lines: &[&str] = if self.variations { &LINE_COLUMNS } else { &[] };
        sink.write([&COLUMNS, lines].concat().join(",").as_bytes())?;
        sink.write(b"\n")
    }

    fn item(&self, out: &mut Buffer, item: GameItem<'_>) -> Result<Played, Error> {
        let name = || format!(",{}", self.cells.field(item.source.name())).into_bytes();
        let file = item.file.get_or_init(name);
        let short_file = ShortText::of(file);
        let game = ShortText::number(b"", item.text.origin.game.0, b",");
        Ok(each_ply(
            item,
            self.at.as_ref(),
            self.variations,
            |row, line| {
                push_row(out, &game, row, short_file.as_ref());
                if short_file.is_none() {
                    out.extend_from_slice(file);
                }
                if let Some(line) = line {
                    // Writing to memory does not fail.
                    let _ = write!(out, ",{},", line.id.0);
                    if let Some(parent) = line.parent {
                        let _ = write!(out, "{}", parent.0);
                    }
                }
                out.push(b'\n');
            },
        ))
    }
}

#[inline]
fn push_row(out: &mut Buffer, game: &ShortText, row: &PlyRow<'_>, file: Option<&ShortText>) {
    let mut cells = RowInPlace::new(out);
    cells.short(game);
    cells.number(row.ply);
    cells.fixed(b",");
    cells.number(row.move_number);
    cells.either(COLORS, row.color == Color::Black, 0);
    cells.san(row);
    cells.fixed(b",");
    cells.uci(row);
    cells.fixed(b",");
    cells.fen(row);
    match row.check() {
        true => cells.either(CHECK, row.capture(), 1),
        false => cells.either(NO_CHECK, row.capture(), 1),
    }
    cells.number(row.after.halfmoves());
    cells.fixed(b",");
    cells.number(row.repetition as u32);
    if let Some(file) = file {
        cells.short(file);
    }
    let length = cells.length();
    out.advance(length);
}
