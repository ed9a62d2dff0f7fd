//! CSV with one row for each ply.

use super::cells::Cells;
use crate::judge::rows::{LineId, PlyRow};

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
    cells: Cells,
    /// The game's number and a comma.
    game: Vec<u8>,
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
        let mut field = vec![b','];
        if file.contains(['"', ',', '\n', '\r']) {
            field.push(b'"');
            field.extend(file.replace('"', "\"\"").into_bytes());
            field.push(b'"');
        } else {
            field.extend(file.as_bytes());
        }
        CsvRows {
            cells: Cells::new(),
            game: Vec::new(),
            file: field,
        }
    }

    /// Begins a game, by its number in the source.
    pub fn begin(&mut self, game: u64) {
        self.game = format!("{game},").into_bytes();
    }

    /// Adds a row. Booleans are `true` and `false`.
    #[inline]
    pub fn push(&mut self, out: &mut Vec<u8>, row: &PlyRow<'_>) {
        self.row(out, row);
        out.push(b'\n');
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
        out.extend(format!(",{},", line.0).into_bytes());
        if let Some(parent) = parent {
            out.extend(parent.0.to_string().into_bytes());
        }
        out.push(b'\n');
    }

    #[inline]
    fn row(&mut self, out: &mut Vec<u8>, row: &PlyRow<'_>) {
        let cells = &mut self.cells;
        cells.clear();
        cells.text_of(&self.game);
        cells.number(row.ply);
        cells.text_of(b",");
        cells.number(row.move_number);
        cells.text_of(b",");
        cells.color(row.color);
        cells.text_of(b",");
        cells.san(row);
        cells.text_of(b",");
        cells.uci(row);
        cells.text_of(b",");
        cells.fen(row);
        cells.text_of(b",");
        cells.yes_or_no(row.check());
        cells.text_of(b",");
        cells.yes_or_no(row.capture());
        cells.text_of(b",");
        cells.number(row.after.halfmoves());
        cells.text_of(b",");
        cells.large(row.repetition as u64);
        out.extend_from_slice(cells.text());
        out.extend_from_slice(&self.file);
    }
}
