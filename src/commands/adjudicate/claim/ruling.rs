//! A claim, and the decision in sentences.

use crate::chess::{Color, Uci};
use crate::commands::adjudicate::claim::{Announced, ClaimKind, Ground, Verdict};
use crate::law::RuleSet;
use crate::law::rulesets::Citation;
use crate::pgn::ResultMark;

/// A claim as it is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its subject.
    pub kind: ClaimKind,
    /// The claimant; for a flag, the side whose time is up. Without it, the side to move.
    pub by: Option<Color>,
    /// The move that is announced and not yet played.
    pub announced: Option<Announced>,
}

/// A decided claim. Sentences begin with a capital and end with a full stop: they can be read out.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The claim.
    pub claim: Claim,
    /// The claimant; for a flag, the side whose time was up.
    pub by: Color,
    /// The name by which the rules were asked for, such as `fide`.
    pub asked: &'static str,
    /// The rules applied, such as those of `fide-2018`.
    pub rules: &'static RuleSet,
    /// Why these, if they were chosen for the game.
    pub note: Option<String>,
    /// The ground of the decision.
    pub ground: Ground,
    /// The claim in a sentence.
    pub statement: String,
    /// The reason in a sentence.
    pub reason: String,
    /// More about the reason: differences between positions, other claims that would be right.
    pub details: Vec<String>,
    /// The article that decides.
    pub article: Citation,
    /// The plies after which the position stood or would stand on the board, the earliest first; 0
    /// is the initial position.
    pub occurrences: Vec<u32>,
    /// The announced move in standard notation.
    pub announced: Option<String>,
    /// A mate that is still possible, in UCI notation; empty if none is shown.
    pub line: Vec<Uci>,
    /// The consequences.
    pub follows: Vec<String>,
    /// Other rule sets or readings that would decide otherwise.
    pub otherwise: Vec<String>,
    /// The result of the game after the ruling; `*` if it goes on, or if nothing is known.
    pub result: ResultMark,
}

impl Ruling {
    /// Whether the claim is upheld.
    pub fn verdict(&self) -> Verdict {
        self.ground.verdict()
    }
}
