//! One disputed claim: whether it is right under a rule set, why, and what follows.

mod announced;
mod case;
mod chances;
mod court;
mod difference;
mod fifty;
mod flag;
mod otherwise;
mod position;
mod ruling;
mod threefold;
pub(crate) mod words;

use std::fmt;

use crate::chess::Color;
use crate::law::RuleSet;

pub use announced::Announced;
pub use case::{Case, CaseFault};
pub use ruling::{Ground, Ruling, Verdict};

/// What can be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A draw: the same position at least for the third time.
    Threefold,
    /// A draw: 50 moves by each side without a capture or a pawn move.
    Fifty,
    /// A draw: too little material.
    Insufficient,
    /// A draw: nobody can mate by any series of legal moves.
    Dead,
    /// A draw: stalemate.
    Stalemate,
    /// A side's time is up.
    Flag,
}

impl Kind {
    /// The name scripts know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Threefold => "threefold",
            Kind::Fifty => "fifty",
            Kind::Insufficient => "insufficient",
            Kind::Dead => "dead",
            Kind::Stalemate => "stalemate",
            Kind::Flag => "flag",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A claim as it is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What is claimed.
    pub kind: Kind,
    /// Who claims; for a flag, whose time is up. Without it, the side to move.
    pub by: Option<Color>,
    /// The move that is announced and not yet played.
    pub announced: Option<Announced>,
}

/// Decides a claim at the end of a case.
///
/// `nodes` is how many positions each search for a mate or for the proof that there is none may look at.
pub fn decide(case: &Case, claim: &Claim, rules: &'static RuleSet, nodes: u64) -> Ruling {
    let court = court::Court::new(case, claim, nodes);
    let mut ruling = court.decide(rules);
    otherwise::add(&court, &mut ruling);
    ruling
}
