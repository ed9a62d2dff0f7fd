//! One row a finding: CSV and JSON Lines.

use std::borrow::Cow;

use serde::Serialize;

use crate::commands::validate::formats::{FindingFormat, FindingItem};
use crate::commands::validate::registry::Code;
use crate::commands::validate::report::character_start;
use crate::error::Error;
use crate::report::escape::Cells;
use crate::report::{Buffer, Format, Sink, json};
use crate::text::decode;

/// A finding in the machine formats. The fields are a promise to scripts.
#[derive(Serialize)]
struct Fields<'a> {
    code: Code,
    name: &'static str,
    severity: &'static str,
    message: Cow<'a, str>,
    help: Option<Cow<'a, str>>,
    file: Cow<'a, str>,
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
    #[serde(rename = "move")]
    label: Option<Cow<'a, str>>,
    /// The position before the move.
    fen: Option<Cow<'a, str>>,
    /// The bytes concerned, four thousand at most; those that are not UTF-8 are read as Latin-1.
    text: Cow<'a, str>,
}

/// The names of the fields, in their order.
const HEADER: &str =
    "code,name,severity,message,help,file,line,column,byte_start,byte_end,game,ply,move,fen,text\n";

/// One JSON object a line. Control characters are `\u` escapes, so that the text is exact and does
/// nothing to a terminal.
pub(crate) struct Jsonl;

impl FindingFormat for Jsonl {}

impl Format<FindingItem<'_>> for Jsonl {
    fn item(&self, out: &mut Buffer, item: FindingItem<'_>) {
        json::push(out, &Fields::of(item));
        out.push(b'\n');
    }
}

/// The fields as columns; what is null in JSON is empty. A table has no escapes, so control
/// characters other than line feed and tab are spelled `\u{1b}`.
pub(crate) struct Csv(pub(crate) Cells);

impl FindingFormat for Csv {}

impl Format<FindingItem<'_>> for Csv {
    fn begin(&self, sink: &mut Sink) -> Result<(), Error> {
        sink.write(HEADER.as_bytes())
    }

    fn item(&self, out: &mut Buffer, item: FindingItem<'_>) {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .buffer_capacity(512)
            .from_writer(out);
        // Writing text and numbers to memory does not fail.
        let _ = writer.serialize(Fields::of(item).in_table(self.0));
        let _ = writer.flush();
    }
}

impl<'a> Fields<'a> {
    fn of(item: FindingItem<'a>) -> Fields<'a> {
        let FindingItem { source, report, .. } = item;
        let finding = &report.finding;
        let at = finding.at.as_ref();
        Fields {
            code: finding.code(),
            name: finding.rule.name,
            severity: finding.severity.as_str(),
            message: finding.message.as_str().into(),
            help: finding.help.as_deref().map(Cow::from),
            file: source.name().into(),
            line: report.line.0,
            column: report.column,
            byte_start: report.bytes.start,
            byte_end: report.bytes.end,
            game: report.game.0,
            ply: at.map(|at| at.ply),
            label: at.map(|at| at.label.as_str().into()),
            fen: at.map(|at| at.fen.as_str().into()),
            text: cut(report.text()),
        }
    }

    /// The same with text as a table may hold it.
    fn in_table(self, cells: Cells) -> Fields<'a> {
        let tame = |text: Cow<'a, str>| match text {
            Cow::Borrowed(text) => cells.text(text),
            Cow::Owned(text) => cells.text(&text).into_owned().into(),
        };
        Fields {
            message: tame(self.message),
            help: self.help.map(tame),
            file: tame(self.file),
            label: self.label.map(tame),
            fen: self.fen.map(tame),
            text: tame(self.text),
            ..self
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::validate::check::Finding;
    use crate::commands::validate::registry;
    use crate::commands::validate::report::Lines;
    use crate::input::{Buffers, CHUNK_BYTES, Chunks, Source, SourceId};
    use crate::pgn::Span;

    #[test]
    fn the_columns_of_the_table_are_the_fields_of_the_objects() {
        let source = Source::stdin(SourceId(0));
        let text = b"1. e4 {x} *".as_slice();
        let mut chunks = Chunks::new(text, &source, CHUNK_BYTES, Buffers::default());
        let chunk = chunks.next().unwrap().unwrap();
        let game = chunk.games().next().unwrap();
        let finding = Finding::new(&registry::ILLEGAL_MOVE, Span::new(7, 8), "illegal");
        let item = FindingItem {
            source: &source,
            report: &Lines::new(&chunk).report(&game, finding),
            fingerprint: None,
        };
        let mut line = Buffer::default();
        Jsonl.item(&mut line, item);
        let line = String::from_utf8(line.into_bytes()).unwrap();
        let names: Vec<_> = HEADER.trim_end().split(',').collect();
        let places: Vec<_> = names
            .iter()
            .map(|name| line.find(&format!("\"{name}\":")).expect(name))
            .collect();
        assert!(places.is_sorted(), "{line}");
        assert_eq!(line.matches("\":").count(), names.len(), "{line}");
    }
}
