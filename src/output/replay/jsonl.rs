//! JSON with one object for each ply, each on a line of its own.

use super::cells::Cells;
use crate::judge::rows::{LineId, PlyRow};
use crate::output::json;

/// Writes rows to memory.
pub struct JsonRows {
    cells: Cells,
    /// The first field, with the game's number.
    game: Vec<u8>,
    /// The field with the source's name.
    file: Vec<u8>,
}

impl JsonRows {
    /// Rows of the games of a source.
    pub fn new(file: &str) -> JsonRows {
        JsonRows {
            cells: Cells::new(),
            game: Vec::new(),
            file: format!(",\"file\":{}", json::of(&file)).into_bytes(),
        }
    }

    /// Begins a game, by its number in the source.
    pub fn begin(&mut self, game: u64) {
        self.game = format!("{{\"game\":{game},\"ply\":").into_bytes();
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, out: &mut Vec<u8>, row: &PlyRow<'_>) {
        self.row(out, row);
        out.extend_from_slice(b"}\n");
    }

    /// Adds a row of a line of play, with the line that it leaves; the main line leaves none.
    pub fn push_line(
        &mut self,
        out: &mut Vec<u8>,
        row: &PlyRow<'_>,
        line: LineId,
        parent: Option<LineId>,
    ) {
        self.row(out, row);
        let parent = parent.map_or("null".to_owned(), |parent| parent.0.to_string());
        out.extend(format!(",\"line\":{},\"parent\":{parent}}}\n", line.0).into_bytes());
    }

    #[inline]
    fn row(&mut self, out: &mut Vec<u8>, row: &PlyRow<'_>) {
        let cells = &mut self.cells;
        cells.clear();
        cells.text_of(&self.game);
        cells.number(row.ply);
        cells.text_of(b",\"move_number\":");
        cells.number(row.move_number);
        cells.text_of(b",\"color\":\"");
        cells.color(row.color);
        cells.text_of(b"\",\"san\":\"");
        cells.san(row);
        cells.text_of(b"\",\"uci\":\"");
        cells.uci(row);
        cells.text_of(b"\",\"fen\":\"");
        cells.fen(row);
        cells.text_of(b"\",\"check\":");
        cells.yes_or_no(row.check());
        cells.text_of(b",\"capture\":");
        cells.yes_or_no(row.capture());
        cells.text_of(b",\"halfmove_clock\":");
        cells.number(row.after.halfmoves());
        cells.text_of(b",\"repetition\":");
        cells.large(row.repetition as u64);
        out.extend_from_slice(cells.text());
        out.extend_from_slice(&self.file);
    }
}
