//! The clocks of a game before a flag is said to have fallen.

use crate::chess::Color;
use crate::commands::adjudicate::claim::game::{ClaimGame, name};
use crate::pgn::termination::Reason;

impl ClaimGame {
    /// Whether the file says that the flag is the other side's: in its record, or in the last
    /// clocks, of which only that of the other side is at zero.
    pub(crate) fn contradicts_flag(&self, loser: Color) -> bool {
        let is_zero =
            |side: Color| self.clocks[side.index()].is_some_and(|(seconds, _)| seconds <= 0.0);
        let recorded = self.over.as_ref();
        let recorded = recorded.filter(|over| over.reason == Some(Reason::TimeForfeit));
        match recorded.and_then(|over| over.loser) {
            Some(recorded) => recorded != loser,
            None => is_zero(!loser) && !is_zero(loser),
        }
    }

    /// The last clocks, if there are any.
    pub(crate) fn last_clocks(&self) -> Option<String> {
        let shown = Color::ALL.into_iter().filter_map(|side| {
            let (seconds, ply) = self.clocks[side.index()]?;
            let (minutes, seconds) = (seconds as u64 / 60, seconds as u64 % 60);
            let (hours, minutes) = (minutes / 60, minutes % 60);
            let when = name(self.record(), ply);
            Some(format!(
                "{side}'s is {hours}:{minutes:02}:{seconds:02} after {when}"
            ))
        });
        let shown: Vec<String> = shown.collect();
        (!shown.is_empty()).then(|| format!("Of the last clocks, {}.", shown.join(", and ")))
    }
}
