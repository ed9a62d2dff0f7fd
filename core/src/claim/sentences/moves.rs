//! The moves that a ruling is about.

use crate::claim::game::{named, when};
use crate::claim::sentences::Phrasing;
use crate::law::{End, RepetitionKey};

/// Fewest plies shown, if the game has as many.
const FEWEST: u32 = 8;

impl Phrasing<'_> {
    /// The moves since the pieces first stood as they do in the end, or since the last capture or
    /// pawn move, with the plies they complete. Numbered as in a score.
    pub(crate) fn moves(&self) -> Vec<(u32, String)> {
        let (record, now) = (self.claimed_record(), self.law.facts.last());
        let (last, end) = (record.plies(), self.end());
        let occurred = self.decision.occurrences.first().copied();
        let since = if self.is_repetition() {
            let alike = record.occurrences(RepetitionKey::BOARD_AND_TURN, last);
            alike.first().copied()
        } else {
            let counted = end.and_then(End::halfmoves);
            counted.map(|_| self.game.record().plies().saturating_sub(now.halfmoves()))
        };
        let fewest = (last + 1).saturating_sub(FEWEST).max(1);
        let first = occurred.into_iter().chain(since).fold(fewest, u32::min);
        let (mut moves, mut before) = (Vec::new(), record.start.clone());
        record.each(|ply, after| {
            if ply >= first {
                let played = record.played(ply).map(|mv| named(&before, mv));
                let shown = played.unwrap_or_else(|| when(&record, 0));
                moves.push(match shown.split_once("...") {
                    Some((_, san)) if ply > first => (ply, san.to_owned()),
                    _ => (ply, shown),
                });
            }
            before.clone_from(after);
        });
        moves
    }
}
