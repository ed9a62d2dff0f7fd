//! CSV with one row for each ply.

use super::cells::Short;
use super::sheet::Sheet;
use crate::judge::rows::{LineId, PlyRow};
use crate::output::escape::csv_field;
use crate::rules::Color;

/// The columns. Those of lines are there only where variations are.
const COLUMNS: [&str; 12] = [
    "game",
    "ply",
    "move_number",
    "color",
    "san",
    "uci",
    "fen",
    "check",
    "capture",
    "halfmove_clock",
    "repetition",
    "file",
];
const LINE_COLUMNS: [&str; 2] = ["line", "parent"];

/// Writes rows to memory.
pub struct CsvRows {
    /// The game's number and a comma.
    game: Short,
    /// A comma, the source's name, in quotes where it needs them (RFC 4180), and what ends a row.
    file: Vec<u8>,
}

impl CsvRows {
    /// The header line.
    pub fn header(with_lines: bool) -> String {
        let mut header = COLUMNS.join(",");
        if with_lines {
            header.push(',');
            header.push_str(&LINE_COLUMNS.join(","));
        }
        header + "\n"
    }

    /// Rows of the games of a source.
    pub fn new(file: &str) -> CsvRows {
        CsvRows {
            game: Short::new(""),
            file: format!(",{}", csv_field(file)).into_bytes(),
        }
    }

    /// Begins a game, by its number in the source.
    pub fn begin(&mut self, game: u64) {
        self.game = Short::new(&format!("{game},"));
    }

    /// Adds a row. Booleans are `true` and `false`.
    #[inline]
    pub fn push(&mut self, out: &mut Sheet, row: &PlyRow<'_>) {
        self.row(out, row);
        out.add(b"\n");
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
        out.add(format!(",{},", line.0).as_bytes());
        if let Some(parent) = parent {
            out.add(parent.0.to_string().as_bytes());
        }
        out.add(b"\n");
    }

    #[inline]
    fn row(&mut self, out: &mut Sheet, row: &PlyRow<'_>) {
        let mut cells = out.row();
        cells.short(&self.game);
        cells.number(row.ply);
        cells.fixed(b",");
        cells.number(row.move_number);
        cells.either(&[*b",white,", *b",black,"], row.color == Color::Black, 0);
        cells.san(row);
        cells.fixed(b",");
        cells.uci(row);
        cells.fixed(b",");
        cells.fen(row);
        cells.either(&[*b",false,", *b",true, "], row.check(), 1);
        cells.either(&[*b"false,", *b"true, "], row.capture(), 1);
        cells.number(row.after.halfmoves());
        cells.fixed(b",");
        cells.number(row.repetition as u32);
        let length = cells.length();
        out.advance(length);
        out.add(&self.file);
    }
}
