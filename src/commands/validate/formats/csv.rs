//! A table with one row a finding.

use crate::commands::validate::baseline::Fingerprint;
use crate::commands::validate::formats::fields::{Fields, NAMES};
use crate::commands::validate::formats::{Emitter, PlainFormat};
use crate::commands::validate::report::Report;
use crate::input::Source;
use crate::report::escape::Cells;

/// The fields of the JSON form as columns; what is null there is empty here. A table has no
/// escapes, so control characters other than line feed and tab are spelled `\u{1b}`.
#[derive(Clone, Copy, Debug)]
pub struct Csv {
    /// How texts are written.
    pub cells: Cells,
}

impl Csv {
    /// The document that begins with the names of the columns.
    pub fn document() -> PlainFormat {
        const HEADER: &str = "code,name,severity,message,help,file,line,column,byte_start,byte_end,game,ply,move,fen,text\n";
        debug_assert_eq!(HEADER.trim_end().split(',').collect::<Vec<_>>(), NAMES);
        PlainFormat { header: HEADER }
    }
}

impl Emitter for Csv {
    fn emit(
        &self,
        out: &mut String,
        source: &Source,
        report: &Report<'_>,
        _fingerprint: Option<&Fingerprint>,
    ) {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .buffer_capacity(512)
            .from_writer(Vec::with_capacity(512));
        // Writing text and numbers to memory does not fail.
        let _ = writer.serialize(Fields::of(source, report).in_table(self.cells));
        let row = writer.into_inner().unwrap_or_default();
        out.push_str(&String::from_utf8_lossy(&row));
    }
}
