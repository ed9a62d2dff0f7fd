//! Fields of a finding in the machine formats.

use std::borrow::Cow;

use serde::Serialize;

use crate::commands::validate::registry::Code;
use crate::commands::validate::report::{Report, character_start};
use crate::input::Source;
use crate::report::escape::Cells;
use crate::text::decode;

/// The names of the fields, in their order.
pub(crate) const NAMES: [&str; 15] = [
    "code",
    "name",
    "severity",
    "message",
    "help",
    "file",
    "line",
    "column",
    "byte_start",
    "byte_end",
    "game",
    "ply",
    "move",
    "fen",
    "text",
];

/// A finding in the machine formats. The fields are a promise to scripts.
#[derive(Serialize)]
pub(crate) struct Fields<'a> {
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

impl<'a> Fields<'a> {
    pub(crate) fn of(source: &'a Source, report: &'a Report<'_>) -> Fields<'a> {
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
    pub(crate) fn in_table(self, cells: Cells) -> Fields<'a> {
        Fields {
            message: tame(self.message, cells),
            help: self.help.map(|help| tame(help, cells)),
            file: tame(self.file, cells),
            label: self.label.map(|label| tame(label, cells)),
            fen: self.fen.map(|fen| tame(fen, cells)),
            text: tame(self.text, cells),
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

fn tame(text: Cow<'_, str>, cells: Cells) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => cells.text(text),
        Cow::Owned(text) => cells.text(&text).into_owned().into(),
    }
}
