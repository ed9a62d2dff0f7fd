//! What is decided about a claim, and why.

use std::fmt;

use crate::chess::{Color, Uci};
use crate::commands::adjudicate::claim::Claim;
use crate::law::RuleSet;
use crate::law::rulesets::Article;
use crate::pgn::ResultMark;

/// How a claim is decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It is right.
    Upheld,
    /// It is not.
    Rejected,
    /// The proof was not found within the budget.
    Undecided,
}

/// Why a claim is decided so. Scripts know it by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// What is claimed holds, and the claim was made as it must be.
    Holds,
    /// What is claimed holds, and ends the game without a claim.
    Automatic,
    /// What is claimed does not hold.
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
    /// What is claimed ends the game by itself, but not before the announced move is played.
    NotYet,
    /// The rule set does not say.
    Undefined,
    /// The game had ended otherwise.
    Over,
    /// The budget ended before the proof.
    Unknown,
}

impl Ground {
    /// The name scripts know it by.
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

    /// The ground in a few words, where a sentence would be too much.
    pub(crate) const fn in_short(self) -> &'static str {
        match self {
            Ground::Holds => "it is right there",
            Ground::Automatic => "the game ends by itself there",
            Ground::DoesNotHold => "it is not right there",
            Ground::WrongSide => "the other side must claim",
            Ground::TooLate => "too late there",
            Ground::IllegalMove => "the announced move is not legal",
            Ground::UnclearMove => "the announced move is not clear",
            Ground::NoRule => "no such rule",
            Ground::NoForm => "no claim in this form",
            Ground::NotYet => "the game ends by itself once the move is played",
            Ground::Undefined => "not defined",
            Ground::Over => "the game is over before",
            Ground::Unknown => "not found out",
        }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A decided claim. Sentences begin with a capital and end with a full stop: they can be read out.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// What was claimed.
    pub claim: Claim,
    /// Who claimed; for a flag, whose time was up.
    pub by: Color,
    /// The name by which the rules were asked for, such as `fide`.
    pub asked: &'static str,
    /// The rules applied, such as those of `fide-2018`.
    pub rules: &'static RuleSet,
    /// Why these, if they were chosen for the game.
    pub note: Option<String>,
    /// Why the claim is decided as it is.
    pub ground: Ground,
    /// What is claimed, in a sentence.
    pub statement: String,
    /// The reason, in a sentence.
    pub reason: String,
    /// More about the reason: what differs between positions, what else could have been claimed.
    pub details: Vec<String>,
    /// The article that decides.
    pub article: Article,
    /// The plies after which the position stood or would stand on the board, the earliest first; 0 is the initial
    /// position.
    pub occurrences: Vec<u32>,
    /// The move that was announced, in standard notation.
    pub announced: Option<String>,
    /// A mate that is still possible, in UCI notation; empty where none is shown.
    pub line: Vec<Uci>,
    /// What follows.
    pub follows: Vec<String>,
    /// Which other rule set or reading would decide otherwise.
    pub otherwise: Vec<String>,
    /// The result of the game after the ruling; `*` if it goes on, or if nothing is known.
    pub result: ResultMark,
}

impl Ruling {
    /// How the claim is decided.
    pub fn verdict(&self) -> Verdict {
        self.ground.verdict()
    }
}
