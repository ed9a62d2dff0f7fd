//! JSON with one object for each ply, each on a line of its own.

use crate::chess::Color;
use crate::commands::replay::formats::cells::Short;
use crate::commands::replay::formats::sheet::Sheet;
use crate::commands::replay::rows::{LineId, PlyRow};
use crate::report::json;

/// Writes rows to memory.
pub struct JsonRows {
    /// The first field, with the game's number.
    game: Short,
    /// The field with the source's name.
    file: Vec<u8>,
}

impl JsonRows {
    /// Rows of the games of a source.
    pub fn new(file: &str) -> JsonRows {
        JsonRows {
            game: Short::new(""),
            file: format!(",\"file\":{}", json::of(&file)).into_bytes(),
        }
    }

    /// Begins a game, by its number in the source.
    pub fn begin(&mut self, game: u64) {
        self.game = Short::new(&format!("{{\"game\":{game},\"ply\":"));
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, out: &mut Sheet, row: &PlyRow<'_>) {
        self.row(out, row);
        out.add(b"}\n");
    }

    /// Adds a row of a line of play, with the line that it leaves; the main line leaves none.
    pub fn push_line(
        &mut self,
        out: &mut Sheet,
        row: &PlyRow<'_>,
        line: LineId,
        parent: Option<LineId>,
    ) {
        self.row(out, row);
        let parent = parent.map_or("null".to_owned(), |parent| parent.0.to_string());
        out.add(format!(",\"line\":{},\"parent\":{parent}}}\n", line.0).as_bytes());
    }

    #[inline]
    fn row(&mut self, out: &mut Sheet, row: &PlyRow<'_>) {
        let mut cells = out.row();
        cells.short(&self.game);
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
        out.add(&self.file);
    }
}
