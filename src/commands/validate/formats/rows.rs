//! One row a finding: CSV, JSON Lines and Parquet.

use std::borrow::Cow;

use crate::commands::validate::formats::FindingItem;
use crate::error::Error;
use crate::findings::registry::Code;
use crate::findings::report::character_start;
use crate::report::rows::{GAMES_IN_GROUP, Row, Rows};
use crate::report::{Buffer, Format, Sink};
use crate::text::decode;

/// CSV, JSON lines or Parquet.
pub(crate) struct RowFormat(pub(crate) Rows);

impl Format<FindingItem<'_>> for RowFormat {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_rows(self.0, GAMES_IN_GROUP, |row| {
            FindingRow::default().write(row);
        })
    }

    fn item(&self, out: &mut Buffer, item: FindingItem<'_>) {
        FindingRow::new(item).write(Row::begin(out, self.0));
    }
}

/// A finding. Scripts know the fields by these names.
#[derive(Default)]
struct FindingRow<'a> {
    code: Option<Code>,
    name: &'static str,
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    file: &'a str,
    /// From 1.
    line: u64,
    /// From 1, in characters.
    column: u64,
    /// From 0, into the decompressed stream.
    byte_start: u64,
    byte_end: u64,
    /// From 1; in a list of positions the number of the position.
    game: u64,
    /// From 1.
    ply: Option<u32>,
    label: Option<&'a str>,
    /// The position before the move.
    fen: Option<&'a str>,
    /// The bytes concerned, four thousand at most; those that are not UTF-8 are read as Latin-1.
    text: Cow<'a, str>,
}

impl<'a> FindingRow<'a> {
    fn new(item: FindingItem<'a>) -> FindingRow<'a> {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let at = finding.at.as_ref();
        FindingRow {
            code: Some(finding.code()),
            name: finding.rule.name,
            severity: finding.severity.as_str(),
            message: &finding.message,
            help: finding.help.as_deref(),
            file: source.name(),
            line: report.line.0,
            column: report.column,
            byte_start: report.bytes.start,
            byte_end: report.bytes.end,
            game: report.game.0,
            ply: at.map(|at| at.ply),
            label: at.map(|at| at.label.as_str()),
            fen: at.map(|at| at.fen.as_str()),
            text: cut(report.text()),
        }
    }

    fn write(&self, mut row: Row<'_>) {
        row.word("code", self.code.as_ref().map(Code::as_str));
        row.word("name", self.name);
        row.word("severity", self.severity);
        row.text("message", self.message);
        row.text("help", self.help);
        row.text("file", self.file);
        row.number("line", self.line);
        row.number("column", self.column);
        row.number("byte_start", self.byte_start);
        row.number("byte_end", self.byte_end);
        row.number("game", self.game);
        row.number("ply", self.ply.map(u64::from));
        row.text("move", self.label);
        row.text("fen", self.fen);
        row.text("text", &*self.text);
        row.end();
    }
}

/// The first bytes of a text; a line may be as long as the file.
fn cut(text: &[u8]) -> Cow<'_, str> {
    const MOST: usize = 4 << 10;
    if text.len() <= MOST {
        return decode(text);
    }
    let mut text = decode(&text[..character_start(text, MOST)]).into_owned();
    text.push('…');
    text.into()
}
