//! One disputed claim: the move announced with it, the ruling in sentences, and what other rule
//! sets would decide. The law decides in [`crate::law::claim`].

mod announced;
mod announced_move;
mod compare;
mod game;
mod mismatch;
mod ruling;
mod sentences;

use std::cell::RefCell;

use crate::adjudication::RuleChoice;
use crate::law::claim as law;
use crate::law::rulesets::RepetitionKey;
use crate::law::{Facts, Prospects, RuleSet};
use crate::winnability::Solver;

pub use crate::law::claim::{ClaimKind, Ground, Verdict};
pub use announced::Announced;
pub use compare::COMPARED;
pub use game::{ClaimGame, GameFault};
pub use ruling::{Claim, Ruling};

/// Decides a claim at the end of a game, and compares the decision with those of other rule sets.
///
/// Each search for a mate or for a proof that there is none visits at most `nodes` positions.
pub fn decide(
    game: &ClaimGame,
    claim: &Claim,
    rules: &'static RuleSet,
    nodes: u64,
    compared: &[RuleChoice],
) -> Ruling {
    let announced = announced_move::find(game, claim);
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
    let solver = RefCell::new(Solver::new(nodes));
    let prospects = Prospects::new(facts.last(), &solver);
    let law = law::Claim {
        facts: &facts,
        kind: claim.kind,
        by: announced.claimant(game, claim),
        announced: announced.announcement(),
        prospects: &prospects,
    };
    let decision = law.decide(rules, nodes);
    let phrasing = sentences::Phrasing {
        game,
        claim,
        law: &law,
        announced: &announced,
    };
    let mut ruling = phrasing.ruling(&decision, rules.key);
    ruling.otherwise = compare::compare(&phrasing, &decision, &compared, nodes);
    ruling
}
