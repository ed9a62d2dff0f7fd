//! One row a finding: CSV, JSON Lines and Parquet.

use serde_json::{Value, json};

use crate::commands::validate::formats::{FindingFormat, FindingItem};
use crate::error::Error;
use crate::findings::registry::Code;
use crate::findings::report::Report;
use crate::findings::{Finding, Repair};
use crate::report::rows::{GAMES_IN_GROUP, Row, Rows};
use crate::report::{Buffer, Sink};

/// CSV, JSON lines or Parquet.
pub(crate) struct FindingRows(pub(crate) Rows);

impl FindingFormat for FindingRows {
    fn begin(&mut self, sink: &mut Sink) -> Result<(), Error> {
        sink.begin_rows(self.0, GAMES_IN_GROUP, |row| write(row, None))
    }

    fn finding(&mut self, out: &mut Buffer, item: FindingItem<'_>) {
        write(Row::begin(out, self.0), Some(item));
    }
}

/// Adds a finding to a row, or the columns alone. Scripts know the fields by these names.
fn write(mut row: Row<'_>, item: Option<FindingItem<'_>>) {
    let report = item.map(|item| item.report);
    let finding = report.map(|report| &report.finding);
    let at = finding.and_then(|finding| finding.at.as_ref());
    let code = finding.map(Finding::code);
    let number = |number: fn(&Report<'_>) -> u64| report.map_or(0, number);
    row.word("code", code.as_ref().map(Code::as_str));
    row.word("name", finding.map(|finding| finding.rule.name));
    row.word("severity", finding.map(|finding| finding.severity.as_str()));
    row.text("message", finding.map(|finding| &*finding.message));
    row.text("help", finding.and_then(|finding| finding.help.as_deref()));
    row.text("file", item.map(|item| item.source.name()));
    // From 1; columns are characters.
    row.number("line", number(|report| report.line.0));
    row.number("column", number(|report| report.column));
    // From 0, into the decompressed stream.
    row.number("byte_start", number(|report| report.bytes.start));
    row.number("byte_end", number(|report| report.bytes.end));
    // From 1; in a list of positions the number of the position.
    row.number("game", number(|report| report.game.0));
    row.number("ply", at.map(|at| at.ply.into()));
    row.text("move", at.map(|at| &*at.label));
    row.text("fen", at.map(|at| &*at.fen));
    let text = report.map(Report::short_text);
    row.text("text", text.as_deref());
    row.word("reason", finding.and_then(|finding| finding.reason));
    let fix = item.and_then(|item| Some(fix(item.repair?, item.report)));
    row.json("fix", &fix);
    row.end();
}

/// A repair, with the bytes of its edits in the decompressed stream.
fn fix(repair: &Repair, report: &Report<'_>) -> Value {
    let edits = repair.edits.iter().map(|edit| {
        let bytes = report.bytes_of(edit.span);
        json!({"byte_start": bytes.start, "byte_end": bytes.end, "text": edit.text})
    });
    json!({"safe": repair.is_certain, "edits": edits.collect::<Vec<_>>()})
}
