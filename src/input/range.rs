//! Ranges of a text, and the totals of the text before them.

use std::ops::Range;

use crate::input::anomaly::AnomalyKind;

/// Range of a file, from the first game that begins in it to that of the next range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextRange {
    /// Bytes of plain text.
    Plain(Range<u64>),
    /// Stored bytes of whole zstd frames. The text begins and ends at the first sync points from
    /// the borders on.
    Frames(Range<u64>),
    /// Stored bytes of an archive, in which the members begin that are read as a whole.
    Members(Range<u64>),
}

/// Totals of a text, or of its beginning.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextTotals {
    /// Number of games.
    pub games: u64,
    /// Number of line feeds.
    pub lines: u64,
    /// Size in bytes, decompressed.
    pub bytes: u64,
    /// Anomalies, which are reported once a text.
    pub anomalies: Vec<AnomalyKind>,
}

impl TextRange {
    /// The stored bytes of the range.
    pub(crate) fn stored(&self) -> &Range<u64> {
        match self {
            TextRange::Plain(range) | TextRange::Frames(range) | TextRange::Members(range) => range,
        }
    }
}

impl TextTotals {
    /// Adds the totals of the text that follows.
    pub fn join(&mut self, more: &TextTotals) {
        self.games += more.games;
        self.lines += more.lines;
        self.bytes += more.bytes;
        for &anomaly in &more.anomalies {
            if !self.anomalies.contains(&anomaly) {
                self.anomalies.push(anomaly);
            }
        }
    }
}
