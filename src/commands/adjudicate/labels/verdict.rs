//! The verdict on a record, and the reason of a result, by their names in CSV and JSON.

use std::fmt;

use crate::law::End;
use crate::pgn::termination::Reason;

/// Whether what was recorded can be what the rules say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It can.
    Consistent,
    /// It cannot.
    Contradiction,
    /// Moves are missing, the rule set is silent, or the proof was not found.
    Undecided,
}

impl Verdict {
    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Consistent => "consistent",
            Verdict::Contradiction => "contradiction",
            Verdict::Undecided => "undecided",
        }
    }
}

/// Why the game ended by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuledReason {
    /// The moves brought it about.
    End(End),
    /// The moves left the game open, and this was recorded.
    Recorded(Reason),
    /// A side won an open game, and how is not recorded.
    ResignationOrTime,
    /// Nothing ended the game.
    Open,
    /// The moves could not be played to the last one.
    Incomplete,
}

impl RuledReason {
    /// The word scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            RuledReason::End(end) => end.as_str(),
            RuledReason::Recorded(reason) => reason.as_str(),
            RuledReason::ResignationOrTime => "resignation-or-time-forfeit",
            RuledReason::Open => "open",
            RuledReason::Incomplete => "incomplete",
        }
    }
}

impl fmt::Display for RuledReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
