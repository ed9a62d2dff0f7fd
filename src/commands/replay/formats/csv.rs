//! CSV with one row for each ply.

use crate::chess::Color;
use crate::commands::replay::formats::cells::Short;
use crate::commands::replay::formats::sheet::Sheet;
use crate::commands::replay::rows::{LineId, PlyRow};
use crate::report::escape::Cells;

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

// Constants, so that they are not put together on the stack for each row, from where they could only be read with delay.
const COLORS: &[[u8; 7]; 2] = &[*b",white,", *b",black,"];
const CHECK: &[[u8; 12]; 2] = &[*b",true,false,", *b",true,true, "];
const NO_CHECK: &[[u8; 13]; 2] = &[*b",false,false,", *b",false,true, "];

/// Writes rows to memory.
pub struct CsvRows {
    /// The game's number and a comma.
    game: Short,
    /// A comma and the source's name, in quotes where it needs them (RFC 4180).
    file: Vec<u8>,
    /// The same, if it is short.
    short_file: Option<Short>,
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
    pub fn new(file: &str, cells: Cells) -> CsvRows {
        let file = format!(",{}", cells.field(file));
        CsvRows {
            game: Short::new(""),
            short_file: (file.len() <= Short::LONGEST).then(|| Short::new(&file)),
            file: file.into_bytes(),
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
        if let Some(file) = &self.short_file {
            cells.short(file);
        }
        let length = cells.length();
        out.advance(length);
        if self.short_file.is_none() {
            out.add(&self.file);
        }
    }
}
