//! One disputed claim: the move announced with it, the ruling in sentences, and what other rule
//! sets would decide. The law decides in [`crate::law::claim`].

mod announced;
mod compare;
mod game;
mod mismatch;
mod sentences;

use std::cell::RefCell;

use crate::adjudication::RuleChoice;
use crate::chess::{Color, Uci};
use crate::law::claim as law;
use crate::law::rulesets::{Citation, RepetitionKey};
use crate::law::{Facts, Prospects, RuleSet};
use crate::pgn::ResultMark;
use crate::winnability::{SearchLimits, Solver};

pub use crate::law::claim::{ClaimKind, ClaimVerdict, Ground};
pub use announced::Announced;
pub(crate) use announced::is_played;
pub(crate) use compare::COMPARED;
pub use game::{ClaimGame, GameFault};

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
pub struct ClaimRuling {
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
    /// The players, if they are known.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
    /// The event with round and date, as far as they are known.
    pub event: Option<String>,
    /// Plies played at the moment of the claim.
    pub ply: u32,
    /// The moment in words: `after 11...Bb7`.
    pub moment: String,
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

impl ClaimRuling {
    /// Whether the claim is upheld.
    pub fn verdict(&self) -> ClaimVerdict {
        self.ground.verdict()
    }
}

/// Decides a claim at the end of a game, and compares the decision with those of other rule sets.
///
/// `limits` are those of each search for a mate or for a proof that there is none.
pub fn decide(
    game: &ClaimGame,
    claim: &Claim,
    rules: &'static RuleSet,
    limits: SearchLimits,
    compared: &[RuleChoice],
) -> ClaimRuling {
    let announced = announced::find(game, claim);
    let compared = compare::resolve(game, compared);
    let keys: Vec<RepetitionKey> = [rules]
        .into_iter()
        .chain(compared.iter().map(|&(_, rules)| rules))
        .flat_map(|rules| {
            let others = rules.other_keys.iter().map(|&(_, key)| key);
            [rules.key].into_iter().chain(others)
        })
        .collect();
    let facts = Facts::of(game.record().clone(), keys);
    let solver = RefCell::new(Solver::new(limits));
    let prospects = Prospects::new(facts.last(), &solver);
    let law = law::ClaimFacts {
        facts: &facts,
        kind: claim.kind,
        by: announced.claimant(game, claim),
        announced: announced.announcement(),
        prospects: &prospects,
    };
    let decision = law.decide(rules, limits);
    let phrasing = sentences::Phrasing {
        game,
        claim,
        law: &law,
        announced: &announced,
    };
    let mut ruling = phrasing.ruling(&decision, rules.key);
    ruling.otherwise = compare::compare(&phrasing, &decision, &compared, limits);
    ruling
}
