//! Replayed games: CSV with one row for each ply.

use std::fmt::Write;

use crate::judge::rows::PlyRow;

/// The header of the CSV form.
pub const HEADER: [&str; 12] = [
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

/// Writes rows to memory.
pub struct CsvRows {
    writer: csv::Writer<Vec<u8>>,
    field: String,
}

impl Default for CsvRows {
    fn default() -> CsvRows {
        CsvRows {
            writer: csv::WriterBuilder::new()
                .has_headers(false)
                .from_writer(Vec::new()),
            field: String::new(),
        }
    }
}

impl CsvRows {
    /// The header line.
    pub fn header() -> Vec<u8> {
        let mut line = HEADER.join(",").into_bytes();
        line.push(b'\n');
        line
    }

    /// Adds a row. Booleans are `true` and `false`.
    pub fn push(&mut self, game: u64, row: &PlyRow<'_>, file: &str) {
        let mut fields = Fields {
            rows: self,
            ends: arrayvec::ArrayVec::new(),
        };
        fields.add(format_args!("{game}"));
        fields.add(format_args!("{}", row.ply));
        fields.add(format_args!("{}", row.move_number));
        fields.add(format_args!("{}", row.color));
        fields.add(format_args!("{}", row.san));
        fields.add(format_args!("{}", row.uci));
        fields.add(format_args!("{}", row.after));
        fields.add(format_args!("{}", row.check));
        fields.add(format_args!("{}", row.capture));
        fields.add(format_args!("{}", row.after.halfmoves()));
        fields.add(format_args!("{}", row.repetition));
        fields.add(format_args!("{file}"));
        fields.write();
    }

    /// All rows added so far.
    pub fn into_bytes(self) -> Vec<u8> {
        // Writing to memory does not fail.
        self.writer.into_inner().unwrap_or_default()
    }
}

/// The fields of a row, one behind the other in one buffer.
struct Fields<'a> {
    rows: &'a mut CsvRows,
    ends: arrayvec::ArrayVec<usize, { HEADER.len() }>,
}

impl Fields<'_> {
    fn add(&mut self, field: std::fmt::Arguments<'_>) {
        let _ = self.rows.field.write_fmt(field);
        self.ends.push(self.rows.field.len());
    }

    fn write(self) {
        let CsvRows { writer, field } = self.rows;
        let mut start = 0;
        let fields = self.ends.iter().map(|&end| {
            let text = &field[start..end];
            start = end;
            text
        });
        // Writing to memory does not fail, and every row has as many fields as the header.
        let _ = writer.write_record(fields);
        field.clear();
    }
}
