//! The grounds of decisions, and the verdicts that follow from them.

use std::fmt;

/// Whether a claim is upheld.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It is right.
    Upheld,
    /// It is not.
    Rejected,
    /// The proof was not found, or the rule set does not say.
    Undecided,
}

/// Ground of a decision, by its name in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// The claim is right, and was made in the right way.
    Holds,
    /// The claim is right, and the game ended without one.
    Automatic,
    /// The claim is wrong.
    DoesNotHold,
    /// The claim is for the other side to make.
    WrongSide,
    /// The claim had to be made before a move that has been played.
    TooLate,
    /// The announced move is not legal.
    IllegalMove,
    /// The announced move cannot be read, or can be one of several.
    UnclearMove,
    /// The rule set has no such rule.
    NoRule,
    /// The rule set has the rule, but not a claim in this form.
    NoForm,
    /// The game ends automatically, once the announced move is played.
    NotYet,
    /// The rule set does not say.
    Undefined,
    /// The game had ended otherwise.
    Over,
    /// The budget ended before the proof.
    Unknown,
}

impl Ground {
    /// Name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Ground::Holds => "holds",
            Ground::Automatic => "automatic",
            Ground::DoesNotHold => "does-not-hold",
            Ground::WrongSide => "wrong-side",
            Ground::TooLate => "too-late",
            Ground::IllegalMove => "illegal-move",
            Ground::UnclearMove => "unclear-move",
            Ground::NoRule => "no-rule",
            Ground::NoForm => "no-form",
            Ground::NotYet => "not-yet",
            Ground::Undefined => "undefined",
            Ground::Over => "over",
            Ground::Unknown => "unknown",
        }
    }

    /// The verdict that follows from it.
    pub const fn verdict(self) -> Verdict {
        match self {
            Ground::Holds | Ground::Automatic => Verdict::Upheld,
            Ground::Unknown | Ground::Undefined | Ground::UnclearMove => Verdict::Undecided,
            _ => Verdict::Rejected,
        }
    }

    /// Whether the claim was wrong, or made in the wrong way, under a rule that exists.
    pub const fn is_refusal(self) -> bool {
        matches!(
            self,
            Ground::DoesNotHold
                | Ground::WrongSide
                | Ground::TooLate
                | Ground::IllegalMove
                | Ground::NoForm
        )
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
