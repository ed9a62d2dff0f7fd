//! CSV: one row for each game and rule set, or for each draw that could have been claimed.

use std::fmt::{Display, Write};

use super::{ChanceRow, Labelled, Row, missed};
use crate::judge::labels::Ruling;

/// The header of the rows of games.
pub const HEADER: [&str; 21] = [
    "game",
    "white",
    "black",
    "recorded_result",
    "recorded_reason",
    "plies",
    "board",
    "claimable",
    "white_can_win",
    "black_can_win",
    "ruled_result",
    "ruled_reason",
    "article",
    "verdict",
    "ended_at_ply",
    "recorded_words",
    "rules",
    "because",
    "line",
    "notes",
    "file",
];

/// The header of the rows of draws that could have been claimed.
pub const CHANCE_HEADER: [&str; 10] = [
    "game", "white", "black", "claim", "by", "ply", "move", "article", "rules", "file",
];

/// Writes rows to memory.
pub struct CsvLabels {
    writer: csv::Writer<Vec<u8>>,
    /// The fields of a row, one behind the other.
    fields: String,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Default for CsvLabels {
    fn default() -> CsvLabels {
        CsvLabels {
            writer: csv::WriterBuilder::new()
                .has_headers(false)
                .from_writer(Vec::new()),
            fields: String::new(),
            ends: Vec::new(),
        }
    }
}

impl CsvLabels {
    /// Adds a game by one rule set. Several claims in a field are parted by `; `, the moves of a line by blanks.
    pub fn push(&mut self, labelled: &Labelled<'_>, ruling: &Ruling) {
        let row = Row::new(labelled, ruling);
        self.field(row.game);
        self.text(row.white.as_deref());
        self.text(row.black.as_deref());
        self.text(row.recorded_result.as_deref());
        self.text(row.recorded_reason);
        self.field(row.plies);
        self.field(row.board);
        for (nth, chance) in row.claimable.iter().enumerate() {
            self.part(nth, "; ", format_args!("{}", Claimable(chance)));
        }
        self.end();
        self.field(row.white_can_win);
        self.field(row.black_can_win);
        self.field(row.ruled_result);
        self.field(row.ruled_reason);
        self.text(row.article);
        self.field(row.verdict);
        match row.ended_at_ply {
            Some(ply) => self.field(ply),
            None => self.end(),
        }
        self.text(row.recorded_words.as_deref());
        self.field(row.rules);
        self.text(row.because);
        for (nth, mv) in row.line.unwrap_or_default().iter().enumerate() {
            self.part(nth, " ", mv);
        }
        self.end();
        for (nth, note) in row.notes.iter().enumerate() {
            self.part(nth, "; ", note);
        }
        self.end();
        self.field(row.file);
        self.write();
    }

    /// Adds the draws of a game that could have been claimed and were not.
    pub fn push_missed(&mut self, labelled: &Labelled<'_>, ruling: &Ruling) {
        for chance in missed(labelled.label, ruling) {
            let chance = ChanceRow::new(chance);
            self.field(labelled.number);
            self.text(super::value(labelled.game, labelled.text, "White").as_deref());
            self.text(super::value(labelled.game, labelled.text, "Black").as_deref());
            self.field(chance.claim);
            self.field(chance.by);
            self.field(chance.ply);
            self.text(chance.announced.as_deref());
            self.field(&chance.article);
            self.field(ruling.rules.name);
            self.field(labelled.file);
            self.write();
        }
    }

    /// All rows added so far.
    pub fn into_bytes(self) -> Vec<u8> {
        // Writing to memory does not fail.
        self.writer.into_inner().unwrap_or_default()
    }

    fn field(&mut self, field: impl Display) {
        self.part(0, "", field);
        self.end();
    }

    fn text(&mut self, text: Option<&str>) {
        self.fields.push_str(text.unwrap_or_default());
        self.end();
    }

    fn part(&mut self, nth: usize, between: &str, part: impl Display) {
        if nth > 0 {
            self.fields.push_str(between);
        }
        // Writing to memory does not fail.
        let _ = write!(self.fields, "{part}");
    }

    fn end(&mut self) {
        self.ends.push(self.fields.len());
    }

    fn write(&mut self) {
        let mut start = 0;
        let fields = self.ends.iter().map(|&end| {
            let text = &self.fields[start..end];
            start = end;
            text
        });
        // Writing to memory does not fail, and every row has as many fields as its header.
        let _ = self.writer.write_record(fields);
        self.fields.clear();
        self.ends.clear();
    }
}

/// `threefold-repetition white 82 42.Kd2`
struct Claimable<'a>(&'a ChanceRow);

impl Display for Claimable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ChanceRow {
            claim,
            by,
            ply,
            announced,
            ..
        } = self.0;
        write!(f, "{claim} {by} {ply}")?;
        match announced {
            Some(announced) => write!(f, " {announced}"),
            None => Ok(()),
        }
    }
}
