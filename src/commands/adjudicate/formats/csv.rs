//! CSV: one row for each game and rule set, or for each draw that could have been claimed.

use std::fmt::{Display, Write};

use crate::adjudication::Ruling;
use crate::commands::adjudicate::formats::{Labelled, OpportunityRow, Row, missed};
use crate::report::Buffer;
use crate::report::escape::Cells;

/// The header of the rows of games.
pub const HEADER: [&str; 22] = [
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
    "rules_applied",
];

/// The header of the rows of draws that could have been claimed.
pub const OPPORTUNITY_HEADER: [&str; 10] = [
    "game", "white", "black", "claim", "by", "ply", "move", "article", "rules", "file",
];

/// Writes rows to memory. By hand, as most fields are words that are known to need no quotes.
pub struct CsvLabels {
    out: Buffer,
    cells: Cells,
    /// Whether the row has a field already.
    begun: bool,
}

impl CsvLabels {
    /// No rows.
    pub fn new(cells: Cells) -> CsvLabels {
        CsvLabels {
            out: Buffer::default(),
            cells,
            begun: false,
        }
    }

    /// Adds a game by one rule set. Claims in a field are separated by `; `, the moves of a line by
    /// blanks.
    pub fn push(&mut self, labelled: &Labelled<'_>, ruling: &Ruling) {
        let row = Row::new(labelled, ruling);
        self.number(row.game);
        self.text(row.white.as_deref());
        self.text(row.black.as_deref());
        self.text(row.recorded_result.as_deref());
        self.word(row.recorded_reason);
        self.number(row.plies.into());
        self.word(Some(row.board));
        self.list("; ", row.claimable.iter().map(Claimable));
        self.word(Some(row.white_can_win));
        self.word(Some(row.black_can_win));
        self.word(Some(row.ruled_result));
        self.word(Some(row.ruled_reason));
        self.text(row.article);
        self.word(Some(row.verdict));
        match row.ended_at_ply {
            Some(ply) => self.number(ply.into()),
            None => self.word(None),
        }
        self.text(row.recorded_words.as_deref());
        self.word(Some(row.rules));
        self.text(row.because);
        self.list(" ", row.line.unwrap_or_default().iter());
        self.list("; ", row.notes.iter());
        self.text(Some(row.file));
        self.word(Some(row.rules_applied));
        self.end();
    }

    /// Adds the draws of a game that could have been claimed and were not.
    pub fn push_missed(&mut self, labelled: &Labelled<'_>, ruling: &Ruling) {
        for opportunity in missed(labelled.adjudication, ruling) {
            let opportunity = OpportunityRow::new(opportunity);
            self.number(labelled.number);
            self.text(
                crate::commands::adjudicate::formats::value(labelled.game, labelled.text, "White")
                    .as_deref(),
            );
            self.text(
                crate::commands::adjudicate::formats::value(labelled.game, labelled.text, "Black")
                    .as_deref(),
            );
            self.word(Some(opportunity.claim));
            self.word(Some(opportunity.by));
            self.number(opportunity.ply.into());
            self.text(opportunity.announced.as_deref());
            self.text(Some(&opportunity.article));
            self.word(Some(ruling.asked));
            self.text(Some(labelled.file));
            self.end();
        }
    }

    /// All rows added so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    /// A word that needs no quotes, or nothing.
    fn word(&mut self, word: Option<&str>) {
        self.begin();
        self.out
            .extend_from_slice(word.unwrap_or_default().as_bytes());
    }

    fn number(&mut self, number: u64) {
        self.begin();
        // Writing to memory does not fail.
        let _ = write!(self.out, "{number}");
    }

    /// Any text, in quotes where it needs them (RFC 4180).
    fn text(&mut self, text: Option<&str>) {
        self.begin();
        self.cells.push(&mut self.out, text.unwrap_or_default());
    }

    fn list(&mut self, between: &str, items: impl ExactSizeIterator<Item = impl Display>) {
        if items.len() == 0 {
            return self.word(None);
        }
        let mut text = String::new();
        for (nth, item) in items.enumerate() {
            let between = if nth > 0 { between } else { "" };
            let _ = write!(text, "{between}{item}");
        }
        self.text(Some(&text));
    }

    fn begin(&mut self) {
        if self.begun {
            self.out.push(b',');
        }
        self.begun = true;
    }

    fn end(&mut self) {
        self.out.push(b'\n');
        self.begun = false;
    }
}

/// `threefold-repetition white 82 42.Kd2`
struct Claimable<'a>(&'a OpportunityRow);

impl Display for Claimable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OpportunityRow {
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
