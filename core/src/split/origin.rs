//! Places of games, and totals of a text.

use crate::split::anomaly::AnomalyKind;
use crate::text::{GameNo, Offset};

/// Index of a source in this run, from 0, in the order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// Position of the text of a game, including the white space before its first tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// Source of the game.
    pub source: SourceId,
    /// Number of the game in the source.
    pub game: GameNo,
    /// Offset of the first byte of the game.
    pub byte: Offset,
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
